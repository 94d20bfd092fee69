"""What the opponent may be up to: plans, likelier the better they fit what was done.

That is what was bought and settled, and whether there is a siege. All of it lies open: which cards
a side owns everybody can count, only where they lie is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from engine.players.owned import owned
from engine.players.plans import PLANS, Plan
from engine.players.search.ways import CAMPAIGN, PRACTICE
from engine.sides import Side
from engine.state import State

PLANNED, UNPLANNED = 0.8, 0.2
"""The chance that a deed of somebody with a plan is in the plan, and that it is not."""

UNFORESEEN = 0.6
"""What is put for that chance with somebody who follows no plan.

So a plan fits him better only while hardly anything was done that it does not speak of.
"""

EITHER = 0.5
"""The share of turns with a siege, and without, where it says nothing whether there is one."""

BESIEGING = 0.6
"""The share of its turns in which somebody who waits for no force has a siege."""

HARDLY = 0.03
"""The share of turns in which somebody has one that his plan does not speak of."""

GOLDEN = (5**0.5 - 1) / 2
"""The multiples of this, without what stands before the point, are spread evenly."""


class Replies:
    """Who answers in play-outs: ways of the opponent, each as often as it fits the position."""

    def __init__(self, state: State, side: Side, ways: Sequence[str]) -> None:
        self.ways = ways
        self.shares = list(accumulate(fits(state, side, way) for way in ways))

    def of(self, n: int) -> str:
        """The way of the opponent in the n-th try."""
        place = (n + 0.5) * GOLDEN % 1 * self.shares[-1]
        return next(way for way, share in zip(self.ways, self.shares, strict=True) if place < share)


def fits(state: State, side: Side, way: str) -> float:
    """How likely what `side` has bought, settled and besieged is by a way to play, from 0 to 1."""
    bought, settled = _bought(state, side), _settled(state, side)
    deeds = bought.total() + len(settled)
    if way in (CAMPAIGN, PRACTICE):
        return EITHER * UNFORESEEN**deeds
    plan = PLANS[way][side]
    wanted, sought = bought & Counter(plan.drafts), settled & {*plan.sites, *plan.targets}
    fitting = wanted.total() + len(sought)
    likely = PLANNED**fitting * UNPLANNED ** (deeds - fitting)
    return likely * _patience(state, side, plan)


def _patience(state: State, side: Side, plan: Plan) -> float:
    """How often a side that follows the plan is seen with a siege, or without one if it has none.

    Somebody who waits for force has fewer; before the first turn there is none in any case.
    """
    if state.turn < (1 if side is Side.BRITISH else 2):
        return EITHER
    share = BESIEGING / (1 + plan.force) if plan.targets else 0.0
    return share + HARDLY if side in state.sieges else 1 - share


def _bought(state: State, side: Side) -> Counter[str]:
    """The empire cards that a side owns and did not begin with."""
    cards = state.ruleset.catalogue.cards[side]
    return Counter(
        {
            card: count - cards[card].initial_copies
            for card, count in owned(state, side).items()
            if not cards[card].location and count > cards[card].initial_copies
        }
    )


def _settled(state: State, side: Side) -> set[str]:
    """The locations that a side controls and did not begin with."""
    places = state.ruleset.catalogue.locations
    return {
        place
        for place, piece in state.board.items()
        if piece.owner is side and places[place].start_owner is not side
    }
