"""The robot by mail: it answers each turn with one letter, whatever happens in between."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.fetching import Fetched, fetched
from pbem.mail.wire import MailFailed
from pbem.play.game_file import GameFile
from tests.cli.using import Result, is_one_sentence
from tests.crash.state import signed_twice
from tests.mail.players import Player
from tests.mail.servers import nobody_there

SERVE = ("serve-robot", "--once")


def invite(anna: Player, robot: Player, name: str = "invitation.toml") -> None:
    file = anna.folder / name
    anna.do("new", "--side", "british", "--lists", 256, "--output", file)
    anna.do("mail", "send", file, "--to", robot.address)


def newest(who: Player) -> Path:
    """The file of a player with most records."""
    return max(who.folder.glob("*.toml"), key=lambda path: path.stat().st_size)


def play(anna: Player, *orders: str) -> None:
    """Fetch what came, answer it and send it."""
    anna.do("mail", "fetch")
    anna.do("turn", "apply", newest(anna), *orders)
    anna.do("mail", "send")


def serve(robot: Player, *options: str) -> Result:
    done = robot.run(*SERVE, *options)
    assert done.status == 0, done.err
    return done


def senders(who: Player) -> list[str]:
    return [str(message_from_bytes(each)["From"]) for each in who.inbox()]


def test_a_game_by_mail_to_its_close(anna: Player, robot: Player) -> None:
    invite(anna, robot)
    joined = serve(robot)
    assert "A robot was made" in joined.out
    assert f"Sent to {anna.address}" in joined.out
    for number in range(3):
        play(anna, *["pass"] * (2 if number else 1))
        serve(robot)
    anna.do("mail", "fetch")
    anna.do("turn", "resign", "--yes", newest(anna))
    anna.do("mail", "send")
    serve(robot)
    assert len(anna.inbox()) == 5
    anna.do("mail", "fetch")
    audited = anna.do("audit", newest(anna))
    assert "Everything in this file is proved." in audited.out
    assert GameFile.read(newest(anna).read_bytes()).match.next_side is None
    assert len(set(map(str, robot.office.message_ids()))) == len(robot.office.taken) == 10
    # With nothing new it says and sends nothing.
    assert len(serve(robot).out.splitlines()) == 1
    assert len(anna.inbox()) == 5


def test_what_it_could_not_send_goes_once_the_server_is_back(anna: Player, robot: Player) -> None:
    invite(anna, robot)
    config = robot.office.config(robot.address, folder=str(robot.folder))
    robot.set_up(config.replace(f"port = {robot.office.smtps}", f"port = {nobody_there()}"))
    failed = robot.run(*SERVE)
    assert failed.status == 2
    assert "No mail server answers" in failed.err
    assert not anna.inbox()
    robot.set_up(config)
    serve(robot)
    assert len(anna.inbox()) == 1
    serve(robot)
    assert len(anna.inbox()) == 1
    assert not signed_twice(robot.home.parent)


def test_it_goes_on_by_itself_when_what_was_wrong_is_over(
    anna: Player, robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mailbox that is down is asked less often; a letter that is refused for now goes later."""
    invite(anna, robot)
    waits: list[float] = []
    down = MailFailed("The mailbox is down.", may_pass=True)
    found = iter([down, down])

    def look(*words: Any) -> Generator[Fetched, None, None]:
        for failure in found:
            raise failure
        return fetched(*words)

    def wait(seconds: float) -> None:
        waits.append(seconds)
        robot.office.matter.spurns = "451 4.7.1 Greylisted" if len(waits) < 4 else ""
        if len(waits) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr("pbem.mail.robot.fetched", look)
    monkeypatch.setattr("time.sleep", wait)
    robot.office.matter.spurns = "451 4.7.1 Greylisted"
    ended = robot.run("serve-robot", "--every", "10s")
    assert ended.status == 130
    assert waits == [20, 40, 10, 10, 10]
    assert ended.err.count("The mailbox is down. It will be tried again.") == 1
    assert "Greylisted" in ended.err
    assert len(anna.inbox()) == 1


def test_a_login_that_is_refused_ends_it(anna: Player, robot: Player) -> None:
    ended = replace(robot, password="wrong").run("serve-robot", "--every", "10s")
    assert (ended.status, "refuses the login" in ended.err) == (2, True)


def test_what_was_filed_and_not_answered_is_found_again(
    anna: Player, robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped right before it answers."""
    invite(anna, robot)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr("pbem.play.robot.answering.Correspondence.answer", stop)
        assert robot.run(*SERVE).status == 130
    assert not anna.inbox()
    serve(robot)
    assert len(anna.inbox()) == 1
    play(anna, "pass")
    with monkeypatch.context() as stopped:
        stopped.setattr("pbem.play.robot.answering.Correspondence.answer", stop)
        assert robot.run(*SERVE).status == 130
    serve(robot)
    assert len(anna.inbox()) == 2


def test_a_letter_that_comes_twice_is_answered_once(anna: Player, robot: Player) -> None:
    robot.office.matter.twice = True
    invite(anna, robot)
    serve(robot)
    robot.office.matter.twice = False
    robot.office.deliver(robot.address, robot.inbox()[0])
    serve(robot)
    assert len(robot.office.taken) == 2


def test_what_it_signed_and_does_not_remember_it_stopped_early_with(
    anna: Player, robot: Player
) -> None:
    invite(anna, robot)
    serve(robot)
    play(anna, "pass")
    serve(robot)
    (robot.home / "library.sqlite3").unlink()
    for path in robot.folder.iterdir():
        path.unlink()
    for _ in range(2):
        refused = robot.run(*SERVE)
        assert (refused.status, is_one_sentence(refused.err)) == (2, True)
        assert "does not remember what the robot signed" in refused.err
    assert len(anna.inbox()) == 2


def test_strangers_are_told_nothing(anna: Player, robot: Player) -> None:
    invite(anna, robot)
    refused = serve(robot, "--only", "bela@example.org")
    assert "does not play with anna@example.org" in refused.out
    assert not anna.inbox()
    invite(anna, robot, "second.toml")
    robot.office.deliver(robot.address, b"From: x@example.org\n\nformat = acres-save\nnothing\n")
    serve(robot, "--only", "anna@example.org")
    assert len(anna.inbox()) == 1


def test_an_invitation_without_an_address_is_left_alone_and_its_sender_told(
    anna: Player, robot: Player
) -> None:
    robot.office.open_account("zoe@example.org", "zanzibar-zoe")
    robot.office.clear("zoe@example.org")
    nameless = anna.home.parent / "nameless"
    anna.do("--home", nameless, "init", "--name", "Zoe")
    file = anna.folder / "nameless.toml"
    anna.do("--home", nameless, "new", "--side", "any", "--output", file)
    message = b"From: Zoe <zoe@example.org>\nSubject: Play?\n\n" + file.read_bytes()
    robot.office.deliver(robot.address, message)
    assert "names no address to which the robot could write" in serve(robot).out
    (told,) = robot.office.inbox("zoe@example.org")
    assert b"not accepted" in told
    assert b".toml" not in told


def test_without_an_account_it_says_how_to_set_one_up(robot: Player) -> None:
    (robot.home / "config.toml").unlink()
    refused = robot.run(*SERVE)
    assert refused.status == 2
    assert "mail setup" in refused.err
    assert not (robot.home / "identity.toml").exists()
