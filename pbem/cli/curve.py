"""A chance that goes up and down over the turns of a game, drawn in letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from engine.sides import Side
from pbem.cli.position.typesetting import STYLES

HEIGHT = 10
"""In lines, each of which stands for a tenth."""
WIDEST = 3
"""So many columns a turn may take."""
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_MARGIN = 6
_SCALE = {0: "100% ", HEIGHT // 2 - 1: " 50% ", HEIGHT - 1: "  0% "}


def curve(chances: Sequence[float], marked: Collection[int], width: int) -> list[Text]:
    """The chance of the British after each turn, from the setup on, in lines of that width.

    Below are the turns that are `marked`, and their numbers. Where there is no room for all turns,
    some share a column, which shows the last of them.
    """
    columns = _columns(len(chances), width - _MARGIN)
    shown = [chances[turn] for turn in columns]
    lines = [Text(_SCALE.get(row, "     ") + "│") + _row(shown, row) for row in range(HEIGHT)]
    lines.append(Text("     └" + "─" * len(columns)))
    places = {turn: next(i for i, last in enumerate(columns) if last >= turn) for turn in marked}
    return [*lines, *_marks(places)]


def _columns(turns: int, room: int) -> list[int]:
    """The turn that each column shows."""
    if turns <= room:
        return [turn for turn in range(turns) for _ in range(min(WIDEST, room // turns))]
    return [(column + 1) * turns // room - 1 for column in range(room)]


def _row(shown: Sequence[float], row: int) -> Text:
    floor = HEIGHT - 1 - row
    steps = [min(8, max(0, round(8 * (HEIGHT * chance - floor)))) for chance in shown]
    return Text("".join(_EIGHTHS[step] for step in steps), STYLES[Side.BRITISH])


def _marks(places: dict[int, int]) -> list[Text]:
    """A mark under each of these turns, and below its number, where there is room beside others."""
    if not places:
        return []
    marks, numbers = "", ""
    for turn, place in sorted(places.items()):
        at = place + _MARGIN
        marks = marks.ljust(at)[:at] + "▲"
        start = max(at - len(str(turn)) // 2, len(numbers) + bool(numbers))
        numbers = numbers.ljust(start) + str(turn)
    return [Text(marks), Text(numbers)]
