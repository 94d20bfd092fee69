"""Mail providers, and reading and marking messages in a folder on an IMAP server.

Marks of messages are the only change in the folder.
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
from pbem.errors import InputError
from pbem.mail.account import INBOX, NO_COPIES, STARTTLS, TLS, Account, Server
from pbem.mail.connection import (
    MailError,
    closing_connection,
    interrupted_error,
    make_tls_context,
    quote,
    run_exchange,
    shorten_answer,
    starttls_error,
)
from pbem.mail.login import TOKEN_VARIABLE, Login
from pbem.play.incoming import MAX_MESSAGE

# --- providers


TOKEN = "token"
"""The value of `login` for a provider that accepts no password from programs."""


class Provider(NamedTuple):
    """A mail provider: its domains, its servers as `host:port`, and the login that it accepts.

    `login` is "password", "app password" or "token". `needs_permission` is true if the player must
    first allow IMAP in the provider's settings. `saves_copies` is true if the provider itself saves
    copies of sent mail. `other_hosts` are more SMTP hosts.
    """

    name: str
    domains: Sequence[str]
    smtp: str
    imap: str
    login: str
    needs_permission: bool = False
    saves_copies: bool = False
    other_hosts: Sequence[str] = ()

    def notes(self, draft: str) -> Iterator[Phrase]:
        """Yield sentences about the steps that the provider requires of a player.

        `draft` is the command that writes a draft, which needs no account.
        """
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
        if self.needs_permission:
            yield Message(
                "{provider} lets programs in only after you have allowed IMAP in the settings of "
                "your account.",
                provider=self.name,
            )


def find_provider(address: str) -> Provider | None:
    """Return the provider of an address, or None if `providers.toml` does not have it.

    >>> find_provider("zoe@gmail.com").imap
    'imap.gmail.com:993'
    """
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in _providers() if domain in provider.domains), None)


def has_automatic_copies(host: str) -> bool:
    """Return True if an SMTP server itself saves copies of sent mail in the mailbox.

    >>> has_automatic_copies("smtp.gmail.com"), has_automatic_copies("smtp.example.org")
    (True, False)
    """
    return any(
        host.lower() in (provider.smtp.partition(":")[0], *provider.other_hosts)
        for provider in _providers()
        if provider.saves_copies
    )


@cache
def _providers() -> list[Provider]:
    text = files("pbem.mail").joinpath("providers.toml").read_text("utf-8")
    return [Provider(**row) for row in tomllib.loads(text)["provider"]]


# --- a folder on a server


KEYWORD = b"$Acres"
"""The keyword of messages with a save file that was fetched, if the server stores keywords."""
MAX_FOLDERS = 20
"""The maximum number of folders that the error for a missing folder lists."""
_TEMPORARY_CODES = frozenset(["INUSE", "LIMIT", "SERVERBUG", "UNAVAILABLE"])
"""The response codes of temporary failures (RFC 5530, 3; RFC 9051, 7.1)."""
_SIZE, _BODY, _SEEN, _ANY_KEYWORD = b"RFC822.SIZE", b"BODY[]", rb"\Seen", rb"\*"

_T = TypeVar("_T")


class Mailbox:
    """An open folder; the UIDs of its messages are valid as long as `validity` stays the same."""

    def __init__(self, run: Callable[..., Any], host: str, status: Any) -> None:
        self._run = run
        self._host = host
        self._permanent_flags = tuple(status.get(b"PERMANENTFLAGS", ()))
        self._is_read_only = b"READ-ONLY" in status
        self.validity = status.get(b"UIDVALIDITY")

    def find_after(self, uid: int) -> list[int]:
        """Return the UIDs greater than `uid`, in ascending order."""
        # Such a range always includes the last message.
        return [number for number in self._search(["UID", f"{uid + 1}:*"]) if number > uid]

    def find_since(self, day: date) -> list[int]:
        """Return the UIDs of messages that arrived on `day` or later, in ascending order."""
        return self._search(["SINCE", day])

    def _search(self, criteria: list[Any]) -> list[int]:
        uids: list[int] = self._run(lambda client: sorted(map(_number, client.search(criteria))))
        return uids

    def fetch_sizes(self, uids: list[int]) -> dict[int, int]:
        """Return the size of each message in bytes, except for messages deleted in the meantime."""

        def fetch(client: IMAPClient) -> dict[int, int]:
            answer = client.fetch(uids, [_SIZE]).items()
            return {uid: _number(data.get(_SIZE, 0)) for uid, data in answer if uid in uids}

        sizes: dict[int, int] = self._run(fetch)
        return sizes

    def fetch_message(self, uid: int, size: int) -> bytes | None:
        """Return a message of `size` bytes without marking it as read; None if it was deleted.

        Raises InputError if the server refuses the message or sends too much.
        """
        part = f"BODY.PEEK[]<0.{MAX_MESSAGE + 1}>"

        def fetch(client: IMAPClient) -> Any:
            try:
                return client.fetch([uid], [part])
            except IMAPClient.AbortError:
                raise
            except IMAPClientError as error:
                # One message that is damaged on the server must not stop the others.
                if _is_refused(error) and _parse_answer(error)[0] not in _TEMPORARY_CODES:
                    return {uid: {}}
                raise

        answer = self._run(fetch, size).get(uid)
        if answer is None:
            return None
        # The key of a part ends with its first byte.
        data = next((answer[key] for key in answer if key.startswith(_BODY)), None)
        if not isinstance(data, bytes) or len(data) > MAX_MESSAGE:
            raise InputError(
                # Translators: “it” is a message in the player's mailbox.
                "The mail server {host} does not give it out.",
                host=self._host,
            )
        return data

    def mark(self, uid: int) -> None:
        """Mark a message as read and with `KEYWORD`, as far as the server stores such marks."""
        stored = self._permanent_flags or (_SEEN, KEYWORD)
        flags = [_SEEN] if _SEEN in stored else []
        flags += [KEYWORD] if KEYWORD in stored or _ANY_KEYWORD in stored else []

        def mark(client: IMAPClient) -> None:
            try:
                client.add_flags([uid], flags, silent=True)
            except IMAPClient.AbortError:
                raise
            except IMAPClientError:
                # A mailbox that the player may not change can still be read.
                return

        if flags and not self._is_read_only:
            self._run(mark)


@contextmanager
def open_mailbox(account: Account, login: Login) -> Iterator[Mailbox]:
    """Log in to the IMAP server of an account and open its mailbox. Raises MailError."""
    server = account.imap
    assert server is not None
    with _connect(account, server, login) as run:
        status = run(lambda client: _select(server, client, account.mailbox))
        yield Mailbox(run, server.host, status)


def save_copy(account: Account, login: Login, data: bytes, message_id: str) -> None:
    """Save a copy of a sent message in the folder for sent mail. Raises MailError.

    Nothing is saved if the account wants no copies, if there is no such folder, or if the server
    itself saves copies.
    """
    server = account.imap
    if server is None or account.copies == NO_COPIES:
        return
    if not account.copies and account.smtp is not None and has_automatic_copies(account.smtp.host):
        return

    def save(client: IMAPClient) -> None:
        folder = account.copies
        try:
            folder = folder or client.find_special_folder(SENT)
        except TypeError:
            # imapclient raises this if the server has no namespaces.
            folder = "Sent" if client.folder_exists("Sent") else ""
        if folder:
            _select(server, client, folder)
            if not client.search(["HEADER", "Message-ID", message_id]):
                client.append(folder, data, (_SEEN,))

    with _connect(account, server, login) as run:
        run(save, len(data))


@contextmanager
def _connect(account: Account, server: Server, login: Login) -> Iterator[Callable[..., Any]]:
    """Log in, and yield a function that runs an action with the client in one exchange."""
    context = make_tls_context(account)

    def create_client() -> IMAPClient:
        is_tls = server.security == TLS
        return IMAPClient(
            server.host, server.port, ssl=is_tls, ssl_context=context, timeout=account.timeout
        )

    client = run_exchange(server, account.timeout, create_client)

    def run(action: Callable[[IMAPClient], _T], size: int = 0) -> _T:
        def attempt() -> _T:
            try:
                return action(client)
            except IMAPClient.AbortError:
                raise
            except CapabilityError:
                raise starttls_error(server) from None
            except IMAPClientError as error:
                raise _refusal_error(server, error) from error

        return run_exchange(server, account.timeout, attempt, size, client.socket)

    with closing_connection(client.socket, client.logout, client.shutdown):
        if server.security == STARTTLS:
            run(lambda client: client.starttls(context))
        run(lambda client: _log_in(server, client, login))
        login.has_worked = True
        yield run


def _log_in(server: Server, client: IMAPClient, login: Login) -> None:
    try:
        if login.is_token:
            client.oauth2_login(server.user, login.secret)
        elif login.is_ascii(server):
            client.login(server.user, login.secret)
        else:
            client.plain_login(server.user, login.secret)
        _introduce(client)
        return
    except LoginError as error:
        refusal = error
    # Outside of the handler: otherwise the refusal would be the context of the error.
    if isinstance(refusal.__context__, IMAPClient.AbortError):
        raise refusal.__context__
    code, answer = _parse_answer(refusal)
    if code in _TEMPORARY_CODES:
        raise interrupted_error(server, login.redact(answer))
    raise login.refusal_error(server, answer)


def _introduce(client: IMAPClient) -> None:
    """Tell the server the name of this program (RFC 2971): some give no mail before that."""
    try:
        if client.has_capability("ID"):
            client.id_({"name": "acres"})
    except IMAPClient.AbortError:
        raise
    except (IMAPClientError, ValueError):
        # Nothing depends on the answer.
        return


def _select(server: Server, client: IMAPClient, mailbox: str) -> Any:
    """Select a folder and return its status. Raises MailError, with a list, if it is missing."""
    try:
        status = client.select_folder(mailbox)
        _number(status.get(b"UIDVALIDITY"))
        return status
    except client.AbortError:
        raise
    except IMAPClientError:
        names = [str(name) for *_, name in client.list_folders()]
        if mailbox in names or mailbox.upper() == INBOX:
            raise
        raise MailError(
            "There is no folder {folder} at {host}. It has these: “{folders}”.",
            folder=mailbox,
            host=server.host,
            folders=shorten_answer(", ".join(names[:MAX_FOLDERS])),
        ) from None


def _is_refused(error: Exception) -> bool:
    return " failed: " in str(error)


def _refusal_error(server: Server, error: Exception) -> Exception:
    """Return the MailError for a command that a server refused; any other error unchanged."""
    if not _is_refused(error):
        return error
    code, answer = _parse_answer(error)
    if code != "OVERQUOTA":
        return interrupted_error(server, answer)
    return MailError(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "Your mailbox at {host} is full{said}.",
        host=server.host,
        said=quote(answer),
        may_pass=True,
    )


def _parse_answer(error: Exception) -> tuple[str, str]:
    """Return the response code, which may be empty, and the text of a server's refusal."""
    answer = re.sub(r"^[A-Za-z ]+ failed: ", "", str(error))
    whole = re.fullmatch(r"b(['\"])(.*)\1", answer, re.DOTALL)
    parts = re.fullmatch(
        r"(?:\[([A-Za-z-]*)[^\]]*\] *)?(.*)", whole[2] if whole else answer, re.DOTALL
    )
    assert parts is not None
    return (parts[1] or "").upper(), parts[2]


def _number(value: object) -> int:
    """Return a 32-bit number of the IMAP protocol. Raises ValueError for any other value."""
    if not isinstance(value, int) or not 0 <= value < 2**32:
        raise ValueError("a number is missing")
    return value
