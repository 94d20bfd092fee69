"""A robot that is killed at any line and started again answers a file once."""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from tests.cli.commands import do
from tests.crash.scenes import LATER, draw_moments, few_or_all, second_half
from tests.crash.stage import Fault, Stage
from tests.crash.state import (
    find_double_signatures,
    find_unfinished,
    is_whole,
    last_record,
    library_records,
)

SAMPLE = 4
"""The number of lines at which the short run kills the robot."""
SERVE = ("serve-robot", "--strength", "1", "--inbox", "table", "--outbox", "table", "--once")
ANSWERS = {"joins": "game-001.toml", "answers": "game-003.toml"}
"""The scenes, and the file that the robot writes in each."""


@pytest.fixture(scope="module")
def base_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders: the robot joins a game in one, and answers a file in the other."""
    folder = tmp_path_factory.mktemp("robot")
    joins, answers = folder / "joins", folder / "answers"

    do("init", "--name", "Anna", home=joins / "anna")
    do("init", "--name", "Robot", home=joins / "robot")
    game = ("new", "--side", "british", "--lists", 256, "--output", joins / "table/game-000.toml")
    do(*game, home=joins / "anna")
    shutil.copytree(joins, answers)
    table = answers / "table"
    with chdir(answers):
        do(*SERVE, home="robot")
    do("turn", "apply", table / "game-001.toml", "pass", home=answers / "anna")
    return folder


@pytest.fixture(params=ANSWERS)
def scene(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def check(base_folder: Path, scene: str, stage: Stage, folder: Path) -> bool:
    """Start the robot again; return whether its answer had been signed but not written."""
    home, file = folder / "robot", folder / "table" / ANSWERS[scene]
    before = {record.hash for _, record in library_records(base_folder / scene / "robot")}
    new = {record.hash for _, record in library_records(home)} - before
    content = file.read_bytes() if file.exists() else None
    again = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(now=LATER))
    assert (again.status, again.err) == (0, "")
    assert is_whole(file)
    assert content in (None, file.read_bytes())
    assert new <= {last_record(file).hash}
    assert not find_double_signatures(folder)
    assert not find_unfinished(folder)
    return bool(new) and content is None


@few_or_all(SAMPLE)
def test_robot_survives_a_kill_at_any_line(
    base_folder: Path, scene: str, stage: Stage, tmp_path: Path, sample: int | None
) -> None:
    folder, is_signed = tmp_path / "game", False
    shutil.copytree(base_folder / scene, folder)
    outcome = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(list_moments=True))
    shutil.rmtree(folder)
    for moment in second_half(outcome.moments, sample, draw_moments):
        shutil.copytree(base_folder / scene, folder)
        outcome = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(kill_at=moment))
        # The robot may choose other orders than in the counted run, and take fewer lines.
        assert outcome.was_killed or outcome.status == 0
        is_signed |= check(base_folder, scene, stage, folder)
        shutil.rmtree(folder)
    assert is_signed or sample
