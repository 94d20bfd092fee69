"""Every order of the game as a sentence or two.

The names in a sentence stand for what differs from case to case; {They} is whoever gave the order:
You, They, The British, The French.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from engine import events, orders
from engine.events import Event
from engine.message import Message, Said
from engine.order import Order
from engine.sides import Side
from pbem.cli.telling.always import ALWAYS
from pbem.words.deeds import Words, deed
from pbem.words.phrases import money_counted, points_counted

EventT = TypeVar("EventT", bound=Event)


def tell_order(
    words: Words, side: Side, order: Order, played: Sequence[str], caused: Iterable[Event]
) -> tuple[list[Message], list[Event]]:
    """The sentences of an order of `side`, and the events that these do not tell.

    `played` are all cards that the order takes from hand, `caused` what came of it.
    """
    told = _Told(words, side, order, played, caused)
    tell = VARIOUSLY.get(type(order))
    if tell is None:
        always = ALWAYS[type(order)]
        if always.tells:
            told.take(always.tells)
        told.say_priced(always.sentence, always.paid)
    else:
        tell(told)
    return told.sentences, told.left


class _Told:
    """An order on its way into `sentences`; `left` are the events that none of these tells yet."""

    def __init__(
        self, words: Words, side: Side, order: Order, played: Sequence[str], caused: Iterable[Event]
    ) -> None:
        self.words, self.side, self.order, self.played = words, side, order, played
        self.left = list(caused)
        self.sentences: list[Message] = []
        self._paid = self.money(events.Paid, side)
        self._names = {
            "place": words.name(order.location) if order.location else "",
            "cards": words.series(order.cards),
            "special": words.series(played[:1]),
            "price": money_counted(self._paid),
        }

    def take(self, kind: type[EventT], side: Side | None = None) -> EventT | None:
        """The first event of a kind, which is told with this; None where there is none."""
        for number, event in enumerate(self.left):
            if isinstance(event, kind) and side in (None, event.side):
                del self.left[number]
                return event
        return None

    def its(self, kind: type[EventT]) -> EventT:
        """The event of a kind that the order always causes, which is told with this."""
        event = self.take(kind)
        assert event is not None
        return event

    def money(self, kind: type[events.Paid | events.Received], side: Side | None = None) -> int:
        """The money of the first event of a kind, which is told with this; 0 without one."""
        event = self.take(kind, side)
        return event.money if event else 0

    def received(self) -> Message:
        """The money that came of it."""
        return money_counted(self.its(events.Received).money)

    def say(self, sentence: str, **names: Said) -> None:
        """Say a sentence that was marked by `deed`, with everything named."""
        self.sentences.append(self.words.deed(self.side, sentence, **self._names | names))

    def say_priced(self, sentence: str, paid: str, **names: Said) -> None:
        """Say the second sentence where the order cost money and there is one, else the first."""
        self.say(paid if paid and self._paid else sentence, **names)


# --- expansion


def _settle(told: _Told) -> None:
    settled = told.take(events.Settled)
    if settled is None:
        told.its(events.CardGained)
        told.say(deed("{They} took the card of {place} back with {cards}."))
        return
    if told.take(events.CardGained):
        sentence = deed("{They} settled {place} with {cards}: {village}, and its card.")
    else:
        sentence = deed("{They} settled {place} with {cards}: {village}.")
    told.say(sentence, village=_village(settled))


def _develop(told: _Told) -> None:
    told.say(
        deed("{They} developed {place} with its own card and {cards}: a town worth {points}."),
        points=points_counted(told.its(events.Developed).points),
    )


def _village(settled: events.Settled) -> Message:
    """What was placed, as it stands after a colon."""
    if not settled.points:
        return Message("a village")
    return Message("a village worth {points}", points=points_counted(settled.points))


# --- sieges


def _besiege(told: _Told) -> None:
    *route, card = told.order.cards
    told.take(events.Besieged)
    told.say_priced(
        deed("{They} laid siege to {place} by way of {route}, with {card}, strength {strength}."),
        deed(
            "{They} laid siege to {place} by way of {route}, with {card}, strength {strength}, "
            "for {price}."
        ),
        route=told.words.series(route),
        card=told.words.name(card),
        strength=str(told.its(events.Reinforced).strength),
    )


def _reinforce(told: _Told) -> None:
    told.say_priced(
        deed("{They} sent {cards}, strength {strength}, to the siege of {place}."),
        deed("{They} sent {cards}, strength {strength}, to the siege of {place}, for {price}."),
        strength=str(told.its(events.Reinforced).strength),
    )


def _withdraw(told: _Told) -> None:
    told.take(events.Withdrew)
    if any(isinstance(event, events.Captured) for event in told.left):
        told.say(deed("{They} gave {place} up to {foe}, who besieged it."))
    else:
        told.say(deed("{They} gave up {their} siege of {place}."))


def _occupy(told: _Told) -> None:
    _say_won(told)
    settled, gained = told.its(events.Settled), told.take(events.CardGained)
    if told.order.cards and gained:
        sentence = deed("{They} occupied {place} with {cards}: {village}, and its card.")
    elif told.order.cards:
        sentence = deed("{They} occupied {place} with {cards}: {village}.")
    elif gained:
        sentence = deed("{They} occupied {place}: {village}, and its card.")
    else:
        sentence = deed("{They} occupied {place}: {village}.")
    told.say(sentence, village=_village(settled))


def _leave(told: _Told) -> None:
    _say_won(told)
    told.take(events.LeftNeutral)
    told.say(deed("{They} left {place} neutral."))


def _say_won(told: _Told) -> None:
    """Say that a siege was won, unless its defender gave it up before."""
    if told.take(events.SiegeWon):
        captured = told.its(events.Captured)
        if captured.is_town:
            sentence = deed("{They} won the siege of {place} and captured a town, worth {points}.")
        else:
            sentence = deed(
                "{They} won the siege of {place} and captured a village, worth {points}."
            )
        told.say(sentence, points=points_counted(captured.points))


# --- raids, ambushes and conversions


def _block(told: _Told) -> None:
    if told.take(events.AmbushBlocked):
        told.say(deed("{They} blocked the ambush with {cards}."))
    else:
        raided = told.words.name(told.its(events.RaidBlocked).location)
        told.say(deed("{They} blocked the raid of {place} with {cards}."), place=raided)


def _allow(told: _Told) -> None:
    raid = told.its(events.RaidSucceeded)
    if told.take(events.TownReduced):
        sentence = deed(
            "{They} let the raid of {place} happen: {foe} captured a town, worth {points}, "
            "and a village is left."
        )
    elif raid.is_town:
        sentence = deed(
            "{They} let the raid of {place} happen: {foe} captured a town, worth {points}, "
            "and the location is neutral."
        )
    else:
        sentence = deed(
            "{They} let the raid of {place} happen: {foe} captured a village, worth {points}, "
            "and the location is neutral."
        )
    told.say(sentence, place=told.words.name(raid.location), points=points_counted(raid.points))


def _give(told: _Told) -> None:
    if told.take(events.CardConverted):
        told.say(deed("{They} lost {cards} from {their} hand to {foe}."))
    else:
        told.take(events.CardGivenUp)
        told.say(deed("{They} lost {cards} from {their} hand to the ambush."))


def _give_from_reserve(told: _Told) -> None:
    if told.take(events.CardConverted):
        told.say(deed("{They} lost {cards} from {their} reserve to {foe}."))
    else:
        told.take(events.CardGivenUp)
        told.say(deed("{They} lost {cards} from {their} reserve to the ambush."))


def _give_from_siege(told: _Told) -> None:
    told.take(events.CardGivenUp)
    told.say(deed("{They} lost {cards} at the siege of {place} to the ambush."))


def _show_hand(told: _Told) -> None:
    shown = told.its(events.HandShown)
    if not shown.cards:
        told.say(deed("{They} showed that {they} have no card in hand."))
    else:
        told.say(
            deed("{They} had nothing to give up, and showed {their} hand: {shown}."),
            shown=told.words.series(shown.cards),
        )


# --- money


def _take(told: _Told) -> None:
    told.say(
        deed("{They} took {money} with {cards}."),
        money=told.received(),
    )


def _merchant(told: _Told) -> None:
    ship, *gold = told.order.cards
    told.say(
        deed("{They} shipped the gold of {gold} with {ship}, for {money}."),
        gold=told.words.series(gold),
        ship=told.words.name(ship),
        money=told.received(),
    )


def _trade(told: _Told) -> None:
    told.say(
        deed("{They} played {special} to sell the furs of {cards} for {money}."),
        money=told.received(),
    )


def _sell_fur(told: _Told) -> None:
    told.say(
        deed("{They} sold the fur of {cards} for {money}."),
        money=told.received(),
    )


def _piracy(told: _Told) -> None:
    received, robbed = told.money(events.Received), told.money(events.Paid, told.side.opponent)
    names = {
        "ships": told.words.series(told.played),
        "money": money_counted(received),
        "robbed": money_counted(robbed),
        "rest": money_counted(received - robbed),
    }
    if robbed == received:
        told.say(deed("{They} robbed {foe} of {money} with {ships}."), **names)
    elif robbed:
        told.say(
            deed("{They} robbed {foe} of {robbed} with {ships}, and the bank added {rest}."),
            **names,
        )
    else:
        told.say(
            deed("{They} went out to rob {foe} with {ships}, and were paid {money} by the bank."),
            **names,
        )


# --- cards


def _retrieve(told: _Told) -> None:
    told.say_priced(
        deed("{They} took {cards} back from {their} reserve for nothing."),
        deed("{They} took {cards} back from {their} reserve for {price}."),
        cards=told.words.series(told.its(events.ReserveRetrieved).cards),
    )


VARIOUSLY: dict[type[Order], Callable[[_Told], None]] = {
    orders.Settle: _settle,
    orders.Develop: _develop,
    orders.Besiege: _besiege,
    orders.Reinforce: _reinforce,
    orders.Withdraw: _withdraw,
    orders.Occupy: _occupy,
    orders.Leave: _leave,
    orders.Block: _block,
    orders.Allow: _allow,
    orders.Give: _give,
    orders.GiveFromReserve: _give_from_reserve,
    orders.GiveFromSiege: _give_from_siege,
    orders.ShowHand: _show_hand,
    orders.Take: _take,
    orders.Merchant: _merchant,
    orders.Trade: _trade,
    orders.SellFur: _sell_fur,
    orders.Piracy: _piracy,
    orders.Retrieve: _retrieve,
}
"""How the other orders are told, of which it depends on what came of them."""
WITH_ORDERS = {
    *(always.tells for always in ALWAYS.values() if always.tells),
    events.AmbushBlocked,
    events.Besieged,
    events.CardConverted,
    events.CardGained,
    events.CardGivenUp,
    events.Developed,
    events.HandShown,
    events.LeftNeutral,
    events.RaidBlocked,
    events.RaidSucceeded,
    events.Received,
    events.Reinforced,
    events.ReserveRetrieved,
    events.Settled,
    events.TownReduced,
    events.Withdrew,
}
"""The kinds of event that are always told with an order, and have no other sentence."""
