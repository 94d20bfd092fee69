"""`acres mail fetch`: turns from the player's mailbox, by IMAP."""

from __future__ import annotations

import json as as_json
import sys
from contextlib import closing
from typing import Annotated, Any, NoReturn

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.again import look_again
from pbem.cli.mail.incoming import say_arrivals, say_standing
from pbem.cli.numbers import number_up_to, seconds_for
from pbem.cli.own_account import login_at, own_account
from pbem.cli.own_games import own_games
from pbem.cli.own_home import command_of
from pbem.errors import AcresError, WrongUse
from pbem.mail.account import Account
from pbem.mail.exchange import MailFailed
from pbem.mail.fetching import AT_A_TIME, fetched
from pbem.mail.password import Login
from pbem.play.inbox.filing import Filed, News
from pbem.play.own_library import OwnLibrary
from pbem.sources import now
from pbem.words.proof.arrivals import Telling, facts_of

LONGEST_DAYS = 3650
NOT_TAKEN = 1
"""How fetching ends where something that came does not hold."""


def fetch(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    days: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            parser=number_up_to(LONGEST_DAYS, "--days"),
            help="Look through everything that came in that many days, including what was looked "
            "through before.",
        ),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="TIME",
            parser=seconds_for("--every"),
            help="Keep fetching until Ctrl-C, so often: such as 90s, 5m or 1h.",
        ),
    ] = None,
) -> None:
    """Fetch the turns from your mailbox, verify them, and put each with its game.

    Messages with turns are marked as read; nothing is ever deleted or moved. The first time this
    looks 30 days back, later at what is new.
    """
    if every and (json or days):
        raise WrongUse("--every looks at what is new: leave --json and --days out.")
    account = own_account(context, "imap")
    login = login_at(context, account.imap)
    assert login is not None
    if every:
        _fetch_again(context, account, login, every)
    if json:
        facts: list[dict[str, Any]] = []

        def note(news: list[News]) -> None:
            facts.extend(facts_of(each, now()) for each in news)

        told = Telling(note, lambda _: None)
        with own_games(context) as own:
            _looked_through(own, account, login, told, days)
        console.say_whole(as_json.dumps(facts, indent=2))
    else:
        told = _fetched(context, account, login, days=days)
        if not told.has_any:
            console.say(Message("No turn has arrived."))
    if told.has_refused:
        raise typer.Exit(NOT_TAKEN)


def _fetch_again(context: typer.Context, account: Account, login: Login, every: int) -> NoReturn:
    """Fetch every so many seconds, and report what arrives, until Ctrl-C."""
    where = {"folder": account.mailbox, "address": account.address}
    console.say(Message("Turns that arrive in {folder} of {address} are reported here.", **where))
    console.say(Message("To stop it, press Ctrl-C."))
    console.flush()
    console.note_written(Message("Everything that had arrived is saved."))
    look_again(
        lambda: _fetched(context, account, login),
        every,
        _may_pass,
        lambda: console.say(Message("{folder} of {address} can be reached again.", **where)),
    )


def _may_pass(error: AcresError) -> bool:
    """Return True if looking again may go well: a full disk may not stay full."""
    return error.may_pass if isinstance(error, MailFailed) else True


def _fetched(
    context: typer.Context, account: Account, login: Login, *, days: int | None = None
) -> Telling:
    """Take in what came, and report it."""
    command = command_of(context)

    def say(news: list[News]) -> None:
        say_arrivals(told.new_in(news), now(), command)
        console.flush()

    def stand(filed: list[Filed]) -> None:
        say_standing(filed, now(), command)
        console.flush()

    told = Telling(say, stand)
    try:
        with own_games(context) as own:
            _looked_through(own, account, login, told, days)
    finally:
        # What came before the server went away has come.
        told.settle()
    return told


def _looked_through(
    own: OwnLibrary, account: Account, login: Login, told: Telling, days: int | None
) -> None:
    with closing(fetched(own, account, login, days=days)) as letters:
        for number, letter in enumerate(letters):
            if number == 0 and letter.more >= AT_A_TIME and sys.stderr.isatty():
                console.say_aside(
                    Message.counted(
                        "Looking through {count} more message.",
                        "Looking through {count} more messages.",
                        letter.more,
                    )
                )
            told.tell(letter.news)
            if letter.is_last:
                told.settle()
