"""Ways to go on in a play-out: the plans, the practice player, and what lies between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from engine import orders
from engine.order import Order
from engine.players.plans import PLANS, POOL, planner_of
from engine.players.player import Player
from engine.players.practice import PracticePlayer
from engine.state import State

PRACTICE, CAMPAIGN = "practice", "campaign"
"""What the way of the practice player is called, and that of a `Campaigner`."""

ARMY = planner_of("army")
"""Whose war a campaign is."""

WAR = (orders.Besiege, orders.Reinforce, orders.Retrieve, orders.Draft, orders.Settle)
"""The orders with which soldiers are bought, are led to their siege, and fight."""


class Campaigner:
    """Plays as the practice player does, and wages the war of the army's plan.

    It beats the practice player and the hammer's plan more often than not: neither alone does.
    """

    def __init__(self, random: Random) -> None:
        self._practice = PracticePlayer(random)

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        order = ARMY.choose(state)
        return order if isinstance(order, WAR) else self._practice.choose(state)


WAYS: Mapping[str, Callable[[Random], Player]] = {
    **{plan: POOL[plan] for plan in PLANS},
    CAMPAIGN: Campaigner,
    PRACTICE: PracticePlayer,
}
"""Who goes on, by name."""


def usual(way: str, state: State, liked: Order) -> Order:
    """What is done next by a way; `liked` is what the practice player likes best, without whims."""
    if way == PRACTICE:
        return liked
    order = (ARMY if way == CAMPAIGN else planner_of(way)).choose(state)
    return liked if way == CAMPAIGN and not isinstance(order, WAR) else order
