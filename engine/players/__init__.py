"""Players that are programs: they choose orders, each by what its seat may know.

They play by the engine's rules and read what it lists; robots and measurements call them, the rules
never do. How strong one is, is a number: the higher, the better and the slower.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from engine.players.player import Player
from engine.players.practice import PracticePlayer
from engine.players.search import LONG, SearchPlayer

__all__ = ["STRENGTHS", "Player", "player_of"]


STRENGTHS: dict[int, Callable[[Random], Player]] = {
    1: PracticePlayer,
    2: SearchPlayer,
    3: partial(SearchPlayer, effort=LONG),
}
"""The players by how strong they are."""


def player_of(strength: int, random: Random) -> Player:
    """The player of a strength, one of `STRENGTHS`; the same `random` gives the same game.

    Raises KeyError for a strength that there is not.
    """
    return STRENGTHS[strength](random)
