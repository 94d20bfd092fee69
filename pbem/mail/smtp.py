"""Sending letters by SMTP, always knowing whether one may have left.

docs/mail.md.
"""

from __future__ import annotations

import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import TypeVar

from engine.message import Message, mark, sentences
from pbem.mail.account import STARTTLS, TLS, Account, Server
from pbem.mail.exchange import (
    Login,
    MailFailed,
    exchange,
    hanging_up,
    is_full,
    no_starttls,
    said,
    stopped_early,
    trusted,
)

PATIENCE = 6
"""How many times as long as for another answer a server is waited for that has got a letter.

Many look through it before they say whether they take it (RFC 5321, 4.5.3.2.6).
"""
_T = TypeVar("_T")
_HERE = "[127.0.0.1]"
"""The name of this computer, to whoever knows by the login who writes."""
_LATER = mark("Try again later.")
_LOGGED_IN, _TAKEN, _TAKEN_TO_FORWARD, _NO_ROOM, _TOO_LARGE = 235, 250, 251, 452, 552


class MayHaveArrived(MailFailed):
    """The letter was handed over, but the server did not say whether it took it."""


class AddressRefused(MailFailed):
    """The server takes no letter for that address, and will not."""


class LetterTooLarge(MailFailed):
    """The letter is larger than the server takes."""


class Outgoing:
    """A connection to the player's SMTP server, who is logged in."""

    def __init__(self, server: Server, account: Account, smtp: smtplib.SMTP) -> None:
        self._server, self._account, self._smtp = server, account, smtp

    def send(self, letter: EmailMessage, to: str, begin: Callable[[], None]) -> None:
        """Send a letter to an address; `begin` is called right before it may leave.

        Raises MailFailed if it surely did not leave, and MayHaveArrived if nobody knows.
        """
        data, host, timeout = letter.as_bytes(), self._server.host, self._account.timeout
        self._exchange(timeout, lambda: self._address_it(to, len(data)))
        begin()
        try:
            patience = PATIENCE * timeout
            code, answer = self._exchange(
                patience, lambda: self._hand_over(data, patience), len(data)
            )
        except MailFailed:
            raise MayHaveArrived(
                "The connection to {host} broke off while the message was handed over, so it may "
                "have arrived or not.",
                host=host,
                may_pass=True,
            ) from None
        if code == _TAKEN:
            return
        if 400 <= code < 600:
            raise self._refused(code, answer)
        raise MayHaveArrived(
            "{host} did not say clearly whether it accepted the message, so it may have arrived or "
            "not.",
            host=host,
            may_pass=True,
        )

    def _address_it(self, to: str, size: int) -> None:
        """Tell the server from whom and for whom it is; raises MailFailed if that is refused."""
        smtp, host = self._smtp, self._server.host
        # What went wrong with the letter before is none of this one's business.
        smtp.rset()
        most = smtp.esmtp_features.get("size", "")
        if most.isdecimal() and 0 < int(most) < size:
            raise self._refused(_TOO_LARGE, "")
        address = self._account.address
        code, answer = smtp.mail(address, [f"SIZE={size}"] if smtp.has_extn("size") else [])
        if code != _TAKEN:
            if code in (_TOO_LARGE, _NO_ROOM):
                raise self._refused(code, answer)
            raise MailFailed(
                # Translators: {said} is empty, or “ (it said: …)” with a space before it.
                "{host} accepts no mail from {address}{said}: check that the address in the "
                "settings is that of the account.",
                host=host,
                address=address,
                said=said(answer),
                may_pass=_is_passing(code),
            )
        code, answer = smtp.rcpt(to)
        if code in (_TAKEN, _TAKEN_TO_FORWARD):
            return
        if is_full(answer) or code in (_NO_ROOM, _TOO_LARGE):
            raise self._refused(_NO_ROOM, answer)
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        refused = Message(
            "{host} accepts no mail for {address}{said}.", host=host, address=to, said=said(answer)
        )
        if not _is_passing(code):
            raise AddressRefused(refused)
        raise MailFailed(sentences(refused, Message(_LATER)), may_pass=True)

    def _exchange(self, seconds: int, talk: Callable[[], _T], size: int = 0) -> _T:
        return exchange(self._server, seconds, talk, size, lambda: self._smtp.sock)

    def _hand_over(self, data: bytes, patience: int) -> tuple[int, object]:
        """Hand a letter over, and return the answer of the server."""
        if self._smtp.sock is not None:
            self._smtp.sock.settimeout(patience)
        try:
            return self._smtp.data(data)
        except smtplib.SMTPDataError as error:
            # Taken, it would have been only after the letter.
            taken = error.smtp_code == _TAKEN
            return 0 if taken else error.smtp_code, error.smtp_error

    def _refused(self, code: int, answer: object) -> MailFailed:
        """Return the error for a server that did not take a letter."""
        if code == _NO_ROOM or is_full(answer):
            return MailFailed(
                "The recipient's mailbox or server is full{said}. It was not sent: try again "
                "later, and tell your opponent another way if that goes on.",
                said=said(answer),
                may_pass=True,
            )
        host = self._server.host
        if code == _TOO_LARGE:
            return LetterTooLarge("The message is larger than {host} accepts.", host=host)
        refused = Message("{host} did not accept the message{said}.", host=host, said=said(answer))
        may_pass = _is_passing(code)
        what_to_do = Message(_LATER if may_pass else mark("Send it with your mail program."))
        return MailFailed(sentences(refused, what_to_do), may_pass=may_pass)


