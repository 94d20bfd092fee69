"""The player's mail account: what the settings say, and where passwords come from."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.message import Message, sentences, with_colon
from pbem.cli import answers, console
from pbem.cli.home import at_home, command_of
from pbem.errors import WrongUse
from pbem.mail.account import NONE, Account, Server
from pbem.mail.login import PASSWORD_VARIABLE, Login, login_for
from pbem.play.config import Config

To = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Send it there, and not to the address given in the game."
    ),
]


def own_account(context: typer.Context) -> Account:
    """The account in the settings; raises WrongUse where there is none, and Unreadable."""
    account = Account.of(Config.read(at_home(context).config_path))
    if account is None:
        command = command_of(context)
        raise WrongUse(
            "No mail account is set up. To set it up: {setup}. It goes without, too: {draft} "
            "FILE writes a letter for your mail program.",
            setup=f"{command} mail setup",
            draft=f"{command} mail draft",
        )
    return account


def server_to(context: typer.Context, account: Account, kind: str) -> Server:
    """The server of an account to send (`smtp`) or fetch (`imap`) by; WrongUse if none is set."""
    server = account.smtp if kind == "smtp" else account.imap
    if server is None:
        path, setup = at_home(context).config_path, f"{command_of(context)} mail setup"
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
    login = login_for(server)
    if login is not None or (server.security == NONE and server.kind == "smtp"):
        return login
    if console.is_terminal():
        asked = Message("Password of {user} at {host}", user=server.user, host=server.host)
        return Login(answers.ask_secret(with_colon(asked) + " "))
    raise WrongUse(
        "There is no password for {user} at {host}: {command} keeps it in the keyring, or set "
        "{variable}.",
        user=server.user,
        host=server.host,
        command=f"{command_of(context)} mail setup",
        variable=PASSWORD_VARIABLE,
    )
