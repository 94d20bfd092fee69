"""What was done in a game as plain data, for --json; docs/json.md has its shape."""

from __future__ import annotations

import re

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from pbem.protocol.follow_ups import Dropped
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Deed
from pbem.view.chronicle import Chronicle
from pbem.view.shape import DeedFacts, DroppedFacts, EventFacts, TurnFacts


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


def turn_facts(chronicle: Chronicle, number: int) -> TurnFacts:
    """A turn as plain data, 0 the setup, which is nobody's; raises WrongUse where there is none."""
    turn = chronicle.turn(number)
    known = chronicle.known
    return {
        "turn": number,
        "side": turn.side and turn.side.value,
        "time": turn.time,
        "records": list(turn.records),
        "deeds": [deed_facts(deed, known.get(deed.side)) for deed in turn.deeds],
        "dropped": [dropped_facts(dropped) for dropped in turn.dropped],
        "points": {side.value: total for side, total in turn.points.items()},
    }


def chronicle_facts(chronicle: Chronicle, first: int = 1) -> dict[str, object]:
    """A game from its turn `first` on, as plain data: ids, and orders as the file has them."""
    match, viewer = chronicle.match, chronicle.viewer
    outcome = match.state.outcome
    begin = max(first, 1)
    return {
        "game": match.id.hex(),
        "edition": match.invite.edition,
        "house_rules": list(match.invite.house_rules),
        "players": {side.value: match.entrants[side].name for side in match.entrants},
        "viewer": viewer.value if viewer else None,
        "setup": turn_facts(chronicle, 0)["deeds"] if begin == 1 else None,
        "turns": [turn_facts(chronicle, number) for number in range(begin, chronicle.last + 1)],
        "outcome": outcome and {"winner": outcome.winner.value, "reason": str(outcome.reason)},
    }
