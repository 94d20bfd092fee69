"""Dates that are far ahead of this computer's clock, told; and since when a game waits.

docs/protocol.md, What a player's program has to take care of: Go by your own clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from engine.message import NOTHING, Message, sentences
from pbem.cli import console
from pbem.cli.own_library import own_library
from pbem.play.home import now

if TYPE_CHECKING:
    from pbem.protocol.match import Match
    from pbem.protocol.record import Record


def first_ahead(match: Match, now: str) -> Record | None:
    """The first record that is dated far ahead of `now`; None where none is."""
    from pbem.library.times import is_ahead

    # No record is dated before the one that it follows; the first one may have been refused.
    if not match.records or not is_ahead(match.last.time, now):
        return None
    return next(record for record in match.records if is_ahead(record.time, now))


def told_ahead(match: Match, now: str) -> Message:
    """That a record is dated far ahead of `now`, by whom, and what that means; else empty."""
    from pbem.words.dates import day

    record = first_ahead(match, now)
    if record is None:
        return NOTHING
    dated = Message(
        "Record {number}, signed by {player}, is dated {date}, more than 48 hours ahead of this "
        "computer's clock: one of the two clocks is probably wrong.",
        number=record.index,
        player=_author(match, record),
        date=day(record.time),
    )
    means = Message(
        "The game goes on all the same; but no record may be dated before the one that it follows, "
        "so that all that follow have this date or a later one."
    )
    return sentences(dated, means)


def warn_of_dates(context: typer.Context, match: Match) -> None:
    """Warn of a record that is dated far ahead, once during a command."""
    done = context.find_root().meta.setdefault(__name__, set())
    if match.id in done:
        return
    told = told_ahead(match, now())
    if told:
        done.add(match.id)
        console.warn(told)


def say_borrowed(match: Match) -> None:
    """Say of an own record that was written just now that its date is borrowed, if it is far ahead.

    Then it is dated as the record before it.
    """
    from pbem.library.times import is_ahead
    from pbem.words.dates import day

    time = match.last.time
    if not is_ahead(time, now()):
        return
    console.say(
        Message(
            "Your record {number} is dated {date} too: it may not be dated before the one that it "
            "answers.",
            number=match.last.index,
            date=day(time),
        )
    )


def since_when(context: typer.Context, match: Match, now: str) -> str | None:
    """Since when a match waits, by the clock here if that is known; None if nobody can say."""
    from pbem.library.times import credible

    return credible(_arrival(context, match), match.last.time, now)


def last_credible(match: Match, now: str) -> str | None:
    """The last date of a record that is not far ahead of `now`; None where all are."""
    from pbem.library.times import is_ahead

    dates = (record.time for record in reversed(match.records))
    return next((date for date in dates if not is_ahead(date, now)), None)


def letter_time(context: typer.Context, match: Match) -> str:
    """How the letter with the last record of a match is dated: as the record, but never ahead.

    A date that the record has borrowed is not repeated: then it is when the record was signed here,
    which is kept, so that the same letter can be made again.
    """
    signed = match.last.time
    return min(signed, _arrival(context, match) or signed, now())


def _arrival(context: typer.Context, match: Match) -> str:
    """When the last record of a match came here; empty where nobody knows."""
    own = own_library(context)
    return own.arrival(match.id, match.last.hash) if own else ""


def _author(match: Match, record: Record) -> Message:
    from engine.sides import Side

    if not match.is_joined or not record.index:
        return console.named(match.invite.name)
    return console.named(match.entrants[Side(record.side)].name)
