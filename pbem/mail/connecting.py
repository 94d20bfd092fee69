"""Connections to mail servers: encrypted, bounded in time, and in words where they fail."""

from __future__ import annotations

import base64
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.message import Made, Message, Run, Said
from pbem.errors import AcresError, WrongUse, system_says
from pbem.foreign import clean, excerpt, within_quotes
from pbem.mail.account import STARTTLS, TLS, Account, Server

_EXPIRED, _NOT_YET, _WRONG_NAME, _WRONG_ADDRESS = 10, 9, 62, 64
"""Why a certificate is refused, by the numbers that OpenSSL has for it."""
LONGEST_SAYING = 160
"""So many characters are told of what a server says."""


class MailFailed(AcresError):
    """Something did not go by mail; `may_pass` says whether the same may go well later."""

    def __init__(self, sentence: Said, *, may_pass: bool = False) -> None:
        super().__init__(sentence)
        self.may_pass = may_pass


class TooSlow(TimeoutError):
    """An exchange with a server lasts longer than any that goes well."""


class TooMuch(OSError):
    """A server says more than anybody wants to know."""


@dataclass(frozen=True)
class Login:
    """What proves to a server whose account it is: a password, or a token for a while."""

    secret: str = field(repr=False)
    is_token: bool = False
    _taken_by: set[Server] = field(default_factory=set, repr=False, compare=False)

    def worked(self, server: Server) -> None:
        """Note that a server took it, so that it is right: refused later, it may be taken again."""
        self._taken_by.add(server)

    def has_worked(self, server: Server) -> bool:
        """Whether a server took it before, during this command."""
        return server in self._taken_by

    def is_in(self, text: str) -> bool:
        """Whether a text gives it away, also as logins are sent: in base64."""
        coded = (_from_base64(word) for word in re.findall(r"[A-Za-z0-9+/]{4,}", text))
        return self.secret in text or any(self.secret.encode() in each for each in coded)

    def is_ascii(self, server: Server) -> bool:
        """Whether name and password are of the letters that every way to log in takes."""
        return server.user.isascii() and self.secret.isascii()

    def plain(self, server: Server) -> bytes:
        """What a server is told by PLAIN, which takes all letters (RFC 4616)."""
        return f"\0{server.user}\0{self.secret}".encode()

    def bearer(self, server: Server) -> str:
        """What a server is told by XOAUTH2 to prove it with a token."""
        return f"user={server.user}\1auth=Bearer {self.secret}\1\1"


def trusting(account: Account) -> ssl.SSLContext:
    """How a server has to prove who it is: by a certificate in its name of a known authority.

    Raises WrongUse where the authorities that the settings name cannot be read.
    """
    ca = account.ca
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except OSError as error:
        # Also where there is no certificate in it.
        reason = system_says(error) if error.strerror else Message("there is no certificate in it")
        raise WrongUse(
            Message(
                "{file}, which ca in the settings names, cannot be used: {reason}.",
                file=ca,
                reason=reason,
            )
        ) from None


