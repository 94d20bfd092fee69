"""One exchange with a mail server: its deadline, and what went wrong in a player's words.

The server at the other end may be broken, or somebody else's. Each exchange has one overall
deadline, in which a greeting, an encryption, a login or a message has to be done.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from threading import Thread
from typing import Any, TypeVar

from engine.message import Made, Message, Run, Said, mark
from pbem.errors import AcresError, WrongUse, system_says
from pbem.foreign import clean, excerpt, within_quotes
from pbem.mail.account import STARTTLS, TLS, Account, Server

SILENCES = 4
"""How many times as long as for the next byte a server is waited for in one exchange."""
SLOWEST = 8 * 1024
"""Bytes in a second, for which an exchange may last longer: as slow as a modem was."""
FAREWELL = 2.0
"""Seconds to wait for the answer to a farewell."""
LONGEST_SAYING = 160
"""How many characters are told of what a server says."""
_T = TypeVar("_T")


class MailFailed(AcresError):
    """Something did not go by mail; `may_pass` is true if the same may go well later."""

    def __init__(self, what: Said, /, *, may_pass: bool = False, **facts: object) -> None:
        super().__init__(what, **facts)
        self.may_pass = may_pass


class UnknownAuthority(MailFailed):
    """The certificate of a server is signed by nobody whom this computer trusts."""


class TooSlow(TimeoutError):
    """An exchange with a server lasts longer than any that goes well."""


def exchange(
    server: Server,
    timeout: int,
    talk: Callable[[], _T],
    size: int = 0,
    connection: Callable[[], socket.socket | None] = lambda: None,
) -> _T:
    """Return what `talk` returns, which moves `size` bytes; raises MailFailed.

    MailFailed is passed on as it is; whatever else goes wrong becomes one. A `connection` that was
    too slow is shut down: what still came would be taken for the answer to the next question.
    """
    try:
        return run_within(SILENCES * timeout + size / SLOWEST, talk)
    except AcresError:
        raise
    except Exception as error:
        if isinstance(error, TooSlow):
            _shut_down(connection)
        raise _failure(server, error, timeout) from None


def run_within(seconds: float, function: Callable[[], _T]) -> _T:
    """Run a function in a thread and return its result; raises TooSlow after `seconds`.

    Nobody waits for it then: it ends when its connection is closed.
    """
    future: Future[_T] = Future()

    def work() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=work, daemon=True).start()
    try:
        return future.result(seconds)
    except TimeoutError:
        if future.done():
            raise
        raise TooSlow from None


@contextmanager
def hanging_up(
    connection: Callable[[], socket.socket | None],
    farewell: Callable[[], object],
    close: Callable[[], object],
) -> Iterator[None]:
    """End a connection at the end, with a farewell if all went well.

    To close its file waits for a thread that still reads from it, which may be for as long as the
    server likes: it is shut down before.
    """
    try:
        yield
        with suppress(Exception):
            run_within(FAREWELL, farewell)
    finally:
        _shut_down(connection)
        with suppress(OSError):
            close()


def _shut_down(connection: Callable[[], socket.socket | None]) -> None:
    with suppress(OSError):
        if open_connection := connection():
            open_connection.shutdown(socket.SHUT_RDWR)


def trusted(account: Account) -> ssl.SSLContext:
    """Return how servers prove who they are: by a certificate in their name of an authority.

    Raises WrongUse if the authorities that the settings name cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=account.ca and str(account.ca))
    except OSError as error:
        # Also if there is no certificate in it.
        none = Message("there is no certificate in it")
        raise WrongUse(
            "{file}, named by ca in the settings, cannot be used: {reason}.",
            file=account.ca,
            reason=system_says(error) if error.strerror else none,
        ) from None


# --- what a server said


def said(answer: object) -> Said:
    """Return what a server said, in quotes and shortened, for the end of a sentence."""
    short = in_short(answer)
    if not short:
        return ""
    # Translators: behind a sentence such as “mail.example.org does not go on”.
    return Run((" ", Message("(it said: “{answer}”)", answer=short)))


