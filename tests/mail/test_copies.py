"""A copy of what was sent lies in the player's mailbox, once, and never keeps a letter back."""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.mail.players import Player
from tests.mail.servers import PostOffice


@contextmanager
def logged_in(player: Player) -> Iterator[imaplib.IMAP4_SSL]:
    office = player.office
    context = ssl.create_default_context(cafile=office.authority.certificate)
    with imaplib.IMAP4_SSL("localhost", office.imaps, ssl_context=context, timeout=60) as imap:
        imap.login(player.address, player.password)
        yield imap


def copies(player: Player, folder: str = "Sent") -> list[tuple[bytes, bytes]]:
    """What lies in a folder: the flags of each message, and its bytes."""
    with logged_in(player) as imap:
        answer, count = imap.select(folder, readonly=True)
        assert answer == "OK"
        found = imap.fetch("1:*", "(FLAGS BODY.PEEK[])")[1] if count != [b"0"] else []
    return [(each[0], each[1]) for each in found if isinstance(each, tuple)]


@pytest.fixture
def sender(bela: Player) -> Iterator[Player]:
    """A player whose mailbox has a folder for what was sent."""
    with logged_in(bela) as imap:
        assert imap.create("Sent")[0] == "OK"
    yield bela
    with logged_in(bela) as imap:
        imap.delete("Sent")


def test_what_was_sent_lies_there_once(
    office: PostOffice, anna: Player, sender: Player, joined: Path
) -> None:
    done = sender.do("mail", "send", joined)
    assert not done.err
    ((flags, copy),) = copies(sender)
    assert rb"\Seen" in flags
    (arrived,) = anna.inbox()
    assert message_from_bytes(copy)["Message-ID"] == message_from_bytes(arrived)["Message-ID"]
    assert joined.read_bytes() in copy.replace(b"\r\n", b"\n")
    sender.do("mail", "send", joined, "--again")
    assert len(copies(sender)) == 1


def test_it_is_kept_where_the_player_says_or_nowhere(
    office: PostOffice, sender: Player, joined: Path
) -> None:
    sender.set_up(office.config(sender.address, copies="-"))
    sender.do("mail", "send", joined)
    assert copies(sender) == []
    sender.set_up(office.config(sender.address, copies="INBOX"))
    sender.do("mail", "send", joined, "--again")
    assert len(copies(sender, "INBOX")) == 1


def test_where_it_cannot_be_kept_the_letter_was_sent_all_the_same(
    office: PostOffice, anna: Player, sender: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender.set_up(office.config(sender.address, copies="No such folder"))
    done = sender.do("mail", "send", joined)
    assert "no copy of it in your mailbox" in done.err
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    done = sender.do("mail", "send", joined, "--again")
    assert "no copy of it in your mailbox" in done.err
    assert "wrong horse" not in done.err
    assert len(anna.inbox()) == 2
