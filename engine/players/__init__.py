"""Players that are programs: they choose orders, each by what its seat may know.

How strong one is, is a number: the higher, the better and the slower.
Called by `pbem`, for robots and analyses, and never by rules; calls `actions` and other modules of
`engine`, and reads what they list.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from engine.players.player import Player

if TYPE_CHECKING:
    from engine.players.practice import PracticePlayer
    from engine.players.search import SearchPlayer

__all__ = ["QUICK", "STRENGTHS", "STRONGEST", "USUAL", "Player", "player_of", "strongest"]


# They are imported here because most who name a strength let nobody play.
def quick(random: Random) -> PracticePlayer:
    """Return a player that judges orders, and tries none out."""
    from engine.players.practice import PracticePlayer

    return PracticePlayer(random)


def usual(random: Random) -> SearchPlayer:
    """Return a player that tries orders out."""
    from engine.players.search import SearchPlayer

    return SearchPlayer(random)


def strongest(random: Random, tries: int | None = None) -> SearchPlayer:
    """Return the strongest player, who also tells its thoughts; it tries out so many orders."""
    from engine.players.search import LONG, SearchPlayer

    return SearchPlayer(random, LONG if tries is None else LONG._replace(tries=tries))


STRENGTHS: dict[int, Callable[[Random], Player]] = {1: quick, 2: usual, 3: strongest}
"""The players by how strong they are."""

QUICK, STRONGEST = min(STRENGTHS), max(STRENGTHS)
"""The quick one chooses within milliseconds: whoever is stronger keeps others waiting."""

USUAL = 2
"""How strong a robot is that anybody may write to: whoever does keeps its computer busy.

It looks ahead, and is done with a turn in a moment.
"""


def player_of(strength: int, random: Random) -> Player:
    """The player of a strength, one of `STRENGTHS`; the same `random` gives the same game.

    Raises KeyError for a strength that there is not.
    """
    return STRENGTHS[strength](random)
