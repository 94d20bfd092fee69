"""The robot on this computer, which answers each file once."""

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
from engine.players import MIN_STRENGTH, STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.robot import (
    answer,
    check_robot,
    folder_of_robot,
    home_of_robot,
    is_vacant,
    last_strength,
    make_players,
    note_robot_file,
    open_robot,
    strength_at,
)
from pbem.play.robot_folder import RobotFolder, SkippedFile, write_answer
from pbem.play.session import Session
from pbem.play.store.entries import Trust
from pbem.protocol.identity import Identity
from tests.play.correspondents import Correspondents
from tests.play.robot_setup import (
    answer_as_keeper,
    choose_quickly,
    inbox_of,
    invite_robot,
    keeper_at,
    poll_answers,
    poll_robot,
)
from tests.signing import sign_agreed


@pytest.fixture
def anna(tmp_path: Path) -> Session:
    return keeper_at(tmp_path / "anna")


@pytest.fixture
def robot(anna: Session) -> Session:
    return open_robot(anna.home)


def reply(data: bytes, robot: Session, **options: Any) -> bytes | None:
    return answer(data, robot, make_players(MIN_STRENGTH), **options)


def answer_surely(data: bytes, robot: Session, **options: Any) -> bytes:
    answered = reply(data, robot, **options)
    assert answered is not None
    return answered


def signed_by(robot: Session, game: bytes) -> int:
    return len(robot.store.signed_hashes(game))


# --- answers


def test_same_file_gets_the_same_answer_to_the_close(anna: Session, robot: Session) -> None:
    signed_file = invite_robot(anna)
    for number in range(4):
        data = answer_surely(signed_file.data, robot)
        assert signed_by(robot, signed_file.match.id) == number + 1
        # Another process knows the signed record only from the library.
        assert answer_surely(signed_file.data, open_robot(anna.home)) == data
        assert signed_by(robot, signed_file.match.id) == number + 1
        assert anna.read(data).match.next_side is (Side.BRITISH if number < 3 else None)
        # The robot does not answer its own file.
        assert reply(data, robot) is None
        path, _ = write_answer(data, signed_file.path)
        if number < 2:
            signed_file = answer_as_keeper(anna, path, PracticePlayer(Random(3)))
        elif number == 2:
            signed_file = sign_agreed(anna, anna.answer(anna.read(path), resigns=True))


# --- two processes


class SimultaneousPlayers:
    """Players of games that choose once all processes are about to choose."""

    def __init__(self, barrier: Any) -> None:
        self._barrier = barrier
        self._players = make_players(MIN_STRENGTH)

    def __call__(self, game: bytes, seed: bytes) -> Callable[[State], Order]:
        def choose(state: State) -> Order:
            with suppress(BrokenBarrierError):
                self._barrier.wait(5)
                self._barrier.abort()
            return self._players(game, seed)(state)

        return choose


