"""The legal orders as choices: the parts that can be added to an order, and the complete orders.

`legal_orders` lists all orders, which can be thousands, because discards, raids and the like allow
a free choice among cards. This module lists only the requested orders. An order is built in its
written sequence (`Prefix`) or from parts in any sequence (`Parts`).
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
from engine.order import Order, Source, UnreadableOrderError, order_text
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import State
from engine.value import Value

FREE_CHOICE_KINDS = tuple(kind for kind in ORDERS.values() if kind.has_choice)
"""The kinds of order with a free choice among cards: discard, raid, merchant and so on."""
MAX_TRIES = 300
"""The maximum number of choices among cards that are tried for a list."""
MAX_NEXT_ORDERS = 16
"""The maximum number of orders listed that contain the chosen parts."""


class Prefix(Value):
    """The beginning of an order: its kind, then its location if it has one, then cards.

    >>> from engine.orders import Settle
    >>> prefix = Prefix(Settle, "deerfield")
    >>> prefix.with_part("new-haven")
    Prefix(kind=<class 'engine.orders.Settle'>, location=deerfield, cards=('new-haven',))
    >>> prefix.to_order("new-haven", "boston").notation()
    'settle deerfield: new-haven, boston'
    """

    kind: type[Order]
    location: str | None = None
    cards: tuple[str, ...] = ()

    @classmethod
    def of(cls, order: Order) -> Prefix:
        """Return a whole order as a prefix.

        >>> from engine.orders import from_notation
        >>> Prefix.of(from_notation("take boston")).cards
        ('boston',)
        """
        return cls(type(order), order.location, order.cards)

    def with_part(self, part: str) -> Prefix:
        """Return the prefix with one more part: the location if it is missing, else a card.

        >>> from engine.orders import Raid
        >>> Prefix(Raid).with_part("boston").location
        'boston'
        """
        if self.kind.has_location and self.location is None:
            return self._replace(location=part)
        return self._replace(cards=(*self.cards, part))

    def is_prefix_of(self, other: Prefix) -> bool:
        """Return True if another prefix continues this one.

        >>> from engine.orders import Raid
        >>> Prefix(Raid).is_prefix_of(Prefix(Raid, "boston", ("gaspe",)))
        True
        """
        return (
            self.kind is other.kind
            and self.location in (None, other.location)
            and other.cards[: len(self.cards)] == self.cards
        )

    def next_part(self, continuation: Prefix) -> str | None:
        """Return the part that follows this prefix in a prefix that continues it, or None.

        >>> from engine.orders import Raid
        >>> Prefix(Raid).next_part(Prefix(Raid, "boston", ("gaspe",)))
        'boston'
        """
        if self.location != continuation.location:
            return continuation.location
        return next(iter(continuation.cards[len(self.cards) :]), None)

    def text(self, name: Callable[[str], Phrase]) -> Message:
        """Return the prefix in the notation of players; `name` maps an id to a name.

        >>> from engine.orders import Raid
        >>> Prefix(Raid, "boston").text(str.title)
        Message('raid Boston')
        """
        return order_text(self.kind.verb_label(), self.location, [*map(name, self.cards)], name)

    def to_order(self, *cards: str) -> Order | None:
        """Return the order with `cards` added, or None if a part is missing.

        >>> from engine.orders import Raid
        >>> Prefix(Raid, "boston").to_order() is None
        True
        """
        try:
            return self.kind(self.location, (*self.cards, *cards))
        except ValueError:
            return None


class Parts(NamedTuple):
    """Parts of an order in any sequence; a card occurs once for each copy.

    An order has these parts if it has their kind and location, unless they are None, and all the
    cards. Each card is either named by the order or also taken from hand (for example the Trader).
    `piles` are the piles of the cards, for example `british-hand`; any of them can be empty, and
    all can be omitted.

    >>> Parts.of(["kind:raid", "location:boston"])
    Parts(kind=<class 'engine.orders.Raid'>, location='boston', cards=(), piles=())
    """

    kind: type[Order] | None = None
    location: str | None = None
    cards: tuple[str, ...] = ()
    piles: tuple[str, ...] = ()

    @classmethod
    def of(cls, keys: Iterable[str]) -> Parts:
        """Return the parts with keys such as `kind:raid`, `location:boston`, `card:boston@neutral`.

        Raises UnreadableOrderError for an invalid key, and for two kinds or locations.

        >>> Parts.of(["card:boston@british-hand"]).piles
        ('british-hand',)
        >>> Parts.of(["kind:charge"])
        Traceback (most recent call last):
        engine.order.UnreadableOrderError: “kind:charge” cannot be chosen.
        """
        ids: dict[str, list[str]] = {"kind": [], "location": [], "card": []}
        for key in keys:
            part, _, id = key.partition(":")
            if part not in ids or not id or (part == "kind" and id not in ORDERS):
                raise UnreadableOrderError("“{key}” cannot be chosen.", key=key)
            ids[part].append(id)
        if len(ids["kind"]) > 1 or len(ids["location"]) > 1:
            raise UnreadableOrderError("An order does one thing, in one location.")
        kind = ORDERS[ids["kind"][0]] if ids["kind"] else None
        cards = [card.partition("@") for card in ids["card"]]
        piles = tuple(pile for _, _, pile in cards)
        place = next(iter(ids["location"]), None)
        return cls(kind, place, tuple(card for card, *_ in cards), piles if any(piles) else ())

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the parts: kind, location, then cards.

        >>> Parts(None, "boston", ("militia",)).keys
        ('location:boston', 'card:militia')
        """
        kind = (f"kind:{self.kind.verb}",) if self.kind else ()
        location = (f"location:{self.location}",) if self.location else ()
        pairs = zip_longest(self.cards, self.piles, fillvalue="")
        return *kind, *location, *(f"card:{'@'.join(filter(None, pair))}" for pair in pairs)

    @property
    def cards_in_piles(self) -> Counter[tuple[str, str]]:
        """The (card, pile) pairs of the cards with a pile."""
        pairs = zip(self.cards, self.piles, strict=False)
        return Counter((card, pile) for card, pile in pairs if pile)


