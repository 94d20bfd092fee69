"""The board as a drawing: the land and its ways, the pieces, what a turn has changed there."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, degrees, radians, sin
from typing import NamedTuple

from markupsafe import Markup

from engine.catalogue import Catalogue, Location
from engine.message import Message
from pbem.board.chart import Chart, Point, Site, beside, chart, cut, path_of
from pbem.board.templates import Parts, Templates, track
from pbem.text.board import legend_text, location_text, raid_text
from pbem.text.facts.position_facts import LocationFacts, RaidFacts, Scene, SiegeFacts

_FROM_PIECE, _TO_PIECE, _BLOCKED = 29, 44, 74
"""How far from the middle of a piece a raid begins and ends, and where it is blocked."""
_ABREAST = 17
"""How far from each other raids run that take the same way."""
_ROSE = (935, 982)
"""Where the compass is."""
_BETWEEN_RHUMBS = 45
"""How many degrees apart the lines from the compass over the sea are."""
CARTOUCHE = {
    # Translators: the title of the map, in four lines as old maps have it: “A chart of / New
    # England / and / New France”. The second and the fourth are at most 20 letters.
    "of": Message.within("cartouche", "A chart of"),
    "first": Message.within("cartouche", "New England"),
    "also": Message.within("cartouche", "and"),
    "second": Message.within("cartouche", "New France"),
    # Translators: under the scale of the map.
    "miles": Message.within("cartouche", "English miles"),
}
"""What the title of the map says, line by line."""


class Arrow(NamedTuple):
    """A raid as it is drawn: the path of its shaft, and its tip with the way it turns."""

    raid: RaidFacts
    path: str
    tip: Point
    turn: int
    told: Message


class Drawing:
    """A drawing of the board of a game, as SVG; where it `plays`, locations can be chosen in it."""

    def __init__(self, templates: Templates, catalogue: Catalogue, *, plays: bool = False) -> None:
        self._templates = templates
        self._plays = plays
        self._catalogue = catalogue
        self._filled: dict[str, Markup] = {}
        self._labels = {
            id: Label.of(chart().places[id], printed) for id, printed in catalogue.locations.items()
        }

    def frame(self) -> Markup:
        """The land, and a group for each location."""
        return self._templates.fill("board.html", **self.land(), closer=Message("Look closer"))

    def land(self) -> dict[str, object]:
        """What never changes, for a template."""
        sheet: Chart = chart()
        return {
            "sheet": sheet,
            "ways": [sheet.ways[connection] for connection in self._catalogue.connections],
            "labels": self._labels.values(),
            "title": Message("The board"),
            "cartouche": CARTOUCHE,
            "explanation": Message("Explanation"),
            "legend": legend_text(),
            "rose": _ROSE,
            "rhumbs": [_rhumb(radians(turn)) for turn in range(0, 360, _BETWEEN_RHUMBS)],
        }

    def parts(self, scene: Scene) -> Parts:
        """What stands at each location, and what the turn has changed there."""
        facts = scene.before or scene.facts
        before = {place.location: place for place in facts.locations}
        sieges = {siege.location: siege for siege in scene.facts.sieges}
        drawn = {
            f"at-{place.location}": self._location(
                place, before[place.location], sieges.get(place.location)
            )
            for place in scene.facts.locations
        }
        return {"raids": self._raids(scene.raids), **drawn}

    def _location(
        self, place: LocationFacts, before: LocationFacts, siege: SiegeFacts | None
    ) -> Markup:
        """What stands at a location; what the turn brought has a halo, what it took is a ghost."""
        is_new, gone = _brought(place, before), before if _taken(place, before) else None
        key = repr((place, is_new, gone, siege))
        if key not in self._filled:
            label = self._labels[place.location]
            self._filled[key] = self._templates.fill(
                "location.svg",
                place=place,
                label=label,
                told=location_text(self._catalogue, place),
                is_new=is_new,
                gone=gone,
                siege=siege,
                track=track(siege) if siege else (),
                track_at=label.place.track,
                plays=self._plays,
            )
        return self._filled[key]

    def _raids(self, raids: tuple[RaidFacts, ...]) -> Markup:
        """The raids of a turn, each an arrow along its way."""
        ways = [raid.way for raid in raids]
        arrows = [
            _arrow(raid, raid_text(self._catalogue, raid), ways[:index].count(raid.way))
            for index, raid in enumerate(raids)
        ]
        return self._templates.fill("raids.svg", arrows=arrows)


def _arrow(raid: RaidFacts, told: Message, others: int) -> Arrow:
    """The arrow of a raid, along the connections that it took; a blocked one ends on its way.

    `others` have taken the same way: it runs beside them.
    """
    course: list[Point] = []
    for one, other in pairwise(raid.way):
        course += chart().way_between(one, other)[bool(course) :]
    course = cut(course, _FROM_PIECE, _BLOCKED if raid.blocked else _TO_PIECE)
    if others:
        course = beside(course, [others * _ABREAST] * len(course))
    (x, y), (tip_x, tip_y) = course[-2:]
    turn = degrees(atan2(tip_y - y, tip_x - x))
    return Arrow(raid, path_of(course), (tip_x, tip_y), round(turn), told)


def _rhumb(turn: float) -> tuple[int, int]:
    """Where a line from the compass leaves the sheet."""
    ways = []
    for at, length, step in zip(_ROSE, chart().size, (cos(turn), sin(turn)), strict=True):
        if abs(step) > 1e-9:
            ways.append(((length if step > 0 else 0) - at) / step)
    x, y = _ROSE
    return round(x + min(ways) * cos(turn)), round(y + min(ways) * sin(turn))


def _brought(place: LocationFacts, before: LocationFacts) -> bool:
    """Whether a turn has brought something to a location: a piece, a disc, a siege."""
    return place.owner is not None and (
        place.owner != before.owner
        or (place.piece, before.piece) == ("town", "village")
        or (place.fortified and not before.fortified)
        or (place.besieger is not None and before.besieger is None)
    )


def _taken(place: LocationFacts, before: LocationFacts) -> bool:
    """Whether a turn has taken a piece from a location, or made a village of a town."""
    return before.owner is not None and (
        place.owner != before.owner or (place.piece, before.piece) == ("village", "town")
    )


# --- where the name of a location stands on the sheet, and its signs

NAME_SIZE = 25
"""The size of the letters of a name, in units of the sheet."""
SIGN = 21
"""The room of a sign, and how far one is from the next."""
_AWAY = 37
"""How far from the middle of a piece its name begins."""
_ROW = 17
"""The middle of the signs lies so far below the foot of the name."""


class Label(NamedTuple):
    """The name of a location, where it stands, and its signs, relative to the middle of its piece.

    `name_at` is the foot of the name, where its `anchor` is, as SVG calls that; `signs_y` the
    middle of the row of signs, and `points_x` of the points in it, None where none are
    printed. `signs` are the kinds of all others, each with the middle of its room.
    """

    place: Site
    printed: Location
    name_at: tuple[float, float]
    anchor: str
    signs_y: float
    points_x: float | None
    signs: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, place: Site, printed: Location) -> Label:
        """The label of a location: what is printed there says which signs it has."""
        kinds = [kind for kind, is_so in _signs(printed).items() if is_so]
        width = SIGN * len(kinds)
        has_row = bool(kinds)
        x, anchor, row_x = _ACROSS[place.name]
        name_y = _name_y(place.name, has_row)
        first = x + row_x * width + SIGN / 2
        middles = {kind: first + index * SIGN for index, kind in enumerate(kinds)}
        points_x = middles.pop("points", None)
        signs = tuple(middles.items())
        return cls(place, printed, (x, name_y), anchor, name_y + _ROW, points_x, signs)


_ACROSS = {
    "n": (0, "middle", -0.5),
    "s": (0, "middle", -0.5),
    "e": (_AWAY, "start", 0),
    "w": (-_AWAY, "end", -1),
}
"""Where a name begins, what of it stands there, and which part of the row lies before that."""


def _name_y(side: str, has_row: bool) -> float:
    """The foot of the name, below the middle of the piece."""
    if side == "n":
        return -_AWAY - (_ROW + SIGN / 2 if has_row else 2)
    if side == "s":
        return _AWAY + 18
    return -2 if has_row else 8


def _signs(printed: Location) -> dict[str, bool]:
    """The signs that a location may have, in their order, and whether it has them."""
    return {
        "points": printed.victory_points > 0,
        "settler": printed.settler,
        "harbour": printed.sea,
        "ships": printed.ships_in_siege,
        "defence": printed.defence > 0,
    }
