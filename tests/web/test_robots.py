"""The robot of this computer: it answers its keeper, whoever put the files there."""

from __future__ import annotations

import time
from pathlib import Path
from queue import Queue
from random import Random
from threading import Thread
from typing import Any

import pytest

from engine.order import Order
from engine.players import STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.play.game_file import GameFile
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.memory import Written
from pbem.play.robot.player import Choose, unpredictable
from pbem.play.robot.robot_home import home_of_robot
from pbem.play.session import Session, Turn
from pbem.protocol.identity import Identity
from pbem.web.robots import Answered, News, RobotAtHome, Robots, Troubles, folder_of_robot

PATIENCE = 20
MINUTES = 120


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    session = Session.create(Home(tmp_path / "anna"), Identity.generate("Anna", ""))
    folder_of_robot(session.home).mkdir(parents=True)
    return session


def robot_of(keeper: Session) -> RobotAtHome:
    return RobotAtHome(keeper.home, keeper.identity.public_key, "acres")


def invited(keeper: Session, side: Side | None = Side.BRITISH, strength: int = 1) -> Written:
    invitation = keeper.invite(side, lists=2)
    return invitation.sign(folder_of_robot(keeper.home, strength) / invitation.path)


def signed(turn: Turn) -> Written:
    for question in turn.questions():
        turn.agree(question)
    return turn.sign()


def move(keeper: Session, path: Path, choose: PracticePlayer) -> Written:
    turn = keeper.answer(keeper.read(path))
    while not turn.is_complete:
        turn.order(choose.choose(turn.view()))
    return signed(turn)


def test_it_plays_on_after_it_was_stopped_in_the_middle(anna: Session) -> None:
    choose = PracticePlayer(Random(3))
    invited(anna)
    for _ in range(4):
        # Each time another one, which knows what the last one signed by its library alone.
        answered = list(robot_of(anna).look())
        assert len(answered) == 1
        assert list(robot_of(anna).look()) == []
        game = anna.read(answered[0].path)
        assert game.match.id == answered[0].game
        assert game.match.next_side is Side.BRITISH
        move(anna, answered[0].path, choose)
    assert len(list(robot_of(anna).look())) == 1


def test_where_the_choice_is_its_own_it_takes_a_side(anna: Session) -> None:
    invited(anna, None)
    (answered,) = robot_of(anna).look()
    assert anna.read(answered.path).match.is_joined


def test_it_takes_up_as_many_games_of_its_keeper_as_are_begun(anna: Session) -> None:
    """The limits of a robot that strangers write to are none of its keeper's."""
    for _ in range(12):
        invited(anna)
    robot = robot_of(anna)
    assert len(list(robot.look())) == 12
    assert robot.troubles == ()


def test_it_plays_with_nobody_else(anna: Session, tmp_path: Path) -> None:
    stranger = Session.create(Home(tmp_path / "bela"), Identity.generate("Béla", ""))
    stranger.invite(Side.FRENCH, lists=2).sign(folder_of_robot(anna.home) / "game-000.toml")
    robot = robot_of(anna)
    assert list(robot.look()) == []
    assert len(robot.troubles) == 1
    (folder_of_robot(anna.home) / "game-000.toml").unlink()
    assert list(robot.look()) == []
    assert not robot.troubles


