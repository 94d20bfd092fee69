"""What was done in a game, as plain data for other programs. docs/json.md tells the shape."""

from __future__ import annotations

from typing import TypedDict

from engine.state import Event
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
            event.amount
            for event in deed.events
            if event.what == "paid" and event.side is deed.side
        ),
        "drawn": len(deed.drawn),
        "cards_drawn": sorted(own.names(deed.drawn)) if own and knows else None,
        "events": [_event_facts(event) for event in deed.events],
    }


def _event_facts(event: Event) -> EventFacts:
    return {
        "what": event.what,
        "side": event.side.value,
        "location": event.location,
        "cards": list(event.cards),
        "amount": event.amount,
    }


def dropped_facts(dropped: Dropped) -> DroppedFacts:
    """Dropped follow-ups as plain data."""
    return {
        "record": dropped.record,
        "side": dropped.side.value,
        "orders": [order.notation() for order in dropped.orders],
        "cause": dropped.cause.name.lower().replace("_", "-"),
    }
