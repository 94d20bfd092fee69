"""What can be chosen by number: actions, then their places and cards, then whole orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from engine import game, orders
from engine.message import Speaker, alphabetical, mark_in
from engine.orders import Order
from engine.state import Decision
from engine.ways import Begun, Ways, all_of
from pbem.words.naming import normal

GROUPS: Mapping[str, tuple[type[Order], ...]] = {
    mark_in("group", "expansive"): (orders.Settle, orders.Develop, orders.Fortify),
    mark_in("group", "aggressive"): (
        orders.Besiege,
        orders.Reinforce,
        orders.Raid,
        orders.Ambush,
        orders.Convert,
    ),
    mark_in("group", "financial"): (
        orders.Take,
        orders.Merchant,
        orders.Trade,
        orders.Piracy,
        orders.SellFur,
    ),
    mark_in("group", "cards"): (
        orders.Draft,
        orders.Discard,
        orders.Reserve,
        orders.Retrieve,
        orders.Govern,
        orders.Intendant,
        orders.HomeSupport,
        orders.Drop,
    ),
    mark_in("group", "other"): (orders.Withdraw, orders.Pass, orders.Refill, orders.End),
    mark_in("group", "answers"): (
        orders.Block,
        orders.Allow,
        orders.Give,
        orders.GiveFromReserve,
        orders.GiveFromSiege,
        orders.ShowHand,
        orders.Occupy,
        orders.Leave,
        orders.Relieve,
        orders.Lose,
        orders.Exchange,
        orders.Keep,
        orders.Forfeit,
        orders.Start,
    ),
}
"""Every kind of order, in the order and under the headings in which they are offered."""
MOST_LISTED = 12
"""So many orders are listed one by one; of more, the next place or card is chosen first."""
MOST_COUNTED = 99
MOST_FOUND = 20
"""So many orders that are looked for by words are listed."""


class Line(NamedTuple):
    """One thing to choose: an order, or what several orders begin with.

    `group` is the heading under which it stands, in the list of all actions.
    """

    begun: Begun
    order: Order | None = None
    group: str = ""


@dataclass(frozen=True)
class Menu:
    """What can be chosen now, under numbers from 1; `begun` is what was chosen before.

    `left_out` says how many more there are than are listed, where that is known to be so.
    """

    lines: tuple[Line, ...]
    begun: Begun | None = None
    left_out: int = 0

    def numbered(self, number: int) -> Line | None:
        """What stands under a number."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None


class Offer(NamedTuple):
    """What stands behind a beginning: how many orders, None for very many, and their prices."""

    number: int | None
    least: int
    most: int


def names_in(speaker: Speaker, ways: Ways) -> Callable[[str], str]:
    """What locations and cards are called in the words of a speaker, by id."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    return cache(lambda id: speaker.say(name(id)))


def main_menu(ways: Ways) -> Menu:
    """All that can be done: in a turn by kinds of action, else the few orders themselves."""
    legal = {kind: ways.orders(Begun(kind), MOST_LISTED) for kind in ways.kinds()}
    if ways.worlds[0].awaiting.decision is Decision.TURN:
        return Menu(tuple(_of_kinds(legal)))
    listed = [order for found in legal.values() for order in found or ()]
    if None in legal.values() or len(listed) > MOST_LISTED:
        return Menu(tuple(_of_kinds(legal)))
    by_group = [kind for kinds in GROUPS.values() for kind in kinds]
    listed.sort(key=lambda order: by_group.index(type(order)))
    return Menu(tuple(_whole(order) for order in listed))


def menu_of(speaker: Speaker, ways: Ways, begun: Begun) -> Menu:
    """How an order goes on: the orders, if they are few, else the places or cards that come next.

    Where only one part can come next, it is taken.
    """
    while True:
        listed = ways.orders(begun, MOST_LISTED)
        if listed is not None:
            return Menu(tuple(_whole(order) for order in _sorted(speaker, ways, listed)), begun)
        parts, order = ways.parts(begun), ways.order(begun)
        if order is not None or len(parts) != 1:
            break
        begun = begun.and_then(parts[0])
    name = names_in(speaker, ways)
    lines = [_whole(order)] if order is not None else []
    by_name = sorted(parts, key=lambda part: alphabetical(name(part)))
    lines += [_line(ways, begun.and_then(part)) for part in by_name]
    return Menu(tuple(lines), begun)


def found_menu(speaker: Speaker, ways: Ways, words: str, most: int = MOST_FOUND) -> Menu:
    """Orders in which each of the words begins one; of very many choices not all are tried."""
    name = names_in(speaker, ways)
    wanted = normal(words).split()

    def fits(order: Order) -> bool:
        # The notation has the English words.
        has = normal(f"{speaker.say(order.text(name))} {order.notation()}").split()
        return all(any(word.startswith(part) for word in has) for part in wanted)

    found = [order for order in ways.some() if fits(order)]
    listed = _sorted(speaker, ways, found)[:most]
    return Menu(tuple(_whole(order) for order in listed), left_out=len(found) - len(listed))


def offer(ways: Ways, begun: Begun) -> Offer:
    """How many orders begin so, and what the cheapest and the dearest of them cost.

    Where they are very many, those with few cards are looked at.
    """
    found = ways.orders(begun, MOST_COUNTED)
    prices = [price_of(ways, order) for order in found or ways.some(begun)]
    least, most = min(prices, default=0), max(prices, default=0)
    return Offer(None if found is None else len(found), least, most)


def price_of(ways: Ways, order: Order) -> int:
    """The money that a legal order costs."""
    return game.cost(ways.world_of(order), order)


def _of_kinds(legal: Mapping[type[Order], list[Order] | None]) -> Iterable[Line]:
    for group, kinds in GROUPS.items():
        for kind in kinds:
            if kind in legal:
                listed = legal[kind]
                one = listed[0] if listed is not None and len(listed) == 1 else None
                yield Line(Begun(kind), one, group)


def _line(ways: Ways, begun: Begun) -> Line:
    only = ways.orders(begun, 1)
    return Line(begun, only[0] if only else None)


def _whole(order: Order) -> Line:
    return Line(all_of(order), order)


def _sorted(speaker: Speaker, ways: Ways, found: Iterable[Order]) -> list[Order]:
    """Orders with few cards first, those with as many by their names."""
    name = names_in(speaker, ways)

    def place(order: Order) -> tuple[int, str]:
        return len(order.cards), alphabetical(speaker.say(order.text(name)))

    return sorted(found, key=place)
