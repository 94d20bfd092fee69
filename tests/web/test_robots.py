"""The robot of this computer in its thread: its news, its strengths, its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.order import Order
from engine.players import STRENGTHS, player_of
from engine.players.practice import PracticePlayer
from engine.state import State
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.robot import home_of_robot, last_strength
from pbem.play.robot_folder import AnsweredFile
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.web.server import News, RobotThread
from tests.play.robot_setup import answer_as_keeper, invite_robot, keeper_at

TIMEOUT_SECONDS = 60
THINKING_SECONDS = 120


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    return keeper_at(tmp_path / "anna")


class Reports(Queue[News]):
    """News of the robot."""

    def answer(self) -> AnsweredFile:
        news = self.get(timeout=TIMEOUT_SECONDS)
        assert isinstance(news, AnsweredFile)
        return news


@contextmanager
def running_robot(keeper: Session, reports: Reports) -> Iterator[RobotThread]:
    robot = RobotThread(keeper.home, "acres", reports.put)
    robot.start()
    try:
        yield robot
    finally:
        robot.stop()


def test_problem_is_reported_once_and_when_it_is_over(anna: Session) -> None:
    """The reported problem is that the robot's home has the key of a person."""
    home = home_of_robot(anna.home.folder)
    Session.create(Home(home), Identity.generate("Carl", ""))
    reports = Reports()
    with running_robot(anna, reports) as robot:
        first = reports.get(timeout=TIMEOUT_SECONDS)
        assert not isinstance(first, AnsweredFile)
        assert "Carl" in str(first[0])
        home.rename(home.with_name("carl"))
        invite_robot(anna)
        robot.wake()
        assert reports.answer().path.parent in robot.folders.values()
        assert reports.get(timeout=TIMEOUT_SECONDS) == ()
        assert reports.empty()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_robot_keeps_its_strength_after_a_restart(
    anna: Session, strength: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a game determines the strength of the robot."""
    strengths: list[int] = []

    def player(strength: int, random: Random) -> object:
        def choose(state: State) -> Order:
            strengths.append(strength)
            return PracticePlayer(Random(1)).choose(state)

        return SimpleNamespace(choose=choose)

    class InThread(Helper):
        def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    monkeypatch.setattr("pbem.play.robot.player_of", player)
    monkeypatch.setattr("pbem.web.server.Helper", InThread)
    reports: list[News] = []
    assert last_strength(anna.home) == min(STRENGTHS)
    path = invite_robot(anna, strength=strength).path
    for _ in range(2):
        robot = RobotThread(anna.home, "acres", reports.append)
        robot._scan()
        (file,) = reports
        assert isinstance(file, AnsweredFile)
        assert file.path.parent == path.parent == robot.folders[strength]
        answer_as_keeper(anna, file.path, PracticePlayer(Random(2)))
        reports.clear()
    assert last_strength(anna.home) == strength
    assert {*strengths} == {strength}


def test_search_of_the_robot_ends_with_the_pages(
    anna: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search of minutes delays no page, and signs nothing after the end."""
    monkeypatch.setattr("pbem.web.server.MIN_STRENGTH", 0)
    monkeypatch.setattr("pbem.play.robot._choose", choose_slowly)
    written = invite_robot(anna)
    reports = Reports()
    with running_robot(anna, reports) as robot:
        answer_as_keeper(anna, reports.answer().path, PracticePlayer(Random(2)))
        robot.wake()
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while robot._helper._pool is None and time.monotonic() < deadline:
            time.sleep(0.05)
        stop_time = time.monotonic()
    assert time.monotonic() - stop_time < THINKING_SECONDS
    assert reports.empty()
    assert len(list(written.path.parent.glob("*.toml"))) == 3


def choose_slowly(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    """Choose an order after `THINKING_SECONDS`, in another process."""
    time.sleep(THINKING_SECONDS)
    return player_of(strength, Random(seed)).choose(state)


def test_quick_game_waits_for_at_most_one_slow_file(anna: Session) -> None:
    slow = max(STRENGTHS)
    for _ in range(2):
        invite_robot(anna, strength=slow)
    reports: list[News] = []

    def report(news: News) -> None:
        if not reports:
            invite_robot(anna)
        reports.append(news)

    robot = RobotThread(anna.home, "acres", report)
    robot._scan()
    folders = [news.path.parent for news in reports if isinstance(news, AnsweredFile)]
    assert folders == [robot.folders[strength] for strength in (slow, min(STRENGTHS), slow)]
