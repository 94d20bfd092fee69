"""Whom a game waits for, in words, and what it may mean where nothing comes."""

from __future__ import annotations

from pbem.cli import console
from pbem.cli.report import player
from pbem.match import Match
from pbem.silence import Due, silence, unclosed


def say_silence(match: Match) -> None:
    """Print since when a game waits, where more than a turn is due."""
    waits = silence(match)
    if waits is None or waits.due is Due.PLAY:
        return
    who, day = player(match, waits.side), waits.since.partition("T")[0]
    if waits.due is Due.OPENING:
        console.say(
            f"With that file {who} has to open a shuffle. Should it never come: of all silences "
            "that is the one which may hide something, for a pile with wrong cards would be found "
            f"out by it. Waiting since {day}."
        )
        return
    left = " and ".join(player(match, side) for side in unclosed(match))
    console.say(
        f"Still to close the game: {left}. Waiting since {day}; nothing can force anybody to, but "
        "whoever does not leaves it unproved that they shuffled and granted cards as agreed."
    )
