"""Games and their moves as facts, for --json; docs/json.md has the keys."""

from __future__ import annotations

import re

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from engine.sides import Side
from pbem.play.look import Look
from pbem.play.turn import Notes
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import DroppedOrders
from pbem.protocol.steps import Invite
from pbem.protocol.table import Entrant, Move
from pbem.text.facts.chronicle import Chronicle, dropped_in, last_moves
from pbem.text.facts.json_data import Facts
from pbem.text.facts.position_facts import outcome_facts, position_facts


def look_facts(look: Look, notes: Notes | None) -> Facts:
    """Return the facts of a game that was joined, for one viewer, with its latest moves."""
    match = look.match
    moves = last_moves(match, look.viewer)
    dropped = dropped_in(match, {move.record for move in moves})
    announced = {"side": match.state.active, "orders": match.follow_ups}
    return invitation_facts(look.whole, match) | {
        "viewer": look.viewer,
        "position": position_facts(look.state, look.viewer, look.ahead, look.open_sides),
        "last": [move_facts(move, look.own) for move in moves],
        "dropped": [*map(dropped_facts, dropped)],
        "announced": announced if match.follow_ups else None,
        "notes": notes.text if notes else None,
    }


def look_back_facts(chronicle: Chronicle, number: int) -> Facts:
    """Return the facts of a game after a turn, or the setup for 0. Raises UsageError."""
    turn, details, viewer = chronicle.turn(number), turn_facts(chronicle, number), chronicle.viewer
    match = chronicle.match
    facts = invitation_facts(match, match)
    return facts | {
        "viewer": viewer,
        "after_turn": number,
        "record": _record(match, match.records[turn.records[-1]]),
        "next": turn.state.active if number < chronicle.last else facts["next"],
        "position": position_facts(chronicle.view(number), viewer, (), chronicle.look.open_sides),
        "last": details["deeds"],
        "dropped": details["dropped"],
    }


def invitation_facts(whole: Match, match: Match) -> Facts:
    """Return the public facts, except a position, of a `whole` game up to the end of `match`."""
    invite = match.invite
    # Only the inviter, until the invitation is accepted.
    entered: dict[str, Entrant | Invite] = {
        side: match.entrants[side] for side in Side if side in match.entrants
    } or {invite.side: invite}
    return rules_facts(match) | {
        "lists": invite.lists,
        "home_support": invite.home_support,
        "players": {
            side: {"name": entry.name, "email": entry.email, "key": entry.key}
            for side, entry in entered.items()
        },
        "viewer": None,
        "after_turn": None,
        "record": _record(whole, match.last),
        "next": match.next_side,
        "closed": [side for side in Side if side in whole.secrets],
        "position": None,
        "last": (),
        "dropped": (),
        "announced": None,
        "notes": None,
    }


def _record(whole: Match, record: Record) -> Facts:
    of = len(whole.records)
    return {"index": record.index, "of": of, "side": record.side, "time": record.time}


# --- moves


def move_facts(move: Move, own_cards: HiddenCards | None = None) -> Facts:
    """Return the facts of a move; `own_cards` knows the cards that one side drew."""
    prices = (e.money for e in move.events if isinstance(e, Paid) and e.side is move.side)
    is_known = own_cards is not None and own_cards.side is move.side
    return {
        "record": move.record,
        "turn": move.turn + 1,
        "side": move.side,
        "order": move.order,
        "cost": sum(prices),
        "drawn": len(move.drawn),
        "cards_drawn": sorted(own_cards.names(move.drawn)) if own_cards and is_known else None,
        "events": [*map(event_facts, move.events)],
    }


def event_facts(event: Event) -> Facts:
    """Return the facts of an event; every kind of event has the same five keys."""
    facts = vars(event)
    return {
        "what": _kind_name(type(event)),
        "side": event.side,
        "location": facts.get("location"),
        "cards": facts.get("cards") or ([facts["card"]] if "card" in facts else []),
        "amount": next((facts[field] for field in AMOUNTS if field in facts), 0),
    }


AMOUNTS = ("count", "money", "points", "strength")
"""The fields of events that are amounts; each kind of event has at most one of them."""


def _kind_name(kind: type[Event]) -> str:
    """Return the words for a kind of event: `siege stands` for SiegeStands."""
    if kind in (RaidBlocked, AmbushBlocked):
        return "blocked"
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


def dropped_facts(dropped: DroppedOrders) -> Facts:
    """Return the facts of dropped follow-ups."""
    cause = dropped.cause.name.lower().replace("_", "-")
    return {
        "record": dropped.record,
        "side": dropped.side,
        "orders": dropped.orders,
        "cause": cause,
    }


def turn_facts(chronicle: Chronicle, number: int) -> Facts:
    """Return the facts of a turn, 0 for the setup. Raises UsageError if there is none."""
    turn, hands = chronicle.turn(number), chronicle.known_cards
    return {
        "turn": number,
        "side": turn.side,
        "time": turn.time,
        "records": turn.records,
        "deeds": [move_facts(move, hands.get(move.side)) for move in turn.moves],
        "dropped": [*map(dropped_facts, turn.dropped)],
        "points": turn.points,
    }


def chronicle_facts(chronicle: Chronicle, first: int = 1) -> Facts:
    """Return the facts of a game from turn `first` on; the setup only if `first` is 1 or less."""
    match, begin = chronicle.match, max(first, 1)
    return players_facts(match) | {
        "viewer": chronicle.viewer,
        "setup": turn_facts(chronicle, 0)["deeds"] if begin == 1 else None,
        "turns": [turn_facts(chronicle, n) for n in range(begin, chronicle.last + 1)],
        "outcome": outcome_facts(match.state.outcome),
    }


def rules_facts(match: Match) -> Facts:
    """Return the id of a game, its edition and house rules."""
    invite = match.invite
    return {"game": match.id, "edition": invite.edition, "house_rules": invite.house_rules}


def players_facts(match: Match) -> Facts:
    """Return the id of a game, its edition and house rules, and the names of its players."""
    players = {side: entrant.name for side, entrant in match.entrants.items()}
    return rules_facts(match) | {"players": players}
