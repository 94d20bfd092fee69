"""Whom a game waits for, since when and what for, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.message import Message, Said, joined_with_and, sentences
from pbem.cli import console
from pbem.cli.clocks import last_credible
from pbem.library.times import is_ahead
from pbem.protocol.match import Match
from pbem.protocol.silence import Due, Silence, silence, unclosed
from pbem.words.dates import day_in_numbers
from pbem.words.phrases import player

PATIENCE = timedelta(days=7)
"""After so long a silence it is worth a word what it may mean."""


def say_silence(match: Match, now: str, since: str | None = None) -> None:
    """Print since when a game waits, where more than a turn is due.

    That is `since` then by this computer's clock, where that is known; else by the signed times, of
    which one that is far ahead of `now` counts for nothing. docs/protocol.md, What a player's
    program has to take care of: Name an unanswered opening.
    """
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    counts = since or waits.since
    day = None if is_ahead(counts, now) else day_in_numbers(counts)
    _say_due(match, waits, day)
    if day is None:
        _say_what_can_be_said(match, now)
    is_long = _is_long(since or last_credible(match, now), now)
    if waits.due is Due.OPENING and is_long:
        console.say(
            Message(
                "There may be many reasons for the wait. Without that file, though, nobody can "
                "tell whether the right cards were shuffled."
            )
        )


def say_long_silence(match: Match, now: str, since: str | None = None) -> None:
    """Print the same where an opening has been due for long, for the player who waits for it."""
    waits = silence(match)
    is_due = waits is not None and waits.due is Due.OPENING
    if is_due and _is_long(since or last_credible(match, now), now):
        say_silence(match, now, since)


def _say_due(match: Match, waits: Silence, day: Said | None) -> None:
    """Print who is to do what, and since which day, where one can be said."""
    if waits.due is Due.CLOSE:
        left = joined_with_and(player(match, side) for side in unclosed(match))
        console.say(
            Message("Still to close the game, since {day}: {players}.", day=day, players=left)
            if day
            else Message("Still to close the game: {players}.", players=left)
        )
        return
    who = player(match, waits.side)
    told = (
        Message(
            "{player} is to open a shuffle with the next file, since {day}.", player=who, day=day
        )
        if day
        else Message("{player} is to open a shuffle with the next file.", player=who)
    )
    may_not_know = Message(
        "They may never have got the file that asks for it: this one shows that it was written, "
        "not that it arrived."
    )
    console.say(sentences(told, may_not_know))


def _say_what_can_be_said(match: Match, now: str) -> None:
    """Print since when a game waits whose last date is far ahead."""
    before = last_credible(match, now)
    if before is None:
        console.say(
            Message("Nobody can say since when: all dates are ahead of this computer's clock.")
        )
        return
    console.say(
        Message(
            "It has been so since some time after {day}: all later dates are ahead of this "
            "computer's clock.",
            day=day_in_numbers(before),
        )
    )


def _is_long(since: str | None, now: str) -> bool:
    """Whether the wait is worth a word; it may be, where nobody can say since when it lasts."""
    if since is None:
        return True
    return datetime.fromisoformat(now) - datetime.fromisoformat(since) > PATIENCE
