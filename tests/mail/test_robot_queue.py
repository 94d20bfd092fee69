"""Who finds no place at a robot's table waits for one: in turn, and told so once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.library.guest_book import Guest, GuestBook, Waiting
from pbem.library.post import Looked, Post
from pbem.mail.outbox import Outgoing
from pbem.play.game_file import GameFile
from pbem.play.robot.claims import Claims
from pbem.play.robot.queue import MOST_WAITING, in_order, may_wait
from pbem.protocol.identity import Identity
from tests.cli.processes import environment
from tests.mail.players import Player, mailbox_of
from tests.mail.robots import NOW, identity, inbox, invited, refusals, serve

pytestmark = pytest.mark.usefixtures("noon")
ONE = ("--games", 1)


def strangers(robot: Player, count: int) -> list[str]:
    """The addresses of that many who have invited the robot, each once, one after the other."""
    names = [f"Guest{number}" for number in range(count)]
    addresses = [mailbox_of(robot.office, name) for name in names]
    for name, address in zip(names, addresses, strict=True):
        invited(robot, Identity.generate(name, address), address)
    return addresses


def places_told(robot: Player, address: str) -> list[str]:
    """The letters that told somebody of their place."""
    texts = [" ".join(str(each.get_payload()).split()) for each in refusals(robot, address)]
    return [text for text in texts if "Your invitation is number" in text]


def plays_with(robot: Player, address: str) -> bool:
    """Whether somebody got a file from the robot."""
    return any(not each["Auto-Submitted"] for each in inbox(robot, address))


def test_who_finds_no_place_waits_and_is_told_once(robot: Player) -> None:
    first, second, third = strangers(robot, 3)
    told = serve(robot, *ONE).out
    assert told.count("is waiting for a place at the table") == 2
    assert "Told guest1@example.org that game" in told
    assert plays_with(robot, first)
    for number, address in ((1, second), (2, third)):
        (letter,) = places_told(robot, address)
        assert f"number {number} in the queue." in letter
        assert not plays_with(robot, address)
    (sent,) = refusals(robot, second)
    assert str(sent["Subject"]).endswith(": waits for a place")
    assert sent["In-Reply-To"]
    # Nobody is told again, not when it looks again, nor when the same comes again.
    robot.office.deliver(robot.address, robot.inbox()[1])
    for days in (0.1, 2):
        serve(robot, *ONE, days=days)
    # The first one never moved.
    serve(robot, *ONE, days=3.1)
    assert plays_with(robot, second)
    assert not plays_with(robot, third)
    serve(robot, *ONE, days=6.2)
    assert plays_with(robot, third)
    assert [len(places_told(robot, each)) for each in (first, second, third)] == [0, 1, 1]


def test_nobody_who_comes_later_goes_before_who_waits(robot: Player) -> None:
    _, second = strangers(robot, 2)
    serve(robot, *ONE)
    # A place becomes free, and somebody else comes at once.
    late = mailbox_of(robot.office, "Late")
    invited(robot, Identity.generate("Late", late), late)
    serve(robot, *ONE, days=3.1)
    assert plays_with(robot, second)
    assert not plays_with(robot, late)
    (letter,) = places_told(robot, late)
    assert "number 1 in the queue." in letter


def test_a_letter_that_no_person_sent_waits_and_is_not_answered(robot: Player) -> None:
    strangers(robot, 1)
    quiet = mailbox_of(robot.office, "Quiet")
    invited(robot, Identity.generate("Quiet", quiet), quiet, Precedence="bulk")
    assert "is waiting for a place" in serve(robot, *ONE).out
    assert not inbox(robot, quiet)
    serve(robot, *ONE, days=3.1)
    assert plays_with(robot, quiet)


def test_who_may_have_been_told_is_not_told_again(
    robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The robot is stopped while the letter leaves."""
    _, second = strangers(robot, 2)
    send = Outgoing.send

    def stop(*given: object) -> None:
        send(*given)  # type: ignore[arg-type]
        if b"waits for a place" in robot.office.taken[-1]:
            raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(Outgoing, "send", stop)
        assert robot.run("serve-robot", "--once", *ONE).status == 130
    serve(robot, *ONE)
    assert len(places_told(robot, second)) == 1


def test_who_cannot_be_told_now_is_told_later_and_who_never_can_is_left(robot: Player) -> None:
    _, second = strangers(robot, 2)
    robot.office.matter.only_refuses = "waits for a place"
    serve(robot, *ONE)
    assert not places_told(robot, second)
    robot.office.matter.only_refuses = ""
    # That was for good.
    serve(robot, *ONE)
    assert not places_told(robot, second)
    third = mailbox_of(robot.office, "Third")
    invited(robot, Identity.generate("Third", third), third)
    robot.office.matter.refuses = "450 4.2.1 Not now"
    serve(robot, *ONE)
    robot.office.matter.refuses = ""
    serve(robot, *ONE)
    assert len(places_told(robot, third)) == 1


