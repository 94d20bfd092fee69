"""Scripted mail servers, and exchanges with them without a library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from socket import socket
from typing import Any, ClassVar

import pytest

from pbem.mail.account import Account, Server
from pbem.mail.connection import MailError
from pbem.mail.imap import open_mailbox
from pbem.mail.login import Login
from pbem.mail.smtp import connect_smtp
from tests.mail.messages import plain

ADDRESS = "anna@example.org"


def login() -> Login:
    """Return the login of an account, which no server has accepted yet."""
    return Login("correct horse", "acres")


class ScriptedServer:
    """A server that answers each command from `replies` or by default.

    `received` are the lines that it read, and `words` the commands that it answered.

    At the command `at`, or at the greeting if `at` is empty, it calls `interrupt` first.
    """

    def __init__(
        self,
        replies: Mapping[bytes, bytes] | None = None,
        at: bytes | None = None,
        interrupt: Callable[[socket], None] = lambda caller: None,
    ) -> None:
        self.replies = dict(replies or {})
        self.at, self.interrupt = at, interrupt
        self.received: list[bytes] = []
        self.words: list[bytes] = []

    def __call__(self, caller: socket) -> None:
        with suppress(OSError):
            self.talk(caller)

    def talk(self, caller: socket) -> None:
        raise NotImplementedError

    def read_lines(self, lines: Iterable[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
        """Record and yield lines with their words, until a caller gives up in mid-line."""
        for line in lines:
            self.received.append(line)
            if not (words := line.split()):
                return
            yield line, words

    def answer(self, caller: socket, word: bytes, usual: bytes, end: bytes = b"") -> None:
        self.words.append(word)
        if word == self.at:
            self.interrupt(caller)
        caller.sendall(self.replies.get(word, usual) + end)


class Imap(ScriptedServer):
    """A mailbox with one message, of UID 5. A refusal, `NO …` or `BAD …`, is the whole answer."""

    def __init__(self, *values: Any, message: bytes = plain(), **named: Any) -> None:
        super().__init__(*values, **named)
        size = b"%d" % len(message)
        self.usual = {
            b"CAPABILITY": b"* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN AUTH=XOAUTH2\r\n",
            b"SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n",
            b"SEARCH": b"* SEARCH 5\r\n",
            b"SIZE": b"* 1 FETCH (UID 5 RFC822.SIZE " + size + b")\r\n",
            b"BODY": b"* 1 FETCH (UID 5 BODY[]<0> {" + size + b"}\r\n" + message + b")\r\n",
            b"LIST": b'* LIST (\\HasNoChildren \\Sent) "/" Sent\r\n* LIST () "/" INBOX\r\n',
            b"LOGOUT": b"* BYE\r\n",
        }

    def talk(self, caller: socket) -> None:
        self.answer(caller, b"", b"* OK hello\r\n")
        lines = caller.makefile("rb")
        for line, (tag, *words) in self.read_lines(lines):
            if not words:
                return
            word = (words[1] if words[0] == b"UID" else words[0]).upper()
            if word == b"FETCH":
                word = b"BODY" if b"BODY" in line else b"SIZE"
            if self.replies.get(word, b"").startswith((b"NO ", b"BAD ")):
                caller.sendall(tag + b" ")
                self.answer(caller, word, b"")
                continue
            if word in (b"AUTHENTICATE", b"APPEND"):
                caller.sendall(b"+ \r\n")
                size = re.search(rb"\{(\d+)\}", line)
                self.received.append(lines.read(int(size[1]) + 2) if size else lines.readline())
            self.answer(caller, word, self.usual.get(word, b""), tag + b" OK done\r\n")


class Smtp(ScriptedServer):
    """A server that accepts each message; its command `.` is the end of a message."""

    usual: ClassVar = {
        b"EHLO": b"250-localhost\r\n250-STARTTLS\r\n250 AUTH PLAIN XOAUTH2\r\n",
        b"AUTH": b"235 welcome\r\n",
        b"DATA": b"354 go on\r\n",
        b"QUIT": b"221 bye\r\n",
    }

    def talk(self, caller: socket) -> None:
        self.answer(caller, b"", b"220 hello\r\n")
        lines = caller.makefile("rb")
        for _, (verb, *_) in self.read_lines(lines):
            word = verb.upper()
            self.answer(caller, word, self.usual.get(word, b"250 OK\r\n"))
            if word == b"DATA":
                while lines.readline() not in (b".\r\n", b""):
                    pass
                self.answer(caller, b".", b"250 taken\r\n")


SERVERS: dict[str, type[ScriptedServer]] = {"imap": Imap, "smtp": Smtp}


def account_at(
    kind: str, port: int, security: str = "none", ca: Path | None = None, **more: Any
) -> Account:
    """Return an account with one server, on this computer."""
    server = Server(kind, "localhost", port, security, ADDRESS)
    servers: dict[str, Any] = {"smtp": None, "imap": None} | {kind: server}
    return Account(ADDRESS, **servers, ca=ca, **{"timeout": 1} | more)


def use(account: Account, credentials: Login | None = None) -> None:
    """Read and mark all messages in the mailbox of an account, or send a message."""
    credentials = credentials or login()
    if account.smtp:
        letter = EmailMessage()
        letter["Subject"] = "A turn"
        with connect_smtp(account, credentials) as connection:
            connection.send(letter, "bela@example.org", lambda: None)
        return
    with open_mailbox(account, credentials) as mailbox:
        for uid, size in mailbox.fetch_sizes(mailbox.find_after(0)).items():
            if mailbox.fetch_message(uid, size):
                mailbox.mark(uid)


def failure_of(account: Account, credentials: Login | None = None) -> MailError:
    """Return the error for an account that cannot be used."""
    with pytest.raises(MailError) as failed:
        use(account, credentials)
    assert "\n" not in str(failed.value)
    return failed.value


def settings_at(kind: str, port: int, security: str = "none", *, more: str = "") -> str:
    """Return the settings of an account with one server, on this computer."""
    return (
        f'[mail]\naddress = "{ADDRESS}"\ntimeout = 1\n{more}\n[mail.{kind}]\nhost = "localhost"\n'
        f'port = {port}\nsecurity = "{security}"\n'
    )
