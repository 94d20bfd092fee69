"""A folder of messages on an IMAP server, which is read and marked, and never changed otherwise.

Some servers are known by the domain of an address. docs/mail.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError
from imapclient.imapclient import SENT

from engine.message import Message, Phrase
from pbem.errors import Unreadable
from pbem.mail.account import INBOX, NOWHERE, STARTTLS, TLS, Account, Server
from pbem.mail.exchange import (
    TOKEN_VARIABLE,
    Login,
    MailFailed,
    exchange,
    hanging_up,
    in_short,
    no_starttls,
    said,
    stopped_early,
    trusted,
)
from pbem.play.incoming import MAX_MESSAGE

# --- providers


TOKEN = "token"
"""The login of a provider that takes no password from programs."""


class Provider(NamedTuple):
    """A provider: its servers, as `host:port`, and what lets a program in.

    `login` is "password", "app password" or "token"; `opened` is true if the player has to allow
    programs first, and `keeps_copies` if what is sent lies in the mailbox by itself. `others` are
    hosts of servers beside these two.
    """

    name: str
    domains: Sequence[str]
    smtp: str
    imap: str
    login: str
    opened: bool = False
    keeps_copies: bool = False
    others: Sequence[str] = ()

    def notes(self, draft: str) -> Iterator[Phrase]:
        """Yield the sentences that a player has to know of it; `draft` does without an account."""
        yield Message("The servers of {provider} are known.", provider=self.name)
        if self.login == "app password":
            yield Message(
                "{provider} wants an app password, made for programs, which you get in the "
                "settings of your account.",
                provider=self.name,
            )
        if self.login == TOKEN:
            yield Message(
                "{provider} accepts no password from programs. You can do without: {command} FILE "
                "writes a message for your mail program. Or another program provides a token, in "
                "{variable}.",
                provider=self.name,
                variable=TOKEN_VARIABLE,
                command=draft,
            )
        if self.opened:
            yield Message(
                "{provider} lets programs in only after you have allowed IMAP in the settings of "
                "your account.",
                provider=self.name,
            )


def provider_of(address: str) -> Provider | None:
    """Return the provider of an address; None if it is not known here.

    >>> provider_of("zoe@gmail.com").imap
    'imap.gmail.com:993'
    """
    domain = address.rpartition("@")[2].lower()
    return next((each for each in _all() if domain in each.domains), None)


def keeps_copies(host: str) -> bool:
    """Return True if a server puts what is sent by it into the mailbox by itself.

    >>> keeps_copies("smtp.gmail.com"), keeps_copies("smtp.example.org")
    (True, False)
    """
    return any(
        host.lower() in (each.smtp.partition(":")[0], *each.others)
        for each in _all()
        if each.keeps_copies
    )


@cache
def _all() -> list[Provider]:
    text = files("pbem.mail").joinpath("providers.toml").read_text("utf-8")
    return [Provider(**row) for row in tomllib.loads(text)["provider"]]


# --- a folder on a server


KEYWORD = b"$Acres"
"""Marks a message out of which a file of a game was taken, if the server keeps such marks."""
MOST_NAMES = 20
"""How many folders are named in the error for one that does not exist."""
_PASSING = frozenset(["INUSE", "LIMIT", "SERVERBUG", "UNAVAILABLE"])
"""Codes for a failure that may pass (RFC 5530, 3; RFC 9051, 7.1)."""
_SIZE, _BODY, _SEEN, _ANY_KEYWORD = b"RFC822.SIZE", b"BODY[]", rb"\Seen", rb"\*"

_T = TypeVar("_T")


class Mailbox:
    """An open folder; its UIDs hold as long as its `validity` is the same."""

    def __init__(self, ask: Callable[..., Any], host: str, about: Any) -> None:
        self._ask = ask
        self._host = host
        self._kept = tuple(about.get(b"PERMANENTFLAGS", ()))
        self._is_read_only = b"READ-ONLY" in about
        self.validity = about.get(b"UIDVALIDITY")

    def after(self, uid: int) -> list[int]:
        """Return the UIDs of the messages above one, in ascending order."""
        # The last message always belongs to such a range.
        return [each for each in self._search(["UID", f"{uid + 1}:*"]) if each > uid]

    def since(self, day: date) -> list[int]:
        """Return the UIDs of the messages that came on that day or later, in ascending order."""
        return self._search(["SINCE", day])

    def _search(self, criteria: list[Any]) -> list[int]:
        found: list[int] = self._ask(lambda client: sorted(map(_number, client.search(criteria))))
        return found

    def sizes(self, uids: list[int]) -> dict[int, int]:
        """Return how many bytes each message has; those that are gone by now are left out."""

        def sizes(client: IMAPClient) -> dict[int, int]:
            found = client.fetch(uids, [_SIZE]).items()
            return {uid: _number(data.get(_SIZE, 0)) for uid, data in found if uid in uids}

        found: dict[int, int] = self._ask(sizes)
        return found

    def read(self, uid: int, size: int) -> bytes | None:
        """Return a message of that size, which stays unread; None if it is gone by now.

        Raises Unreadable if the server does not give it out.
        """
        part = f"BODY.PEEK[]<0.{MAX_MESSAGE + 1}>"

        def read(client: IMAPClient) -> Any:
            try:
                return client.fetch([uid], [part])
            except IMAPClient.AbortError:
                raise
            except IMAPClientError as error:
                # Of a message that is damaged there, the others behind it must not wait.
                if _is_refused(error) and _answer(error)[0] not in _PASSING:
                    return {uid: {}}
                raise

        found = self._ask(read, size).get(uid)
        if found is None:
            return None
        # A server that gives a part says from where on.
        data = next((found[key] for key in found if key.startswith(_BODY)), None)
        if not isinstance(data, bytes) or len(data) > MAX_MESSAGE:
            raise Unreadable(
                # Translators: it is a message in the player's mailbox.
                "The mail server {host} does not give it out.",
                host=self._host,
            )
        return data

    def mark(self, uid: int) -> None:
        """Mark a message as read, and as one of acres, as far as the server keeps that."""
        kept = self._kept or (_SEEN, KEYWORD)
        flags = [_SEEN] if _SEEN in kept else []
        flags += [KEYWORD] if KEYWORD in kept or _ANY_KEYWORD in kept else []

        def mark(client: IMAPClient) -> None:
            try:
                client.add_flags([uid], flags, silent=True)
            except IMAPClient.AbortError:
                raise
            except IMAPClientError:
                # Whoever may not change anything there may read all the same.
                return

        if flags and not self._is_read_only:
            self._ask(mark)


@contextmanager
def opened(account: Account, login: Login) -> Iterator[Mailbox]:
    """Open the mailbox of an account; raises MailFailed if it cannot be reached."""
    server = account.imap
    assert server is not None
    with _logged_in(account, server, login) as ask:
        about = ask(lambda client: _select(server, client, account.mailbox))
        yield Mailbox(ask, server.host, about)


def keep_copy(account: Account, login: Login, letter: bytes, name: str) -> None:
    """Put a letter of that Message-ID into the folder of sent mail; raises MailFailed.

    Do nothing if the account keeps no copies, there is no such folder, or the server has put one
    there itself.
    """
    server = account.imap
    if server is None or account.copies == NOWHERE:
        return
    if not account.copies and account.smtp is not None and keeps_copies(account.smtp.host):
        return

    def keep(client: IMAPClient) -> None:
        folder = account.copies
        try:
            folder = folder or client.find_special_folder(SENT)
        except TypeError:
            # The server has no namespaces.
            folder = "Sent" if client.folder_exists("Sent") else ""
        if folder:
            _select(server, client, folder)
            if not client.search(["HEADER", "Message-ID", name]):
                client.append(folder, letter, (_SEEN,))

    with _logged_in(account, server, login) as ask:
        ask(keep, len(letter))


@contextmanager
def _logged_in(account: Account, server: Server, login: Login) -> Iterator[Callable[..., Any]]:
    """Log in, and yield a function that has a client do something in one exchange."""
    context = trusted(account)

    def connect() -> IMAPClient:
        is_tls = server.security == TLS
        return IMAPClient(
            server.host, server.port, ssl=is_tls, ssl_context=context, timeout=account.timeout
        )

    client = exchange(server, account.timeout, connect)

    def ask(question: Callable[[IMAPClient], _T], size: int = 0) -> _T:
        def talk() -> _T:
            try:
                return question(client)
            except IMAPClient.AbortError:
                raise
            except CapabilityError:
                raise no_starttls(server) from None
            except IMAPClientError as error:
                raise _refusal(server, error) from error

        return exchange(server, account.timeout, talk, size, client.socket)

    with hanging_up(client.socket, client.logout, client.shutdown):
        if server.security == STARTTLS:
            ask(lambda client: client.starttls(context))
        ask(lambda client: _log_in(server, client, login))
        login.has_worked = True
        yield ask


def _log_in(server: Server, client: IMAPClient, login: Login) -> None:
    try:
        if login.is_token:
            client.oauth2_login(server.user, login.secret)
        elif login.is_ascii(server):
            client.login(server.user, login.secret)
        else:
            client.plain_login(server.user, login.secret)
        return
    except LoginError as error:
        refused = error
    # Outside of the handler: an error that is raised in there has the refusal for its context.
    if isinstance(refused.__context__, IMAPClient.AbortError):
        raise refused.__context__
    code, answer = _answer(refused)
    if code in _PASSING:
        raise stopped_early(server, login.without_it(answer))
    raise login.refused(server, answer)


def _select(server: Server, client: IMAPClient, mailbox: str) -> Any:
    """Select a folder; raises MailFailed, which names others, if it is not there."""
    try:
        about = client.select_folder(mailbox)
        _number(about.get(b"UIDVALIDITY"))
        return about
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


def _is_refused(error: Exception) -> bool:
    return " failed: " in str(error)


def _refusal(server: Server, error: Exception) -> Exception:
    """Return the error for a server that said no; the same one for nonsense."""
    if not _is_refused(error):
        return error
    code, answer = _answer(error)
    if code != "OVERQUOTA":
        return stopped_early(server, answer)
    return MailFailed(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "Your mailbox at {host} is full{said}.",
        host=server.host,
        said=said(answer),
        may_pass=True,
    )


def _answer(error: Exception) -> tuple[str, str]:
    """Return the code, if any, and the text of what a server said."""
    told = re.sub(r"^[A-Za-z ]+ failed: ", "", str(error))
    whole = re.fullmatch(r"b(['\"])(.*)\1", told, re.DOTALL)
    found = re.fullmatch(
        r"(?:\[([A-Za-z-]*)[^\]]*\] *)?(.*)", whole[2] if whole else told, re.DOTALL
    )
    assert found is not None
    return (found[1] or "").upper(), found[2]


def _number(given: object) -> int:
    """Return a number as IMAP has them; raises ValueError if the server has given none."""
    if not isinstance(given, int) or not 0 <= given < 2**32:
        raise ValueError("a number is missing")
    return given
