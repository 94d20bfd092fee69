"""The robot on this computer: it answers its keeper, whoever put the files there."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Queue
from random import Random
from threading import BrokenBarrierError, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from engine.order import Order
from engine.players import STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.errors import AcresError
from pbem.library.acquaintances import Trust
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.robot.at_home import Answered, RobotAtHome, key_of_robot, take_note
from pbem.play.robot.game_folders import folder_of_robot, last_strength, strength_at
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.play.keeping_a_robot import choose_quickly, invited, keeper_at, move, robot_of


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    return keeper_at(tmp_path / "anna")


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


def test_each_game_has_a_player_of_its_own_as_long_as_it_goes_on(
    anna: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who remembers what a game has seen takes nothing of it into another."""
    turns: list[list[int]] = []

    def one_of_many(strength: int, random: Random) -> object:
        seen: list[int] = []
        turns.append(seen)

        def choose(state: State) -> Order:
            seen.append(state.turn)
            return PracticePlayer(Random(1)).choose(state)

        return SimpleNamespace(choose=choose)

    monkeypatch.setattr("pbem.play.robot.player.player_of", one_of_many)
    first, second = invited(anna), invited(anna)
    robot = robot_of(anna)
    for _ in range(3):
        answered = list(robot.look())
        assert {each.game for each in answered} == {each.match.id for each in (first, second)}
        for each in answered:
            move(anna, each.path, PracticePlayer(Random(3)))
    assert len(turns) == 2
    for seen in turns:
        assert seen == sorted(seen)
        assert len({*seen}) > 1


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


class AtOnce:
    """Does what a helper does, once every other one is about to do it, too."""

    def __init__(self, barrier: Any) -> None:
        self._barrier = barrier

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with suppress(BrokenBarrierError):
            self._barrier.wait(5)
            self._barrier.abort()
        return function(*arguments)


def answer_at_once(keeper: Path, file: Path, barrier: Any, found: Queue[object]) -> None:
    """What comes of a file, in a process of its own."""
    home = Home(keeper)
    assert home.own_key

    def refused(error: Exception) -> AcresError:
        raise error

    robot = RobotAtHome(home, home.own_key, refused, 2, AtOnce(barrier))  # type: ignore[arg-type]
    try:
        answered = robot.answer(file)
        found.put(answered.path if answered else None)
    except Exception as error:
        found.put(repr(error))


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_two_processes_at_once_sign_one_record_and_neither_fails(
    anna: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board and a command, both of which had looked up what was signed before either signed."""
    choose_quickly(monkeypatch)
    folder_of_robot(anna.home, 2).mkdir()
    file = invited(anna, strength=2).path
    context = multiprocessing.get_context("fork")
    for _ in range(2):
        barrier, found = context.Barrier(2), context.Queue()
        job = (anna.home.folder, file, barrier, found)
        processes = [context.Process(target=answer_at_once, args=job) for _ in range(2)]
        for process in processes:
            process.start()
        told = [found.get(timeout=60) for _ in processes]
        for process in processes:
            process.join()
        paths = {each for each in told if each is not None}
        (path,) = paths
        assert isinstance(path, Path), told
        records = GameFile.read(path.read_bytes()).match.records
        number = len(records) - 1
        files = [GameFile.read(each.read_bytes()) for each in path.parent.glob("*.toml")]
        ends = {each.match.last.hash for each in files if each.match.last.index == number}
        assert ends == {records[-1].hash}
        file = move(anna, path, PracticePlayer(Random(number))).path


def test_the_file_that_it_is_given_is_answered_and_no_other(anna: Session) -> None:
    """A front end that waits for one answer is not kept waiting for those of other games."""
    first, second = invited(anna), invited(anna)
    robot = robot_of(anna)
    answered = robot.answer(second.path)
    assert answered is not None
    assert answered.game == second.match.id != first.match.id
    # Another front end may have it answered just then.
    assert robot_of(anna).answer(second.path) is None
    assert [each.game for each in robot_of(anna).look()] == [first.match.id]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_where_a_file_lies_says_how_strong_the_robot_plays_its_game(
    anna: Session, strength: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of_robot(anna.home, strength)
    folder.mkdir(exist_ok=True)
    path = folder / "game-000.toml"
    assert strength_at(anna.home, path) == strength
    assert strength_at(anna.home, folder.parent.parent / "game-000.toml") is None
    monkeypatch.chdir(anna.home.folder.parent)
    assert strength_at(Home(Path("anna")), path) == strength
    assert last_strength(anna.home) in (strength, min(STRENGTHS))


def test_its_keeper_need_not_ask_by_telephone_whose_key_it_is(anna: Session) -> None:
    invited(anna)
    (answered,) = robot_of(anna).look()
    records = anna.read(answered.path).match.records
    before = anna.library.recognise(records)
    take_note(anna.library, answered.path, key_of_robot(anna.home))
    after = anna.library.recognise(records)
    assert before is not None
    assert after is not None
    assert (before.trust, after.trust) == (Trust.FIRST, Trust.KNOWN)
