"""One exchange with a mail server: its deadline, its password, its failures in plain words.

The server at the other end may be broken, or somebody else's. Each exchange has one overall
deadline, in which a greeting, an encryption, a login or a message has to be done.

Passwords come from the environment or the keyring of the system, never from the command line or the
settings, which others may see. The keyring has a password for each user, host and purpose.
"""

from __future__ import annotations

import base64
import os
import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from imaplib import IMAP4
from threading import Thread
from typing import Any, TypeVar

import keyring
from keyring.errors import NoKeyringError

from engine.message import Concat, Message, Phrase, Rewording, mark
from pbem.errors import AcresError, WrongUse, system_says
from pbem.foreign import clean, excerpt, within_quotes
from pbem.mail.account import NONE, STARTTLS, TLS, Account, Server

# --- exchanges


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

    def __init__(self, what: Phrase, /, *, may_pass: bool = False, **facts: object) -> None:
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


def said(answer: object) -> Phrase:
    """Return what a server said, in quotes and shortened, for the end of a sentence."""
    short = in_short(answer)
    if not short:
        return ""
    # Translators: behind a sentence such as “mail.example.org does not go on”.
    return Concat((" ", Message("(it said: “{answer}”)", answer=short)))


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
        reason=Message("it was closed") if is_closed else Rewording(clean, system_says(error)),
        **facts,
    )


# --- passwords


SERVICE = "acres"
TOKEN_VARIABLE = "ACRES_MAIL_TOKEN"
PASSWORD_VARIABLE = "ACRES_MAIL_PASSWORD"
VARIABLES = {"smtp": "ACRES_SMTP_PASSWORD", "imap": "ACRES_IMAP_PASSWORD"}
"""For the password of one server alone."""

_GRANT = re.compile(r"oauth2 ([1-9])((?: [0-9a-f]+)?)")
"""Entry of an acres that signed in with a browser: how many pieces, and part of their names."""


class NoKeyring(AcresError):
    """The keyring of the system cannot be used; the message says why."""


@dataclass(slots=True)
class Login:
    """A password, or a token for a while; `has_worked` is true once its server took it.

    `command` is how the program is called.
    """

    secret: str = field(repr=False)
    command: str
    is_token: bool = False
    has_worked: bool = False

    def without_it(self, answer: object) -> object:
        """Return an answer unless it gives the secret away: some servers repeat what they hear."""
        text = as_text(answer)
        coded = map(_from_base64, re.findall(r"[A-Za-z0-9+/]{4,}", text))
        is_in = self.secret in text or any(self.secret.encode() in each for each in coded)
        return "" if is_in else answer

    def refused(self, server: Server, answer: object, *, may_pass: bool = False) -> MailFailed:
        """Return the error for a server that refuses it; it may pass if it was taken before."""
        return MailFailed(
            # Translators: {said} is empty, or “ (it said: …)” with a space before it.
            "{host} refuses the login as {user}{said}. Check the name and the password; many "
            "providers want an app password, made in the settings of the account. To give another: "
            "{command}",
            host=server.host,
            user=server.user,
            said=said(self.without_it(answer)),
            command=f"{self.command} mail setup",
            may_pass=may_pass or self.has_worked,
        )

    def is_ascii(self, server: Server) -> bool:
        """Return True if name and password have only letters that every kind of login takes."""
        return server.user.isascii() and self.secret.isascii()


def _from_base64(word: str) -> bytes:
    """Decode a word in base64, whole or cut short."""
    whole = word[:-1] if len(word) % 4 == 1 else word
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def login_for(
    server: Server, command: str, ask: Callable[[Message], str] | None = None
) -> Login | None:
    """Return the login for a server; None for a server on this computer that needs none.

    It comes from the environment, else from the keyring, else from `ask`. Raises WrongUse if there
    is none, and MailFailed if the player had signed in with a browser; `command` is how the program
    is called.
    """
    login = login_at_hand(server, command)
    if login is not None or (server.security == NONE and server.kind == "smtp"):
        return login
    if _entry(server.user):
        raise MailFailed(
            "You had signed in with a browser, which acres no longer does: use an app password "
            "({command} mail setup), a token ({variable}) or drafts ({command} mail draft).",
            command=command,
            variable=TOKEN_VARIABLE,
        )
    if ask is None:
        raise WrongUse(
            "There is no password for {user} at {host}: {command} keeps it in the keyring, or set "
            "{variable}.",
            user=server.user,
            host=server.host,
            command=f"{command} mail setup",
            variable=PASSWORD_VARIABLE,
        )
    asked = Message("Password for {user} at {host}", user=server.user, host=server.host)
    return Login(ask(asked), command)


def login_at_hand(server: Server, command: str) -> Login | None:
    """Return the login from the environment or the keyring; None if neither has one."""
    if login := login_of_environment(server, command):
        return login
    # Before there was one entry for each user.
    entry = _entry(_name(server)) or _entry(server.user)
    return Login(entry, command) if entry and not _GRANT.fullmatch(entry) else None


def login_of_environment(server: Server, command: str) -> Login | None:
    """Return the login from the environment; None if there is none."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return Login(token, command, is_token=True)
    password = os.environ.get(VARIABLES[server.kind]) or os.environ.get(PASSWORD_VARIABLE)
    return Login(password, command) if password else None


def _name(server: Server) -> str:
    """Return the name under which the keyring has the password for a server."""
    return f"{server.kind} {server.user}@{server.host}"


def _entry(name: str) -> str:
    """Return an entry of the keyring; empty for nothing, or no keyring."""
    # Its back ends come from many hands; whatever they raise, there is nothing.
    with suppress(Exception):
        return keyring.get_password(SERVICE, name) or ""
    return ""


def keep_password(server: Server, password: str) -> None:
    """Keep the password for a server in the keyring; raises NoKeyring.

    Delete what an older acres kept for its user: a password, or what a browser had brought.
    """
    try:
        keyring.set_password(SERVICE, _name(server), password)
    except NoKeyringError:
        raise NoKeyring("This system has no keyring to keep the password in.") from None
    except Exception as error:
        raise NoKeyring(
            "The keyring of this system does not keep the password ({error}).",
            error=type(error).__name__,
        ) from None
    before = _entry(server.user)
    grant = _GRANT.fullmatch(before)
    pieces = [f"{server.user} oauth2{grant[2]} {n}" for n in range(int(grant[1]))] if grant else []
    for name in [*pieces, server.user] if before else ():
        # Nobody reads these again.
        with suppress(Exception):
            keyring.delete_password(SERVICE, name)
