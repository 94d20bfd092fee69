"""The board as a map, and the layout of lines: wrapped, in columns, and in colours.

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
from pbem.text.naming import normal
from pbem.text.phrases import breakable

# --- typesetting


# Plain blue is too dark on black in most terminals.
STYLES = {Side.BRITISH: "red", Side.FRENCH: "bright_blue"}
"""The colours of the sides, readable on black and on white; no information is in colour alone."""


def paragraph(text: Phrase, width: int, indent: int = 0, *, first: int | None = None) -> list[Text]:
    """Wrap a text between words, with every line indented.

    `first` is the indent of the first line.
    """
    before, text = " " * indent, console.translate(text)
    begins = before if first is None else " " * first
    width = max(width, indent + 1)
    lines = wrap(
        " ".join(_loosened(part, width - indent) for part in text.split(" ")),
        width,
        initial_indent=begins,
        subsequent_indent=before,
        break_on_hyphens=False,
    )
    return [Text(breakable(line)) for line in lines]


def _loosened(part: str, room: int) -> str:
    """Keep a part of a text together if there is room for it."""
    return part if len(part) <= room else breakable(part)


def title(text: Phrase, width: int) -> list[Text]:
    """Return the title of a panel."""
    lines = paragraph(text, width)
    for line in lines:
        line.stylize("bold")
    return lines


def laid_out(lines: Iterable[Line], width: int) -> list[Text]:
    """Return these lines as paragraphs, items and headings."""
    laid: list[Text] = []
    for line in lines:
        title_lines = title(line.text, width) if line.tone is Tone.HEAD else None
        laid += title_lines or paragraph(line.text, width, line.indent) or [Text()]
    return laid


def wrap_evenly(text: str, most: int) -> list[str]:
    """Wrap a text into at most `most` lines that are as short as possible.

    >>> wrap_evenly("Villages left", 2), wrap_evenly("Lead", 2)
    (['Villages', 'left'], ['Lead'])
    """
    widest = max(map(cell_len, text.split(" ")))
    while len(lines := wrap(text, widest, break_long_words=False)) > most:
        widest += 1
    return lines


def widest(rows: Sequence[Sequence[Text]], gap: int) -> int:
    """Return the width of these rows in columns, if no cell is wrapped."""
    rooms = (max(cell.cell_len for cell in column) for column in zip(*rows, strict=True))
    return int(sum(room + gap for room in rooms)) - gap


def columns(rows: Sequence[Sequence[Text]], width: int, gap: int) -> list[Text]:
    """Lay out cells in columns.

    The first is aligned left and wrapped, the others are aligned right.
    """
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


def beside(left: Sequence[Text], right: Sequence[Text], column: int) -> list[Text]:
    """Lay two blocks of lines side by side, the right one beginning in the column `column`."""
    lines = []
    for one, other in zip_longest(left, right):
        line = one.copy() if one else Text()
        if other is not None:
            line.append(" " * (column - line.cell_len)).append_text(other)
        lines.append(line)
    return lines


# --- the map


VILLAGE, TOWN, NOBODY = "⌂", "■", "○"
SEA, NO_SUPPLY = "~", "!"
_KIND_STYLES = {"river": "cyan", "road": "yellow", "trail": "green", "lake": "cyan", "sea": "dim"}
_SIGNS = (
    (VILLAGE, mark_in("sign", "village")),
    (TOWN, mark_in("sign", "town")),
    (f"[{TOWN}]", mark_in("sign", "fortified")),
    # Translators: what the number beside a location means.
    ("4", mark_in("sign", "points")),
    (SEA, mark_in("sign", "sea")),
    (NO_SUPPLY, mark_in("sign", "no supply")),
    ("─", mark_in("sign", "river")),
    ("═", mark_in("sign", "road")),
    ("•••", mark_in("sign", "trail")),
)
"""The signs in the legend, and their meanings."""


def draw_map(
    state: State, width: int, locations: Sequence[LocationFacts] | None = None
) -> list[Text]:
    """Return the largest map that fits, with all pieces and a legend; empty if none fits.

    `locations` are its facts, if they are known already. Each text is a row, no wider than `width`
    columns.
    """
    fitting = next((columns for columns in WIDTHS if columns <= width), None)
    if fitting is None:
        return []
    rows = sheet(fitting)
    facts_by_location = {facts.location: facts for facts in locations or location_facts(state)}
    on_sea = state.ruleset.catalogue.ports
    pieces = [piece for row in rows for piece in row]
    labels = {p.location: spoken(p) for p in pieces if isinstance(p, Field)}
    legend = iter(_legend(state, labels, [p.width for p in pieces if isinstance(p, LegendLine)]))
    drawn = []
    for row in rows:
        text = Text(no_wrap=True)
        for piece in row:
            if isinstance(piece, Field):
                sea = SEA if piece.location in on_sea else ""
                text.append_text(_field(piece, facts_by_location[piece.location], sea))
            elif isinstance(piece, Drawn):
                text.append(spoken(piece), _KIND_STYLES.get(piece.kind))
            else:
                line = next(legend, Text())
                line.pad_right(piece.width - line.cell_len)
                text.append_text(line)
        text.rstrip()
        drawn.append(text)
    return drawn


# --- drawing


def _field(field: Field, location: LocationFacts, sea: str) -> Text:
    """Return a location in its field: its piece, its name, its state."""
    label = spoken(field)
    mark = _mark(location, mirrored=field.mirrored)
    name = _name(label, location, sea)
    if missing := max(0, mark.cell_len + name.cell_len - field.width):
        name = _name(shortened(label, cell_len(label) - missing), location, sea)
    left_over = _left_over(field, field.width - mark.cell_len - name.cell_len)
    parts = (left_over, name, mark) if field.mirrored else (mark, name, left_over)
    return Text().join(parts)


def _mark(location: LocationFacts, *, mirrored: bool) -> Text:
    """Return the piece of a location, within walls if it is fortified."""
    if location.owner is None:
        return Text(f" {NOBODY}  " if mirrored else f"  {NOBODY}", "bold")
    owner = location.owner
    piece = TOWN if location.piece == "town" else VILLAGE
    piece = f"{console.translate(owner.label)[0].upper()}{piece}"
    text = f" {piece} " if mirrored else f" {piece}"
    return Text(f"[{piece}]" if location.fortified else text, f"bold {STYLES[owner]}")


def _name(label: str, location: LocationFacts, sea: str) -> Text:
    """Return the name of a location, between arrows if besieged, with its points and its state.

    The points are those that it counts, or would count as a village. The name of a besieged
    location has the besieger's colour.
    """
    owned, style, points = location.owner is not None, "", location.value
    if location.owner:
        style, points = STYLES[location.owner], location.points
    text = Text()
    if location.besieger:
        text.append(f"»{label}«", f"bold reverse {STYLES[location.besieger]}")
    else:
        text.append(f" {label} ", f"bold {style}" if location.piece == "town" else style)
    text.append(str(points or ""), style)
    text.append(sea, _KIND_STYLES["lake"])
    text.append(NO_SUPPLY if owned and not location.supplied else "", "bold yellow")
    return text


def _left_over(field: Field, room: int) -> Text:
    """Return the connection that fills the field beside a name."""
    if field.line == " " or not room:
        return Text(" " * room)
    kind = "river" if field.line == "─" else "road"
    line = Text(field.line * (room - 1), _KIND_STYLES[kind])
    return line.append(" ") if field.mirrored else Text(" ").append_text(line)


def _legend(state: State, labels: dict[str, str], rooms: list[int]) -> list[Text]:
    """Return the legend of signs and sieges, with at most one line for each of `rooms`.

    `rooms` are the widths of the lines; signs that do not fit are left out, the last first.
    """
    lines = [""]
    most = len(rooms) - len(state.sieges)
    for sign, meaning in _SIGNS:
        entry = f"{sign} {console.translate(Message.within('sign', meaning))}"
        longer = f"{lines[-1]}  {entry}" if lines[-1] else entry
        if cell_len(longer) <= rooms[len(lines) - 1]:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(shortened(entry, rooms[len(lines)]))
        else:
            break
    legend = [Text(line) for line in lines]
    for besieger, siege in state.sieges.items():
        legend.append(_besieged(besieger, labels[siege.location], rooms[len(legend)]))
    return legend


def _besieged(besieger: Side, label: str, room: int) -> Text:
    """Return a line of the legend about a siege; a long name is cut."""
    message = Message("The {side} besiege {place}.", side=besieger.label, place=f"»{label}«")
    if missing := max(0, cell_len(console.translate(message)) - room):
        label = shortened(label, max(1, cell_len(label) - missing))
        message = message.about(place=f"»{label}«")
    line = Text(console.translate(message))
    line.highlight_words([f"»{label}«"], f"bold reverse {STYLES[besieger]}")
    line.truncate(room, overflow="crop")
    return line


# --- sheets: rows of fields, connections and water, with translated names


class Field(NamedTuple):
    """The field of a location: `width` columns, `mirrored` if its piece is on the right.

    `label` is its name on this sheet. `line` continues through the field beside the name: part of a
    river or a road, or a space.
    """

    location: str
    label: str
    width: int
    mirrored: bool
    line: str


class LegendLine(NamedTuple):
    """The field of a line of the legend, in columns."""

    width: int


class Drawn(NamedTuple):
    """Signs that never change; `kind` is "river", "road", "trail", "lake", "sea" or "".

    The name of a sea includes the blanks around it that may be used.
    """

    kind: str
    text: str


Row = tuple[Field | LegendLine | Drawn, ...]
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
_RUNNING_ON = "─═"


@cache
def sheet_data() -> dict[str, Any]:
    """Return the content of sheets.toml.

    Its tables are `sheets` by width, `forts` with short names, and `waters`.
    """
    return tomllib.loads((Path(__file__).parent / "sheets.toml").read_text(encoding="utf-8"))


@cache
def sheet(width: int) -> tuple[Row, ...]:
    """Return the rows of the sheet of that width, one of `WIDTHS`."""
    pattern = re.compile("|".join(f"(?P<{kind}>{p})" if kind else p for kind, p in _KINDS.items()))
    rows = (row.ljust(width) for row in sheet_data()["sheets"][str(width)].strip("\n").split("\n"))
    return tuple(tuple(_piece(row, match) for match in pattern.finditer(row)) for row in rows)


def _piece(row: str, match: re.Match[str]) -> Field | LegendLine | Drawn:
    if match.lastgroup == "line":
        return LegendLine(len(match[0]))
    if match.lastgroup != "field":
        return Drawn("sea" if match.lastgroup == "name" else match.lastgroup or "", match[0])
    mirrored = match["left"] is not None
    label = match["left"] if mirrored else match["right"]
    name = f"Fort {label}" if label in sheet_data()["forts"] else label
    beside = row[match.start() - 1] if mirrored else row[match.end() : match.end() + 1]
    return Field(
        location=normal(name).replace(" ", "-"),
        label=label,
        width=len(match[0]),
        mirrored=mirrored,
        line=beside if beside and beside in _RUNNING_ON else " ",
    )


def shortened(name: str, room: int) -> str:
    """Return a name in at most `room` columns; a cut name ends in a full stop, as on maps.

    >>> shortened("Michillimackinac", 16), shortened("Michillimackinac", 8)
    ('Michillimackinac', 'Michill.')
    """
    return name if cell_len(name) <= room else f"{name[: max(0, room - 1)].rstrip()}."


def spoken(piece: Field | Drawn) -> str:
    """Return the name of a field in the player's language; or signs, with the water's name.

    The name of a water is cut to its field.
    """
    if isinstance(piece, Field):
        context = "map" if piece.label in sheet_data()["forts"] else "location"
        return console.translate(Message.within(context, piece.label))
    match, room = re.search(_NAME, piece.text), len(piece.text)
    if not match:
        return piece.text
    name = console.translate(Message.within("map", match[0]))
    if piece.kind == "lake":
        return f" {shortened(name, room - 4)} ".center(room, "≈")
    name = shortened(name, room)
    before = " " * min(match.start(), room - cell_len(name))
    return f"{before}{name}{' ' * (room - len(before) - cell_len(name))}"