def as_text(answer: object) -> str:
    """Return what a server said, in bytes or as text, as text."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)


def in_short(answer: object) -> str:
    """Return what a server said, shortened to stand in quotes."""
    return excerpt(within_quotes(as_text(answer)), LONGEST_SAYING)


def is_full(answer: object) -> bool:
    """Return True if a server says that a mailbox is full (RFC 3463, 3.3).

    >>> is_full("552 5.2.2 Quota exceeded"), is_full("10.4.2.2 is not here")
    (True, False)
    """
    return re.search(r"(?<![0-9.])[45]\.2\.2(?![0-9.])", as_text(answer)) is not None


# --- what goes wrong


def no_starttls(server: Server) -> MailFailed:
    """Return the error for a server that does not offer to encrypt."""
    return MailFailed(
        "{host} does not offer to encrypt the connection (STARTTLS), so your password was not "
        "sent. Either somebody is in between, or this is not the right server or port: with "
        'security = "tls" it is encrypted from the start.',
        host=server.host,
    )


def stopped_early(server: Server, answer: object = "") -> MailFailed:
    """Return the error for a server that does not do now what it may do later."""
    return MailFailed(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "{host} stopped before it was done{said}. Try again later.",
        host=server.host,
        said=said(answer),
        may_pass=True,
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
    ConnectionRefusedError: mark(
        "No mail server answers at {host}, port {port}: it is down, or this is not its port. Try "
        "again later."
    ),
    ssl.SSLEOFError: _BROKE_OFF,
    ssl.SSLError: mark(
        "The mail server at {host}, port {port}, does not encrypt as expected. Perhaps the port "
        'belongs to security = "{security}", or it is another one.'
    ),
    OSError: _BROKE_OFF,
}
"""Why a server is not reached: the first of these kinds that an error is of."""


def _failure(server: Server, error: Exception, timeout: int) -> MailFailed:
    """Return what went wrong with a server, in a player's words."""
    while isinstance(error, IMAP4.abort | smtplib.SMTPServerDisconnected):
        # Both libraries make one of whatever ends a connection.
        cause = error.__context__
        error = cause if isinstance(cause, Exception) else ConnectionResetError()
    facts: dict[str, Any] = {"host": server.host, "port": str(server.port)}
    if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 0:
        return stopped_early(server, error.smtp_error)
    if isinstance(error, ssl.SSLCertVerificationError):
        told = _DISTRUSTED.get(error.verify_code)
        return MailFailed(told, **facts) if told else UnknownAuthority(_BY_NOBODY, **facts)
    if isinstance(error, smtplib.SMTPException) or not isinstance(error, OSError):
        # A server that talks nonsense makes the libraries raise many kinds.
        return MailFailed(_OTHERWISE[server.kind], may_pass=True, **facts)
    if isinstance(error, TimeoutError) and not isinstance(error, TooSlow):
        message = Message.counted(
            "The mail server at {host}, port {port}, did not answer within {count} second. Try "
            "again later; if it never answers, check the port.",
            "The mail server at {host}, port {port}, did not answer within {count} seconds. Try "
            "again later; if it never answers, check the port.",
            timeout,
            **facts,
        )
        return MailFailed(message, may_pass=True)
    is_greeted = isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER"
    if is_greeted and server.security == TLS:
        return MailFailed(_ENCRYPTS_LATER, **facts)
    is_closed = isinstance(error, ssl.SSLEOFError) or not error.strerror
    return MailFailed(
        next(told for kind, told in _UNREACHED.items() if isinstance(error, kind)),
        may_pass=True,
        security=TLS if server.security == STARTTLS else STARTTLS,
        # Translators: the connection; it stands in “The connection … broke off: {reason}.”
        reason=Message("it was closed") if is_closed else Made(clean, system_says(error)),
        **facts,
    )
