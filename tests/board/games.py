"""Games whose boards are drawn in tests: practice games, and a game of each edition."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play import keyfile
from pbem.play.look import Look
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from tests.play.matches import begin, play
from tests.seats import Seat

PRACTICE = Path(__file__).parents[2] / "saves" / "practice"
CLOSED, RUNNING = "game-130", "game-041"
TURNS = 24


@cache
def practice_game(name: str) -> Match:
    """Return a practice game of `saves/`, read and verified."""
    return Match.replay(SaveFile.read((PRACTICE / f"{name}.toml").read_bytes()).records)


@cache
def edition_game(edition: str) -> Match:
    """Play the beginning of a game of an edition."""
    return play(begin(7, edition=edition), PracticePlayer(Random(7)).choose, turns=TURNS, seed=7)


@cache
def public_scenes(name: str) -> list[Scene]:
    """Return the public scenes of a practice game or, by its name, of a game of an edition."""
    match = practice_game(name) if name.startswith("game") else edition_game(name)
    return scenes(Chronicle(Look(match)))


def seat_of(side: Side) -> Seat:
    """Return the seat of a player in the running practice game."""
    identity = keyfile.load(PRACTICE / side.value / "identity.toml", lambda: "")
    return Seat(practice_game(RUNNING), identity)
