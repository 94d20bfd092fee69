"""Exchanges with a mail server, with deadlines, and errors in plain words.

The server may be broken or hostile, so every exchange (a greeting, a login, a message) has one
overall deadline.
"""

from __future__ import annotations

import os
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from threading import Thread
from typing import Any, TypeVar

from engine.message import Concat, Message, Phrase, Rewording, mark
from pbem.errors import AcresError, UsageError, describe_os_error
from pbem.foreign import clean, excerpt, replace_quotes
from pbem.mail.account import STARTTLS, TLS, Account, Server

# --- exchanges


DEADLINE_FACTOR = 4
"""The deadline of a whole exchange, as a multiple of the timeout for its next byte."""
MIN_BYTES_PER_SECOND = 8 * 1024
"""The slowest line, in bytes per second, for which the deadline of a large message allows."""
AUTHORITIES, KEY_LOG = "SSL_CERT_FILE", "SSLKEYLOGFILE"
"""Variables of OpenSSL and Python: the file of authorities, and one that logs session keys."""
GOODBYE_TIMEOUT = 2.0
"""The timeout for the answer to QUIT or LOGOUT, in seconds."""
MAX_ANSWER_LENGTH = 160
"""The maximum number of characters that a message quotes from a server's answer."""
_T = TypeVar("_T")


class MailError(AcresError):
    """Raised if mail could not be sent or fetched.

    `may_pass` is true if a later attempt may succeed.
    """

    def __init__(self, message: Phrase, /, *, may_pass: bool = False, **facts: object) -> None:
        super().__init__(message, **facts)
        self.may_pass = may_pass


class UnknownAuthorityError(MailError):
    """Raised if no authority that this computer trusts signed the certificate of a server."""


class TooSlowError(TimeoutError):
    """Raised if an exchange with a server passed its deadline."""


def run_exchange(
    server: Server,
    timeout: int,
    action: Callable[[], _T],
    size: int = 0,
    connection: Callable[[], socket.socket | None] = lambda: None,
) -> _T:
    """Run an action that exchanges `size` bytes with a server, and return its result.

    An AcresError of the action is raised unchanged, and any other exception becomes a MailError. A
    connection that passed the deadline is shut down, because a late answer would be mistaken for
    the answer to the next command.
    """
    try:
        return run_with_deadline(DEADLINE_FACTOR * timeout + size / MIN_BYTES_PER_SECOND, action)
    except AcresError:
        raise
    except Exception as error:
        if isinstance(error, TooSlowError):
            _shut_down(connection)
        raise _explain_failure(server, error, timeout) from None


def run_with_deadline(seconds: float, function: Callable[[], _T]) -> _T:
    """Run a function in a thread and return its result. Raises TooSlowError after `seconds`.

    After that the thread runs on until its connection is closed.
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
        raise TooSlowError from None


@contextmanager
def closing_connection(
    connection: Callable[[], socket.socket | None],
    say_goodbye: Callable[[], object],
    close: Callable[[], object],
) -> Iterator[None]:
    """Close a connection at the end of a `with` block, with a goodbye if the block succeeded.

    The socket is shut down first: closing it would wait for a thread that still reads from it.
    """
    try:
        yield
        with suppress(Exception):
            run_with_deadline(GOODBYE_TIMEOUT, say_goodbye)
    finally:
        _shut_down(connection)
        with suppress(OSError):
            close()


def _shut_down(connection: Callable[[], socket.socket | None]) -> None:
    with suppress(OSError):
        if open_connection := connection():
            open_connection.shutdown(socket.SHUT_RDWR)


def make_tls_context(account: Account) -> ssl.SSLContext:
    """Return a TLS context that verifies certificates and host names.

    Raises UsageError if a file for it, named in the settings or the environment, cannot be used.
    """
    name: Phrase = Message("ca in the settings")
    file = account.ca and str(account.ca)
    try:
        if not file and (file := os.environ.get(AUTHORITIES)):
            name = AUTHORITIES
        if file:
            # The default context ignores authorities that it cannot read.
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
        name, file = KEY_LOG, os.environ.get(KEY_LOG)
        return ssl.create_default_context(cafile=account.ca and str(account.ca))
    except OSError as error:
        if not file:
            raise
        is_read = isinstance(error, ssl.SSLError)
        raise UsageError(
            # Translators: {name} is “ca in the settings”, or a variable such as SSL_CERT_FILE.
            "{file}, named by {name}, cannot be used: {reason}.",
            file=file,
            name=name,
            reason=Message("there is no certificate in it") if is_read else error.strerror,
        ) from None


# --- answers of servers


def quote(answer: object) -> Phrase:
    """Return a server's answer as ` (it said: “…”)`, shortened; empty if there is none."""
    short = shorten_answer(answer)
    if not short:
        return ""
    # Translators: a server's answer, after words such as “mail.example.org accepts no mail”.
    return Concat((" ", Message("(it said: “{answer}”)", answer=short)))


