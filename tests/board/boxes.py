"""The boxes of elements on the map, with letters measured by their fonts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise
from math import cos, radians, sin
from typing import NamedTuple

from fontTools.ttLib import TTFont

from engine.catalogue import Location
from pbem.board.drawing import NAME_SIZE, SIGN_WIDTH, LocationLabel
from pbem.board.layout import DrawnConnection, MapLabel, Point, Site
from pbem.board.typography import font_files

ABOVE, BELOW = 0.68, 0.22
"""The height of letters above their baseline, and their depth below it, per font size."""
PIECE, BASTION = 27.0, 38.0
"""Half the size of a town with its walls, and the reach of its bastions."""
TRENCHES = 41.5
"""Half the size of the trenches around a besieged location."""
TRACK = (48.0, 13.0)
"""Half the width and height of the track of a siege."""


LETTERING = {"sea": (34, 8), "land": (24, 5), "water": (23, 0)}
"""The font size and the letter spacing of the labels on land and water."""
PARTS = 10
"""The number of boxes of a turned label."""


class Box(NamedTuple):
    """A rectangle of the map with a label."""

    label: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def contains(self, point: Point) -> bool:
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom

    def is_crossed_by(self, way: DrawnConnection) -> bool:
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(way.points)]
        return any(self.contains(point) for point in [*way.points, *middles])


@cache
def _face(file: str) -> tuple[dict[int, str], dict[str, tuple[int, int]], int]:
    font = TTFont(file)
    return font.getBestCmap(), font["hmtx"].metrics, font["head"].unitsPerEm


def letters(file: str) -> set[str]:
    """Return the letters that a face has."""
    return set(map(chr, _face(file)[0]))


def width(text: str, size: float, file: str) -> float:
    """Return the width of a text in a face."""
    glyphs, advances, em = _face(file)
    return sum(advances[glyphs[ord(letter)]][0] for letter in text) * size / em


REGULAR, ITALIC, SEMIBOLD = font_files()


def label_boxes(place: Site, printed: Location, name: str) -> list[Box]:
    """Return the boxes of the name of a location and of its row of signs."""
    label = LocationLabel.of(place, printed)
    (x, y), wide = label.name_at, width(name, NAME_SIZE, SEMIBOLD)
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[label.anchor]
    boxes = [Box(name, left, y - ABOVE * NAME_SIZE, left + wide, y + BELOW * NAME_SIZE)]
    middles = [x for _, x in label.signs]
    if label.points_x is not None:
        middles.append(label.points_x)
    if middles:
        reach = SIGN_WIDTH / 2
        boxes.append(
            Box(
                f"signs of {name}",
                min(middles) - reach,
                label.signs_y - reach,
                max(middles) + reach,
                label.signs_y + reach,
            )
        )
    return [move(box, place.at) for box in boxes]


def piece_boxes(place: Site) -> Iterator[Box]:
    """Return the boxes of a fortified town: its walls, and its four bastions."""
    yield move(Box(f"piece of {place.id}", -PIECE, -PIECE, PIECE, PIECE), place.at)
    far = BASTION - PIECE + 8
    for x in (-BASTION, BASTION - far):
        for y in (-BASTION, BASTION - far):
            yield move(Box(f"bastion of {place.id}", x, y, x + far, y + far), place.at)


def trench_box(place: Site) -> Box:
    """Return the box of the trenches of a siege."""
    reach = TRENCHES
    return move(Box(f"trenches of {place.id}", -reach, -reach, reach, reach), place.at)


def track_box(place: Site) -> Box:
    """Return the box of the track of a siege."""
    x, y = TRACK
    return move(move(Box(f"track of {place.id}", -x, -y, x, y), place.track), place.at)


def lettering_boxes(written: MapLabel, text: str) -> Iterator[Box]:
    """Yield the boxes of a label on land or water, in pieces if it is turned."""
    size, spaced = LETTERING[written.kind]
    wide, turn = width(text, size, ITALIC) + spaced * len(text), radians(written.turn)
    ends = [wide * (piece / PARTS - 0.5) for piece in range(PARTS + 1)]
    for part in pairwise(ends):
        corners = [(x, y) for x in part for y in (-ABOVE * size, BELOW * size)]
        across = [x * cos(turn) - y * sin(turn) for x, y in corners]
        down = [x * sin(turn) + y * cos(turn) for x, y in corners]
        yield move(Box(text, min(across), min(down), max(across), max(down)), written.at)


def move(box: Box, by: Point) -> Box:
    """Return a copy of a box, moved by a vector."""
    label, left, top, right, bottom = box
    return Box(label, left + by[0], top + by[1], right + by[0], bottom + by[1])


def points_of(path: str) -> list[Point]:
    """Return the points of a path of straight lines, absolute or relative."""
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    points = [*zip(numbers[::2], numbers[1::2], strict=True)]
    if "l" in path:
        points = [*accumulate(points, lambda at, step: (at[0] + step[0], at[1] + step[1]))]
    assert re.fullmatch(r"M[-\d. ]+[lL][-\d. ]+", path), path
    return points
