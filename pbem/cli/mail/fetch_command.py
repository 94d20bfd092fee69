"""`acres mail fetch`: turns from the player's mailbox, by IMAP."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.again import look_again
from pbem.cli.game_standing import say_game
from pbem.cli.numbers import number_option, time_option
from pbem.cli.opponent import say_recognised
from pbem.cli.own_account import login_at, own_account
from pbem.cli.own_home import own_command, own_games
from pbem.errors import AcresError, WrongUse
from pbem.foreign import quoted, shown
from pbem.mail.account import Account
from pbem.mail.exchange import MailFailed
from pbem.mail.fetching import AT_A_TIME, fetched
from pbem.mail.password import Login
from pbem.play.inbox.filing import Filed, Kind, News
from pbem.sources import now
from pbem.text.proof.arrivals import (
    ArrivalFacts,
    Telling,
    arrival_facts,
    arrived,
    newest,
    news_told,
    warnings,
)

LONGEST_DAYS = 3650
NOT_TAKEN = 1
"""How fetching ends where something that came does not hold."""


def fetch(
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    days: Annotated[
        int | None,
        number_option(
            "--days",
            "Look through everything that came in that many days, including what was looked "
            "through before.",
            metavar="DAYS",
            most=LONGEST_DAYS,
        ),
    ] = None,
    every: Annotated[
        int | None,
        time_option("--every", "Keep fetching until Ctrl-C, so often: such as 90s, 5m or 1h."),
    ] = None,
) -> None:
    """Fetch the turns from your mailbox, verify them, and put each with its game.

    Messages with turns are marked as read; nothing is ever deleted or moved. The first time this
    looks 30 days back, later at what is new.
    """
    if every and (json or days):
        raise WrongUse("--every looks at what is new: leave --json and --days out.")
    account = own_account("imap")
    login = login_at(account.imap)
    assert login is not None
    if every:
        _fetch_again(account, login, every)
    facts: list[ArrivalFacts] = []
    if json:
        told = Telling(
            lambda news: facts.extend(arrival_facts(each, now()) for each in news), lambda _: None
        )
    else:
        told = _aloud(own_command())
    try:
        _fetch(account, login, told, days)
    finally:
        if json:
            # What came before the server went away is told by no other fetch.
            console.say_data(facts)
    if not json and not told.has_any:
        console.say(Message("No turn has arrived."))
    if told.has_refused:
        raise typer.Exit(NOT_TAKEN)


def _fetch_again(account: Account, login: Login, every: int) -> None:
    """Fetch every so many seconds, and report what arrives, until Ctrl-C."""
    where = {"folder": account.mailbox, "address": account.address}
    console.say(Message("Turns that arrive in {folder} of {address} are reported here.", **where))
    console.say(Message("To stop it, press Ctrl-C."))
    console.flush()
    console.note_written(Message("Everything that had arrived is saved."))
    look_again(
        lambda: _fetch(account, login, _aloud(own_command())),
        every,
        _may_pass,
        lambda: console.say(Message("{folder} of {address} can be reached again.", **where)),
    )


def _may_pass(error: AcresError) -> bool:
    """Return True if looking again may go well: a full disk may not stay full."""
    return error.may_pass if isinstance(error, MailFailed) else True


def _aloud(command: str) -> Telling:
    """Return what prints the turns that arrive."""

    def say(news: list[News]) -> None:
        say_arrivals(told.new_in(news), now(), command)
        console.flush()

    def stand(filed: list[Filed]) -> None:
        say_standing(filed, now(), command)
        console.flush()

    told = Telling(say, stand)
    return told


def _fetch(account: Account, login: Login, told: Telling, days: int | None = None) -> None:
    """Take in what came, and report it."""
    try:
        with own_games() as own, closing(fetched(own, account, login, days=days)) as letters:
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
    finally:
        # What came before the server went away has come.
        told.settle()


_BOLD = (Kind.NEW, Kind.AGAIN, Kind.INVITATION)
"""Kinds that somebody waits for."""


def say_arrivals(news: Sequence[News], now: str, command: str) -> None:
    """Print the contents of a message, and what to do about it.

    How a game stands of which a turn arrived says `say_standing`: more of it may follow.
    """
    for filed in newest(news):
        _say_filed(filed, now, command)
    for each in news:
        if not isinstance(each, Filed):
            console.warn(news_told(each, command))


def say_standing(news: Iterable[News], now: str, command: str) -> None:
    """Print how each game stands of which a turn arrived, and what to do, by its newest file."""
    for filed in newest(news):
        if filed.kind in (Kind.NEW, Kind.AGAIN) and filed.listed is not None:
            say_game(filed.listed, now, command)


def _say_filed(filed: Filed, now: str, command: str) -> None:
    path, listed = filed.path, filed.listed
    console.say(arrived(filed), "bold" if filed.kind in _BOLD else "")
    if filed.kind in (Kind.OLDER, Kind.OTHER) and path:
        console.say_whole(f"  {shown(path)}")
    known = (listed.file_in or listed.file_out) if listed else None
    if filed.kind is Kind.OTHER and known and path:
        audit = f"{command} audit {quoted(known)} {quoted(path)}"
        console.say_whole("  " + Message("To see who signed both: {command}", command=audit))
    if filed.kind is Kind.INVITATION and path:
        join = f"{command} join {quoted(path)}"
        console.say_whole("  " + Message("To accept it: {command}", command=join))
    if filed.opponent:
        say_recognised(filed.opponent, command)
    for warning in warnings(filed, now):
        console.warn(warning)
