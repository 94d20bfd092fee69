"""The shape of an order: a decision of a player, as a small frozen value.

Every order has one notation, made of ids (`settle deerfield: new-haven, st-marys, boston`), which
is what a record stores, and one text with names (`settle Deerfield: New Haven, St. Mary's,
Boston`), which is what players read. The kinds of order are in `engine.orders`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, StrEnum
from functools import cache
from typing import ClassVar, Never, Self

from engine.message import Concat, Failure, Message, Phrase, comma_list, mark_in

MANY = 99
"""The bound if the rules have none: more cards than anybody can hold."""


class Family(StrEnum):
    """The heading under which a kind of order is offered: those of the rulebook, and two more."""

    EXPANSIVE = mark_in("group", "expansive")
    AGGRESSIVE = mark_in("group", "aggressive")
    FINANCIAL = mark_in("group", "financial")
    CARDS = mark_in("group", "cards")
    OTHER = mark_in("group", "other")
    ANSWERS = mark_in("group", "answers")


class Source(Enum):
    """Where the cards that an order names lie."""

    HAND = "hand"
    RESERVE = "reserve"
    DISCARD_PILE = "discard pile"
    SIEGE = "siege"
    OWN_STOCK = "own stock"
    STOCK = "stock"


class UnreadableOrder(Failure, ValueError):
    """A text that is not an order, or could be more than one; the message says which."""


# --- the cards of an order


class _Part:
    """What some of the cards of an order are for: how many, and starting at which."""

    def __init__(self, fewest: int = 1, most: int = 1) -> None:
        self.fewest, self.most = fewest, most
        self.at = 0


class OneCard(_Part):
    """One card, with a place of its own among those of an order."""

    def __get__(self, order: Order, kind: type[Order]) -> str:
        return order.cards[self.at]


class CardIfAny(_Part):
    """One card, which comes last if there is one."""

    def __init__(self) -> None:
        super().__init__(fewest=0)

    def __get__(self, order: Order, kind: type[Order]) -> str | None:
        return order.cards[self.at] if len(order.cards) > self.at else None


class SomeCards(_Part):
    """Any choice of that many cards, which come last and are kept sorted."""

    def __init__(self, most: int = MANY) -> None:
        super().__init__(most=most)

    def __get__(self, order: Order, kind: type[Order]) -> tuple[str, ...]:
        return order.cards[self.at :]


class Order:
    """A decision: for most verbs a location, cards, or both, as ids.

    `parts` are the names of what its cards are for. `ordered` is how many of the leading cards have
    a place of their own; the cards after them are kept sorted, so that two orders that do the same
    are equal. `draws` says that it has cards drawn in the middle of a turn, if any can be. `of` is
    the order with one card, made once, because most are listed again and again. Raises ValueError
    where location or number of cards do not fit the verb.
    """

    __slots__ = ("cards", "location")
    location: str | None
    cards: tuple[str, ...]

    verb: ClassVar[str]
    family: ClassVar[Family]
    has_location: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    source: ClassVar[Source] = Source.HAND
    fewest: ClassVar[int] = 0
    most: ClassVar[int] = 0
    ordered: ClassVar[int] = 0
    parts: ClassVar[tuple[str, ...]] = ()
    of: ClassVar[Callable[[str], Self]]

    def __init_subclass__(cls) -> None:
        named = {name: part for name, part in vars(cls).items() if isinstance(part, _Part)}
        cls.parts, parts = tuple(named), [*named.values()]
        for at, part in enumerate(parts):
            part.at = at
        cls.fewest = sum(part.fewest for part in parts)
        cls.most = min(MANY, sum(part.most for part in parts))
        cls.ordered = sum(part.most == 1 for part in parts)
        # In here the type checker takes Self for any order.
        cls.of = cache(cls._with)  # type: ignore[assignment]

    def __init__(self, location: str | None = None, cards: tuple[str, ...] = ()) -> None:
        if (location is not None) != self.has_location:
            raise ValueError(f"{self.verb}: a location is missing, or there is none")
        if not self.fewest <= len(cards) <= self.most:
            raise ValueError(self.takes(Message("“{word}”", word=self.words())))
        if len(cards) > self.ordered + 1:
            cards = cards[: self.ordered] + tuple(sorted(cards[self.ordered :]))
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
        # Another process makes it again, because it cannot be changed once made.
        return type(self), (self.location, self.cards)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(location={self.location!r}, cards={self.cards!r})"

    @classmethod
    def part(cls, at: int) -> str:
        """What the card at that place among those of an order is for: the name of its part."""
        return cls.parts[min(at, len(cls.parts) - 1)]

    @property
    def place(self) -> str:
        """The location, for the verbs that name one."""
        if self.location is None:
            raise ValueError(f"{self.verb}: there is no location")
        return self.location

    @classmethod
    def words(cls) -> Message:
        """The verb as players see it: `home-support` is `home support`."""
        return Message.within("verb", cls.english())

    @classmethod
    def english(cls) -> str:
        """The same in English, whatever language is spoken."""
        return cls.verb.replace("-", " ")

    @classmethod
    def takes(cls, verb: Phrase) -> Message:
        """How many cards orders of this kind take, as a sentence; `verb` is what it calls them."""
        if cls.most == 0:
            return Message("{verb} takes no cards.", verb=verb)
        if cls.fewest == cls.most:
            return Message.counted(
                "{verb} takes {count} card.", "{verb} takes {count} cards.", cls.most, verb=verb
            )
        if cls.most == MANY:
            return Message.counted(
                "{verb} takes {count} or more cards.",
                "{verb} takes {count} or more cards.",
                cls.fewest,
                verb=verb,
            )
        return Message.counted(
            "{verb} takes {fewest} to {count} card.",
            "{verb} takes {fewest} to {count} cards.",
            cls.most,
            fewest=cls.fewest,
            verb=verb,
        )

    def notation(self) -> str:
        """The order in ids, as records store it."""
        cards = ", ".join(self.cards)
        if self.location is None:
            return f"{self.verb} {cards}".rstrip()
        return f"{self.verb} {self.location}" + (f": {cards}" if cards else "")

    def text(self, name: Callable[[str], Phrase]) -> Message:
        """The order as players see it; `name` gives the name of a card's or location's id."""
        return order_text(self.words(), self.location, [*map(name, self.cards)], name)


# The slots themselves, bypassing the `__setattr__` that forbids changing them.
_set_location, _set_cards = (vars(Order)[slot].__set__ for slot in ("location", "cards"))


def order_text(
    verb: Phrase, location: str | None, cards: Sequence[Phrase], name: Callable[[str], Phrase]
) -> Message:
    """An order, or part of one, as players see it; the cards are already names."""
    if location is None:
        return Concat((verb, comma_list(cards)), " ")
    place = Concat((name(location), ":")) if cards else name(location)
    return Concat((verb, place, comma_list(cards)), " ")
