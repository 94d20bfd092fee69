"""The player's mail account, the logins for its servers, and what came into the mailbox."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from engine.message import Message, Run, with_colon
from pbem.cli import answers, console
from pbem.cli.own_home import at_home, own_command, own_games
from pbem.cli.running import current
from pbem.errors import AcresError, WrongUse
from pbem.foreign import shown
from pbem.mail.account import Account, Server
from pbem.mail.exchange import MailFailed
from pbem.mail.fetching import fetched
from pbem.mail.password import Login, login_at_hand, login_for
from pbem.play.config import Config
from pbem.play.inbox.inbox import Arrival, ArrivalKind, Inbox
from pbem.text.proof.arrivals import arrived, warnings


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


LONGEST = 5
"""In seconds: so long a server is waited for, and letters are looked through."""


@dataclass
class _Looks:
    """How the looks of a command went: what was warned of last, and whether there is no other."""

    warned: str = ""
    is_last: bool = False


def look_through(inbox: Inbox, *, asks: bool = False) -> None:
    """Take in what came by mail, and tell what the games do not.

    A password that is kept nowhere is asked for if this `asks`; who gives none, or a wrong one, is
    left alone until the command ends. If no account to fetch from is set up, nothing is done. Of
    what fails is warned, and not again as long as it fails so.
    """
    looks: _Looks = current().meta.setdefault(f"{__name__}.looks", _Looks())
    if looks.is_last:
        return
    try:
        account = Account.of(Config.read(at_home().config_path))
        login = _login(account.imap, asks=asks) if account and account.imap else None
        if account is not None and login is not None:
            looks.is_last = not login.secret
            if login.secret:
                _fetch(inbox, account, login)
            looks.warned = ""
    except AcresError as error:
        if str(error) != looks.warned:
            console.warn(error.said)
        looks.warned = str(error)
        looks.is_last = isinstance(error, MailFailed) and not error.may_pass


def _fetch(inbox: Inbox, account: Account, login: Login) -> None:
    """Take in what came by mail; what takes too long is left for the next look."""
    began = time.monotonic()
    account = replace(
        account,
        folder=account.folder or at_home().games.absolute(),
        timeout=min(account.timeout, LONGEST),
    )
    with own_games(), closing(fetched(inbox, account, login)) as letters:
        is_noted = False
        for letter in letters:
            for each in letter.arrivals:
                _tell(each)
            # How far it was looked through is noted before the first of the next ones.
            if is_noted and time.monotonic() - began > LONGEST:
                return
            is_noted = letter.is_last


def _login(server: Server, *, asks: bool) -> Login | None:
    with suppress(WrongUse):
        return login_at(server, asks=asks)
    return None


def _tell(arrival: Arrival) -> None:
    told = arrived(arrival, own_command())
    if arrival.match is None:
        console.warn(told)
    elif arrival.path and (arrival.is_invitation or arrival.kind is ArrivalKind.OTHER):
        console.say_aside(Run((told, " ", shown(arrival.path))))
    for warning in warnings(arrival, at_home().clock()):
        console.warn(warning)
