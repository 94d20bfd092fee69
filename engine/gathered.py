"""Orders gathered from their parts in any sequence: which parts lead to a legal order.

`engine.ways` takes the parts of an order in a fixed sequence. Here a card does not say what it is
for, and the card that an order is made with, such as a Trader, may be named as well as left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from engine.actions import ACTIONS
from engine.actions.action import IllegalOrder, subsets
from engine.actions.hand import Hand
from engine.game import is_legal
from engine.order import Order, Source
from engine.orders import ORDERS
from engine.state import State
from engine.ways import CHOOSING, MOST_TRIED, Begun, Ways, leads_on, rest_of


class Parts(NamedTuple):
    """Some parts of an order, or all of them; cards in any sequence, each as often as it is meant.

    An order has them if its kind and location are these, where they are not None, and each card is
    one that it names or one that it takes from hand besides.
    """

    kind: type[Order] | None = None
    location: str | None = None
    cards: tuple[str, ...] = ()


class Cards(NamedTuple):
    """The cards of an order: those that it names, and those that it takes from hand besides."""

    named: Counter[str]
    besides: Counter[str]

    def have(self, cards: Counter[str]) -> bool:
        """Whether these are among them."""
        return cards <= self.named + self.besides

    def are(self, cards: Counter[str]) -> bool:
        """Whether these are all that have to be named, and no others."""
        return self.named <= cards and self.have(cards)


def cards_of(state: State, order: Order) -> Cards:
    """The cards of an order of the side that is awaited."""
    named = Counter(order.cards)
    taken = Counter(ACTIONS[type(order)].plays(state, state.awaiting.side, order))
    return Cards(named, taken - named if order.source is Source.HAND else taken)


class Gathered:
    """The legal orders in which some parts are found, in one of the positions of `ways`."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._one_by_one = [(o, cards_of(ways.worlds[0], o)) for o in ways.one_by_one]

    def few_kinds(self, parts: Parts) -> Iterator[tuple[Order, Cards]]:
        """The legal orders with these parts, of the kinds that name no choice among cards."""
        wanted = Counter(parts.cards)
        for order, cards in self._one_by_one:
            is_kind = parts.kind in (None, type(order))
            if is_kind and parts.location in (None, order.location) and cards.have(wanted):
                yield order, cards

    def choosing(self, parts: Parts) -> Iterator[type[Order]]:
        """The kinds that name a choice among cards of which a legal order has these parts."""
        for kind in (parts.kind,) if parts.kind else ORDERS.values():
            if kind in CHOOSING and any(True for _ in self.places(parts._replace(kind=kind))):
                yield kind

    def places(self, parts: Parts) -> Iterator[str | None]:
        """The locations of legal orders with these parts, of one such kind; None for none."""
        assert parts.kind is not None
        for place in self._possible_places(parts):
            if self.leads_on(parts._replace(location=place)):
                yield place

    def _possible_places(self, parts: Parts) -> list[str | None]:
        assert parts.kind is not None
        if not parts.kind.has_location:
            return [None] if parts.location is None else []
        board = self._ways.worlds[0].board
        return [parts.location] if parts.location else [*sorted(board)]

    def leads_on(self, parts: Parts) -> bool:
        """Whether a legal order has these parts: of such a kind, with its location."""
        return any(_leads_on(world, parts) for world in self._ways.worlds)

    def candidates(self, kind: type[Order]) -> set[str]:
        """The cards that an order of such a kind could have."""
        found: set[str] = set()
        for world in self._ways.worlds:
            pool = ACTIONS[kind].pool(Hand(world, world.awaiting.side))
            held = world.players[world.awaiting.side].hand if pool and kind.ordered else ()
            found.update(pool, held, besides(world, kind))
        return found

    def whole(self, parts: Parts) -> Iterator[Order]:
        """The legal orders of which nothing is missing, of any kind that fits."""
        wanted = Counter(parts.cards)
        for order, cards in self.few_kinds(parts):
            if order.location == parts.location and cards.are(wanted):
                yield order
        for kind in (parts.kind,) if parts.kind else ORDERS.values():
            if kind in CHOOSING and kind.has_location == (parts.location is not None):
                yield from self._whole(parts._replace(kind=kind))

    def _whole(self, parts: Parts) -> Iterator[Order]:
        assert parts.kind is not None
        found: dict[Order, None] = {}
        for world in self._ways.worlds:
            also = Counter(parts.cards) & Counter(besides(world, parts.kind))
            for left_out in {(), tuple(also.elements())}:
                cards = Counter(parts.cards) - Counter(left_out)
                for begun in _arranged(parts.kind, parts.location, cards, ()):
                    order = begun.whole()
                    if order is not None and is_legal(world, order):
                        found[order] = None
        yield from found

    def orders(self, parts: Parts, most: int) -> list[Order] | None:
        """Every legal order with these parts; None for more than `most`, or too many to look at."""
        found = dict.fromkeys(order for order, _ in islice(self.few_kinds(parts), most + 1))
        for kind in self.choosing(parts):
            if len(found) > most:
                return None
            for tried, order in enumerate(self._choices(parts._replace(kind=kind))):
                if tried >= MOST_TRIED or len(found) > most:
                    return None
                if self._ways.is_legal(order):
                    found[order] = None
        return list(found) if len(found) <= most else None

    def _choices(self, parts: Parts) -> Iterator[Order]:
        """The orders with these parts, legal or not, of a kind that names a choice among cards."""
        assert parts.kind is not None
        for place in self.places(parts):
            for world in self._ways.worlds:
                named = Counter(parts.cards) - Counter(besides(world, parts.kind))
                for begun in _begun(world, parts.kind, place, named):
                    most = parts.kind.most - len(begun.cards)
                    for more in subsets(rest_of(world, begun), 0, most):
                        order = begun.whole(*more)
                        if order is not None:
                            yield order


