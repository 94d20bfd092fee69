"""What proves to a mail server whose account it is, and where it comes from.

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
from typing import Any, Protocol

import keyring
from keyring.errors import NoKeyringError

from engine.message import Message, mark
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


_LONGEST_PIECE = 1000
_IN_PIECES = re.compile(r"oauth2 ([1-9])")
"""Stands where a password would be, for a grant in that many pieces."""
_tokens: dict[str, tuple[Any, Renewed]] = {}
"""The tokens of those who have signed in, with the grant that they come of."""


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


class NoKeyring(AcresError):
    """The keyring of the system cannot be used; the message says why."""


class Renewed(Protocol):
    """Tokens, each as long as it is good."""

    def current(self) -> str:
        """The one that is good now; raises MailFailed."""


@dataclass(frozen=True)
class Login:
    """What proves to a server whose account it is: a password, or a token for a while.

    Where there are `tokens`, the secret is to be made `fresh` before it is shown.
    """

    secret: str = field(repr=False)
    is_token: bool = False
    tokens: Renewed | None = field(default=None, repr=False, compare=False)
    _taken_by: set[Server] = field(default_factory=set, repr=False, compare=False)

    def worked(self, server: Server) -> None:
        """Note that a server took it, so that it is right: refused later, it may be taken again."""
        self._taken_by.add(server)

    @property
    def is_given(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.secret) or self.tokens is not None

    def fresh(self) -> Login:
        """The same, good for a while; raises MailFailed where the player has to sign in again."""
        return self if self.tokens is None else replace(self, secret=self.tokens.current())

    @property
    def has_worked(self) -> bool:
        """Whether a server took it."""
        return bool(self._taken_by)

    def is_in(self, text: str) -> bool:
        """Whether a text gives it away, also as logins are sent: in base64."""
        coded = (_from_base64(word) for word in re.findall(r"[A-Za-z0-9+/]{4,}", text))
        return self.secret in text or any(self.secret.encode() in each for each in coded)

    def refused(self, server: Server, answer: object, *, may_pass: bool = False) -> MailFailed:
        """That a server does not take it; it may pass where the server took it before."""
        # Some repeat what they were told.
        told = "" if self.is_in(as_text(answer)) else said(answer)
        return MailFailed(
            _REFUSED if self.tokens is None else _REFUSED_SIGNED_IN,
            host=server.host,
            user=server.user,
            said=told,
            command="acres mail setup",
            may_pass=may_pass or server in self._taken_by,
        )

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
    login = login_at_hand(server)
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
    return Login(ask(Message("Password of {user} at {host}", user=server.user, host=server.host)))


def login_at_hand(server: Server) -> Login | None:
    """What the environment or the keyring has to prove it with; None where neither has anything."""
    return login_of_environment(server) or _login_kept(server)


def login_of_environment(server: Server) -> Login | None:
    """What the environment gives to prove it with; None where it gives nothing."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return Login(token, is_token=True)
    password = os.environ.get(VARIABLES[server.kind]) or os.environ.get(PASSWORD_VARIABLE)
    return Login(password) if password else None


def _login_kept(server: Server) -> Login | None:
    """What the keyring has; None where there is no password in it, or no keyring."""
    try:
        password = keyring.get_password(SERVICE, server.user)
    except Exception:
        # Its parts come from many hands; whatever they raise, there is no password.
        return None
    if password and (pieces := _IN_PIECES.fullmatch(password)):
        return _signed_in(server.user, int(pieces[1]))
    return Login(password) if password else None


def _signed_in(user: str, pieces: int) -> Login | None:
    """What comes of a grant that the keyring has; None where it has not all of it."""
    # Imported here because whoever has a password needs nothing of it.
    from pbem.mail.oauth import Grant, Tokens

    try:
        found = [keyring.get_password(SERVICE, _piece(user, n)) for n in range(pieces)]
    except Exception:
        return None
    grant = Grant.of("".join(map(str, found)))
    if grant is None:
        return None
    # Both servers take the same token, and some grants bring only one.
    before = _tokens.get(user)
    if before is None or before[0] != grant:

        def keep(newer: Grant) -> None:
            _tokens[user] = (newer, tokens)
            # Else the player signs in again, some time.
            with suppress(NoKeyring):
                keep_grant(user, newer.text())

        tokens = Tokens(grant, keep)
        _tokens[user] = before = (grant, tokens)
    return Login("", is_token=True, tokens=before[1])


def _piece(user: str, number: int) -> str:
    return f"{user} oauth2 {number}"


def keep_grant(user: str, grant: str) -> None:
    """Keep what came of signing in in the keyring of the system; raises NoKeyring.

    In pieces: that of Windows takes none that is longer.
    """
    pieces = [grant[at : at + _LONGEST_PIECE] for at in range(0, len(grant), _LONGEST_PIECE)]
    for number, piece in enumerate(pieces):
        keep_password(_piece(user, number), piece)
    keep_password(user, f"oauth2 {len(pieces)}")


def keep_password(user: str, password: str) -> None:
    """Keep a password in the keyring of the system; raises NoKeyring."""
    try:
        keyring.set_password(SERVICE, user, password)
    except NoKeyringError:
        raise NoKeyring("This system has no keyring to keep the password in.") from None
    except Exception as error:
        raise NoKeyring(
            "The keyring of this system does not keep the password ({error}).",
            error=type(error).__name__,
        ) from None
