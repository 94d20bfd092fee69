"""Passwords and tokens that prove to a mail server whose account it is, and where they come from.

They come from the environment or the keyring of the system, never from the command line or the
settings, which others may see. The keyring has a password for each user, host and purpose.
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
from pbem.mail.exchange import MailFailed, as_text, said

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