def test_after_a_month_nobody_waits_any_more(robot: Player) -> None:
    _, second = strangers(robot, 2)
    serve(robot, *ONE)
    assert len(list(robot.folder.glob("acres-*-000.toml"))) == 1
    serve(robot, *ONE, days=31)
    assert not list(robot.folder.iterdir())
    assert not plays_with(robot, second)


@pytest.mark.parametrize("is_there", [True, False])
def test_who_got_a_place_meanwhile_loses_no_file(
    anna: Player, robot: Player, is_there: bool
) -> None:
    """Another process gave it away, and the game has gone on, since this one saw who waits."""
    invited(robot, anna, anna.address)
    serve(robot)
    anna.do("mail", "fetch")
    (file,) = anna.folder.glob("acres-*-001.toml")
    anna.do("turn", "apply", file, "pass")
    anna.do("mail", "send")
    serve(robot)
    files = sorted(robot.folder.iterdir())
    assert len(files) == 2
    invitation = robot.folder / "waiting.toml"
    if is_there:
        invitation.write_bytes((anna.home / "invitation.toml").read_bytes())
    book = GuestBook(robot.home / "library.sqlite3", identity(robot).public_key)
    game = GameFile.read(files[0].read_bytes()).match.id
    now = f"{NOW:%Y-%m-%dT%H:%M:%SZ}"
    book.wait(Waiting(game, b"", anna.address, now, invitation.name, "", now))
    serve(robot)
    assert [path for path in files if path.exists()] == files
    assert not book.waiting()


# --- in which order


def waiting(number: int, guest: int) -> Waiting:
    return Waiting(bytes([number]), bytes([guest]), f"{guest}@example.org", "", "", "", "")


def seated(guest: int) -> Guest:
    return Guest(b"", bytes([guest]), f"{guest}@example.org", "", "")


@given(st.lists(st.integers(0, 4), max_size=20), st.lists(st.integers(0, 4), max_size=5))
def test_nobody_comes_sooner_to_a_place_by_asking_more_often(
    came: list[int], has: list[int]
) -> None:
    there = [waiting(number, guest) for number, guest in enumerate(came)]
    order = in_order(there, map(seated, has))
    assert sorted(each.game for each in order) == sorted(each.game for each in there)
    for place, each in enumerate(order):
        before = [one.guest for one in order[:place]] + [bytes([guest]) for guest in has]
        # Whoever is behind had no fewer turns by then.
        assert all(before.count(each.guest) <= before.count(later.guest) for later in order[place:])
    # Of one guest, and in one round, it is as they came.
    for guest in set(came):
        own = [each.game for each in order if each.guest == bytes([guest])]
        assert own == sorted(own)


def test_so_many_wait_with_one_key_or_from_one_address_and_no_more() -> None:
    there = [waiting(1, 7), waiting(2, 7)]
    assert may_wait(there, b"\x07", "new@example.org", 3)
    assert not may_wait(there, b"\x07", "new@example.org", 2)
    assert not may_wait(there, b"new", "7@example.org", 2)
    full = [waiting(number % 256, number % 256) for number in range(MOST_WAITING)]
    assert not may_wait(full, b"new", "new@example.org", 2)


# --- several processes


def test_a_claim_ends_with_who_has_it(tmp_path: Path) -> None:
    """Whoever is killed does not keep others from going on."""
    game = b"\x01" * 32
    has = (
        "import sys; from pathlib import Path; from pbem.play.robot.claims import Claims\n"
        f"with Claims(Path({str(tmp_path)!r})).game({game!r}):\n"
        " print(flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", has],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    with other:
        assert other.stdout is not None
        other.stdout.readline()
        claims = Claims(tmp_path)
        assert claims.is_taken(game)
        assert not claims.is_taken(b"\x02" * 32)
        os.kill(other.pid, signal.SIGKILL)
        with claims.game(game), claims.table():
            assert claims.is_taken(game)
    assert not claims.is_taken(game)


def test_who_is_behind_does_not_take_back_how_far_another_has_come(tmp_path: Path) -> None:
    post = Post(tmp_path / "library.sqlite3", b"key")
    for validity, uid, stands in ((1, 50, 50), (1, 100, 100), (1, 60, 100), (2, 7, 7)):
        post.look("here", Looked(validity, uid))
        assert post.looked("here") == Looked(validity, stands)