def test_two_of_one_home_sign_one_record(anna: Session) -> None:
    """As where `acres serve-robot` runs beside it: their library decides."""
    invited(anna)
    (joined,) = robot_of(anna).look()
    written = move(anna, joined.path, PracticePlayer(Random(1)))
    found: list[Answered] = []
    threads = [Thread(target=lambda: found.extend(robot_of(anna).look())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = {
        GameFile.read(file.read_bytes()).match.last.hash
        for file in written.path.parent.glob("*.toml")
        if GameFile.read(file.read_bytes()).match.last.index == written.match.last.index + 1
    }
    assert len(answers) == 1
    assert {each.path for each in found} <= set(written.path.parent.iterdir())


def test_what_keeps_it_from_playing_is_told_once_and_when_it_is_over(anna: Session) -> None:
    """A person's key lies where the robot's should."""
    home = home_of_robot(anna.home.folder)
    Session.create(Home(home), Identity.generate("Carl", ""))
    told: Queue[News] = Queue()
    robots = Robots(anna.home, "acres", told.put)
    robots.start()
    try:
        first = told.get(timeout=PATIENCE)
        assert isinstance(first, Troubles)
        assert "Carl" in str(first.told[0])
        home.rename(home.with_name("carl"))
        invited(anna)
        robots.wake()
        answered = told.get(timeout=PATIENCE)
        assert isinstance(answered, Answered)
        assert robots.plays(answered.path)
        assert told.get(timeout=PATIENCE) == Troubles(())
        assert told.empty()
    finally:
        robots.stop()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_game_goes_on_as_strong_as_it_was_begun(
    anna: Session, strength: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a restart: nothing but where its files lie says how strong."""
    asked: list[int] = []

    def asking(which: int) -> Choose:
        def choose(state: State) -> Order:
            asked.append(which)
            return PracticePlayer(Random(1)).choose(state)

        return choose

    class Beside(Helper):
        def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    monkeypatch.setattr("pbem.web.robots.unpredictable", asking)
    monkeypatch.setattr("pbem.web.robots.Helper", Beside)
    told: Queue[News] = Queue()
    before = Robots(anna.home, "acres", told.put)
    assert before.strength == min(STRENGTHS)
    invited(anna, strength=strength)
    before.start()
    try:
        joined = told.get(timeout=PATIENCE)
    finally:
        before.stop()
    assert isinstance(joined, Answered)
    move(anna, joined.path, PracticePlayer(Random(2)))
    after = Robots(anna.home, "acres", told.put)
    after.start()
    try:
        answered = told.get(timeout=PATIENCE)
    finally:
        after.stop()
    assert isinstance(answered, Answered)
    assert after.plays(answered.path)
    assert after.strength == strength
    assert {*asked} == {strength}


def test_what_it_thinks_over_ends_with_the_pages(
    anna: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who thinks for minutes keeps nobody waiting, and signs nothing afterwards."""
    monkeypatch.setattr("pbem.web.robots.QUICK", 0)
    monkeypatch.setattr("pbem.web.robots._choose", sleep_on_it)
    written = invited(anna)
    told: Queue[News] = Queue()
    robots = Robots(anna.home, "acres", told.put)
    robots.start()
    joined = told.get(timeout=PATIENCE)
    assert isinstance(joined, Answered)
    move(anna, joined.path, PracticePlayer(Random(2)))
    robots.wake()
    begun = until_begun(robots)
    robots.stop()
    assert time.monotonic() - begun < MINUTES
    assert told.empty()
    assert len(list(written.path.parent.glob("*.toml"))) == 3


def sleep_on_it(strength: int, state: State) -> Order:
    """Think for minutes, in a process of its own."""
    time.sleep(MINUTES)
    return unpredictable(strength)(state)


def until_begun(robots: Robots) -> float:
    """When it is being thought over."""
    until = time.monotonic() + PATIENCE
    while robots._helper._pipe is None and time.monotonic() < until:
        time.sleep(0.05)
    return time.monotonic()


def test_a_quick_game_waits_for_one_file_of_those_that_take_long_and_not_for_all(
    anna: Session,
) -> None:
    slow = max(STRENGTHS)
    for _ in range(2):
        invited(anna, strength=slow)
    told: list[News] = []

    def tell(news: News) -> None:
        if not told:
            invited(anna)
        told.append(news)

    robots = Robots(anna.home, "acres", tell)
    robots._look()
    places = [news.path.parent for news in told if isinstance(news, Answered)]
    assert places == [robots.folders[each] for each in (slow, min(STRENGTHS), slow)]


def test_a_file_that_it_is_told_of_is_answered_at_once(anna: Session) -> None:
    told: Queue[News] = Queue()
    robots = Robots(anna.home, "acres", told.put)
    robots.start()
    try:
        invited(anna)
        robots.wake()
        joined = told.get(timeout=PATIENCE)
        assert isinstance(joined, Answered)
        written = move(anna, joined.path, PracticePlayer(Random(2)))
        robots.wake()
        answered = told.get(timeout=PATIENCE)
        assert isinstance(answered, Answered)
        assert answered.game == written.match.id
    finally:
        robots.stop()
