"""Answers of a mailbox server that refuses what it is asked, and the sentences that report them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from socket import socket

import pytest

from pbem.mail.account import Account, Server
from pbem.mail.login import Login
from pbem.mail.mailbox import keep_copy, opened
from pbem.mail.wire import MailFailed
from tests.mail.servers import door

LOGIN = Login("correct horse")
SELECTED = b"* %d EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 1] ok\r\n"
FOLDERS = b'* LIST (\\HasNoChildren \\Sent) "/" Sent\r\n* LIST () "/" INBOX\r\n'
USUAL = {
    "CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
    "SELECT": SELECTED % 3,
    "LIST": FOLDERS,
    "SEARCH": b"* SEARCH\r\n",
    "APPEND": b"+ go on\r\n",
}


class Talker:
    """A server with a mailbox: what it says to each command, before it says OK.

    What ends with a refusal is all that it says. `heard` are the commands that it was given.
    """

    def __init__(self, **says: bytes) -> None:
        self.says = USUAL | says
        self.heard: list[str] = []

    def __call__(self, caller: socket) -> None:
        lines = caller.makefile("rb")
        caller.sendall(b"* OK hello\r\n")
        for line in lines:
            words = line.split()
            tag, command = words[0], words[2 if words[1] == b"UID" else 1].decode().upper()
            self.heard.append(command)
            said = self.says.get(command, b"")
            if said.startswith((b"NO ", b"BAD ")):
                caller.sendall(tag + b" " + said)
                continue
            caller.sendall(said)
            if size := re.search(rb"\{(\d+)\}", line):
                lines.read(int(size[1]) + 2)
            caller.sendall(tag + b" OK done\r\n")


@contextmanager
def talking(talker: Callable[[socket], None], **more: str) -> Iterator[Account]:
    with door(talker) as port:
        server = Server("imap", "127.0.0.1", port, "none", "anna@example.org")
        yield Account("anna@example.org", None, server, timeout=3, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["UNAVAILABLE", "SERVERBUG", "INUSE"])
@pytest.mark.parametrize("command", ["SELECT", "LOGIN"])
def test_what_fails_for_now_is_told_so(command: str, code: str) -> None:
    """RFC 5530, 3: neither is a folder missing then, nor a password wrong."""
    with (
        talking(Talker(**{command: f"NO [{code}] not just now\r\n".encode()})) as account,
        pytest.raises(MailFailed, match="not just now") as failed,
        opened(account, LOGIN),
    ):
        pass
    assert failed.value.may_pass
    assert "Try again later" in str(failed.value)


def test_a_folder_that_is_missing_is_told_with_those_that_there_are() -> None:
    with (
        talking(Talker(SELECT=b"NO [NONEXISTENT] no\r\n"), mailbox="Games") as account,
        pytest.raises(MailFailed, match=r"no folder Games .* INBOX") as failed,
    ):
        opened(account, LOGIN).__enter__()
    assert not failed.value.may_pass


def test_a_password_that_a_server_repeats_is_not_told() -> None:
    with (
        talking(Talker(LOGIN=b"NO [UNAVAILABLE] for correct horse\r\n")) as account,
        pytest.raises(MailFailed) as failed,
    ):
        opened(account, LOGIN).__enter__()
    assert "horse" not in str(failed.value)


@pytest.mark.parametrize(
    ("command", "said", "told"),
    [
        ("APPEND", b"NO [OVERQUOTA] Quota exceeded\r\n", "is full .*Quota exceeded"),
        ("SEARCH", b"NO not in this folder\r\n", "stopped before it was done .*not in this folder"),
        ("LIST", b"NO not today\r\n", "stopped before it was done .*not today"),
        ("APPEND", b"BAD what\r\n", "does not behave like"),
    ],
)
def test_why_no_copy_is_kept_is_told_as_the_server_says_it(
    command: str, said: bytes, told: str
) -> None:
    with (
        talking(Talker(**{command: said})) as account,
        pytest.raises(MailFailed, match=told) as failed,
    ):
        keep_copy(account, LOGIN, b"Message-ID: <a@b>\r\n\r\nHi\r\n", "<a@b>")
    assert failed.value.may_pass


def test_without_a_namespace_the_folder_for_copies_is_found_all_the_same() -> None:
    talker = Talker(
        CAPABILITY=b"* CAPABILITY IMAP4rev1 NAMESPACE\r\n",
        NAMESPACE=b"* NAMESPACE NIL NIL NIL\r\n",
        LIST=b'* LIST () "/" Sent\r\n',
    )
    with talking(talker) as account:
        keep_copy(account, LOGIN, b"Message-ID: <a@b>\r\n\r\nHi\r\n", "<a@b>")
    assert "APPEND" in talker.heard


@pytest.mark.parametrize(
    ("smtp", "copies", "is_kept"),
    [
        ("smtp.gmail.com", "", False),
        ("smtp.office365.com", "", False),
        ("smtp.gmail.com", "Sent", True),
        ("smtp.example.org", "", True),
    ],
)
def test_who_sends_by_a_provider_that_keeps_copies_has_one(
    smtp: str, copies: str, is_kept: bool
) -> None:
    """So it is asked who sends it, and not who has the mailbox; a folder that is named is meant."""
    talker = Talker()
    with talking(talker, copies=copies) as account:
        account = replace(account, smtp=Server("smtp", smtp, 465, "tls", "anna"))
        keep_copy(account, LOGIN, b"Message-ID: <a@b>\r\n\r\nHi\r\n", "<a@b>")
    assert ("APPEND" in talker.heard) == is_kept
