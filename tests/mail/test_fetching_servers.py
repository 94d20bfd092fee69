"""`acres mail fetch` from servers that are down, slow, wrong, or talk nonsense."""

from collections.abc import Callable
from pathlib import Path
from socket import socket

import pytest

from tests.mail.arriving import letter
from tests.mail.certificates import Authority
from tests.mail.players import Player
from tests.mail.sending import failure
from tests.mail.servers import PostOffice, door, keeps_saying, nobody_there, says, silent


def at(player: Player, port: int, security: str = "tls") -> None:
    """Let the settings of a player name another IMAP server."""
    player.set_up(
        f'[mail]\naddress = "{player.address}"\nca = "{player.office.authority.certificate}"\n'
        f'folder = "{player.folder}"\ntimeout = 1\n[mail.imap]\nhost = "localhost"\n'
        f'port = {port}\nsecurity = "{security}"\n'
    )


def test_a_server_that_is_down_is_told(anna: Player) -> None:
    at(anna, nobody_there())
    assert "is down" in failure(anna.run("mail", "fetch"))


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_that_says_nothing_is_not_waited_for_long(anna: Player, security: str) -> None:
    with door(silent) as port:
        at(anna, port, security)
        assert "did not answer within 1 second" in failure(anna.run("mail", "fetch"))


def test_a_refused_login_is_told(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACRES_IMAP_PASSWORD", "wrong horse")
    sentence = failure(anna.run("mail", "fetch"))
    assert "refuses the login" in sentence
    assert "“Authentication failed.”" in sentence
    assert "wrong horse" not in sentence


@pytest.mark.parametrize(
    ("how", "told"), [("expired", "has expired"), ("name", "not for localhost")]
)
def test_a_bad_certificate_ends_it_before_the_password(
    authority: Authority, anna: Player, how: str, told: str
) -> None:
    host = "elsewhere.example" if how == "name" else "localhost"
    certificate = authority.signs("bad", host=host, expired=how == "expired")
    with door(says(b"* OK hello\r\n"), certificate) as port:
        at(anna, port)
        assert told in failure(anna.run("mail", "fetch"))


def test_nothing_is_said_in_clear_where_starttls_was_taken_away(anna: Player) -> None:
    heard = []

    def strip(caller: socket) -> None:
        heard.append(b"(connected)")
        caller.sendall(b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\n")
        for line in caller.makefile("rb"):
            heard.append(line)
            tag = line.split()[0]
            caller.sendall(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + tag + b" OK done\r\n")

    with door(strip) as port:
        at(anna, port, "starttls")
        assert "STARTTLS" in failure(anna.run("mail", "fetch"))
    assert heard
    assert not any(b"LOGIN" in line or b"AUTHENTICATE" in line for line in heard)


@pytest.mark.parametrize(
    "behaves",
    [
        says(b"HTTP/1.1 400 Bad Request\r\n"),
        says(b"\x00\xff\x16\x03\r\n"),
        says(b"* OK hello\r\n", b"what?\r\n"),
        says(b"* OK hello\r\n", b"* CAPABILITY {99999999999999}\r\n"),
        says(b"* OK hello\r\n"),
        says(b"* BYE too many of you\r\n"),
        says(b""),
        keeps_saying(b"* OK ", b"x" * 10_000, 300),
        keeps_saying(b"* OK hello\r\n", b"* OK more\r\n", 20000),
    ],
)
def test_a_server_that_talks_nonsense_costs_a_sentence(
    anna: Player, behaves: Callable[[socket], None]
) -> None:
    with door(behaves) as port:
        at(anna, port, "none")
        failure(anna.run("mail", "fetch"))


ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
    b"LOGIN": b"",
    b"SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n",
    b"SEARCH": b"* SEARCH 5\r\n",
    b"FETCH": b"* 1 FETCH (UID 5 RFC822.SIZE 100)\r\n",
    b"LOGOUT": b"* BYE\r\n",
}


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (b"SELECT", b"* 1 EXISTS\r\n"),
        (b"SELECT", b"* OK [UIDVALIDITY x] ok\r\n"),
        (b"SELECT", b"* x EXISTS\r\n"),
        (b"SEARCH", b"* SEARCH five\r\n"),
        (b"SEARCH", b"* SEARCH 99999999999999999999999999\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE big)\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 RFC822.SIZE NIL)\r\n"),
        (b"FETCH", b"* 1 FETCH ((((((((((((((((UID 5)\r\n"),
        (b"FETCH", b"* 1 FETCH " + b"(" * 5000 + b"\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 BODY[] {999999999999999}\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 5 BODY[] {-5}\r\n"),
        (b"FETCH", b"* 1 FETCH \xff\xfe\r\n"),
    ],
)
def test_nonsense_in_the_middle_costs_a_sentence(
    anna: Player, command: bytes, answer: bytes
) -> None:
    answers = ANSWERS | {command: answer}

    def behave(caller: socket) -> None:
        caller.sendall(b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, *words = line.split()
            word = words[1] if words[0] == b"UID" else words[0]
            caller.sendall(answers.get(word, b"") + tag + b" OK done\r\n")

    with door(behave) as port:
        at(anna, port, "none")
        done = anna.run("mail", "fetch")
    assert "Traceback" not in done.err
    assert "should not have" not in done.err
    assert (done.status, done.out) in ((2, ""), (0, "No turn has arrived.\n"))
    assert anna.files == ["game-000.toml"]


@pytest.mark.parametrize("refusal", [b" NO you may not\r\n", b" BAD what is that\r\n"])
def test_a_server_that_refuses_marks_is_read_all_the_same(
    anna: Player, joined: Path, refusal: bytes
) -> None:
    message = letter(joined.read_bytes())
    size = str(len(message)).encode()
    body = b"* 1 FETCH (UID 5 BODY[]<0> {" + size + b"}\r\n" + message + b")\r\n"

    def behave(caller: socket) -> None:
        caller.sendall(b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, *words = line.split()
            word = words[1] if words[0] == b"UID" else words[0]
            if word == b"STORE":
                caller.sendall(tag + refusal)
                continue
            answer = body if b"BODY" in line else ANSWERS.get(word, b"")
            caller.sendall(answer.replace(b"SIZE 100", b"SIZE " + size) + tag + b" OK done\r\n")

    with door(behave) as port:
        at(anna, port, "none")
        assert "your move since" in anna.do("mail", "fetch").out
        assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


def test_a_folder_that_is_not_there_is_told_with_those_that_are(
    office: PostOffice, anna: Player
) -> None:
    config = office.config(anna.address)
    anna.set_up(f'{config}folder = "Games"\n')
    sentence = failure(anna.run("mail", "fetch"))
    assert "Games" in sentence
    assert "INBOX" in sentence
