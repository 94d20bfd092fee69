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
    from pbem.mail.connecting import Login
    from pbem.mail.fetching import News

FIRST_DAYS = 30
"""So far back a mailbox is looked through that was never looked through before."""
LONGEST_DAYS = 3650
EVERY = 5 * 60
"""In seconds, how often to look, usually."""
NOT_TAKEN = 1
"""How fetching ends where something that came does not hold."""

Tell = Callable[["list[News]"], None]

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

    def tell(some: list[News]) -> None:
        news.extend(some)
        if not json:
            _say(context, some)

    fetch_once(context, account, login, tell, days=days)
    if json:
        from json import dumps

        from pbem.cli.mail.arrivals import arrival_facts

        console.say_whole(dumps(arrival_facts(news, now()), indent=2))
    elif not news:
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

    def tell(news: list[News]) -> None:
        _say(context, news)
        console.flush()

    look_again(
        lambda: fetch_once(context, account, login, tell),
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


def fetch_once(
    context: typer.Context, account: Account, login: Login, tell: Tell, *, days: int | None = None
) -> None:
    """Take in what came, and `tell` it batch by batch; then what was told is passed over.

    Raises MailFailed, and WrongUse where a file cannot be written or the library not be used.
    """
    from pbem.mail.fetching import look_through
    from pbem.mail.filing import file_away
    from pbem.mail.mailbox import opened
    from pbem.mail.returned import Threads

    assert account.imap is not None
    name = f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    folder = account.folder or Path.cwd()
    with own_games(context) as own, opened(account, login) as mailbox:
        library, post = own.open(), own.post()
        batches = look_through(
            mailbox,
            name,
            post,
            _days_ago(days or FIRST_DAYS),
            lambda found: file_away(found, library, folder),
            Threads(library, post, account.address),
            anew=days is not None,
        )
        for number, batch in enumerate(batches):
            if number == 0 and batch.more and sys.stderr.isatty():
                console.say_aside(
                    plural(
                        "{count} more message is looked through.",
                        "{count} more messages are looked through.",
                        batch.more,
                    )
                )
            tell(batch.news)


def _days_ago(days: int) -> date:
    # Servers go by their own clock, and the day of the sender.
    return datetime.fromisoformat(now()).date() - timedelta(days=days + 1)


def _say(context: typer.Context, news: list[News]) -> None:
    if not news:
        return
    # Imported here because most of the time nothing has arrived.
    from pbem.cli.mail.arrivals import say_arrivals

    say_arrivals(news, now(), command_of(context))


def _is_refused(news: News) -> bool:
    from pbem.mail.fetching import Refused

    return isinstance(news, Refused)
