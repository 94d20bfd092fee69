"""Games and what was done in them as facts, for --json; docs/json.md has the shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from engine.order import Order
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
from pbem.text.facts.position_facts import (
    OutcomeFacts,
    PositionFacts,
    outcome_facts,
    position_facts,
)


@dataclass(frozen=True, slots=True)
class EventFacts:
    """One result of a deed; `what` is one of a fixed set of words."""

    what: str
    side: Side
    location: str | None
    cards: tuple[str, ...]
    amount: int


@dataclass(frozen=True, slots=True)
class DeedFacts:
    """An order, a shuffle or a draw of `side`, what it cost, and its results.

    `order` is None for a shuffle, a draw and a resignation. `drawn` is
    how many cards were drawn, `cards_drawn` which; None if the viewer may not know them.
    """

    record: int
    turn: int
    side: Side
    order: Order | None
    cost: int
    drawn: int
    cards_drawn: tuple[str, ...] | None
    events: tuple[EventFacts, ...]


@dataclass(frozen=True, slots=True)
class DroppedFacts:
    """Orders of a side to follow an answer that could not be carried out.

    `cause` is "rules", "no-choice", "not-due" or "other-cards".
    """

    record: int
    side: Side
    orders: tuple[Order, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A turn of a game: whose it is, when it was begun, and what was done in which records.

    `points` are the victory points after it, by side.
    """

    turn: int
    side: Side | None
    time: str
    records: range
    deeds: tuple[DeedFacts, ...]
    dropped: tuple[DroppedFacts, ...]
    points: dict[Side, int]


class PlayerFacts(NamedTuple):
    """A player as the file names them; `key` is the public key."""

    name: str
    email: str
    key: bytes


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """The last record of what is looked at, and how many the file has."""

    index: int
    of: int
    side: str
    time: str


