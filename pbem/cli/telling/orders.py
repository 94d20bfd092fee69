"""Every order of the game as a sentence or two.

The names in a sentence stand for what differs from case to case; {They} is whoever gave the order:
You, They, The British, The French.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from engine import orders
from pbem.cli.telling.naming import Words, money, piece, points

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from engine.state import Event


def tell_order(
    words: Words, side: Side, order: Order, played: Sequence[str], events: Iterable[Event]
) -> tuple[list[str], list[Event]]:
    """The sentences of an order of `side`, and the events that these do not tell.

    `played` are all cards that the order takes from hand, `events` what came of it.
    """
    told = _Told(words, side, order, played, events)
    tell = _TELL.get(type(order))
    if tell is None:
        sentence, what = _ALWAYS[type(order)]
        told.take(what)
        told.say(sentence)
    else:
        tell(told)
    return told.sentences, told.left


class _Told:
    """An order on its way into `sentences`; `left` are the events that none of these tells yet."""

    def __init__(
        self, words: Words, side: Side, order: Order, played: Sequence[str], events: Iterable[Event]
    ) -> None:
        self.words, self.side, self.order, self.played = words, side, order, played
        self.left = list(events)
        self.sentences: list[str] = []
        paid = self.amount("paid", side)
        self._names = words.about(side) | {
            "place": words.name(order.location) if order.location else "",
            "cards": words.series(order.cards),
            "special": words.series(played[:1]),
            "price": f", for {money(paid)}" if paid else "",
            "cost": money(paid) if paid else "nothing",
        }

    def take(self, what: str, side: Side | None = None) -> Event | None:
        """The first event of a kind, which is told with this; None where there is none."""
        for number, event in enumerate(self.left):
            if event.what == what and side in (None, event.side):
                return self.left.pop(number)
        return None

    def amount(self, what: str, side: Side | None = None) -> int:
        """The amount of the first event of a kind, which is told with this."""
        event = self.take(what, side)
        return event.amount if event else 0

    def say(self, sentence: str, **names: str) -> None:
        """Say a sentence, with everything named."""
        self.sentences.append(sentence.format_map(self._names | names))


_ALWAYS: dict[type[Order], tuple[str, str]] = {
    orders.Fortify: ("{They} fortified {place} with its own card and {cards}{price}.", "fortified"),
    orders.Raid: ("{They} raided {place} with {cards}{price}.", "raided"),
    orders.Ambush: ("{They} ambushed {foe} with {cards}{price}.", "ambushed"),
    orders.Convert: (
        "{They} played {cards} to convert Native Americans who fight for {foe}{price}.",
        "conversion tried",
    ),
    orders.Draft: ("{They} drafted {cards} for {cost}.", ""),
    orders.Discard: ("{They} discarded {cards} for {cost}.", ""),
    orders.Drop: ("{They} dropped the card of {cards}, which {they} do not control.", ""),
    orders.Reserve: ("{They} put {cards} into {their} reserve.", ""),
    orders.Govern: ("{They} played {special} to return {cards}.", "cards returned"),
    orders.Intendant: (
        "{They} played {special} to fetch {cards} from {their} discard pile{price}.",
        "card fetched",
    ),
    orders.HomeSupport: ("{They} played {special}.", ""),
    orders.Pass: ("{They} let an action pass.", ""),
    orders.End: ("{They} ended {their} turn.", "turn ended"),
    orders.Refill: ("{They} refilled {their} hand before the end of {their} turn.", ""),
    orders.Relieve: (
        "{They} first ended the siege of {place}, which {they} had withstood.",
        "siege relieved",
    ),
    orders.Lose: ("{They} chose {cards} to be lost with the siege of {place}.", ""),
    orders.Exchange: ("{They} discarded {cards} to draw another card.", ""),
    orders.Keep: ("{They} exchanged no card.", ""),
    orders.Forfeit: ("{They} discarded {cards}, as {they} could not pay for the shuffle.", ""),
    orders.Start: ("{They} put {cards} into {their} first deck.", ""),
}
"""The sentences of orders that always say the same, each with the event that it tells."""


# --- expansion


def _settle(told: _Told) -> None:
    settled, gained = told.take("settled"), told.take("card gained")
    if settled is None:
        assert gained is not None
        told.say("{They} took the card of {place} back with {cards}.")
        return
    village = _village(settled)
    if gained:
        told.say("{They} settled {place} with {cards}: {village}, and its card.", village=village)
    else:
        told.say("{They} settled {place} with {cards}: {village}.", village=village)


def _develop(told: _Told) -> None:
    told.say(
        "{They} developed {place} with its own card and {cards}: a town worth {points}.",
        points=points(told.amount("developed")),
    )


def _village(settled: Event) -> str:
    return f"a village worth {points(settled.amount)}" if settled.amount else "a village"


# --- sieges


def _besiege(told: _Told) -> None:
    *route, card = told.order.cards
    told.take("besieged")
    told.say(
        "{They} laid siege to {place} by way of {route}, with {card}, strength {strength}{price}.",
        route=told.words.series(route),
        card=told.words.name(card),
        strength=str(told.amount("reinforced")),
    )


def _reinforce(told: _Told) -> None:
    told.say(
        "{They} sent {cards}, strength {strength}, to the siege of {place}{price}.",
        strength=str(told.amount("reinforced")),
    )


def _withdraw(told: _Told) -> None:
    told.take("withdrew")
    if any(event.what == "captured" for event in told.left):
        told.say("{They} gave {place} up to {foe}, who besieged it.")
    else:
        told.say("{They} gave up {their} siege of {place}.")


def _occupy(told: _Told) -> None:
    _say_won(told)
    settled, gained = told.take("settled"), told.take("card gained")
    assert settled is not None
    village = _village(settled)
    if told.order.cards and gained:
        told.say("{They} occupied {place} with {cards}: {village}, and its card.", village=village)
    elif told.order.cards:
        told.say("{They} occupied {place} with {cards}: {village}.", village=village)
    elif gained:
        told.say("{They} occupied {place}: {village}, and its card.", village=village)
    else:
        told.say("{They} occupied {place}: {village}.", village=village)


def _leave(told: _Told) -> None:
    _say_won(told)
    told.take("left neutral")
    told.say("{They} left {place} neutral.")


def _say_won(told: _Told) -> None:
    """Say that a siege was won, unless its defender gave it up before."""
    if told.take("siege won"):
        captured = told.take("captured")
        assert captured is not None
        told.say(
            "{They} won the siege of {place} and captured a {piece}, worth {points}.",
            piece=piece(captured),
            points=points(captured.amount),
        )


# --- raids, ambushes and conversions


def _block(told: _Told) -> None:
    blocked = told.take("blocked")
    assert blocked is not None
    if blocked.location is None:
        told.say("{They} blocked the ambush with {cards}.")
    else:
        raided = told.words.name(blocked.location)
        told.say("{They} blocked the raid of {place} with {cards}.", place=raided)


def _allow(told: _Told) -> None:
    raid = told.take("raid succeeded")
    assert raid is not None
    assert raid.location is not None
    names = {
        "place": told.words.name(raid.location),
        "piece": piece(raid),
        "points": points(raid.amount),
    }
    if told.take("town reduced"):
        told.say(
            "{They} let the raid of {place} happen: {foe} captured a {piece}, worth {points}, "
            "and a village is left.",
            **names,
        )
    else:
        told.say(
            "{They} let the raid of {place} happen: {foe} captured a {piece}, worth {points}, "
            "and the location is neutral.",
            **names,
        )


def _give(told: _Told) -> None:
    if told.take("card converted"):
        told.say("{They} lost {cards} from {their} hand to {foe}.")
    else:
        told.take("card given up")
        told.say("{They} lost {cards} from {their} hand to the ambush.")


def _give_from_reserve(told: _Told) -> None:
    if told.take("card converted"):
        told.say("{They} lost {cards} from {their} reserve to {foe}.")
    else:
        told.take("card given up")
        told.say("{They} lost {cards} from {their} reserve to the ambush.")


def _give_from_siege(told: _Told) -> None:
    told.take("card given up")
    told.say("{They} lost {cards} at the siege of {place} to the ambush.")


def _show_hand(told: _Told) -> None:
    shown = told.take("hand shown")
    if shown is None or not shown.cards:
        told.say("{They} showed that {they} have no card in hand.")
    else:
        told.say(
            "{They} had nothing to give up, and showed {their} hand: {shown}.",
            shown=told.words.series(shown.cards),
        )


# --- money


def _take(told: _Told) -> None:
    told.say("{They} took {money} with {cards}.", money=money(told.amount("received")))


def _merchant(told: _Told) -> None:
    ship, *gold = told.order.cards
    told.say(
        "{They} shipped the gold of {gold} with {ship}, for {money}.",
        gold=told.words.series(gold),
        ship=told.words.name(ship),
        money=money(told.amount("received")),
    )


def _trade(told: _Told) -> None:
    told.say(
        "{They} played {special} to sell the furs of {cards} for {money}.",
        money=money(told.amount("received")),
    )


def _sell_fur(told: _Told) -> None:
    told.say("{They} sold the fur of {cards} for {money}.", money=money(told.amount("received")))


def _piracy(told: _Told) -> None:
    received, robbed = told.amount("received"), told.amount("paid", told.side.opponent)
    names = {
        "ships": told.words.series(told.played),
        "money": money(received),
        "robbed": money(robbed),
        "rest": money(received - robbed),
    }
    if robbed == received:
        told.say("{They} robbed {foe} of {money} with {ships}.", **names)
    elif robbed:
        told.say(
            "{They} robbed {foe} of {robbed} with {ships}, and the bank added {rest}.", **names
        )
    else:
        told.say(
            "{They} went out to rob {foe} with {ships}, and were paid {money} by the bank.", **names
        )


# --- cards


def _retrieve(told: _Told) -> None:
    retrieved = told.take("reserve retrieved")
    assert retrieved is not None
    told.say(
        "{They} took {cards} back from {their} reserve for {cost}.",
        cards=told.words.series(retrieved.cards),
    )


_TELL: dict[type[Order], Callable[[_Told], None]] = {
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
