"""A library that was lost, by mail: no letter goes out, and no invitation is taken up twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.using import Result, is_one_sentence
from tests.crash.state import signed_twice
from tests.mail.arriving import letter
from tests.mail.players import Player
from tests.mail.test_robot import SERVE, invite, newest, play, serve


def lose(who: Player, *, with_files: bool = True) -> None:
    (who.home / "library.sqlite3").unlink()
    if with_files:
        for path in who.folder.iterdir():
            path.unlink()


def refused(done: Result) -> str:
    assert (done.status, is_one_sentence(done.err)) == (2, True), done
    return done.err


@pytest.mark.parametrize("options", [[], ["--replace"]])
@pytest.mark.parametrize("fetched", [True, False])
def test_an_older_file_is_not_answered_and_sent(
    anna: Player, bela: Player, played: dict[int, Path], options: list[str], *, fetched: bool
) -> None:
    """Not even where the file came by mail, and all that it holds was learnt from it."""
    lose(anna)
    if fetched:
        anna.office.deliver(anna.address, letter(played[3].read_bytes()))
        assert "did not remember your part" in anna.do("mail", "fetch").err
        file = newest(anna)
    else:
        file = Path(shutil.copy(played[3], anna.folder))
    for words in (("apply", file, "draft rangers", "pass"), ("resign", file, "--yes")):
        told = refused(anna.run("turn", *words, "--send", *options))
        assert "does not remember your part in this game" in told
    assert anna.files == [file.name]
    assert not bela.inbox()
    anna.do("turn", "apply", file, "pass", "pass", "--send", "--newest")
    assert len(bela.inbox()) == 1


def test_the_robot_takes_no_invitation_twice(anna: Player, robot: Player) -> None:
    invite(anna, robot)
    serve(robot)
    lose(robot)
    for _ in range(2):
        # The first letter is still there, and comes again.
        robot.office.deliver(robot.address, robot.inbox()[0])
        told = refused(robot.run(*SERVE))
        assert "does not remember what the robot signed" in told
        assert "--newest" in told
    robot.do("mail", "fetch")
    refused(robot.run(*SERVE))
    assert len(anna.inbox()) == 1
    assert not signed_twice(robot.home.parent)


def test_the_robot_plays_on_once_its_keeper_vouches_for_what_comes(
    anna: Player, robot: Player
) -> None:
    """From its files it learns what it answered; what it refused before is still to be found."""
    invite(anna, robot)
    serve(robot)
    play(anna, "pass")
    lose(robot, with_files=False)
    refused(robot.run(*SERVE))
    assert len(anna.inbox()) == 1
    serve(robot, "--newest")
    assert len(anna.inbox()) == 2
    play(anna, "pass", "pass")
    serve(robot)
    assert len(anna.inbox()) == 3
    assert not signed_twice(robot.home.parent)


def test_a_library_deleted_between_two_looks_of_the_robot(
    anna: Player, robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite(anna, robot)

    def wait(_seconds: float) -> None:
        lose(robot)

    monkeypatch.setattr("time.sleep", wait)
    ended = robot.run("serve-robot", "--every", "10s")
    assert "does not remember what the robot signed" in ended.err
    assert (ended.status, len(anna.inbox())) == (2, 1)
