"""What a notice outside the program says: that a game waits, which, with whom."""

from __future__ import annotations

from typing import NamedTuple

from engine.message import Message
from pbem.foreign import named
from pbem.library import Listed
from pbem.words.games.listing import game_called, standing


class Notice(NamedTuple):
    """A notice: anybody at the computer may read it, so it contains nothing secret.

    What others wrote (their names) is only in the `title`, and never first: systems read the `text`
    as markup, and anything that begins with a dash as an option.
    """

    title: Message
    text: Message


def of_game(listed: Listed, now: str) -> Notice:
    """Which game it is, against whom, and whose move."""
    return Notice(game_called(listed), standing(listed, now))


def of_invitation(player: str, number: str) -> Notice:
    """Who sent the invitation to the game with that number."""
    return Notice(
        Message("Invitation from {player}", player=named(player)),
        Message("Game {number}, an invitation", number=number),
    )
