"""Whom a game waits for, since when and what for, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from language import phrase
from pbem.cli import console
from pbem.cli.clocks import last_credible
from pbem.cli.records import day_in_numbers
from pbem.cli.words import joined_with_and, player
from pbem.library.arrivals import is_ahead
from pbem.match import Match
from pbem.silence import Due, silence, unclosed

PATIENCE = timedelta(days=7)
"""After so long a silence it is worth a word what it may mean."""


def say_silence(match: Match, now: str, since: str | None = None) -> None:
    """Print since when a game waits, where more than a turn is due.

    That is `since` then by the own clock, where that is known; else by the signed times, of which
    one that is far ahead of `now` counts for nothing. docs/protocol.md, What a player's program has
    to take care of: Name an unanswered opening.
    """
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    day = _day(match, since or waits.since, now)
    if waits.due is Due.CLOSE:
        left = joined_with_and(player(match, side) for side in unclosed(match))
        console.say(
            phrase("Still to close the game, since {day}: {players}.", day=day, players=left)
        )
        return
    console.say(
        phrase(
            "{player} is to open a shuffle with the next file, since {day}.",
            player=player(match, waits.side),
            day=day,
        )
    )
    if _is_long(since or last_credible(match, now), now):
        console.say(
            phrase(
                "There may be many reasons for the wait. Without that file, though, nobody can "
                "tell whether the right cards were shuffled."
            )
        )


def _day(match: Match, since: str, now: str) -> str:
    """The day since when a game waits, or what can be said of it; it stands behind “since”."""
    if not is_ahead(since, now):
        return day_in_numbers(since)
    before = last_credible(match, now)
    if before is None:
        # Translators: stands behind “since”, instead of a day.
        return phrase("a day that is not known")
    # Translators: stands behind “since”, instead of a day.
    return phrase("some day after {day}", day=day_in_numbers(before))


def _is_long(since: str | None, now: str) -> bool:
    """Whether the wait is worth a word; it may be, where nobody can say since when it lasts."""
    if since is None:
        return True
    return datetime.fromisoformat(now) - datetime.fromisoformat(since) > PATIENCE
