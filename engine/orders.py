"""Orders: the decisions of a player, as small frozen values.

Every order has one notation, made of ids (`settle deerfield: new-haven, st-marys, boston`), which
is what a record stores, and one text with names (`settle Deerfield: New Haven, St. Mary's,
Boston`), which is what players read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from engine.message import Failure, Message, Run, Said, commas, message_of


class UnreadableOrder(Failure, ValueError):
    """A text that is no order, or that could be more than one; the message says which."""


@dataclass(frozen=True, slots=True)
class Order:
    """A decision: for most verbs a location, cards, or both, as ids.

    `ordered` is how many of the leading cards have a place of their own (the card that connects,
    then the transport, and so on); the cards after them are kept sorted, so that two orders that
    do the same are equal. Raises ValueError where location or number of cards do not fit the verb.
    """

    location: str | None = None
    cards: tuple[str, ...] = ()

    verb: ClassVar[str]
    has_location: ClassVar[bool] = False
    fewest: ClassVar[int] = 0
    most: ClassVar[int] = 0
    ordered: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if (self.location is not None) != self.has_location:
            raise ValueError(f"{self.verb}: a location is missing, or there is none")
        if not self.fewest <= len(self.cards) <= self.most:
            raise ValueError(self.takes(Message("“{word}”", word=self.words())))
        rest = tuple(sorted(self.cards[self.ordered :]))
        object.__setattr__(self, "cards", self.cards[: self.ordered] + rest)

    @property
    def place(self) -> str:
        """The location, for the verbs that name one."""
        if self.location is None:
            raise ValueError(f"{self.verb}: there is no location")
        return self.location

    @classmethod
    def words(cls) -> Message:
        """The verb as players are told it: `home-support` is `home support`."""
        return Message.within("verb", cls.english())

    @classmethod
    def english(cls) -> str:
        """The same in English, whatever language is spoken."""
        return cls.verb.replace("-", " ")

    @classmethod
    def takes(cls, verb: Said) -> Message:
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

    def text(self, name: Callable[[str], Said]) -> Message:
        """The order as players are told it; `name` gives the name of a card's or location's id."""
        return written(self.words(), self.location, self.cards, name)


MANY = 99
"""The bound where the rules name none: more cards than anybody can hold."""


# --- expansive actions


class Settle(Order):
    """Place a village: the card that connects, the transport and, where needed, a settler."""

    verb, has_location, fewest, most, ordered = "settle", True, 2, 3, 3


class Develop(Order):
    """Turn a village into a town: a settler card, besides the location's own."""

    verb, has_location, fewest, most = "develop", True, 1, 1


class Fortify(Order):
    """Place a fortification disc: a fortification card, besides the location's own."""

    verb, has_location, fewest, most = "fortify", True, 1, 1


# --- aggressive actions


class Besiege(Order):
    """Open a siege: the card that connects, the transport, and the first siege card."""

    verb, has_location, fewest, most, ordered = "besiege", True, 3, 3, 3


class Reinforce(Order):
    """Play one card to a siege, on either side of it."""

    verb, has_location, fewest, most = "reinforce", True, 1, 1


class Raid(Order):
    """Raid a location with one or more cards."""

    verb, has_location, fewest, most, ordered = "raid", True, 1, MANY, 0


class Ambush(Order):
    """Ambush the opponent's hand and reserve with one card."""

    verb, fewest, most = "ambush", 1, 1


class Convert(Order):
    """Claim a neutral Native Americans card with a Priest or Indian Leader."""

    verb, fewest, most = "convert", 1, 1


# --- financial actions


class Take(Order):
    """Take the money of one location card."""

    verb, fewest, most = "take", 1, 1


class Merchant(Order):
    """A ship card, then the cards whose gold it carries."""

    verb, fewest, most = "merchant", 2, MANY


class Trade(Order):
    """Sell furs: the location cards with the fur symbol, besides the Trader."""

    verb, fewest, most, ordered = "trade", 1, MANY, 0


class Piracy(Order):
    """Rob the British with a ship card, besides Louisbourg."""

    verb, fewest, most = "piracy", 1, 1


# --- card management actions


class Draft(Order):
    """Buy one available empire card, own or neutral."""

    verb, fewest, most = "draft", 1, 1


class Discard(Order):
    """Discard cards: the first for nothing, each further one for 1 money."""

    verb, fewest, most, ordered = "discard", 1, MANY, 0


class Reserve(Order):
    """Put one card into the reserve."""

    verb, fewest, most = "reserve", 1, 1


class Retrieve(Order):
    """Take the whole reserve back to hand, for 1 money a card."""

    verb = "retrieve"


class Govern(Order):
    """Return one or two cards from hand to where they can be taken again."""

    verb, fewest, most, ordered = "govern", 1, 2, 0


