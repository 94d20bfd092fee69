"""`acres stats`: a player's games taken together."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from pbem.play.robot.at_home import key_of_robot, take_note
from tests.cli.using import FILE, ROOT, apply, do
from tests.play.keeping_a_robot import invited, keeper_at, move, robot_of

pytestmark = pytest.mark.usefixtures("in_the_game")

BRITISH = Path("british")


def told() -> str:
    return " ".join(do("stats", home=BRITISH).out.split())


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
        (answered,) = robot_of(anna).look()
        take_note(anna.library, answered.path, key_of_robot(anna.home))
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
