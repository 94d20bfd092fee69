"""The legal orders as choices: the parts that can be added to an order, and the complete orders.

`legal_orders` lists all orders, which can be thousands, because discards, raids and the like take
any choice among cards. Here only the orders asked for are listed. An order is built in its written
sequence (`Prefix`) or from parts in any sequence (`Parts`).
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

CHOOSING = tuple(kind for kind in ORDERS.values() if kind.max_cards > max(kind.fixed_count, 1))
"""The kinds of order that take any choice among cards: discard, raid, merchant and so on."""
MAX_TRIED = 300
"""The number of choices among cards that are tried for a list before it is given up."""
MAX_FOLLOWING = 16
"""The number of orders with the chosen parts, and more, that are listed."""


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

    def next_part_of(self, other: Prefix) -> Iterator[str]:
        """Yield the next part of another prefix that continues this one, if there is one.

        >>> from engine.orders import Raid
        >>> list(Prefix(Raid).next_part_of(Prefix(Raid, "boston", ("gaspe",))))
        ['boston']
        """
        place = () if self.location or other.location is None else (other.location,)
        return islice((*place, *other.cards[len(self.cards) :]), 1)

    def text(self, name: Callable[[str], Phrase]) -> Message:
        """Return the prefix in the notation of players; `name` maps an id to a name.

        >>> from engine.orders import Raid
        >>> Prefix(Raid, "boston").text(str.title)
        Message('raid Boston')
        """
        return order_text(self.kind.verb_label(), self.location, [*map(name, self.cards)], name)

    def to_order(self, *more: str) -> Order | None:
        """Return the order with these cards added, or None if something is missing.

        >>> from engine.orders import Raid
        >>> Prefix(Raid, "boston").to_order() is None
        True
        """
        try:
            return self.kind(self.location, (*self.cards, *more))
        except ValueError:
            return None


class Parts(NamedTuple):
    """Parts of an order in any sequence; a card occurs once for each copy.

    An order has these parts if it has their kind and location, unless they are None, and each card
    is one that it names, or that it takes from hand besides, such as a Trader. `piles` are the
    piles in which the cards lie, such as `british-hand`: each can be empty, and all can be left
    out.

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

        Raises UnreadableOrderError for a text that is no key, and for two kinds or locations.

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
        """The keys of these parts: kind, location, then cards.

        >>> Parts(None, "boston", ("militia",)).keys
        ('location:boston', 'card:militia')
        """
        kind = (f"kind:{self.kind.verb}",) if self.kind else ()
        location = (f"location:{self.location}",) if self.location else ()
        piled = zip_longest(self.cards, self.piles, fillvalue="")
        return *kind, *location, *(f"card:{'@'.join(filter(None, at))}" for at in piled)

    @property
    def cards_in_piles(self) -> Counter[tuple[str, str]]:
        """The (card, pile) pairs of the cards with a pile."""
        pairs = zip(self.cards, self.piles, strict=False)
        return Counter((card, pile) for card, pile in pairs if pile)


