"""The practice player: it plays sensibly, in a simple style, and brings games to an end.

It gives every legal order a value in victory points and takes the best. The values are small
`judgements`, one for each kind of order; they share the `viewpoint` of the side: the value of
owning a card, of money, and of fighting for a location. It looks one order ahead and has no memory.

It uses only the information of its side. For the opponent, this is the open cards and pieces, the
number of cards in hand, and the cards of hand and draw pile together. Therefore it gives the same
orders in a state in which the opponent's hand is known.

Called by `players` and `search`; calls `actions` and the rest of `engine`.
"""

from __future__ import annotations

from operator import itemgetter
from random import Random

from engine import orders
from engine.actions import ACTIONS
from engine.game import cost, priced_orders
from engine.order import Order
from engine.players.practice.judgements import JUDGEMENTS
from engine.players.practice.viewpoint import Viewpoint
from engine.state import Decision, State

__all__ = ["PracticePlayer", "judge_orders"]

MAX_RANDOM_BONUS = 0.8
"""The maximum random addition to a value, which makes games differ."""

PLAY_COST_SHARE = 0.03
"""The share of a card's value that playing it costs, so that a cheaper card is preferred."""

LIMITED_KINDS = frozenset({orders.Discard, orders.Trade})
"""The kinds of order with too many legal orders to judge; only a few are constructed."""


class PracticePlayer:
    """Chooses orders for either side; equal `random` gives equal games.

    >>> from engine.simulation import Dealer
    >>> from engine.state import new_game
    >>> state = new_game()
    >>> Dealer(Random(3)).deal(state)
    >>> PracticePlayer(Random(3)).choose(state).notation()
    'draft home-support'
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player; see `Player.choose`."""
        draw, bonus = self.random.random, MAX_RANDOM_BONUS
        values = [(value + bonus * draw(), order) for value, order in judge_orders(state)]
        return max(values, key=itemgetter(0))[1]


def judge_orders(state: State) -> list[tuple[float, Order]]:
    """Return the sensible legal orders, each with its value in victory points.

    Raises ValueError if no player decides, because chance is awaited or the game is over.
    """
    view = Viewpoint(state)
    side, money, wealth = view.side, view.me.money, view.wealth
    value_now, values = wealth(money), []
    for order, price in _options(view):
        kind = type(order)
        value = JUDGEMENTS[kind](view, order)
        # The order costs money and the cards that it plays.
        if price:
            value -= value_now - wealth(money - price)
        if cards := ACTIONS[kind].cards_played(state, side, order):
            value -= PLAY_COST_SHARE * sum(map(view.ownership_value, cards))
        values.append((value, order))
    if not values:
        raise ValueError(f"no player decides now: {state.awaiting.decision}")
    return values


def _options(view: Viewpoint) -> list[tuple[Order, int]]:
    """Return the sensible legal orders, each with its cost.

    Constructs only a few orders of the `LIMITED_KINDS`.
    """
    state = view.state
    others = priced_orders(state, ignoring=LIMITED_KINDS)
    if state.awaiting.decision is not Decision.TURN or not state.actions_left:
        return others
    needs = sorted([(view.hand_value(card), card) for card in view.me.hand])
    by_need, idle = [card for _, card in needs], [card for need, card in needs if need < 1]
    proposals: list[Order] = [orders.Discard(cards=tuple(by_need[:1]))] if by_need else []
    proposals += [orders.Discard(cards=tuple(idle[:n])) for n in range(2, len(idle) + 1)]
    trader = state.ruleset.catalogue.card_for(view.side, "trade")
    if trader is not None and trader.id in by_need:
        furs = [card for card in by_need if view.can_sell(card)]
        proposals += [orders.Trade(cards=tuple(furs))] if furs else []
    # The cards are in hand and usable, so only money can be missing.
    priced = [(order, cost(state, order)) for order in proposals]
    return others + [(order, price) for order, price in priced if price <= view.me.money]