class AnnouncedFacts(NamedTuple):
    """Orders to follow the other player's answer, whatever it is."""

    side: Side
    orders: Sequence[Order]


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game as somebody sees it; `position` is None while nobody has joined it.

    `players` are by side, an inviter who leaves the choice of side under "any". `after_turn` is the
    turn after which it is looked at, None for the game as it stands and after a record. `next` is
    the side that writes next, `last` what was done since the turn before, or in the one that is
    looked back at; `notes` are the player's own.
    """

    game: bytes
    edition: str
    house_rules: Sequence[str]
    lists: int
    home_support: str
    players: dict[str, PlayerFacts]
    viewer: Side | None
    after_turn: int | None
    record: RecordFacts
    next: Side | None
    closed: Sequence[Side]
    position: PositionFacts | None = None
    last: tuple[DeedFacts, ...] = ()
    dropped: tuple[DroppedFacts, ...] = ()
    announced: AnnouncedFacts | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class ChronicleFacts:
    """A game turn by turn; `setup` are the deeds before, None if the first turn is left out."""

    game: bytes
    edition: str
    house_rules: Sequence[str]
    players: dict[Side, str]
    viewer: Side | None
    setup: tuple[DeedFacts, ...] | None
    turns: tuple[TurnFacts, ...]
    outcome: OutcomeFacts | None


def look_facts(look: Look, notes: Notes | None) -> GameFacts:
    """Return a game that was joined, as somebody sees it, with the deeds that were done last."""
    match = look.match
    deeds = last_deeds(match, look.viewer)
    dropped = dropped_in(match, {deed.record for deed in deeds})
    follow_ups = match.follow_ups
    return replace(
        invitation_facts(look.whole, match),
        viewer=look.viewer,
        position=position_facts(look.state, look.viewer, look.ahead, look.also),
        last=tuple(deed_facts(deed, look.own) for deed in deeds),
        dropped=tuple(map(dropped_facts, dropped)),
        announced=AnnouncedFacts(match.state.active, follow_ups) if follow_ups else None,
        notes=notes.text if notes else None,
    )


def look_back_facts(chronicle: Chronicle, number: int) -> GameFacts:
    """Return a game as it was after a turn, 0 the setup; raises WrongUse if there is none."""
    turn, told, viewer = chronicle.turn(number), turn_facts(chronicle, number), chronicle.viewer
    match = chronicle.match
    facts = invitation_facts(match, match)
    return replace(
        facts,
        viewer=viewer,
        after_turn=number,
        record=_record(match, match.records[turn.records[-1]]),
        next=turn.state.active if number < chronicle.last else facts.next,
        position=position_facts(chronicle.view(number), viewer, also=chronicle.also),
        last=told.deeds,
        dropped=told.dropped,
    )


def invitation_facts(whole: Match, match: Match) -> GameFacts:
    """Return what everybody may know of a `whole` game as of a `match`, but its position."""
    invite = match.invite
    # The inviter alone, until somebody joins.
    entered: dict[str, Entrant | Invite] = {
        side: match.entrants[side] for side in Side if side in match.entrants
    } or {invite.side: invite}
    return GameFacts(
        game=match.id,
        edition=invite.edition,
        house_rules=sorted(invite.house_rules),
        lists=invite.lists,
        home_support=invite.home_support,
        players={
            side: PlayerFacts(entry.name, entry.email, entry.key) for side, entry in entered.items()
        },
        viewer=None,
        after_turn=None,
        record=_record(whole, match.last),
        next=match.next_side,
        closed=[side for side in Side if side in whole.secrets],
    )


def _record(whole: Match, record: Record) -> RecordFacts:
    return RecordFacts(record.index, len(whole.records), record.side, record.time)


# --- what was done


def deed_facts(deed: Deed, own: HiddenCards | None = None) -> DeedFacts:
    """Return the facts of a deed; `own` knows which cards one side drew."""
    knows = own is not None and own.side is deed.side
    return DeedFacts(
        record=deed.record,
        turn=deed.turn + 1,
        side=deed.side,
        order=deed.order,
        cost=sum(
            event.money
            for event in deed.events
            if isinstance(event, Paid) and event.side is deed.side
        ),
        drawn=len(deed.drawn),
        cards_drawn=tuple(sorted(own.names(deed.drawn))) if own and knows else None,
        events=tuple(map(event_facts, deed.events)),
    )


def event_facts(event: Event) -> EventFacts:
    """Return the facts of an event, in the same five places for every kind."""
    facts = vars(event)
    cards = facts.get("cards") or ([facts["card"]] if "card" in facts else [])
    amount = next((facts[field] for field in AMOUNTS if field in facts), 0)
    return EventFacts(_what(type(event)), event.side, facts.get("location"), tuple(cards), amount)


AMOUNTS = ("count", "money", "points", "strength")
"""The facts of events that are amounts; no kind has more than one of them."""


def _what(kind: type[Event]) -> str:
    """Return the words for a kind of event: `siege stands` of SiegeStands."""
    if kind in (RaidBlocked, AmbushBlocked):
        return "blocked"
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


def dropped_facts(dropped: Dropped) -> DroppedFacts:
    """Return the facts of dropped follow-ups."""
    cause = dropped.cause.name.lower().replace("_", "-")
    return DroppedFacts(dropped.record, dropped.side, dropped.orders, cause)


def turn_facts(chronicle: Chronicle, number: int) -> TurnFacts:
    """Return the facts of a turn, 0 the setup, which is nobody's; raises WrongUse for no turn."""
    turn, known = chronicle.turn(number), chronicle.known
    return TurnFacts(
        turn=number,
        side=turn.side,
        time=turn.time,
        records=turn.records,
        deeds=tuple(deed_facts(deed, known.get(deed.side)) for deed in turn.deeds),
        dropped=tuple(map(dropped_facts, turn.dropped)),
        points=turn.points,
    )


def chronicle_facts(chronicle: Chronicle, first: int = 1) -> ChronicleFacts:
    """Return the facts of a game from its turn `first` on."""
    match, begin = chronicle.match, max(first, 1)
    return ChronicleFacts(
        game=match.id,
        edition=match.invite.edition,
        house_rules=match.invite.house_rules,
        players={side: entrant.name for side, entrant in match.entrants.items()},
        viewer=chronicle.viewer,
        setup=turn_facts(chronicle, 0).deeds if begin == 1 else None,
        turns=tuple(turn_facts(chronicle, n) for n in range(begin, chronicle.last + 1)),
        outcome=outcome_facts(match.state.outcome),
    )
