"""No password of a mail account is printed, or written anywhere, whatever goes wrong."""

import logging
from collections.abc import Callable
from pathlib import Path
from socket import socket

import pytest

from pbem.mail.login import Login
from tests.cli.using import acres_process
from tests.mail.players import WORD, Player
from tests.mail.servers import PostOffice, door

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


def written_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and holds(path.read_bytes())]


def holds(data: bytes) -> bool:
    import base64

    word = WORD.encode()
    # In base64 whatever stands before it, as logins are sent.
    coded = [base64.b64encode(b"\0" * n + word)[4 if n else 0 : -4] for n in range(3)]
    return any(each in data for each in (word, *coded))


def test_the_search_finds_what_it_looks_for(bela: Player) -> None:
    import base64

    assert holds(bela.password.encode())
    for before in ("", "a", "ab", "\0user\0"):
        assert holds(base64.b64encode(f"{before}{bela.password}".encode()))
    assert not holds(base64.b64encode(b"something else entirely"))


@pytest.mark.parametrize("trouble", ["none", "refused", "echo smtp", "echo imap", "spurned"])
def test_no_command_prints_or_writes_it(
    office: PostOffice,
    anna: Player,
    bela: Player,
    joined: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    trouble: str,
    tmp_path: Path,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setenv("ACRES_DEBUG", "1")
    monkeypatch.chdir(bela.folder)
    if trouble == "refused":
        office.passwords[bela.address] = "another"
    if trouble == "spurned":
        office.matter.spurns = "554 No"
    kind = trouble.removeprefix("echo ")
    with door(repeats(kind)) as port:
        if trouble.startswith("echo"):
            bela.set_up(
                f'[mail]\naddress = "{bela.address}"\n[mail.{kind}]\nhost = "localhost"\n'
                f'port = {port}\nsecurity = "none"\n'
            )
        for words in COMMANDS:
            done = bela.run(*words)
            assert not holds((done.out + done.err).encode()), (words, done.err)
    office.passwords[bela.address] = bela.password
    assert not holds(caplog.text.encode())
    assert written_below(bela.home) == []
    assert written_below(bela.folder) == []


def repeats(kind: str) -> Callable[[socket], None]:
    """A server that refuses each login and repeats what it was told."""

    def behave(caller: socket) -> None:
        caller.sendall(b"220 hello\r\n" if kind == "smtp" else b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            word = line.split()
            if kind == "smtp":
                hello = b"250-localhost\r\n250 AUTH PLAIN\r\n"
                answer = hello if word[0] == b"ehlo" else b"535 No such login: " + line
            elif word[1] == b"CAPABILITY":
                answer = b"* CAPABILITY IMAP4rev1\r\n" + word[0] + b" OK done\r\n"
            else:
                answer = word[0] + b" NO I do not know " + line
            caller.sendall(answer)

    return behave


def test_a_process_of_its_own_prints_none_either(
    office: PostOffice, bela: Player, joined: Path
) -> None:
    office.matter.spurns = "554 No"
    given = {"ACRES_MAIL_PASSWORD": bela.password, "ACRES_DEBUG": "1"}
    for words in (["check"], ["send", joined], ["fetch"]):
        done = acres_process("mail", *words, home=bela.home, **given)
        assert not holds((done.out + done.err).encode()), words


def test_what_should_not_happen_is_told_without_it(
    bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_DEBUG", "1")

    def fail(*arguments: object, **named: bool) -> None:
        raise RuntimeError("something is wrong")

    for place in ("smtplib.SMTP.login", "smtplib.SMTP.auth", "imapclient.IMAPClient.login"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(place, fail)
            for words in (["send", joined], ["fetch"]):
                done = bela.run("mail", *words)
                assert not holds((done.out + done.err).encode()), words


def test_a_login_does_not_show_it() -> None:
    login = Login("zanzibar-correct")
    assert "zanzibar" not in repr(login)
    assert "zanzibar" not in str(login)
