"""Which of several ways to do one thing keeps the better cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from engine.actions.action import printed
from engine.game import legal_orders, plays
from engine.order import Order
from engine.orders import Ambush, Block, Convert
from engine.state import State
from engine.ways import CHOOSING, Begun

Worth = tuple[int, int, int]
"""How good cards are: how much they serve for now, what they cost to draft, what is on them."""

MEANS = {"connection", "transport", "settler", "fortification", "raiders", "ship"}
"""The parts of orders for which one card serves as well as another."""


def is_means(kind: type[Order], at: int) -> bool:
    """Whether the card at that place in an order is only a means to do it.

    What is drafted, discarded or sent to a siege is what the order is about.
    """
    return kind in (Ambush, Block, Convert) or kind.part(at) in MEANS


def thing_done(order: Order) -> Begun:
    """An order without the means: two orders with one such do the same."""
    kind = type(order)
    cards = tuple(card for at, card in enumerate(order.cards) if not is_means(kind, at))
    return Begun(kind, order.location, cards)


class Thrift:
    """How good the cards in the hand of the awaited side are, compared with each other.

    A card is better if it can take part in more different things now; then if it is dearer; then if
    more money and strength are printed on it. All this follows from the rules and the box.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def spent(self, order: Order) -> Worth:
        """How good the means of an order are together: the less, the better are the cards kept."""
        kind = type(order)
        means = (card for at, card in enumerate(order.cards) if is_means(kind, at))
        return _together(map(self.worth, means))

    def worth(self, card: str) -> Worth:
        """How good a card is."""
        facts = printed(self._state, self._state.awaiting.side, card)
        return self._uses[card], facts.cost, facts.money + facts.military

    @cached_property
    def _uses(self) -> Counter[str]:
        """In how many things that can be done now each card can take part."""
        state = self._state
        things = {
            (type(order), order.location, card)
            for order in legal_orders(state, but=CHOOSING)
            for card in plays(state, order)
        }
        return Counter(card for _, _, card in things)


def _together(each: Iterable[Worth]) -> Worth:
    uses, price, printed_on_them = 0, 0, 0
    for more, dearer, further in each:
        uses, price, printed_on_them = uses + more, price + dearer, printed_on_them + further
    return uses, price, printed_on_them
