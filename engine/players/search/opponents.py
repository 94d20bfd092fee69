"""The players of both sides in a play-out: plans, the practice player, and a mixture.

The opponent follows plans, each with a probability by its fit to the game so far: to the purchases,
settlements and sieges. All of these are public: both players can count the cards that a side owns;
only the places of the cards are hidden.
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

# --- styles


PRACTICE, CAMPAIGN = "practice", "campaign"
"""The names of the styles of a `PracticePlayer` and of a `Campaigner`."""

ARMY = planner_of("army")
"""The plan that a campaign follows in war."""

WAR = (orders.Besiege, orders.Reinforce, orders.Retrieve, orders.Draft, orders.Settle)
"""The orders that buy soldiers, bring them to a siege, and fight."""


class Campaigner:
    """Plays like the practice player, but wages war by the army plan.

    It beats the practice player and the hammer plan more often than not; neither alone does.
    """

    def __init__(self, random: Random) -> None:
        self._practice = PracticePlayer(random)

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player; see `Player.choose`."""
        order = ARMY.choose(state)
        return order if isinstance(order, WAR) else self._practice.choose(state)


STYLES: Mapping[str, Callable[[Random], Player]] = {
    **{plan: POOL[plan] for plan in PLANS},
    CAMPAIGN: Campaigner,
    PRACTICE: PracticePlayer,
}
"""The styles of play in a play-out, by name."""


def follow(style: str, state: State, favourite: Order) -> Order:
    """Return the next order in a style; `favourite` is the order of the practice player."""
    if style == PRACTICE:
        return favourite
    order = (ARMY if style == CAMPAIGN else planner_of(style)).choose(state)
    return favourite if style == CAMPAIGN and not isinstance(order, WAR) else order


# --- the opponent's plan


PLANNED_RATE, UNPLANNED_RATE = 0.8, 0.2
"""The chances that an act of a player with a plan is, or is not, part of the plan."""

NO_PLAN_RATE = 0.6
"""The chance of each act of a player without a plan.

It is high, so that a plan fits better only if almost all acts are part of it.
"""

SIEGE_RATE = 0.6
"""The share of turns with a siege if the plan needs no strength for it."""

SIEGE_RATE_NO_PLAN = 0.15
"""The share of turns with a siege if there is no plan."""

SIEGE_RATE_NO_TARGETS = 0.03
"""The share of turns with a siege if the plan has no targets."""

GOLDEN_RATIO = (5**0.5 - 1) / 2
"""The golden ratio: the fractional parts of its multiples are spread evenly."""


class SiegeLog:
    """The turns of a game in which an opponent had a siege."""

    def __init__(self) -> None:
        self._turns: dict[int, bool] = {}

    def count_turns(self, state: State, side: Side) -> Counter[bool]:
        """Return the numbers of turns of `side` with a siege (True) and without (False).

        The current position is counted. A position of an earlier turn belongs to another game, so
        the count begins again. Before the first turn of a side there can be no siege.
        """
        if self._turns and state.turn < max(self._turns):
            self._turns.clear()
        if state.turn >= (1 if side is Side.BRITISH else 2):
            self._turns[state.turn] = side in state.sieges
        return Counter(self._turns.values())


class Opponent:
    """The opponent in play-outs: styles of play, each with a share by its fit to the game."""

    def __init__(
        self, state: State, side: Side, styles: Sequence[str], sieges: Counter[bool] | None = None
    ) -> None:
        counts = SiegeLog().count_turns(state, side) if sieges is None else sieges
        self.styles = styles
        self.bounds = list(accumulate(likelihood(state, side, name, counts) for name in styles))

    def style_for_playout(self, n: int) -> str:
        """Return the style of the opponent in the n-th play-out."""
        point = (n + 0.5) * GOLDEN_RATIO % 1 * self.bounds[-1]
        return next(name for name, end in zip(self.styles, self.bounds, strict=True) if point < end)


def likelihood(state: State, side: Side, style: str, sieges: Counter[bool]) -> float:
    """Return the likelihood, 0 to 1, of a side's purchases, settlements and sieges in a style.

    `sieges` counts the turns with a siege and without one.
    """
    purchases, settlements = _purchases(state, side), _settlements(state, side)
    acts = purchases.total() + len(settlements)
    if style in (CAMPAIGN, PRACTICE):
        return NO_PLAN_RATE**acts * _siege_likelihood(sieges, SIEGE_RATE_NO_PLAN)
    plan = PLANS[style][side]
    planned = (purchases & Counter(plan.drafts)).total()
    planned += len(settlements & {*plan.sites, *plan.targets})
    likely = PLANNED_RATE**planned * UNPLANNED_RATE ** (acts - planned)
    # A player who waits for strength has fewer sieges.
    rate = SIEGE_RATE / (1 + plan.min_strength) if plan.targets else SIEGE_RATE_NO_TARGETS
    return likely * _siege_likelihood(sieges, rate)


def _siege_likelihood(sieges: Counter[bool], share: float) -> float:
    """Return the likelihood of the turns in `sieges`, given the usual `share` with a siege.

    A siege lasts several turns: those after the first count half.
    """
    turns = sieges.total()
    if not turns:
        return 1.0
    likely = share ** sieges[True] * (1 - share) ** sieges[False]
    return float(likely ** ((1 + (turns - 1) / 2) / turns))


def _purchases(state: State, side: Side) -> Counter[str]:
    """Return the empire cards that a side owns and did not start with."""
    cards = state.ruleset.catalogue.cards[side]
    return Counter(
        {
            card: count - cards[card].initial_copies
            for card, count in owned_cards(state, side).items()
            if not cards[card].location and count > cards[card].initial_copies
        }
    )


def _settlements(state: State, side: Side) -> set[str]:
    """Return the locations that a side controls and did not start with."""
    places = state.ruleset.catalogue.locations
    return {
        place
        for place, piece in state.board.items()
        if piece.owner is side and places[place].start_owner is not side
    }
