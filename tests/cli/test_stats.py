"""`acres stats`: a player's games taken together."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from pbem.play.robot.robot_home import take_note
from tests.cli.using import FILE, ROOT, acres, apply, do
from tests.play.keeping_a_robot import invited, keeper_at, move, robot_answers

pytestmark = pytest.mark.usefixtures("in_the_game")

BRITISH = Path("british")


def told() -> str:
    return " ".join(do("stats", home=BRITISH).out.split())


def test_how_a_game_goes_and_how_it_went(game: Path) -> None:
    assert "British won: 0, lost: 0, in progress: 1" in told()
    do("turn", "resign", FILE, "--yes", home=BRITISH)
    assert "British won: 0, lost: 1, in progress: 0" in told()


def test_every_answer_of_both_is_counted_once(game: Path) -> None:
    """The British have answered eight times, and the French seven: their eighth is in the file."""

    def counts() -> list[int]:
        answers = json.loads(do("stats", "--json", home=BRITISH).out)["answers"]
        assert all(0 <= each["median_seconds"] < 3600 for each in answers.values())
        return [answers[who]["count"] for who in ("own", "opponents")]

    assert counts() == [8, 7]
    do("turn", "show", FILE, home=BRITISH)
    assert counts() == [8, 7]
    assert apply("pass", "pass").status == 0
    assert counts() == [9, 8]


def test_the_robot_of_this_computer_is_no_opponent_whose_answers_are_counted(
    tmp_path: Path,
) -> None:
    anna = keeper_at(tmp_path / "anna")
    invited(anna)
    for seed in range(3):
        (answered,) = robot_answers(anna)
        take_note(anna.library, answered.path, anna.home)
        move(anna, answered.path, PracticePlayer(Random(seed)))
    facts = json.loads(do("stats", "--json", home=anna.home.folder).out)
    assert facts["in_all"]["going_on"] == 1
    assert facts["answers"]["own"]["count"] == 3
    assert facts["answers"]["opponents"] is None


def test_the_data_are_described(game: Path) -> None:
    do("turn", "resign", FILE, "--yes", home=BRITISH)
    facts = json.loads(do("stats", "--json", home=BRITISH).out)
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `acres stats --json`"))
    keys = {*facts, *facts["in_all"], *facts["results"][0], *facts["turns"], *facts["answers"]}
    keys |= {"count", "median_seconds"}
    assert [key for key in sorted(keys) if f"`{key}`" not in row] == []


def test_whoever_has_no_games_is_told_how_to_get_some(tmp_path: Path) -> None:
    home = tmp_path / "new"
    do("init", "--name", "Anna", "--email", "", home=home)
    assert "games add FOLDER" in do("stats", home=home).out
    assert json.loads(do("stats", "--json", home=home).out)["results"] == []


def test_whoever_is_nobody_is_told_so(tmp_path: Path) -> None:
    done = acres("stats", home=tmp_path / "nobody")
    assert done.status == 2
    assert "init" in done.err
