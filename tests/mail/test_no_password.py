"""No password of a mail account is printed or written, not even after errors."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from socket import socket

import pytest

from pbem.mail.login import Login
from tests.mail.players import PASSWORD_PREFIX, Player
from tests.mail.scripted_servers import Smtp, settings_at
from tests.mail.servers import bad_server

COMMANDS = [
    ["mail", "check"],
    ["mail", "send", "game-001.toml"],
    ["mail", "send"],
    ["mail", "fetch"],
    ["mail", "fetch", "--json"],
    ["mail", "setup", "--replace", "--smtp", "localhost:1", "--imap", "-"],
    ["mail", "draft", "game-001.toml"],
    ["turn", "show", "game-001.toml"],
]


def contains(data: bytes) -> bool:
    word = PASSWORD_PREFIX.encode()
    # In base64 whatever stands before it, as logins are sent.
    coded = [base64.b64encode(b"\0" * n + word)[4 if n else 0 : -4] for n in range(3)]
    return any(form in data for form in (word, *coded))


def echo_server(kind: str) -> Callable[[socket], None]:
    """Return a server that refuses each login and repeats it in its answer."""

    class Echo(Smtp):
        def answer(self, caller: socket, word: bytes, usual: bytes, end: bytes = b"") -> None:
            output = b"535 No such login: " + self.received[-1] if word == b"AUTH" else usual
            super().answer(caller, word, output)

    def behave(caller: socket) -> None:
        caller.sendall(b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, word = line.split()[:2]
            hello = b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n"
            caller.sendall(hello if word == b"CAPABILITY" else tag + b" NO I do not know " + line)

    return Echo() if kind == "smtp" else behave


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["none", "refused", "smtp", "imap", "spurned", "bug"])
def test_no_command_prints_or_writes_the_password(
    bela: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, trouble: str
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setenv("ACRES_DEBUG", "1")
    monkeypatch.chdir(bela.folder)
    if trouble == "refused":
        bela.office.passwords[bela.address] = "another"
    if trouble == "spurned":
        bela.office.faults.message_refusal = "554 No"
    if trouble == "bug":
        for place in ("smtplib.SMTP.login", "imapclient.IMAPClient.login"):
            monkeypatch.setattr(place, lambda *arguments: 1 // 0)
    with bad_server(echo_server(trouble)) as port:
        if trouble in ("smtp", "imap"):
            bela.set_up(settings_at(trouble, port).replace("anna@", "bela@"))
        for words in COMMANDS:
            result = bela.run(*words)
            assert not contains((result.out + result.err).encode()), (words, result.err)
    bela.office.passwords[bela.address] = bela.password
    assert not contains(caplog.text.encode())
    files = [path for path in (*bela.home.rglob("*"), *bela.folder.rglob("*")) if path.is_file()]
    assert [path for path in files if contains(path.read_bytes())] == []


def test_server_text_with_the_password_is_redacted() -> None:
    login = Login("zanzibar-correct", "acres")
    coded = base64.b64encode(b"\0anna\0zanzibar-correct").decode()
    for answer in ("for zanzibar-correct", coded, f"no {coded}!", coded.encode()):
        assert login.redact(answer) == ""
    assert login.redact("no such user") == "no such user"
