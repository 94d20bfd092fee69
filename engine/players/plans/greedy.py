"""The greedy player: the order that brings most points at once, then the one that brings money."""

from __future__ import annotations

from random import Random

from engine import orders
from engine.game import apply, legal_orders
from engine.order import Order
from engine.scoring import score
from engine.state import State

ENOUGH = 8
"""The money at which more of it is worth nothing to the player."""


class GreedyPlayer:
    """Looks at points and money right after its order; of what is equal, chance chooses."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        found = legal_orders(state, but=(orders.Withdraw, orders.Pass))
        if not found:  # nothing in hand, nothing to buy
            found = legal_orders(state)
        if not found:
            raise ValueError(f"no player decides now: {state.awaiting.decision}")
        values = [(_gain(state, order), self.random.random(), order) for order in found]
        return max(values, key=lambda each: each[:2])[2]


def _gain(state: State, order: Order) -> tuple[int, int]:
    """The points and the money that an order brings."""
    side = state.awaiting.side
    after = state.copy()
    apply(after, order)
    points = score(after, side).total - score(after, side.opponent).total
    return points, min(after.players[side].money, ENOUGH)
