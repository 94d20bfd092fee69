"""Games and what was done in them as plain data, for --json; docs/json.md has the shape."""

from __future__ import annotations

import re

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from engine.sides import Side
from pbem.play.look import Look
from pbem.play.turn import Notes
from pbem.protocol.entrance import Entrant
from pbem.protocol.follow_ups import Dropped
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Invite
from pbem.protocol.table import Deed
from pbem.text.facts.chronicle import Chronicle, dropped_in, last_deeds
from pbem.text.facts.position_facts import position_facts
from pbem.text.facts.shape import (
    DeedFacts,
    DroppedFacts,
    EventFacts,
    GameFacts,
    PlayerFacts,
    RecordFacts,
    TurnFacts,
)


def look_facts(look: Look, notes: Notes | None) -> GameFacts:
    """Return a game that was joined, as somebody sees it, with the deeds that were done last."""
    facts = invitation_facts(look.whole, look.match)
    match = look.match
    deeds = last_deeds(match, look.viewer)
    dropped = dropped_in(match, {deed.record for deed in deeds})
    facts["viewer"] = look.viewer.value if look.viewer else None
    facts["position"] = position_facts(look.state, look.viewer, look.ahead, look.also)
    facts["last"] = [deed_facts(deed, look.own) for deed in deeds]
    facts["dropped"] = [dropped_facts(each) for each in dropped]
    if match.follow_ups:
        orders = [order.notation() for order in match.follow_ups]
        facts["announced"] = {"side": match.state.active.value, "orders": orders}
    facts["notes"] = notes.text if notes else None
    return facts


def look_back_facts(chronicle: Chronicle, number: int) -> GameFacts:
    """A game as it was after a turn, 0 the setup; raises WrongUse where there is no such turn."""
    turn, told, viewer = chronicle.turn(number), turn_facts(chronicle, number), chronicle.viewer
    match = chronicle.match
    facts = invitation_facts(match, match)
    facts["viewer"] = viewer.value if viewer else None
    facts["after_turn"] = number
    facts["record"] = _record(match, match.records[turn.records[-1]])
    if number < chronicle.last:
        facts["next"] = turn.state.active.value
    facts["position"] = position_facts(chronicle.view(number), viewer, also=chronicle.also)
    facts["last"], facts["dropped"] = told["deeds"], told["dropped"]
    return facts


def invitation_facts(whole: Match, match: Match) -> GameFacts:
    """Return what everybody may know of a `whole` game as of a `match`, but its position."""
    invite = match.invite
    return {
        "game": match.id.hex(),
        "edition": invite.edition,
        "house_rules": sorted(invite.house_rules),
        "lists": invite.lists,
        "home_support": invite.home_support,
        "players": _players(match),
        "viewer": None,
        "after_turn": None,
        "record": _record(whole, match.last),
        "next": match.next_side.value if match.next_side else None,
        "closed": [side.value for side in Side if side in whole.secrets],
        "position": None,
        "last": [],
        "dropped": [],
        "announced": None,
        "notes": None,
    }


def _record(whole: Match, record: Record) -> RecordFacts:
    return {
        "index": record.index,
        "of": len(whole.records),
        "side": record.side,
        "time": record.time,
    }


def _players(match: Match) -> dict[str, PlayerFacts]:
    """Return who has entered: the inviter alone until somebody joins."""
    if not match.entrants:
        return {match.invite.side: _player(match.invite)}
    return {side.value: _player(match.entrants[side]) for side in Side if side in match.entrants}


def _player(entry: Entrant | Invite) -> PlayerFacts:
    return {"name": entry.name, "email": entry.email, "key": entry.key.hex()}


# --- what was done


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
