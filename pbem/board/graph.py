"""The course of a game: points, money, chances by turn, and what an analysis found decisive."""

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
from pbem.text.phrases import course_text, in_percent

# --- the graph


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
    title: Phrase
    told: list[Message]
    curves: list[_Curve]
    most: int
    marks: list[int]


class Graph:
    """The graph of the scenes that were `played`.

    Where the game was analysed, `chances` are those of the British to win after each of them.
    """

    def __init__(
        self, templates: Templates, played: Sequence[Scene], chances: Sequence[float] = ()
    ) -> None:
        self._templates = templates
        self._last = len(played) - 1
        is_over = played[-1].state.outcome is not None
        counted = {
            "points": (Message("Victory points"), _amounts(played, lambda has: has.points.total)),
            "money": (Message("Money"), _amounts(played, lambda has: has.money)),
        }
        if chances:
            british = [in_percent(chance) for chance in chances]
            amounts = {Side.BRITISH: british, Side.FRENCH: [100 - chance for chance in british]}
            counted["chance"] = (Message("Chance to win, in percent"), amounts)
        self._charts = [
            _chart(id, title, amounts, is_over=is_over) for id, (title, amounts) in counted.items()
        ]
        about = (
            Message("Points, money and chances, turn by turn")
            if chances
            else Message("Points and money, turn by turn")
        )
        self._heads = {"graph": about, "table": Message("The same as a table")}
        self._table = templates.fill(
            "graph_table.html",
            charts=self._charts,
            last=self._last,
            sides=list(Side),
            turn=Message.within("column", "Turn"),
        )

    def frame(self) -> Markup:
        """The charts, each with a place for what stands at the cursor, and the table."""
        return self._templates.fill(
            "graph.html", charts=self._charts, last=self._last, heads=self._heads
        )

    def parts(self, scene: Scene) -> Parts:
        """What both sides had after a turn, and the table."""
        amounts = {
            f"{chart.id}-{curve.side.value}": Markup(curve.amounts[scene.number])
            for chart in self._charts
            for curve in chart.curves
        }
        return {"graph-table": self._table, **amounts}


def _chart(id: str, title: Message, amounts: Mapping[Side, list[int]], *, is_over: bool) -> _Chart:
    curves = [_Curve(side, amounts[side]) for side in Side]
    highest = max(max(curve.amounts) for curve in curves)
    step = _step(highest, _MOST_STEPS)
    marks = list(range(0, highest + step, step))
    told = [course_text(curve.side, curve.amounts, str, is_over=is_over) for curve in curves]
    return _Chart(id, title, told, curves, marks[-1] or 1, marks)


def _amounts(played: Sequence[Scene], amount: Callable[[SideFacts], int]) -> dict[Side, list[int]]:
    return {side: [amount(scene.facts.sides[side]) for scene in played] for side in Side}


def _step(highest: int, most: int) -> int:
    """A round step that takes at most this many to get there."""
    return next((step for step in _STEPS if step * most >= highest), _STEPS[-1])


# --- what decided a game


def deciding(templates: Templates, chronicle: Chronicle, analysis: Analysis) -> Markup:
    """The deeds that changed the chances most, other orders that cost much, and how it is known."""
    match, viewer = chronicle.match, chronicle.viewer
    return templates.fill(
        "deciding.html",
        swings=[
            (each.turn, turn_text(each), swing_text(match, analysis, each, viewer))
            for each in analysis.swings
        ],
        mistakes=[
            (each.turn, turn_text(each), mistake_text(match, each, viewer))
            for each in other_mistakes(analysis)
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
"""By what they are of."""
WITH_CHANCES = LABELS | {"graph": Message("Points, money and chances")}
"""Those of a page of a game that was analysed."""
