"""`acres mail fetch` and `acres mail watch`: turns from the own mailbox, by IMAP."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from language import phrase, plural
from pbem.cli import console
from pbem.cli.again import look_again
from pbem.cli.home import command_of
from pbem.cli.mail.own_account import login_at, own_account, server_to
from pbem.cli.moment import now
from pbem.cli.numbers import number_up_to, seconds_for
from pbem.cli.own_library import own_games
from pbem.errors import AcresError

if TYPE_CHECKING:
    from pbem.mail.account import Account
    from pbem.mail.arrivals import News
    from pbem.mail.connecting import Login

FIRST_DAYS = 30
"""So far back a mailbox is looked through that was never looked through before."""
LONGEST_DAYS = 3650
EVERY = 5 * 60
"""In seconds, how often to look, usually."""
NOT_TAKEN = 1
"""How fetching ends where something that came does not hold."""

Tell = Callable[["list[News]"], None]
"""Tells what was found in one message."""

Days = Annotated[
    int | None,
    typer.Option(
        metavar="DAYS",
        parser=number_up_to(LONGEST_DAYS, "--days"),
        help="Look through all that came in so many days, also what was looked through before.",
    ),
]


def fetch(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    days: Days = None,
) -> None:
    """Take the turns out of your mailbox: verify them, and put each with its game.

    Messages with turns are marked as read; nothing is ever deleted or moved. The first time this
    looks 30 days back, later at what is new.
    """
    account, login = _account(context)
    news: list[News] = []
    if json:
        fetch_once(context, account, login, news.extend, lambda: None, days=days)
        from json import dumps

        from pbem.cli.mail.arrivals import arrival_facts

        console.say_whole(dumps(arrival_facts(news, now()), indent=2))
    else:
        _fetch_and_tell(context, account, login, news, days=days)
        if not news:
            console.say(phrase("No turn has arrived."))
    if any(_is_refused(each) for each in news):
        raise typer.Exit(NOT_TAKEN)


def watch(
    context: typer.Context,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="TIME",
            parser=seconds_for("--every"),
            help="How often to look, such as 90s or 1h. Usual: 5m.",
        ),
    ] = None,
) -> None:
    """Look into your mailbox again and again, and tell what arrives, until Ctrl-C."""
    account, login = _account(context)
    folder, address = account.mailbox, account.address
    console.say(
        phrase(
            "What arrives in {folder} of {address} is told here.", folder=folder, address=address
        )
    )
    console.say(phrase("To stop it, press Ctrl-C."))
    console.flush()
    console.note_written(phrase("What had arrived is in its place."))

    look_again(
        lambda: _fetch_and_tell(context, account, login, []),
        every or EVERY,
        _may_pass,
        lambda: console.say(
            phrase("{folder} of {address} is there again.", folder=folder, address=address)
        ),
    )


def _may_pass(error: AcresError) -> bool:
    """Whether looking again may go well: a full disk or a locked library may be so for a while."""
    from pbem.mail.connecting import MailFailed

    return error.may_pass if isinstance(error, MailFailed) else True


def _account(context: typer.Context) -> tuple[Account, Login]:
    account = own_account(context)
    login = login_at(context, server_to(context, account, "imap"))
    assert login is not None
    return account, login


def _fetch_and_tell(
    context: typer.Context,
    account: Account,
    login: Login,
    news: list[News],
    *,
    days: int | None = None,
) -> None:
    """Take in what came, tell it, and add it to the `news`."""
    told = 0

    def tell(some: list[News]) -> None:
        if some:
            _say(context, some, news)
        news.extend(some)

    def settle() -> None:
        nonlocal told
        some, told = news[told:], len(news)
        if some:
            _say_standing(context, some)

    try:
        fetch_once(context, account, login, tell, settle, days=days)
    finally:
        # What came before the server went away has come.
        settle()


def fetch_once(
    context: typer.Context,
    account: Account,
    login: Login,
    tell: Tell,
    settle: Callable[[], None],
    *,
    days: int | None = None,
) -> None:
    """Take in what came, and `tell` it message by message.

    After some of them, when all is told that there is to tell of these (`settle`), they are passed
    over.

    Raises MailFailed, and WrongUse where a file cannot be written or the library not be used.
    """
    from pbem.mail.arrivals import AT_A_TIME, file_away, look_through
    from pbem.mail.mailbox import opened
    from pbem.mail.reports import Threads

    assert account.imap is not None
    name = f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    folder = account.folder or Path.cwd()
    with own_games(context) as own, opened(account, login) as mailbox:
        library, post = own.open(), own.post()
        looked = look_through(
            mailbox,
            name,
            post,
            _days_ago(days or FIRST_DAYS),
            lambda found: file_away(found, library, folder),
            Threads(library, post, account.address),
            anew=days is not None,
        )
        for number, seen in enumerate(looked):
            if number == 0 and seen.more >= AT_A_TIME and sys.stderr.isatty():
                console.say_aside(
                    plural(
                        "{count} more message is looked through.",
                        "{count} more messages are looked through.",
                        seen.more,
                    )
                )
            tell(seen.news)
            if seen.is_last:
                settle()


def _days_ago(days: int) -> date:
    # Servers go by their own clock, and the day of the sender.
    return datetime.fromisoformat(now()).date() - timedelta(days=days + 1)


def _say(context: typer.Context, news: list[News], before: list[News]) -> None:
    # Imported here because most of the time nothing has arrived.
    from pbem.cli.mail.arrivals import not_told, say_arrivals

    say_arrivals(not_told(news, before), now(), command_of(context))
    console.flush()


def _say_standing(context: typer.Context, news: list[News]) -> None:
    from pbem.cli.mail.arrivals import say_standing

    say_standing(news, now(), command_of(context))
    console.flush()


def _is_refused(news: News) -> bool:
    from pbem.mail.arrivals import Refused

    return isinstance(news, Refused)
