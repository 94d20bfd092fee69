"""Sending letters by SMTP, always knowing whether one may have left.

docs/mail.md.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage

from engine.message import Message, sentences
from pbem.mail.account import STARTTLS, TLS, Account, Server
from pbem.mail.login import Login
from pbem.mail.sayings import as_text, is_full, said
from pbem.mail.wire import MailFailed, Wire, no_starttls, stopped_early, talks_otherwise

PATIENCE = 6
"""How many times as long as for another answer a server is waited for that has got a letter.

Many look through it before they say whether they take it (RFC 5321, 4.5.3.2.6).
"""
_HERE = "[127.0.0.1]"
"""What this computer calls itself, to whoever knows by the login who writes."""
_LOGGED_IN = 235
_TAKEN, _TAKEN_TO_FORWARD = 250, 251
_NO_ROOM, _TOO_LARGE = 452, 552
_LATER = Message("Try again later.")


class MayHaveArrived(MailFailed):
    """The letter was handed over, but the server did not say whether it took it."""


class AddressRefused(MailFailed):
    """The server takes no letter for that address, and will not."""


class LetterTooLarge(MailFailed):
    """The letter is larger than the server takes."""


class Outgoing:
    """A connection to the player's SMTP server, who is logged in."""

    def __init__(self, server: Server, address: str, smtp: smtplib.SMTP, wire: Wire) -> None:
        self._server = server
        self._address = address
        self._smtp = smtp
        self._wire = wire

    def send(self, letter: EmailMessage, to: str, begins: Callable[[], None]) -> None:
        """Send a letter to an address; `begins` is called right before it may leave.

        Raises MailFailed where it surely did not leave, and MayHaveArrived where nobody knows.
        """
        data = letter.as_bytes()
        with self._wire.exchange(), _in_words(self._server):
            self._address_it(to, len(data))
        begins()
        self._wire.begin(patience=PATIENCE)
        try:
            code, answer = self._smtp.data(data)
        except smtplib.SMTPDataError as error:
            raise self._refused(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError):
            raise MayHaveArrived(
                "The connection to {host} broke off while the message was handed over, so it may "
                "have arrived or not.",
                host=self._server.host,
                may_pass=True,
            ) from None
        if code == _TAKEN:
            return
        if _is_refusal(code):
            raise self._refused(code, answer)
        raise MayHaveArrived(
            "{host} did not say clearly whether it accepted the message, so it may have arrived or "
            "not.",
            host=self._server.host,
            may_pass=True,
        )

    def _address_it(self, to: str, size: int) -> None:
        """Say from whom and for whom it is; raises MailFailed where that is refused."""
        smtp = self._smtp
        # What went wrong with the letter before is none of this one's business.
        smtp.rset()
        most = smtp.esmtp_features.get("size", "")
        if most.isdecimal() and 0 < int(most) < size:
            raise self._too_large()
        options = [f"SIZE={size}"] if smtp.has_extn("size") else []
        code, answer = smtp.mail(self._address, options)
        if code != _TAKEN:
            if code in (_TOO_LARGE, _NO_ROOM):
                raise self._refused(code, answer)
            raise MailFailed(
                # Translators: {said} is empty, or “ (it said: …)” with a space before it.
                "{host} accepts no mail from {address}{said}: check that the address in the "
                "settings is that of the account.",
                host=self._server.host,
                address=self._address,
                said=said(answer),
                may_pass=_is_passing(code),
            )
        code, answer = smtp.rcpt(to)
        if code not in (_TAKEN, _TAKEN_TO_FORWARD):
            if is_full(as_text(answer)) or code in (_NO_ROOM, _TOO_LARGE):
                raise _full(answer)
            # Translators: {said} is empty, or “ (it said: …)” with a space before it.
            refused = Message(
                "{host} accepts no mail for {address}{said}.",
                host=self._server.host,
                address=to,
                said=said(answer),
            )
            if not _is_passing(code):
                raise AddressRefused(refused)
            raise MailFailed(sentences(refused, _LATER), may_pass=True)

    def _refused(self, code: int, answer: object) -> MailFailed:
        """What a server means that did not take a letter."""
        if code == _NO_ROOM or is_full(as_text(answer)):
            return _full(answer)
        if code == _TOO_LARGE:
            return self._too_large()
        refused = Message(
            "{host} did not accept the message{said}.", host=self._server.host, said=said(answer)
        )
        may_pass = _is_passing(code)
        what_to_do = _LATER if may_pass else Message("Send it with your mail program.")
        return MailFailed(sentences(refused, what_to_do), may_pass=may_pass)

    def _too_large(self) -> MailFailed:
        return LetterTooLarge("The message is larger than {host} accepts.", host=self._server.host)


