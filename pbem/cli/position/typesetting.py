"""Laying lines out: wrapped beside a label, in columns, or beside each other; and in colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from engine.message import Said
from engine.sides import Side
from pbem.cli import console
from pbem.text.language import Line, Tone
from pbem.text.phrases import loose

# Plain blue is too dark on black in most terminals.
STYLES = {Side.BRITISH: "red", Side.FRENCH: "bright_blue"}
"""The colours of the sides, readable on black and on white. Nothing is told by them alone."""


def paragraph(text: Said, width: int, indent: int = 0, *, first: int | None = None) -> list[Text]:
    """Wrap a text between words, every line of it indented; its first line as `first` says."""
    before, text = " " * indent, console.told(text)
    begins = before if first is None else " " * first
    width = max(width, indent + 1)
    lines = wrap(
        " ".join(_loosened(part, width - indent) for part in text.split(" ")),
        width,
        initial_indent=begins,
        subsequent_indent=before,
        break_on_hyphens=False,
    )
    return [Text(loose(line)) for line in lines]


def _loosened(part: str, room: int) -> str:
    """Keep a part together, as far as there is room for that."""
    return part if len(part) <= room else loose(part)


def title(text: Said, width: int) -> list[Text]:
    """Return the title above a panel."""
    lines = paragraph(text, width)
    for line in lines:
        line.stylize("bold")
    return lines


def laid_out(lines: Iterable[Line], width: int) -> list[Text]:
    """Lay out paragraphs, items and headings."""
    laid: list[Text] = []
    for line in lines:
        told = title(line.text, width) if line.tone is Tone.HEAD else None
        laid += told or paragraph(line.text, width, line.indent) or [Text()]
    return laid


def wrap_evenly(text: str, most: int) -> list[str]:
    """Wrap a text in as many lines at most, none longer than it must be.

    >>> wrap_evenly("Villages left", 2), wrap_evenly("Lead", 2)
    (['Villages', 'left'], ['Lead'])
    """
    widest = max(map(cell_len, text.split(" ")))
    while len(lines := wrap(text, widest, break_long_words=False)) > most:
        widest += 1
    return lines


def widest(rows: Sequence[Sequence[Text]], gap: int) -> int:
    """Return how many columns of a terminal the rows take in `columns`, if nothing is broken."""
    rooms = (max(cell.cell_len for cell in column) for column in zip(*rows, strict=True))
    return int(sum(room + gap for room in rooms)) - gap


def columns(rows: Sequence[Sequence[Text]], width: int, gap: int) -> list[Text]:
    """Lay out cells in columns: the first to the left, and broken if it must be; others right."""
    numbers = [max(cell.cell_len for cell in column) for column in [*zip(*rows, strict=True)][1:]]
    first = max(row[0].cell_len for row in rows)
    first = min(first, width - sum(numbers) - gap * len(numbers))
    lines = []
    for label, *cells in rows:
        broken = paragraph(label.plain, max(1, first)) or [Text()]
        line = Text(broken[0].plain.ljust(first), label.style)
        for cell, room in zip(cells, numbers, strict=True):
            line.append(" " * (gap + room - cell.cell_len)).append_text(cell)
        lines += [line, *(Text(f" {rest.plain}", label.style) for rest in broken[1:])]
    return lines


def beside(left: Sequence[Text], right: Sequence[Text], at: int) -> list[Text]:
    """Lay two columns of lines beside each other, the right one beginning in the column `at`."""
    lines = []
    for one, other in zip_longest(left, right):
        line = one.copy() if one else Text()
        if other is not None:
            line.append(" " * (at - line.cell_len)).append_text(other)
        lines.append(line)
    return lines
