"""A glance into the mailbox before a game is chosen of which nothing waits for the player."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import typer

from engine.message import Run
from pbem.cli import console
from pbem.cli.mail.options import ways_of
from pbem.cli.own_games import own_games
from pbem.cli.own_home import at_home, command_of
from pbem.errors import AcresError, WrongUse
from pbem.foreign import shown
from pbem.mail.account import Account
from pbem.mail.arrivals import Filed, Kind, News
from pbem.mail.fetching import fetched
from pbem.mail.login import Login, login_for
from pbem.play.config import Config

LONGEST = 5
"""In seconds: so long a server is waited for, and letters are looked through."""


def look_into_mailbox(context: typer.Context) -> list[Path]:
    """Take in what came by mail, and tell what the games do not; the invitations that came.

    Nobody is asked for a password: where it is kept nowhere, or no account to fetch from is set up,
    nothing is done. Of what fails is warned.
    """
    invitations: list[Path] = []
    try:
        for news in _news(context):
            _tell(context, news)
            if isinstance(news, Filed) and news.kind is Kind.INVITATION and news.path is not None:
                invitations.append(news.path)
    except AcresError as error:
        console.warn(error.said)
    return invitations


def _news(context: typer.Context) -> Iterator[News]:
    """What came by mail. What cannot be looked through in time is left for the next look."""
    home, began = at_home(context), time.monotonic()
    account = Account.of(Config.read(home.config_path))
    login = _login(context, account)
    if account is None or login is None:
        return
    account = replace(
        account,
        folder=account.folder or home.games.absolute(),
        timeout=min(account.timeout, LONGEST),
    )
    with own_games(context) as own, closing(fetched(own, account, login)) as letters:
        is_noted = False
        for letter in letters:
            yield from letter.news
            # How far it was looked through is noted before the first of the next ones.
            if is_noted and time.monotonic() - began > LONGEST:
                return
            is_noted = letter.is_last


def _login(context: typer.Context, account: Account | None) -> Login | None:
    if account is not None and account.imap is not None:
        with suppress(WrongUse):
            return login_for(account.imap, command_of(context))
    return None


def _tell(context: typer.Context, news: News) -> None:
    if not isinstance(news, Filed):
        console.warn(news.told(ways_of(context)))
        return
    if news.kind in (Kind.INVITATION, Kind.OTHER) and news.path is not None:
        console.say_aside(Run((news.sentence, " ", shown(news.path))))
    for warning in news.warnings(at_home(context).clock()):
        console.warn(warning)
