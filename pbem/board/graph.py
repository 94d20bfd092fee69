"""How points and money went over the turns of a game, as lines and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message, Said
from engine.sides import Side
from pbem.board.maker import Parts
from pbem.board.templates import Templates
from pbem.view.scenes import Scene
from pbem.view.shape import SideFacts
from pbem.words.phrases import course_told

_STEPS = (1, 2, 5, 10, 20, 50, 100)
_MOST_STEPS = 4


class _Curve(NamedTuple):
    """What one side had after each turn, from the setup on; `way` are its corners, for SVG."""

    side: Side
    amounts: list[int]

    @property
    def way(self) -> str:
        return " ".join(f"{turn},{-amount}" for turn, amount in enumerate(self.amounts))


class _Chart(NamedTuple):
    """One thing that is counted of both sides; the scale ends at `most`, with `marks`."""

    id: str
    title: Said
    told: list[Message]
    curves: list[_Curve]
    most: int
    marks: list[int]


class Graph:
    """The graph of the scenes that were `played`."""

    def __init__(self, templates: Templates, played: Sequence[Scene]) -> None:
        self._templates = templates
        self._last = len(played) - 1
        points = _chart("points", Message("Victory points"), played)
        money = _chart("money", Message("Money"), played)
        self._charts = [points, money]
        self._table = templates.fill(
            "graph_table.html",
            charts=self._charts,
            last=self._last,
            sides=list(Side),
            turn=Message.within("column", "Turn"),
        )

    def frame(self) -> Markup:
        """Both charts, each with a place for what stands at the cursor, and the table."""
        return self._templates.fill(
            "graph.html",
            charts=self._charts,
            last=self._last,
            heads=_HEADS,
        )

    def parts(self, scene: Scene) -> Parts:
        """What both sides had after a turn, and the table."""
        amounts = {
            f"{chart.id}-{curve.side.value}": Markup(curve.amounts[scene.number])
            for chart in self._charts
            for curve in chart.curves
        }
        return {"graph-table": self._table, **amounts}


_HEADS = {
    "graph": Message("Points and money, turn by turn"),
    "table": Message("The same as a table"),
}


def _chart(id: str, title: Message, played: Sequence[Scene]) -> _Chart:
    curves = [
        _Curve(side, [_amount(id, scene.facts["sides"][side.value]) for scene in played])
        for side in Side
    ]
    is_over = played[-1].state.outcome is not None
    highest = max(max(curve.amounts) for curve in curves)
    step = _step(highest, _MOST_STEPS)
    marks = list(range(0, highest + step, step))
    return _Chart(
        id, title, [_told(curve, is_over) for curve in curves], curves, marks[-1] or 1, marks
    )


def _amount(id: str, side: SideFacts) -> int:
    return side["points"]["total"] if id == "points" else side["money"]


def _told(curve: _Curve, is_over: bool) -> Message:
    return course_told(curve.side, curve.amounts, str, is_over=is_over)


def _step(highest: int, most: int) -> int:
    """A round step that takes at most so many to get there."""
    return next((step for step in _STEPS if step * most >= highest), _STEPS[-1])
