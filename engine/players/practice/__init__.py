"""The practice player: it plays sensibly, in a plain style, and brings games to an end.

It gives every legal order a value, in victory points as it feels them, and takes the best. The
values are small `judgements`, one for each kind of order; what they share is the seat's
`viewpoint`: how much it likes to own a card, what money is good for, what a location is worth
fighting for. It looks one order ahead and remembers nothing.

It uses what its seat knows and nothing else. About the opponent, that is all that lies open, the
number of cards in hand, and which cards must be in hand or draw pile together: it plays the same in
a state that happens to know the opponent's hand.

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

__all__ = ["PracticePlayer", "judged"]

WHIM = 0.8
"""How far chance can move a value, so that no two games are alike."""

BOTHER = 0.03
"""The share of a card's worth that playing it is felt to cost: of two ways, the cheaper wins."""

PROPOSED = frozenset({orders.Discard, orders.Trade})
"""The kinds of which only the sensible orders are thought of."""


class PracticePlayer:
    """Chooses orders for whichever side is awaited; the same `random` gives the same game.

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
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        whim = self.random.random
        values = [(value + WHIM * whim(), order) for value, order in judged(state)]
        return max(values, key=itemgetter(0))[1]


def judged(state: State) -> list[tuple[float, Order]]:
    """The legal orders worth a thought, each with its value in victory points as they are felt.

    Raises ValueError where no player is awaited: chance is, or the game is over.
    """
    seat = Viewpoint(state)
    side, money, wealth = seat.side, seat.me.money, seat.wealth
    rich, found = wealth(money), []
    for order, price in _options(seat):
        kind = type(order)
        value = JUDGEMENTS[kind](seat, order)
        # What the order uses up: money, and the cards that are played.
        if price:
            value -= rich - wealth(money - price)
        if played := ACTIONS[kind].plays(state, side, order):
            value -= BOTHER * sum(map(seat.worth, played))
        found.append((value, order))
    if not found:
        raise ValueError(f"no player decides now: {state.awaiting.decision}")
    return found


def _options(seat: Viewpoint) -> list[tuple[Order, int]]:
    """The legal orders worth a thought, with what they cost.

    Of those that are `PROPOSED` only the sensible ones.
    """
    state = seat.state
    found = priced_orders(state, but=PROPOSED)
    if state.awaiting.decision is not Decision.TURN or not state.actions_left:
        return found
    needs = sorted([(seat.need(card), card) for card in seat.me.hand])
    by_need, idle = [card for _, card in needs], [card for need, card in needs if need < 1]
    proposals: list[Order] = [orders.Discard(cards=tuple(by_need[:1]))] if by_need else []
    proposals += [orders.Discard(cards=tuple(idle[:n])) for n in range(2, len(idle) + 1)]
    trader = state.ruleset.catalogue.card_for(seat.side, "trade")
    if trader is not None and trader.id in by_need:
        furs = [card for card in by_need if seat.sells(card)]
        proposals += [orders.Trade(cards=tuple(furs))] if furs else []
    # Of cards in hand that can be used: only money can still be missing.
    priced = [(order, cost(state, order)) for order in proposals]
    return found + [(order, price) for order, price in priced if price <= seat.me.money]