class NextParts(NamedTuple):
    """The parts that can be added to others, and the orders that they lead to.

    Each of `kinds`, `locations` and `cards` can be added and leads to a legal order. `cards` maps
    each card to the piles in which it lies, such as `british-hand`, `british-draft`, `neutral` or
    `french-siege`.

    `complete` has the legal orders that need no more parts: several if a card can serve different
    purposes or no kind is chosen. `orders` has these and, if there are few, all other orders with
    the chosen parts; `is_all` is true if there are no more.

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
    """The beginning of an order that takes any choice among the cards of the `pool`.

    `extra` are the cards that it takes from hand besides those that it names.
    """

    world: State
    prefix: Prefix
    pool: Counter[str]
    extra: Counter[str]

    def adding(self, *cards: str) -> _Start:
        """Return the start with `cards` added."""
        return self._replace(prefix=self.prefix._replace(cards=(*self.prefix.cards, *cards)))

    def rest(self) -> list[str]:
        """Return the cards of the pool that are not chosen yet."""
        return sorted((self.pool - Counter(self.prefix.cards)).elements())

    def cards(self) -> set[str]:
        """Return the cards that such an order can have, in any part."""
        return {*self.prefix.cards, *self.pool, *self.extra}

    def is_viable(self) -> bool:
        """Return True if it can be completed to a legal order.

        A choice among cards is refused for being too small or too expensive, or, in a raid, because
        no card in it can raid by itself. So it is enough to try the cheapest choice of each size.
        """
        world, side = self.world, self.world.awaiting.side
        rest = sorted(self.rest(), key=lambda card: find_card(world, side, card).raid_cost)
        raids = (at for at, card in enumerate(rest) if find_card(world, side, card).raid)
        at = next(raids, 0)
        raid_first = [*rest[at : at + 1], *rest[:at], *rest[at + 1 :]]
        for cheapest in (rest, raid_first)[: 1 + (at > 0)]:
            for count in range(len(cheapest) + 1):
                order = self.prefix.to_order(*cheapest[:count])
                if order is not None and is_legal(world, order):
                    return True
        return False

    def choices(self) -> Iterator[Order]:
        """Yield the orders with this beginning, legal or not, those with the fewest cards first."""
        for more in subsets(self.rest(), 0, self.prefix.kind.max_cards):
            order = self.prefix.to_order(*more)
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
        listed = chain.from_iterable(legal_orders(world, CHOOSING) for world in self.worlds)
        self._few = {order: cards_of(self.worlds[0], order) for order in listed}
        """The legal orders of the kinds without a choice among cards, with their cards."""
        self._starts: dict[type[Order], list[_Start]] = {}
        self._parts: dict[Prefix, list[str]] = {}
        self._lists: dict[tuple[Prefix, int], list[Order] | None] = {}
        self._following: dict[Parts, NextParts] = {}

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
        """Return the first position that a legal order is legal in.

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
        listed = {*map(type, self._few)}
        return [kind for kind in ORDERS.values() if kind in listed or self._starts_of(kind)]

    def parts(self, prefix: Prefix) -> list[str]:
        """Return the ids of the locations or cards that can come next.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> choices.parts(Prefix(ORDERS["merchant"]))
        ['boston', 'norfolk']
        """
        if prefix not in self._parts:
            self._parts[prefix] = list(dict.fromkeys(self._next(prefix)))
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

    def orders(self, prefix: Prefix, most: int) -> list[Order] | None:
        """Return all legal orders that begin so; None if there are more than `most`.

        Also None if there are too many choices among cards to try.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [order.notation() for order in choices.orders(Prefix(ORDERS["discard"]), most=3)]
        ['discard boston', 'discard norfolk', 'discard boston, norfolk']
        >>> choices.orders(Prefix(ORDERS["discard"]), most=2) is None
        True
        """
        if (prefix, most) not in self._lists:
            self._lists[prefix, most] = self._few_orders(
                self._fixed_orders(prefix), [self._continued_starts(prefix)], most
            )
        return self._lists[prefix, most]

    def some_orders(self, prefix: Prefix | None = None) -> Iterator[Order]:
        """Yield legal orders with a prefix, or of all kinds; not all choices among cards.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> next(choices.some_orders()).notation()
        'develop norfolk: boston'
        """
        for head in [prefix] if prefix else map(Prefix, self.kinds()):
            yield from self._fixed_orders(head)
            starts = self._continued_starts(head)
            attempts = chain.from_iterable(start.choices() for start in starts)
            yield from filter(self.is_legal, dict.fromkeys(islice(attempts, MAX_TRIED)))

    def list_orders(self, kind: type[Order], most: int) -> tuple[list[Order], bool]:
        """Return legal orders of a kind, and True if these are all of them.

        About `most` choices among cards are tried, those with few cards first, and equally many for
        each location or first card of such an order.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> orders, is_all = choices.list_orders(ORDERS["discard"], most=100)
        >>> len(orders), is_all
        (3, True)
        """
        orders, is_whole = dict.fromkeys(self._fixed_orders(Prefix(kind))), True
        share = most // max(1, len(self._starts_of(kind)))
        for start in self._starts_of(kind):
            attempts = list(islice(start.choices(), share + 1))
            is_whole = is_whole and len(attempts) <= share
            orders |= dict.fromkeys(filter(self.is_legal, attempts[:share]))
        return list(orders), is_whole

    def _fixed_orders(self, prefix: Prefix) -> Iterator[Order]:
        return (order for order in self._few if prefix.is_prefix_of(Prefix.of(order)))

    def _continued_starts(self, prefix: Prefix) -> Iterator[_Start]:
        """Yield each choice among cards with a prefix, with its location and first card."""
        for start in self._starts_of(prefix.kind):
            if prefix.is_prefix_of(start.prefix):
                yield start
            elif start.prefix.is_prefix_of(prefix):
                yield start._replace(prefix=prefix)

    def _next(self, prefix: Prefix) -> Iterator[str]:
        for order in self._fixed_orders(prefix):
            yield from prefix.next_part_of(Prefix.of(order))
        for start in self._continued_starts(prefix):
            if start.prefix != prefix:
                yield from prefix.next_part_of(start.prefix)
            else:
                cards = dict.fromkeys(start.rest())
                yield from (card for card in cards if start.adding(card).is_viable())

    def _starts_of(self, kind: type[Order]) -> list[_Start]:
        """Return the choices among cards of a kind that lead to legal orders, as starts."""
        if kind not in self._starts:
            self._starts[kind] = list(self._find_starts(kind)) if kind in CHOOSING else []
        return self._starts[kind]

    def _find_starts(self, kind: type[Order]) -> Iterator[_Start]:
        for world in self.worlds:
            hand = Hand(world, world.awaiting.side)
            pool = Counter(ACTIONS[kind].pool(hand))
            places = sorted(world.board) if kind.has_location else [None]
            leading = product(sorted({*hand.card_ids}), repeat=kind.fixed_count)
            for place, cards in product(places, leading) if pool else ():
                start = _Start(world, Prefix(kind, place, cards), pool, extras(world, kind))
                # If the kind takes cards only, some of them can be forbidden and others not.
                firsts = {*pool} if start.prefix == Prefix(kind) else ()
                if start.is_viable() or any(start.adding(card).is_viable() for card in firsts):
                    yield start

    # --- by parts in any sequence

    def next_parts(self, parts: Parts) -> NextParts:
        """Return the parts that can be added to `parts`, and the orders that they lead to.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["norfolk", "boston"]
        >>> Choices([state]).next_parts(Parts.of(["kind:take"])).keys
        ('card:boston@british-hand', 'card:norfolk@british-hand')
        """
        if parts not in self._following:
            self._following[parts] = self._follow(parts)
        return self._following[parts]

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
        wanted = Counter(parts.cards)
        orders = {
            order: None
            for order, (named, _) in self._fixed_orders_with(parts)
            if order.location == parts.location and named <= wanted
        }
        for start in self._starts_with(parts):
            for named in (wanted, wanted - start.extra):
                prefix = start.adding(*(named - Counter(start.prefix.cards)).elements()).prefix
                order = prefix.to_order() if Counter(prefix.cards) == named else None
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
        return any(True for _ in chain(self._fixed_orders_with(parts), self._choices_with(parts)))

    def orders_with(self, parts: Parts, most: int) -> list[Order] | None:
        """Return all legal orders with these parts; None if there are more than `most`.

        Also None if there are too many choices among cards to try.

        >>> from engine.state import new_game
        >>> from engine.turn import begin_turn
        >>> begin_turn(state := new_game())
        >>> state.players[Side.BRITISH].hand = ["boston", "norfolk"]
        >>> choices = Choices([state])
        >>> [order.notation() for order in choices.orders_with(Parts(ORDERS["take"]), most=5)]
        ['take boston', 'take norfolk']
        """
        few = (order for order, _ in self._fixed_orders_with(parts))
        kinds = (kind for kind in CHOOSING if parts.kind in (None, kind))
        choices = (self._choices_with(parts._replace(kind=kind)) for kind in kinds)
        return self._few_orders(few, choices, most)

    def _follow(self, parts: Parts) -> NextParts:
        kinds, places = set[type[Order]](), set[str | None]()
        piles: defaultdict[str, set[str]] = defaultdict(set)
        state, wanted, piled = self.worlds[0], Counter(parts.cards), parts.cards_in_piles
        for order, has in self._fixed_orders_with(parts):
            kinds.add(type(order))
            places.add(order.location)
            rest = (has.named + has.extra) - wanted
            for card, pile in _cards_in_piles(state, order, has) - piled:
                if card in rest:
                    piles[card].add(pile)
        starts = list(self._choices_with(parts))
        kinds |= {start.prefix.kind for start in starts}
        places |= {start.prefix.location for start in starts}
        for card in {card for start in starts for card in start.cards()}:
            more = parts._replace(cards=(*parts.cards, card))
            if any(True for _ in self._choices_with(more)):
                piles[card].add(hand_pile(state.awaiting.side))
        whole, listed = self.exact_orders(parts), self.orders_with(parts, MAX_FOLLOWING)
        return NextParts(
            kinds=tuple(k for k in ORDERS.values() if k in kinds) if parts.kind is None else (),
            locations=tuple(sorted(filter(None, places))) if parts.location is None else (),
            cards={card: tuple(sorted(piles[card])) for card in sorted(piles)},
            complete=whole,
            orders=tuple(dict.fromkeys((*whole, *(listed or ())))),
            is_all=listed is not None,
        )

    def _fixed_orders_with(self, parts: Parts) -> Iterator[tuple[Order, _Cards]]:
        """Yield the orders with these parts of the kinds without a choice among cards."""
        wanted, piled = Counter(parts.cards), parts.cards_in_piles
        for order, cards in self._few.items():
            fits = parts.location in (None, order.location) and parts.kind in (None, type(order))
            has_all = fits and wanted <= cards.named + cards.extra
            if has_all and piled <= _cards_in_piles(self.worlds[0], order, cards):
                yield order, cards

    def _starts_with(self, parts: Parts) -> Iterator[_Start]:
        """Yield the starts of choices among cards in hand with this kind and location."""
        if {"", hand_pile(self.worlds[0].awaiting.side)} >= {*parts.piles}:
            for kind in CHOOSING if parts.kind is None else {parts.kind}:
                for start in self._starts_of(kind):
                    if parts.location in (None, start.prefix.location):
                        yield start

    def _choices_with(self, parts: Parts) -> Iterator[_Start]:
        """Yield each choice among cards with these parts that leads to a legal order."""
        for start in self._starts_with(parts):
            named = Counter(parts.cards) - start.extra - Counter(start.prefix.cards)
            more = start.adding(*sorted(named.elements()))
            if not named or more.is_viable():
                yield more

    def _few_orders(
        self, few: Iterable[Order], choices: Iterable[Iterable[_Start]], most: int
    ) -> list[Order] | None:
        """Return orders and the legal ones of choices, or None if they are many or slow to find."""
        orders = dict.fromkeys(few)
        for starts in choices:
            attempts = (order for start in starts for order in start.choices())
            for number, order in enumerate(attempts):
                if number >= MAX_TRIED or len(orders) > most:
                    return None
                if self.is_legal(order):
                    orders[order] = None
        return list(orders) if len(orders) <= most else None


