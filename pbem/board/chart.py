"""The sheet on which the board is drawn: where locations stand, how connections run, the land."""

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
"""A point of the sheet: units to the right and down."""
Connection: TypeAlias = tuple[str, str, str]
"""A kind and two locations, as `Catalogue.connections` has it."""

_CALLED = {
    # Translators: what is written on the drawn map, on land and water.
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
"""How far apart the points are by which a curve is told, in units."""
_LEAST = 24
"""How much is left at least of a course that is cut."""
_MEANDER = 2.4
"""How far a river swings to either side of its course."""


class Site(NamedTuple):
    """Where a location stands, and on which side of it its name: `n`, `e`, `s` or `w` of it.

    `track` is where the middle of the track of a siege is, seen from there.
    """

    id: str
    at: Point
    name: str
    track: Point


class DrawnWay(NamedTuple):
    """How a connection runs: from one location to the other, along these points."""

    kind: str
    ends: tuple[str, str]
    course: tuple[Point, ...]

    @property
    def path(self) -> str:
        """Its path, as SVG tells one."""
        if self.kind == "river":
            return _short_path_of(_meandering(self.course))
        return path_of(self.course)


class Lettering(NamedTuple):
    """What is written on a piece of land or water, around a point, turned by some degrees."""

    label: Message
    kind: str
    at: Point
    turn: float


class Chart(NamedTuple):
    """The sheet: its size, the land as a path of SVG, with lakes left open, and what is on it.

    `lining` are the lines in the water beside the shore, from it outwards, as paths.
    """

    size: tuple[int, int]
    land: str
    lining: Sequence[str]
    hills: Sequence[Point]
    trees: Sequence[Point]
    places: Mapping[str, Site]
    ways: Mapping[Connection, DrawnWay]
    lettering: Sequence[Lettering]

    def way_between(self, one: str, other: str) -> list[Point]:
        """The course of a connection from one location to the other.

        Raises KeyError where there is none.
        """
        for way in self.ways.values():
            if way.ends == (one, other):
                return [*way.course]
            if way.ends == (other, one):
                return [*reversed(way.course)]
        raise KeyError(f"nothing joins {one} and {other}")


@cache
def chart() -> Chart:
    """The sheet, as `chart.toml` describes it."""
    data = tomllib.loads(Path(__file__).with_name("chart.toml").read_text(encoding="utf-8"))
    places = {
        row["id"]: Site(row["id"], _point(row["at"]), row["name"], _point(row["track"]))
        for row in data["place"]
    }
    ways = [_way(row, places) for row in data["way"]]
    width, height = data["size"]
    return Chart(
        size=(width, height),
        land=data["land"],
        lining=data["lining"],
        hills=[*map(_point, data["hills"])],
        trees=[*map(_point, data["trees"])],
        places=places,
        ways={(way.kind, *way.ends): way for way in ways},
        lettering=[
            Lettering(
                Message.within("map", _CALLED[row["name"]]),
                row["kind"],
                _point(row["at"]),
                row.get("turn", 0),
            )
            for row in data["lettering"]
        ],
    )


def _way(row: Mapping[str, Any], places: Mapping[str, Site]) -> DrawnWay:
    one, other = row["between"]
    through = [places[one].at, *map(_point, row["through"]), places[other].at]
    return DrawnWay(row["kind"], (one, other), tuple(_curve(through)))


def _point(row: Sequence[float]) -> Point:
    x, y = row
    return (x, y)


# --- curves


def path_of(points: Iterable[Point]) -> str:
    """The path of SVG along these points, in tenths of a unit."""
    first, *others = points
    return f"M{_told(first)}L{' '.join(map(_told, others))}"


def _told(point: Point) -> str:
    return " ".join(f"{round(value, 1):g}" for value in point)


def _short_path_of(points: Iterable[Point]) -> str:
    """The path along these points in whole units, each told from the one before."""
    first, *others = [(round(x), round(y)) for x, y in points]
    steps = [(x - a, y - b) for (a, b), (x, y) in pairwise([first, *others])]
    told = " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")
    return f"M{first[0]} {first[1]}l{told}"


def _curve(points: Sequence[Point]) -> list[Point]:
    """A smooth curve through points (Catmull and Rom), told by points of its own."""
    padded = [points[0], *points, points[-1]]
    curve: list[Point] = []
    for before, one, other, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        steps = max(1, round(_distance(one, other) / _STEP))
        for step in range(steps):
            t = step / steps
            curve.append(
                (
                    _between(before[0], one[0], other[0], after[0], t),
                    _between(before[1], one[1], other[1], after[1], t),
                )
            )
    return [*curve, points[-1]]


def _between(before: float, one: float, other: float, after: float, t: float) -> float:
    """The value at `t` of the way from `one` to `other`."""
    return one + t / 2 * (
        other
        - before
        + t * (2 * before - 5 * one + 4 * other - after + t * (3 * (one - other) + after - before))
    )


def _meandering(course: Sequence[Point]) -> list[Point]:
    """Return the course of a river, which swings from side to side between its ends."""
    swings = [_MEANDER * sin(n * 1.9) * (0.7 + 0.3 * sin(n * 0.7)) for n in range(len(course) - 2)]
    return beside(course, [0, *swings, 0])


def _distance(one: Point, other: Point) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])


def cut(course: Sequence[Point], from_start: float, from_end: float) -> list[Point]:
    """A course without so much of its start and of its end; less of both where it is short."""
    lengths = [0.0]
    for one, other in pairwise(course):
        lengths.append(lengths[-1] + _distance(one, other))
    share = min(1.0, (lengths[-1] - _LEAST) / (from_start + from_end))
    first, last = from_start * share, lengths[-1] - from_end * share
    between = [p for p, length in zip(course, lengths, strict=True) if first < length < last]
    return [_at(course, lengths, first), *between, _at(course, lengths, last)]


def _at(course: Sequence[Point], lengths: Sequence[float], length: float) -> Point:
    """The point of a course after that length."""
    after = next(index for index, far in enumerate(lengths) if index and far >= length)
    (x, y), (to_x, to_y) = course[after - 1], course[after]
    share = (length - lengths[after - 1]) / (lengths[after] - lengths[after - 1] or 1.0)
    return x + share * (to_x - x), y + share * (to_y - y)


def beside(course: Sequence[Point], far: Sequence[float]) -> list[Point]:
    """Return a course that runs to the right of another one, at each point so far from it.

    The right is that of somebody who goes there.
    """
    shifted = []
    for index, ((x, y), side) in enumerate(zip(course, far, strict=True)):
        (from_x, from_y), *_, (to_x, to_y) = course[max(0, index - 1) : index + 2]
        dx, dy = to_x - from_x, to_y - from_y
        length = hypot(dx, dy) or 1.0
        shifted.append((x - dy / length * side, y + dx / length * side))
    return shifted
