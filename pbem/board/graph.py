"""The course of a game: points, money and chances by turn, and the decisive orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message, Phrase
from engine.sides import Side
from pbem.board.templates import Parts, Templates
from pbem.play.analysis import Analysis
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, SideFacts
from pbem.text.history.analysis import (
    DECIDING,
    NO_SWING,
    OTHERS,
    judged_text,
    mistake_text,
    other_mistakes,
    swing_text,
    turn_text,
)
from pbem.text.phrases import trend_text, whole_percent

# --- the graph


_STEPS = (1, 2, 5, 10, 20, 50, 100)
_MAX_STEPS = 4


class _Curve(NamedTuple):
    """The amounts of one side after the setup and after each turn."""

    side: Side
    amounts: list[int]

    @property
    def points(self) -> str:
        """The points of its SVG polyline."""
        return " ".join(f"{turn},{-amount}" for turn, amount in enumerate(self.amounts))


class _Chart(NamedTuple):
    """The chart of one amount for both sides, with a scale up to `maximum` with `marks`."""

    id: str
    title: Phrase
    alt_texts: list[Message]
    curves: list[_Curve]
    maximum: int
    marks: list[int]


class Graph:
    """The charts and the table of a game, from its scenes.

    `chances` are the chances of the British to win after each turn, or empty without an analysis.
    """

    def __init__(
        self, templates: Templates, scenes: Sequence[Scene], chances: Sequence[float] = ()
    ) -> None:
        self._templates = templates
        self._last = len(scenes) - 1
        is_over = scenes[-1].state.outcome is not None
        series = {
            "points": (Message("Victory points"), _amounts(scenes, lambda side: side.points.total)),
            "money": (Message("Money"), _amounts(scenes, lambda side: side.money)),
        }
        if chances:
            british = [whole_percent(chance) for chance in chances]
            amounts = {Side.BRITISH: british, Side.FRENCH: [100 - chance for chance in british]}
            series["chance"] = (Message("Chance to win, in percent"), amounts)
        self._charts = [
            _chart(id, title, amounts, is_over=is_over) for id, (title, amounts) in series.items()
        ]
        caption = (
            Message("Points, money and chances, turn by turn")
            if chances
            else Message("Points and money, turn by turn")
        )
        self._heads = {"graph": caption, "table": Message("The same as a table")}
        self._table = templates.render(
            "graph_table.html",
            charts=self._charts,
            last=self._last,
            sides=list(Side),
            turn=Message.within("column", "Turn"),
        )

    def render_frame(self) -> Markup:
        """Return the charts, with empty elements for the table and the amounts at the cursor."""
        return self._templates.render(
            "graph.html", charts=self._charts, last=self._last, heads=self._heads
        )

    def render_parts(self, scene: Scene) -> Parts:
        """Return the amounts of both sides after a turn, and the table."""
        amounts = {
            f"{chart.id}-{curve.side.value}": Markup(curve.amounts[scene.number])
            for chart in self._charts
            for curve in chart.curves
        }
        return {"graph-table": self._table, **amounts}


def _chart(id: str, title: Message, amounts: Mapping[Side, list[int]], *, is_over: bool) -> _Chart:
    curves = [_Curve(side, amounts[side]) for side in Side]
    highest = max(max(curve.amounts) for curve in curves)
    step = _step(highest, _MAX_STEPS)
    marks = list(range(0, highest + step, step))
    alt_texts = [trend_text(curve.side, curve.amounts, str, is_over=is_over) for curve in curves]
    return _Chart(id, title, alt_texts, curves, marks[-1] or 1, marks)


def _amounts(scenes: Sequence[Scene], amount: Callable[[SideFacts], int]) -> dict[Side, list[int]]:
    return {side: [amount(scene.facts.sides[side]) for scene in scenes] for side in Side}


def _step(highest: int, max_steps: int) -> int:
    """Return the smallest round step such that `max_steps` steps reach the highest amount."""
    return next((step for step in _STEPS if step * max_steps >= highest), _STEPS[-1])


# --- the analysis


def render_analysis(templates: Templates, chronicle: Chronicle, analysis: Analysis) -> Markup:
    """Return the decisive turns, other costly mistakes, and the method of the analysis."""
    match, viewer = chronicle.match, chronicle.viewer
    return templates.render(
        "deciding.html",
        swings=[
            (swing.turn, turn_text(swing), swing_text(match, analysis, swing, viewer))
            for swing in analysis.swings
        ],
        mistakes=[
            (mistake.turn, turn_text(mistake), mistake_text(match, mistake, viewer))
            for mistake in other_mistakes(analysis)
        ],
        no_swing=NO_SWING,
        others=OTHERS,
        lines=list(judged_text(match, analysis, viewer)),
    )


# --- labels


LABELS = {
    "skip": Message("To the position in words"),
    "time": Message("Step through the game"),
    "first": Message("Before the first turn"),
    "back": Message("Back one turn"),
    "play": Message("Play the game"),
    "pause": Message("Stop"),
    "on": Message("Forward one turn"),
    "last": Message("The last turn"),
    "slider": Message("Turn"),
    "shortcuts": Message(
        "Keys: ← and → step through the turns, Home and End jump to the ends, the space bar plays "
        "and stops; ↑ and ↓ move from card to card."
    ),
    "dark": Message("Dark"),
    "light": Message("Light"),
    "board": Message("The board"),
    "score": Message("The score"),
    "table": Message("Money, cards and pieces"),
    "words": Message("The position in words"),
    "graph": Message("Points and money"),
    "deciding": DECIDING,
    "turns": Message("All turns"),
    "proved": Message("What is proved"),
    "still": Message(
        "Scripts are off here, or the browser is too old, so this page shows one position only."
    ),
}
"""The labels and headings of a page by element."""
LABELS_WITH_CHANCES = LABELS | {"graph": Message("Points, money and chances")}
"""The labels of a page with an analysis."""
