"""The player's mail account, its logins, and new mail."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import replace

from engine.message import Concat, Message, with_colon
from pbem.cli import console, prompts
from pbem.cli.app import current_app
from pbem.cli.homes import open_store
from pbem.errors import AcresError, UsageError
from pbem.foreign import display_path
from pbem.mail.account import Account, Server
from pbem.mail.connection import MailError
from pbem.mail.fetching import fetch_mail
from pbem.mail.login import Login, get_login
from pbem.play.config import Config
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.text.proof.arrivals import arrival_text, arrival_warnings


def require_account(*kinds: str) -> Account:
    """Return the account in the settings, which must have a server of each kind.

    Raises the same errors as `Account.load`.
    """
    return Account.load(current_app().home.config_path, current_app().command, *kinds)


def log_in(server: Server | None, *, may_ask: bool = True) -> Login | None:
    """Return the login for a server, or None if it needs none.

    Raises the same errors as `get_login`. If `may_ask` is true, the player is asked for a missing
    password at a terminal. A password that a host accepted is used again in this command.
    """
    assert server is not None
    logins = current_app().logins
    login_id = server.user, server.host
    if login_id in logins and logins[login_id].has_worked:
        return logins[login_id]
    typed: list[str] = []

    def ask(message: Message) -> str:
        typed.append(prompts.ask_secret(with_colon(message) + " "))
        return typed[0]

    can_ask = may_ask and console.is_terminal()
    login = get_login(server, current_app().command, ask if can_ask else None)
    if login is not None and typed:
        logins[login_id] = login
    return login


TIMEOUT_SECONDS = 5
"""The maximum time to wait for a server, and to look through messages, in seconds."""


def fetch_new_mail(inbox: Inbox, *, may_ask: bool = False) -> None:
    """Add new mail, and print news that the list of games does not show.

    If `may_ask` is true, the player is asked for a password that is not stored; after an empty or
    wrong answer there is no other attempt in this command. Without an account nothing is done. A
    failure is printed as a warning, and not again until it changes.
    """
    app = current_app()
    if app.is_mail_off:
        return
    try:
        account = Account.from_config(Config.read(current_app().home.config_path))
        login = _login(account.imap, may_ask=may_ask) if account and account.imap else None
        if account is not None and login is not None:
            app.is_mail_off = not login.secret
            if login.secret:
                _fetch(inbox, account, login)
            app.mail_warning = ""
    except AcresError as error:
        if str(error) != app.mail_warning:
            console.warn(error.message)
        app.mail_warning = str(error)
        app.is_mail_off = isinstance(error, MailError) and not error.may_pass


def _fetch(inbox: Inbox, account: Account, login: Login) -> None:
    """Add new mail, but leave messages that take too long for the next time."""
    start = time.monotonic()
    account = replace(
        account,
        folder=account.folder or current_app().home.games.absolute(),
        timeout=min(account.timeout, TIMEOUT_SECONDS),
    )
    with open_store(), closing(fetch_mail(inbox, account, login)) as messages:
        is_batch_end = False
        for message in messages:
            for arrival in message.arrivals:
                _say_arrival(arrival)
            # The progress in the mailbox is recorded when the next message is requested.
            if is_batch_end and time.monotonic() - start > TIMEOUT_SECONDS:
                return
            is_batch_end = message.is_last


def _login(server: Server, *, may_ask: bool) -> Login | None:
    with suppress(UsageError):
        return log_in(server, may_ask=may_ask)
    return None


def _say_arrival(arrival: Arrival) -> None:
    text = arrival_text(arrival, current_app().command)
    if arrival.match is None:
        console.warn(text)
    elif arrival.path and (arrival.is_invitation or arrival.kind is ArrivalKind.OTHER):
        console.say_stderr(Concat((text, " ", display_path(arrival.path))))
    for warning in arrival_warnings(arrival, current_app().home.clock()):
        console.warn(warning)
