"""Servers that are just being started again, perhaps behind something that takes their callers."""

from __future__ import annotations

import struct
from collections.abc import Callable
from socket import SO_LINGER, SOL_SOCKET, socket

import pytest

from pbem.mail.account import Account, Server
from pbem.mail.login import Login
from pbem.mail.mailbox import opened
from pbem.mail.outbox import outgoing
from pbem.mail.wire import MailFailed
from tests.mail.certificates import Authority
from tests.mail.servers import door, says

LOGIN = Login("correct horse")


def closes(caller: socket) -> None:
    caller.recv(5000)


def resets(caller: socket) -> None:
    caller.recv(5000)
    caller.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))


def has_trouble(caller: socket) -> None:
    """The alert of TLS for an internal error (RFC 8446, 6.2)."""
    caller.recv(5000)
    caller.sendall(bytes([21, 3, 3, 0, 2, 2, 80]))


def fetching_fails(port: int) -> MailFailed:
    server = Server("imap", "localhost", port, "tls", "anna")
    account = Account("anna@example.org", None, server, timeout=3)
    with pytest.raises(MailFailed) as failed, opened(account, LOGIN):
        pass
    return failed.value


def sending_fails(port: int) -> MailFailed:
    server = Server("smtp", "localhost", port, "starttls", "anna")
    account = Account("anna@example.org", server, None, timeout=3)
    with pytest.raises(MailFailed) as failed, outgoing(account, LOGIN):
        pass
    return failed.value


@pytest.mark.parametrize("behaves", [closes, resets, has_trouble])
def test_encryption_that_breaks_off_may_go_well_later(behaves: Callable[[socket], None]) -> None:
    with door(behaves) as port:
        failed = fetching_fails(port)
    assert failed.may_pass
    # Where nothing was said of the encryption, nobody is to look for another.
    assert ("broke off" in str(failed)) == (behaves is not has_trouble)


def test_a_port_for_another_encryption_and_a_wrong_certificate_stay_so(
    authority: Authority,
) -> None:
    with door(says(b"* OK hello\r\n")) as port:
        assert not fetching_fails(port).may_pass
    with door(closes, authority.signs("server")) as port:
        assert not fetching_fails(port).may_pass


@pytest.mark.parametrize(
    "answers",
    [
        (b"421 4.3.2 too busy\r\n",),
        (b"250-here\r\n250 STARTTLS\r\n", b"454 4.7.0 not just now\r\n"),
    ],
)
def test_a_server_that_is_busy_is_nobody_in_between(answers: tuple[bytes, ...]) -> None:
    with door(says(b"220 hello\r\n", *answers)) as port:
        failed = sending_fails(port)
    assert failed.may_pass
    assert "Try again later" in str(failed)


@pytest.mark.parametrize(
    "answers",
    [
        (b"250 here\r\n",),
        (b"250-here\r\n250 STARTTLS\r\n", b"501 5.5.4 not with you\r\n"),
    ],
)
def test_a_server_that_does_not_encrypt_is_told_nothing(answers: tuple[bytes, ...]) -> None:
    with door(says(b"220 hello\r\n", *answers)) as port:
        failed = sending_fails(port)
    assert not failed.may_pass
    assert "STARTTLS" in str(failed)
