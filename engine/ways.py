"""Orders said part by part: which verb, location or card can come next, and lead to a legal order.

`legal_orders` lists what can be ordered; of discards, raids and the like that may be thousands,
because they name any choice among cards. Here nothing is listed that nobody asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from engine.actions import ACTIONS
from engine.actions.action import printed, subsets
from engine.actions.hand import Hand
from engine.game import is_legal, legal_orders
from engine.message import Message, Said
from engine.order import Order, written
from engine.orders import ORDERS
from engine.state import State
from engine.value import Value

PartT = TypeVar("PartT")

CHOOSING = frozenset(kind for kind in ORDERS.values() if kind.most > max(kind.ordered, 1))
"""The kinds of order that name any choice among cards: discard, raid, merchant and so on."""
MOST_TRIED = 300
"""How many choices among cards are looked at for a list; where there are more, there is none."""


class Begun(Value):
    """An order as far as it is said: its kind, then its location where it has one, then cards."""

    kind: type[Order]
    location: str | None = None
    cards: tuple[str, ...] = ()

    def and_then(self, part: str) -> Begun:
        """The same with one part more: the location where that is missing, else a card."""
        if self.kind.has_location and self.location is None:
            return self._replace(location=part)
        return self._replace(cards=(*self.cards, part))

    @property
    def is_at_its_places(self) -> bool:
        """Whether a part with a place of its own comes next, such as the location."""
        has_place = self.location is not None or not self.kind.has_location
        return not has_place or len(self.cards) < self.kind.ordered

    def begins(self, other: Begun) -> bool:
        """Whether another, with all that it says, goes on from this one."""
        return (
            self.kind is other.kind
            and self.location in (None, other.location)
            and other.cards[: len(self.cards)] == self.cards
        )

    def text(self, name: Callable[[str], Said]) -> Message:
        """The order as far as it is said, as it is written; `name` gives the name of an id."""
        return written(self.kind.words(), self.location, [*map(name, self.cards)], name)

    def whole(self, *more: str) -> Order | None:
        """The order that it is, with these cards too; None where something is missing."""
        try:
            return self.kind(self.location, (*self.cards, *more))
        except ValueError:
            return None


class Ways:
    """The legal orders of one of several positions of one player, said part by part.

    The positions must not change. Every legal order can be said by always taking one of the next
    `parts`, and each of them leads to a legal order.
    """

    def __init__(self, worlds: Sequence[State]) -> None:
        self.worlds = tuple(worlds)
        self.one_by_one = _each_once(o for world in worlds for o in legal_orders(world, CHOOSING))
        """The legal orders of the kinds that do not name any choice among cards."""
        self._parts: dict[Begun, list[str]] = {}
        self._lists: dict[tuple[Begun, int], list[Order] | None] = {}

    def kinds(self) -> list[type[Order]]:
        """The kinds of which an order is legal."""
        listed = {type(order) for order in self.one_by_one}
        return [kind for kind in ORDERS.values() if kind in listed or self._can_choose(kind)]

    def parts(self, begun: Begun) -> list[str]:
        """The ids of the locations, or of the cards, each of which can come next."""
        if begun not in self._parts:
            self._parts[begun] = _each_once(self._next(begun))
        return self._parts[begun]

    def order(self, begun: Begun) -> Order | None:
        """The order that is said, if nothing is missing and it is legal."""
        order = begun.whole()
        return order if order is not None and self.is_legal(order) else None

    def orders(self, begun: Begun, most: int) -> list[Order] | None:
        """Every legal order that begins so; None for more than `most`, or too many to look for."""
        if (begun, most) not in self._lists:
            found = self._orders(begun, most)
            self._lists[begun, most] = found if found is None or len(found) <= most else None
        return self._lists[begun, most]

    def some(self, begun: Begun | None = None) -> Iterator[Order]:
        """Legal orders that begin so, or any: of choices among cards only the first, with few."""
        kinds = [begun] if begun else [Begun(kind) for kind in self.kinds()]
        for one in kinds:
            if one.kind in CHOOSING:
                tried = islice(self._choices(one), MOST_TRIED)
                yield from dict.fromkeys(order for order in tried if self.is_legal(order))
            else:
                yield from self._orders(one, MOST_TRIED) or ()

    def listed(self, kind: type[Order], most: int) -> tuple[list[Order], bool]:
        """The legal orders of a kind, and whether these are all of them.

        About `most` choices among cards are looked at, those with few cards first, and as many for
        each location or card that such an order begins with.
        """
        if kind not in CHOOSING:
            return self._orders(Begun(kind), 0) or [], True
        begun = Begun(kind)
        begins = (
            [begun.and_then(p) for p in self.parts(begun)] if begun.is_at_its_places else [begun]
        )
        each = most // max(1, len(begins) * len(self.worlds))
        found: dict[Order, None] = {}
        is_whole = True
        for one in begins:
            for world in self.worlds:
                tried = list(islice(_choices(world, one), each + 1))
                is_whole = is_whole and len(tried) <= each
                found |= dict.fromkeys(order for order in tried[:each] if self.is_legal(order))
        return list(found), is_whole

    def is_legal(self, order: Order) -> bool:
        """Whether an order is legal in one of the positions."""
        return any(is_legal(world, order) for world in self.worlds)

    def is_certain(self, order: Order) -> bool:
        """Whether an order is legal in all of the positions."""
        return all(is_legal(world, order) for world in self.worlds)

    def world_of(self, order: Order) -> State:
        """The first of the positions in which a legal order is legal."""
        return next(world for world in self.worlds if is_legal(world, order))

    def _can_choose(self, kind: type[Order]) -> bool:
        return kind in CHOOSING and bool(self.parts(Begun(kind)))

    def _next(self, begun: Begun) -> Iterator[str]:
        if begun.kind in CHOOSING:
            for world in self.worlds:
                yield from _next_chosen(world, begun)
            return
        for order in self.one_by_one:
            if begun.begins(all_of(order)):
                place = () if begun.location or order.location is None else (order.location,)
                yield from islice((*place, *order.cards[len(begun.cards) :]), 1)

    def _orders(self, begun: Begun, most: int) -> list[Order] | None:
        if begun.kind not in CHOOSING:
            return [order for order in self.one_by_one if begun.begins(all_of(order))]
        found: dict[Order, None] = {}
        for tried, order in enumerate(self._choices(begun)):
            if tried >= MOST_TRIED or len(found) > most:
                return None
            if self.is_legal(order):
                found[order] = None
        return list(found)

    def _choices(self, begun: Begun) -> Iterator[Order]:
        for world in self.worlds:
            yield from _choices(world, begun)


def _each_once(things: Iterable[PartT]) -> list[PartT]:
    return list(dict.fromkeys(things))


def all_of(order: Order) -> Begun:
    """An order, said to its end."""
    return Begun(type(order), order.location, order.cards)


# --- choices among cards


def _next_chosen(state: State, begun: Begun) -> Iterator[str]:
    """What can come next in an order that names any choice among cards, each once."""
    if begun.kind.has_location and begun.location is None:
        candidates = sorted(state.board)
    elif len(begun.cards) < begun.kind.ordered:
        candidates = sorted(set(state.players[state.awaiting.side].hand))
    else:
        candidates = sorted(set(rest_of(state, begun)))
    return (part for part in candidates if leads_on(state, begun.and_then(part)))


def rest_of(state: State, begun: Begun) -> list[str]:
    """The cards among which a choice begun so goes on."""
    pool = ACTIONS[begun.kind].pool(Hand(state, state.awaiting.side))
    return sorted((Counter(pool) - Counter(begun.cards)).elements())


def leads_on(state: State, begun: Begun) -> bool:
    """Whether a choice among cards, of which some are said, can be completed to a legal order.

    A choice among cards is refused for being too small or too dear, or, of a raid, because no card
    in it can raid by itself. So it is enough to try the cheapest of each size.
    """
    side = state.awaiting.side
    rest = rest_of(state, begun)
    rest.sort(key=lambda card: printed(state, side, card).raid_cost)
    raider = next((card for card in rest if printed(state, side, card).raid), None)
    led = [raider, *_without(rest, raider)] if raider else []
    for cheapest in (rest, led):
        for count in range(len(cheapest) + 1):
            order = begun.whole(*cheapest[:count])
            if order is not None and is_legal(state, order):
                return True
    return False


def _choices(state: State, begun: Begun) -> Iterator[Order]:
    """The orders that begin so, legal or not, those with the fewest cards first."""
    if begun.is_at_its_places:
        for part in _next_chosen(state, begun):
            yield from _choices(state, begun.and_then(part))
        return
    for more in subsets(rest_of(state, begun), 0, begun.kind.most - len(begun.cards)):
        order = begun.whole(*more)
        if order is not None:
            yield order


def _without(cards: Sequence[str], one: str) -> list[str]:
    left = list(cards)
    left.remove(one)
    return left
