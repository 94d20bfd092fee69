"""The layout of the drawn map: positions of locations, courses of connections, coasts, labels."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import hypot, sin
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from engine.message import Message, mark_in

Point: TypeAlias = tuple[float, float]
"""A point of the map: the units to the right and down from its corner."""
Connection: TypeAlias = tuple[str, str, str]
"""The kind of a connection and its two locations, as in `Catalogue.connections`."""

_LABELS = {
    # Translators: These are labels on land and water of the drawn map.
    "atlantic": mark_in("map", "Atlantic Ocean"),
    "gulf": mark_in("map", "Gulf of St. Lawrence"),
    "erie": mark_in("map", "Lake Erie"),
    "ontario": mark_in("map", "Lake Ontario"),
    "huron": mark_in("map", "Lake Huron"),
    "canada": mark_in("map", "Canada"),
    "acadia": mark_in("map", "Acadia"),
    "iroquois": mark_in("map", "The Six Nations"),
    "pennsylvania": mark_in("map", "Pennsylvania"),
}
_STEP = 8
"""The distance between the points of a curve, in units."""
_MIN_LENGTH = 24
"""The minimum length of a trimmed course, in units."""
_MEANDER = 2.4
"""The swing of a river to either side of its course, in units."""


class Site(NamedTuple):
    """The position of a location; `label_side` is the side of its name: `n`, `e`, `s` or `w`.

    `track` is the centre of the track of a siege, relative to the location.
    """

    id: str
    at: Point
    label_side: str
    track: Point


class DrawnConnection(NamedTuple):
    """A drawn connection: its two locations, and its course from the first to the second."""

    kind: str
    ends: tuple[str, str]
    points: tuple[Point, ...]

    @property
    def path(self) -> str:
        """The data of its SVG path, which meanders if it is a river."""
        if self.kind == "river":
            return _relative_svg_path(_meander(self.points))
        return svg_path(self.points)


class MapLabel(NamedTuple):
    """A text on land or water, centred at a point and turned by some degrees."""

    label: Message
    kind: str
    at: Point
    turn: float


class Layout(NamedTuple):
    """The whole map: its size in units and everything drawn on it.

    `land` is the data of an SVG path with holes for lakes. `waterlines` are the paths of lines in
    the water along the coast, from the coast outwards. `hills` and `trees` are positions.
    """

    size: tuple[int, int]
    land: str
    waterlines: Sequence[str]
    hills: Sequence[Point]
    trees: Sequence[Point]
    places: Mapping[str, Site]
    connections: Mapping[Connection, DrawnConnection]
    map_labels: Sequence[MapLabel]

    def points_between(self, first: str, second: str) -> list[Point]:
        """Return the course of the connection from one location to another.

        Raises KeyError if there is none.
        """
        for connection in self.connections.values():
            if connection.ends == (first, second):
                return [*connection.points]
            if connection.ends == (second, first):
                return [*reversed(connection.points)]
        raise KeyError(f"nothing joins {first} and {second}")


@cache
def load_layout() -> Layout:
    """Return the layout in `layout.toml`.

    >>> load_layout().places["boston"].at
    (778, 848)
    """
    data = tomllib.loads(Path(__file__).with_name("layout.toml").read_text(encoding="utf-8"))
    places = {
        row["id"]: Site(row["id"], _point(row["at"]), row["name"], _point(row["track"]))
        for row in data["place"]
    }
    connections = [_connection(row, places) for row in data["way"]]
    width, height = data["size"]
    return Layout(
        size=(width, height),
        land=data["land"],
        waterlines=data["waterlines"],
        hills=[*map(_point, data["hills"])],
        trees=[*map(_point, data["trees"])],
        places=places,
        connections={(c.kind, *c.ends): c for c in connections},
        map_labels=[
            MapLabel(
                Message.within("map", _LABELS[row["name"]]),
                row["kind"],
                _point(row["at"]),
                row.get("turn", 0),
            )
            for row in data["label"]
        ],
    )


def _connection(row: Mapping[str, Any], places: Mapping[str, Site]) -> DrawnConnection:
    first, second = row["between"]
    points = [places[first].at, *map(_point, row["through"]), places[second].at]
    return DrawnConnection(row["kind"], (first, second), tuple(_curve(points)))


def _point(row: Sequence[float]) -> Point:
    x, y = row
    return (x, y)


# --- curves


def svg_path(points: Iterable[Point]) -> str:
    """Return the data of the SVG path along these points, rounded to tenths of a unit.

    >>> svg_path([(0, 0), (10.04, 5)])
    'M0 0L10 5'
    """
    first, *others = points
    return f"M{_format_point(first)}L{' '.join(map(_format_point, others))}"


def _format_point(point: Point) -> str:
    return " ".join(f"{round(value, 1):g}" for value in point)


def _relative_svg_path(points: Iterable[Point]) -> str:
    """Return the data of an SVG path in whole units, each point relative to the previous one."""
    first, *others = [(round(x), round(y)) for x, y in points]
    steps = [(x - a, y - b) for (a, b), (x, y) in pairwise([first, *others])]
    text = " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")
    return f"M{first[0]} {first[1]}l{text}"


def _curve(points: Sequence[Point]) -> list[Point]:
    """Return the points of a smooth curve through some points (a Catmull-Rom spline)."""
    padded = [points[0], *points, points[-1]]
    curve: list[Point] = []
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        steps = max(1, round(_distance(start, end) / _STEP))
        for step in range(steps):
            t = step / steps
            curve.append(
                (
                    _spline(before[0], start[0], end[0], after[0], t),
                    _spline(before[1], start[1], end[1], after[1], t),
                )
            )
    return [*curve, points[-1]]


def _spline(before: float, start: float, end: float, after: float, t: float) -> float:
    """Return a coordinate of the spline between `start` and `end`, at `t` from 0 to 1."""
    return start + t / 2 * (
        end
        - before
        + t * (2 * before - 5 * start + 4 * end - after + t * (3 * (start - end) + after - before))
    )


def _meander(course: Sequence[Point]) -> list[Point]:
    """Return the course of a river, which swings from side to side between fixed ends."""
    swings = [_MEANDER * sin(n * 1.9) * (0.7 + 0.3 * sin(n * 0.7)) for n in range(len(course) - 2)]
    return offset(course, [0, *swings, 0])


def _distance(start: Point, end: Point) -> float:
    return hypot(end[0] - start[0], end[1] - start[1])


def trim(course: Sequence[Point], from_start: float, from_end: float) -> list[Point]:
    """Return a course without these lengths at its ends, or shorter lengths if necessary."""
    lengths = [0.0]
    for start, end in pairwise(course):
        lengths.append(lengths[-1] + _distance(start, end))
    share = min(1.0, (lengths[-1] - _MIN_LENGTH) / (from_start + from_end))
    first, last = from_start * share, lengths[-1] - from_end * share
    inner_points = [p for p, length in zip(course, lengths, strict=True) if first < length < last]
    return [_point_at(course, lengths, first), *inner_points, _point_at(course, lengths, last)]


def _point_at(course: Sequence[Point], lengths: Sequence[float], length: float) -> Point:
    """Return the point of a course at a length from its start."""
    index = next(index for index, total in enumerate(lengths) if index and total >= length)
    (x, y), (to_x, to_y) = course[index - 1], course[index]
    share = (length - lengths[index - 1]) / (lengths[index] - lengths[index - 1] or 1.0)
    return x + share * (to_x - x), y + share * (to_y - y)


def offset(course: Sequence[Point], distances: Sequence[float]) -> list[Point]:
    """Return a course to the right of another, with a distance for each point."""
    points = []
    for index, ((x, y), side) in enumerate(zip(course, distances, strict=True)):
        (from_x, from_y), *_, (to_x, to_y) = course[max(0, index - 1) : index + 2]
        dx, dy = to_x - from_x, to_y - from_y
        length = hypot(dx, dy) or 1.0
        points.append((x - dy / length * side, y + dx / length * side))
    return points
