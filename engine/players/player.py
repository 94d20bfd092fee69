"""The interface of players that are programs."""

from __future__ import annotations

from typing import Protocol

from engine.order import Order
from engine.state import State


class Player(Protocol):
    """A program that chooses orders for either side."""

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player, whose own hand must be known.

        A player may use all information in the state, which should be as that player sees it.
        Raises ValueError if no player decides, because chance is awaited or the game is over.
        """
        ...