@contextmanager
def talking_to(server: Server, timeout: int) -> Iterator[None]:
    """Turn what goes wrong with a connection into MailFailed."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise MailFailed(_distrusted(server, error)) from None
    except OSError as error:
        may_pass = not isinstance(error, ssl.SSLError)
        raise MailFailed(_unreached(server, error, timeout), may_pass=may_pass) from None


def said(answer: object) -> Said:
    """What a server said, in quotes and no longer than it helps; empty where it said nothing.

    It stands behind a sentence, before its full stop.
    """
    short = in_short(answer)
    if not short:
        return ""
    # Translators: behind a sentence such as “mail.example.org does not go on”.
    told = Message("(it said: “{answer}”)", answer=short)
    return Run((" ", told))


def in_short(answer: object) -> str:
    """What a server said, no longer than it helps, for where it stands in quotes."""
    return excerpt(within_quotes(_text(answer)), LONGEST_SAYING)


def _text(answer: object) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)


def _from_base64(word: str) -> bytes:
    """What a word says in base64, whole or cut short."""
    whole = word[:-1] if len(word) % 4 == 1 else word
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def no_starttls(server: Server) -> MailFailed:
    """That a server does not offer to encrypt, so that nothing is said to it."""
    return MailFailed(
        Message(
            "{host} does not offer to encrypt the connection (STARTTLS), so your password was not "
            "sent. Either somebody is in between, or this is not the right server or port: with "
            'security = "tls" it is encrypted from the start.',
            host=server.host,
        )
    )


def refused_login(
    server: Server, login: Login, answer: object, *, may_pass: bool = False
) -> MailFailed:
    """That a server does not take the login; it may pass where the server took it before."""
    # Some repeat what they were told.
    told = "" if login.is_in(_text(answer)) else said(answer)
    return MailFailed(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        Message(
            "{host} refuses the login as {user}{said}. See whether name and password are right; "
            "many providers want a password that is made for programs, in the settings of the "
            "account. To give another: {command}",
            host=server.host,
            user=server.user,
            said=told,
            command="acres mail setup",
        ),
        may_pass=may_pass or login.has_worked(server),
    )


def _distrusted(server: Server, error: ssl.SSLCertVerificationError) -> Message:
    if error.verify_code == _EXPIRED:
        return Message(
            "The certificate of {host} has expired, so your password was not sent. See whether the "
            "clock of this computer is right; if it is, whoever keeps the server has to renew it.",
            host=server.host,
        )
    if error.verify_code == _NOT_YET:
        return Message(
            "The certificate of {host} is not valid yet, so your password was not sent. See "
            "whether the clock of this computer is right.",
            host=server.host,
        )
    if error.verify_code in (_WRONG_NAME, _WRONG_ADDRESS):
        return Message(
            "The certificate that was shown is not for {host}, so your password was not sent. See "
            "whether the host in the settings is the name that your provider gives.",
            host=server.host,
        )
    return Message(
        "The certificate of {host} is signed by nobody whom this computer trusts, so your password "
        "was not sent. If the server is your own, name its authority's certificate with ca in the "
        "settings.",
        host=server.host,
    )


def _unreached(server: Server, error: OSError, timeout: int) -> Message:
    host, port = server.host, str(server.port)
    if isinstance(error, socket.gaierror):
        return Message(
            "There is no mail server {host} to be found: see whether you are online, and whether "
            "the name in the settings is right.",
            host=host,
        )
    if isinstance(error, TooSlow):
        return Message(
            "The mail server at {host}, port {port}, is too slow, so the connection was closed. "
            "Try again later; with a slow line, a longer timeout in the settings may help.",
            host=host,
            port=port,
        )
    if isinstance(error, TooMuch):
        return Message(
            "The mail server at {host}, port {port}, sends more than was asked for, so the "
            "connection was closed. Try again later; if it stays so, see whether host and port in "
            "the settings are right.",
            host=host,
            port=port,
        )
    if isinstance(error, TimeoutError):
        return Message.counted(
            "The mail server at {host}, port {port}, did not answer within {count} second. Try "
            "again later; if it never answers, see whether the port is right.",
            "The mail server at {host}, port {port}, did not answer within {count} seconds. Try "
            "again later; if it never answers, see whether the port is right.",
            timeout,
            host=host,
            port=port,
        )
    if isinstance(error, ConnectionRefusedError):
        return Message(
            "No mail server answers at {host}, port {port}: it is down, or this is not its port. "
            "Try again later.",
            host=host,
            port=port,
        )
    if isinstance(error, ssl.SSLError):
        return Message(
            "The mail server at {host}, port {port}, does not encrypt as expected. Perhaps the "
            'port belongs to security = "{security}", or it is another one.',
            host=host,
            port=port,
            security=TLS if server.security == STARTTLS else STARTTLS,
        )
    return Message(
        "The connection to the mail server at {host}, port {port}, broke off: {reason}. Try again "
        "later.",
        host=host,
        port=port,
        reason=Made(clean, system_says(error)) if error.strerror else it_was_closed(),
    )


def it_was_closed() -> Message:
    """Why a connection broke off of which nothing else is known; it ends a sentence."""
    # Translators: the connection; it stands in “The connection … broke off: {reason}.”
    return Message("it was closed")
