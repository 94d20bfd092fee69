"""A glance into the mailbox before a game is chosen, where nothing else waits for the player."""

from __future__ import annotations

from contextlib import closing, suppress

import typer

from engine.message import message_of
from pbem.cli import console
from pbem.cli.mail.options import ways_of
from pbem.cli.own_games import own_games
from pbem.cli.own_home import at_home, command_of
from pbem.errors import WrongUse
from pbem.mail.account import Account
from pbem.mail.arrivals import Filed, News
from pbem.mail.fetching import fetched
from pbem.mail.login import Login, login_for
from pbem.mail.wire import MailFailed
from pbem.play.config import Config


def look_into_mailbox(context: typer.Context) -> None:
    """Take in what came by mail, and warn of what is to be minded; the games tell the rest.

    Nobody is asked for a password: where it is kept nowhere, or no account to fetch from is set up,
    nothing is done. Of a server that fails is warned.
    """
    account = Account.of(Config.read(at_home(context).config_path))
    login = _login(context, account)
    if account is None or login is None:
        return
    try:
        with own_games(context) as own, closing(fetched(own, account, login)) as letters:
            for letter in letters:
                for each in letter.news:
                    _warn(context, each)
    except MailFailed as error:
        console.warn(message_of(error))


def _login(context: typer.Context, account: Account | None) -> Login | None:
    if account is not None and account.imap is not None:
        with suppress(WrongUse):
            return login_for(account.imap, command_of(context))
    return None


def _warn(context: typer.Context, news: News) -> None:
    if not isinstance(news, Filed):
        console.warn(news.told(ways_of(context)))
        return
    for warning in news.warnings(at_home(context).clock()):
        console.warn(warning)