def decode_answer(answer: object) -> str:
    """Return a server's answer, which may be bytes, as text."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)


def shorten_answer(answer: object) -> str:
    """Return a server's answer, shortened and made harmless within quotes."""
    return excerpt(replace_quotes(decode_answer(answer)), MAX_ANSWER_LENGTH)


# --- errors


def starttls_error(server: Server) -> MailError:
    """Return the error for a server that does not offer STARTTLS."""
    return MailError(
        "{host} does not offer to encrypt the connection (STARTTLS), so your password was not "
        "sent. Either somebody is in between, or this is not the right server or port: with "
        'security = "tls" it is encrypted from the start.',
        host=server.host,
    )


def interrupted_error(server: Server, answer: object = "") -> MailError:
    """Return the error for a server that ended an exchange but may allow it later."""
    return MailError(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "{host} stopped before it was done{said}. Try again later.",
        host=server.host,
        said=quote(answer),
        may_pass=True,
    )


_NOT_A_MAIL_SERVER = {
    "smtp": mark(
        "{host}, port {port}, does not behave like an outgoing mail server (SMTP). Check the host "
        "and the port in the settings."
    ),
    "imap": mark(
        "{host}, port {port}, does not behave like an incoming mail server (IMAP). Check the host "
        "and the port in the settings."
    ),
}
_BAD_CERTIFICATE = {
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
"""The messages for refused certificates, by OpenSSL's verification error code."""
_UNKNOWN_AUTHORITY = mark(
    "The certificate of {host} is not signed by anybody this computer trusts, so your password was "
    "not sent. If the server is your own, name its authority's certificate in the settings, with "
    "ca."
)
_NEEDS_STARTTLS = mark(
    "The mail server at {host}, port {port}, does not encrypt as expected: it greets first, so its "
    'port needs security = "starttls", not "tls".'
)
_CONNECTION_LOST = mark(
    "The connection to the mail server at {host}, port {port}, broke off: {reason}. Try again "
    "later."
)
_CONNECTION_MESSAGES: dict[type[OSError], str] = {
    socket.gaierror: mark(
        "The mail server {host} cannot be found: check that you are online, and that the name in "
        "the settings is right."
    ),
    TooSlowError: mark(
        "The mail server at {host}, port {port}, is too slow, so the connection was closed. Try "
        "again later; on a slow line, a longer timeout in the settings may help."
    ),
    ConnectionRefusedError: mark(
        "No mail server answers at {host}, port {port}: it is down, or this is not its port. Try "
        "again later."
    ),
    ssl.SSLEOFError: _CONNECTION_LOST,
    ssl.SSLError: mark(
        "The mail server at {host}, port {port}, does not encrypt as expected. Perhaps the port "
        'belongs to security = "{security}", or it is another one.'
    ),
    OSError: _CONNECTION_LOST,
}
"""The messages for connection errors; the first class that fits an error counts."""


def _explain_failure(server: Server, error: Exception, timeout: int) -> MailError:
    """Return the MailError that explains an exception to a player."""
    while isinstance(error, IMAP4.abort | smtplib.SMTPServerDisconnected):
        # Both libraries wrap the exception that ended a connection.
        cause = error.__context__
        error = cause if isinstance(cause, Exception) else ConnectionResetError()
    facts: dict[str, Any] = {"host": server.host, "port": str(server.port)}
    if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 0:
        return interrupted_error(server, error.smtp_error)
    if isinstance(error, ssl.SSLCertVerificationError):
        message = _BAD_CERTIFICATE.get(error.verify_code)
        if message is None:
            return UnknownAuthorityError(_UNKNOWN_AUTHORITY, **facts)
        return MailError(message, **facts)
    if isinstance(error, smtplib.SMTPException) or not isinstance(error, OSError):
        # The libraries raise many exceptions for an answer that violates the protocol.
        return MailError(_NOT_A_MAIL_SERVER[server.kind], may_pass=True, **facts)
    if isinstance(error, TimeoutError) and not isinstance(error, TooSlowError):
        timed_out = Message.counted(
            "The mail server at {host}, port {port}, did not answer within {count} second. Try "
            "again later; if it never answers, check the port.",
            "The mail server at {host}, port {port}, did not answer within {count} seconds. Try "
            "again later; if it never answers, check the port.",
            timeout,
            **facts,
        )
        return MailError(timed_out, may_pass=True)
    is_greeted = isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER"
    if is_greeted and server.security == TLS:
        return MailError(_NEEDS_STARTTLS, **facts)
    is_closed = isinstance(error, ssl.SSLEOFError) or not error.strerror
    return MailError(
        next(text for kind, text in _CONNECTION_MESSAGES.items() if isinstance(error, kind)),
        may_pass=True,
        security=TLS if server.security == STARTTLS else STARTTLS,
        # Translators: “it” is the connection; used in “The connection … broke off: {reason}.”
        reason=Message("it was closed")
        if is_closed
        else Rewording(clean, describe_os_error(error)),
        **facts,
    )
