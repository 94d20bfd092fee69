"""A player's games taken together, as facts and in words: how they ended, how long they took.

docs/json.md tells other programs the shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median_low
from typing import NamedTuple

from engine.message import Message, Run, Said
from engine.ruleset import editions
from engine.sides import Side
from pbem.play.store import Listed
from pbem.text.lines import Line, Tone
from pbem.text.rules.editions import edition_named


class Results(NamedTuple):
    """How many games were won and lost, and how many go on."""

    won: int
    lost: int
    going_on: int


@dataclass(frozen=True, slots=True)
class SideResults:
    """The results by an edition, with a side."""

    edition: str
    side: Side
    won: int
    lost: int
    going_on: int


class Spread(NamedTuple):
    """Between which bounds numbers lie; half of them are at most the median."""

    least: int
    median: int
    most: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """How games went; `turns` and `days` of those that are over, None if there are none."""

    in_all: Results
    results: list[SideResults]
    turns: Spread | None
    days: Spread | None


def statistics(games: Iterable[Listed], beginnings: Mapping[bytes, str]) -> Statistics:
    """Return the statistics of the games that somebody has joined.

    `beginnings` are when games were begun, by their ids.
    """
    joined = [each for each in games if each.own_side is not None and each.game.opponent]
    over = [each for each in joined if each.game.winner]
    days = [_days(beginnings[each.id], each.game.since) for each in over if each.id in beginnings]
    return Statistics(
        in_all=_results(joined),
        results=[
            SideResults(edition, side, *_results(some))
            for edition in editions()
            for side in Side
            if (some := [e for e in joined if (e.game.edition, e.own_side) == (edition, side)])
        ],
        turns=_spread([each.game.turn for each in over]),
        days=_spread([number for number in days if number >= 0]),
    )


def _results(games: Sequence[Listed]) -> Results:
    winners = [each.game.winner for each in games]
    won = sum(each.game.winner == each.own_side for each in games)
    going_on = winners.count("")
    return Results(won, len(games) - won - going_on, going_on)


def _days(begun: str, ended: str) -> int:
    return (datetime.fromisoformat(ended).date() - datetime.fromisoformat(begun).date()).days


def _spread(numbers: Sequence[int]) -> Spread | None:
    return Spread(min(numbers), median_low(numbers), max(numbers)) if numbers else None


def statistics_told(facts: Statistics) -> Iterator[Line]:
    """Yield the statistics under headings."""
    yield Line(Message("Your games"), Tone.HEAD)
    for each in facts.results:
        yield _row(Run((edition_named(each.edition), each.side.label), ", "), _results_told(each))
    if len(facts.results) != 1:
        yield _row(Message("in all"), _results_told(facts.in_all))
    if facts.turns:
        yield Line()
        yield Line(Message("How long the finished games took"), Tone.HEAD)
        yield _row(Message("turns"), _spread_told(facts.turns))
    if facts.days:
        yield _row(Message("days"), _spread_told(facts.days))


def _row(label: Message, text: Said) -> Line:
    return Line(text, label=Run(("  ", label, "  ")), in_columns=True)


def _results_told(of: Results | SideResults) -> Message:
    return Message(
        "won: {won}, lost: {lost}, in progress: {going_on}",
        won=of.won,
        lost=of.lost,
        going_on=of.going_on,
    )


def _spread_told(spread: Spread) -> Said:
    if spread.least == spread.most:
        return str(spread.most)
    # Translators: how many turns, or days: such as “38 to 130; half of the games took at most 71”.
    return Message("{least} to {most}; half of the games took at most {median}", **spread._asdict())
