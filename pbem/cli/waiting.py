"""Whom a game waits for, since when and what for, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from language import phrase
from pbem.cli import console
from pbem.cli.records import day_in_numbers
from pbem.cli.words import joined_with_and, player
from pbem.match import Match
from pbem.silence import Due, silence, unclosed

PATIENCE = timedelta(days=7)
"""After so long a silence it is worth a word what it may mean."""


def say_silence(match: Match, now: str) -> None:
    """Print since when a game waits, where more than a turn is due.

    docs/protocol.md, What a player's program has to take care of: Name an unanswered opening.
    """
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    day = day_in_numbers(waits.since)
    if waits.due is Due.CLOSE:
        left = joined_with_and(player(match, side) for side in unclosed(match))
        console.say(
            phrase("Still to close the game, since {day}: {players}.", day=day, players=left)
        )
        return
    console.say(
        phrase(
            "{player} is to open a shuffle with the next file, since {day}. They may "
            "never have got the file that asks for it: this one shows that it was written, not "
            "that it arrived.",
            player=player(match, waits.side),
            day=day,
        )
    )
    if datetime.fromisoformat(now) - datetime.fromisoformat(waits.since) > PATIENCE:
        console.say(
            phrase(
                "There may be many reasons for the wait. Without that file, though, nobody can "
                "tell whether the right cards were shuffled."
            )
        )
