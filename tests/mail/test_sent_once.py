"""`acres mail send`: no turn goes twice, whatever happens, and none that went by hand."""

import os
import signal
import subprocess
import time
from email import message_from_bytes
from pathlib import Path
from socket import socket

import pytest

from pbem.library import Sending
from pbem.library.post import Post
from pbem.mail.outbox import _Smtp
from tests.cli.using import COMMAND, ROOT, environment, heed_interrupts
from tests.mail.certificates import Authority
from tests.mail.players import Player, begun
from tests.mail.sending import dispatch, failure, moved_to
from tests.mail.servers import PostOffice, door
from tests.present import present


def test_what_was_sent_is_not_sent_again_but_where_it_is_wanted(
    anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    assert "was already sent" in failure(bela.run("mail", "send", joined))
    assert len(anna.inbox()) == 1
    bela.do("mail", "send", joined, "--again")
    first, second = (message_from_bytes(each) for each in anna.inbox())
    assert first["Message-ID"] == second["Message-ID"]


@pytest.mark.parametrize("matter", ["hangs_up", "dawdles"])
def test_what_may_have_arrived_is_not_sent_again(
    office: PostOffice,
    anna: Player,
    bela: Player,
    joined: Path,
    matter: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pbem.mail.outbox.PATIENCE", 1)
    bela.set_up(office.config(bela.address).replace("timeout = 5", "timeout = 1"))
    setattr(office.matter, matter, {"hangs_up": True, "dawdles": 2.5}[matter])
    sentence = failure(bela.run("mail", "send", joined))
    assert "may have arrived" in sentence
    assert "--again" in sentence
    assert len(anna.inbox()) == 1
    setattr(office.matter, matter, False)
    assert "may already have been sent" in failure(bela.run("mail", "send", joined))
    assert "nothing to send" in bela.do("mail", "send").out
    assert len(anna.inbox()) == 1
    bela.do("mail", "send", joined, "--again")
    assert len(set(office.message_ids())) == 1
    assert "was already sent" in failure(bela.run("mail", "send", joined))


def test_a_server_that_looks_through_a_letter_is_given_time(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    """Longer than for any other answer: nobody can tell by oneself what became of the letter."""
    bela.set_up(office.config(bela.address).replace("timeout = 5", "timeout = 1"))
    office.matter.dawdles = 2.5
    bela.do("mail", "send", joined)
    assert present(dispatch(bela, joined)).sending is Sending.SENT


def gets_letters(caller: socket, *answers: bytes) -> None:
    """Let somebody log in and hand over a letter, and answer it so; then the rest is read."""
    caller.sendall(b"220 hello\r\n")
    is_letter = False
    for line in caller.makefile("rb"):
        if is_letter and line != b".\r\n":
            continue
        if is_letter:
            caller.sendall(b"".join(answers))
        elif line.upper().startswith(b"EHLO"):
            caller.sendall(b"250-localhost\r\n250 AUTH PLAIN\r\n")
        elif line.upper().startswith(b"AUTH"):
            caller.sendall(b"235 OK\r\n")
        else:
            caller.sendall(b"354 go on\r\n" if line.lower() == b"data\r\n" else b"250 OK\r\n")
        is_letter = line.lower() == b"data\r\n"


@pytest.mark.parametrize("answer", [b"what?\r\n", b"354 more\r\n", b"\r\n", b"999 \xff\r\n"])
def test_an_answer_to_the_letter_that_says_nothing_is_no_refusal(
    authority: Authority, bela: Player, joined: Path, answer: bytes
) -> None:
    """It may have arrived: whoever takes that for a refusal sends it twice."""
    with door(lambda caller: gets_letters(caller, answer), authority.signs("odd")) as port:
        moved_to(bela, port)
        assert "may have arrived" in failure(bela.run("mail", "send", joined))
    assert present(dispatch(bela, joined)).sending is Sending.BEGUN


def sending(who: Player, file: Path) -> subprocess.Popen[str]:
    """The command that sends a file, in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, "--home", str(who.home), "mail", "send", str(file)],
        cwd=ROOT,
        env=environment(ACRES_MAIL_PASSWORD=who.password),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )


def wait_for_letter(who: Player) -> None:
    until = time.monotonic() + 60
    while not who.inbox() and time.monotonic() < until:
        time.sleep(0.02)


def test_whoever_presses_ctrl_c_waits_for_no_server(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.matter.dawdles = 30
    process = sending(bela, joined)
    wait_for_letter(anna)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=25)
    assert process.returncode == 130
    assert "may have been sent" in told


def test_a_kill_between_the_letter_and_the_answer_sends_nothing_twice(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.matter.dawdles = 20
    process = sending(bela, joined)
    wait_for_letter(anna)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert len(anna.inbox()) == 1
    assert present(dispatch(bela, joined)).sending is Sending.BEGUN
    office.matter.dawdles = 0
    assert "may already have been sent" in failure(bela.run("mail", "send", joined))
    bela.do("mail", "send")
    assert len(anna.inbox()) == 1


def test_ctrl_c_while_the_letter_is_handed_over_says_that_it_may_have_left(
    anna: Player, bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: _Smtp | bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("smtplib.SMTP.data", stop)
    done = bela.run("mail", "send", joined)
    assert done.status == 130
    assert "may have been sent" in done.err
    monkeypatch.undo()
    assert "may already have been sent" in failure(bela.run("mail", "send", joined))


def test_what_cannot_be_noted_as_sent_is_told_and_not_sent_again(
    anna: Player, bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.library import LibraryFailed

    def fail(*arguments: Post | bytes) -> None:
        raise LibraryFailed("the disk is gone")

    monkeypatch.setattr("pbem.library.Post.end", fail)
    done = bela.do("mail", "send", joined)
    assert "could not be noted" in done.err
    assert len(anna.inbox()) == 1
    assert "may already have been sent" in failure(bela.run("mail", "send", joined))


def test_two_at_once_send_it_once(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    """The one that comes later finds that it has been begun."""
    both = [sending(bela, joined) for _ in range(2)]
    for process in both:
        process.communicate()
    assert sorted(process.returncode for process in both) == [0, 2]
    assert len(anna.inbox()) == 1


# --- by hand


def test_what_went_by_hand_is_left_out(anna: Player, bela: Player, joined: Path) -> None:
    """As all that was written before the account was set up."""
    bela.do("mail", "send", "--by-hand")
    other = begun(anna.home, bela.home, bela.folder, "second")
    bela.do("games", "add", bela.folder)
    told = bela.do("mail", "send").out
    assert other.name in told
    assert joined.name not in told
    assert len(anna.inbox()) == 1
    assert "yourself, as you said" in failure(bela.run("mail", "send", joined))
    bela.do("mail", "send", joined, "--again")
    assert len(anna.inbox()) == 2


def test_a_letter_of_which_nobody_knew_may_have_gone_by_hand(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.matter.hangs_up = True
    bela.run("mail", "send", joined)
    bela.do("mail", "send", joined, "--by-hand")
    assert present(dispatch(bela, joined)).sending is Sending.SENT


def test_an_invitation_went_by_hand(anna: Player) -> None:
    """It names no address to which it could be sent."""
    anna.do("mail", "send", "--by-hand")
    assert anna.do("mail", "send").out.startswith("There is nothing to send")


def test_what_is_the_opponents_did_not_go_by_hand(anna: Player, bela: Player, joined: Path) -> None:
    anna.do("games", "add", bela.folder)
    failure(anna.run("mail", "send", joined, "--by-hand"))
    failure(bela.run("mail", "send", joined, "--by-hand", "--to", anna.address))


@pytest.mark.parametrize(("answer", "letters"), [("y", 2), ("n", 0)])
def test_several_letters_go_at_a_terminal_after_they_were_shown(
    anna: Player,
    bela: Player,
    joined: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    letters: int,
) -> None:
    other = begun(anna.home, bela.home, bela.folder, "second")
    bela.do("games", "add", bela.folder)
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.answers.ask", lambda prompt: answer)
    done = bela.run("mail", "send")
    assert joined.name in done.out
    assert other.name in done.out
    assert ("--by-hand" in done.out) == (letters == 0)
    assert len(anna.inbox()) == letters