class Intendant(Order):
    """Take one card of the own discard pile to hand."""

    verb, fewest, most = "intendant", 1, 1


class HomeSupport(Order):
    """Draw three cards, as a free action."""

    verb = "home-support"


# --- other actions


class Withdraw(Order):
    """Give up a siege, on either side of it, and the card that this costs."""

    verb, has_location, most = "withdraw", True, 1


class Pass(Order):
    """Use an action to do nothing."""

    verb = "pass"


class End(Order):
    """End the turn, once its actions are used."""

    verb = "end"


# --- decisions outside the actions of a turn


class Occupy(Order):
    """Place a village in a location just won, with a settler card where one is needed."""

    verb, has_location, most = "occupy", True, 1


class Leave(Order):
    """Leave a location just won neutral."""

    verb, has_location = "leave", True


class Relieve(Order):
    """Take back the cards of a siege that was won as its defender, before the other siege."""

    verb, has_location = "relieve", True


class Lose(Order):
    """The card that a siege which stands lost will cost."""

    verb, has_location, fewest, most = "lose", True, 1, 1


class Block(Order):
    """Block a raid or an ambush with one card from hand."""

    verb, fewest, most = "block", 1, 1


class Allow(Order):
    """Let a raid happen."""

    verb = "allow"


class Give(Order):
    """Give up, from hand, the card that an ambush or a conversion costs."""

    verb, fewest, most = "give", 1, 1


class GiveFromReserve(Order):
    """Give up, from the reserve, the card that an ambush or a conversion costs."""

    verb, fewest, most = "give-from-reserve", 1, 1


class ShowHand(Order):
    """Show the whole hand, to prove that there is no such card in it."""

    verb = "show-hand"


class Refill(Order):
    """Draw up to five before the end of the turn, to take free actions after it."""

    verb = "refill"


class Exchange(Order):
    """Discard a card and draw one, after a siege was resolved."""

    verb, fewest, most = "exchange", 1, 1


class Keep(Order):
    """Exchange no card."""

    verb = "keep"


class Forfeit(Order):
    """Discard the cards that a shuffle costs which was not paid."""

    verb, fewest, most, ordered = "forfeit", 1, 2, 0


class Start(Order):
    """Add an available empire card to the initial deck."""

    verb, fewest, most = "start", 1, 1


# --- orders that only house rules know


class SellFur(Order):
    """Play one location card with a fur symbol for money, as a free action."""

    verb, fewest, most = "sell-fur", 1, 1


class Drop(Order):
    """Discard the card of a location that one does not control, as a free action."""

    verb, fewest, most = "drop", 1, 1


class GiveFromSiege(Order):
    """Give up, from a siege, the card that an ambush costs."""

    verb, has_location, fewest, most = "give-from-siege", True, 1, 1


def written(
    verb: Said, location: str | None, cards: tuple[str, ...], name: Callable[[str], Said]
) -> Message:
    """An order, or what there is of one, as players are told it."""
    named = commas(map(name, cards))
    if location is None:
        return Run((verb, named), " ")
    place = Run((name(location), ":")) if cards else name(location)
    return Run((verb, place, named), " ")


ORDERS: dict[str, type[Order]] = {order.verb: order for order in Order.__subclasses__()}
"""Every kind of order by its verb."""


class WrongNumber(UnreadableOrder):
    """An order with too few cards for its kind, or with too many: of that `kind`, with these."""

    def __init__(
        self, message: Said, kind: type[Order], location: str | None, cards: tuple[str, ...]
    ) -> None:
        super().__init__(message)
        self.kind, self.location, self.cards = kind, location, cards


def made(kind: type[Order], location: str | None, cards: tuple[str, ...]) -> Order:
    """The order of that kind; raises WrongNumber where these are not what it takes."""
    try:
        return kind(location, cards)
    except ValueError as error:
        raise WrongNumber(message_of(error), kind, location, cards) from None


def from_notation(notation: str) -> Order:
    """The order whose notation this is, to the letter; raises UnreadableOrder for anything else.

    >>> from_notation("settle deerfield: new-haven, st-marys, boston").cards
    ('new-haven', 'st-marys', 'boston')
    """
    verb, _, rest = notation.partition(" ")
    kind = ORDERS.get(verb)
    if kind is None:
        raise UnreadableOrder("There is no order “{word}”.", word=verb)
    location: str | None = None
    if kind.has_location:
        location, _, rest = rest.partition(": ")
    order = made(kind, location, tuple(rest.split(", ")) if rest else ())
    if order.notation() != notation:
        told = Message(
            "“{order}” is not written as “{notation}”.", order=notation, notation=order.notation()
        )
        raise UnreadableOrder(told)
    return order
