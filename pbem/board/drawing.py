"""The board as a drawing: the map, the pieces, and the changes of the last turn."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, degrees, radians, sin
from typing import NamedTuple

from markupsafe import Markup

from engine.catalogue import Catalogue, Location
from engine.message import Message
from engine.state import State
from pbem.board.layout import Point, Site, load_layout, offset, svg_path, trim
from pbem.board.templates import Parts, Templates, siege_track
from pbem.text.board import legend_text, location_text, raid_text
from pbem.text.facts.position_facts import LocationFacts, RaidFacts, Scene, SiegeFacts

_ARROW_START, _ARROW_END, _BLOCKED_END = 29, 44, 50
"""The distances of an arrow from the centres of locations: start, end, and blocked end."""
_RAID_SPACING = 17
"""The distance between the arrows of raids along the same path."""
_ROSE = (935, 982)
"""The position of the compass rose."""
_RHUMB_ANGLE = 45
"""The angle between the lines from the compass rose over the sea, in degrees."""
CARTOUCHE = {
    # Translators: This is the title of the map in four lines, in the style of old maps: “A chart
    # of / New England / and / New France”. The second and fourth lines have at most 20 letters.
    "of": Message.within("cartouche", "A chart of"),
    "first": Message.within("cartouche", "New England"),
    "also": Message.within("cartouche", "and"),
    "second": Message.within("cartouche", "New France"),
    # Translators: This is the label of the scale of the map.
    "miles": Message.within("cartouche", "English miles"),
}
"""The lines of the title of the map."""
ZOOM = [
    ("in", "+", Message("Zoom in")),
    ("out", "−", Message("Zoom out")),
    ("whole", "⤢", Message("Show the whole map")),
]
"""The buttons at the map: their ways, signs and labels."""


class RaidArrow(NamedTuple):
    """The arrow of a raid: the path of its shaft, and its tip, turned by `turn` degrees."""

    raid: RaidFacts
    path: str
    tip: Point
    turn: int
    description: Message


class Drawing:
    """A drawing of the board of a game as SVG; `interactive` makes locations clickable."""

    def __init__(
        self, templates: Templates, catalogue: Catalogue, *, interactive: bool = False
    ) -> None:
        self._templates = templates
        self._interactive = interactive
        self._catalogue = catalogue
        self._rendered: dict[str, Markup] = {}
        places, locations = load_layout().places, catalogue.locations
        self._labels = {id: LocationLabel.of(places[id], locations[id]) for id in locations}

    def render_frame(self) -> Markup:
        """Return the map, with an empty group for each location."""
        return self._templates.render("board.html", **self.template_values())

    def render_small_map(self) -> Markup:
        """Return the map without names and signs, which small boards on the page use."""
        return self._templates.render("small_map.svg", **self.template_values())

    def render_small_board(self, state: State | None, *, title: bool = False) -> Markup:
        """Return a position as a small board, with the title of the map; empty for None."""
        places, board = load_layout().places, state.board if state else {}
        sieges = state.sieges.items() if state else ()
        besiegers = {siege.location: side.value for side, siege in sieges}
        return self._templates.render(
            "small_board.svg",
            sheet=load_layout(),
            pieces=[(places[at].at, piece, besiegers.get(at)) for at, piece in board.items()],
            title=title,
            cartouche=CARTOUCHE,
        )

    def template_values(self) -> dict[str, object]:
        """Return the constant values for the templates of the map."""
        sheet = load_layout()
        return {
            "sheet": sheet,
            "connections": [sheet.connections[key] for key in self._catalogue.connections],
            "labels": self._labels.values(),
            "title": Message("The board"),
            "zoom": ZOOM,
            "cartouche": CARTOUCHE,
            "explanation": Message("Legend"),
            "legend": legend_text(),
            "rose": _ROSE,
            "rhumbs": [_rhumb(radians(turn)) for turn in range(0, 360, _RHUMB_ANGLE)],
        }

    def render_parts(self, scene: Scene) -> Parts:
        """Return drawings of each location and of the raids, with the changes of the turn."""
        facts = scene.before or scene.facts
        previous = {place.location: place for place in facts.locations}
        sieges = {siege.location: siege for siege in scene.facts.sieges}
        parts = {
            f"at-{place.location}": self._location(
                place, previous[place.location], sieges.get(place.location)
            )
            for place in scene.facts.locations
        }
        return {"raids": self._raids(scene.raids), **parts}

    def _location(
        self, place: LocationFacts, previous: LocationFacts, siege: SiegeFacts | None
    ) -> Markup:
        """Return the drawing of a location, with a halo for a gain and a ghost for a loss.

        A siege that has ended is shown pale.
        """
        is_new = _has_gained(place, previous)
        lost_piece = previous if _has_lost(place, previous) else None
        lifted = None if place.besieger else previous.besieger
        key = repr((place, is_new, lost_piece, lifted, siege))
        if key not in self._rendered:
            label = self._labels[place.location]
            self._rendered[key] = self._templates.render(
                "location.svg",
                place=place,
                label=label,
                description=location_text(self._catalogue, place),
                is_new=is_new,
                gone=lost_piece,
                lifted=lifted,
                siege=siege,
                track=siege_track(siege) if siege else (),
                track_at=label.place.track,
                interactive=self._interactive,
            )
        return self._rendered[key]

    def _raids(self, raids: tuple[RaidFacts, ...]) -> Markup:
        """Return the arrows of the raids of a turn."""
        paths = [raid.path for raid in raids]
        arrows = [
            _arrow(raid, raid_text(self._catalogue, raid), paths[:index].count(raid.path))
            for index, raid in enumerate(raids)
        ]
        return self._templates.render("raids.svg", arrows=arrows)


def _arrow(raid: RaidFacts, description: Message, index: int) -> RaidArrow:
    """Return the arrow of a raid along its connections, which a block ends before the target.

    `index` is the number of earlier raids along the same path; the arrows are parallel.
    """
    course: list[Point] = []
    for start, end in pairwise(raid.path):
        course += load_layout().points_between(start, end)[bool(course) :]
    course = trim(course, _ARROW_START, _BLOCKED_END if raid.blocked else _ARROW_END)
    if index:
        course = offset(course, [index * _RAID_SPACING] * len(course))
    (x, y), (tip_x, tip_y) = course[-2:]
    turn = degrees(atan2(tip_y - y, tip_x - x))
    return RaidArrow(raid, svg_path(course), (tip_x, tip_y), round(turn), description)


def _rhumb(turn: float) -> tuple[int, int]:
    """Return the point at which a line from the compass rose leaves the map.

    `turn` is its angle in radians.
    """
    lengths = []
    for start, length, step in zip(_ROSE, load_layout().size, (cos(turn), sin(turn)), strict=True):
        if abs(step) > 1e-9:
            lengths.append(((length if step > 0 else 0) - start) / step)
    x, y = _ROSE
    return round(x + min(lengths) * cos(turn)), round(y + min(lengths) * sin(turn))


def _has_gained(location: LocationFacts, previous: LocationFacts) -> bool:
    """Return True if a turn has added a piece, a fortification or a siege to a location."""
    return location.owner is not None and (
        location.owner != previous.owner
        or (location.piece, previous.piece) == ("town", "village")
        or (location.fortified and not previous.fortified)
        or (location.besieger is not None and previous.besieger is None)
    )


def _has_lost(location: LocationFacts, previous: LocationFacts) -> bool:
    """Return True if a turn has removed a piece, or turned a town into a village."""
    return previous.owner is not None and (
        location.owner != previous.owner or (location.piece, previous.piece) == ("village", "town")
    )


# --- names and signs of locations

NAME_SIZE = 25
"""The font size of a name, in units of the map."""
SIGN_WIDTH = 24
"""The width of a sign in a row of signs, in units of the map."""
_NAME_DISTANCE = 37
"""The distance between the centre of a piece and the name of its location."""
_SIGN_DISTANCE = 18.5
"""The distance between the baseline of a name and the centre of its signs."""


class LocationLabel(NamedTuple):
    """The name and the signs of a location, positioned relative to the centre of its piece.

    `name_at` is the baseline of the name at its SVG `anchor`. `signs_y` is the centre of the row of
    signs. `points_x` is the centre of the victory points in it, or None if none are printed.
    `signs` are the kinds of the other signs with their centres.
    """

    place: Site
    location: Location
    name_at: tuple[float, float]
    anchor: str
    signs_y: float
    points_x: float | None
    signs: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, place: Site, location: Location) -> LocationLabel:
        """Return the label of a location with its printed signs."""
        kinds = [kind for kind, is_printed in _signs(location).items() if is_printed]
        width = SIGN_WIDTH * len(kinds)
        has_row = bool(kinds)
        x, anchor, row_x = _NAME_PLACEMENTS[place.label_side]
        name_y = _name_y(place.label_side, has_row)
        first = x + row_x * width + SIGN_WIDTH / 2
        middles = {kind: first + index * SIGN_WIDTH for index, kind in enumerate(kinds)}
        points_x = middles.pop("points", None)
        signs = tuple(middles.items())
        return cls(place, location, (x, name_y), anchor, name_y + _SIGN_DISTANCE, points_x, signs)


_NAME_PLACEMENTS = {
    "n": (0, "middle", -0.5),
    "s": (0, "middle", -0.5),
    "e": (42, "start", 0),
    "w": (-42, "end", -1),
}
"""The x of a name, its SVG anchor, and the shift of its signs in row widths, by side."""


def _name_y(side: str, has_row: bool) -> float:
    """Return the y of the baseline of a name, relative to the centre of the piece."""
    if side == "n":
        return -_NAME_DISTANCE - (_SIGN_DISTANCE + SIGN_WIDTH / 2 if has_row else 2)
    if side == "s":
        return _NAME_DISTANCE + 18
    return -2 if has_row else 8


def _signs(location: Location) -> dict[str, bool]:
    """Return all signs in their order, each with True if the location has it."""
    return {
        "points": location.victory_points > 0,
        "settler": location.settler,
        "harbour": location.sea,
        "ships": location.ships_in_siege,
        "defence": location.defence > 0,
    }
