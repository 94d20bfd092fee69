"""Players of one idea: scripted plans, which take over from any position, and a greedy player.

They are a yardstick for the strengths, and opponents in what those think through; nobody is offered
them as an opponent. A plan is data, for either side; `player` follows it, by steps that all plans
share. They list no orders except replies, and never look ahead, so they are quick.

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
"""The plans by name, for either side."""


def planner_of(name: str) -> Planner:
    """The player of a plan, one of `PLANS`; raises KeyError for a name that there is not."""
    return Planner(PLANS[name])


def _maker(name: str) -> Callable[[Random], Planner]:
    """Plans leave nothing to chance: there is enough of it in the cards."""
    return lambda random: planner_of(name)


POOL: Mapping[str, Callable[[Random], GreedyPlayer | Planner]] = {
    "greedy": GreedyPlayer,
    **{name: _maker(name) for name in PLANS},
}
"""All players of this room by name, made as those of a strength are."""