class NextParts(NamedTuple):
    """The parts that can be added to others, and the orders that result.

    Each of `kinds`, `locations` and `cards` can be added and leads to a legal order. `cards` maps
    each card to its piles, for example `british-hand`, `british-draft`, `neutral` or
    `french-siege`.

    `complete` contains the legal orders that need no more parts: several if a card can serve
    different purposes or no kind is chosen. `orders` contains these and, if there are few, all
    other orders with the chosen parts; `is_all` is true if it is complete.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> next_parts = Choices([state]).next_parts(Parts(ORDERS["draft"], None, ("rangers",)))
    >>> [order.notation() for order in next_parts.complete], next_parts.is_all
    (['draft rangers'], True)
    """

    kinds: tuple[type[Order], ...]
    locations: tuple[str, ...]
    cards: Mapping[str, tuple[str, ...]]
    complete: tuple[Order, ...]
    orders: tuple[Order, ...]
    is_all: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all parts that can be added, with the piles of the cards."""
        return (
            *(f"kind:{kind.verb}" for kind in self.kinds),
            *(f"location:{place}" for place in self.locations),
            *(f"card:{card}@{pile}" for card, piles in self.cards.items() for pile in piles),
        )


class _Start(NamedTuple):
    """The beginning of an order with a free choice among the cards of the `pool`.

    `extra` are the cards that the order also takes from hand, in addition to those that it names.
    """

    world: State
    prefix: Prefix
    pool: Counter[str]
    extra: Counter[str]

    def with_cards(self, *cards: str) -> _Start:
        """Return a copy with `cards` added."""
        return self._replace(prefix=self.prefix._replace(cards=(*self.prefix.cards, *cards)))

    def unused_cards(self) -> list[str]:
        """Return the cards of the pool that the prefix does not contain."""
        return sorted((self.pool - Counter(self.prefix.cards)).elements())

    def cards(self) -> set[str]:
        """Return the cards that such an order can contain, in any part."""
        return {*self.prefix.cards, *self.pool, *self.extra}

    def is_viable(self) -> bool:
        """Return True if the start can be completed to a legal order.

        A choice among cards is illegal if it is too small or too expensive, or if none of the cards
        of a raid can raid by itself. Trying the cheapest choice of each size is therefore enough.
        """
        world, side = self.world, self.world.awaiting.side
        cards = sorted(self.unused_cards(), key=lambda card: find_card(world, side, card).raid_cost)
        raiders = (i for i, card in enumerate(cards) if find_card(world, side, card).raid)
        index = next(raiders, 0)
        raider_first = [*cards[index : index + 1], *cards[:index], *cards[index + 1 :]]
        for cheapest in (cards, raider_first)[: 1 + (index > 0)]:
            for count in range(len(cheapest) + 1):
                order = self.prefix.to_order(*cheapest[:count])
                if order is not None and is_legal(world, order):
                    return True
        return False

    def orders(self) -> Iterator[Order]:
        """Yield the legal and illegal orders with the prefix, those with fewer cards first."""
        for cards in subsets(self.unused_cards(), 0, self.prefix.kind.max_cards):
            order = self.prefix.to_order(*cards)
            if order is not None:
                yield order


class Choices:
    """The legal orders of a player in one or several possible positions, which must not change.

    Every legal order can be reached by adding the offered parts, and every offered part leads to a
    legal order.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> state.players[Side.BRITISH].hand = ["new-haven", "boston", "norfolk"]
    >>> choices = Choices([state])
    >>> [kind.verb for kind in choices.kinds()]
    ['settle', 'develop', 'besiege', 'take', 'merchant', 'draft', 'discard', 'pass']
    >>> choices.parts(Prefix(ORDERS["settle"]))
    ['baltimore']
    """

    def __init__(self, worlds: Iterable[State]) -> None:
        self.worlds = tuple(worlds)
        orders = chain.from_iterable(legal_orders(w, FREE_CHOICE_KINDS) for w in self.worlds)
        self._fixed_orders = {order: cards_of(self.worlds[0], order) for order in orders}
        """The legal orders of the kinds without a free choice among cards, with their cards."""
        self._starts: dict[type[Order], list[_Start]] = {}
        self._parts: dict[Prefix, list[str]] = {}
        self._lists: dict[tuple[Prefix, int], list[Order] | None] = {}
        self._next_parts: dict[Parts, NextParts] = {}

    def is_legal(self, order: Order) -> bool:
        """Return True if an order is legal in one of the positions.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> Choices([state]).is_legal(ORDERS["pass"]())
        True
        """
        return any(is_legal(world, order) for world in self.worlds)

    def is_certain(self, order: Order) -> bool:
        """Return True if an order is legal in all of the positions.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> poor = state.copy()
        >>> poor.players[Side.BRITISH].money = 0
        >>> rangers = ORDERS["draft"].of("rangers")
        >>> Choices([state, poor]).is_legal(rangers), Choices([state, poor]).is_certain(rangers)
        (True, False)
        """
        return all(is_legal(world, order) for world in self.worlds)

    def world_of(self, order: Order) -> State:
        """Return the first position in which an order is legal. Raises StopIteration if none is.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> Choices([state]).world_of(ORDERS["pass"]()) is state
        True
        """
        return next(world for world in self.worlds if is_legal(world, order))

    # --- by prefix

    def kinds(self) -> list[type[Order]]:
        """Return the kinds with at least one legal order.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [kind.verb for kind in choices.kinds()]
        ['develop', 'take', 'merchant', 'draft', 'discard', 'pass']
        """
        fixed_kinds = {*map(type, self._fixed_orders)}
        return [kind for kind in ORDERS.values() if kind in fixed_kinds or self._starts_of(kind)]

    def parts(self, prefix: Prefix) -> list[str]:
        """Return the ids of the locations or cards that can follow a prefix.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> choices.parts(Prefix(ORDERS["merchant"]))
        ['boston', 'norfolk']
        """
        if prefix not in self._parts:
            self._parts[prefix] = list(dict.fromkeys(self._find_parts(prefix)))
        return self._parts[prefix]

    def order(self, prefix: Prefix) -> Order | None:
        """Return the order of a prefix if it is complete and legal, else None.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> choices.order(Prefix(ORDERS["take"], None, ("boston",))).notation()
        'take boston'
        >>> choices.order(Prefix(ORDERS["take"])) is None
        True
        """
        order = prefix.to_order()
        return order if order is not None and self.is_legal(order) else None

    def orders(self, prefix: Prefix, limit: int) -> list[Order] | None:
        """Return all legal orders with a prefix.

        Returns None if there are more than `limit`, or too many choices among cards to try.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [order.notation() for order in choices.orders(Prefix(ORDERS["discard"]), limit=3)]
        ['discard boston', 'discard norfolk', 'discard boston, norfolk']
        >>> choices.orders(Prefix(ORDERS["discard"]), limit=2) is None
        True
        """
        if (prefix, limit) not in self._lists:
            orders, starts = self._fixed_orders_from(prefix), self._starts_from(prefix)
            self._lists[prefix, limit] = self._collect_orders(orders, [starts], limit)
        return self._lists[prefix, limit]

    def some_orders(self, prefix: Prefix | None = None) -> Iterator[Order]:
        """Yield legal orders with a prefix, or of all kinds, but not all choices among cards.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> next(choices.some_orders()).notation()
        'develop norfolk: boston'
        """
        for head in [prefix] if prefix else map(Prefix, self.kinds()):
            yield from self._fixed_orders_from(head)
            starts = self._starts_from(head)
            attempts = chain.from_iterable(start.orders() for start in starts)
            yield from filter(self.is_legal, dict.fromkeys(islice(attempts, MAX_TRIES)))

    def list_orders(self, kind: type[Order], limit: int) -> tuple[list[Order], bool]:
        """Return legal orders of a kind, and True if these are all of them.

        Tries about `limit` choices among cards, those with few cards first, and equally many for
        each location or first card of such an order.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> orders, is_complete = choices.list_orders(ORDERS["discard"], limit=100)
        >>> len(orders), is_complete
        (3, True)
        """
        orders, is_complete = dict.fromkeys(self._fixed_orders_from(Prefix(kind))), True
        share = limit // max(1, len(self._starts_of(kind)))
        for start in self._starts_of(kind):
            attempts = list(islice(start.orders(), share + 1))
            is_complete = is_complete and len(attempts) <= share
            orders |= dict.fromkeys(filter(self.is_legal, attempts[:share]))
        return list(orders), is_complete

    def _fixed_orders_from(self, prefix: Prefix) -> Iterator[Order]:
        return (order for order in self._fixed_orders if prefix.is_prefix_of(Prefix.of(order)))

    def _starts_from(self, prefix: Prefix) -> Iterator[_Start]:
        """Yield the starts that continue `prefix`."""
        for start in self._starts_of(prefix.kind):
            if prefix.is_prefix_of(start.prefix):
                yield start
            elif start.prefix.is_prefix_of(prefix):
                yield start._replace(prefix=prefix)

    def _find_parts(self, prefix: Prefix) -> Iterator[str]:
        prefixes = [Prefix.of(order) for order in self._fixed_orders_from(prefix)]
        for start in self._starts_from(prefix):
            if start.prefix != prefix:
                prefixes.append(start.prefix)
            else:
                cards = dict.fromkeys(start.unused_cards())
                prefixes += (s.prefix for s in map(start.with_cards, cards) if s.is_viable())
        return filter(None, map(prefix.next_part, prefixes))

    def _starts_of(self, kind: type[Order]) -> list[_Start]:
        """Return the starts of a kind that lead to legal orders."""
        if kind not in self._starts:
            self._starts[kind] = list(self._find_starts(kind)) if kind.has_choice else []
        return self._starts[kind]

    def _find_starts(self, kind: type[Order]) -> Iterator[_Start]:
        for world in self.worlds:
            hand = Hand(world, world.awaiting.side)
            pool = Counter(ACTIONS[kind].pool(hand))
            places = sorted(world.board) if kind.has_location else [None]
            leading = product(sorted({*hand.card_ids}), repeat=kind.fixed_count)
            for place, cards in product(places, leading) if pool else ():
                start = _Start(world, Prefix(kind, place, cards), pool, extra_cards(world, kind))
                # If the kind takes only cards, some of them may be illegal and others not.
                firsts = {*pool} if start.prefix == Prefix(kind) else ()
                if start.is_viable() or any(start.with_cards(card).is_viable() for card in firsts):
                    yield start

    # --- by parts in any sequence

    def next_parts(self, parts: Parts) -> NextParts:
        """Return the parts that can be added to `parts`, and the orders that result.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["norfolk", "boston"]
        >>> Choices([state]).next_parts(Parts.of(["kind:take"])).keys
        ('card:boston@british-hand', 'card:norfolk@british-hand')
        """
        if parts not in self._next_parts:
            self._next_parts[parts] = self._find_next_parts(parts)
        return self._next_parts[parts]

    def exact_orders(self, parts: Parts) -> tuple[Order, ...]:
        """Return the legal orders of any kind that have exactly these parts.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [order.notation() for order in choices.exact_orders(Parts(None, None, ("boston",)))]
        ['take boston', 'discard boston']
        """
        part_cards = Counter(parts.cards)
        orders = {
            order: None
            for order, (order_cards, _) in self._fixed_orders_with(parts)
            if order.location == parts.location and order_cards <= part_cards
        }
        for start in self._starts_with(parts):
            for cards in (part_cards, part_cards - start.extra):
                prefix = start.with_cards(*(cards - Counter(start.prefix.cards)).elements()).prefix
                order = prefix.to_order() if Counter(prefix.cards) == cards else None
                if order and prefix.location == parts.location and is_legal(start.world, order):
                    orders[order] = None
        return tuple(orders)

    def has_order(self, parts: Parts) -> bool:
        """Return True if a legal order has these parts.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> choices.has_order(Parts(ORDERS["take"])), choices.has_order(Parts(ORDERS["raid"]))
        (True, False)
        """
        return any(True for _ in chain(self._fixed_orders_with(parts), self._viable_starts(parts)))

    def orders_with(self, parts: Parts, limit: int) -> list[Order] | None:
        """Return all legal orders with `parts`.

        Returns None if there are more than `limit`, or too many choices among cards to try.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [order.notation() for order in choices.orders_with(Parts(ORDERS["take"]), limit=5)]
        ['take boston', 'take norfolk']
        """
        fixed_orders = (order for order, _ in self._fixed_orders_with(parts))
        kinds = (kind for kind in FREE_CHOICE_KINDS if parts.kind in (None, kind))
        starts = (self._viable_starts(parts._replace(kind=kind)) for kind in kinds)
        return self._collect_orders(fixed_orders, starts, limit)

    def _find_next_parts(self, parts: Parts) -> NextParts:
        kinds, places = set[type[Order]](), set[str | None]()
        piles: defaultdict[str, set[str]] = defaultdict(set)
        state, part_cards, pairs = self.worlds[0], Counter(parts.cards), parts.cards_in_piles
        for order, cards in self._fixed_orders_with(parts):
            kinds.add(type(order))
            places.add(order.location)
            other_cards = (cards.in_order + cards.extra) - part_cards
            for card, pile in _cards_in_piles(state, order, cards) - pairs:
                if card in other_cards:
                    piles[card].add(pile)
        starts = list(self._viable_starts(parts))
        kinds |= {start.prefix.kind for start in starts}
        places |= {start.prefix.location for start in starts}
        for card in {card for start in starts for card in start.cards()}:
            longer = parts._replace(cards=(*parts.cards, card))
            if any(True for _ in self._viable_starts(longer)):
                piles[card].add(hand_pile(state.awaiting.side))
        complete, all_orders = self.exact_orders(parts), self.orders_with(parts, MAX_NEXT_ORDERS)
        return NextParts(
            kinds=tuple(k for k in ORDERS.values() if k in kinds) if parts.kind is None else (),
            locations=tuple(sorted(filter(None, places))) if parts.location is None else (),
            cards={card: tuple(sorted(piles[card])) for card in sorted(piles)},
            complete=complete,
            orders=tuple(dict.fromkeys((*complete, *(all_orders or ())))),
            is_all=all_orders is not None,
        )

    def _fixed_orders_with(self, parts: Parts) -> Iterator[tuple[Order, _OrderCards]]:
        """Yield the orders with `parts` of the kinds without a free choice among cards."""
        part_cards, pairs = Counter(parts.cards), parts.cards_in_piles
        for order, cards in self._fixed_orders.items():
            fits = parts.location in (None, order.location) and parts.kind in (None, type(order))
            has_all = fits and part_cards <= cards.in_order + cards.extra
            if has_all and pairs <= _cards_in_piles(self.worlds[0], order, cards):
                yield order, cards

    def _starts_with(self, parts: Parts) -> Iterator[_Start]:
        """Yield the starts with this kind and location."""
        if {"", hand_pile(self.worlds[0].awaiting.side)} >= {*parts.piles}:
            for kind in FREE_CHOICE_KINDS if parts.kind is None else {parts.kind}:
                for start in self._starts_of(kind):
                    if parts.location in (None, start.prefix.location):
                        yield start

    def _viable_starts(self, parts: Parts) -> Iterator[_Start]:
        """Yield each start with these parts that leads to a legal order."""
        for start in self._starts_with(parts):
            cards = Counter(parts.cards) - start.extra - Counter(start.prefix.cards)
            longer = start.with_cards(*sorted(cards.elements()))
            if not cards or longer.is_viable():
                yield longer

    def _collect_orders(
        self, orders: Iterable[Order], starts: Iterable[Iterable[_Start]], limit: int
    ) -> list[Order] | None:
        """Return `orders` and the legal ones from `starts`, or None if there are too many."""
        orders = dict.fromkeys(orders)
        for group in starts:
            attempts = (order for start in group for order in start.orders())
            for number, order in enumerate(attempts):
                if number >= MAX_TRIES or len(orders) > limit:
                    return None
                if self.is_legal(order):
                    orders[order] = None
        return list(orders) if len(orders) <= limit else None


class _OrderCards(NamedTuple):
    """The cards that an order names, and the extra cards that it also takes from hand."""

    in_order: Counter[str]
    extra: Counter[str]


def cards_of(state: State, order: Order) -> _OrderCards:
    """Return the cards that an order of the awaited side names or also takes from hand.

    Raises IllegalOrderError if the order takes a card that this side does not have in this game.

    >>> from engine.orders import from_notation
    >>> from engine.state import new_game
    >>> cards_of(new_game(), from_notation("develop albany: boston")).extra
    Counter({'albany': 1})
    """
    in_order = Counter(order.cards)
    from_hand = Counter(ACTIONS[type(order)].cards_played(state, state.awaiting.side, order))
    return _OrderCards(in_order, from_hand - in_order if order.source is Source.HAND else from_hand)


def extra_cards(state: State, kind: type[Order], place: str | None = None) -> Counter[str]:
    """Return the cards that orders of a kind take from hand without naming them.

    >>> from engine.orders import Trade
    >>> from engine.state import new_game
    >>> extra_cards(new_game(), Trade)
    Counter({'trader': 1})
    """
    place = (place or next(iter(state.board))) if kind.has_location else None
    cards = tuple(state.ruleset.catalogue.cards[state.awaiting.side])[: kind.min_cards]
    return cards_of(state, kind(place, cards)).extra


_PILES = {
    Source.HAND: "-hand",
    Source.RESERVE: "-reserve",
    Source.DISCARD_PILE: "-discard",
    Source.SIEGE: "-siege",
    Source.OWN_STOCK: "-draft",
    Source.STOCK: "-draft",
}


def piles_of(kind: type[Order], side: Side) -> tuple[str, ...]:
    """Return the piles with the cards that orders of a kind name.

    >>> from engine.orders import Draft
    >>> piles_of(Draft, Side.BRITISH)
    ('british-draft', 'neutral')
    """
    if kind.source is Source.SIEGE:
        return tuple(owner.value + _PILES[kind.source] for owner in Side)
    return (side.value + _PILES[kind.source], *(["neutral"] if kind.source is Source.STOCK else ()))


def hand_pile(side: Side) -> str:
    """Return the name of the pile that is the hand of a side.

    >>> hand_pile(Side.FRENCH)
    'french-hand'
    """
    return side.value + _PILES[Source.HAND]


def _cards_in_piles(state: State, order: Order, cards: _OrderCards) -> Counter[tuple[str, str]]:
    pairs = Counter((card, _pile(state, order, card)) for card in cards.in_order.elements())
    pairs.update((card, hand_pile(state.awaiting.side)) for card in cards.extra.elements())
    return pairs


def _pile(state: State, order: Order, card: str) -> str:
    if order.source is Source.STOCK and card in state.neutral:
        return "neutral"
    side = state.besieger(order.target) if order.source is Source.SIEGE else state.awaiting.side
    assert side is not None
    return side.value + _PILES[order.source]
