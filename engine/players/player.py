"""What every player that is a program can do."""

from __future__ import annotations

from typing import Protocol

from engine.order import Order
from engine.state import State


class Player(Protocol):
    """Chooses orders for whichever side is awaited."""

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        The state is to be as that player sees it: whatever else it knows may be played with.
        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        ...
