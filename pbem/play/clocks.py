"""Dates of records held against the clock of this computer.

docs/protocol.md, What a player's program has to take care of: Go by your own clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.library.times import credible, is_ahead
from pbem.play.own_library import OwnLibrary
from pbem.protocol.match import Match
from pbem.protocol.record import Record

PATIENCE = timedelta(days=7)
"""After so long a silence it is worth a word what it may mean."""


def first_ahead(match: Match, now: str) -> Record | None:
    """The first record that is dated far ahead of `now`; None where none is."""
    # No record is dated before the one that it follows; the first one may have been refused.
    if not match.records or not is_ahead(match.last.time, now):
        return None
    return next(record for record in match.records if is_ahead(record.time, now))


def last_credible(match: Match, now: str) -> str | None:
    """The last date of a record that is not far ahead of `now`; None where all are."""
    dates = (record.time for record in reversed(match.records))
    return next((date for date in dates if not is_ahead(date, now)), None)


def is_long(since: str | None, now: str) -> bool:
    """Whether a wait is worth a word; it may be, where nobody can say since when it lasts."""
    if since is None:
        return True
    return datetime.fromisoformat(now) - datetime.fromisoformat(since) > PATIENCE


def since_when(own: OwnLibrary | None, match: Match, now: str) -> str | None:
    """Since when a match waits, by the clock here if that is known; None if nobody can say."""
    return credible(_arrival(own, match), match.last.time, now)


def letter_time(own: OwnLibrary | None, match: Match, now: str) -> str:
    """How the letter with the last record of a match is dated: as the record, but never ahead.

    A date that the record has borrowed is not repeated: then it is when the record was signed here,
    which is kept, so that the same letter can be made again.
    """
    signed = match.last.time
    return min(signed, _arrival(own, match) or signed, now)


def _arrival(own: OwnLibrary | None, match: Match) -> str:
    """When the last record of a match came here; empty where nobody knows."""
    return own.arrival(match.id, match.last.hash) if own else ""
