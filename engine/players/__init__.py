"""Programs that play: they choose orders by the information that their side may have.

The strength of a player is a number: a higher one plays better and slower. Called by `pbem` for
robots and analyses, and never by rules; calls `actions` and other modules of `engine`.

>>> from engine.simulation import Dealer
>>> from engine.state import new_game
>>> state = new_game()
>>> Dealer(Random(1759)).deal(state)
>>> player_of(QUICK, Random(0)).choose(state).notation()
'settle deerfield: new-haven, st-marys, new-york'
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from engine.players.player import Player

if TYPE_CHECKING:
    from engine.players.practice import PracticePlayer
    from engine.players.search import SearchPlayer

__all__ = ["QUICK", "STRENGTHS", "STRONGEST", "USUAL", "Player", "player_of", "strongest_player"]


# The players are imported lazily: most callers only need the numbers.
def quick(random: Random) -> PracticePlayer:
    """Return a player that judges orders without trying them."""
    from engine.players.practice import PracticePlayer

    return PracticePlayer(random)


def usual(random: Random) -> SearchPlayer:
    """Return a player that tries orders in play-outs."""
    from engine.players.search import SearchPlayer

    return SearchPlayer(random)


def strongest_player(random: Random, tries: int | None = None) -> SearchPlayer:
    """Return the strongest player, with a given number of tries; it can also rate orders."""
    from engine.players.search import LONG, SearchPlayer

    return SearchPlayer(random, LONG if tries is None else LONG._replace(tries=tries))


STRENGTHS: dict[int, Callable[[Random], Player]] = {1: quick, 2: usual, 3: strongest_player}
"""The players by strength."""

QUICK, STRONGEST = min(STRENGTHS), max(STRENGTHS)
"""The quick player chooses within milliseconds; the others take longer."""

USUAL = 2
"""The default strength of a robot: it looks ahead and still takes only a moment for a turn."""


def player_of(strength: int, random: Random) -> Player:
    """Return the player of a strength, one of `STRENGTHS`; equal `random` gives equal games.

    Raises KeyError for an unknown strength.
    """
    return STRENGTHS[strength](random)
