"""The legal orders by their parts: what can be added to some of them, and which are complete.

`legal_orders` lists what can be ordered; of discards, raids and the like that may be thousands,
because they name any choice among cards. Here nothing is listed that nobody asks for. Parts are
said in the sequence in which an order is written (`Prefix`), or chosen in any (`Parts`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, product, zip_longest
from typing import NamedTuple

from engine.actions import ACTIONS
from engine.actions.action import Hand, find_card, subsets
from engine.game import is_legal, legal_orders
from engine.message import Message, Phrase
from engine.order import Order, Source, UnreadableOrder, order_text
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import State
from engine.value import Value

CHOOSING = tuple(kind for kind in ORDERS.values() if kind.most > max(kind.ordered, 1))
"""The kinds of order that name any choice among cards: discard, raid, merchant and so on."""
MOST_TRIED = 300
"""How many choices among cards are looked at for a list; where there are more, there is none."""
MOST_FOLLOWING = 16
"""How many orders with the chosen parts are listed, although they have more parts."""


class Prefix(Value):
    """An order as far as it is said: its kind, then its location where it has one, then cards."""

    kind: type[Order]
    location: str | None = None
    cards: tuple[str, ...] = ()

    @classmethod
    def of(cls, order: Order) -> Prefix:
        """Return an order, said to its end."""
        return cls(type(order), order.location, order.cards)

    def with_part(self, part: str) -> Prefix:
        """Return it with one part more: the location where that is missing, else a card."""
        if self.kind.has_location and self.location is None:
            return self._replace(location=part)
        return self._replace(cards=(*self.cards, part))

    def is_prefix_of(self, other: Prefix) -> bool:
        """Return True if another, with all that it says, goes on from this one."""
        return (
            self.kind is other.kind
            and self.location in (None, other.location)
            and other.cards[: len(self.cards)] == self.cards
        )

    def next_part_of(self, other: Prefix) -> Iterator[str]:
        """Yield the part that comes next in another that this one begins, if there is one."""
        place = () if self.location or other.location is None else (other.location,)
        return islice((*place, *other.cards[len(self.cards) :]), 1)

    def text(self, name: Callable[[str], Phrase]) -> Message:
        """Return the order as far as it is said, as it is written, by the names of ids."""
        return order_text(self.kind.words(), self.location, [*map(name, self.cards)], name)

    def complete(self, *more: str) -> Order | None:
        """Return the order with these cards too; None if something is missing."""
        try:
            return self.kind(self.location, (*self.cards, *more))
        except ValueError:
            return None


class Parts(NamedTuple):
    """Parts of an order in any sequence, or all of them; a card as often as it is meant.

    An order has them if its kind and location are these, where they are not None, and each card is
    one that it names, or one that it takes from hand besides, such as a Trader. `piles` are those
    that the cards lie in, such as `british-hand`: each empty, or all left out, if nobody has said
    where.
    """

    kind: type[Order] | None = None
    location: str | None = None
    cards: tuple[str, ...] = ()
    piles: tuple[str, ...] = ()

    @classmethod
    def of(cls, keys: Iterable[str]) -> Parts:
        """Return what these keys name: `kind:raid`, `location:boston`, `card:boston@british-hand`.

        Raises UnreadableOrder for one that is no key, and for two kinds or locations.
        """
        chosen: dict[str, list[str]] = {"kind": [], "location": [], "card": []}
        for key in keys:
            part, _, id = key.partition(":")
            if part not in chosen or not id or (part == "kind" and id not in ORDERS):
                raise UnreadableOrder("“{key}” cannot be chosen.", key=key)
            chosen[part].append(id)
        if len(chosen["kind"]) > 1 or len(chosen["location"]) > 1:
            raise UnreadableOrder("An order does one thing, in one location.")
        kind = ORDERS[chosen["kind"][0]] if chosen["kind"] else None
        cards = [card.partition("@") for card in chosen["card"]]
        piles = tuple(pile for _, _, pile in cards)
        place = next(iter(chosen["location"]), None)
        return cls(kind, place, tuple(card for card, *_ in cards), piles if any(piles) else ())

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of what is chosen: kind, location, then cards."""
        kind = (f"kind:{self.kind.verb}",) if self.kind else ()
        location = (f"location:{self.location}",) if self.location else ()
        piled = zip_longest(self.cards, self.piles, fillvalue="")
        return *kind, *location, *(f"card:{'@'.join(filter(None, at))}" for at in piled)

    @property
    def cards_in_piles(self) -> Counter[tuple[str, str]]:
        """The cards of which it is said where they lie, with these piles."""
        where = zip(self.cards, self.piles, strict=False)
        return Counter((card, pile) for card, pile in where if pile)


