"""Connections to mail servers that can neither hang a command nor fill its memory.

The server at the other end may be broken, or somebody else's: each exchange with it has one overall
deadline, and a bound on what it may bring. Both hold for every byte that comes or goes, of a
greeting, of the encryption, of a login or of a message. What goes wrong is told in a sentence.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from engine.message import Made, Message, Said, mark
from pbem.errors import AcresError, WrongUse, system_says
from pbem.foreign import clean
from pbem.mail.account import STARTTLS, TLS, Account, Server
from pbem.mail.sayings import said

SILENCES = 4
"""How many times as long as for the next byte a server is waited for in one exchange."""
SLOWEST = 8 * 1024
"""Bytes in a second, for which an exchange may last longer: as slow as a modem was."""
MOST_SAID = {"smtp": 64 * 1024, "imap": 1024 * 1024}
"""How many bytes a server may say in one exchange, beside literals."""
GREETING, HANDSHAKE = 2.0, 1.0
"""In seconds: so long a greeting is waited for until it is tried whether the server encrypts from
the start, and so long that takes at most."""
MOST_NAMED = 64 * 1024
"""How many bytes of literals may be in an answer where none is asked for: names of folders."""


class MailFailed(AcresError):
    """Something did not go by mail; `may_pass` says whether the same may go well later."""

    def __init__(self, what: Said, /, *, may_pass: bool = False, **facts: object) -> None:
        super().__init__(what, **facts)
        self.may_pass = may_pass


class UnknownAuthority(MailFailed):
    """The certificate of a server is signed by nobody whom this computer trusts."""


class TooSlow(TimeoutError):
    """An exchange with a server lasts longer than any that goes well."""


class TooMuch(OSError):
    """A server says more than anybody wants to know."""


class EncryptsAtOnce(OSError):
    """A server waits for encryption, where its greeting was waited for."""


class Wire:
    """A connection to a server, of one exchange after the other.

    Until an exchange begins nothing may pass.
    """

    def __init__(self, server: Server, timeout: int) -> None:
        self._server = server
        self._timeout = timeout
        self._silence = 0.0
        self._deadline = 0.0
        self._left = 0
        self._left_in_literals = 0

    @contextmanager
    def exchange(self, literals: int = MOST_NAMED) -> Iterator[None]:
        """Say something and hear the answer, with that many bytes of `literals` in it at most.

        Raises MailFailed for what goes wrong with the connection.
        """
        self.begin(literals=literals)
        with talking_to(self._server, self._timeout):
            yield

    def begin(self, *, patience: int = 1, literals: int = 0) -> None:
        """The same, where an OSError has to stay one; `patience` is by how much it may be slower.

        TooSlow and TooMuch are among those errors.
        """
        self._silence = float(self._timeout * patience)
        self._deadline = monotonic() + SILENCES * self._silence
        self._left = MOST_SAID[self._server.kind]
        self._left_in_literals = literals

    def connected(self) -> socket.socket:
        """A new connection, not yet encrypted; raises OSError where nobody answers.

        EncryptsAtOnce among them, where each side would wait for the other.
        """
        server = self._server
        plain = socket.create_connection((server.host, server.port), self._timeout)
        if server.security == STARTTLS and not _is_greeted(plain) and _encrypts_at_once(server):
            plain.close()
            raise EncryptsAtOnce
        bounded: socket.socket = self._as_bounded(_Plain)(fileno=plain.detach())
        return bounded

    def trusting(self, account: Account) -> ssl.SSLContext:
        """How the server has to prove who it is, over a connection that stays bounded.

        That is by a certificate in its name of a known authority. Raises WrongUse where the
        authorities that the settings name cannot be read.
        """
        ca = account.ca
        try:
            context = ssl.create_default_context(cafile=None if ca is None else str(ca))
        except OSError as error:
            # Also where there is no certificate in it.
            none = Message("there is no certificate in it")
            raise WrongUse(
                "{file}, named by ca in the settings, cannot be used: {reason}.",
                file=ca,
                reason=system_says(error) if error.strerror else none,
            ) from None
        context.sslsocket_class = self._as_bounded(_Encrypted)
        return context

    def expect(self, size: int) -> None:
        """See that a literal of that size may come; raises TooMuch where it may not."""
        if size > self._left_in_literals:
            raise TooMuch
        self._left_in_literals -= size
        self._left += size

    def _as_bounded(self, kind: type[Any]) -> type[Any]:
        """That kind of socket, of this connection: the libraries make it themselves."""
        return type(kind.__name__, (kind,), {"wire": self})

    @contextmanager
    def waiting(self, sock: socket.socket, size: int = 0) -> Iterator[None]:
        """Wait for the other end, which has that many bytes to take; raises TooSlow."""
        self._deadline += size / SLOWEST
        left = self._deadline - monotonic()
        if left <= 0:
            raise TooSlow
        sock.settimeout(min(self._silence + size / SLOWEST, left))
        try:
            yield
        except TimeoutError:
            if monotonic() >= self._deadline:
                raise TooSlow from None
            raise

    def took(self, size: int) -> None:
        """Count what has come; raises TooMuch where that is more than may come."""
        self._left -= size
        if self._left < 0:
            raise TooMuch
        self._deadline += size / SLOWEST


def _is_greeted(sock: socket.socket) -> bool:
    """Whether a server says something within the time that nearly all need for it."""
    before = sock.gettimeout()
    sock.settimeout(min(GREETING, before or GREETING))
    try:
        return sock.recv(1, socket.MSG_PEEK) is not None
    except TimeoutError:
        return False
    finally:
        sock.settimeout(before)


def _encrypts_at_once(server: Server) -> bool:
    """Whether a server that says nothing encrypts from the start; nothing secret is told to it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((server.host, server.port), HANDSHAKE) as plain,
            context.wrap_socket(plain, server_hostname=server.host),
        ):
            return True
    except OSError:
        return False


