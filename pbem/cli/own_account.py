"""The player's mail account, and the logins for its servers."""

from __future__ import annotations

from engine.message import Message, with_colon
from pbem.cli import answers, console
from pbem.cli.own_home import at_home, own_command
from pbem.cli.running import current
from pbem.mail.account import Account, Server
from pbem.mail.password import Login, login_at_hand, login_for


def own_account(*kinds: str) -> Account:
    """Return the account in the settings, with servers of these kinds; raises as `Account.own`."""
    return Account.own(at_home().config_path, own_command(), *kinds)


def login_at(server: Server | None, *, asks: bool = True) -> Login | None:
    """Return the login for a server; raises as `login_for`.

    If it is nowhere else it is asked for at a terminal, if this `asks`; once during a command for a
    user at a host, as soon as a server there has taken it.
    """
    assert server is not None
    typed: dict[tuple[str, str], Login] = current().meta.setdefault(__name__, {})
    at_host = server.user, server.host
    if at_host in typed and typed[at_host].has_worked:
        return typed[at_host]
    before = login_at_hand(server, own_command())

    def ask(what: Message) -> str:
        return answers.ask_secret(with_colon(what) + " ")

    may_ask = asks and console.is_terminal()
    login = before or login_for(server, own_command(), ask if may_ask else None)
    if login is not None and before is None:
        typed[at_host] = login
    return login
