"""The board as a map, and functions that wrap lines, and lay them out in columns and colours.

`pbem.text.board` describes the map in words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from engine.message import Message, Phrase, mark_in
from engine.sides import Side
from engine.state import State
from pbem.cli import console
from pbem.text.facts.position_facts import LocationFacts, location_facts
from pbem.text.language import Line, Tone
from pbem.text.naming import normalize
from pbem.text.phrases import allow_wrap

# --- typesetting


# Plain blue is too dark on black in most terminals.
STYLES = {Side.BRITISH: "red", Side.FRENCH: "bright_blue"}
"""The colours of the sides, readable on black and on white; colour is never the only sign."""


def paragraph(text: Phrase, width: int, indent: int = 0, *, first: int | None = None) -> list[Text]:
    """Wrap a text between words, and indent every line.

    `first` is the indent of the first line if it differs.
    """
    margin, text = " " * indent, console.translate(text)
    first_margin = margin if first is None else " " * first
    width = max(width, indent + 1)
    lines = wrap(
        " ".join(_break_if_longer(part, width - indent) for part in text.split(" ")),
        width,
        initial_indent=first_margin,
        subsequent_indent=margin,
        break_on_hyphens=False,
    )
    return [Text(allow_wrap(line)) for line in lines]


def _break_if_longer(part: str, width: int) -> str:
    """Allow breaks in a part of a text if it is longer than a line."""
    return part if len(part) <= width else allow_wrap(part)


def title(text: Phrase, width: int) -> list[Text]:
    """Return the title of a panel."""
    lines = paragraph(text, width)
    for line in lines:
        line.stylize("bold")
    return lines


def lay_out(lines: Iterable[Line], width: int) -> list[Text]:
    """Return these lines as paragraphs, items and headings."""
    paragraphs: list[Text] = []
    for line in lines:
        title_lines = title(line.text, width) if line.tone is Tone.HEAD else None
        paragraphs += title_lines or paragraph(line.text, width, line.indent) or [Text()]
    return paragraphs


def wrap_evenly(text: str, max_lines: int) -> list[str]:
    """Wrap a text into at most `max_lines` lines that are as short as possible.

    >>> wrap_evenly("Villages left", 2), wrap_evenly("Lead", 2)
    (['Villages', 'left'], ['Lead'])
    """
    width = max(map(cell_len, text.split(" ")))
    while len(lines := wrap(text, width, break_long_words=False)) > max_lines:
        width += 1
    return lines


def total_width(rows: Sequence[Sequence[Text]], gap: int) -> int:
    """Return the width of `rows` in columns, if no cell is wrapped."""
    widths = (max(cell.cell_len for cell in column) for column in zip(*rows, strict=True))
    return int(sum(width + gap for width in widths)) - gap


def columns(rows: Sequence[Sequence[Text]], width: int, gap: int) -> list[Text]:
    """Lay out cells in columns: the first is wrapped and aligned left, the others aligned right."""
    widths = [max(cell.cell_len for cell in column) for column in [*zip(*rows, strict=True)][1:]]
    label_width = max(row[0].cell_len for row in rows)
    label_width = min(label_width, width - sum(widths) - gap * len(widths))
    lines = []
    for label, *cells in rows:
        label_lines = paragraph(label.plain, max(1, label_width)) or [Text()]
        line = Text(label_lines[0].plain.ljust(label_width), label.style)
        for cell, cell_width in zip(cells, widths, strict=True):
            line.append(" " * (gap + cell_width - cell.cell_len)).append_text(cell)
        lines += [line, *(Text(f" {other.plain}", label.style) for other in label_lines[1:])]
    return lines


def side_by_side(left: Sequence[Text], right: Sequence[Text], column: int) -> list[Text]:
    """Lay two blocks of lines side by side; the right block begins in the column `column`."""
    rows = []
    for left_line, right_line in zip_longest(left, right):
        row = left_line.copy() if left_line else Text()
        if right_line is not None:
            row.append(" " * (column - row.cell_len)).append_text(right_line)
        rows.append(row)
    return rows


# --- the map


VILLAGE, TOWN, UNOWNED = "⌂", "■", "○"
SEA, NO_SUPPLY = "~", "!"
_KIND_STYLES = {"river": "cyan", "road": "yellow", "trail": "green", "lake": "cyan", "sea": "dim"}
_SIGNS = (
    (VILLAGE, mark_in("sign", "village")),
    (TOWN, mark_in("sign", "town")),
    (f"[{TOWN}]", mark_in("sign", "fortified")),
    # Translators: the meaning of the number next to a location.
    ("4", mark_in("sign", "points")),
    (SEA, mark_in("sign", "sea")),
    (NO_SUPPLY, mark_in("sign", "no supply")),
    ("─", mark_in("sign", "river")),
    ("═", mark_in("sign", "road")),
    ("•••", mark_in("sign", "trail")),
)
"""The signs in the legend with their meanings."""


def draw_map(state: State, width: int, facts: Sequence[LocationFacts] | None = None) -> list[Text]:
    """Return the rows of the largest map that fits in `width` columns, or no rows if none fits.

    The map has all pieces and a legend. `facts` are those of the locations, if the caller has
    them already.
    """
    sheet_width = next((columns for columns in WIDTHS if columns <= width), None)
    if sheet_width is None:
        return []
    rows = sheet(sheet_width)
    facts_by_location = {place.location: place for place in facts or location_facts(state)}
    ports = state.ruleset.catalogue.ports
    pieces = [piece for row in rows for piece in row]
    labels = {p.location: _displayed_text(p) for p in pieces if isinstance(p, Field)}
    legend = iter(_legend(state, labels, [p.width for p in pieces if isinstance(p, LegendLine)]))
    lines = []
    for row in rows:
        text = Text(no_wrap=True)
        for piece in row:
            if isinstance(piece, Field):
                sea = SEA if piece.location in ports else ""
                text.append_text(_draw_field(piece, facts_by_location[piece.location], sea))
            elif isinstance(piece, FixedSigns):
                text.append(_displayed_text(piece), _KIND_STYLES.get(piece.kind))
            else:
                line = next(legend, Text())
                line.pad_right(piece.width - line.cell_len)
                text.append_text(line)
        text.rstrip()
        lines.append(text)
    return lines


# --- drawing


def _draw_field(field: Field, location: LocationFacts, sea: str) -> Text:
    """Return the field of a location, with its piece, its name and its state."""
    label = _displayed_text(field)
    piece = _draw_piece(location, mirrored=field.mirrored)
    name = _draw_name(label, location, sea)
    if excess := max(0, piece.cell_len + name.cell_len - field.width):
        name = _draw_name(shorten(label, cell_len(label) - excess), location, sea)
    connection = _draw_connection(field, field.width - piece.cell_len - name.cell_len)
    parts = (connection, name, piece) if field.mirrored else (piece, name, connection)
    return Text().join(parts)


def _draw_piece(location: LocationFacts, *, mirrored: bool) -> Text:
    """Return the piece of a location, within walls if it is fortified."""
    if location.owner is None:
        return Text(f" {UNOWNED}  " if mirrored else f"  {UNOWNED}", "bold")
    owner = location.owner
    piece = TOWN if location.piece == "town" else VILLAGE
    piece = f"{console.translate(owner.label)[0].upper()}{piece}"
    text = f" {piece} " if mirrored else f" {piece}"
    return Text(f"[{piece}]" if location.fortified else text, f"bold {STYLES[owner]}")


def _draw_name(label: str, location: LocationFacts, sea: str) -> Text:
    """Return the name of a location, between arrows if besieged, with its points and its state.

    An unowned location shows the points that it would count as a village. The name of a besieged
    location has the besieger's colour.
    """
    is_owned, style, points = location.owner is not None, "", location.value
    if location.owner:
        style, points = STYLES[location.owner], location.points
    text = Text()
    if location.besieger:
        text.append(f"»{label}«", f"bold reverse {STYLES[location.besieger]}")
    else:
        text.append(f" {label} ", f"bold {style}" if location.piece == "town" else style)
    text.append(str(points or ""), style)
    text.append(sea, _KIND_STYLES["lake"])
    text.append(NO_SUPPLY if is_owned and not location.supplied else "", "bold yellow")
    return text


def _draw_connection(field: Field, width: int) -> Text:
    """Return the connection that fills the rest of a field, in `width` columns."""
    if field.line == " " or not width:
        return Text(" " * width)
    kind = "river" if field.line == "─" else "road"
    line = Text(field.line * (width - 1), _KIND_STYLES[kind])
    return line.append(" ") if field.mirrored else Text(" ").append_text(line)


def _legend(state: State, labels: dict[str, str], widths: list[int]) -> list[Text]:
    """Return the legend of signs and sieges, with at most one line for each of `widths`.

    `widths` are the widths of the lines. The last signs are left out if not all of them fit.
    """
    lines = [""]
    max_lines = len(widths) - len(state.sieges)
    for sign, meaning in _SIGNS:
        entry = f"{sign} {console.translate(Message.within('sign', meaning))}"
        longer_line = f"{lines[-1]}  {entry}" if lines[-1] else entry
        if cell_len(longer_line) <= widths[len(lines) - 1]:
            lines[-1] = longer_line
        elif len(lines) < max_lines:
            lines.append(shorten(entry, widths[len(lines)]))
        else:
            break
    legend = [Text(line) for line in lines]
    for besieger, siege in state.sieges.items():
        legend.append(_siege_line(besieger, labels[siege.location], widths[len(legend)]))
    return legend


def _siege_line(besieger: Side, label: str, width: int) -> Text:
    """Return a line of the legend about a siege; a long name is shortened."""
    message = Message("The {side} besiege {place}.", side=besieger.label, place=f"»{label}«")
    if excess := max(0, cell_len(console.translate(message)) - width):
        label = shorten(label, max(1, cell_len(label) - excess))
        message = message.with_facts(place=f"»{label}«")
    line = Text(console.translate(message))
    line.highlight_words([f"»{label}«"], f"bold reverse {STYLES[besieger]}")
    line.truncate(width, overflow="crop")
    return line


# --- sheets


class Field(NamedTuple):
    """The field of a location on a sheet.

    `width` is in columns. A `mirrored` field has its piece on the right. `label` is the name of the
    location on this sheet. `line` is the sign that fills the field: a space, or part of a river or
    a road that continues through it.
    """

    location: str
    label: str
    width: int
    mirrored: bool
    line: str


class LegendLine(NamedTuple):
    """The field of a line of the legend; `width` is in columns."""

    width: int


class FixedSigns(NamedTuple):
    """Signs that never change; `kind` is "river", "road", "trail", "lake", "sea" or "".

    The name of a sea includes the blanks around it, which a longer translation may use.
    """

    kind: str
    text: str


Row = tuple[Field | LegendLine | FixedSigns, ...]
WIDTHS = (100, 80)
"""The widths of the sheets, the largest first."""
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
_CONNECTION_SIGNS = "─═"


@cache
def sheet_data() -> dict[str, Any]:
    """Return the content of sheets.toml.

    Its tables are `sheets` by width, `forts` with short names, and `waters`.
    """
    return tomllib.loads((Path(__file__).parent / "sheets.toml").read_text(encoding="utf-8"))


@cache
def sheet(width: int) -> tuple[Row, ...]:
    """Return the rows of the sheet of a width in `WIDTHS`."""
    pattern = re.compile("|".join(f"(?P<{kind}>{p})" if kind else p for kind, p in _KINDS.items()))
    rows = (row.ljust(width) for row in sheet_data()["sheets"][str(width)].strip("\n").split("\n"))
    return tuple(tuple(_parse_piece(row, match) for match in pattern.finditer(row)) for row in rows)


def _parse_piece(row: str, match: re.Match[str]) -> Field | LegendLine | FixedSigns:
    if match.lastgroup == "line":
        return LegendLine(len(match[0]))
    if match.lastgroup != "field":
        return FixedSigns("sea" if match.lastgroup == "name" else match.lastgroup or "", match[0])
    mirrored = match["left"] is not None
    label = match["left"] if mirrored else match["right"]
    name = f"Fort {label}" if label in sheet_data()["forts"] else label
    neighbour = row[match.start() - 1] if mirrored else row[match.end() : match.end() + 1]
    return Field(
        location=normalize(name).replace(" ", "-"),
        label=label,
        width=len(match[0]),
        mirrored=mirrored,
        line=neighbour if neighbour and neighbour in _CONNECTION_SIGNS else " ",
    )


def shorten(name: str, width: int) -> str:
    """Return a name in at most `width` columns; a shortened name ends in a full stop, as on maps.

    >>> shorten("Michillimackinac", 16), shorten("Michillimackinac", 8)
    ('Michillimackinac', 'Michill.')
    """
    return name if cell_len(name) <= width else f"{name[: max(0, width - 1)].rstrip()}."


def _displayed_text(piece: Field | FixedSigns) -> str:
    """Return the name of a field, or fixed signs, in the player's language.

    The name of a lake or a sea is shortened if it does not fit.
    """
    if isinstance(piece, Field):
        context = "map" if piece.label in sheet_data()["forts"] else "location"
        return console.translate(Message.within(context, piece.label))
    match, width = re.search(_NAME, piece.text), len(piece.text)
    if not match:
        return piece.text
    name = console.translate(Message.within("map", match[0]))
    if piece.kind == "lake":
        return f" {shorten(name, width - 4)} ".center(width, "≈")
    name = shorten(name, width)
    margin = " " * min(match.start(), width - cell_len(name))
    return f"{margin}{name}{' ' * (width - len(margin) - cell_len(name))}"
