"""What was done in a game, as plain data for other programs. docs/json.md tells the shape."""

from __future__ import annotations

import re
from typing import TypedDict

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from pbem.protocol.follow_ups import Dropped
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Deed


class EventFacts(TypedDict):
    """One thing that came of a deed; `what` is one of a fixed set of words."""

    what: str
    side: str
    location: str | None
    cards: list[str]
    amount: int


class DeedFacts(TypedDict):
    """An order, a shuffle or a draw of `side`, what it cost, and what came of it.

    `order` is in the notation of records, None for a shuffle, a draw and a resignation. `drawn` is
    how many cards were drawn, `cards_drawn` which; None where whoever looks may not know them.
    """

    record: int
    turn: int
    side: str
    order: str | None
    cost: int
    drawn: int
    cards_drawn: list[str] | None
    events: list[EventFacts]


class DroppedFacts(TypedDict):
    """What a side had ordered to follow an answer, and could not be carried out.

    `cause` is "rules", "no-choice", "not-due" or "other-cards".
    """

    record: int
    side: str
    orders: list[str]
    cause: str


def deed_facts(deed: Deed, own: HiddenCards | None = None) -> DeedFacts:
    """A deed as plain data; `own` knows which cards one side drew."""
    knows = own is not None and own.side is deed.side
    return {
        "record": deed.record,
        "turn": deed.turn + 1,
        "side": deed.side.value,
        "order": deed.order.notation() if deed.order else None,
        "cost": sum(
            event.money
            for event in deed.events
            if isinstance(event, Paid) and event.side is deed.side
        ),
        "drawn": len(deed.drawn),
        "cards_drawn": sorted(own.names(deed.drawn)) if own and knows else None,
        "events": [event_facts(event) for event in deed.events],
    }


def event_facts(event: Event) -> EventFacts:
    """An event as plain data, in the same five places for every kind."""
    facts = vars(event)
    cards = facts.get("cards") or ([facts["card"]] if "card" in facts else [])
    return {
        "what": _what(type(event)),
        "side": event.side.value,
        "location": facts.get("location"),
        "cards": list(cards),
        "amount": next((facts[field] for field in AMOUNTS if field in facts), 0),
    }


AMOUNTS = ("count", "money", "points", "strength")
"""The facts of events that are amounts; no kind has more than one of them."""


def _what(kind: type[Event]) -> str:
    """The words for a kind of event: `siege stands` of SiegeStands."""
    if kind in (RaidBlocked, AmbushBlocked):
        return "blocked"
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


def dropped_facts(dropped: Dropped) -> DroppedFacts:
    """Dropped follow-ups as plain data."""
    return {
        "record": dropped.record,
        "side": dropped.side.value,
        "orders": [order.notation() for order in dropped.orders],
        "cause": dropped.cause.name.lower().replace("_", "-"),
    }
