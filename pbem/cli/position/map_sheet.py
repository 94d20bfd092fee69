"""The sheets of the map: rows of fields, of connections and of water, called as they are spoken."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rich.cells import cell_len

from engine.message import Message
from pbem.cli import console
from pbem.words.naming import normal


class Field(NamedTuple):
    """The room of a location: `width` columns, with its mark on the right where it is `mirrored`.

    `label` is its name on this sheet. `line` is what runs on through the room that is left over
    beside the name: part of a river or a road, or a space.
    """

    location: str
    label: str
    width: int
    mirrored: bool
    line: str


class LegendLine(NamedTuple):
    """The room of a line of the legend, in columns."""

    width: int


class Drawn(NamedTuple):
    """Signs that stay as they are; `kind` is "river", "road", "trail", "lake", "sea" or "".

    To the name of a sea belong the blanks around that can be written on.
    """

    kind: str
    text: str


Row = tuple[Field | LegendLine | Drawn, ...]
WIDTHS = (100, 80)
"""How wide the sheets are, the largest first."""
_NAME = r"[^\W\d_][\w.]*(?: [\w.]+)*"
_KINDS = {
    "field": r"\[ +(?P<right>[^)]+?) +\)|\( (?P<left>[^\]]+?) +\]",
    "line": r"\{ +\}",
    "river": "[─│╭╮╰╯╱╲]+",
    "road": "[═║╔╗╚╝]+",
    "trail": "•",
    "lake": rf"≈+(?: {_NAME} ≈+)?",
    "sea": "~",
    "name": rf"(?:(?<= ) +)?{_NAME}(?: +(?= |$))?",
    "": r" (?= +[^\W\d_])| +",
}
_RUNNING_ON = "─═"


@cache
def sheet_data() -> dict[str, Any]:
    """What sheets.toml has: `sheets` by their width, `forts` called short, and `waters`."""
    return tomllib.loads((Path(__file__).parent / "sheets.toml").read_text(encoding="utf-8"))


@cache
def sheet(width: int) -> tuple[Row, ...]:
    """The rows of the sheet that is `width` columns wide, one of `WIDTHS`."""
    pattern = re.compile("|".join(f"(?P<{kind}>{p})" if kind else p for kind, p in _KINDS.items()))
    rows = (row.ljust(width) for row in sheet_data()["sheets"][str(width)].strip("\n").split("\n"))
    return tuple(tuple(_piece(row, found) for found in pattern.finditer(row)) for row in rows)


def _piece(row: str, found: re.Match[str]) -> Field | LegendLine | Drawn:
    if found.lastgroup == "line":
        return LegendLine(len(found[0]))
    if found.lastgroup != "field":
        return Drawn("sea" if found.lastgroup == "name" else found.lastgroup or "", found[0])
    mirrored = found["left"] is not None
    label = found["left"] if mirrored else found["right"]
    name = f"Fort {label}" if label in sheet_data()["forts"] else label
    beside = row[found.start() - 1] if mirrored else row[found.end() : found.end() + 1]
    return Field(
        location=normal(name).replace(" ", "-"),
        label=label,
        width=len(found[0]),
        mirrored=mirrored,
        line=beside if beside and beside in _RUNNING_ON else " ",
    )


def shortened(name: str, room: int) -> str:
    """A name in that many columns; a longer one ends in a full stop, as maps have it.

    >>> shortened("Michillimackinac", 16), shortened("Michillimackinac", 8)
    ('Michillimackinac', 'Michill.')
    """
    return name if cell_len(name) <= room else f"{name[: max(0, room - 1)].rstrip()}."


def spoken(piece: Field | Drawn) -> str:
    """What a field is called in the player's language; or signs with the water called so in them.

    A water has no more room than there is.
    """
    if isinstance(piece, Field):
        context = "map" if piece.label in sheet_data()["forts"] else "location"
        return console.told(Message.within(context, piece.label))
    found, room = re.search(_NAME, piece.text), len(piece.text)
    if not found:
        return piece.text
    name = console.told(Message.within("map", found[0]))
    if piece.kind == "lake":
        return f" {shortened(name, room - 4)} ".center(room, "≈")
    name = shortened(name, room)
    before = " " * min(found.start(), room - cell_len(name))
    return f"{before}{name}{' ' * (room - len(before) - cell_len(name))}"
