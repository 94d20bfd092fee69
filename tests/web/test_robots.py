"""The robot on this host beside the pages: it is told of, and keeps none of them waiting."""

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
from tests.play.keeping_a_robot import invited, keeper_at, move

PATIENCE = 60
MINUTES = 120


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    return keeper_at(tmp_path / "anna")


@contextmanager
def started(keeper: Session, told: Queue[News]) -> Iterator[RobotThread]:
    """The robots of a player, until the end of the block."""
    robots = RobotThread(keeper.home, "acres", told.put)
    robots.start()
    try:
        yield robots
    finally:
        robots.stop()


def test_what_keeps_it_from_playing_is_told_once_and_when_it_is_over(anna: Session) -> None:
    """A person's key lies where the robot's should."""
    home = home_of_robot(anna.home.folder)
    Session.create(Home(home), Identity.generate("Carl", ""))
    told: Queue[News] = Queue()
    with started(anna, told) as robots:
        first = told.get(timeout=PATIENCE)
        assert not isinstance(first, AnsweredFile)
        assert "Carl" in str(first[0])
        home.rename(home.with_name("carl"))
        invited(anna)
        robots.wake()
        answered = told.get(timeout=PATIENCE)
        assert isinstance(answered, AnsweredFile)
        assert answered.path.parent in robots.folders.values()
        assert told.get(timeout=PATIENCE) == ()
        assert told.empty()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_strength_is_kept(anna: Session, strength: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a restart: nothing but where its files lie says how strong."""
    asked: list[int] = []

    def asking(which: int, random: Random) -> object:
        def choose(state: State) -> Order:
            asked.append(which)
            return PracticePlayer(Random(1)).choose(state)

        return SimpleNamespace(choose=choose)

    class Beside(Helper):
        def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    monkeypatch.setattr("pbem.play.robot.player_of", asking)
    monkeypatch.setattr("pbem.web.server.Helper", Beside)
    told: Queue[News] = Queue()
    assert last_strength(anna.home) == min(STRENGTHS)
    invited(anna, strength=strength)
    with started(anna, told):
        joined = told.get(timeout=PATIENCE)
    assert isinstance(joined, AnsweredFile)
    move(anna, joined.path, PracticePlayer(Random(2)))
    with started(anna, told) as after:
        answered = told.get(timeout=PATIENCE)
    assert isinstance(answered, AnsweredFile)
    assert answered.path.parent in after.folders.values()
    assert last_strength(anna.home) == strength
    assert {*asked} == {strength}


def test_its_thinking_ends_with_the_pages(anna: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who thinks for minutes keeps nobody waiting, and signs nothing afterwards."""
    monkeypatch.setattr("pbem.web.server.QUICK", 0)
    monkeypatch.setattr("pbem.play.robot._choose", sleep_on_it)
    written = invited(anna)
    told: Queue[News] = Queue()
    robots = RobotThread(anna.home, "acres", told.put)
    robots.start()
    joined = told.get(timeout=PATIENCE)
    assert isinstance(joined, AnsweredFile)
    move(anna, joined.path, PracticePlayer(Random(2)))
    robots.wake()
    begun = until_begun(robots)
    robots.stop()
    assert time.monotonic() - begun < MINUTES
    assert told.empty()
    assert len(list(written.path.parent.glob("*.toml"))) == 3


def sleep_on_it(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    """Think for minutes, in a process of its own."""
    time.sleep(MINUTES)
    return player_of(strength, Random(seed)).choose(state)


def until_begun(robots: RobotThread) -> float:
    """When it is being thought over."""
    until = time.monotonic() + PATIENCE
    while robots._helper._pool is None and time.monotonic() < until:
        time.sleep(0.05)
    return time.monotonic()


def test_a_quick_game_waits_for_one_slow_file_and_not_for_all(anna: Session) -> None:
    slow = max(STRENGTHS)
    for _ in range(2):
        invited(anna, strength=slow)
    told: list[News] = []

    def tell(news: News) -> None:
        if not told:
            invited(anna)
        told.append(news)

    robots = RobotThread(anna.home, "acres", tell)
    robots._look()
    places = [news.path.parent for news in told if isinstance(news, AnsweredFile)]
    assert places == [robots.folders[each] for each in (slow, min(STRENGTHS), slow)]
