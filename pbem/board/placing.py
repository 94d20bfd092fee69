"""Where the name of a location stands on the sheet, and the signs of what is printed there."""

from __future__ import annotations

from typing import NamedTuple

from engine.catalogue import Location
from pbem.board.chart import Site

NAME_SIZE = 25
"""The size of the letters of a name, in units of the sheet."""
SIGN = 21
"""The room of a sign, and how far one is from the next."""
_AWAY = 37
"""How far from the middle of a piece its name begins."""
_ROW = 17
"""The middle of the signs lies so far below the foot of the name."""


class Sign(NamedTuple):
    """A sign of a fact of the board, in the middle of its room."""

    kind: str
    x: float


class Label(NamedTuple):
    """The name of a location and its signs, relative to the middle of its piece.

    `name_at` is the foot of the name, where its `anchor` is, as SVG calls that; `signs_y` the
    middle of the row of signs, and `points_x` of the points in it, None where none are printed.
    """

    name_at: tuple[float, float]
    anchor: str
    signs_y: float
    points_x: float | None
    signs: tuple[Sign, ...]

    @classmethod
    def of(cls, place: Site, printed: Location) -> Label:
        """The label of a location: what is printed there says which signs it has."""
        kinds = [kind for kind, is_so in _facts(printed).items() if is_so]
        width = SIGN * len(kinds)
        has_row = bool(kinds)
        x, anchor, row_x = _ACROSS[place.name]
        name_y = _name_y(place.name, has_row)
        first = x + row_x * width + SIGN / 2
        middles = {kind: first + index * SIGN for index, kind in enumerate(kinds)}
        points_x = middles.pop("points", None)
        signs = tuple(Sign(kind, middle) for kind, middle in middles.items())
        return cls((x, name_y), anchor, name_y + _ROW, points_x, signs)


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


def _facts(printed: Location) -> dict[str, bool]:
    """The signs that a location may have, in their order, and whether it has them."""
    return {
        "points": printed.victory_points > 0,
        "settler": printed.settler,
        "harbour": printed.sea,
        "ships": printed.ships_in_siege,
        "defence": printed.defence > 0,
    }