def answer_together(keeper: Path, file: Path, barrier: Any, results: Queue[object]) -> None:
    try:
        results.put(
            answer(file.read_bytes(), open_robot(Home(keeper)), SimultaneousPlayers(barrier))
        )
    except Exception as error:
        results.put(repr(error))


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_two_processes_at_once_sign_one_record_and_neither_fails(
    anna: Session, robot: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_quickly(monkeypatch)
    file = invite_robot(anna).path
    context = multiprocessing.get_context("fork")
    for number in range(3):
        barrier, results = context.Barrier(2), context.Queue()
        job = (anna.home.folder, file, barrier, results)
        processes = [context.Process(target=answer_together, args=job) for _ in range(2)]
        for process in processes:
            process.start()
        one, other = (results.get(timeout=60) for _ in processes)
        for process in processes:
            process.join()
        assert isinstance(one, bytes), one
        assert one == other
        path, is_new = write_answer(one, file)
        assert is_new
        assert write_answer(one, file) == (path, False)
        assert signed_by(robot, anna.read(path).match.id) == number + 1
        file = answer_as_keeper(anna, path, PracticePlayer(Random(number))).path


def test_answer_signed_meanwhile_is_returned(anna: Session, robot: Session) -> None:
    data, quick = invite_robot(anna).path.read_bytes(), make_players(MIN_STRENGTH)
    results: list[bytes | None] = []

    def players(game: bytes, seed: bytes) -> Callable[[State], Order]:
        results.append(answer(data, open_robot(Home(anna.home.folder)), quick))
        return quick(game, seed)

    assert [answer(data, robot, players)] == results


def test_two_robots_in_one_folder_write_one_file(anna: Session) -> None:
    invite_robot(anna)
    (joined,) = poll_robot(anna)
    signed_file = answer_as_keeper(anna, joined.path, PracticePlayer(Random(1)))
    results: list[Path] = []
    threads = [
        Thread(target=lambda: results.extend(outcome.path for outcome in poll_robot(anna)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 1
    files = [GameFile.read(file.read_bytes()) for file in signed_file.path.parent.glob("*.toml")]
    assert len(files) == 4


# --- the folder


def test_answer_that_cannot_be_written_is_written_later(
    anna: Session, robot: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, data: bytes) -> None:
        raise UsageError("no room")

    signed_file, inbox = invite_robot(anna), inbox_of(anna)
    with monkeypatch.context() as full:
        full.setattr("pbem.play.robot_folder.write_new", fail)
        (skipped_file,) = inbox.poll()
        assert isinstance(skipped_file, SkippedFile)
        assert str(skipped_file.reason) == "no room"
        # The file is reported once.
        assert list(inbox.poll()) == []
        assert len(inbox.skipped) == 1
    data = answer_surely(signed_file.data, robot)
    (answered,) = poll_answers(inbox)
    assert answered.data == answered.path.read_bytes() == data
    assert not inbox.skipped
    assert signed_by(robot, signed_file.match.id) == 1


def test_every_game_has_a_player_object(anna: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[list[int]] = []

    def one_of_many(strength: int, random: Random) -> object:
        states: list[int] = []
        turns.append(states)

        def choose(state: State) -> Order:
            states.append(state.turn)
            return PracticePlayer(Random(1)).choose(state)

        return SimpleNamespace(choose=choose)

    monkeypatch.setattr("pbem.play.robot.player_of", one_of_many)
    first, second = invite_robot(anna), invite_robot(anna)
    inbox = inbox_of(anna)
    for _ in range(3):
        answered = poll_answers(inbox)
        assert {outcome.game for outcome in answered} == {
            outcome.match.id for outcome in (first, second)
        }
        for outcome in answered:
            answer_as_keeper(anna, outcome.path, PracticePlayer(Random(3)))
    assert len(turns) == 2
    for turn_numbers in turns:
        assert turn_numbers == sorted(turn_numbers)
        assert len({*turn_numbers}) > 1


def test_skipped_file_is_forgotten_when_it_is_deleted(anna: Session, tmp_path: Path) -> None:
    stranger = Session.create(Home(tmp_path / "bela"), Identity.generate("Béla", ""))
    path = folder_of_robot(anna.home) / "game-000.toml"
    sign_agreed(stranger, stranger.invite(Side.FRENCH, lists=2), path)
    inbox = inbox_of(anna)
    (skipped_file,) = inbox.poll()
    assert isinstance(skipped_file, SkippedFile) and "does not play with just anybody" in str(
        skipped_file.reason
    )
    assert len(inbox.skipped) == 1
    path.unlink()
    assert poll_answers(inbox) == []
    assert not inbox.skipped


def test_damaged_file_is_reported_once_it_stops_changing(anna: Session) -> None:
    folder = folder_of_robot(anna.home)
    (folder / "game-000.toml").write_bytes(invite_robot(anna).data[:200])
    inbox = inbox_of(anna)
    assert [outcome for outcome in inbox.poll() if isinstance(outcome, SkippedFile)] == []
    (skipped_file,) = inbox.poll()
    assert isinstance(skipped_file, SkippedFile)
    assert skipped_file.path == folder / "game-000.toml"
    last = RobotFolder(folder, folder, lambda data: None, lambda error: error, is_last=True)
    assert list(last.poll()) == []


@pytest.mark.parametrize("strength", STRENGTHS)
def test_folder_of_a_file_determines_the_strength(
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


# --- the home


def test_keeper_trusts_the_key_of_the_robot(anna: Session) -> None:
    invite_robot(anna)
    (answered,) = poll_robot(anna)
    records = anna.read(answered.path).match.records
    before = anna.store.recognise(records)
    note_robot_file(anna.store, answered.path, anna.home)
    after = anna.store.recognise(records)
    assert before is not None
    assert after is not None
    assert (before.trust, after.trust) == (Trust.FIRST, Trust.KNOWN)


def test_robot_is_made_once_beside_its_keeper(tmp_path: Path) -> None:
    keeper = Session.create(Home(tmp_path), Identity.generate("Anna", "anna@example.org"))
    home = Home(home_of_robot(tmp_path))
    assert home.folder != tmp_path
    assert not is_vacant(keeper.home)
    assert is_vacant(home)
    with open_robot(keeper.home) as robot:
        check_robot(robot.identity)
        assert robot.identity.public_key != keeper.identity.public_key
    assert not is_vacant(home)
    assert open_robot(keeper.home).identity.public_key == robot.identity.public_key


def test_person_is_not_taken_for_a_robot(anna: Session) -> None:
    Session.create(Home(home_of_robot(anna.home.folder)), Identity.generate("Carl", ""))
    with pytest.raises(UsageError, match="Carl") as refused:
        open_robot(anna.home)
    assert "--" not in str(refused.value)


# --- hidden cards


def test_robot_sees_no_hidden_cards_of_the_opponent() -> None:
    pair, choose_one = Correspondents(Random(5)), PracticePlayer(Random(0)).choose
    states: list[State] = []

    def choose(state: State) -> Order:
        states.append(state)
        return choose_one(state)

    pair.players[Side.FRENCH] = choose
    game = pair.join(pair.invite(Side.BRITISH, lists=2))
    slots = 0
    for _ in range(8):
        game = pair.answer(game)
        hand = game.match.state.players[Side.BRITISH].hand.copy()
        states.clear()
        game = pair.answer(game)
        for state in states:
            british, french = (state.players[side] for side in Side)
            assert (british.hand, french.hidden) == (hand, [])
            slots += len(british.hidden)
    assert slots