class _Cards(NamedTuple):
    """The cards of an order: those that it names, and the extra ones that it takes from hand."""

    named: Counter[str]
    extra: Counter[str]


def cards_of(state: State, order: Order) -> _Cards:
    """Return the cards of an order of the awaited side: those named, and those taken besides.

    Raises IllegalOrderError if it takes a card that this side does not have in this game.

    >>> from engine.orders import from_notation
    >>> from engine.state import new_game
    >>> cards_of(new_game(), from_notation("develop albany: boston")).extra
    Counter({'albany': 1})
    """
    named = Counter(order.cards)
    in_hand = Counter(ACTIONS[type(order)].cards_played(state, state.awaiting.side, order))
    return _Cards(named, in_hand - named if order.source is Source.HAND else in_hand)


def extras(state: State, kind: type[Order], place: str | None = None) -> Counter[str]:
    """Return the cards that orders of a kind take from hand without naming them.

    >>> from engine.orders import Trade
    >>> from engine.state import new_game
    >>> extras(new_game(), Trade)
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


def _cards_in_piles(state: State, order: Order, cards: _Cards) -> Counter[tuple[str, str]]:
    """Return the (card, pile) pairs of an order."""
    pairs = Counter((card, _pile(state, order, card)) for card in cards.named.elements())
    pairs.update((card, hand_pile(state.awaiting.side)) for card in cards.extra.elements())
    return pairs


def _pile(state: State, order: Order, card: str) -> str:
    """Return the pile of a card that an order names."""
    if order.source is Source.STOCK and card in state.neutral:
        return "neutral"
    side = state.besieger(order.place) if order.source is Source.SIEGE else state.awaiting.side
    assert side is not None
    return side.value + _PILES[order.source]
