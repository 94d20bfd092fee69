"""The board as a map, and in words for those who cannot look at one."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from engine.geography import supplied
from engine.message import (
    Alphabetical,
    Message,
    Said,
    alphabetical,
    commas,
    mark,
    mark_in,
    sentences,
)
from engine.scoring import score
from engine.sides import Side
from engine.state import State
from pbem.cli import console
from pbem.cli.position.colours import STYLES
from pbem.cli.position.map_names import shortened, spoken_label, with_waters
from pbem.cli.position.map_sheet import WIDTHS, Drawn, Field, Line, sheet
from pbem.cli.words import points_counted

VILLAGE, TOWN, NOBODY = "⌂", "■", "○"
SEA, NO_SUPPLY = "~", "!"
_KIND_STYLES = {"river": "cyan", "road": "yellow", "trail": "green", "lake": "cyan", "sea": "dim"}
_BY = {
    "river": mark("By river to {places}."),
    "road": mark("By road to {places}."),
    "lake": mark("By lake to {places}."),
    "indian-trail": mark("By Indian trail to {places}."),
}
"""Where a connection of each kind leads, in the order in which the kinds are told."""
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
"""What the legend tells: the signs, and what they mean."""


class _Location(NamedTuple):
    """What is to be seen of a location: the points that it counts, or would as a village."""

    owner: Side | None
    town: bool
    fortified: bool
    besieger: Side | None
    points: int
    sea: bool
    cut_off: bool


def draw_map(state: State, width: int) -> list[Text]:
    """The map with all that stands on it, and a legend: the largest that fits; none below 80.

    Each text is a row, no wider than `width` columns.
    """
    fitting = next((columns for columns in WIDTHS if columns <= width), None)
    if fitting is None:
        return []
    rows = [with_waters(row, fitting) for row in sheet(fitting).rows]
    seen = _locations(state)
    pieces = [piece for row in rows for piece in row]
    labels = {p.location: spoken_label(p.label) for p in pieces if isinstance(p, Field)}
    legend = iter(_legend(state, labels, [p.width for p in pieces if isinstance(p, Line)]))
    drawn = []
    for row in rows:
        text = Text(no_wrap=True)
        for piece in row:
            if isinstance(piece, Field):
                text.append_text(_field(piece, seen[piece.location]))
            elif isinstance(piece, Drawn):
                text.append(piece.text, _KIND_STYLES.get(piece.kind))
            else:
                line = next(legend, Text())
                line.pad_right(piece.width - line.cell_len)
                text.append_text(line)
        text.rstrip()
        drawn.append(text)
    return drawn


def _locations(state: State) -> dict[str, _Location]:
    """What is to be seen of each location, by id."""
    fed = {side: supplied(state, side) for side in Side}
    counted_now = score(state, Side.BRITISH).locations | score(state, Side.FRENCH).locations
    seen = {}
    for place in state.ruleset.catalogue.locations.values():
        stands = state.board.get(place.id)
        seen[place.id] = _Location(
            owner=stands.owner if stands else None,
            town=stands is not None and stands.town,
            fortified=stands is not None and stands.fortified,
            besieger=state.besieger(place.id),
            points=counted_now.get(place.id, place.victory_points),
            sea=place.sea,
            cut_off=stands is not None and place.id not in fed[stands.owner],
        )
    return seen


# --- the picture


def _field(field: Field, location: _Location) -> Text:
    """A location in its field: the mark of its piece, and its name with all that is true of it."""
    style = "bold" if location.owner is None else f"bold {STYLES[location.owner]}"
    mark = Text(_mark(location, mirrored=field.mirrored), style)
    label = spoken_label(field.label)
    name = _name(label, location)
    if missing := max(0, mark.cell_len + name.cell_len - field.width):
        name = _name(shortened(label, cell_len(label) - missing), location)
    left_over = _left_over(field, field.width - mark.cell_len - name.cell_len)
    parts = (left_over, name, mark) if field.mirrored else (mark, name, left_over)
    return Text().join(parts)


def _mark(location: _Location, *, mirrored: bool) -> str:
    """The piece of a location, within walls where it is fortified."""
    if location.owner is None:
        return f" {NOBODY}  " if mirrored else f"  {NOBODY}"
    piece = f"{console.told(location.owner.label)[0].upper()}{TOWN if location.town else VILLAGE}"
    if location.fortified:
        return f"[{piece}]"
    return f" {piece} " if mirrored else f" {piece}"


def _name(label: str, location: _Location) -> Text:
    """The name of a location, between arrows where it is besieged, its points, what else is true.

    The name of a besieged location stands out in the besieger's colour.
    """
    style = STYLES[location.owner] if location.owner else ""
    text = Text()
    if location.besieger:
        text.append(f"»{label}«", f"bold reverse {STYLES[location.besieger]}")
    else:
        text.append(f" {label} ", f"bold {style}" if location.town else style)
    text.append(str(location.points or ""), style)
    text.append(SEA if location.sea else "", _KIND_STYLES["lake"])
    text.append(NO_SUPPLY if location.cut_off else "", "bold yellow")
    return text


def _left_over(field: Field, room: int) -> Text:
    """What fills a field beside the name: the connection that runs on up to it, if there is one."""
    if field.line == " " or not room:
        return Text(" " * room)
    kind = "river" if field.line == "─" else "road"
    line = Text(field.line * (room - 1), _KIND_STYLES[kind])
    return line.append(" ") if field.mirrored else Text(" ").append_text(line)


def _legend(state: State, labels: dict[str, str], rooms: list[int]) -> list[Text]:
    """What the signs mean, and who besieges what: a line for each of the `rooms` at most.

    A line is no longer than its room; signs for which there is none are left out, the last first.
    """
    lines = [""]
    most = len(rooms) - len(state.sieges)
    for sign, meaning in _SIGNS:
        told = f"{sign} {console.told(Message.within('sign', meaning))}"
        longer = f"{lines[-1]}  {told}" if lines[-1] else told
        if cell_len(longer) <= rooms[len(lines) - 1]:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(shortened(told, rooms[len(lines)]))
        else:
            break
    legend = [Text(line) for line in lines]
    for besieger, siege in state.sieges.items():
        legend.append(_besieged(besieger, labels[siege.location], rooms[len(legend)]))
    return legend


def _besieged(besieger: Side, label: str, room: int) -> Text:
    """That a location is besieged, in a line of the legend; its name is cut where that is long."""
    message = Message("The {side} besiege {place}.", side=besieger.label, place=f"»{label}«")
    if missing := max(0, cell_len(console.told(message)) - room):
        label = shortened(label, max(1, cell_len(label) - missing))
        message = message.about(place=f"»{label}«")
    line = Text(console.told(message))
    line.highlight_words([f"»{label}«"], f"bold reverse {STYLES[besieger]}")
    line.truncate(room, overflow="crop")
    return line


# --- in words


def tell_map(state: State) -> list[Said]:
    """The board in words, a location a line: whose it is, what it counts, where it leads.

    First what is British, then what is French, then what is nobody's, each by name. That all
    locations on the sea are next to each other is said once.
    """
    seen = _locations(state)
    sides = [*Side, None]
    by_owner = sorted(
        state.ruleset.catalogue.locations.values(),
        key=lambda place: (
            sides.index(seen[place.id].owner),
            alphabetical(console.told(place.label)),
        ),
    )
    lines: list[Said] = [
        Message("All locations on the sea are connected with each other."),
        Message(
            "What is nobody's counts these points for a village, and twice as many for a town."
        ),
    ]
    for place in by_owner:
        facts = commas(_facts(seen[place.id]))
        # Translators: {facts} is all that is true of a location, such as “French town, fortified”.
        told = Message("{place}: {facts}.", place=place.label, facts=facts)
        lines.append(sentences(told, *_leads(state, place.id)))
    return lines


def _facts(location: _Location) -> list[Said]:
    """All that is true of a location."""
    facts: list[Said]
    if location.owner is None:
        facts = [Message.within("location, told", "nobody's")]
    elif location.town:
        facts = [Message.within("location, told", "{side} town", side=location.owner.label)]
    else:
        facts = [Message.within("location, told", "{side} village", side=location.owner.label)]
    if location.fortified:
        facts.append(Message.within("location, told", "fortified"))
    if location.besieger:
        besieger = location.besieger.label
        facts.append(Message.within("location, told", "besieged by the {side}", side=besieger))
    if location.cut_off:
        facts.append(Message.within("location, told", "without supply"))
    facts.append(points_counted(location.points))
    if location.sea:
        facts.append(Message.within("location, told", "on the sea"))
    return facts


def _leads(state: State, location: str) -> list[Said]:
    """Where a location leads by each kind of connection: `By river to Albany`."""
    catalogue = state.ruleset.catalogue
    leads: list[Said] = []
    for kind, message in _BY.items():
        ends = (set(ends) for k, *ends in catalogue.connections if k == kind and location in ends)
        others = (catalogue.locations[end].label for pair in ends for end in pair - {location})
        if places := Alphabetical(others, ", "):
            leads.append(Message(message, places=places))
    return leads
