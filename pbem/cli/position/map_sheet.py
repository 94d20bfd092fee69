"""Reading the sheets of the map: rows of fields, of connections and of water."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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


class Line(NamedTuple):
    """The room of a line of the legend, in columns."""

    width: int


class Drawn(NamedTuple):
    """Signs that stay as they are; `kind` is "river", "road", "trail", "lake", "sea" or ""."""

    kind: str
    text: str


Row = tuple[Field | Line | Drawn, ...]


class Sheet(NamedTuple):
    """A sheet of the map, so many columns wide."""

    width: int
    rows: tuple[Row, ...]


WIDTHS = (100, 80)
"""How wide the sheets are, the largest first."""
_KINDS = {
    "field": r"\[ +(?P<right>[^)]+?) +\)|\( (?P<left>[^\]]+?) +\]",
    "line": r"\{ +\}",
    "river": "[─│╭╮╰╯╱╲]+",
    "road": "[═║╔╗╚╝]+",
    "trail": "•",
    "lake": r"≈+(?: \w+ \w+ ≈+)?",
    "sea": r"[\w.~]+(?: [\w.]+)*",
    "": " +",
}
_RUNNING_ON = "─═"


@cache
def sheet_data() -> dict[str, Any]:
    """What sheets.toml has: `sheets` by their width, `forts` called short, and `waters`."""
    return tomllib.loads((Path(__file__).parent / "sheets.toml").read_text(encoding="utf-8"))


@cache
def sheet(width: int) -> Sheet:
    """The sheet that is `width` columns wide, one of `WIDTHS`."""
    pattern = re.compile("|".join(f"(?P<{kind}>{p})" if kind else p for kind, p in _KINDS.items()))
    rows = sheet_data()["sheets"][str(width)].strip("\n").split("\n")
    return Sheet(width, tuple(_row(row, pattern) for row in rows))


def _row(row: str, pattern: re.Pattern[str]) -> Row:
    pieces: list[Field | Line | Drawn] = []
    for found in pattern.finditer(row):
        if found.lastgroup == "field":
            pieces.append(_field(row, found))
        elif found.lastgroup == "line":
            pieces.append(Line(len(found[0])))
        else:
            pieces.append(Drawn(found.lastgroup or "", found[0]))
    return tuple(pieces)


def _field(row: str, found: re.Match[str]) -> Field:
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
