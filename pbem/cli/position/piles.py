"""The panels of cards that nobody holds open: piles, hidden hands, and what can be drafted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from engine.message import (
    joined_with_semicolons,
    sentences,
    with_colon,
)
from engine.sides import Side
from pbem.cli.console import told
from pbem.cli.position.layout import STYLES, paragraph
from pbem.view.shape import PositionFacts
from pbem.words.phrases import Name, kept, loose
from pbem.words.piles import Cards, known_cards, whose
from pbem.words.tables import entry


def piles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What lies in the piles and what can be drafted, by whose it is."""
    rows = [row for row in known_cards(facts, name) if row.where != "hand"]
    owned = [list(group) for _, group in groupby(rows, key=lambda row: row.side)]
    return [line for group in owned for line in _behind_labels(group, facts, width)]


def hidden_hands(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What is known of the hands that are not open."""
    rows = (row for row in known_cards(facts, name) if row.where == "hand")
    return [line for row in rows for line in _behind_labels([row], facts, width)]


def _behind_labels(rows: Iterable[Cards], facts: PositionFacts, width: int) -> list[Text]:
    """Cards of one owner, those of each place behind a label; the first label says whose."""
    labels: list[tuple[Side | None, str]] = []
    parts = []
    for row in rows:
        where = entry("piles", row.where) if labels else whose(row, facts["viewer"])
        begins = with_colon(where)
        labels.append((row.side, loose(told(begins))))
        parts.append(sentences(kept(begins), row.cards))
    lines = paragraph(joined_with_semicolons(parts), width, indent=2, first=0)
    for side, label in labels:
        line = next((line for line in lines if label in line.plain), lines[0])
        at = line.plain.find(label)
        line.stylize(f"bold {STYLES[side]}" if side else "bold", at, at + len(label))
    return lines
