"""Every order and event of the game as a sentence or two; the words are in narration.toml.

The names in a sentence stand for what differs from case to case; {They} is the side that gave the
order, or that the event names: You, They, The British, The French.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from engine import events, orders
from engine.choices import CHOOSING
from engine.events import Event
from engine.message import Message, Said, joined_with_and
from engine.order import Order
from engine.sides import Side
from engine.siege import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from pbem.text.narration import PRONOUNS, Words, deeds
from pbem.text.parts import parts_told
from pbem.text.phrases import money_counted, points_counted, signed
from pbem.text.tables import entry


class Way(NamedTuple):
    """A sentence for the order `of` that verb, which `tells` some of its results.

    It fits if all these events are there, and nothing it names is empty, such as the price of
    something free; and where another event came of it `beside`, or what was captured is a `town`,
    if it says so.
    """

    of: str
    sentence: str
    tells: Sequence[str] = ()
    beside: str = ""
    town: bool = False

    def told(self, caused: Sequence[Event]) -> list[Event]:
        """The events that it tells, of those that came of an order and are not told yet."""
        found = (next((e for e in caused if _name(e) == name), None) for name in self.tells)
        return [event for event in found if event is not None]

    def fits(self, caused: Sequence[Event], names: Mapping[str, Said]) -> bool:
        """Return True if it can be said of an order that caused these events, with these names."""
        told = self.told(caused)
        named = set(re.findall(r"{(\w+)}", self.sentence)) - PRONOUNS
        return (
            len(told) == len(self.tells)
            and all(names.get(name) for name in named)
            and (not self.beside or self.beside in map(_name, caused))
            and (not self.town or any(getattr(e, "is_town", False) for e in told))
        )


@cache
def ways() -> dict[str, list[Way]]:
    """How each order is told, by its verb: the first way that fits; under `won` what is won."""
    rows = (Way(**row) for row in deeds("way"))
    return {verb: list(group) for verb, group in groupby(rows, key=lambda way: way.of)}


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
    verbs = [order.verb]
    if isinstance(order, orders.Occupy | orders.Leave) and "SiegeWon" in map(_name, left):
        verbs.insert(0, "won")
    for verb in verbs:
        each = ((way, _facts(words, way.told(left)) | own) for way in ways()[verb])
        found = next(((way, names) for way, names in each if way.fits(left, names)), None)
        assert found, f"{order!r} has no way to be told with {left}"
        way, names = found
        for event in way.told(left):
            left.remove(event)
        told.append(words.deed(side, way.sentence, **names))
    return told, left


def tell_event(words: Words, event: Event, drawn: Sequence[str] = ()) -> Message:
    """The sentence of an event; `drawn` are the cards drawn by it, where they may be known."""
    match event:
        case events.SiegeStands():
            return _standing(words, event)
        case events.SiegeLifted():
            place = words.name(event.location)
            return Message("The siege of {place} is over, as nobody is left there.", place=place)
        case events.GameOver():
            return Message("This won the game for the {side}.", side=event.side.label)
        case events.Captured():
            return words.event(event, deeds("captured")["town" if event.is_town else "village"])
        case events.Drew() | events.Refilled() if drawn:
            return words.event(event, deeds("drawn")[_name(event)], cards=words.series(drawn))
    return words.event(event, deeds("happened")[_name(event)])


def _standing(words: Words, event: events.SiegeStands) -> Message:
    """How the siege stands that was just named, and what each side still needs."""
    strength, besieger = event.strength, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    how = "falling" if attack <= 0 else "defended" if defence <= 0 else "undecided"
    readers = {besieger: "besieger", besieger.opponent: "defender"}
    reader = readers[words.viewer] if words.viewer else "spectator"
    return entry(
        "siege-stands",
        f"{how} {reader}",
        strength=signed(strength),
        besieger=besieger.label,
        defender=besieger.opponent.label,
        attack=attack,
        defence=defence,
    )


def _name(event: Event) -> str:
    """The kind of an event, as narration.toml names it."""
    return type(event).__name__


def _names(words: Words, order: Order, played: Sequence[str], paid: int) -> dict[str, Said]:
    """Return what an order names, under the names that sentences have for it; nothing empty."""
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
    """Return what events say, under the names that sentences have; of two facts the first."""
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
    """Return what was placed, as it stands after a colon."""
    if not settled.points:
        return Message("a village")
    return Message("a village worth {points}", points=points_counted(settled.points))
