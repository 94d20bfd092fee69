"""The kinds of order.

A kind declares its verb, its family, its location if it has one, and the parts of its cards;
reading, lists and completion use this declaration. Its rule is in `engine.actions`.

>>> order = Besiege("louisbourg", ("halifax", "ships", "siege-artillery"))
>>> order.transport, order.siege_card
('ships', 'siege-artillery')
>>> ORDERS["besiege"]
<class 'engine.orders.Besiege'>
"""

from __future__ import annotations

from engine.message import Message, Phrase, message_of
from engine.order import Cards, Family, OneCard, OptionalCard, Order, Source, UnreadableOrderError

# --- expansive actions


class Settle(Order):
    """Place a village: with the connecting card, the transport and, if needed, a settler.

    >>> from_notation("settle deerfield: new-haven, st-marys, boston").settler
    'boston'
    """

    verb, family, has_location = "settle", Family.EXPANSIVE, True
    connection, transport, settler = OneCard(), OneCard(), OptionalCard()


class Develop(Order):
    """Turn a village into a town: with a settler card and the location's own card.

    >>> from_notation("develop albany: boston").settler
    'boston'
    """

    verb, family, has_location = "develop", Family.EXPANSIVE, True
    settler = OneCard()


class Fortify(Order):
    """Place a fortification disc: with a fortification card and the location's own card.

    >>> from_notation("fortify quebec: fortification").fortification
    'fortification'
    """

    verb, family, has_location = "fortify", Family.EXPANSIVE, True
    fortification = OneCard()


# --- aggressive actions


class Besiege(Order):
    """Open a siege: with the connecting card, the transport and the first siege card.

    >>> from_notation("besiege louisbourg: halifax, ships, siege-artillery").siege_card
    'siege-artillery'
    """

    verb, family, has_location = "besiege", Family.AGGRESSIVE, True
    connection, transport, siege_card = OneCard(), OneCard(), OneCard()


class Reinforce(Order):
    """Play one card to a siege, as its besieger or its defender.

    >>> from_notation("reinforce louisbourg: regular-infantry").card
    'regular-infantry'
    """

    verb, family, has_location = "reinforce", Family.AGGRESSIVE, True
    card = OneCard()


class Raid(Order):
    """Raid a location with one or more cards.

    >>> from_notation("raid boston: gaspe, native-americans").raiders
    ('gaspe', 'native-americans')
    """

    verb, family, has_location = "raid", Family.AGGRESSIVE, True
    raiders = Cards()


class Ambush(Order):
    """Ambush the opponent's hand and reserve with one card.

    >>> from_notation("ambush rangers").card
    'rangers'
    """

    verb, family = "ambush", Family.AGGRESSIVE
    card = OneCard()


class Convert(Order):
    """Claim a neutral Native Americans card with a Priest or Indian Leader.

    >>> from_notation("convert priest").card
    'priest'
    """

    verb, family, is_rare = "convert", Family.AGGRESSIVE, True
    card = OneCard()


# --- financial actions


class Take(Order):
    """Take the money of one location card.

    >>> from_notation("take boston").card
    'boston'
    """

    verb, family = "take", Family.FINANCIAL
    card = OneCard()


class Merchant(Order):
    """Earn money: with a ship card and the gold cards that it carries.

    >>> from_notation("merchant boston, new-york, norfolk").carried
    ('new-york', 'norfolk')
    """

    verb, family = "merchant", Family.FINANCIAL
    ship, carried = OneCard(), Cards()


class Trade(Order):
    """Sell furs: with the Trader and location cards with a fur symbol.

    >>> from_notation("trade gaspe, tadoussac").furs
    ('gaspe', 'tadoussac')
    """

    verb, family = "trade", Family.FINANCIAL
    furs = Cards()


class Piracy(Order):
    """Rob the British: with a ship card and Louisbourg.

    >>> from_notation("piracy ships").ship
    'ships'
    """

    verb, family, is_rare = "piracy", Family.FINANCIAL, True
    ship = OneCard()


# --- card management actions


