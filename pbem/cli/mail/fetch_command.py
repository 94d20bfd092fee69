"""The command `acres mail fetch`, which fetches turns from the player's mailbox by IMAP."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.game_lookup import inbox_of, poll
from pbem.cli.games_commands import say_game
from pbem.cli.homes import open_store, say_recognised
from pbem.cli.mail_account import log_in, require_account
from pbem.cli.options import Json, number_option, time_option
from pbem.errors import UsageError
from pbem.foreign import display_path, shell_quote
from pbem.mail.account import Account
from pbem.mail.fetching import BATCH_SIZE, fetch_mail
from pbem.mail.login import Login
from pbem.play.inbox import Arrival, ArrivalKind
from pbem.play.store import GameEntry
from pbem.sources import now
from pbem.text.facts.json_data import Facts
from pbem.text.proof import arrivals

MAX_DAYS = 3650
REFUSED_STATUS = 1
"""The exit status if a file in a message was not valid."""


def fetch(
    json: Json = False,
    days: Annotated[
        int | None,
        number_option(
            "--days",
            "Look through everything that came in that many days, including what was looked "
            "through before.",
            metavar="DAYS",
            limit=MAX_DAYS,
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

    $ acres mail fetch  # what is new
    $ acres mail fetch --days 90  # looks further back
    $ acres mail fetch --every 5m  # keeps fetching
    """
    if every and (json or days):
        raise UsageError("--every looks at what is new: leave --json and --days out.")
    account = require_account("imap")
    login = log_in(account.imap)
    assert login is not None
    if every:
        _fetch_repeatedly(account, login, every)
    facts: list[Facts] = []
    digest = arrivals.Digest(say_arrival, _say_state)
    if json:
        digest = arrivals.Digest(
            lambda arrival: facts.append(arrivals.arrival_facts(arrival, now())),
            lambda _: None,
            is_whole=True,
        )
    try:
        _fetch(account, login, digest, days)
    finally:
        if json:
            # Later fetches do not report these arrivals again.
            console.say_data(facts)
    if not json and not digest.has_any:
        console.say("No turn has arrived.")
    if digest.has_refused:
        raise typer.Exit(REFUSED_STATUS)


def _fetch_repeatedly(account: Account, login: Login, every: int) -> None:
    """Fetch mail every `every` seconds, and print arrivals, until Ctrl-C."""
    facts = {"folder": account.mailbox, "address": account.address}
    console.say("Turns that arrive in {folder} of {address} are reported here.", **facts)
    console.say("To stop it, press Ctrl-C.")
    console.flush()
    console.note_written("Everything that had arrived is saved.")
    poll(
        lambda: _fetch(account, login, arrivals.Digest(say_arrival, _say_state)),
        every,
        lambda: console.say("{folder} of {address} can be reached again.", **facts),
    )


def _fetch(account: Account, login: Login, news: arrivals.Digest, days: int | None = None) -> None:
    """Fetch new mail and report it."""
    try:
        with (
            open_store() as store,
            closing(fetch_mail(inbox_of(store), account, login, days=days)) as messages,
        ):
            for number, message in enumerate(messages):
                if number == 0 and message.remaining >= BATCH_SIZE and sys.stderr.isatty():
                    console.say_stderr(
                        Message.counted(
                            "Looking through {count} more message.",
                            "Looking through {count} more messages.",
                            message.remaining,
                        )
                    )
                news.report(message.arrivals)
                if message.is_last:
                    news.report_states()
    finally:
        # Earlier messages have been added even if the connection was lost.
        news.report_states()


_BOLD = (ArrivalKind.NEW, ArrivalKind.AGAIN, ArrivalKind.INVITATION)
"""The kinds of arrival that are printed in bold, because the player waits for them."""


def say_arrival(arrival: Arrival) -> None:
    """Print the arrival of a file, and the next step.

    The state of a game that received a turn is printed later, because more turns may follow.
    """
    kind, path, command = arrival.kind, arrival.path, current_app().command
    if arrival.match is None:
        console.warn(arrivals.arrival_text(arrival, command))
    else:
        console.say(arrivals.arrival_text(arrival, command), "bold" if kind in _BOLD else "")
        if kind in (ArrivalKind.OLDER, ArrivalKind.OTHER) and path:
            console.say_verbatim(f"  {display_path(path)}")
        if compare := arrivals.compare_hint(arrival, command):
            console.say_unwrapped("  " + compare)
        if arrival.is_invitation and path:
            join = f"{command} join {shell_quote(path)}"
            console.say_unwrapped("  " + Message("To accept it: {command}", command=join))
        if arrival.opponent:
            say_recognised(arrival.opponent)
        for warning in arrivals.arrival_warnings(arrival, now()):
            console.warn(warning)
    console.flush()


def _say_state(entry: GameEntry) -> None:
    """Print the state of a game after its newest file, and the next step."""
    say_game(entry)
    console.flush()
