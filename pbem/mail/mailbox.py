"""A folder of messages on an IMAP server, which is read and marked, and never changed otherwise.

docs/mail.md.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from imaplib import IMAP4
from typing import Any, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError
from imapclient.imapclient import SENT, Namespace

from pbem.errors import Unreadable
from pbem.mail.account import INBOX, NOWHERE, STARTTLS, TLS, Account, Server
from pbem.mail.login import Login
from pbem.mail.parts import MAX_MESSAGE
from pbem.mail.providers import keeps_copies
from pbem.mail.sayings import in_short, said
from pbem.mail.wire import (
    MOST_NAMED,
    MailFailed,
    Wire,
    no_starttls,
    stopped_early,
    talks_otherwise,
)

_PASSING = frozenset(["INUSE", "LIMIT", "SERVERBUG", "UNAVAILABLE"])
"""Codes for a failure that may pass (RFC 5530, 3; RFC 9051, 7.1)."""
KEYWORD = b"$Acres"
"""Marks a message out of which a file of a game was taken, where the server keeps such marks."""

MOST_NAMES = 20
"""How many folders are named in the error for one that does not exist."""

_SIZE, _BODY = b"RFC822.SIZE", b"BODY[]"
_SEEN = rb"\Seen"
_ANY_KEYWORD = rb"\*"

_NONSENSE = (
    IMAPClientError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    MemoryError,
    RecursionError,
)
"""Errors that the library raises for a server that talks nonsense."""

_T = TypeVar("_T")


class Mailbox:
    """An open folder; its UIDs hold as long as its `validity` is the same."""

    def __init__(self, server: Server, client: _Client, wire: Wire, about: Any) -> None:
        self._server = server
        self._client = client
        self._wire = wire
        self._permanent = tuple(about.get(b"PERMANENTFLAGS", ()))
        self.is_read_only = b"READ-ONLY" in about
        self.validity = _number(about.get(b"UIDVALIDITY"))

    def after(self, uid: int) -> list[int]:
        """The UIDs of the messages above one, in ascending order."""
        # The last message always belongs to such a range.
        return [each for each in self._search(["UID", f"{uid + 1}:*"]) if each > uid]

    def since(self, day: date) -> list[int]:
        """The UIDs of the messages that came on that day or later, in ascending order."""
        return self._search(["SINCE", day])

    def _search(self, criteria: list[Any]) -> list[int]:
        return self._asked(lambda client: sorted(_number(each) for each in client.search(criteria)))

    def sizes(self, uids: list[int]) -> dict[int, int]:
        """How many bytes each message has; those that are gone by now are left out."""

        def sizes(client: IMAPClient) -> dict[int, int]:
            found = client.fetch(uids, [_SIZE])
            return {uid: _number(found[uid].get(_SIZE)) for uid in uids if uid in found}

        return self._asked(sizes) if uids else {}

    def read(self, uid: int) -> bytes | None:
        """A message, which stays unread; None where it is gone by now.

        Raises Unreadable where the server does not give it out.
        """
        part = f"BODY.PEEK[]<0.{MAX_MESSAGE + 1}>"
        found = self._asked(
            lambda client: client.fetch([uid], [part]), literals=MAX_MESSAGE + 1
        ).get(uid)
        if found is None:
            return None
        # A server that gives a part says from where on.
        data = next((found[key] for key in found if key.startswith(_BODY)), None)
        if not isinstance(data, bytes) or len(data) > MAX_MESSAGE:
            raise Unreadable(
                # Translators: it is a message in the player's mailbox.
                "The mail server {host} does not give it out.",
                host=self._server.host,
            )
        return data

    def mark(self, uid: int) -> None:
        """Mark a message as read, and as one of acres, as far as the server keeps that."""
        kept = self._permanent
        keeps_any = not kept or _ANY_KEYWORD in kept
        flags = [_SEEN] if not kept or _SEEN in kept else []
        flags += [KEYWORD] if keeps_any or KEYWORD in kept else []

        def mark(client: IMAPClient) -> None:
            try:
                client.add_flags([uid], flags, silent=True)
            except IMAPClient.AbortError:
                raise
            except IMAPClientError:
                # Whoever may not change anything there may read all the same.
                return

        if flags and not self.is_read_only:
            self._asked(mark)

    def _asked(self, question: Callable[[IMAPClient], _T], literals: int = MOST_NAMED) -> _T:
        self._client.forget()
        with self._wire.exchange(literals), _in_words(self._server):
            return question(self._client)


@contextmanager
def opened(account: Account, login: Login) -> Iterator[Mailbox]:
    """The mailbox of an account; raises MailFailed where there is none to be reached."""
    server = account.imap
    assert server is not None
    with _logged_in(account, server, login) as (client, wire):
        with wire.exchange(), _in_words(server):
            about = _selected(server, client, account.mailbox)
            mailbox = Mailbox(server, client, wire, about)
        yield mailbox


@contextmanager
def _logged_in(account: Account, server: Server, login: Login) -> Iterator[tuple[_Client, Wire]]:
    wire = Wire(server, account.timeout)
    with wire.exchange(), _in_words(server):
        client = _connected(account, server, wire)
    try:
        with wire.exchange(), _in_words(server):
            _log_in(server, client, login)
            login.worked(server)
        yield client, wire
        # Whoever stops in the middle of it does not wait for a farewell.
        with suppress(MailFailed), wire.exchange(), _in_words(server):
            client.logout()
    finally:
        with suppress(OSError):
            client.shutdown()


def keep_copy(account: Account, login: Login, letter: bytes, name: str) -> None:
    """Put a letter of that Message-ID into the folder of sent mail; raises MailFailed.

    Nothing is done where the account keeps no copies, where there is no such folder, or the server
    has put one there itself.
    """
    server = account.imap
    if server is None or account.copies == NOWHERE:
        return
    if not account.copies and account.smtp is not None and keeps_copies(account.smtp.host):
        return
    with _logged_in(account, server, login) as (client, wire):
        with wire.exchange(), _in_words(server):
            folder = account.copies or client.find_special_folder(SENT)
            if not folder:
                return
            _selected(server, client, folder)
            is_there = bool(client.search(["HEADER", "Message-ID", name]))
        if not is_there:
            with wire.exchange(), _in_words(server):
                client.append(folder, letter, (_SEEN,))


class _Imap(IMAP4):
    """A client that connects over that wire, encrypted from the start where there is a context."""

    def __init__(self, server: Server, wire: Wire, context: ssl.SSLContext | None) -> None:
        self._wire = wire
        self._context = context
        super().__init__(server.host, server.port)

    def _create_socket(self, timeout: object = None) -> socket.socket:
        sock = self._wire.connected()
        return self._context.wrap_socket(sock, server_hostname=self.host) if self._context else sock

    def read(self, size: int) -> bytes:
        """The bytes of a literal, for which room is made only where they may come."""
        self._wire.expect(size)
        return super().read(size)


class _Client(IMAPClient):  # type: ignore[misc]
    """The library, on such a client."""

    def __init__(self, server: Server, wire: Wire, context: ssl.SSLContext | None) -> None:
        self._bounded = server, wire, context
        super().__init__(server.host, server.port, ssl=context is not None)
        # Else each answer is made ready for a log that nobody keeps, at several times its size.
        self._imap.debug = 0

    def _create_IMAP4(self) -> IMAP4:  # noqa: N802 - so IMAPClient calls it
        return _Imap(*self._bounded)

    def namespace(self) -> Namespace:
        """The same, where a server has none of the player's own: all its folders are that."""
        found = super().namespace()
        return Namespace(found.personal or (("", ""),), found.other, found.shared)

    def forget(self) -> None:
        """Forget what the server said unasked, which is else kept as long as the connection."""
        self._imap.untagged_responses.clear()