class Draft(Order):
    """Buy one available empire card, own or neutral.

    >>> from_notation("draft rangers").card
    'rangers'
    """

    verb, family, source = "draft", Family.CARDS, Source.STOCK
    card = OneCard()


class Discard(Order):
    """Discard cards: the first for free, every other card for 1 money.

    >>> from_notation("discard boston, militia").discarded
    ('boston', 'militia')
    """

    verb, family = "discard", Family.CARDS
    discarded = Cards()


class Reserve(Order):
    """Put one card into the reserve.

    >>> from_notation("reserve rangers").card
    'rangers'
    """

    verb, family = "reserve", Family.CARDS
    card = OneCard()


class Retrieve(Order):
    """Take the whole reserve back to hand, for 1 money per card.

    >>> from_notation("retrieve").cards
    ()
    """

    verb, family = "retrieve", Family.CARDS


class Govern(Order):
    """Return one or two cards from hand to the available cards.

    >>> from_notation("govern boston, militia").returned
    ('boston', 'militia')
    """

    verb, family, is_rare = "govern", Family.CARDS, True
    returned = Cards(max_cards=2)


class Intendant(Order):
    """Take one card from the player's discard pile to hand.

    >>> from_notation("intendant militia").card
    'militia'
    """

    verb, family, source, is_rare = "intendant", Family.CARDS, Source.DISCARD_PILE, True
    card = OneCard()


class HomeSupport(Order):
    """Draw three cards, as a free action.

    >>> from_notation("home-support").can_draw
    True
    """

    verb, family, can_draw, is_rare = "home-support", Family.CARDS, True, True


# --- other actions


class Withdraw(Order):
    """Give up a siege, as its besieger or its defender, with the card that the withdrawal costs.

    >>> from_notation("withdraw quebec: militia").cost
    'militia'
    """

    verb, family, has_location, source = "withdraw", Family.OTHER, True, Source.SIEGE
    cost = OptionalCard()


class Pass(Order):
    """Use an action to do nothing.

    >>> from_notation("pass").family
    <Family.OTHER: 'other'>
    """

    verb, family = "pass", Family.OTHER


class End(Order):
    """End the turn, after its actions are used up.

    >>> from_notation("end").family
    <Family.OTHER: 'other'>
    """

    verb, family = "end", Family.OTHER


# --- decisions outside the actions of a turn


class Occupy(Order):
    """Place a village in a location just won, with a settler card if one is needed.

    >>> from_notation("occupy quebec: boston").settler
    'boston'
    """

    verb, family, has_location = "occupy", Family.ANSWERS, True
    settler = OptionalCard()


class Leave(Order):
    """Leave a location just won neutral.

    >>> from_notation("leave quebec").target
    'quebec'
    """

    verb, family, has_location = "leave", Family.ANSWERS, True


class Relieve(Order):
    """Take back the cards of a siege won as its defender, before resolving the other siege.

    >>> from_notation("relieve boston").target
    'boston'
    """

    verb, family, has_location = "relieve", Family.ANSWERS, True


class Lose(Order):
    """Choose the card that a siege about to be lost will cost.

    >>> from_notation("lose quebec: militia").card
    'militia'
    """

    verb, family, has_location, source = "lose", Family.ANSWERS, True, Source.SIEGE
    is_rare = True
    card = OneCard()


class Block(Order):
    """Block a raid or an ambush with one card from hand.

    >>> from_notation("block militia").card
    'militia'
    """

    verb, family = "block", Family.ANSWERS
    card = OneCard()


class Allow(Order):
    """Let a raid happen.

    >>> from_notation("allow").family
    <Family.ANSWERS: 'answers'>
    """

    verb, family = "allow", Family.ANSWERS


class Give(Order):
    """Give up, from hand, the card that an ambush or a conversion costs.

    >>> from_notation("give militia").card
    'militia'
    """

    verb, family = "give", Family.ANSWERS
    card = OneCard()


class GiveFromReserve(Order):
    """Give up, from the reserve, the card that an ambush or a conversion costs.

    >>> from_notation("give-from-reserve militia").card
    'militia'
    """

    verb, family, source = "give-from-reserve", Family.ANSWERS, Source.RESERVE
    card = OneCard()


