"""The player's mail account, and what proves to its servers whose it is."""

from __future__ import annotations

import typer

from engine.message import Message, with_colon
from pbem.cli import answers, console
from pbem.cli.own_home import at_home, command_of
from pbem.mail.account import Account, Server
from pbem.mail.login import Login, login_for


def own_account(context: typer.Context, *kinds: str) -> Account:
    """The account in the settings, which has servers of these kinds; raises as `Account.own`."""
    return Account.own(at_home(context).config_path, command_of(context), *kinds)


def login_at(context: typer.Context, server: Server | None, *, asks: bool = True) -> Login | None:
    """What proves to a server whose account it is; raises as `login_for`.

    Where it is nowhere else it is asked for at a terminal, if this `asks`; once during a command,
    as soon as a server has taken it.
    """
    assert server is not None
    typed: dict[str, Login] = context.find_root().meta.setdefault(__name__, {})
    before = typed.get(server.user)
    known = before.secret if before is not None and before.has_worked else ""
    is_typed = False

    def ask(what: Message) -> str:
        nonlocal is_typed
        is_typed = True
        return known or answers.ask_secret(with_colon(what) + " ")

    may_ask = bool(known) or (asks and console.is_terminal())
    login = login_for(server, command_of(context), ask if may_ask else None)
    if login is not None and is_typed:
        typed[server.user] = login
    return login
