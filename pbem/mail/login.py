"""What proves to a mail server whose account it is, and where that comes from.

Passwords come from the environment or the keyring of the system, never from the command line or the
settings, which others may see.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Protocol

from engine.message import Message, mark
from pbem.errors import WrongUse
from pbem.mail.account import NONE, Server
from pbem.mail.keyrings import NoKeyring, keep_grant, kept
from pbem.mail.sayings import as_text, said
from pbem.mail.wire import MailFailed

TOKEN_VARIABLE = "ACRES_MAIL_TOKEN"
PASSWORD_VARIABLE = "ACRES_MAIL_PASSWORD"
VARIABLES = {"smtp": "ACRES_SMTP_PASSWORD", "imap": "ACRES_IMAP_PASSWORD"}
"""For a password that is that of one server alone."""

_tokens: dict[str, tuple[Any, Renewed]] = {}
"""The tokens of those who have signed in, with the grant that they come of."""
_lock = Lock()
"""Whoever looks for tokens is to find those that another thread found."""


# Translators: {said} is empty, or “ (it said: …)” with a space before it.
_REFUSED = mark(
    "{host} refuses the login as {user}{said}. Check the name and the password; many providers "
    "want an app password, made in the settings of the account. To give another: {command}"
)
# Translators: {said} is empty, or “ (it said: …)” with a space before it.
_REFUSED_SIGNED_IN = mark(
    "{host} refuses the login as {user}{said}, though you are signed in: check that it is that "
    "account, and that IMAP and SMTP are allowed in its settings. To sign in again: {command}"
)


class Renewed(Protocol):
    """Tokens, each as long as it is good."""

    def current(self, seconds: float) -> str:
        """The one that is good now, for which so long is waited at most; raises MailFailed."""

    @property
    def signing_in(self) -> str:
        """The command by which to sign in again."""


@dataclass(frozen=True)
class Login:
    """What proves to a server whose account it is: a password, or a token for a while.

    Where there are `tokens`, the secret is to be made `fresh` before it is shown. `command` is how
    the program is called.
    """

    secret: str = field(repr=False)
    is_token: bool = False
    tokens: Renewed | None = field(default=None, repr=False)
    command: str = field(default="acres", compare=False)
    _taken_by: set[Server] = field(default_factory=set, repr=False, compare=False)

    def worked(self, server: Server) -> None:
        """Note that a server took it, so that it is right: refused later, it may be taken again."""
        self._taken_by.add(server)

    @property
    def is_given(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.secret) or self.tokens is not None

    def fresh(self, seconds: float) -> Login:
        """The same, good for a while; raises MailFailed where the player has to sign in again.

        So long is waited at most for whoever gives that out.
        """
        if self.tokens is None:
            return self
        return replace(self, secret=self.tokens.current(seconds))

    @property
    def has_worked(self) -> bool:
        """Whether a server took it."""
        return bool(self._taken_by)

    def is_in(self, text: str) -> bool:
        """Whether a text gives it away, also as logins are sent: in base64."""
        coded = (_from_base64(word) for word in re.findall(r"[A-Za-z0-9+/]{4,}", text))
        return self.secret in text or any(self.secret.encode() in each for each in coded)

    def without_it(self, answer: object) -> object:
        """What a server said, if that does not give it away: some repeat what they were told."""
        return "" if self.is_in(as_text(answer)) else answer

    def refused(self, server: Server, answer: object, *, may_pass: bool = False) -> MailFailed:
        """That a server does not take it; it may pass where the server took it before."""
        return MailFailed(
            _REFUSED if self.tokens is None else _REFUSED_SIGNED_IN,
            host=server.host,
            user=server.user,
            said=said(self.without_it(answer)),
            command=self._setup(),
            may_pass=may_pass or server in self._taken_by,
        )

    def _setup(self) -> str:
        """The command by which another one is given."""
        return f"{self.command} mail setup" if self.tokens is None else self.tokens.signing_in

    def is_ascii(self, server: Server) -> bool:
        """Whether name and password are of the letters that every way to log in takes."""
        return server.user.isascii() and self.secret.isascii()

    def plain(self, server: Server) -> bytes:
        """What a server is told by PLAIN, which takes all letters (RFC 4616)."""
        return f"\0{server.user}\0{self.secret}".encode()

    def bearer(self, server: Server) -> str:
        """What a server is told by XOAUTH2 to prove it with a token."""
        return f"user={server.user}\1auth=Bearer {self.secret}\1\1"


def _from_base64(word: str) -> bytes:
    """What a word says in base64, whole or cut short."""
    whole = word[:-1] if len(word) % 4 == 1 else word
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def login_for(
    server: Server, command: str, ask: Callable[[Message], str] | None = None
) -> Login | None:
    """What proves to a server whose account it is; None where a server here needs nothing.

    From the environment, else from the keyring, else asked for. Raises WrongUse where there is no
    way to it; `command` is how the program is called.
    """
    login = login_at_hand(server, command)
    if login is not None or (server.security == NONE and server.kind == "smtp"):
        return login
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
    return Login(ask(asked), command=command)


def login_at_hand(server: Server, command: str) -> Login | None:
    """What the environment or the keyring has to prove it with; None where neither has anything."""
    return login_of_environment(server, command) or _login_kept(server.user, command)


def login_of_environment(server: Server, command: str) -> Login | None:
    """What the environment gives to prove it with; None where it gives nothing."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return Login(token, is_token=True, command=command)
    password = os.environ.get(VARIABLES[server.kind]) or os.environ.get(PASSWORD_VARIABLE)
    return Login(password, command=command) if password else None


def _login_kept(user: str, command: str) -> Login | None:
    """What the keyring has; None where there is nothing in it, or no keyring."""
    found = kept(user)
    if found is None:
        return None
    if not found.is_grant:
        return Login(found.text, command=command)
    # Imported here because it is not needed with a password.
    from pbem.mail.oauth import Grant, Tokens

    def newest() -> Grant | None:
        """What another process may have kept meanwhile, or this one."""
        found = kept(user)
        return Grant.of(found.text) if found and found.is_grant else None

    def keep(newer: Grant) -> None:
        _tokens[user] = (newer, tokens)
        # Else the player signs in again, some time.
        with suppress(NoKeyring):
            keep_grant(user, newer.text())

    grant = Grant.of(found.text)
    if grant is None:
        return None
    with _lock:
        # Both servers take the same token, and some grants bring only one.
        before = _tokens.get(user)
        if before is None or before[0] != grant:
            tokens = Tokens(grant, keep=keep, kept=newest, command=command)
            _tokens[user] = before = (grant, tokens)
    return Login("", is_token=True, tokens=before[1], command=command)