class ShowHand(Order):
    """Show the whole hand to prove that it has no card to give up.

    >>> from_notation("show-hand").cards
    ()
    """

    verb, family = "show-hand", Family.ANSWERS


class Refill(Order):
    """Draw up to five cards before the end of the turn, to take free actions with them.

    >>> from_notation("refill").can_draw
    True
    """

    verb, family, can_draw, is_rare = "refill", Family.OTHER, True, True


class Exchange(Order):
    """Discard a card and draw another after a siege was resolved.

    >>> from_notation("exchange militia").card
    'militia'
    """

    verb, family, can_draw = "exchange", Family.ANSWERS, True
    card = OneCard()


class Keep(Order):
    """Exchange no card.

    >>> from_notation("keep").cards
    ()
    """

    verb, family = "keep", Family.ANSWERS


class Forfeit(Order):
    """Discard the cards that an unpaid shuffle costs.

    >>> from_notation("forfeit boston, militia").forfeited
    ('boston', 'militia')
    """

    verb, family = "forfeit", Family.ANSWERS
    forfeited = Cards(max_cards=2)


class Start(Order):
    """Add an available empire card to the initial deck.

    >>> from_notation("start trader").card
    'trader'
    """

    verb, family, source = "start", Family.ANSWERS, Source.OWN_STOCK
    card = OneCard()


# --- orders of house rules


class SellFur(Order):
    """Play one location card with a fur symbol for money, as a free action.

    >>> from_notation("sell-fur gaspe").card
    'gaspe'
    """

    verb, family, is_rare = "sell-fur", Family.FINANCIAL, True
    card = OneCard()


class Drop(Order):
    """Discard the card of a location that is not controlled, as a free action.

    >>> from_notation("drop gaspe").card
    'gaspe'
    """

    verb, family, is_rare = "drop", Family.CARDS, True
    card = OneCard()


class GiveFromSiege(Order):
    """Give up, from a siege, the card that an ambush costs.

    >>> from_notation("give-from-siege quebec: militia").card
    'militia'
    """

    verb, family, has_location, source = "give-from-siege", Family.ANSWERS, True, Source.SIEGE
    card = OneCard()


ORDERS: dict[str, type[Order]] = {order.verb: order for order in Order.__subclasses__()}
"""All kinds of order by verb."""


class CardCountError(UnreadableOrderError):
    """Raised if an order has too few or too many cards.

    >>> try:
    ...     from_notation("reserve militia, ships")
    ... except CardCountError as error:
    ...     print(error, error.cards)
    “reserve” takes 1 card. ('militia', 'ships')
    """

    def __init__(
        self, message: Phrase, kind: type[Order], location: str | None, cards: tuple[str, ...]
    ) -> None:
        super().__init__(message)
        self.kind, self.location, self.cards = kind, location, cards


def make_order(kind: type[Order], location: str | None, cards: tuple[str, ...]) -> Order:
    """Return an order of a kind. Raises CardCountError if it does not take that many cards.

    >>> make_order(Take, None, ("boston",)).notation()
    'take boston'
    """
    try:
        return kind(location, cards)
    except ValueError as error:
        raise CardCountError(message_of(error), kind, location, cards) from None


def from_notation(notation: str) -> Order:
    """Return the order with exactly this notation. Raises UnreadableOrderError for any other text.

    >>> from_notation("settle deerfield: new-haven, st-marys, boston").cards
    ('new-haven', 'st-marys', 'boston')
    >>> from_notation("pass") == Pass()
    True
    """
    verb, _, text = notation.partition(" ")
    kind = ORDERS.get(verb)
    if kind is None:
        raise UnreadableOrderError("There is no order “{word}”.", word=verb)
    location: str | None = None
    if kind.has_location:
        location, _, text = text.partition(": ")
    order = make_order(kind, location, tuple(text.split(", ")) if text else ())
    if order.notation() != notation:
        message = Message(
            "“{order}” is not in its exact form, which is “{notation}”.",
            order=notation,
            notation=order.notation(),
        )
        raise UnreadableOrderError(message)
    return order