# --- choices among cards, some of which are named


def besides(state: State, kind: type[Order]) -> tuple[str, ...]:
    """The cards that an order of a kind that names a choice among cards takes from hand besides."""
    side = state.awaiting.side
    action = ACTIONS[kind]
    some = next(iter(action.pool(Hand(state, side))), None)
    if some is None:
        return ()
    place = next(iter(state.board)) if kind.has_location else None
    order = kind(place, (some,) * kind.fewest)
    try:
        return tuple(cards_of(state, order).besides.elements())
    except IllegalOrder:
        return ()


def _leads_on(state: State, parts: Parts) -> bool:
    assert parts.kind is not None
    pool = ACTIONS[parts.kind].pool(Hand(state, state.awaiting.side))
    if not pool:
        return False
    named = Counter(parts.cards) - Counter(besides(state, parts.kind))
    # Where a first card is still to be named, one may be forbidden and another not.
    firsts = [named] if named else [Counter((card,)) for card in sorted({*pool})]
    return any(
        leads_on(state, begun)
        for first in firsts
        for begun in _begun(state, parts.kind, parts.location, first)
    )


def _begun(
    state: State, kind: type[Order], location: str | None, named: Counter[str]
) -> Iterator[Begun]:
    """Each way to begin an order that names these cards, among which more may be chosen."""
    hand = Counter(state.players[state.awaiting.side].hand)
    return _arranged(kind, location, named, tuple(sorted(hand - named)))


def _arranged(
    kind: type[Order], location: str | None, cards: Counter[str], others: tuple[str, ...]
) -> Iterator[Begun]:
    """Each way to put cards of these, or of some others, into the places that an order has."""

    def placed(left: Counter[str], number: int) -> Iterator[tuple[str, ...]]:
        if number == 0:
            yield tuple(sorted(left.elements()))
            return
        for first in dict.fromkeys((*sorted(left), *others)):
            for rest in placed(left - Counter((first,)), number - 1):
                yield first, *rest

    yield from (Begun(kind, location, each) for each in placed(cards, kind.ordered))
