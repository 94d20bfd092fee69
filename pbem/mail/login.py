"""Logins: passwords and tokens from the environment, the system's keyring or the player.

They never come from the command line or the settings, which other users may see. The keyring has a
password for each user, host and kind of server.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import keyring
from keyring.errors import NoKeyringError

from engine.message import Message
from pbem.errors import UsageError
from pbem.mail.account import NONE, Server
from pbem.mail.connection import MailError, decode_answer, quote
from pbem.sources import ENVIRONMENT

SERVICE = "acres"
TOKEN_VARIABLE = "ACRES_MAIL_TOKEN"
PASSWORD_VARIABLE = "ACRES_MAIL_PASSWORD"
VARIABLES = {"smtp": "ACRES_SMTP_PASSWORD", "imap": "ACRES_IMAP_PASSWORD"}
"""The environment variables for passwords, by kind of server."""


class KeyringUnusableError(UsageError):
    """Raised if the keyring of the system cannot be used."""


@dataclass(slots=True)
class Login:
    """A password or an access token, for one user of a server.

    `command` is the name of the program, for errors. `has_worked` is true once a server has
    accepted the login.
    """

    secret: str = field(repr=False)
    command: str
    is_token: bool = False
    has_worked: bool = False

    def redact(self, answer: object) -> object:
        """Return a server's answer, or an empty text if it has the secret, in plain or base64."""
        text = decode_answer(answer)
        decoded = map(_decode_base64, re.findall(r"[A-Za-z0-9+/]{4,}", text))
        is_leak = self.secret in text or any(self.secret.encode() in word for word in decoded)
        return "" if is_leak else answer

    def refusal_error(self, server: Server, answer: object, *, may_pass: bool = False) -> MailError:
        """Return the error for a refused login; it may be temporary if the login has worked."""
        return MailError(
            # Translators: {said} is empty, or “ (it said: …)” with a space before it.
            "{host} refuses the login as {user}{said}. Check the name and the password; many "
            "providers want an app password, made in the settings of the account. To give another: "
            "{command}",
            host=server.host,
            user=server.user,
            said=quote(self.redact(answer)),
            command=f"{self.command} mail setup",
            may_pass=may_pass or self.has_worked,
        )

    def is_ascii(self, server: Server) -> bool:
        """Return True if user name and password are ASCII, which every login method accepts."""
        return server.user.isascii() and self.secret.isascii()


def _decode_base64(word: str) -> bytes:
    """Decode a base64 text that may be cut short or lack its padding."""
    word = word[:-1] if len(word) % 4 == 1 else word
    return base64.b64decode(word + "=" * (-len(word) % 4))


def get_login(
    server: Server, command: str, ask: Callable[[Message], str] | None = None
) -> Login | None:
    """Return the login for a server, or None for an SMTP server on this computer without one.

    The password comes from the environment, from the keyring, or from `ask`, which is called with a
    prompt. Raises UsageError if there is none. `command` is the name of the program.
    """
    login, may_lack = None, server.security == NONE and server.kind == "smtp"
    try:
        login = find_login(server, command)
    except KeyringUnusableError:
        if ask is None and not may_lack:
            raise
    if login is not None or may_lack:
        return login
    if ask is None:
        raise UsageError(
            "There is no password for {user} at {host}: {command} keeps it in the keyring, or set "
            "{variable}.",
            user=server.user,
            host=server.host,
            command=f"{command} mail setup",
            variable=PASSWORD_VARIABLE,
        )
    prompt = Message("Password for {user} at {host}", user=server.user, host=server.host)
    return Login(ask(prompt), command)


def find_login(server: Server, command: str) -> Login | None:
    """Return the login from the environment or the keyring, or None if neither has one.

    Raises KeyringUnusableError if the keyring cannot be read.
    """
    if login := find_environment_login(server, command):
        return login
    # Older versions had one entry for each user.
    password = _read_entry(_entry_name(server)) or _read_entry(server.user)
    return Login(password, command) if password else None


def find_environment_login(server: Server, command: str) -> Login | None:
    """Return the login from the environment, or None if there is none."""
    token = ENVIRONMENT.get(TOKEN_VARIABLE)
    if token:
        return Login(token, command, is_token=True)
    password = ENVIRONMENT.get(VARIABLES[server.kind]) or ENVIRONMENT.get(PASSWORD_VARIABLE)
    return Login(password, command) if password else None


def _entry_name(server: Server) -> str:
    """Return the name of the keyring entry with the password for a server."""
    return f"{server.kind} {server.user}@{server.host}"


def _read_entry(name: str) -> str:
    """Return an entry of the keyring, or an empty text if there is none."""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except NoKeyringError:
        return ""
    except Exception as error:
        # The back ends of keyrings raise many kinds of exceptions.
        raise KeyringUnusableError(
            "The keyring of this system cannot be read ({error}): unlock it, or set {variable}.",
            error=type(error).__name__,
            variable=PASSWORD_VARIABLE,
        ) from None


def save_password(server: Server, password: str) -> None:
    """Save the password for a server in the keyring, and delete the entry of older versions.

    Raises KeyringUnusableError, also for a keyring that does not give the password back.
    """
    name, reason = _entry_name(server), ""
    try:
        keyring.set_password(SERVICE, name, password)
        if keyring.get_password(SERVICE, name) != password:
            # Such as the null keyring, which `keyring --disable` chooses.
            reason = type(keyring.get_keyring()).__module__
    except NoKeyringError:
        raise KeyringUnusableError("This system has no keyring to keep the password in.") from None
    except Exception as error:
        reason = type(error).__name__
    if reason:
        raise KeyringUnusableError(
            "The keyring of this system does not keep the password ({error}).", error=reason
        )
    with suppress(Exception):
        keyring.delete_password(SERVICE, server.user)