class _Bounded:
    """A socket that waits as long, and takes as much, as its wire allows.

    These are the ways by which the libraries read and write, in one version of Python or another.
    """

    wire: Wire

    def recv(self, *given: Any) -> bytes:
        with self.wire.waiting(self):  # type: ignore[arg-type]
            data: bytes = super().recv(*given)  # type: ignore[misc]
        self.wire.took(len(data))
        return data

    def recv_into(self, *given: Any) -> int:
        with self.wire.waiting(self):  # type: ignore[arg-type]
            size: int = super().recv_into(*given)  # type: ignore[misc]
        self.wire.took(size)
        return size

    def sendall(self, data: Any, *given: Any) -> None:
        with self.wire.waiting(self, len(data)):  # type: ignore[arg-type]
            super().sendall(data, *given)  # type: ignore[misc]


class _Plain(_Bounded, socket.socket):
    pass


class _Encrypted(_Bounded, ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        with self.wire.waiting(self):
            super().do_handshake(block)


# --- what goes wrong


def no_starttls(server: Server) -> MailFailed:
    """That a server does not offer to encrypt, so that nothing is said to it."""
    return MailFailed(
        "{host} does not offer to encrypt the connection (STARTTLS), so your password was not "
        "sent. Either somebody is in between, or this is not the right server or port: with "
        'security = "tls" it is encrypted from the start.',
        host=server.host,
    )


_OTHERWISE = {
    "smtp": mark(
        "{host}, port {port}, does not behave like an outgoing mail server (SMTP). Check the host "
        "and the port in the settings."
    ),
    "imap": mark(
        "{host}, port {port}, does not behave like an incoming mail server (IMAP). Check the host "
        "and the port in the settings."
    ),
}
_DISTRUSTED = {
    10: mark(
        "The certificate of {host} has expired, so your password was not sent. Check the clock of "
        "this computer; if it is right, whoever runs the server has to renew the certificate."
    ),
    9: mark(
        "The certificate of {host} is not valid yet, so your password was not sent. Check the "
        "clock of this computer."
    ),
    **dict.fromkeys(
        (62, 64),
        mark(
            "The certificate that was shown is not for {host}, so your password was not sent. "
            "Check that the host in the settings is the name that your provider gives."
        ),
    ),
}
"""Why a certificate is refused, by the numbers that OpenSSL has for it."""
_BY_NOBODY = mark(
    "The certificate of {host} is not signed by anybody this computer trusts, so your password was "
    "not sent. If the server is your own, name its authority's certificate in the settings, with "
    "ca."
)
_ENCRYPTS_LATER = mark(
    "The mail server at {host}, port {port}, does not encrypt as expected: it greets first, so its "
    'port needs security = "starttls", not "tls".'
)
_BROKE_OFF = mark(
    "The connection to the mail server at {host}, port {port}, broke off: {reason}. Try again "
    "later."
)
_UNREACHED: dict[type[OSError], str] = {
    socket.gaierror: mark(
        "The mail server {host} cannot be found: check that you are online, and that the name in "
        "the settings is right."
    ),
    TooSlow: mark(
        "The mail server at {host}, port {port}, is too slow, so the connection was closed. Try "
        "again later; on a slow line, a longer timeout in the settings may help."
    ),
    TooMuch: mark(
        "The mail server at {host}, port {port}, sends more than was asked for, so the connection "
        "was closed. Try again later; if that goes on, check the host and the port in the settings."
    ),
    ConnectionRefusedError: mark(
        "No mail server answers at {host}, port {port}: it is down, or this is not its port. Try "
        "again later."
    ),
    EncryptsAtOnce: mark(
        "The mail server at {host}, port {port}, encrypts from the start: its port needs security "
        '= "tls", not "starttls".'
    ),
    ssl.SSLCertVerificationError: _BY_NOBODY,
    ssl.SSLEOFError: _BROKE_OFF,
    ssl.SSLError: mark(
        "The mail server at {host}, port {port}, does not encrypt as expected. Perhaps the port "
        'belongs to security = "{security}", or it is another one.'
    ),
    OSError: _BROKE_OFF,
}
"""Why a server is not reached: the first of these kinds that an error is of."""


@contextmanager
def talking_to(server: Server, timeout: int) -> Iterator[None]:
    """Turn what goes wrong with a connection into MailFailed."""
    try:
        yield
    except OSError as error:
        # Other trouble with the encryption is had where a server is just started again, too.
        is_final = isinstance(error, ssl.SSLCertVerificationError | EncryptsAtOnce)
        may_pass = not is_final and not _was_greeted(error)
        told = _unreached(server, error, timeout)
        if isinstance(error, ssl.SSLCertVerificationError) and error.verify_code not in _DISTRUSTED:
            raise UnknownAuthority(told, may_pass=may_pass) from None
        raise MailFailed(told, may_pass=may_pass) from None


def _unreached(server: Server, error: OSError, timeout: int) -> Message:
    facts = {"host": server.host, "port": str(server.port)}
    if isinstance(error, TimeoutError) and not isinstance(error, TooSlow):
        return Message.counted(
            "The mail server at {host}, port {port}, did not answer within {count} second. Try "
            "again later; if it never answers, check the port.",
            "The mail server at {host}, port {port}, did not answer within {count} seconds. Try "
            "again later; if it never answers, check the port.",
            timeout,
            **facts,
        )
    told = next(told for kind, told in _UNREACHED.items() if isinstance(error, kind))
    if isinstance(error, ssl.SSLCertVerificationError):
        told = _DISTRUSTED.get(error.verify_code, told)
    elif _was_greeted(error) and server.security == TLS:
        told = _ENCRYPTS_LATER
    is_closed = isinstance(error, ssl.SSLEOFError) or not error.strerror
    return Message(
        told,
        **facts,
        security=TLS if server.security == STARTTLS else STARTTLS,
        reason=it_was_closed() if is_closed else Made(clean, system_says(error)),
    )


def _was_greeted(error: OSError) -> bool:
    """Whether a server greeted where it should have encrypted, as OpenSSL has it."""
    return isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER"


def talks_otherwise(server: Server) -> MailFailed:
    """That who answers is no mail server of that kind."""
    told = _OTHERWISE[server.kind]
    return MailFailed(Message(told, host=server.host, port=str(server.port)), may_pass=True)


def stopped_early(host: str, answer: object = "") -> MailFailed:
    """That a server does not do now what it may do later, and what it said."""
    return MailFailed(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "{host} stopped before it was done{said}. Try again later.",
        host=host,
        said=said(answer),
        may_pass=True,
    )


def it_was_closed() -> Message:
    """Why a connection broke off of which nothing else is known; it ends a sentence."""
    # Translators: the connection; it stands in “The connection … broke off: {reason}.”
    return Message("it was closed")
