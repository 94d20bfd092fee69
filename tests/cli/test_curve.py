"""The curve of chances in characters fits its width, and each number is under its mark."""

from __future__ import annotations

import re

import pytest

from pbem.cli.analyse_command import draw_curve

AXIS = 10
"""The number of lines above the axis."""


@pytest.mark.parametrize("turns", [1, 2, 30, 155])
def test_no_line_is_wider_than_the_width(turns: int) -> None:
    chances = [0.5] * turns
    marked = sorted({0, turns // 2, max(0, turns - 2), turns - 1})
    for width in range(1, 100):
        lines = draw_curve(chances, marked, width)
        assert max(line.cell_len for line in lines) <= max(width, 7)


@pytest.mark.parametrize("marked", [[150, 153, 154], [154, 150, 153], [3, 4, 5], [0, 154], [77]])
@pytest.mark.parametrize("width", [7, 20, 60, 61, 100, 161, 200, 500])
def test_numbers_of_a_curve_are_under_their_marks(marked: list[int], width: int) -> None:
    lines = [line.plain for line in draw_curve([0.5] * 155, marked, width)]
    axis, marks, numbers = lines[AXIS:]
    marks, columns = marks.ljust(len(axis)), len(axis) - axis.index("└") - 1
    numbered = [(match[0], match.span()) for match in re.finditer(r"\d+", numbers)]
    # The first number is shown if there is room.
    if width >= 20:
        assert str(marked[0]) in [number for number, _ in numbered]
    for number, (start, end) in numbered:
        assert int(number) in marked
        first, last = (int(number) * columns // 155, -(-(int(number) + 1) * columns // 155))
        at = 6 + first + marks[6 + first : 6 + last].index("▲")
        assert start <= at < end
    # Each mark has at most one number.
    assert len(numbered) <= marks.count("▲") <= len(marked)


def test_marks_of_a_wide_curve_are_all_numbered() -> None:
    lines = [line.plain for line in draw_curve([0.5] * 50, [10, 20, 30], 80)]
    assert lines[-1].split() == ["10", "20", "30"]
