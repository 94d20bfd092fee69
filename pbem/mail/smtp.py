"""Sending messages by SMTP; each was sent, was not sent, or may have been sent."""

from __future__ import annotations

import re
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import TypeVar

from engine.message import Message, mark, sentences
from pbem.mail.account import STARTTLS, TLS, Account, Server
from pbem.mail.connection import (
    MailError,
    closing_connection,
    decode_answer,
    interrupted_error,
    make_tls_context,
    quote,
    run_exchange,
    starttls_error,
)
from pbem.mail.login import Login

MESSAGE_TIMEOUT_FACTOR = 6
"""The timeout for the answer to a whole message, as a multiple of the account's timeout.

Many servers scan a message before they accept it (RFC 5321, 4.5.3.2.6).
"""
_T = TypeVar("_T")
_EHLO_NAME = "[127.0.0.1]"
"""The name of this computer in EHLO; the login identifies the player."""
_RETRY = mark("Try again later.")
_LOGGED_IN, _OK, _WILL_FORWARD, _NO_ROOM, _TOO_LARGE = 235, 250, 251, 452, 552
FULL, TOO_LARGE = "full", "too large"
"""Reasons why a server refuses a message."""
_REASONS = {"2.2": FULL, "3.1": FULL, "2.3": TOO_LARGE, "3.4": TOO_LARGE}
"""Reasons by enhanced status code, without its first digit (RFC 3463)."""
_UNDEFINED = {"0.0", "2.0", "3.0"}
"""Codes that leave the reason to the words."""


class UncertainSendError(MailError):
    """Raised if the server got the message, but did not clearly answer that it accepted it."""


class RecipientRefusedError(MailError):
    """Raised if the server permanently refuses mail for the recipient's address."""


class MessageTooLargeError(MailError):
    """Raised if the message is larger than the server accepts."""


class SmtpClient:
    """A connection to the player's SMTP server, with the player logged in."""

    def __init__(self, server: Server, account: Account, smtp: smtplib.SMTP) -> None:
        self._server, self._account, self._smtp = server, account, smtp

    def send(self, email: EmailMessage, to: str, begin: Callable[[], None]) -> None:
        """Send a message to an address; `begin` is called right before the message may leave.

        Raises MailError if the message was certainly not sent, and UncertainSendError if it may
        have been sent.
        """
        data, host, timeout = email.as_bytes(), self._server.host, self._account.timeout
        self._exchange(timeout, lambda: self._set_envelope(to, len(data)))
        begin()
        try:
            message_timeout = MESSAGE_TIMEOUT_FACTOR * timeout
            code, answer = self._exchange(
                message_timeout, lambda: self._send_data(data, message_timeout), len(data)
            )
        except MailError:
            raise UncertainSendError(
                "The connection to {host} broke off while the message was handed over, so it may "
                "have arrived or not.",
                host=host,
                may_pass=True,
            ) from None
        if code == _OK:
            return
        if 400 <= code < 600:
            raise self._refusal_error(code, answer)
        raise UncertainSendError(
            "{host} did not say clearly whether it accepted the message, so it may have arrived or "
            "not.",
            host=host,
            may_pass=True,
        )

    def _set_envelope(self, to: str, size: int) -> None:
        """Send the addresses of sender and recipient. Raises MailError if one is refused."""
        smtp, host = self._smtp, self._server.host
        # The previous message may have been cut off.
        smtp.rset()
        limit = smtp.esmtp_features.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < size:
            raise self._refusal_error(_TOO_LARGE, "")
        address = self._account.address
        code, answer = smtp.mail(address, [f"SIZE={size}"] if smtp.has_extn("size") else [])
        if code != _OK:
            if find_reason(code, answer):
                raise self._refusal_error(code, answer)
            raise MailError(
                # Translators: {said} is empty, or “ (it said: …)” with a space before it.
                "{host} accepts no mail from {address}{said}: check that the address in the "
                "settings is that of the account.",
                host=host,
                address=address,
                said=quote(answer),
                may_pass=_is_temporary(code),
            )
        code, answer = smtp.rcpt(to)
        if code in (_OK, _WILL_FORWARD):
            return
        if find_reason(code, answer):
            raise self._refusal_error(code, answer)
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        message = Message(
            "{host} accepts no mail for {address}{said}.", host=host, address=to, said=quote(answer)
        )
        if not _is_temporary(code):
            raise RecipientRefusedError(message)
        raise MailError(sentences(message, Message(_RETRY)), may_pass=True)

    def _exchange(self, timeout: int, action: Callable[[], _T], size: int = 0) -> _T:
        return run_exchange(self._server, timeout, action, size, lambda: self._smtp.sock)

    def _send_data(self, data: bytes, timeout: int) -> tuple[int, object]:
        """Send the message itself, and return the server's answer; the code 0 means nonsense."""
        if self._smtp.sock is not None:
            self._smtp.sock.settimeout(timeout)
        try:
            return self._smtp.data(data)
        except smtplib.SMTPDataError as error:
            # A server cannot accept a message that was not sent yet.
            code = 0 if error.smtp_code == _OK else error.smtp_code
            return code, error.smtp_error

    def _refusal_error(self, code: int, answer: object) -> MailError:
        """Return the error for a message that the server did not accept."""
        reason, host = find_reason(code, answer), self._server.host
        if reason == FULL:
            return MailError(
                "The recipient's mailbox or server is full{said}. It was not sent: try again "
                "later, and tell your opponent another way if that goes on.",
                said=quote(answer),
                may_pass=True,
            )
        if reason == TOO_LARGE:
            return MessageTooLargeError(
                # Translators: {said} is empty, or “ (it said: …)” with a space before it.
                "The message is larger than {host} accepts{said}.",
                host=host,
                said=quote(answer),
            )
        message = Message("{host} did not accept the message{said}.", host=host, said=quote(answer))
        may_pass = _is_temporary(code)
        next_step = Message(_RETRY if may_pass else mark("Send it with your mail program."))
        return MailError(sentences(message, next_step), may_pass=may_pass)


