"""Mail servers that want to hang a command or fill its memory: neither comes about.

Each drips a byte now and then, or never stops, at one place of a talk that goes well otherwise.
"""

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any, Self

import pytest

from pbem.mail import wire
from pbem.mail.parts import MAX_MESSAGE
from tests.cli.using import COMMAND, Result, environment, is_one_sentence
from tests.mail.arriving import letter
from tests.mail.certificates import Authority, Certificate
from tests.mail.players import Player
from tests.mail.servers import door

PAUSE = 0.001
PASSES = 0.25
"""In seconds: how long a byte takes that drips, in truth, and by the clock of the wire."""
QUICKLY = 5.0
"""In seconds; what is not bounded lasts as long as the server likes."""
MOST = 40 * 2**20
"""Bytes of memory, for the largest message that is read and what is made of it."""
MOST_IN_ALL = 100
"""Megabytes of memory, of a whole process."""
ENDLESS = 200 * 2**20
"""Bytes that a server has to say that never stops."""


class Clock:
    """The time, which servers that drip let pass."""

    passed = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.passed


CLOCK = Clock()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may be silent for a second, and an exchange lasts four; to drip, it need not wait.

    What goes well has all four, however busy this computer is.
    """
    monkeypatch.setattr(wire, "monotonic", CLOCK)


def at(player: Player, kind: str, port: int, security: str = "none") -> None:
    player.set_up(
        f'[mail]\naddress = "{player.address}"\nca = "{player.office.authority.certificate}"\n'
        f'folder = "{player.folder}"\ntimeout = 1\n[mail.{kind}]\nhost = "localhost"\n'
        f'port = {port}\nsecurity = "{security}"\n'
    )


def drips(caller: socket, beginning: bytes = b"* OK ") -> None:
    caller.sendall(beginning)
    while True:
        caller.sendall(b"x")
        lets_pass(PASSES)


def lets_pass(seconds: float) -> None:
    time.sleep(PAUSE)
    CLOCK.passed += seconds


class Talk:
    """A server that answers as it should, but at the word `at` behaves otherwise.

    `reached` says whether it came so far, and `sent` how many bytes an endless answer had.
    """

    def __init__(self, at: bytes | None, otherwise: Callable[[socket], None] = drips) -> None:
        self.at = at
        self.otherwise = otherwise
        self.reached = False
        self.sent = 0

    def talk(self, caller: socket) -> None:
        raise NotImplementedError

    def __call__(self, caller: socket) -> None:
        with suppress(OSError):
            self.talk(caller)

    def does(self, caller: socket, word: bytes, answer: bytes) -> None:
        if word == self.at:
            self.reached = True
            self.otherwise(caller)
        caller.sendall(answer)

    def endless(self, beginning: bytes, piece: bytes, end: bytes = b"") -> Self:
        """A behaviour: to say that again and again, for longer than anybody should listen."""
        pieces = piece * (65536 // len(piece))
        assert pieces

        def behave(caller: socket) -> None:
            caller.sendall(beginning)
            while self.sent < ENDLESS:
                caller.sendall(pieces)
                self.sent += len(pieces)
            caller.sendall(end)

        self.otherwise = behave
        return self


MESSAGE = letter(b"no file of a game\n")
SIZE = str(len(MESSAGE)).encode()
IMAP = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 STARTTLS\r\n",
    b"LOGIN": b"",
    b"SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n",
    b"SEARCH": b"* SEARCH 5\r\n",
    b"SIZE": b"* 1 FETCH (UID 5 RFC822.SIZE " + SIZE + b")\r\n",
    b"BODY": b"* 1 FETCH (UID 5 BODY[]<0> {" + SIZE + b"}\r\n" + MESSAGE + b")\r\n",
    b"LOGOUT": b"* BYE\r\n",
}


class Imap(Talk):
    def talk(self, caller: socket) -> None:
        self.does(caller, b"", b"* OK hello\r\n")
        for line in caller.makefile("rb"):
            tag, *words = line.split()
            word = words[1] if words[0] == b"UID" else words[0]
            if word == b"FETCH":
                word = b"BODY" if b"BODY" in line else b"SIZE"
            self.does(caller, word, IMAP.get(word, b"") + tag + b" OK done\r\n")


SMTP = {
    b"EHLO": b"250-localhost\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n",
    b"AUTH": b"235 welcome\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}


class Smtp(Talk):
    def talk(self, caller: socket) -> None:
        self.does(caller, b"", b"220 hello\r\n")
        lines = caller.makefile("rb")
        for line in lines:
            word = line.split()[0].upper()
            self.does(caller, word, SMTP.get(word, b"250 OK\r\n"))
            if word == b"DATA":
                while lines.readline() not in (b".\r\n", b""):
                    pass
                self.does(caller, b".", b"250 taken\r\n")


def run(
    player: Player,
    kind: str,
    *words: Path | str,
    server: Talk,
    security: str = "none",
    within: float = QUICKLY,
    certificate: Certificate | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """What a command prints, and ends with, that has to do with such a server."""
    with door(server, certificate) as port:
        at(player, kind, port, security)
        started = clock()
        done = player.run("mail", *words)
        assert clock() - started < within
    assert server.reached
    assert "Traceback" not in done.err
    return done


def fetched(player: Player, server: Talk, **how: Any) -> Result:
    return run(player, "imap", "fetch", server=server, **how)


def sent(player: Player, server: Smtp, file: Path, **how: Any) -> Result:
    return run(player, "smtp", "send", file, server=server, **how)


@pytest.mark.parametrize(
    "word", [b"", b"CAPABILITY", b"LOGIN", b"SELECT", b"SEARCH", b"SIZE", b"BODY"]
)
def test_a_server_of_mailboxes_that_drips_is_left(anna: Player, word: bytes) -> None:
    done = fetched(anna, Imap(word))
    assert done.status == 2
    assert is_one_sentence(done.err), done.err
    assert "too slow" in done.err


@pytest.mark.parametrize("kind", ["fetch", "send"])
def test_nobody_is_hung_while_encryption_is_agreed_upon(
    anna: Player, bela: Player, joined: Path, kind: str
) -> None:
    talk = (Imap if kind == "fetch" else Smtp)(b"STARTTLS")
    player = anna if kind == "fetch" else bela
    words = ("imap", "fetch") if kind == "fetch" else ("smtp", "send", joined)
    done = run(player, *words, server=talk, security="starttls")
    assert done.status == 2
    assert "too slow" in done.err


@pytest.mark.parametrize("kind", ["fetch", "send"])
def test_nobody_is_hung_by_a_handshake(anna: Player, bela: Player, joined: Path, kind: str) -> None:
    def shakes(caller: socket) -> None:
        drips(caller, b"\x16\x03\x03\x40\x00\x02")

    talk = (Imap if kind == "fetch" else Smtp)(b"", shakes)
    player = anna if kind == "fetch" else bela
    words = ("imap", "fetch") if kind == "fetch" else ("smtp", "send", joined)
    done = run(player, *words, server=talk, security="tls")
    assert done.status == 2
    assert "too slow" in done.err


@pytest.mark.parametrize("kind", ["fetch", "send"])
def test_what_drips_encrypted_is_left_as_well(
    authority: Authority, anna: Player, bela: Player, joined: Path, kind: str
) -> None:
    talk, player, words = (
        (Imap(b"LOGIN"), anna, ("imap", "fetch"))
        if kind == "fetch"
        else (Smtp(b"MAIL", lambda caller: drips(caller, b"250-")), bela, ("smtp", "send", joined))
    )
    certificate = authority.signs("dripping")
    done = run(player, *words, server=talk, security="tls", certificate=certificate)
    assert done.status == 2
    assert "too slow" in done.err


@pytest.mark.parametrize("piece", [b"* OK more\r\n", b"x"])
def test_what_never_ends_encrypted_is_left_as_well(
    authority: Authority, anna: Player, piece: bytes
) -> None:
    talk = Imap(b"SELECT").endless(b"* OK ", piece)
    certificate = authority.signs("endless")
    done = run(anna, "imap", "fetch", server=talk, security="tls", certificate=certificate)
    assert done.status == 2
    assert talk.sent < 10 * 2**20


def test_a_farewell_that_drips_does_no_harm(anna: Player) -> None:
    assert fetched(anna, Imap(b"LOGOUT")).out == "No turn has arrived.\n"


@pytest.mark.parametrize("word", [b"", b"EHLO", b"AUTH", b"RSET", b"MAIL", b"RCPT"])
def test_a_server_that_takes_mail_and_drips_is_left(
    bela: Player, joined: Path, word: bytes
) -> None:
    done = sent(bela, Smtp(word, lambda caller: drips(caller, b"250-")), joined)
    assert done.status == 2
    assert "too slow" in done.err
    assert sent(bela, Smtp(b"QUIT", lambda caller: None), joined).status == 0


@pytest.mark.parametrize("word", [b"DATA", b"."])
def test_a_letter_may_have_arrived_where_the_answer_to_it_drips(
    bela: Player, joined: Path, word: bytes
) -> None:
    done = sent(bela, Smtp(word, lambda caller: drips(caller, b"250-")), joined)
    assert done.status == 2
    assert "may have arrived or not" in done.err


def test_the_letter_was_sent_where_only_the_farewell_drips(bela: Player, joined: Path) -> None:
    talk = Smtp(b"QUIT", lambda caller: drips(caller, b"221-"))
    assert sent(bela, talk, joined).status == 0


def test_a_slow_line_is_waited_for_as_long_as_something_comes(anna: Player, joined: Path) -> None:
    message = letter(joined.read_bytes())

    class Slow(Imap):
        def does(self, caller: socket, word: bytes, answer: bytes) -> None:
            if word != b"BODY":
                super().does(caller, word, answer)
                return
            size = str(len(message)).encode()
            self.crawls(caller, b"* 1 FETCH (UID 5 BODY[]<0> {" + size + b"}\r\n" + message)
            caller.sendall(b")\r\n" + answer[len(IMAP[b"BODY"]) :])
            self.reached = True

        def crawls(self, caller: socket, data: bytes) -> None:
            # Longer than any exchange in which nothing comes.
            longer = wire.SILENCES + len(data) / wire.SLOWEST / 2
            for start in range(0, len(data), len(data) // 30):
                caller.sendall(data[start : start + len(data) // 30])
                lets_pass(longer / 31)

    talk = Slow(None)
    assert "your move since" in fetched(anna, talk).out


# --- what fills the memory

ENDLESS_ANSWERS = {
    "a line": (b"SEARCH", b"* SEARCH ", b"1 "),
    "greetings": (b"", b"", b"* OK hello again\r\n"),
    "capabilities": (b"CAPABILITY", b"", b"* CAPABILITY IMAP4rev1\r\n"),
    "short lines": (b"LOGIN", b"", b"* X\r\n"),
    "flags": (b"SELECT", b"* FLAGS (", b"x "),
    "finds": (b"SEARCH", b"", b"* SEARCH 5\r\n"),
    "sizes": (b"SIZE", b"", b"* 1 FETCH (UID 5 RFC822.SIZE 100)\r\n"),
    "tables": (b"SIZE", b"", b"* 1 FETCH (" + b"(1)" * 1000 + b")\r\n"),
    "a literal": (b"BODY", b"* 1 FETCH (UID 5 BODY[]<0> {1500000000}\r\n", b"x"),
    "a literal elsewhere": (b"LOGIN", b"* X {1500000000}\r\n", b"x"),
    "literals": (b"BODY", b"* 1 FETCH (UID 5 ", b"BODY[]<0> {60000}\r\n" + b"x" * 60000),
    "small literals": (b"BODY", b"* 1 FETCH (UID 5", b" BODY[] {1}\r\nx"),
    "no literals": (b"BODY", b"* 1 FETCH (UID 5", b" BODY[] {0}\r\n"),
    "behind a literal": (b"BODY", b"* 1 FETCH (UID 5 BODY[] {1}\r\nx", b" x"),
}


@pytest.mark.parametrize(
    "what",
    # Lines that nobody asked for are short in greetings, too; and literals are, if not empty.
    [
        pytest.param(what, marks=pytest.mark.long)
        if what in ("short lines", "no literals", "finds")
        else what
        for what in ENDLESS_ANSWERS
    ],
)
def test_what_never_ends_is_not_listened_to(anna: Player, what: str) -> None:
    word, beginning, piece = ENDLESS_ANSWERS[what]
    talk = Imap(word).endless(beginning, piece)
    # It reads all the time, for which a busy computer takes longer.
    done = fetched(anna, talk, clock=time.process_time)
    assert done.status == 2
    assert is_one_sentence(done.err), done.err
    # What the system keeps between the two is not ours.
    assert talk.sent < MAX_MESSAGE + 10 * 2**20


@pytest.mark.parametrize(
    "what",
    ["a literal", "literals", pytest.param("short lines", marks=pytest.mark.long), "tables"],
)
def test_what_never_ends_takes_little_memory(
    anna: Player, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It counts each piece of memory, which takes time.
    monkeypatch.setattr(wire, "SILENCES", 20)
    word, beginning, piece = ENDLESS_ANSWERS[what]
    anna.run("mail", "fetch")
    tracemalloc.start()
    try:
        fetched(anna, Imap(word).endless(beginning, piece), within=60)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


def test_what_is_said_unasked_is_not_kept(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer is within bounds, and there are many of them."""
    monkeypatch.setattr(wire, "SILENCES", 20)
    monkeypatch.setattr("pbem.mail.fetching.AT_A_TIME", 1)
    uids = range(1, 31)
    noise = b"* X " + b"x" * 900_000 + b"\r\n"

    class Chatty(Imap):
        def does(self, caller: socket, word: bytes, answer: bytes) -> None:
            super().does(caller, word, noise + answer if word in (b"SIZE", b"BODY") else answer)

    monkeypatch.setitem(
        IMAP, b"SEARCH", b"* SEARCH " + b" ".join(b"%d" % n for n in uids) + b"\r\n"
    )
    anna.run("mail", "fetch")
    tracemalloc.start()
    try:
        done = fetched(anna, Chatty(b"LOGOUT", lambda caller: None), within=60)
        assert done.status == 0
        assert tracemalloc.get_traced_memory()[1] < MOST / 2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("word", [b"", b"EHLO", b"AUTH", b"MAIL", b"RCPT", b"DATA", b"."])
