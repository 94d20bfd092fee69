"""Whom a game waits for, since when and what for, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.cli import console
from pbem.cli.words import player
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
    day = waits.since.partition("T")[0]
    if waits.due is Due.CLOSE:
        left = " and ".join(player(match, side) for side in unclosed(match))
        console.say(f"Still to close the game, since {day}: {left}.")
        return
    console.say(
        f"{player(match, waits.side)} is to open a shuffle with the next file, since {day}."
    )
    if datetime.fromisoformat(now) - datetime.fromisoformat(waits.since) > PATIENCE:
        console.say(
            "There may be many reasons for the wait. Without that file, though, nobody can tell "
            "whether the right cards were shuffled."
        )
