"""`acres mail send` sends no turn twice, or after it was sent by hand, and stores one copy."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from pbem.errors import UsageError
from pbem.play.store import Sending, StoreError
from tests.cli.commands import start
from tests.mail.messages import open_inbox
from tests.mail.players import Player, begin_game
from tests.mail.sent_messages import dispatch, failure, parse
from tests.requirements import require


def test_message_is_resent_only_on_request(anna: Player, bela: Player) -> None:
    bela.do("mail", "send", bela.file)
    assert "was already sent" in failure(bela.run("mail", "send", bela.file))
    assert len(anna.inbox()) == 1
    bela.do("mail", "send", bela.file, "--again")
    first, second = map(parse, anna.inbox())
    assert first["Message-ID"] == second["Message-ID"]


@pytest.mark.parametrize(("fault", "value"), [("hangs_up", True), ("delay", 2.5)])
def test_doubtful_message_is_not_resent(
    anna: Player, bela: Player, monkeypatch: pytest.MonkeyPatch, fault: str, value: float
) -> None:
    monkeypatch.setattr("pbem.mail.smtp.MESSAGE_TIMEOUT_FACTOR", 1)
    bela.set_up(anna.office.config(bela.address).replace("timeout = 5", "timeout = 1"))
    setattr(anna.office.faults, fault, value)
    sentence = failure(bela.run("mail", "send", bela.file))
    assert "may have arrived" in sentence and "--again" in sentence
    setattr(anna.office.faults, fault, 0)
    assert "may already have been sent" in failure(bela.run("mail", "send", bela.file))
    assert "nothing to send" in bela.do("mail", "send").out
    assert len(anna.inbox()) == 1
    bela.do("mail", "send", bela.file, "--again")
    assert len(set(anna.office.message_ids())) == 1
    assert "was already sent" in failure(bela.run("mail", "send", bela.file))


def test_slow_acceptance_of_a_message_is_awaited(bela: Player) -> None:
    """The timeout is longer than for other answers, because a lost answer leaves doubt."""
    bela.set_up(bela.office.config(bela.address).replace("timeout = 5", "timeout = 1"))
    bela.office.faults.delay = 2.5
    bela.do("mail", "send", bela.file)
    assert require(dispatch(bela, bela.file)).sending is Sending.SENT


# --- stopped in between


def start_sending(who: Player, file: Path) -> subprocess.Popen[str]:
    """Start the command that sends a file, in a process of its own."""
    return start("mail", "send", file, home=who.home, ACRES_MAIL_PASSWORD=who.password)


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_send_sends_nothing_twice(
    anna: Player, bela: Player, by: signal.Signals
) -> None:
    anna.office.faults.delay = 30
    process = start_sending(bela, bela.file)
    until = time.monotonic() + 60
    while not anna.inbox() and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(process.pid, by)
    # After Ctrl-C the program does not wait for the server.
    _, text = process.communicate(timeout=25)
    if by == signal.SIGINT:
        assert process.returncode == 130
        assert "may have been sent" in text
    assert require(dispatch(bela, bela.file)).sending is Sending.BEGUN
    anna.office.faults.delay = 0
    assert "may already have been sent" in failure(bela.run("mail", "send", bela.file))
    bela.do("mail", "send")
    assert len(anna.inbox()) == 1


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("smtplib.SMTP.rcpt", ""),
        ("smtplib.SMTP.data", "may have been sent"),
        ("pbem.play.store.Store.end_sending", "may have been sent"),
        ("pbem.mail.sending.save_copy", "was sent"),
    ],
)
def test_interrupt_reports_a_doubtful_message(bela: Player, place: str, text: str) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, stop)
        result = bela.run("mail", "send", bela.file)
    assert (result.status, "sent" in result.err) == (130, bool(text))
    assert text in result.err
    if not text:
        bela.do("mail", "send", bela.file)
        return
    already = "was already" if text == "was sent" else "may already have been"
    assert f"{already} sent" in failure(bela.run("mail", "send", bela.file))


def test_message_not_noted_as_sent_is_not_resent(anna: Player, bela: Player) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.play.store.Store.end_sending", fail)
        assert "could not be noted" in bela.do("mail", "send", bela.file).err
    assert "may already have been sent" in failure(bela.run("mail", "send", bela.file))
    assert len(anna.inbox()) == 1


@pytest.mark.slow
def test_two_processes_send_a_message_once(anna: Player, bela: Player) -> None:
    """The later process finds that the other has begun."""
    both = [start_sending(bela, bela.file) for _ in range(2)]
    for process in both:
        process.communicate()
    assert sorted(process.returncode for process in both) == [0, 2]
    assert len(anna.inbox()) == 1


# --- by hand


def test_message_sent_by_hand_is_left_out(anna: Player, bela: Player) -> None:
    """The file may be older than the setup of the account."""
    bela.do("mail", "send", "--by-hand")
    other = begin_game(anna.home, bela.home, bela.folder, "second")
    text = bela.do("mail", "send").out
    assert len(anna.inbox()) == 1
    assert other.name in text
    assert bela.file.name not in text
    assert "yourself, as you said" in failure(bela.run("mail", "send", bela.file))
    bela.do("mail", "send", bela.file, "--again")
    assert len(anna.inbox()) == 2
    # An invitation names no address to which it could be sent.
    anna.do("mail", "send", "--by-hand")
    assert "There is nothing to send" in anna.do("mail", "send").out


def test_doubtful_message_may_be_noted_as_sent_by_hand(bela: Player) -> None:
    bela.office.faults.hangs_up = True
    bela.run("mail", "send", bela.file)
    bela.do("mail", "send", bela.file, "--by-hand")
    assert require(dispatch(bela, bela.file)).sending is Sending.SENT


# --- a copy in the player's mailbox


def copies(player: Player, folder: str = "Sent") -> list[tuple[bytes, bytes]]:
    """Return the flags and the bytes of each message in a folder."""
    with open_inbox(player) as imap:
        count = imap.select(folder, readonly=True)[1]
        results = imap.fetch("1:*", "(FLAGS BODY.PEEK[])")[1] if count != [b"0"] else []
    return [(item[0], item[1]) for item in results if isinstance(item, tuple)]


@pytest.fixture
def sender(bela: Player) -> Iterator[Player]:
    """A player with a folder for sent mail."""
    with open_inbox(bela) as imap:
        assert imap.create("Sent")[0] == "OK"
    yield bela
    with open_inbox(bela) as imap:
        imap.delete("Sent")


def test_copy_is_stored_in_the_configured_folder(
    anna: Player, sender: Player, joined: Path
) -> None:
    assert not sender.do("mail", "send", joined).err
    ((flags, copy),) = copies(sender)
    assert rb"\Seen" in flags
    assert parse(copy)["Message-ID"] == parse(anna.inbox()[0])["Message-ID"]
    assert joined.read_bytes() in copy.replace(b"\r\n", b"\n")
    sender.do("mail", "send", joined, "--again")
    assert len(copies(sender)) == 1
    for place, in_sent, in_inbox in (("-", 1, 0), ("INBOX", 1, 1)):
        sender.set_up(anna.office.config(sender.address, copies=place))
        sender.do("mail", "send", joined, "--again")
        assert (len(copies(sender)), len(copies(sender, "INBOX"))) == (in_sent, in_inbox)


def test_failed_copy_does_not_block_the_message(
    anna: Player, sender: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_game(anna.home, sender.home, sender.folder, "second")
    sender.set_up(anna.office.config(sender.address, copies="No such folder"))
    result = sender.do("mail", "send")
    assert (result.err.count("no copy of it in your mailbox"), len(anna.inbox())) == (2, 2)

    def fails(*_: object) -> None:
        raise UsageError("{file} cannot be used.", file="ca.pem")

    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    text = sender.do("mail", "send", joined, "--again").err
    assert "no copy of it" in text and "horse" not in text
    monkeypatch.setattr("pbem.mail.sending.save_copy", fails)
    assert "ca.pem cannot be used." in sender.do("mail", "send", joined, "--again").err


@pytest.mark.parametrize("name", ["ACRES_SMTP_PASSWORD", "ACRES_IMAP_PASSWORD", "keyring", "typed"])
def test_copy_is_stored_by_the_login_of_the_mailbox(
    sender: Player, joined: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A password for the SMTP server alone is not shown to the IMAP server."""
    monkeypatch.setattr("tests.mail.players.VARIABLE", name)
    stored = {f"imap {sender.address}@localhost": sender.password} if name == "keyring" else {}
    if name != "ACRES_SMTP_PASSWORD":
        stored[f"smtp {sender.address}@localhost"] = sender.password
    monkeypatch.setattr(keyring, "get_password", lambda service, user: stored.get(user))
    assert not sender.do("mail", "send", joined).err
    assert len(copies(sender)) == (name in ("ACRES_IMAP_PASSWORD", "keyring"))