@contextmanager
def outgoing(account: Account, login: Login | None) -> Iterator[Outgoing]:
    """Connect to the server to send by; raises MailFailed if that fails, or the login is refused.

    Without a `login` the server, which is on this computer, has to know whose mail it is.
    """
    server = account.smtp
    assert server is not None
    context = trusted(account)

    def connect() -> smtplib.SMTP:
        if server.security == TLS:
            return smtplib.SMTP_SSL(
                server.host, server.port, _HERE, timeout=account.timeout, context=context
            )
        return smtplib.SMTP(server.host, server.port, _HERE, timeout=account.timeout)

    smtp = exchange(server, account.timeout, connect)
    with hanging_up(lambda: smtp.sock, smtp.quit, smtp.close):
        exchange(server, account.timeout, lambda: _begin(server, smtp, context, login))
        if login is not None:
            login.has_worked = True
        yield Outgoing(server, account, smtp)


def _begin(
    server: Server, smtp: smtplib.SMTP, context: ssl.SSLContext, login: Login | None
) -> None:
    """Greet the server, encrypt if that is still to be done, and log in."""
    code, answer = smtp.ehlo()
    if _is_passing(code):
        raise stopped_early(server, answer)
    if server.security == STARTTLS:
        try:
            smtp.starttls(context=context)
        except smtplib.SMTPNotSupportedError:
            raise no_starttls(server) from None
        except smtplib.SMTPResponseException as error:
            if _is_passing(error.smtp_code):
                raise
            raise no_starttls(server) from None
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
            # What smtplib knows of logins is in ASCII; PLAIN takes all letters (RFC 4616).
            plain = b64encode(f"\0{server.user}\0{login.secret}".encode()).decode()
            code, answer = smtp.docmd("AUTH", f"PLAIN {plain}")
            if code != _LOGGED_IN:
                raise smtplib.SMTPAuthenticationError(code, answer)
    except smtplib.SMTPAuthenticationError as error:
        may_pass = _is_passing(error.smtp_code)
        raise login.refused(server, error.smtp_error, may_pass=may_pass) from None
    except smtplib.SMTPException as error:
        # Where no method is known to both, `login` raises the base of its errors.
        if type(error) not in (smtplib.SMTPException, smtplib.SMTPNotSupportedError):
            raise
        raise MailFailed(
            "{host}, port {port}, offers no login method that acres knows.",
            host=server.host,
            port=str(server.port),
        ) from None


def _is_passing(code: int) -> bool:
    """Return True if a server says that the same may go well later."""
    return 400 <= code < 500
