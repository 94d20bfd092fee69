"""Dates far ahead of this computer's clock; whom a game waits for, since when and what for."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import NOTHING, Message, Said, joined_with_and, mark, sentences
from engine.sides import Side
from pbem.foreign import named
from pbem.library.times import is_ahead
from pbem.play.clocks import first_ahead, is_long, last_credible
from pbem.protocol.match import Match
from pbem.protocol.silence import Due, Silence, silence, unclosed
from pbem.words.dates import day, day_in_numbers
from pbem.words.phrases import player

# --- dates


def told_ahead(match: Match, now: str) -> Message:
    """That a record is dated far ahead of `now`, by whom, and what that means; else empty."""
    record = first_ahead(match, now)
    if record is None:
        return NOTHING
    is_inviter = not match.is_joined or not record.index
    author = match.invite if is_inviter else match.entrants[Side(record.side)]
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


def borrowed(match: Match, now: str) -> Message:
    """That the date of an own record, signed just now, is that of the one before it; else empty."""
    if not is_ahead(match.last.time, now):
        return NOTHING
    return Message(
        "Your record {number} is dated {date} too: it may not be dated before the one that it "
        "answers.",
        number=match.last.index,
        date=day(match.last.time),
    )


# --- waiting


def silence_told(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """Since when a game waits, where more than a turn is due.

    That is `since` then by this computer's clock, where that is known; else by the signed times, of
    which one that is far ahead of `now` counts for nothing. docs/protocol.md, What a player's
    program has to take care of: Name an unanswered opening.
    """
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    counts = since or waits.since
    date = None if is_ahead(counts, now) else day_in_numbers(counts)
    yield _due(match, waits, date)
    before = last_credible(match, now)
    if date is None and before is None:
        yield Message("Nobody can say since when: all dates are ahead of this computer's clock.")
    elif date is None and before is not None:
        yield Message(
            "It has been so since some time after {day}: all later dates are ahead of this "
            "computer's clock.",
            day=day_in_numbers(before),
        )
    if waits.due is Due.OPENING and is_long(since or before, now):
        yield Message(
            "There may be many reasons for the wait. Without that file, though, nobody can "
            "tell whether the right cards were shuffled."
        )


def long_silence_told(match: Match, now: str, since: str | None = None) -> Iterator[Message]:
    """The same where an opening has been due for long, for the player who waits for it."""
    waits = silence(match)
    is_due = waits is not None and waits.due is Due.OPENING
    if is_due and is_long(since or last_credible(match, now), now):
        yield from silence_told(match, now, since)


def _due(match: Match, waits: Silence, date: Said | None) -> Message:
    """Who is to do what, and since which day, where one can be said."""
    if waits.due is Due.CLOSE:
        left = joined_with_and(player(match, side) for side in unclosed(match))
        if date is None:
            return Message("Still to close the game: {players}.", players=left)
        return Message("Still to close the game, since {day}: {players}.", day=date, players=left)
    told = mark("{player} is to open a shuffle with the next file.")
    if date is not None:
        told = mark("{player} is to open a shuffle with the next file, since {day}.")
    may_not_know = Message(
        "They may never have got the file that asks for it: this one shows that it was written, "
        "not that it arrived."
    )
    return sentences(Message(told, player=player(match, waits.side), day=date), may_not_know)
