"""What a player has chosen of an order, in any sequence, and what can still follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.gathered import Cards, Gathered, Parts
from engine.order import Order, Source
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import State
from engine.ways import Ways
from pbem.errors import WrongUse

MOST_LISTED = 16
"""How many orders with the chosen parts are listed, although they have more parts."""


class Selection(Parts):
    """The parts of an order that are chosen; cards in the sequence of their ids.

    A card may be chosen as often as it is there. `Selection()` is the empty one.
    """

    __slots__ = ()

    @classmethod
    def of(cls, keys: Iterable[str]) -> Selection:
        """What these keys name, such as `kind:settle`, `location:boston` and `card:boston`.

        Raises WrongUse for one that is no key, and for two kinds or locations.
        """
        chosen: dict[str, list[str]] = {"kind": [], "location": [], "card": []}
        for key in keys:
            what, _, id = key.partition(":")
            if what not in chosen or not id or (what == "kind" and id not in ORDERS):
                raise WrongUse("“{key}” cannot be chosen.", key=key)
            chosen[what].append(id)
        if len(chosen["kind"]) > 1 or len(chosen["location"]) > 1:
            raise WrongUse("An order does one thing, in one location.")
        kind = ORDERS[chosen["kind"][0]] if chosen["kind"] else None
        return cls(kind, next(iter(chosen["location"]), None), tuple(sorted(chosen["card"])))

    @classmethod
    def all_of(cls, order: Order) -> Selection:
        """All that an order names."""
        return cls(type(order), order.location, tuple(sorted(order.cards)))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of what is chosen: kind, location, then cards."""
        kind = (f"kind:{self.kind.verb}",) if self.kind else ()
        location = (f"location:{self.location}",) if self.location else ()
        return *kind, *location, *(f"card:{card}" for card in self.cards)

    def adding(self, key: str) -> Selection:
        """The same with one part more; raises WrongUse where it takes the place of another."""
        return Selection.of((*self.keys, key))


class Following(NamedTuple):
    """What can follow a selection.

    Each of `kinds`, `locations` and `cards` can be added, and leads to a legal order. `cards` have
    where they lie: the id of a pile on the table, as `pbem.board.tabletop` names it, such as
    `british-hand`, `british-draft`, `neutral` or `french-siege`.

    `whole` are the legal orders that need nothing more: several where cards can be for different
    things, or no kind is chosen. `orders` are those and, where they are few, all others that have
    what is chosen; `is_all` says whether there are no more.
    """

    kinds: tuple[type[Order], ...]
    locations: tuple[str, ...]
    cards: Mapping[str, tuple[str, ...]]
    whole: tuple[Order, ...]
    orders: tuple[Order, ...]
    is_all: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all that can be added."""
        return (
            *(f"kind:{kind.verb}" for kind in self.kinds),
            *(f"location:{place}" for place in self.locations),
            *(f"card:{card}" for card in self.cards),
        )


class Clickable:
    """What can be clicked in one of several positions; it keeps what it has worked out of them."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self._gathered = Gathered(ways)
        self._known: dict[Selection, Following] = {}

    def following(self, chosen: Selection) -> Following:
        """What can follow a selection."""
        if chosen not in self._known:
            self._known[chosen] = self._following(chosen)
        return self._known[chosen]

    def _following(self, chosen: Selection) -> Following:
        gathered = self._gathered
        kinds: set[type[Order]] = set()
        places: set[str] = set()
        cards: dict[str, set[str]] = {}
        wanted = Counter(chosen.cards)
        for order, has in gathered.few_kinds(chosen):
            kinds.add(type(order))
            if order.location:
                places.add(order.location)
            self._note_cards(cards, order, has, wanted)
        hand = f"{self._side.value}-hand"
        for kind in gathered.choosing(chosen):
            kinds.add(kind)
            of_kind = chosen._replace(kind=kind)
            at = [*gathered.places(of_kind)]
            places.update(place for place in at if place)
            for card in gathered.candidates(kind):
                more = of_kind._replace(cards=(*chosen.cards, card))
                if any(gathered.leads_on(more._replace(location=place)) for place in at):
                    cards.setdefault(card, set()).add(hand)
        whole = tuple(gathered.whole(chosen))
        listed = gathered.orders(chosen, MOST_LISTED)
        return Following(
            kinds=tuple(k for k in ORDERS.values() if k in kinds) if chosen.kind is None else (),
            locations=tuple(sorted(places)) if chosen.location is None else (),
            cards={card: tuple(sorted(cards[card])) for card in sorted(cards)},
            whole=whole,
            orders=tuple(dict.fromkeys((*whole, *(listed or ())))),
            is_all=listed is not None,
        )

    @property
    def _side(self) -> Side:
        return self.ways.worlds[0].awaiting.side

    def _note_cards(
        self, cards: dict[str, set[str]], order: Order, has: Cards, wanted: Counter[str]
    ) -> None:
        """Note the cards of an order beyond those that are chosen, each with where it lies."""
        for card in (has.named + has.besides) - wanted:
            found = cards.setdefault(card, set())
            if card in has.named:
                found.update(_piles(self.ways.worlds[0], self._side, order, card))
            if card in has.besides:
                found.add(f"{self._side.value}-hand")


def _piles(state: State, side: Side, order: Order, card: str) -> Iterable[str]:
    """The piles in which a card lies that an order names."""
    match order.source:
        case Source.RESERVE:
            yield f"{side.value}-reserve"
        case Source.DISCARD_PILE:
            yield f"{side.value}-discard"
        case Source.SIEGE:
            besieger = state.besieger(order.place)
            if besieger is not None:
                yield f"{besieger.value}-siege"
        case Source.OWN_STOCK:
            yield f"{side.value}-draft"
        case Source.STOCK:
            yield "neutral" if card in state.neutral else f"{side.value}-draft"
        case _:
            yield f"{side.value}-hand"
