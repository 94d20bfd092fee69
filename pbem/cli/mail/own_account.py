"""The player's mail account, and what proves to its servers whose it is."""

from __future__ import annotations

import typer

from engine.message import with_colon
from pbem.cli import answers, console
from pbem.cli.own_home import at_home, command_of
from pbem.mail.account import Account, Server
from pbem.mail.login import Login, login_for


def own_account(context: typer.Context, *kinds: str) -> Account:
    """The account in the settings, which has servers of these kinds; raises as `Account.own`."""
    return Account.own(at_home(context).config_path, command_of(context), *kinds)


def login_at(context: typer.Context, server: Server | None) -> Login | None:
    """What proves to a server whose account it is; raises as `login_for`.

    It is asked for at a terminal where it is nowhere else.
    """
    assert server is not None
    asks = console.is_terminal()
    ask = (lambda what: answers.ask_secret(with_colon(what) + " ")) if asks else None
    return login_for(server, command_of(context), ask)