def _connected(account: Account, server: Server, wire: Wire) -> _Client:
    client = _Client(server, wire, wire.trusting(account) if server.security == TLS else None)
    if server.security == STARTTLS:
        try:
            client.starttls(wire.trusting(account))
        except BaseException as error:
            client.shutdown()
            if isinstance(error, CapabilityError):
                raise no_starttls(server) from None
            raise
    return client


def _log_in(server: Server, client: IMAPClient, login: Login) -> None:
    try:
        if login.is_token:
            client.oauth2_login(server.user, login.secret)
        elif login.is_ascii(server):
            client.login(server.user, login.secret)
        else:
            client.plain_login(server.user, login.secret)
    except LoginError as error:
        if isinstance(error.__context__, IMAPClient.AbortError):
            raise error.__context__ from None
        code, answer = _answer(error)
        if code in _PASSING:
            raise stopped_early(server.host, login.without_it(answer)) from None
        raise login.refused(server, answer) from None


def _answer(error: IMAPClientError) -> tuple[str, str]:
    """The code, if any, and what a server said, out of an error that may have it as bytes."""
    told = re.sub(r"^[A-Za-z ]+ failed: ", "", str(error))
    whole = re.fullmatch(r"b(['\"])(.*)\1", told, re.DOTALL)
    found = re.fullmatch(
        r"(?:\[([A-Za-z-]*)[^\]]*\] *)?(.*)", whole[2] if whole else told, re.DOTALL
    )
    assert found is not None
    return (found[1] or "").upper(), found[2]


def _selected(server: Server, client: IMAPClient, mailbox: str) -> Any:
    try:
        return client.select_folder(mailbox)
    except client.AbortError:
        raise
    except IMAPClientError:
        names = [str(name) for *_, name in client.list_folders()]
        if mailbox in names or mailbox.upper() == INBOX:
            raise
        raise MailFailed(
            "There is no folder {folder} at {host}. It has these: “{folders}”.",
            folder=mailbox,
            host=server.host,
            folders=in_short(", ".join(names[:MOST_NAMES])),
        ) from None


@contextmanager
def _in_words(server: Server) -> Iterator[None]:
    """Turn what a server should not say into MailFailed; an OSError stays one."""
    try:
        yield
    except OSError:
        # Some of its kinds are ValueErrors too.
        raise
    except IMAPClient.AbortError as error:
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        raise MailFailed(
            "The mail server {host} broke off the connection. Try again later.",
            host=server.host,
            may_pass=True,
        ) from None
    except _NONSENSE as error:
        if not _is_no(error):
            raise talks_otherwise(server) from None
        code, answer = _answer(error)
        if code == "OVERQUOTA":
            raise MailFailed(
                # Translators: {said} is empty, or “ (it said: …)” with a space before it.
                "Your mailbox at {host} is full{said}.",
                host=server.host,
                said=said(answer),
                may_pass=True,
            ) from None
        raise stopped_early(server.host, answer) from None


def _is_no(error: Exception) -> bool:
    """Return True if a server understood the command, and said no."""
    return isinstance(error, IMAPClientError) and " failed: " in str(error)


def _number(given: object) -> int:
    """That number, as IMAP has them; a ValueError says that the server has given none."""
    if not isinstance(given, int) or not 0 <= given < 2**32:
        raise ValueError("a number is missing")
    return given