@contextmanager
def outgoing(account: Account, login: Login | None) -> Iterator[Outgoing]:
    """A connection to send by; raises MailFailed where there is none, or the login is refused.

    Without a `login` the server, which is on this computer, has to know whose mail it is.
    """
    server = account.smtp
    assert server is not None
    wire = Wire(server, account.timeout)
    with wire.exchange(), _in_words(server):
        smtp = _connected(account, server, wire)
    try:
        with wire.exchange(), _in_words(server):
            code, answer = smtp.ehlo()
            if _is_passing(code):
                raise smtplib.SMTPHeloError(code, answer)
            if server.security == STARTTLS:
                _encrypt(account, server, smtp, wire)
            if login is not None:
                _log_in(server, smtp, login)
                login.worked(server)
        yield Outgoing(server, account.address, smtp, wire)
        # Whoever stops in the middle of it does not wait for a farewell.
        with suppress(OSError):
            wire.begin()
            smtp.quit()
    finally:
        smtp.close()


class _Smtp(smtplib.SMTP):
    """A client that connects over that wire, encrypted from the start where there is a context."""

    def __init__(self, server: Server, wire: Wire, context: ssl.SSLContext | None) -> None:
        self._wire = wire
        self._context = context
        super().__init__(server.host, server.port, _HERE)

    def _get_socket(self, host: str, port: int, timeout: object) -> socket.socket:
        sock = self._wire.connected()
        return self._context.wrap_socket(sock, server_hostname=host) if self._context else sock


def _connected(account: Account, server: Server, wire: Wire) -> smtplib.SMTP:
    return _Smtp(server, wire, wire.trusting(account) if server.security == TLS else None)


def _encrypt(account: Account, server: Server, smtp: smtplib.SMTP, wire: Wire) -> None:
    try:
        smtp.starttls(context=wire.trusting(account))
    except (smtplib.SMTPNotSupportedError, smtplib.SMTPResponseException) as error:
        if isinstance(error, smtplib.SMTPResponseException) and _is_passing(error.smtp_code):
            raise
        raise no_starttls(server) from None
    smtp.ehlo()


def _log_in(server: Server, smtp: smtplib.SMTP, login: Login) -> None:
    try:
        if login.is_token:
            smtp.auth("XOAUTH2", lambda challenge=None: "" if challenge else login.bearer(server))
        elif login.is_ascii(server):
            smtp.login(server.user, login.secret)
        else:
            # What smtplib knows of logins is in ASCII.
            said_plainly = b64encode(login.plain(server)).decode()
            code, answer = smtp.docmd("AUTH", f"PLAIN {said_plainly}")
            if code != _LOGGED_IN:
                raise smtplib.SMTPAuthenticationError(code, answer)
    except smtplib.SMTPAuthenticationError as error:
        may_pass = _is_passing(error.smtp_code)
        raise login.refused(server, error.smtp_error, may_pass=may_pass) from None
    except smtplib.SMTPNotSupportedError:
        raise MailFailed(
            "{host}, port {port}, offers no login method that acres knows.",
            host=server.host,
            port=str(server.port),
        ) from None


@contextmanager
def _in_words(server: Server) -> Iterator[None]:
    """Turn what a server should not say into MailFailed; an OSError stays one."""
    try:
        yield
    except ssl.SSLError:
        # Some of its kinds are ValueErrors too.
        raise
    except smtplib.SMTPResponseException as error:
        if error.smtp_code < 0:
            raise talks_otherwise(server) from None
        raise stopped_early(server.host, error.smtp_error) from None
    except smtplib.SMTPServerDisconnected as error:
        # smtplib makes one of it that nothing came in time.
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        raise ConnectionResetError from None
    except (smtplib.SMTPException, ValueError):
        raise talks_otherwise(server) from None


def _full(answer: object) -> MailFailed:
    return MailFailed(
        "The recipient's mailbox or server is full{said}. It was not sent: try again later, and "
        "tell your opponent another way if that goes on.",
        said=said(answer),
        may_pass=True,
    )


def _is_refusal(code: int) -> bool:
    """Whether a server says that it does not take a letter, for now or for good."""
    return 400 <= code < 600


def _is_passing(code: int) -> bool:
    """Whether a server says that the same may go well later."""
    return 400 <= code < 500
