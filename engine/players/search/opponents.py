"""Players for both sides of a play-out: plans, the practice player, and what lies between them.

The opponent follows plans, the likelier the better they fit what was done: what was bought and
settled, and whether there is a siege. All of it lies open: which cards a side owns, everybody can
count; only where they lie is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from random import Random

from engine import orders
from engine.order import Order
from engine.players.plans import PLANS, POOL, planner_of
from engine.players.player import Player
from engine.players.practice import PracticePlayer
from engine.position import owned_cards
from engine.sides import Side
from engine.state import State

# --- ways to go on


PRACTICE, CAMPAIGN = "practice", "campaign"
"""The names of the way of the practice player, and of that of a `Campaigner`."""

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
"""The opponents that go on, by name."""


def usual(way: str, state: State, liked: Order) -> Order:
    """Return the next order of a way; `liked` is the one that the practice player likes best."""
    if way == PRACTICE:
        return liked
    order = (ARMY if way == CAMPAIGN else planner_of(way)).choose(state)
    return liked if way == CAMPAIGN and not isinstance(order, WAR) else order


# --- what the opponent may be up to


PLANNED, UNPLANNED = 0.8, 0.2
"""The chance that a deed of somebody with a plan is in the plan, and that it is not."""

UNFORESEEN = 0.6
"""What is put for that chance with somebody who follows no plan.

So a plan fits him better only while hardly anything was done that it does not speak of.
"""

BESIEGING = 0.6
"""The share of its turns in which somebody who waits for no force has a siege."""

AT_TIMES = 0.15
"""The share of turns in which somebody without a plan has one."""

HARDLY = 0.03
"""The share of turns in which somebody has one that his plan does not speak of."""

GOLDEN = (5**0.5 - 1) / 2
"""The multiples of this, without what stands before the point, are spread evenly."""


class Sieges:
    """What is remembered of a game: in which turns an opponent was seen to have a siege."""

    def __init__(self) -> None:
        self._seen: dict[int, bool] = {}

    def look(self, state: State, side: Side) -> Counter[bool]:
        """In how many turns `side` had a siege, and in how many none, with that of this position.

        Another game, which is one that has not come so far, is another opponent's. Before the first
        turn of a side there can be none.
        """
        if self._seen and state.turn < max(self._seen):
            self._seen.clear()
        if state.turn >= (1 if side is Side.BRITISH else 2):
            self._seen[state.turn] = side in state.sieges
        return Counter(self._seen.values())


class Replies:
    """Who answers in play-outs: ways of the opponent, each as often as it fits what was seen."""

    def __init__(
        self, state: State, side: Side, ways: Sequence[str], sieges: Counter[bool] | None = None
    ) -> None:
        seen = Sieges().look(state, side) if sieges is None else sieges
        self.ways = ways
        self.shares = list(accumulate(fits(state, side, way, seen) for way in ways))

    def of(self, n: int) -> str:
        """The way of the opponent in the n-th try."""
        place = (n + 0.5) * GOLDEN % 1 * self.shares[-1]
        return next(way for way, share in zip(self.ways, self.shares, strict=True) if place < share)


def fits(state: State, side: Side, way: str, sieges: Counter[bool]) -> float:
    """How likely what `side` has bought, settled and besieged is by a way to play, from 0 to 1.

    `sieges` are the turns in which it had one, and in which it had none.
    """
    bought, settled = _bought(state, side), _settled(state, side)
    deeds = bought.total() + len(settled)
    if way in (CAMPAIGN, PRACTICE):
        return UNFORESEEN**deeds * _patience(sieges, AT_TIMES)
    plan = PLANS[way][side]
    wanted, sought = bought & Counter(plan.drafts), settled & {*plan.sites, *plan.targets}
    fitting = wanted.total() + len(sought)
    likely = PLANNED**fitting * UNPLANNED ** (deeds - fitting)
    # Somebody who waits for force has fewer sieges.
    return likely * _patience(sieges, BESIEGING / (1 + plan.force) if plan.targets else HARDLY)


def _patience(sieges: Counter[bool], share: float) -> float:
    """How likely this many turns with a siege are, and without, where that is their usual share.

    A siege lasts some turns: those after the first say half as much.
    """
    turns = sieges.total()
    if not turns:
        return 1.0
    likely = share ** sieges[True] * (1 - share) ** sieges[False]
    return float(likely ** ((1 + (turns - 1) / 2) / turns))


def _bought(state: State, side: Side) -> Counter[str]:
    """The empire cards that a side owns and did not begin with."""
    cards = state.ruleset.catalogue.cards[side]
    return Counter(
        {
            card: count - cards[card].initial_copies
            for card, count in owned_cards(state, side).items()
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
