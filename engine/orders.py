"""The kinds of order, each declared here and nowhere else.

A kind says its verb, its group, whether it names a location, and its cards by what they are for:
reading, lists and completion go by that. What it does is a rule in `engine.actions`.

>>> order = Besiege("louisbourg", ("halifax", "ships", "siege-artillery"))
>>> order.transport, order.first
('ships', 'siege-artillery')
"""

from __future__ import annotations

from engine.message import Message, Said, message_of
from engine.order import Card, CardIfAny, Cards, Group, Order, Source, UnreadableOrder

# --- expansive actions


class Settle(Order):
    """Place a village: the card that connects, the transport and, where needed, a settler."""

    verb, group, has_location = "settle", Group.EXPANSIVE, True
    connection, transport, settler = Card(), Card(), CardIfAny()


class Develop(Order):
    """Turn a village into a town: a settler card, besides the location's own."""

    verb, group, has_location = "develop", Group.EXPANSIVE, True
    settler = Card()


class Fortify(Order):
    """Place a fortification disc: a fortification card, besides the location's own."""

    verb, group, has_location = "fortify", Group.EXPANSIVE, True
    fortification = Card()


# --- aggressive actions


class Besiege(Order):
    """Open a siege: the card that connects, the transport, and the first siege card."""

    verb, group, has_location = "besiege", Group.AGGRESSIVE, True
    connection, transport, first = Card(), Card(), Card()


class Reinforce(Order):
    """Play one card to a siege, on either side of it."""

    verb, group, has_location = "reinforce", Group.AGGRESSIVE, True
    card = Card()


class Raid(Order):
    """Raid a location with one or more cards."""

    verb, group, has_location = "raid", Group.AGGRESSIVE, True
    raiders = Cards()


class Ambush(Order):
    """Ambush the opponent's hand and reserve with one card."""

    verb, group = "ambush", Group.AGGRESSIVE
    card = Card()


class Convert(Order):
    """Claim a neutral Native Americans card with a Priest or Indian Leader."""

    verb, group = "convert", Group.AGGRESSIVE
    card = Card()


# --- financial actions


class Take(Order):
    """Take the money of one location card."""

    verb, group = "take", Group.FINANCIAL
    card = Card()


class Merchant(Order):
    """A ship card, then the cards whose gold it carries."""

    verb, group = "merchant", Group.FINANCIAL
    ship, carried = Card(), Cards()


class Trade(Order):
    """Sell furs: the location cards with the fur symbol, besides the Trader."""

    verb, group = "trade", Group.FINANCIAL
    furs = Cards()


class Piracy(Order):
    """Rob the British with a ship card, besides Louisbourg."""

    verb, group = "piracy", Group.FINANCIAL
    ship = Card()


# --- card management actions


class Draft(Order):
    """Buy one available empire card, own or neutral."""

    verb, group, source = "draft", Group.CARDS, Source.STOCK
    card = Card()


class Discard(Order):
    """Discard cards: the first for nothing, each further one for 1 money."""

    verb, group = "discard", Group.CARDS
    discarded = Cards()


class Reserve(Order):
    """Put one card into the reserve."""

    verb, group = "reserve", Group.CARDS
    card = Card()


class Retrieve(Order):
    """Take the whole reserve back to hand, for 1 money a card."""

    verb, group = "retrieve", Group.CARDS


class Govern(Order):
    """Return one or two cards from hand to where they can be taken again."""

    verb, group = "govern", Group.CARDS
    returned = Cards(most=2)


class Intendant(Order):
    """Take one card of the own discard pile to hand."""

    verb, group, source = "intendant", Group.CARDS, Source.DISCARD_PILE
    card = Card()


class HomeSupport(Order):
    """Draw three cards, as a free action."""

    verb, group = "home-support", Group.CARDS


# --- other actions


class Withdraw(Order):
    """Give up a siege, on either side of it, and the card that this costs."""

    verb, group, has_location, source = "withdraw", Group.OTHER, True, Source.SIEGE
    cost = CardIfAny()


class Pass(Order):
    """Use an action to do nothing."""

    verb, group = "pass", Group.OTHER


class End(Order):
    """End the turn, once its actions are used."""

    verb, group = "end", Group.OTHER


# --- decisions outside the actions of a turn


class Occupy(Order):
    """Place a village in a location just won, with a settler card where one is needed."""

    verb, group, has_location = "occupy", Group.ANSWERS, True
    settler = CardIfAny()


class Leave(Order):
    """Leave a location just won neutral."""

    verb, group, has_location = "leave", Group.ANSWERS, True


class Relieve(Order):
    """Take back the cards of a siege that was won as its defender, before the other siege."""

    verb, group, has_location = "relieve", Group.ANSWERS, True


class Lose(Order):
    """The card that a siege which stands lost will cost."""

    verb, group, has_location, source = "lose", Group.ANSWERS, True, Source.SIEGE
    card = Card()


class Block(Order):
    """Block a raid or an ambush with one card from hand."""

    verb, group = "block", Group.ANSWERS
    card = Card()


class Allow(Order):
    """Let a raid happen."""

    verb, group = "allow", Group.ANSWERS


class Give(Order):
    """Give up, from hand, the card that an ambush or a conversion costs."""

    verb, group = "give", Group.ANSWERS
    card = Card()


class GiveFromReserve(Order):
    """Give up, from the reserve, the card that an ambush or a conversion costs."""

    verb, group, source = "give-from-reserve", Group.ANSWERS, Source.RESERVE
    card = Card()


class ShowHand(Order):
    """Show the whole hand, to prove that there is no such card in it."""

    verb, group = "show-hand", Group.ANSWERS


class Refill(Order):
    """Draw up to five before the end of the turn, to take free actions after it."""

    verb, group = "refill", Group.OTHER


class Exchange(Order):
    """Discard a card and draw one, after a siege was resolved."""

    verb, group = "exchange", Group.ANSWERS
    card = Card()


class Keep(Order):
    """Exchange no card."""

    verb, group = "keep", Group.ANSWERS


class Forfeit(Order):
    """Discard the cards that a shuffle costs which was not paid."""

    verb, group = "forfeit", Group.ANSWERS
    forfeited = Cards(most=2)


class Start(Order):
    """Add an available empire card to the initial deck."""

    verb, group, source = "start", Group.ANSWERS, Source.OWN_STOCK
    card = Card()


# --- orders that only house rules know


class SellFur(Order):
    """Play one location card with a fur symbol for money, as a free action."""

    verb, group = "sell-fur", Group.FINANCIAL
    card = Card()


class Drop(Order):
    """Discard the card of a location that one does not control, as a free action."""

    verb, group = "drop", Group.CARDS
    card = Card()


class GiveFromSiege(Order):
    """Give up, from a siege, the card that an ambush costs."""

    verb, group, has_location, source = "give-from-siege", Group.ANSWERS, True, Source.SIEGE
    card = Card()


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