class NextParts(NamedTuple):
    """The parts that can follow others, and the orders that they lead to.

    Each of `kinds`, `locations` and `cards` can be added, and leads to a legal order. `cards` have
    the piles where they lie, such as `british-hand`, `british-draft`, `neutral` or `french-siege`.

    `whole` are the legal orders that need nothing more: several where cards can be for different
    things, or no kind is chosen. `orders` are those and, where they are few, all others that have
    what is chosen; `is_all` says whether there are no more.
    """

    kinds: tuple[type[Order], ...]
    locations: tuple[str, ...]
    cards: Mapping[str, tuple[str, ...]]
    complete: tuple[Order, ...]
    orders: tuple[Order, ...]
    is_all: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all that can be added, cards with where they lie."""
        return (
            *(f"kind:{kind.verb}" for kind in self.kinds),
            *(f"location:{place}" for place in self.locations),
            *(f"card:{card}@{pile}" for card, piles in self.cards.items() for pile in piles),
        )


class _Start(NamedTuple):
    """A choice among cards as far as it is said, which goes on with cards of the `pool`.

    `besides` are those that it takes from hand and does not name.
    """

    world: State
    begun: Prefix
    pool: Counter[str]
    besides: Counter[str]

    def adding(self, *cards: str) -> _Start:
        """Return it with these cards too."""
        return self._replace(begun=self.begun._replace(cards=(*self.begun.cards, *cards)))

    def rest(self) -> list[str]:
        """Return the cards of the pool that are left."""
        return sorted((self.pool - Counter(self.begun.cards)).elements())

    def cards(self) -> set[str]:
        """Return the cards that may be chosen for it, at whichever place."""
        return {*self.begun.cards, *self.pool, *self.besides}

    def leads_on(self) -> bool:
        """Return True if it can be completed to a legal order.

        A choice among cards is refused for being too small or too dear, or, of a raid, because no
        card in it can raid by itself. So it is enough to try the cheapest of each size.
        """
        world, side = self.world, self.world.awaiting.side
        rest = sorted(self.rest(), key=lambda card: find_card(world, side, card).raid_cost)
        raids = (at for at, card in enumerate(rest) if find_card(world, side, card).raid)
        at = next(raids, 0)
        led = [*rest[at : at + 1], *rest[:at], *rest[at + 1 :]]
        for cheapest in (rest, led)[: 1 + (at > 0)]:
            for count in range(len(cheapest) + 1):
                order = self.begun.complete(*cheapest[:count])
                if order is not None and is_legal(world, order):
                    return True
        return False

    def choices(self) -> Iterator[Order]:
        """Yield the orders that begin so, legal or not, those with the fewest cards first."""
        for more in subsets(self.rest(), 0, self.begun.kind.most):
            order = self.begun.complete(*more)
            if order is not None:
                yield order


class Choices:
    """The legal orders of one of several positions of one player, which must not change.

    Every legal order can be reached by adding parts that are offered, and each of them leads to a
    legal order.
    """

    def __init__(self, worlds: Iterable[State]) -> None:
        self.worlds = tuple(worlds)
        listed = chain.from_iterable(legal_orders(world, CHOOSING) for world in self.worlds)
        self._few = {order: cards_of(self.worlds[0], order) for order in listed}
        """The orders of kinds that name no choice, with the cards they name and take besides."""
        self._starts: dict[type[Order], list[_Start]] = {}
        self._parts: dict[Prefix, list[str]] = {}
        self._lists: dict[tuple[Prefix, int], list[Order] | None] = {}
        self._following: dict[Parts, NextParts] = {}

    def is_legal(self, order: Order) -> bool:
        """Return True if an order is legal in one of the positions."""
        return any(is_legal(world, order) for world in self.worlds)

    def is_certain(self, order: Order) -> bool:
        """Return True if an order is legal in all of the positions."""
        return all(is_legal(world, order) for world in self.worlds)

    def world_of(self, order: Order) -> State:
        """Return the first of the positions in which a legal order is legal."""
        return next(world for world in self.worlds if is_legal(world, order))

    # --- said in sequence

    def kinds(self) -> list[type[Order]]:
        """Return the kinds of which an order is legal."""
        listed = {*map(type, self._few)}
        return [kind for kind in ORDERS.values() if kind in listed or self._started(kind)]

    def parts(self, begun: Prefix) -> list[str]:
        """Return the ids of the locations, or of the cards, each of which can come next."""
        if begun not in self._parts:
            self._parts[begun] = list(dict.fromkeys(self._next(begun)))
        return self._parts[begun]

    def order(self, begun: Prefix) -> Order | None:
        """Return the order that is said, if nothing is missing and it is legal."""
        order = begun.complete()
        return order if order is not None and self.is_legal(order) else None

    def orders(self, begun: Prefix, most: int) -> list[Order] | None:
        """Return every legal order that begins so; None for more than `most`, or very many."""
        if (begun, most) not in self._lists:
            self._lists[begun, most] = self._listed(
                self._said(begun), [self._going_on(begun)], most
            )
        return self._lists[begun, most]

    def some_orders(self, begun: Prefix | None = None) -> Iterator[Order]:
        """Yield legal orders that begin so, or any: of choices among cards only the first."""
        for one in [begun] if begun else map(Prefix, self.kinds()):
            yield from self._said(one)
            tried = (order for start in self._going_on(one) for order in start.choices())
            yield from filter(self.is_legal, dict.fromkeys(islice(tried, MOST_TRIED)))

    def list_orders(self, kind: type[Order], most: int) -> tuple[list[Order], bool]:
        """Return the legal orders of a kind, and whether these are all of them.

        About `most` choices among cards are looked at, those with few cards first, and as many for
        each location or card that such an order begins with.
        """
        found, is_whole = dict.fromkeys(self._said(Prefix(kind))), True
        each = most // max(1, len(self._started(kind)))
        for start in self._started(kind):
            tried = list(islice(start.choices(), each + 1))
            is_whole = is_whole and len(tried) <= each
            found |= dict.fromkeys(filter(self.is_legal, tried[:each]))
        return list(found), is_whole

    def _said(self, begun: Prefix) -> Iterator[Order]:
        return (order for order in self._few if begun.is_prefix_of(Prefix.of(order)))

    def _going_on(self, begun: Prefix) -> Iterator[_Start]:
        """Yield each choice among cards that begins so, its location and first card said."""
        for start in self._started(begun.kind):
            if begun.is_prefix_of(start.begun):
                yield start
            elif start.begun.is_prefix_of(begun):
                yield start._replace(begun=begun)

    def _next(self, begun: Prefix) -> Iterator[str]:
        for order in self._said(begun):
            yield from begun.next_part_of(Prefix.of(order))
        for start in self._going_on(begun):
            if start.begun != begun:
                yield from begun.next_part_of(start.begun)
            else:
                cards = dict.fromkeys(start.rest())
                yield from (card for card in cards if start.adding(card).leads_on())

    def _started(self, kind: type[Order]) -> list[_Start]:
        """Return the choices among cards of a kind that lead on, their first cards unsaid."""
        if kind not in self._starts:
            self._starts[kind] = list(self._find_starts(kind)) if kind in CHOOSING else []
        return self._starts[kind]

    def _find_starts(self, kind: type[Order]) -> Iterator[_Start]:
        for world in self.worlds:
            hand = Hand(world, world.awaiting.side)
            pool = Counter(ACTIONS[kind].pool(hand))
            places = sorted(world.board) if kind.has_location else [None]
            leading = product(sorted({*hand.card_ids}), repeat=kind.ordered)
            for place, cards in product(places, leading) if pool else ():
                start = _Start(world, Prefix(kind, place, cards), pool, extras(world, kind))
                # Of cards alone one may be forbidden and another not.
                firsts = {*pool} if start.begun == Prefix(kind) else ()
                if start.leads_on() or any(start.adding(card).leads_on() for card in firsts):
                    yield start

    # --- chosen in any sequence

    def next_parts(self, chosen: Parts) -> NextParts:
        """Return what can follow parts that are chosen."""
        if chosen not in self._following:
            self._following[chosen] = self._follow(chosen)
        return self._following[chosen]

    def complete(self, chosen: Parts) -> tuple[Order, ...]:
        """Return the legal orders to which nothing is missing, of any kind that fits."""
        wanted = Counter(chosen.cards)
        found = {
            order: None
            for order, (named, _) in self._having(chosen)
            if order.location == chosen.location and named <= wanted
        }
        for start in self._chosen(chosen):
            for named in (wanted, wanted - start.besides):
                said = start.adding(*(named - Counter(start.begun.cards)).elements()).begun
                order = said.complete() if Counter(said.cards) == named else None
                if order and said.location == chosen.location and is_legal(start.world, order):
                    found[order] = None
        return tuple(found)

    def has(self, chosen: Parts) -> bool:
        """Return True if a legal order has these parts."""
        return any(True for _ in chain(self._having(chosen), self._with(chosen)))

    def orders_with(self, chosen: Parts, most: int) -> list[Order] | None:
        """Return every legal order with these parts; None for more than `most`, or very many."""
        few = (order for order, _ in self._having(chosen))
        kinds = (kind for kind in CHOOSING if chosen.kind in (None, kind))
        each = (self._with(chosen._replace(kind=kind)) for kind in kinds)
        return self._listed(few, each, most)

    def _follow(self, chosen: Parts) -> NextParts:
        kinds, places = set[type[Order]](), set[str | None]()
        piles: defaultdict[str, set[str]] = defaultdict(set)
        state, wanted, piled = self.worlds[0], Counter(chosen.cards), chosen.cards_in_piles
        for order, has in self._having(chosen):
            kinds.add(type(order))
            places.add(order.location)
            left = (has.named + has.besides) - wanted
            for card, pile in _piled(state, order, has) - piled:
                if card in left:
                    piles[card].add(pile)
        starts = list(self._with(chosen))
        kinds |= {start.begun.kind for start in starts}
        places |= {start.begun.location for start in starts}
        for card in {card for start in starts for card in start.cards()}:
            more = chosen._replace(cards=(*chosen.cards, card))
            if any(True for _ in self._with(more)):
                piles[card].add(hand_pile(state.awaiting.side))
        whole, listed = self.complete(chosen), self.orders_with(chosen, MOST_FOLLOWING)
        return NextParts(
            kinds=tuple(k for k in ORDERS.values() if k in kinds) if chosen.kind is None else (),
            locations=tuple(sorted(filter(None, places))) if chosen.location is None else (),
            cards={card: tuple(sorted(piles[card])) for card in sorted(piles)},
            complete=whole,
            orders=tuple(dict.fromkeys((*whole, *(listed or ())))),
            is_all=listed is not None,
        )

    def _having(self, chosen: Parts) -> Iterator[tuple[Order, _Cards]]:
        """Yield the orders with these parts that name no choice among cards."""
        wanted, piled = Counter(chosen.cards), chosen.cards_in_piles
        for order, cards in self._few.items():
            fits = chosen.location in (None, order.location) and chosen.kind in (None, type(order))
            has_all = fits and wanted <= cards.named + cards.besides
            if has_all and piled <= _piled(self.worlds[0], order, cards):
                yield order, cards

    def _chosen(self, chosen: Parts) -> Iterator[_Start]:
        """Yield each start of a choice among cards in hand of that kind, in that location."""
        if {"", hand_pile(self.worlds[0].awaiting.side)} >= {*chosen.piles}:
            for kind in CHOOSING if chosen.kind is None else {chosen.kind}:
                for start in self._started(kind):
                    if chosen.location in (None, start.begun.location):
                        yield start

    def _with(self, chosen: Parts) -> Iterator[_Start]:
        """Yield each choice among cards with these parts that leads to a legal order."""
        for start in self._chosen(chosen):
            named = Counter(chosen.cards) - start.besides - Counter(start.begun.cards)
            more = start.adding(*sorted(named.elements()))
            if not named or more.leads_on():
                yield more

    def _listed(
        self, few: Iterable[Order], choices: Iterable[Iterable[_Start]], most: int
    ) -> list[Order] | None:
        """Return orders and those of choices that are legal, if they are few and soon found."""
        found = dict.fromkeys(few)
        for starts in choices:
            tried = (order for start in starts for order in start.choices())
            for number, order in enumerate(tried):
                if number >= MOST_TRIED or len(found) > most:
                    return None
                if self.is_legal(order):
                    found[order] = None
        return list(found) if len(found) <= most else None


class _Cards(NamedTuple):
    """The cards of an order: those that it names, and those that it takes from hand besides."""

    named: Counter[str]
    besides: Counter[str]


def cards_of(state: State, order: Order) -> _Cards:
    """Return the cards of an order of the side that is awaited.

    Raises IllegalOrder if it takes one that this side does not have in this game.
    """
    named = Counter(order.cards)
    taken = Counter(ACTIONS[type(order)].plays(state, state.awaiting.side, order))
    return _Cards(named, taken - named if order.source is Source.HAND else taken)


def extras(state: State, kind: type[Order], place: str | None = None) -> Counter[str]:
    """Return the cards that orders of a kind take from hand besides; raises as `cards_of`."""
    place = (place or next(iter(state.board))) if kind.has_location else None
    some = tuple(state.ruleset.catalogue.cards[state.awaiting.side])[: kind.fewest]
    return cards_of(state, kind(place, some)).besides


_PILES = {
    Source.HAND: "-hand",
    Source.RESERVE: "-reserve",
    Source.DISCARD_PILE: "-discard",
    Source.SIEGE: "-siege",
    Source.OWN_STOCK: "-draft",
    Source.STOCK: "-draft",
}


def piles_of(kind: type[Order], side: Side) -> tuple[str, ...]:
    """Return the piles in which the cards lie that orders of a kind name."""
    if kind.source is Source.SIEGE:
        return tuple(each.value + _PILES[kind.source] for each in Side)
    return (side.value + _PILES[kind.source], *(["neutral"] if kind.source is Source.STOCK else ()))


def hand_pile(side: Side) -> str:
    """Return the pile that is the hand of a side."""
    return side.value + _PILES[Source.HAND]


def _piled(state: State, order: Order, cards: _Cards) -> Counter[tuple[str, str]]:
    """Return the cards of an order, each with the pile that it lies in."""
    found = Counter((card, _pile(state, order, card)) for card in cards.named.elements())
    found.update((card, hand_pile(state.awaiting.side)) for card in cards.besides.elements())
    return found


def _pile(state: State, order: Order, card: str) -> str:
    """Return the pile in which a card lies that an order names."""
    if order.source is Source.STOCK and card in state.neutral:
        return "neutral"
    side = state.besieger(order.place) if order.source is Source.SIEGE else state.awaiting.side
    assert side is not None
    return side.value + _PILES[order.source]
