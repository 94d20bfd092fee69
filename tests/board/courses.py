"""Games for pages, and the positions of the engine after each turn with both hands open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.chance import Draw, Reveal, Shuffle
from engine.events import Shuffled
from engine.game import apply, resign
from engine.orders import Start
from engine.ruleset import DEFAULT_EDITION
from engine.sides import Side
from engine.state import State, new_game
from pbem.play import keyfile
from pbem.play.game_file import GameFile
from pbem.protocol.hand import HiddenCards
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.table import Move
from tests.cli.commands import ROOT
from tests.play.correspondents import Correspondents
from tests.play.matches import Chooser
from tests.seats import Seat

SAVES = ROOT / "saves" / "practice"
RUNNING, CLOSED = SAVES / "game-041.toml", SAVES / "game-130.toml"


class Course(NamedTuple):
    """A game, and its positions with both hands open: before the first turn, and after each."""

    match: Match
    states: list[State]


@cache
def practice(file: Path) -> tuple[Course, dict[Side, Seat]]:
    """Return the course of a practice game of `saves/`, and the seats of its players."""
    match = GameFile.read(file.read_bytes()).match
    identities = [keyfile.load(SAVES / side / "identity.toml", str) for side in Side]
    return course(match, identities), {
        seat.side: seat for seat in (Seat(match, identity) for identity in identities)
    }


def play_course(
    seed: int,
    edition: str = DEFAULT_EDITION,
    *rules: str,
    turns: int = 1000,
    players: Callable[[Random], Chooser] | None = None,
) -> tuple[Course, dict[Side, Seat]]:
    """Play a game between practice players, or others, to a turn or to both closes."""
    pair = Correspondents(Random(f"board {edition} {rules} {seed}"))
    if players is not None:
        pair.players = {side: players(Random(f"{side} {seed}")) for side in Side}
    game = pair.invite(Side.BRITISH, lists=4, edition=edition, house_rules=rules)
    game = pair.join(game)
    while game.match.next_side is not None and game.match.state.turn < turns:
        game = pair.answer(game)
    identities = pair.identities.values()
    return course(game.match, identities), {
        side: Seat(game.match, identity) for side, identity in pair.identities.items()
    }


def course(match: Match, identities: Iterable[Identity]) -> Course:
    """Return the course of a match between these players."""
    seats = [Seat(match, identity) for identity in identities]
    hidden = {seat.side: HiddenCards(match, seat.side, seat.secret) for seat in seats}
    first = next(Side(record.side) for record in match.records if record.side != "any")
    state, after = new_game(match.state.ruleset, first), dict[int, State]()
    for move in match.moves:
        # The setup includes chance and the choices before the first turn.
        is_setup = move.turn == 0 and 1 not in after and not _begins_game(move)
        if move.order is not None:
            apply(state, move.order)
        elif move.drawn:
            apply(state, Draw(move.side, move.drawn))
            for slot in move.drawn:
                [card] = hidden[move.side].names([slot])
                apply(state, Reveal(move.side, slot, card))
        elif move.has_event(Shuffled):
            apply(state, Shuffle(move.side))
        else:
            resign(state, move.side)
        after[0 if is_setup else move.turn + 1] = state.copy()
    return Course(match, [after[number] for number in range(len(after))])


def _begins_game(move: Move) -> bool:
    """Return True if a move can be the first of a game: an order, or a resignation."""
    if move.order is not None:
        return not isinstance(move.order, Start)
    return not move.drawn and not move.has_event(Shuffled)


# --- recorded games
