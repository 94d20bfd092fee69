"""The robot of this computer: it answers its keeper, whoever put the files there."""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Thread

import pytest

from engine.players import STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.library.acquaintances import Trust
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.robot.at_home import (
    Answered,
    folder_of_robot,
    key_of_robot,
    last_strength,
    strength_at,
    take_note,
)
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.play.keeping_a_robot import invited, keeper_at, move, robot_of


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
