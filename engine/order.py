"""The base class of orders: a decision of a player, as a small immutable value.

Every order has one notation made of ids (`settle deerfield: new-haven, st-marys, boston`), which
records store, and one text made of names (`settle Deerfield: New Haven, St. Mary's, Boston`), which
players read. The kinds of order are in `engine.orders`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, StrEnum
from functools import cache
from typing import ClassVar, Never, Self

from engine.message import Concat, Message, Phrase, TranslatableError, comma_list, mark_in

UNLIMITED = 99
"""The maximum number of cards if the rules have no limit: more than a hand can have."""


class Family(StrEnum):
    """The group of a kind of order: one of the four of the rulebook, or of two more.

    >>> from engine.orders import Raid
    >>> Raid.family
    <Family.AGGRESSIVE: 'aggressive'>
    """

    EXPANSIVE = mark_in("group", "expansive")
    AGGRESSIVE = mark_in("group", "aggressive")
    FINANCIAL = mark_in("group", "financial")
    CARDS = mark_in("group", "cards")
    OTHER = mark_in("group", "other")
    ANSWERS = mark_in("group", "answers")


class Source(Enum):
    """The pile of the cards that an order names.

    >>> from engine.orders import Intendant
    >>> Intendant.source
    <Source.DISCARD_PILE: 'discard pile'>
    """

    HAND = "hand"
    RESERVE = "reserve"
    DISCARD_PILE = "discard pile"
    SIEGE = "siege"
    OWN_STOCK = "own stock"
    STOCK = "stock"


class UnreadableOrderError(TranslatableError, ValueError):
    """Raised if a text is not an order, or could be several orders; the message lists them.

    >>> from engine.orders import from_notation
    >>> from_notation("charge quebec")
    Traceback (most recent call last):
    engine.order.UnreadableOrderError: There is no order “charge”.
    """


# --- the cards of an order


class _Part:
    """The cards of an order that serve one purpose: their number, and the index of the first."""

    def __init__(self, min_cards: int = 1, max_cards: int = 1) -> None:
        self.min_cards, self.max_cards = min_cards, max_cards
        self.start = 0


class OneCard(_Part):
    """A part of an order that is exactly one card.

    >>> from engine.orders import Merchant
    >>> Merchant(cards=("boston", "new-york", "norfolk")).ship, Merchant.min_cards
    ('boston', 2)
    """

    def __get__(self, order: Order, kind: type[Order]) -> str:
        return order.cards[self.start]


class OptionalCard(_Part):
    """A part of an order that is one optional card; it comes last.

    >>> from engine.orders import Occupy
    >>> Occupy("quebec").settler is None
    True
    """

    def __init__(self) -> None:
        super().__init__(min_cards=0)

    def __get__(self, order: Order, kind: type[Order]) -> str | None:
        return order.cards[self.start] if len(order.cards) > self.start else None


class Cards(_Part):
    """A part of an order that is any choice of cards, at most `max_cards`; they come last, sorted.

    >>> from engine.orders import Discard
    >>> Discard(cards=("militia", "boston")).discarded
    ('boston', 'militia')
    """

    def __init__(self, max_cards: int = UNLIMITED) -> None:
        super().__init__(max_cards=max_cards)

    def __get__(self, order: Order, kind: type[Order]) -> tuple[str, ...]:
        return order.cards[self.start :]


class Order:
    """An order: for most verbs a location, cards, or both, by their ids.

    - `parts`: the names of its parts, in order.
    - `min_cards`, `max_cards`: the limits of the number of cards.
    - `fixed_count`: the number of leading cards with a fixed position each. The others are sorted,
      so that orders with the same effect are equal.
    - `has_choice`: True if the order has a free choice among cards.
    - `is_rare`: True if it needs a certain card or house rule, so that it is seldom legal.
    - `can_draw`: True if the order can draw cards during a turn.
    - `of`: returns the cached order with one card.

    Raises ValueError if the location or the number of cards does not suit the verb.

    >>> from engine.orders import Besiege
    >>> order = Besiege("louisbourg", ("halifax", "ships", "siege-artillery"))
    >>> order.notation()
    'besiege louisbourg: halifax, ships, siege-artillery'
    >>> order.target, order.transport
    ('louisbourg', 'ships')
    """

    __slots__ = ("cards", "location")
    location: str | None
    cards: tuple[str, ...]

    verb: ClassVar[str]
    family: ClassVar[Family]
    has_location: ClassVar[bool] = False
    is_rare: ClassVar[bool] = False
    can_draw: ClassVar[bool] = False
    source: ClassVar[Source] = Source.HAND
    min_cards: ClassVar[int] = 0
    max_cards: ClassVar[int] = 0
    fixed_count: ClassVar[int] = 0
    has_choice: ClassVar[bool] = False
    parts: ClassVar[tuple[str, ...]] = ()
    of: ClassVar[Callable[[str], Self]]

    def __init_subclass__(cls) -> None:
        by_name = {name: part for name, part in vars(cls).items() if isinstance(part, _Part)}
        cls.parts, parts = tuple(by_name), [*by_name.values()]
        for start, part in enumerate(parts):
            part.start = start
        cls.min_cards = sum(part.min_cards for part in parts)
        cls.max_cards = min(UNLIMITED, sum(part.max_cards for part in parts))
        cls.fixed_count = sum(part.max_cards == 1 for part in parts)
        cls.has_choice = cls.max_cards > max(cls.fixed_count, 1)
        # The type checker reads Self as any order here.
        cls.of = cache(cls._with)  # type: ignore[assignment]

    def __init__(self, location: str | None = None, cards: tuple[str, ...] = ()) -> None:
        if (location is not None) != self.has_location:
            raise ValueError(f"{self.verb}: a location is missing, or there is none")
        if not self.min_cards <= len(cards) <= self.max_cards:
            raise ValueError(self.card_count_text(Message("“{word}”", word=self.verb_label())))
        if len(cards) > self.fixed_count + 1:
            cards = cards[: self.fixed_count] + tuple(sorted(cards[self.fixed_count :]))
        _set_location(self, location)
        _set_cards(self, cards)

    @classmethod
    def _with(cls, card: str) -> Self:
        return cls(cards=(card,))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"the {name} of an order cannot be changed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (self.location, self.cards) == (other.location, other.cards)

    def __hash__(self) -> int:
        return hash((self.location, self.cards))

    def __reduce__(self) -> tuple[type[Order], tuple[str | None, tuple[str, ...]]]:
        # Unpickling calls the class, because attributes cannot be set.
        return type(self), (self.location, self.cards)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(location={self.location!r}, cards={self.cards!r})"

    @classmethod
    def part_name(cls, index: int) -> str:
        """Return the name of the part that the card at `index` belongs to.

        >>> from engine.orders import Merchant
        >>> [Merchant.part_name(index) for index in range(3)]
        ['ship', 'carried', 'carried']
        """
        return cls.parts[min(index, len(cls.parts) - 1)]

    @property
    def target(self) -> str:
        """The location on which the order acts. Raises ValueError if its kind has none."""
        if self.location is None:
            raise ValueError(f"{self.verb}: there is no location")
        return self.location

    @classmethod
    def verb_label(cls) -> Message:
        """Return the verb for players.

        >>> from engine.orders import HomeSupport
        >>> HomeSupport.verb_label()
        Message('home support')
        """
        return Message.within("verb", cls.english_verb())

    @classmethod
    def english_verb(cls) -> str:
        """Return the verb for players in English.

        >>> from engine.orders import HomeSupport
        >>> HomeSupport.english_verb()
        'home support'
        """
        return cls.verb.replace("-", " ")

    @classmethod
    def card_count_text(cls, verb: Phrase) -> Message:
        """Return a sentence about the number of cards that this kind takes; `verb` is its subject.

        >>> from engine.orders import Govern
        >>> Govern.card_count_text("Govern")
        Message('Govern takes 1 to 2 cards.')
        """
        min_cards, max_cards = cls.min_cards, cls.max_cards
        if max_cards == 0:
            return Message("{verb} takes no cards.", verb=verb)
        if min_cards == max_cards:
            return Message.counted(
                "{verb} takes {count} card.", "{verb} takes {count} cards.", max_cards, verb=verb
            )
        if max_cards == UNLIMITED:
            return Message.counted(
                "{verb} takes {count} or more cards.",
                "{verb} takes {count} or more cards.",
                min_cards,
                verb=verb,
            )
        return Message.counted(
            "{verb} takes {fewest} to {count} card.",
            "{verb} takes {fewest} to {count} cards.",
            max_cards,
            fewest=min_cards,
            verb=verb,
        )

    def notation(self) -> str:
        """Return the order in ids, as records store it.

        >>> from engine.orders import Raid
        >>> Raid("boston", ("trader", "gaspe")).notation()
        'raid boston: gaspe, trader'
        """
        cards = ", ".join(self.cards)
        if self.location is None:
            return f"{self.verb} {cards}".rstrip()
        return f"{self.verb} {self.location}" + (f": {cards}" if cards else "")

    def text(self, name: Callable[[str], Phrase]) -> Message:
        """Return the order for players; `name` maps an id to a name.

        >>> from engine.orders import Raid
        >>> Raid("boston", ("trader", "gaspe")).text(str.title)
        Message('raid Boston: Gaspe, Trader')
        """
        return order_text(self.verb_label(), self.location, [*map(name, self.cards)], name)


# Setters of the slots, because `__setattr__` forbids changes.
_set_location, _set_cards = (vars(Order)[slot].__set__ for slot in ("location", "cards"))


def order_text(
    verb: Phrase, location: str | None, cards: Sequence[Phrase], name: Callable[[str], Phrase]
) -> Message:
    """Return an order, or its beginning, for players; `cards` are already names.

    >>> order_text("raid", "boston", ["Militia"], str.title)
    Message('raid Boston: Militia')
    """
    if location is None:
        return Concat((verb, comma_list(cards)), " ")
    place = Concat((name(location), ":")) if cards else name(location)
    return Concat((verb, place, comma_list(cards)), " ")
