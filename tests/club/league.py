"""A club whose members are robots: its folder, its keys and its games."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from engine.sides import Side
from pbem.club.club_file import Club
from pbem.play.game_file import GameFile
from pbem.protocol.identity import Identity
from tests.play.correspondents import Correspondents

BEGIN = datetime(2026, 2, 1, 12, tzinfo=UTC)
LISTS = 16
"""K, the lowest number without a warning."""
ORGANISER = Identity("Orla", "orla@example.org", Random("organiser").randbytes(32))


def identity(name: str) -> Identity:
    """Return the identity of the member with this name."""
    return Identity(name, "player@example.org", Random(f"key of {name}").randbytes(32))


def key(name: str) -> str:
    return identity(name).public_key.hex()


def club_text(*names: str, more: str = "", **values: Any) -> str:
    """Return a `club.toml` with members of these names."""
    given = {
        "name": '"Lake Champlain"',
        "organiser": f'"{ORGANISER.public_key.hex()}"',
        "begins": "2026-01-01",
        "ends": "2026-12-31",
        "editions": '["second"]',
        "pace_days": "7",
        "pairing": '"ladder"',
    } | values
    lines = [f"{key} = {value}" for key, value in given.items()]
    members = [
        f'[[member]]\nname = {json.dumps(name, ensure_ascii=False)}\nkey = "{key(name)}"\n'
        for name in names
    ]
    return "\n".join([*lines, "", *members, more])


def make_club(folder: Path, *names: str, more: str = "", **values: Any) -> Club:
    """Write a `club.toml`, signed by the organiser, and return the club."""
    (folder / "games").mkdir(exist_ok=True)
    path = folder / "club.toml"
    path.write_text(club_text(*names, more=more, **values), encoding="utf-8")
    Club.read(path).sign(ORGANISER)
    return Club.read(path)


def rounds(*pairs: tuple[str, str]) -> str:
    """Return the text of a round with these pairs."""
    return f"[[round]]\npairs = {json.dumps(pairs, ensure_ascii=False)}\n"


def _begin(
    british: str, french: str, seed: str, begins: datetime = BEGIN, **options: Any
) -> tuple[Correspondents, GameFile]:
    pair = Correspondents(Random(f"{british} {french} {begins} {seed}"), begins=begins)
    pair.identities = {Side.BRITISH: identity(british), Side.FRENCH: identity(french)}
    return pair, pair.join(pair.invite(Side.BRITISH, lists=LISTS, **options))


def fork(british: str, french: str) -> tuple[GameFile, GameFile]:
    """Return two files of a game in which a player answered one file twice."""
    pair, game = _begin(british, french, "fork")
    for _ in range(4):
        game = pair.answer(game)
    return pair.answer(game), pair.answer(game, resigns=True)


def play(
    british: str,
    french: str,
    *,
    winner: Side | None = None,
    until: int = 6,
    closers: int = 2,
    begins: datetime = BEGIN,
    **options: Any,
) -> GameFile:
    """Play a game in memory, with times and orders that follow from the arguments.

    The loser resigns after `until` records; without a `winner` the game ends by a rule, or goes on
    after `until` records if that is not 0. `closers` is the number of sides that close it.
    """
    pair, game = _begin(british, french, f"{winner} {until}", begins, **options)
    while not game.match.is_over:
        side = game.match.next_side
        is_late = len(game.match.records) >= until
        if winner is None and until and is_late:
            return game
        game = pair.answer(game, resigns=winner is not None and is_late and side is not winner)
    while game.match.next_side is not None and len(game.match.secrets) < closers:
        game = pair.answer(game)
    return game


def write(folder: Path, name: str, game: GameFile) -> Path:
    """Write a game into the folder of a club, and return its path."""
    path = folder / "games" / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(game.save.write())
    return path
