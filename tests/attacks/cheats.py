"""Cheating clients: records that a player forged and signed with the own key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem.match import Match
from pbem.record import Record
from pbem.steps import Step
from tests.pbem.playing import identities

Steps = Sequence[Step]


def forged(match: Match, change: Callable[[list[Step]], Steps], seed: int = 0) -> list[Record]:
    """The records of a match whose last author changed its steps and signed them anew."""
    last = match.last
    return resigned(match, replace(last, steps=tuple(change(list(last.steps)))), seed)


def resigned(match: Match, record: Record, seed: int = 0) -> list[Record]:
    """The records of a match with the last replaced by `record`, signed by the same author."""
    who = identities(seed)[match.last.index % 2]
    signed = Record.signed(
        who,
        index=record.index,
        side=record.side,
        previous=record.previous,
        time=record.time,
        steps=record.steps,
    )
    return [*match.records[:-1], signed]
