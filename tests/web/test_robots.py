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

PATIENCE = 60
MINUTES = 120


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    return keeper_at(tmp_path / "anna")


class Reports(Queue[News]):
    """News of the robot."""

    def answer(self) -> AnsweredFile:
        news = self.get(timeout=PATIENCE)
        assert isinstance(news, AnsweredFile)
        return news


@contextmanager
def started(keeper: Session, reports: Reports) -> Iterator[RobotThread]:
    robots = RobotThread(keeper.home, "acres", reports.put)
    robots.start()
    try:
        yield robots
    finally:
        robots.stop()


def test_problem_is_reported_once_and_when_it_is_over(anna: Session) -> None:
    """The robot's home holds the key of a person."""
    home = home_of_robot(anna.home.folder)
    Session.create(Home(home), Identity.generate("Carl", ""))
    reports = Reports()
    with started(anna, reports) as robots:
        first = reports.get(timeout=PATIENCE)
        assert not isinstance(first, AnsweredFile)
        assert "Carl" in str(first[0])
        home.rename(home.with_name("carl"))
        invite_robot(anna)
        robots.wake()
        assert reports.answer().path.parent in robots.folders.values()
        assert reports.get(timeout=PATIENCE) == ()
        assert reports.empty()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_strength_is_kept(anna: Session, strength: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a restart: the folder of a game tells the strength."""
    strengths: list[int] = []

    def player(which: int, random: Random) -> object:
        def choose(state: State) -> Order:
            strengths.append(which)
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
        robots = RobotThread(anna.home, "acres", reports.append)
        robots._scan()
        (answered,) = reports
        assert isinstance(answered, AnsweredFile)
        assert answered.path.parent == path.parent == robots.folders[strength]
        answer_as_keeper(anna, answered.path, PracticePlayer(Random(2)))
        reports.clear()
    assert last_strength(anna.home) == strength
    assert {*strengths} == {strength}


def test_its_thinking_ends_with_the_pages(anna: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thinking for minutes delays no page, and signs nothing after the end."""
    monkeypatch.setattr("pbem.web.server.MIN_STRENGTH", 0)
    monkeypatch.setattr("pbem.play.robot._choose", sleep_on_it)
    written = invite_robot(anna)
    reports = Reports()
    with started(anna, reports) as robots:
        answer_as_keeper(anna, reports.answer().path, PracticePlayer(Random(2)))
        robots.wake()
        until = time.monotonic() + PATIENCE
        while robots._helper._pool is None and time.monotonic() < until:
            time.sleep(0.05)
        began = time.monotonic()
    assert time.monotonic() - began < MINUTES
    assert reports.empty()
    assert len(list(written.path.parent.glob("*.toml"))) == 3


def sleep_on_it(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    """Think for minutes, in a process of its own."""
    time.sleep(MINUTES)
    return player_of(strength, Random(seed)).choose(state)


def test_quick_game_waits_for_one_slow_file_and_not_for_all(anna: Session) -> None:
    slow = max(STRENGTHS)
    for _ in range(2):
        invite_robot(anna, strength=slow)
    reports: list[News] = []

    def tell(news: News) -> None:
        if not reports:
            invite_robot(anna)
        reports.append(news)

    robots = RobotThread(anna.home, "acres", tell)
    robots._scan()
    folders = [news.path.parent for news in reports if isinstance(news, AnsweredFile)]
    assert folders == [robots.folders[strength] for strength in (slow, min(STRENGTHS), slow)]
