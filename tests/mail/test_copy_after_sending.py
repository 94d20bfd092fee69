"""What is tried for a copy of a letter that has left, and what it may cost: nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pbem.errors import WrongUse
from pbem.mail import sending
from pbem.mail.account import Account, Server
from pbem.mail.login import Login
from pbem.mail.parcel import Parcel
from pbem.mail.sending import Sender, Sent
from pbem.mail.ways_out import WayOut, WaysOut

WAYS = WaysOut("acres", dict.fromkeys(WayOut, "--option"))
SAID = Login("only-for-the-relay")


class Letter:
    """A letter that leaves, in the place of a `Parcel`."""

    def __init__(self, name: str) -> None:
        self.letter = EmailMessage()
        self.letter["Message-ID"] = name

    def send(self, *given: object, **named: object) -> None:
        """It has left."""


@contextmanager
def connected(*given: object) -> Iterator[None]:
    yield


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Login]:
    """What the server of the mailbox is shown."""
    logins: list[Login] = []
    monkeypatch.setattr(sending, "outgoing", connected)
    monkeypatch.setattr(sending, "keep_copy", lambda account, login, *_: logins.append(login))
    return logins


def sent(smtp: str, imap: str, count: int = 1, noted: list[str] | None = None) -> Iterator[Sent]:
    """Send some letters by one server, where the other has the mailbox."""

    def note(parcel: Parcel) -> None:
        if noted is not None:
            noted.append(parcel.letter["Message-ID"])

    servers = (Server("smtp", smtp, 465, "tls", "anna"), Server("imap", imap, 993, "tls", "anna"))
    account = Account("anna@example.org", *servers)
    own: Any = SimpleNamespace(post=lambda: None, clock=lambda: "")
    letters = cast(Any, [Letter(f"<{number}@a>") for number in range(count)])
    sender = Sender(own, "en", WAYS, account, has_left=note)
    return sender.send(SAID, letters, lambda *_: None)


@pytest.mark.parametrize(
    ("smtp", "imap"),
    [
        ("smtp.relay.example", "imap.example.com"),
        ("smtp.relay.example", "imap.example.org"),
        ("smtp.gmail.com", "imap.fastmail.com"),
        ("smtp.a.co.uk", "imap.b.co.uk"),
        ("smtp.example.org", "imap.myexample.org"),
    ],
)
def test_a_password_for_one_server_is_not_shown_to_somebody_elses(
    shown: list[Login], smtp: str, imap: str
) -> None:
    (told,) = sent(smtp, imap)
    assert shown == []
    assert told.warning is None


@pytest.mark.parametrize(
    ("smtp", "imap"),
    [
        ("smtp.example.org", "imap.example.org"),
        ("127.0.0.1", "127.0.0.1"),
        ("smtp.gmail.com", "imap.gmail.com"),
    ],
)
def test_servers_of_one_provider_are_shown_the_same(
    shown: list[Login], smtp: str, imap: str
) -> None:
    list(sent(smtp, imap))
    assert shown == [SAID]


def test_whatever_a_copy_fails_by_the_other_letters_leave(
    shown: list[Login], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise WrongUse("{file} cannot be used.", file="ca.pem")

    monkeypatch.setattr(sending, "keep_copy", fails)
    told = list(sent("127.0.0.1", "127.0.0.1", 2))
    assert [str(each.not_kept) for each in told] == ["ca.pem cannot be used."] * 2


def test_that_it_was_sent_is_noted_before_a_copy_is_kept(
    shown: list[Login], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that whoever presses Ctrl-C meanwhile is not told that nobody knows."""
    noted: list[str] = []

    def stops(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sending, "keep_copy", stops)
    with pytest.raises(KeyboardInterrupt):
        list(sent("127.0.0.1", "127.0.0.1", noted=noted))
    assert noted == ["<0@a>"]
