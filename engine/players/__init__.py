"""Computer players, which choose orders by the information of their own side.

The strength of a player is a number: the higher, the better and slower it plays.

Called by `pbem` for robots and analyses, and never by rules; calls `actions` and other modules of
`engine`.

>>> from engine.simulation import Dealer
>>> from engine.state import new_game
>>> state = new_game()
>>> Dealer(Random(1759)).deal(state)
>>> player_of(MIN_STRENGTH, Random(0)).choose(state).notation()
'settle deerfield: new-haven, st-marys, new-york'
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from engine.players.player import Player as Player

if TYPE_CHECKING:
    from engine.players.practice import PracticePlayer
    from engine.players.search import SearchPlayer


# The players are imported lazily: most callers only need the numbers.
def quick_player(random: Random) -> PracticePlayer:
    """Return a player that judges orders without trying them."""
    from engine.players.practice import PracticePlayer

    return PracticePlayer(random)


def default_player(random: Random) -> SearchPlayer:
    """Return a player that tries orders in play-outs."""
    from engine.players.search import SearchPlayer

    return SearchPlayer(random)


def strongest_player(random: Random, tries: int | None = None) -> SearchPlayer:
    """Return the strongest player, by default with the tries of its budget; it can rate orders."""
    from engine.players.search import LONG, SearchPlayer

    return SearchPlayer(random, LONG if tries is None else LONG._replace(tries=tries))


PlayerFactory = Callable[[Random], Player]
"""Returns a new player; equal `random` gives equal games."""

STRENGTHS: dict[int, PlayerFactory] = {1: quick_player, 2: default_player, 3: strongest_player}
"""The factories of players by strength."""

MIN_STRENGTH, MAX_STRENGTH = min(STRENGTHS), max(STRENGTHS)
"""The weakest player chooses within milliseconds; the others take longer."""

DEFAULT_STRENGTH = 2
"""The default strength of a robot: it looks ahead and still takes only a moment for a turn."""


def player_of(strength: int, random: Random) -> Player:
    """Return the player of a strength, one of `STRENGTHS`; equal `random` gives equal games.

    Raises KeyError for an unknown strength.
    """
    return STRENGTHS[strength](random)