@contextmanager
def connect_smtp(account: Account, login: Login | None) -> Iterator[SmtpClient]:
    """Connect to the SMTP server of an account and log in; the block's end closes the connection.

    Raises MailError if this fails or the login is refused. `login` is None for a server on this
    computer that needs no login.
    """
    server = account.smtp
    assert server is not None
    context = make_tls_context(account)

    def connect() -> smtplib.SMTP:
        if server.security == TLS:
            return smtplib.SMTP_SSL(
                server.host, server.port, _EHLO_NAME, timeout=account.timeout, context=context
            )
        return smtplib.SMTP(server.host, server.port, _EHLO_NAME, timeout=account.timeout)

    smtp = run_exchange(server, account.timeout, connect)
    with closing_connection(lambda: smtp.sock, smtp.quit, smtp.close):
        run_exchange(server, account.timeout, lambda: _begin(server, smtp, context, login))
        if login is not None:
            login.has_worked = True
        yield SmtpClient(server, account, smtp)


def _begin(
    server: Server, smtp: smtplib.SMTP, context: ssl.SSLContext, login: Login | None
) -> None:
    """Greet the server, encrypt the connection if STARTTLS is set, and log in."""
    code, answer = smtp.ehlo()
    if _is_temporary(code):
        raise interrupted_error(server, answer)
    if server.security == STARTTLS:
        try:
            smtp.starttls(context=context)
        except smtplib.SMTPNotSupportedError:
            raise starttls_error(server) from None
        except smtplib.SMTPResponseException as error:
            if _is_temporary(error.smtp_code):
                raise
            raise starttls_error(server) from None
        smtp.ehlo()
    if login is not None:
        _log_in(server, smtp, login)


def _log_in(server: Server, smtp: smtplib.SMTP, login: Login) -> None:
    try:
        if login.is_token:
            bearer = f"user={server.user}\1auth=Bearer {login.secret}\1\1"
            smtp.auth("XOAUTH2", lambda challenge=None: "" if challenge else bearer)
        elif login.is_ascii(server):
            smtp.login(server.user, login.secret)
        else:
            # The logins of smtplib are ASCII only; PLAIN takes UTF-8 (RFC 4616).
            plain = b64encode(f"\0{server.user}\0{login.secret}".encode()).decode()
            code, answer = smtp.docmd("AUTH", f"PLAIN {plain}")
            if code != _LOGGED_IN:
                raise smtplib.SMTPAuthenticationError(code, answer)
    except smtplib.SMTPAuthenticationError as error:
        may_pass = _is_temporary(error.smtp_code)
        raise login.refusal_error(server, error.smtp_error, may_pass=may_pass) from None
    except smtplib.SMTPException as error:
        # If client and server share no method, `login` raises the base class of its errors.
        if type(error) not in (smtplib.SMTPException, smtplib.SMTPNotSupportedError):
            raise
        raise MailError(
            "{host}, port {port}, offers no login method that acres knows.",
            host=server.host,
            port=str(server.port),
        ) from None


def find_reason(code: int, answer: object) -> str:
    """Return FULL or TOO_LARGE if a server refuses a message for that, else an empty text.

    >>> find_reason(552, "5.2.2 Over quota"), find_reason(552, "5.7.0 This message was blocked.")
    ('full', '')
    >>> find_reason(552, "5.2.0 Quota exceeded")
    'full'
    """
    text = decode_answer(answer)
    statuses = re.findall(r"(?<![0-9.])[45]\.(\d{1,3}\.\d{1,3})(?![0-9.])", text)
    if not {*statuses} <= _UNDEFINED:
        return next((_REASONS[status] for status in statuses if status in _REASONS), "")
    is_full = re.search(r"quota|storage|mailbox|\bfull\b", text, re.IGNORECASE)
    if (code == _NO_ROOM and not statuses) or (code in (_NO_ROOM, _TOO_LARGE) and is_full):
        return FULL
    # Many servers refuse for any reason by the code of messages that are too large.
    is_large = not text or re.search(r"\b(size|larger?|big|length|bytes)\b", text, re.IGNORECASE)
    return TOO_LARGE if code == _TOO_LARGE and is_large else ""


def _is_temporary(code: int) -> bool:
    """Return True if an SMTP code means a temporary failure."""
    return 400 <= code < 500
