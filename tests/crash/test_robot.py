"""A robot that is killed at any line and started again answers a file once, and wholly."""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from tests.cli.commands import do
from tests.crash.scenes import LATER, draw_moments, few_or_all, second_half
from tests.crash.stage import Fault, Stage
from tests.crash.state import is_whole, last_record, left_over, library_records, signed_twice

SAMPLE = 4
"""The number of its lines that the short run of the tests tries."""
SERVE = ("serve-robot", "--strength", "1", "--inbox", "table", "--outbox", "table", "--once")
ANSWERS = {"joins": "game-001.toml", "answers": "game-003.toml"}
"""The scenes, and the file that the robot writes in each."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders, in which a robot is to join a game, and to answer a file."""
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


def check(begun: Path, scene: str, stage: Stage, folder: Path) -> bool:
    """Start the robot again; return True if its answer had been signed and not written."""
    home, file = folder / "robot", folder / "table" / ANSWERS[scene]
    before = {record.hash for _, record in library_records(begun / scene / "robot")}
    new = {record.hash for _, record in library_records(home)} - before
    content = file.read_bytes() if file.exists() else None
    again = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(now=LATER))
    assert (again.status, again.err) == (0, "")
    assert is_whole(file)
    assert content in (None, file.read_bytes())
    assert new <= {last_record(file).hash}
    assert not signed_twice(folder)
    assert not left_over(folder)
    return bool(new) and content is None


@few_or_all(SAMPLE)
def test_robot_killed_at_lines(
    begun: Path, scene: str, stage: Stage, tmp_path: Path, sample: int | None
) -> None:
    folder, is_signed = tmp_path / "game", False
    shutil.copytree(begun / scene, folder)
    ended = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(lists_moments=True))
    shutil.rmtree(folder)
    for moment in second_half(ended.moments, sample, draw_moments):
        shutil.copytree(begun / scene, folder)
        ended = stage.run(*SERVE, folder=folder, home="robot", fault=Fault(killed=moment))
        # It may choose otherwise than when its lines were counted, and be done in fewer of them.
        assert ended.was_killed or ended.status == 0
        is_signed |= check(begun, scene, stage, folder)
        shutil.rmtree(folder)
    assert is_signed or sample