@pytest.mark.parametrize("piece", [b"250-more\r\n", b"x"])
def test_a_server_that_takes_mail_and_never_stops_is_left(
    bela: Player, joined: Path, word: bytes, piece: bytes
) -> None:
    beginning = b"250-" if piece == b"x" else b""
    talk = Smtp(word).endless(beginning, piece)
    done = sent(bela, talk, joined)
    assert done.status == 2
    assert talk.sent < 10 * 2**20


def test_a_list_of_folders_without_end_is_not_listened_to(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(IMAP, b"SELECT", b"")

    class NoFolder(Imap):
        def does(self, caller: socket, word: bytes, answer: bytes) -> None:
            if word == b"SELECT":
                answer = answer.replace(b" OK done", b" NO such folder")
            super().does(caller, word, answer)

    talk = NoFolder(b"LIST").endless(b"", b'* LIST () "/" "folder"\r\n')
    done = fetched(anna, talk)
    assert done.status == 2
    assert is_one_sentence(done.err)
    assert talk.sent < 10 * 2**20


MEASURES = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_a_literal_of_1500_megabytes_takes_the_memory_of_a_letter(anna: Player) -> None:
    """All that the process takes, as the system counts it: it was 4330 MB once."""
    word, beginning, piece = ENDLESS_ANSWERS["a literal"]
    given = environment() | {"ACRES_MAIL_PASSWORD": anna.password}
    with door(Imap(word).endless(beginning, piece)) as port:
        at(anna, "imap", port)
        command = [*COMMAND, "--home", anna.home, "mail", "fetch"]
        # Started from here it would be counted with what these tests took before.
        measured = [sys.executable, "-c", MEASURES, *map(str, command)]
        done = subprocess.run(measured, env=given, capture_output=True, text=True, check=True)
    status, used = map(int, done.stdout.split()[-2:])
    assert status == 2
    assert used / 1024 < MOST_IN_ALL
