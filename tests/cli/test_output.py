"""The output is readable in 80 columns, without colour, and in a pipe."""

import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.commands import acres, acres_process
from tests.cli.conftest import PRACTICE_FILES


def assert_plain(text: str, *, columns: int = 80, draws: bool = False) -> None:
    """Check that lines are short, without control characters and (unless `draws`) boxes."""
    for line in text.splitlines():
        width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        assert width <= columns, line
        assert line == line.rstrip(), line
    assert not [c for c in text if c != "\n" and unicodedata.category(c)[0] == "C"]
    assert draws or not [c for c in text if "\u2500" <= c <= "\u259f"]


PARTS = [(1, 9), *(pytest.param(first, 3, marks=pytest.mark.long) for first in range(3))]
"""The first file and step of each part; either player answers every other file."""


@pytest.mark.parametrize(("first", "step"), PARTS)
def test_every_screen_of_a_game_is_plain_text(
    practice: Path, monkeypatch: pytest.MonkeyPatch, first: int, step: int
) -> None:
    monkeypatch.chdir(practice)
    deals_only = 0
    for number in range(first, PRACTICE_FILES, step):
        file = f"game-{number:03}.toml"
        outputs = [acres("turn", "show", file, home=home) for home in ("british", "french", None)]
        outputs.append(acres("audit", file))
        assert [output.status for output in outputs] == [0] * 4
        if number:
            home = ("french", "british")[number % 2]
            outputs.append(acres("turn", "legal", file, home=home))
            assert outputs[-1].status == 0
            # The screen and the list of orders agree on the decision.
            nothing = "There is nothing to decide" in outputs[-1].out
            screen = outputs[("british", "french").index(home)].out
            assert ("There is nothing to decide" in screen) == nothing
            deals_only += nothing
        for place, output in enumerate(outputs):
            # Both homes are near the spectator's file.
            is_near = place == 2 and number
            assert bool(output.err) == bool(is_near)
            assert_plain(output.out, draws=place < 3)
    # In the short run one file has no decision.
    assert deals_only or first != 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "columns"),
    [({}, 80), ({"NO_COLOR": "1"}, 80), ({"TERM": "dumb"}, 80), ({"COLUMNS": "200"}, 160)],
)
def test_pipe_gets_no_colour(practice: Path, variables: Mapping[str, str], columns: int) -> None:
    screen = acres_process(
        "turn", "show", "game-017.toml", home="british", folder=practice, **variables
    ).succeeds()
    assert_plain(screen.out, columns=columns, draws="TERM" not in variables)


def test_output_without_accents_gets_substitutes(practice: Path) -> None:
    screen = acres_process(
        "turn", "show", "game-017.toml",
        home="british", folder=practice, PYTHONUTF8="0", PYTHONIOENCODING="ascii",
    ).succeeds()  # fmt: skip
    assert "?mile" in screen.out
