"""A chance that goes up and down over the turns of a game, drawn in letters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rich.text import Text

from engine.sides import Side
from pbem.cli.position.typesetting import STYLES

HEIGHT = 10
"""In lines, each of which stands for a tenth."""
WIDEST = 3
"""How many columns a turn may take."""
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_MARGIN = 6
_SCALE = {0: "100% ", HEIGHT // 2 - 1: " 50% ", HEIGHT - 1: "  0% "}


def curve(chances: Sequence[float], marked: Sequence[int], width: int) -> list[Text]:
    """The chance of the British after each turn, from the setup on, in lines of that width.

    Below are the turns that are `marked`, and their numbers, the first of them where there is no
    room for all. Where there is none for all turns, some share a column, which shows the last of
    them. It takes seven columns at least.
    """
    columns = _columns(len(chances), max(1, width - _MARGIN))
    shown = [chances[turn] for turn in columns]
    lines = [Text(_SCALE.get(row, "     ") + "│") + _row(shown, row) for row in range(HEIGHT)]
    lines.append(Text("     └" + "─" * len(columns)))
    places = [(turn, bisect_left(columns, turn)) for turn in marked]
    return [*lines, *_marks(places, len(columns))]


def _columns(turns: int, room: int) -> list[int]:
    """The turn that each column shows."""
    if turns <= room:
        return [turn for turn in range(turns) for _ in range(min(WIDEST, room // turns))]
    return [(column + 1) * turns // room - 1 for column in range(room)]


def _row(shown: Sequence[float], row: int) -> Text:
    floor = HEIGHT - 1 - row
    steps = [min(8, max(0, round(8 * (HEIGHT * chance - floor)))) for chance in shown]
    return Text("".join(_EIGHTHS[step] for step in steps), STYLES[Side.BRITISH])


def _marks(places: Sequence[tuple[int, int]], columns: int) -> list[Text]:
    """A mark under each of these turns and columns, and its number below where there is room."""
    if not places:
        return []
    width = _MARGIN + columns
    marks, numbers = [" "] * width, [" "] * width
    for turn, column in places:
        at, number = column + _MARGIN, str(turn)
        start = min(at - len(number) // 2, width - len(number))
        # A blank on either side, so that it is read for no part of another.
        beside = numbers[start - 1 : start + len(number) + 1]
        if marks[at] == " " and start > 0 and not "".join(beside).strip():
            numbers[start : start + len(number)] = number
        marks[at] = "▲"
    return [Text("".join(line).rstrip()) for line in (marks, numbers)]
