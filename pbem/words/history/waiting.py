"""Whom a game waits for, since when and what for; and what is dated ahead of this clock.

docs/protocol.md, What a player's program has to take care of: Name an unanswered opening; Go by
your own clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from engine.message import NOTHING, Message, joined_with_and, sentences
from engine.sides import Side
from pbem.foreign import named
from pbem.library.entries import is_ahead
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import Due, Silence, silence, unclosed
from pbem.words.dates import day, day_in_numbers
from pbem.words.phrases import player

PATIENCE = timedelta(days=7)
"""After so long a silence it is worth a word what it may mean."""


def silence_told(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Since when a game waits, where more than a turn is due, a paragraph each.

    That is `since` then by this computer's clock, where that is known; else by the signed times, of
    which one that is far ahead of `now` counts for nothing.
    """
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    before = _last_credible(match, now)
    counts = since or waits.since
    if not is_ahead(counts, now):
        yield _due(match, waits, day_in_numbers(counts))
    elif before is None:
        yield _due(match, waits)
        yield Message("Nobody can say since when: all dates are ahead of this computer's clock.")
    else:
        yield _due(match, waits)
        yield Message(
            "It has been so since some time after {day}: all later dates are ahead of this "
            "computer's clock.",
            day=day_in_numbers(before),
        )
    if waits.due is Due.OPENING and _is_long(since or before, now):
        yield Message(
            "There may be many reasons for the wait. Without that file, though, nobody can "
            "tell whether the right cards were shuffled."
        )


def long_silence_told(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """The same where an opening has been due for long, for the player who waits for it."""
    waits = silence(match)
    is_due = waits is not None and waits.due is Due.OPENING
    if is_due and _is_long(since or _last_credible(match, now), now):
        yield from silence_told(match, now, since)


def _due(match: Match, waits: Silence, since: Message = NOTHING) -> Message:
    """Who is to do what, and since which day, where one can be said."""
    if waits.due is Due.CLOSE:
        left = joined_with_and(player(match, side) for side in unclosed(match))
        if since:
            return Message(
                "Still to close the game, since {day}: {players}.", day=since, players=left
            )
        return Message("Still to close the game: {players}.", players=left)
    who = player(match, waits.side)
    told = Message("{player} is to open a shuffle with the next file.", player=who)
    if since:
        told = Message(
            "{player} is to open a shuffle with the next file, since {day}.", player=who, day=since
        )
    may_not_know = Message(
        "They may never have got the file that asks for it: this one shows that it was written, "
        "not that it arrived."
    )
    return sentences(told, may_not_know)


def _last_credible(match: Match, now: str) -> str | None:
    """The last date of a record that is not far ahead of `now`; None where all are."""
    dates = (record.time for record in reversed(match.records))
    return next((date for date in dates if not is_ahead(date, now)), None)


def _is_long(since: str | None, now: str) -> bool:
    """Whether the wait is worth a word; it may be, where nobody can say since when it lasts."""
    if since is None:
        return True
    return datetime.fromisoformat(now) - datetime.fromisoformat(since) > PATIENCE


# --- dates that are ahead


def ahead_told(match: Match, now: str) -> Message:
    """That a record is dated far ahead of `now`, by whom, and what that means; else empty."""
    # No record is dated before the one that it follows; the first one may have been refused.
    if not match.records or not is_ahead(match.last.time, now):
        return NOTHING
    record = next(record for record in match.records if is_ahead(record.time, now))
    inviter = not match.is_joined or not record.index
    author = match.invite if inviter else match.entrants[Side(record.side)]
    dated = Message(
        "Record {number}, signed by {player}, is dated {date}, more than 48 hours ahead of this "
        "computer's clock: one of the two clocks is probably wrong.",
        number=record.index,
        player=named(author.name),
        date=day(record.time),
    )
    means = Message(
        "The game goes on all the same; but no record may be dated before the one that it follows, "
        "so that all that follow have this date or a later one."
    )
    return sentences(dated, means)


def borrowed_told(match: Match, now: str) -> Message:
    """That the last record, written just now, has borrowed the date of the one before it.

    Empty where its date is not far ahead of `now`.
    """
    if not is_ahead(match.last.time, now):
        return NOTHING
    return Message(
        "Your record {number} is dated {date} too: it may not be dated before the one that it "
        "answers.",
        number=match.last.index,
        date=day(match.last.time),
    )
