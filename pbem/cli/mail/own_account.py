"""The player's mail account: what the settings say, and where passwords come from.

They are never taken from the command line or from the settings, which others may see.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from engine.message import Message, Run, sentences, with_colon
from pbem.cli import console
from pbem.cli.home import command_of, config_path, home_of
from pbem.errors import AcresError, WrongUse

if TYPE_CHECKING:
    from pbem.mail.account import Account, Server
    from pbem.mail.connecting import Login
    from pbem.play.config import Config

SERVICE = "acres"
"""Under this name, and that of the user, the keyring has the password."""
TOKEN_VARIABLE = "ACRES_MAIL_TOKEN"
PASSWORD_VARIABLE = "ACRES_MAIL_PASSWORD"
VARIABLES = {"smtp": "ACRES_SMTP_PASSWORD", "imap": "ACRES_IMAP_PASSWORD"}
"""For a password that is that of one server alone."""


class NoKeyring(AcresError):
    """The keyring of the system cannot be used; the message says why."""


def settings(context: typer.Context) -> Config:
    """What the player has set; raises Unreadable."""
    from pbem.play.config import Config

    return Config.read(config_path(home_of(context)))


def own_account(context: typer.Context) -> Account:
    """The account in the settings; raises WrongUse where there is none, and Unreadable."""
    from pbem.mail.account import Account

    account = Account.of(settings(context))
    if account is None:
        command = command_of(context)
        raise WrongUse(
            Message(
                "No mail account is set up. To set it up: {setup}. It goes without, too: {draft} "
                "FILE writes a letter for your mail program.",
                setup=f"{command} mail setup",
                draft=f"{command} mail draft",
            )
        )
    return account


def server_to(context: typer.Context, account: Account, kind: str) -> Server:
    """The server of an account to send (`smtp`) or fetch (`imap`) by; WrongUse where none is set.

    WrongUse also where there is no way to its password.
    """
    server = account.smtp if kind == "smtp" else account.imap
    if server is None:
        path, setup = config_path(home_of(context)), f"{command_of(context)} mail setup"
        missing = (
            Message("{file} names no server to send by, in [mail.smtp].", file=path)
            if kind == "smtp"
            else Message("{file} names no server to fetch from, in [mail.imap].", file=path)
        )
        raise WrongUse(sentences(missing, Message("To set it up: {command}", command=setup)))
    return server


def login_at(context: typer.Context, server: Server) -> Login | None:
    """What proves to a server whose account it is; None where a server here needs nothing.

    From the environment, else from the keyring, else asked for at a terminal. Raises WrongUse where
    there is no way to it.
    """
    from pbem.mail.account import NONE
    from pbem.mail.connecting import Login

    login = given_login(server)
    if login is not None:
        return login
    password = _kept(server)
    if password:
        return Login(password)
    if server.security == NONE and server.kind == "smtp":
        return None
    if console.is_terminal():
        asked = Message("Password of {user} at {host}", user=server.user, host=server.host)
        return Login(console.ask_secret(Run((with_colon(asked), " "))))
    raise WrongUse(
        Message(
            "There is no password for {user} at {host}: {command} keeps it in the keyring, or set "
            "{variable}.",
            user=server.user,
            host=server.host,
            command=f"{command_of(context)} mail setup",
            variable=PASSWORD_VARIABLE,
        )
    )


def given_login(server: Server) -> Login | None:
    """What the environment gives to prove it with; None where it gives nothing."""
    from pbem.mail.connecting import Login

    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return Login(token, is_token=True)
    password = os.environ.get(VARIABLES[server.kind]) or os.environ.get(PASSWORD_VARIABLE)
    return Login(password) if password else None


def _kept(server: Server) -> str:
    """The password in the keyring; empty where there is none, or no keyring."""
    # Imported here because it takes a while, and drafts need no password.
    import keyring

    try:
        return keyring.get_password(SERVICE, server.user) or ""
    except Exception:
        # Its parts come from many hands; whatever they raise, there is no password.
        return ""


def keep_password(user: str, password: str) -> None:
    """Keep a password in the keyring of the system; raises NoKeyring."""
    import keyring
    from keyring.errors import NoKeyringError

    try:
        keyring.set_password(SERVICE, user, password)
    except NoKeyringError:
        raise NoKeyring(Message("This system has no keyring to keep the password in.")) from None
    except Exception as error:
        raise NoKeyring(
            Message(
                "The keyring of this system does not keep the password ({error}).",
                error=type(error).__name__,
            )
        ) from None
