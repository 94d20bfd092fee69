"""What can be chosen by number: actions, then their places and cards, then whole orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from engine import game
from engine.actions.action import printed
from engine.game import legal_orders, plays
from engine.message import Speaker, alphabetical
from engine.order import Family, Order
from engine.orders import ORDERS, Ambush, Block, Convert, End
from engine.state import Decision, State
from engine.ways import CHOOSING, Begun, Ways, all_of

GROUPS = {
    group: sorted((k for k in ORDERS.values() if k.family is group), key=lambda kind: kind is End)
    for group in Family
}
"""Every kind of order under the heading under which it is offered; the end of a turn comes last."""
NUMBERS = {
    kind: number for number, kind in enumerate((k for kinds in GROUPS.values() for k in kinds), 1)
}
"""The number of every kind of order where the actions of a turn are listed: always the same one."""
MOST_LISTED = 12
"""How many orders are listed one by one; with more, the next place or card is chosen first."""
MOST_COUNTED = 99


class MenuItem(NamedTuple):
    """One thing to choose: an order, or what several orders begin with.

    `number` chooses it, 0 where it stands in no list; `group` is the heading under which it stands,
    in the list of all actions.
    """

    begun: Begun
    order: Order | None = None
    group: str = ""
    number: int = 0


@dataclass(frozen=True)
class Menu:
    """What can be chosen now, each under its number.

    `begun` is what was chosen before. `left_out` says how many more there are than listed, if
    known. If it `is_of_turn`, each kind of action has the number that it has in every turn.
    """

    lines: tuple[MenuItem, ...]
    begun: Begun | None = None
    left_out: int = 0
    is_of_turn: bool = False

    def numbered(self, number: int) -> MenuItem | None:
        """What a number stands for."""
        return next((line for line in self.lines if line.number == number), None)


class Offer(NamedTuple):
    """What follows a beginning: how many orders, None for very many, and their prices."""

    number: int | None
    least: int
    most: int


def names_in(speaker: Speaker, ways: Ways) -> Callable[[str], str]:
    """What locations and cards are called in the words of a speaker, by id."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    return cache(lambda id: speaker.say(name(id)))


def in_sequence(speaker: Speaker, ways: Ways, orders: Iterable[Order]) -> list[Order]:
    """Orders with few cards first, those with as many by what they do, and by their names.

    Of those that do the same, the one that keeps the better cards comes first.
    """
    name, thrift = names_in(speaker, ways), Thrift(ways.worlds[0])

    def written(said: Begun | Order) -> str:
        return alphabetical(speaker.say(said.text(name)))

    return sorted(
        orders,
        key=lambda o: (len(o.cards), written(thing_done(o)), thrift.spent(o), written(o)),
    )


def main_menu(ways: Ways) -> Menu:
    """All that can be done: in a turn by kinds of action, else the few orders themselves."""
    legal = {kind: ways.orders(Begun(kind), MOST_LISTED) for kind in ways.kinds()}
    lines = list(_of_kinds(legal))
    listed = [order for line in lines for order in legal[line.begun.kind] or ()]
    in_turn = ways.worlds[0].awaiting.decision is Decision.TURN
    if in_turn:
        of_kinds = (line._replace(number=NUMBERS[line.begun.kind]) for line in lines)
        return Menu(tuple(of_kinds), is_of_turn=True)
    if None in legal.values() or len(listed) > MOST_LISTED:
        return Menu(_numbered(lines))
    return menu_with(listed)


def menu_with(orders: Iterable[Order], begun: Begun | None = None, left_out: int = 0) -> Menu:
    """These orders, one by one."""
    return Menu(_numbered(MenuItem(all_of(order), order) for order in orders), begun, left_out)


def menu_of(speaker: Speaker, ways: Ways, begun: Begun) -> Menu:
    """How an order goes on: the orders, if they are few, else the places or cards that come next.

    If only one part can come next, it is taken. Cards that are means are sorted by how good they
    are, those better kept last; everything else is sorted by name.
    """
    while (listed := ways.orders(begun, MOST_LISTED)) is None:
        parts, order = ways.parts(begun), ways.order(begun)
        if order is not None or len(parts) != 1:
            onward = [begun.and_then(part) for part in _parts_in_sequence(speaker, ways, begun)]
            lines = [MenuItem(one, next(iter(ways.orders(one, 1) or ()), None)) for one in onward]
            return Menu(_numbered([*([MenuItem(begun, order)] if order else ()), *lines]), begun)
        begun = begun.and_then(parts[0])
    return menu_with(in_sequence(speaker, ways, listed), begun)


def _parts_in_sequence(speaker: Speaker, ways: Ways, begun: Begun) -> list[str]:
    name, kind = names_in(speaker, ways), begun.kind
    by_name = sorted(ways.parts(begun), key=lambda part: alphabetical(name(part)))
    is_place = kind.has_location and begun.location is None
    if is_place or not is_means(kind, len(begun.cards)):
        return by_name
    return sorted(by_name, key=Thrift(ways.worlds[0]).worth)


def offer(ways: Ways, begun: Begun) -> Offer:
    """How many orders begin so, and what the cheapest and the dearest of them cost.

    Where they are very many, those with few cards are looked at.
    """
    found = ways.orders(begun, MOST_COUNTED)
    prices = [game.cost(ways.world_of(order), order) for order in found or ways.some(begun)]
    least, most = min(prices, default=0), max(prices, default=0)
    return Offer(None if found is None else len(found), least, most)


def _numbered(lines: Iterable[MenuItem]) -> tuple[MenuItem, ...]:
    """The lines of a list, numbered from 1."""
    return tuple(line._replace(number=number) for number, line in enumerate(lines, start=1))


def _of_kinds(legal: Mapping[type[Order], list[Order] | None]) -> Iterator[MenuItem]:
    for group, kinds in GROUPS.items():
        for kind in kinds:
            if kind in legal:
                found = legal[kind] or ()
                yield MenuItem(Begun(kind), found[0] if len(found) == 1 else None, group)


# --- which of several ways to do one thing keeps the better cards


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
