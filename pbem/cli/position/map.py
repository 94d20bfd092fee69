"""The board as a map, and in words for those who cannot look at one."""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text

from engine.geography import supplied
from engine.scoring import score
from engine.sides import Side
from engine.state import State
from pbem.cli.position.colours import STYLES
from pbem.cli.position.map_sheet import WIDTHS, Drawn, Field, sheet
from pbem.cli.words import counted

VILLAGE, TOWN, NOBODY = "⌂", "■", "○"
SEA, NO_SUPPLY = "~", "!"
_KIND_STYLES = {"river": "cyan", "road": "yellow", "trail": "green", "lake": "cyan", "sea": "dim"}
_BY = {"river": "river", "road": "road", "lake": "lake", "indian-trail": "Indian trail"}
"""What a connection is called, in the order in which the kinds are told."""


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
    rows = sheet(fitting).rows
    seen = _locations(state)
    labels = {p.location: p.label for row in rows for p in row if isinstance(p, Field)}
    legend = iter(_legend(state, labels))
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
                line.pad_right(piece.width - len(line))
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
    name = _name(field.label, location)
    left_over = _left_over(field, field.width - len(mark) - len(name))
    parts = (left_over, name, mark) if field.mirrored else (mark, name, left_over)
    return Text().join(parts)


def _mark(location: _Location, *, mirrored: bool) -> str:
    """The piece of a location, within walls where it is fortified."""
    if location.owner is None:
        return f" {NOBODY}  " if mirrored else f"  {NOBODY}"
    piece = f"{location.owner.label[0]}{TOWN if location.town else VILLAGE}"
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


def _legend(state: State, labels: dict[str, str]) -> list[Text]:
    """What the signs mean, and who besieges what."""
    lines = [
        Text(f"{VILLAGE} village  {TOWN} town  [{TOWN}] fortified  4 points"),
        Text(f"{SEA} sea  {NO_SUPPLY} no supply  ─ river  ═ road  ••• trail"),
    ]
    for besieger, siege in state.sieges.items():
        line = Text(f"The {besieger.label} besiege ")
        line.append(f"»{labels[siege.location]}«", f"bold reverse {STYLES[besieger]}")
        lines.append(line.append("."))
    return lines


# --- in words


def tell_map(state: State) -> list[str]:
    """The board in words, a location a line: whose it is, what it counts, where it leads.

    First what is British, then what is French, then what is nobody's, each by name. That all
    locations on the sea are next to each other is said once.
    """
    seen = _locations(state)
    sides = [*Side, None]
    by_owner = sorted(
        state.ruleset.catalogue.locations.values(),
        key=lambda place: (sides.index(seen[place.id].owner), place.name),
    )
    lines = [
        "All locations on the sea are connected with each other.",
        "What is nobody's counts these points for a village, and twice as many for a town.",
    ]
    for place in by_owner:
        facts, leads = _facts(seen[place.id]), _leads(state, place.id)
        lines.append(". ".join([f"{place.name}: {', '.join(facts)}", *leads]) + ".")
    return lines


def _facts(location: _Location) -> list[str]:
    """All that is true of a location."""
    owner = location.owner.label if location.owner else "nobody's"
    piece = ("town" if location.town else "village") if location.owner else ""
    facts = [f"{owner} {piece}".strip()]
    if location.fortified:
        facts.append("fortified")
    if location.besieger:
        facts.append(f"besieged by the {location.besieger.label}")
    if location.cut_off:
        facts.append("without supply")
    facts.append(counted(location.points, "point"))
    if location.sea:
        facts.append("on the sea")
    return facts


def _leads(state: State, location: str) -> list[str]:
    """Where a location leads by each kind of connection: `By river to Albany, Oswego`."""
    catalogue = state.ruleset.catalogue
    leads = []
    for kind, name in _BY.items():
        ends = (set(ends) for k, *ends in catalogue.connections if k == kind and location in ends)
        others = sorted(catalogue.locations[end].name for pair in ends for end in pair - {location})
        if others:
            leads.append(f"By {name} to {', '.join(others)}")
    return leads
