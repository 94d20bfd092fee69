"""What is printed is readable in 80 columns, without colour, and when piped."""

import unicodedata
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest

from pbem.play.robot import PracticeGame
from tests.cli.using import acres, acres_process, do

FILES = 30
"""How many files of a practice game as it takes for sieges and raids to occur."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("practice")
    list(islice(PracticeGame(folder, seed=1, lists=16).play(), FILES))
    return folder


def assert_plain(text: str, *, columns: int = 80, draws: bool = False) -> None:
    """No line is too long for a terminal, nothing steers it, and boxes are drawn where they may."""
    for line in text.splitlines():
        width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        assert width <= columns, line
        assert line == line.rstrip(), line
    assert not [c for c in text if c != "\n" and unicodedata.category(c)[0] == "C"]
    assert draws or not [c for c in text if "\u2500" <= c <= "\u259f"]


PARTS = [(1, 9), *(pytest.param(first, 3, marks=pytest.mark.long) for first in range(3))]
"""Every ninth file, or every third, from which on; either player answers every other of them."""


@pytest.mark.parametrize(("first", "step"), PARTS)
def test_every_position_legal_order_and_audit_of_a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, first: int, step: int
) -> None:
    monkeypatch.chdir(folder)
    deals_only = 0
    for number in range(first, FILES, step):
        file = f"game-{number:03}.toml"
        outputs = [acres("turn", "show", file, home=home) for home in ("british", "french", None)]
        outputs.append(acres("audit", file))
        assert [output.status for output in outputs] == [0] * 4
        if number:
            home = ("french", "british")[number % 2]
            outputs.append(acres("turn", "legal", file, home=home))
            assert outputs[-1].status == 0
            # What is shown as the decision is what the list of orders is about.
            nothing = "There is nothing to decide" in outputs[-1].out
            shown = outputs[("british", "french").index(home)].out
            assert ("There is nothing to decide" in shown) == nothing
            deals_only += nothing
        for place, output in enumerate(outputs):
            # Whoever looks on here has the homes of both players near; an invitation has one.
            is_near = place == 2 and number
            near = "Note: The identity of a player of this game is nearby: " if is_near else ""
            assert output.err.startswith(near) and bool(output.err) == bool(near)
            assert_plain(output.out, draws=place < 3)
    # In the part that is in every run, one has nothing to decide.
    assert deals_only or first != 1


@pytest.mark.parametrize(
    ("variables", "columns"),
    [({}, 80), ({"NO_COLOR": "1"}, 80), ({"TERM": "dumb"}, 80), ({"COLUMNS": "200"}, 160)],
)
def test_a_pipe_gets_no_colour(folder: Path, variables: Mapping[str, str], columns: int) -> None:
    shown = acres_process(
        "turn", "show", "game-017.toml", home="british", folder=folder, **variables
    ).succeeds()
    assert_plain(shown.out, columns=columns, draws="TERM" not in variables)


def test_an_output_without_accents_is_no_reason_to_fail(folder: Path) -> None:
    shown = acres_process(
        "turn", "show", "game-017.toml",
        home="british", folder=folder, PYTHONUTF8="0", PYTHONIOENCODING="ascii",
    ).succeeds()  # fmt: skip
    assert "?mile" in shown.out


def test_a_name_cannot_pass_for_markup(here: Path) -> None:
    name = "[bold]Anna[/] {0} \\[red] %s"
    acres("init", "--name", name, home="home")
    acres("new", "--side", "british", "--lists", "16", "--output", "game-000.toml", home="home")
    acres("init", "--name", "\\", home="other")
    joined = do("join", "game-000.toml", home="other")
    assert name in " ".join(joined.out.split())
    shown = acres("turn", "show", "game-001.toml", home="home")
    assert name in " ".join(shown.out.split())
    assert_plain(shown.out, draws=True)
