"""Which of several files counts: of each game the one that goes on furthest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.mail.search import Found
from pbem.protocol.record import Record
from pbem.protocol.verified import Verified


class Candidates(NamedTuple):
    """The files of one game.

    `ends` are those that go on furthest, each in another way: mostly one, else somebody signed two
    records after the same one, or two players took up one invitation. `older` are all others.
    """

    id: bytes
    ends: list[Found]
    older: list[Found]


def by_game(files: Iterable[Found]) -> list[Candidates]:
    """The files of each game, in the order in which they were found first; evidence is left out."""
    games: dict[bytes, Candidates] = {}
    newest_first = sorted(
        (found for found in files if not found.is_evidence),
        key=lambda found: -len(found.records),
    )
    for found in newest_first:
        game = found.records[0].hash
        of_game = games.setdefault(game, Candidates(game, [], []))
        is_older = any(_goes_on(end.records, found.records) for end in of_game.ends)
        (of_game.older if is_older else of_game.ends).append(found)
    return list(games.values())


def _goes_on(longer: tuple[Record, ...], shorter: tuple[Record, ...]) -> bool:
    """Whether all records of one file are the first of the other."""
    last = len(shorter) - 1
    return Verified.of(longer[last]) == Verified.of(shorter[last])
