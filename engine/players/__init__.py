"""Players that are programs: they choose orders, each by what its seat may know.

How strong one is, is a number: the higher, the better and the slower.
Called by `pbem`, for robots and analyses, and never by rules; calls `actions` and other modules of
`engine`, and reads what they list.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.players.player import Player
from engine.players.practice import PracticePlayer
from engine.players.search import LONG, SearchPlayer

__all__ = ["QUICK", "STRENGTHS", "STRONGEST", "USUAL", "Player", "player_of", "strongest"]


def strongest(random: Random, tries: int | None = None) -> SearchPlayer:
    """The strongest player, who says what it thinks, too; it tries out orders so often in all."""
    return SearchPlayer(random, LONG if tries is None else LONG._replace(tries=tries))


STRENGTHS: dict[int, Callable[[Random], Player]] = {
    1: PracticePlayer,
    2: SearchPlayer,
    3: strongest,
}
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
