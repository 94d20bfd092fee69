"""Simple players: scripted plans, which start from any position, and a greedy player.

They are a yardstick for the strengths, and the opponents in play-outs; people do not play against
them. A plan is data for one side; `planner` follows it by steps that all plans share. The steps
list no orders except replies and never look ahead, so they are quick.

Called by `search`; calls `actions` and the rest of `engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from engine.players.plans import british, french
from engine.players.plans.plan import Plan
from engine.players.plans.planner import GreedyPlayer, Planner
from engine.sides import Side

__all__ = ["PLANS", "POOL", "GreedyPlayer", "Plan", "Planner", "planner_of"]

PLANS: Mapping[str, Mapping[Side, Plan]] = {
    "hammer": {Side.BRITISH: british.HAMMER, Side.FRENCH: french.HAMMER},
    "army": {Side.BRITISH: british.ARMY, Side.FRENCH: french.ARMY},
    "blockade": {Side.BRITISH: british.BLOCKADE, Side.FRENCH: french.BLOCKADE},
    "lakes": {Side.BRITISH: british.LAKES, Side.FRENCH: french.LAKES},
    "raiders": {Side.BRITISH: british.RAIDERS, Side.FRENCH: french.RAIDERS},
    "settlers": {Side.BRITISH: british.SETTLERS, Side.FRENCH: french.SETTLERS},
    "merchants": {Side.BRITISH: british.MERCHANTS, Side.FRENCH: french.MERCHANTS},
}
"""The plans by name and side."""


def planner_of(name: str) -> Planner:
    """Return the player of a plan, one of `PLANS`. Raises KeyError for an unknown name."""
    return Planner(PLANS[name])


def _factory(name: str) -> Callable[[Random], Planner]:
    """Return a factory of a plan's player; it ignores `random`, because plans have no chance."""
    return lambda random: planner_of(name)


POOL: Mapping[str, Callable[[Random], GreedyPlayer | Planner]] = {
    "greedy": GreedyPlayer,
    **{name: _factory(name) for name in PLANS},
}
"""Factories of all simple players by name."""
