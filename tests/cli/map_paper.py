"""A reader of printed maps that knows only their signs.

Fields and connections come from the printed sheet, and not from the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

Cell = tuple[int, int]
FIELD = re.compile(r"\[ +([^)]+?) +\)|\( ([^\]]+?) +\]")
LAKE = re.compile(r"≈+ (Lake \w+) ≈+|≈+")
N, S, W, E = (-1, 0), (1, 0), (0, -1), (0, 1)
NE, NW, SE, SW = (-1, 1), (-1, -1), (1, 1), (1, -1)
CORNERS = [(S, E), (S, W), (N, W), (N, E)]
ENDS = {
    "river": dict(zip("─│╱╲╭╮╯╰", [(W, E), (N, S), (NE, SW), (NW, SE), *CORNERS], strict=True)),
    "road": dict(zip("═║╔╗╝╚", [(W, E), (N, S), *CORNERS], strict=True)),
}
"""The two directions in which each sign leads."""
TRAIL = "•"


class Field(NamedTuple):
    """The text of a location: its row, first column, end column, and its piece."""

    label: str
    row: int
    start: int
    end: int
    piece: int


class Way(NamedTuple):
    """A drawn connection, with the fields and cells at its ends."""

    kind: str
    labels: frozenset[str]
    ends: tuple[tuple[Cell, Cell], ...] = ()


@dataclass
class Paper:
    """A sheet: its rows, and the fields on it."""

    rows: list[str]
    fields: list[Field] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Paper:
        paper = cls(text.strip("\n").split("\n"))
        for number, row in enumerate(paper.rows):
            for match in FIELD.finditer(row):
                # The two middle columns of the mark hold the piece.
                piece = match.start() + 1 if match[1] else match.end() - 3
                label = match[1] or match[2]
                paper.fields.append(Field(label, number, match.start(), match.end(), piece))
        return paper

    def at(self, cell: Cell) -> str:
        row, column = cell
        is_on_paper = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if is_on_paper else " "

    def label_at(self, cell: Cell) -> str | None:
        return next(
            (f.label for f in self.fields if f.row == cell[0] and f.start <= cell[1] < f.end), None
        )

    def cells(self, signs: Iterable[str]) -> set[Cell]:
        """Return the cells with these signs outside of fields."""
        return {
            (r, c)
            for r, row in enumerate(self.rows)
            for c, sign in enumerate(row)
            if sign in signs and self.label_at((r, c)) is None and not self._in_legend((r, c))
        }

    def _in_legend(self, cell: Cell) -> bool:
        before = self.rows[cell[0]][: cell[1]]
        return before.rfind("{") > before.rfind("}")

    def ways(self) -> list[Way]:
        """Return all rivers, roads and trails, and check that all of their signs belong to one."""
        return [*self._lines("river"), *self._lines("road"), *self._trails()]

    def _lines(self, kind: str) -> list[Way]:
        signs = ENDS[kind]
        cells = self.cells(signs)
        ends: dict[Cell, list[tuple[Cell, Cell]]] = {cell: [] for cell in cells}
        joined: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
        for cell in cells:
            for step in signs[self.at(cell)]:
                to = (cell[0] + step[0], cell[1] + step[1])
                back = (-step[0], -step[1])
                if to in cells and back in signs[self.at(to)]:
                    joined[cell].add(to)
                else:
                    assert self.label_at(to), f"a {kind} ends nowhere: {cell}"
                    ends[cell].append((cell, to))
        ways = []
        for part in parts(cells, joined.__getitem__):
            both = tuple(end for cell in sorted(part) for end in ends[cell])
            ways.append(Way(kind, frozenset(self.label_at(to) or "" for _, to in both), both))
        return ways

    def _trails(self) -> list[Way]:
        dots = self.cells(TRAIL)

        def near(dot: Cell) -> set[Cell]:
            return {d for d in dots if abs(d[0] - dot[0]) <= 1 and abs(d[1] - dot[1]) <= 2} - {dot}

        return [
            Way(
                "indian-trail",
                frozenset(f.label for f in self.fields for d in part if is_beside(f, d)),
            )
            for part in parts(dots, near)
        ]

    def lakes(self) -> dict[str, set[str]]:
        """Return the locations at each lake, by its name."""
        names: dict[Cell, str] = {}
        water: set[Cell] = set()
        for r, row in enumerate(self.rows):
            for match in LAKE.finditer(row):
                cells = {(r, c) for c in range(*match.span())}
                water |= cells
                names.update({cell: match[1] for cell in cells if match[1]})

        def near(cell: Cell) -> set[Cell]:
            return {(cell[0] + r, cell[1] + c) for r, c in (N, S, W, E)} & water

        lakes = {}
        for part in parts(water, near):
            (name,) = {names[cell] for cell in part if cell in names}
            steps = ((cell[0] + r, cell[1] + c) for cell in part for r, c in (N, S, W, E))
            lakes[name] = {label for label in map(self.label_at, steps) if label}
        return lakes


def is_beside(field: Field, dot: Cell) -> bool:
    """True if a dot of a trail is at most a row and two columns away from a field."""
    return abs(field.row - dot[0]) <= 1 and field.start - 2 <= dot[1] <= field.end + 1


def parts(cells: set[Cell], near: Callable[[Cell], set[Cell]]) -> list[set[Cell]]:
    """Return the cells in connected groups."""
    remaining, groups = set(cells), []
    while remaining:
        part, frontier = set(), [remaining.pop()]
        while frontier:
            cell = frontier.pop()
            part.add(cell)
            new = near(cell) & remaining
            remaining -= new
            frontier.extend(new)
        groups.append(part)
    return groups
