"""Passwords and tokens that prove to a mail server whose account it is, and where they come from.

They come from the environment or the keyring of the system, never from the command line or the
settings, which others may see.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import keyring
from keyring.errors import NoKeyringError

from engine.message import Message
from pbem.errors import AcresError, WrongUse
from pbem.mail.account import NONE, Server
from pbem.mail.sayings import as_text, said
from pbem.mail.wire import MailFailed

SERVICE = "acres"
"""Under this name, and that of the user, the keyring has the password."""
TOKEN_VARIABLE = "ACRES_MAIL_TOKEN"
PASSWORD_VARIABLE = "ACRES_MAIL_PASSWORD"
VARIABLES = {"smtp": "ACRES_SMTP_PASSWORD", "imap": "ACRES_IMAP_PASSWORD"}
"""For a password that is that of one server alone."""

_GRANT = re.compile(r"oauth2 ([1-9])((?: [0-9a-f]+)?)")
"""Entry of an acres that signed in with a browser: how many pieces, and part of their names."""


class NoKeyring(AcresError):
    """The keyring of the system cannot be used; the message says why."""


@dataclass(frozen=True)
class Login:
    """A password, or a token for a while, that proves to a server whose account it is.

    `command` is how the program is called.
    """

    secret: str = field(repr=False)
    is_token: bool = False
    command: str = field(default="acres", compare=False)
    _taken_by: set[Server] = field(default_factory=set, repr=False, compare=False)

    def worked(self, server: Server) -> None:
        """Note that a server took it, so that it is right: refused later, it may be taken again."""
        self._taken_by.add(server)

    @property
    def has_worked(self) -> bool:
        """True if a server took it."""
        return bool(self._taken_by)

    def is_in(self, text: str) -> bool:
        """Return True if a text gives it away, also in base64, as logins are sent."""
        coded = (_from_base64(word) for word in re.findall(r"[A-Za-z0-9+/]{4,}", text))
        return self.secret in text or any(self.secret.encode() in each for each in coded)

    def without_it(self, answer: object) -> object:
        """Return an answer unless it gives the secret away: some servers repeat what they hear."""
        return "" if self.is_in(as_text(answer)) else answer

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
            may_pass=may_pass or server in self._taken_by,
        )

    def is_ascii(self, server: Server) -> bool:
        """Return True if name and password have only letters that every kind of login takes."""
        return server.user.isascii() and self.secret.isascii()

    def plain(self, server: Server) -> bytes:
        """Return the response for PLAIN, which takes all letters (RFC 4616)."""
        return f"\0{server.user}\0{self.secret}".encode()

    def bearer(self, server: Server) -> str:
        """Return the response for XOAUTH2, with a token."""
        return f"user={server.user}\1auth=Bearer {self.secret}\1\1"


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
    login = login_of_environment(server, command)
    login = login or _login_in(entry := _entry(server.user), command)
    if login is not None or (server.security == NONE and server.kind == "smtp"):
        return login
    if entry:
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
    return Login(ask(asked), command=command)


def login_at_hand(server: Server, command: str) -> Login | None:
    """Return the login from the environment or the keyring; None if neither has one."""
    return login_of_environment(server, command) or _login_in(_entry(server.user), command)


def login_of_environment(server: Server, command: str) -> Login | None:
    """Return the login from the environment; None if there is none."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return Login(token, is_token=True, command=command)
    password = os.environ.get(VARIABLES[server.kind]) or os.environ.get(PASSWORD_VARIABLE)
    return Login(password, command=command) if password else None


def _entry(user: str) -> str:
    """Return what the keyring has for a user; empty for nothing, or no keyring."""
    # Its parts come from many hands; whatever they raise, there is nothing.
    with suppress(Exception):
        return keyring.get_password(SERVICE, user) or ""
    return ""


def _login_in(entry: str, command: str) -> Login | None:
    """Return the login in an entry of the keyring; None if it is no password."""
    return Login(entry, command=command) if entry and not _GRANT.fullmatch(entry) else None


def keep_password(user: str, password: str) -> None:
    """Keep a password in the keyring, instead of the one before; raises NoKeyring.

    If the player had signed in with a browser, delete what is left of that.
    """
    if grant := _GRANT.fullmatch(_entry(user)):
        for number in range(int(grant[1])):
            # Its parts come from many hands, and nobody reads these again.
            with suppress(Exception):
                keyring.delete_password(SERVICE, f"{user} oauth2{grant[2]} {number}")
    try:
        keyring.set_password(SERVICE, user, password)
    except NoKeyringError:
        raise NoKeyring("This system has no keyring to keep the password in.") from None
    except Exception as error:
        raise NoKeyring(
            "The keyring of this system does not keep the password ({error}).",
            error=type(error).__name__,
        ) from None
