"""The panels of cards that nobody holds open: piles, hidden hands, and what can be drafted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from rich.text import Text

from engine.message import (
    Message,
    Said,
    joined_with_semicolons,
    sentences,
    with_colon,
)
from engine.sides import Side
from pbem.cli.console import told
from pbem.cli.position.colours import STYLES
from pbem.cli.position.layout import paragraph, title
from pbem.view.shape import PositionFacts, SideFacts
from pbem.words import position as words
from pbem.words.phrases import Name, kept, loose
from pbem.words.tables import entry


class _Row(NamedTuple):
    """Some cards: whose they are (None: both can have them), in which of the `piles`, and which."""

    side: Side | None
    where: str
    cards: Said


def piles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What lies in the piles and what can be drafted, by whose it is."""
    rows = [row for row in _rows(facts, name) if row.where != "hand"]
    owned = [list(group) for _, group in groupby(rows, key=lambda row: row.side)]
    return [line for group in owned for line in _behind_labels(group, facts, width)]


def hidden_hands(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What is known of the hands that are not open."""
    rows = (row for row in _rows(facts, name) if row.where == "hand")
    return [line for row in rows for line in _behind_labels([row], facts, width)]


def cards_under_titles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """All these, those of each side under a title."""
    lines: list[Text] = []
    last = None
    for side, where, cards in _rows(facts, name):
        heading = Message("{side} cards", side=side.label) if side else Message("Neutral cards")
        if heading != last:
            lines += title(heading, width)
            last = heading
        label = with_colon(entry("piles", where))
        lines += paragraph(sentences(label, cards), width, indent=2)
    return [*lines, Text()]


def _rows(facts: PositionFacts, name: Name) -> Iterator[_Row]:
    """All that is known of cards but the open hands; what is the viewer's comes first."""
    viewer = Side(facts["viewer"]) if facts["viewer"] else Side.BRITISH
    for side in (viewer, viewer.opponent):
        yield from _side_rows(side, facts["sides"][side.value], name)
    discs = Message("fortification discs left: {number}", number=facts["fortifications_left"])
    stock = words.stock_told(facts["neutral"], name)
    yield _Row(None, "draft", joined_with_semicolons((stock, discs)))


def _side_rows(side: Side, facts: SideFacts, name: Name) -> Iterator[_Row]:
    if not facts["hand"]["open"]:
        yield _Row(side, "hand", words.hidden_hand_told(facts, name))
    if facts["reserve"]:
        yield _Row(side, "reserve", words.pile_told(facts["reserve"], name))
    pile = words.draw_pile_told(facts, name)
    if pile:
        yield _Row(side, "draw", pile)
    yield _Row(side, "discard", words.pile_told(facts["discard_pile"], name))
    yield _Row(side, "draft", words.stock_told(facts["available"], name))


def _behind_labels(rows: Iterable[_Row], facts: PositionFacts, width: int) -> list[Text]:
    """Cards of one owner, those of each place behind a label; the first label says whose."""
    labels: list[tuple[Side | None, str]] = []
    parts = []
    for row in rows:
        where = entry("piles", row.where) if labels else _whose(row, facts)
        begins = with_colon(where)
        labels.append((row.side, loose(told(begins))))
        parts.append(sentences(kept(begins), row.cards))
    lines = paragraph(joined_with_semicolons(parts), width, indent=2, first=0)
    for side, label in labels:
        line = next((line for line in lines if label in line.plain), lines[0])
        at = line.plain.find(label)
        line.stylize(f"bold {STYLES[side]}" if side else "bold", at, at + len(label))
    return lines


def _whose(row: _Row, facts: PositionFacts) -> Message:
    """Where cards are, and whose: `Your reserve`, `French hand`, `Both can draft`."""
    if row.side is None:
        return entry("piles", "draft-both")
    if row.side.value == facts["viewer"]:
        return entry("piles", f"{row.where}-yours")
    return entry("piles", f"{row.where}-theirs", side=row.side.label)
