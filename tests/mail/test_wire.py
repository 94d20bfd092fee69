"""The wire to a mail server, by each way in which a library may read from it."""

import time
from collections.abc import Callable
from socket import socket
from ssl import SSLSocket

import pytest

from pbem.mail import wire
from pbem.mail.account import NONE, TLS, Account, Server
from pbem.mail.wire import MailFailed, TooMuch, TooSlow, Wire
from tests.mail.certificates import Authority
from tests.mail.servers import door


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SILENCES", 0.5)
    monkeypatch.setitem(wire.MOST_SAID, "imap", 100_000)


READ = {
    "recv": lambda sock: sock.recv(4096),
    "recv_into": lambda sock: sock.recv_into(bytearray(4096)),
    "makefile": lambda sock: sock.makefile("rb").read(10_000_000),
}


def reading(behaves: Callable[[socket], None], how: str) -> None:
    """Read for ever from a server that behaves so."""
    with door(behaves) as port:
        line = Wire(Server("imap", "localhost", port, NONE, "anna"), 1)
        line.begin()
        with line.connected() as sock:
            while True:
                READ[how](sock)


def drips(caller: socket) -> None:
    while True:
        caller.sendall(b"x")
        time.sleep(0.02)


def never_stops(caller: socket) -> None:
    while True:
        caller.sendall(b"x" * 65536)


def sips(caller: SSLSocket | socket) -> None:
    while caller.recv(16384):
        time.sleep(0.02)


@pytest.mark.parametrize("how", READ)
def test_time_is_bounded(how: str) -> None:
    with pytest.raises(TooSlow):
        reading(drips, how)


@pytest.mark.parametrize("how", READ)
def test_size_is_bounded(how: str) -> None:
    with pytest.raises(TooMuch):
        reading(never_stops, how)


def test_what_is_not_taken_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SLOWEST", 2**30)
    with door(lambda caller: time.sleep(10)) as port:
        line = Wire(Server("smtp", "localhost", port, NONE, "anna"), 1)
        line.begin()
        with line.connected() as sock, pytest.raises(TooSlow):
            sock.sendall(bytes(50_000_000))


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_what_is_taken_in_sips_is_not_waited_for(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, is_encrypted: bool
) -> None:
    """An encrypted connection hands over record by record, each in time by itself."""
    monkeypatch.setattr(wire, "SLOWEST", 2**30)
    certificate = authority.signs("sipping") if is_encrypted else None
    with door(sips, certificate) as port:
        server = Server("smtp", "localhost", port, TLS if is_encrypted else NONE, "anna")
        line = Wire(server, 1)
        line.begin()
        account = Account("anna@example.org", server, None, ca=authority.certificate)
        started = time.monotonic()
        with line.connected() as plain:
            context = line.trusting(account)
            sock = context.wrap_socket(plain, server_hostname="localhost") if certificate else plain
            with sock, pytest.raises(TooSlow):
                sock.sendall(bytes(10_000_000))
        assert time.monotonic() - started < 3


def test_nothing_passes_before_an_exchange_begins() -> None:
    with door(never_stops) as port:
        line = Wire(Server("imap", "localhost", port, NONE, "anna"), 1)
        with line.connected() as sock, pytest.raises(TooSlow):
            sock.recv(1)


def test_a_literal_has_room_of_its_own() -> None:
    line = Wire(Server("imap", "localhost", 1, NONE, "anna"), 1)
    line.begin(literals=1_000_000)
    line.expect(600_000)
    line.took(650_000)
    line.expect(400_000)
    with pytest.raises(TooMuch):
        line.expect(1)


def test_an_exchange_says_it_in_a_sentence() -> None:
    line = Wire(Server("imap", "mail.example.org", 993, NONE, "anna"), 1)
    for error, told in ((TooSlow(), "is too slow"), (TooMuch(), "sends more than was asked for")):
        with pytest.raises(MailFailed, match=told) as failed, line.exchange():
            raise error
        assert failed.value.may_pass
