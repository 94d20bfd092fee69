"""What this computer's clock says of a game: since when it waits, and what is dated ahead of it."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.own_library import own_library
from pbem.library.times import credible
from pbem.play.home import now
from pbem.protocol.match import Match
from pbem.words.history.waiting import ahead_told, borrowed_told


def warn_of_dates(context: typer.Context, match: Match) -> None:
    """Warn of a record that is dated far ahead, once during a command."""
    done = context.find_root().meta.setdefault(__name__, set())
    told = ahead_told(match, now())
    if told and match.id not in done:
        done.add(match.id)
        console.warn(told)


def say_borrowed(match: Match) -> None:
    """Say of an own record that was written just now that its date is borrowed, if it is."""
    told = borrowed_told(match, now())
    if told:
        console.say(told)


def since_when(context: typer.Context, match: Match, now: str) -> str | None:
    """Since when a match waits, by the clock here if that is known; None if nobody can say."""
    return credible(_arrival(context, match), match.last.time, now)


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
