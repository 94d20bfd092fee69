"""Every order of the game as a sentence or two, with what came of it.

The names in a sentence stand for what differs from case to case; {They} is the side that gave the
order: You, They, The British, The French.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine import events, orders
from engine.events import Event
from engine.message import Message, Said, joined_with_and
from engine.order import Order
from engine.sides import Side
from engine.ways import CHOOSING
from pbem.words.deeds import PRONOUNS, Words
from pbem.words.parts import parts_told
from pbem.words.phrases import money_counted, points_counted


class Way:
    """A sentence for an order, which `tells` some of its results.

    It fits if all these events are there, and nothing it names is empty, such as the price of
    something free; and where another event came of it `beside`, or what was captured is a `town`,
    if it says so.
    """

    def __init__(
        self,
        sentence: str,
        *tells: type[Event],
        beside: type[Event] | None = None,
        town: bool = False,
    ) -> None:
        self.sentence = sentence
        self.tells = tells
        self._beside = beside
        self._town = town
        self._named = set(re.findall(r"{(\w+)}", sentence)) - PRONOUNS

    def told(self, caused: Sequence[Event]) -> list[Event]:
        """The events that it tells, of those that came of an order and are not told yet."""
        found = (next((e for e in caused if isinstance(e, kind)), None) for kind in self.tells)
        return [event for event in found if event is not None]

    def fits(self, caused: Sequence[Event], names: Mapping[str, Said]) -> bool:
        """Whether it can be said of an order that caused these events, with these names."""
        told = self.told(caused)
        return (
            len(told) == len(self.tells)
            and all(names.get(name) for name in self._named)
            and (self._beside is None or _has(caused, self._beside))
            and (not self._town or any(getattr(e, "is_town", False) for e in told))
        )


WON = (
    Way(
        "{They} won the siege of {place} and captured a town, worth {points}.",
        events.SiegeWon,
        events.Captured,
        town=True,
    ),
    Way(
        "{They} won the siege of {place} and captured a village, worth {points}.",
        events.SiegeWon,
        events.Captured,
    ),
)
"""Said before what became of the location, unless its defender gave it up before."""
WAYS: dict[type[Order], tuple[Way, ...]] = {
    # expansion
    orders.Settle: (
        Way(
            "{They} settled {place} with {cards}: {village}, and its card.",
            events.Settled,
            events.CardGained,
        ),
        Way("{They} settled {place} with {cards}: {village}.", events.Settled),
        Way("{They} took the card of {place} back with {cards}.", events.CardGained),
    ),
    orders.Develop: (
        Way(
            "{They} developed {place} with its own card and {cards}: a town worth {points}.",
            events.Developed,
        ),
    ),
    orders.Fortify: (
        Way(
            "{They} fortified {place} with its own card and {cards}, and paid {price}: a disc "
            "stays there, the cards do not.",
            events.Fortified,
        ),
    ),
    # sieges
    orders.Besiege: (
        Way(
            "{They} laid siege to {place} with {route}, and paid {price}: {card} stays there, "
            "strength {strength}.",
            events.Besieged,
            events.Reinforced,
        ),
        Way(
            "{They} laid siege to {place} with {route}: {card} stays there, strength {strength}.",
            events.Besieged,
            events.Reinforced,
        ),
    ),
    orders.Reinforce: (
        Way(
            "{They} sent {cards}, strength {strength}, to the siege of {place}, and paid {price}.",
            events.Reinforced,
        ),
        Way(
            "{They} sent {cards}, strength {strength}, to the siege of {place}.", events.Reinforced
        ),
    ),
    orders.Withdraw: (
        Way(
            "{They} surrendered {place} to {foe}.",
            events.Withdrew,
            beside=events.Captured,
        ),
        Way("{They} gave up {their} siege of {place}.", events.Withdrew),
    ),
    orders.Occupy: (
        Way(
            "{They} occupied {place} with {cards}: {village}, and its card.",
            events.Settled,
            events.CardGained,
        ),
        Way("{They} occupied {place} with {cards}: {village}.", events.Settled),
        Way("{They} occupied {place}: {village}, and its card.", events.Settled, events.CardGained),
        Way("{They} occupied {place}: {village}.", events.Settled),
    ),
    orders.Leave: (Way("{They} left {place} neutral.", events.LeftNeutral),),
    orders.Relieve: (
        Way(
            "{They} first ended the siege of {place}, which {they} had withstood.",
            events.SiegeRelieved,
        ),
    ),
    orders.Lose: (
        Way("{They} chose {cards} to be lost with the siege of {place}.", events.CardPledged),
    ),
    # raids, ambushes and conversions
    orders.Raid: (
        Way("{They} raided {place} with {cards}, and paid {price}.", events.Raided),
        Way("{They} raided {place} with {cards}.", events.Raided),
    ),
    orders.Ambush: (
        Way("{They} ambushed {foe} with {cards}, and paid {price}.", events.Ambushed),
        Way("{They} ambushed {foe} with {cards}.", events.Ambushed),
    ),
    orders.Convert: (
        Way(
            "{They} played {cards} to convert Native Americans who fight for {foe}, and paid "
            "{price}.",
            events.ConversionTried,
        ),
        Way(
            "{They} played {cards} to convert Native Americans who fight for {foe}.",
            events.ConversionTried,
        ),
    ),
    orders.Block: (
        Way("{They} blocked the ambush with {cards}.", events.AmbushBlocked),
        Way("{They} blocked the raid on {place} with {cards}.", events.RaidBlocked),
    ),
    orders.Allow: (
        Way(
            "{They} allowed the raid on {place}: {foe} captured a town, worth {points}, and a "
            "village is left.",
            events.RaidSucceeded,
            events.TownReduced,
        ),
        Way(
            "{They} allowed the raid on {place}: {foe} captured a town, worth {points}, and the "
            "location is neutral.",
            events.RaidSucceeded,
            town=True,
        ),
        Way(
            "{They} allowed the raid on {place}: {foe} captured a village, worth {points}, and the "
            "location is neutral.",
            events.RaidSucceeded,
        ),
    ),
    orders.Give: (
        Way("{They} lost {cards} from {their} hand to {foe}.", events.CardConverted),
        Way("{They} lost {cards} from {their} hand to the ambush.", events.CardGivenUp),
    ),
    orders.GiveFromReserve: (
        Way("{They} lost {cards} from {their} reserve to {foe}.", events.CardConverted),
        Way("{They} lost {cards} from {their} reserve to the ambush.", events.CardGivenUp),
    ),
    orders.GiveFromSiege: (
        Way("{They} lost {cards} at the siege of {place} to the ambush.", events.CardGivenUp),
    ),
    orders.ShowHand: (
        Way("{They} had nothing to give up, and showed {their} hand: {shown}.", events.HandShown),
        Way("{They} showed that {they} had no cards in hand.", events.HandShown),
    ),
    # money
    orders.Take: (Way("{They} took {money} with {cards}.", events.Received),),
    orders.Merchant: (
        Way(
            "{They} shipped the gold of {gold} with {ship}, and received {money}.", events.Received
        ),
    ),
    orders.Trade: (
        Way(
            "{They} played {special} to sell the furs of {cards}, and received {money}.",
            events.Received,
        ),
    ),
    orders.SellFur: (
        Way("{They} sold the fur of {cards}, and received {money}.", events.Received),
    ),
    orders.Piracy: (
        Way(
            "{They} robbed {foe} of {robbed} with {ships}, and the bank added {rest}.",
            events.Received,
            events.Paid,
        ),
        Way("{They} robbed {foe} of {money} with {ships}.", events.Received, events.Paid),
        Way(
            "{They} set out to rob {foe} with {ships}, and received {money} from the bank.",
            events.Received,
        ),
    ),
    # cards
    orders.Draft: (
        Way("{They} drafted {cards}, and paid {price}.", events.Drafted),
        Way("{They} drafted {cards} for free.", events.Drafted),
    ),
    orders.Discard: (
        Way("{They} discarded {cards}, and paid {price}.", events.Discarded),
        Way("{They} discarded {cards} for free.", events.Discarded),
    ),
    orders.Drop: (
        Way("{They} dropped the card of {cards}, which {they} did not control.", events.Discarded),
    ),
    orders.Reserve: (Way("{They} put {cards} into {their} reserve.", events.Reserved),),
    orders.Retrieve: (
        Way(
            "{They} took {cards} back from {their} reserve, and paid {price}.",
            events.ReserveRetrieved,
        ),
        Way("{They} took {cards} back from {their} reserve for free.", events.ReserveRetrieved),
    ),
    orders.Govern: (Way("{They} played {special} to return {cards}.", events.CardsReturned),),
    orders.Intendant: (
        Way(
            "{They} played {special} to fetch {cards} from {their} discard pile, and paid {price}.",
            events.CardFetched,
        ),
        Way(
            "{They} played {special} to fetch {cards} from {their} discard pile.",
            events.CardFetched,
        ),
    ),
    orders.HomeSupport: (
        Way("{They} played {special}, which is discarded after the draw.", events.SupportCalled),
    ),
    # the course of a turn
    orders.Start: (Way("{They} put {cards} into {their} initial deck.", events.CardAdded),),
    orders.Pass: (Way("{They} passed, leaving an action unused.", events.Passed),),
    orders.Refill: (Way("{They} refilled {their} hand before the end of {their} turn."),),
    orders.End: (Way("{They} ended {their} turn.", events.TurnEnded),),
    orders.Exchange: (Way("{They} discarded {cards} to draw another card.", events.Discarded),),
    orders.Keep: (Way("{They} exchanged no card."),),
    orders.Forfeit: (
        Way("{They} discarded {cards}, as {they} could not pay for the shuffle.", events.Discarded),
    ),
}
"""How each order is told: the first way that fits."""


def tell_order(
    words: Words, side: Side, order: Order, played: Sequence[str], caused: Iterable[Event]
) -> tuple[list[Message], list[Event]]:
    """The sentences of an order of `side`, and the events that these do not tell.

    `played` are all cards that the order takes from hand, `caused` what came of it.
    """
    left, told = list(caused), list[Message]()
    paid = next((e for e in left if isinstance(e, events.Paid) and e.side is side), None)
    if paid:
        left.remove(paid)
    own = _names(words, order, played, paid.money if paid else 0)
    ways_of_each = [WAYS[type(order)]]
    if isinstance(order, orders.Occupy | orders.Leave) and _has(left, events.SiegeWon):
        ways_of_each.insert(0, WON)
    for ways in ways_of_each:
        each = ((way, _facts(words, way.told(left)) | own) for way in ways)
        found = next(((way, names) for way, names in each if way.fits(left, names)), None)
        assert found, f"{order!r} has no way to be told with {left}"
        way, names = found
        for event in way.told(left):
            left.remove(event)
        told.append(words.deed(side, way.sentence, **names))
    return told, left


def _has(caused: Sequence[Event], kind: type[Event]) -> bool:
    return any(isinstance(event, kind) for event in caused)


def _names(words: Words, order: Order, played: Sequence[str], paid: int) -> dict[str, Said]:
    """What an order names, under the names that sentences have for it; nothing empty."""
    kind, cards = type(order), order.cards
    parts = [*parts_told(kind, cards, words.name)]
    names = {
        "place": words.name(order.location) if order.location else "",
        # A choice of cards serves one purpose, and may have a card twice.
        "cards": words.series(cards) if kind in CHOOSING else joined_with_and(parts),
        "route": joined_with_and(parts[:-1]),
        "card": words.series(cards[-1:]),
        "ship": joined_with_and(parts[:1]),
        "gold": words.series(cards[1:]),
        "special": words.series(played[:1]),
        "ships": joined_with_and((*map(words.name, played[:1]), *parts)),
        "price": money_counted(paid) if paid else "",
    }
    return {name: said for name, said in names.items() if said}


def _facts(words: Words, told: Sequence[Event]) -> dict[str, Said]:
    """What events say, under the names that sentences have for it; of two facts the first."""
    facts: dict[str, Said] = {}
    for event in reversed(told):
        facts |= words.facts(event)
    match told:
        case [events.Settled() as settled, *_]:
            # The card that is gained is called by its place.
            facts.pop("cards", None)
            facts["village"] = _village(settled)
        case [events.HandShown() as hand]:
            facts["shown"] = words.series(hand.cards)
        case [events.Received() as received, events.Paid() as robbed]:
            rest = received.money - robbed.money
            facts["robbed"] = money_counted(robbed.money)
            facts["rest"] = money_counted(rest) if rest else ""
    return facts


def _village(settled: events.Settled) -> Message:
    """What was placed, as it stands after a colon."""
    if not settled.points:
        return Message("a village")
    return Message("a village worth {points}", points=points_counted(settled.points))
