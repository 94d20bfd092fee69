"""What was done in a game: what was done last, the whole turn by turn, and all of it as plain data.

docs/json.md tells other programs the shape.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple, TypedDict

from engine.events import AmbushBlocked, Event, GameOver, Paid, RaidBlocked
from engine.orders import Start
from engine.scoring import score
from engine.sides import Side
from pbem.play.look import Spectator
from pbem.play.seat import Seat
from pbem.protocol.follow_ups import Dropped
from pbem.protocol.hand import HiddenCards, positions
from pbem.protocol.match import Match
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


def last_deeds(match: Match, viewer: Side | None = None) -> list[Deed]:
    """What the last record did, with what led up to it in the same turn.

    A viewer whose turn goes on also hears of the opponent's turn before it: the file may have been
    away since, for an answer or for cards.
    """
    index = match.last.index
    last = [deed for deed in match.deeds.since(index) if deed.order]
    first = last[0] if last else next((deed for deed in reversed(match.deeds) if deed.order), None)
    if first is None:
        return []
    since = first.turn
    if match.state.active is viewer:
        since = min(since, match.state.turn - 1)
    # Neither turns nor records ever go back.
    told = takewhile(lambda each: each.turn >= since or each.record == index, reversed(match.deeds))
    return [*told][::-1]


def dropped_in(match: Match, records: Collection[int]) -> list[Dropped]:
    """What came to nothing in these of the last records."""
    last = match.dropped.since(min(records, default=len(match.records)))
    return [dropped for dropped in last if dropped.record in records]


# --- a whole game


class PlayedTurn(NamedTuple):
    """A turn of a game: its number, from 1, whose it is, and when it was begun, in UTC.

    `dropped` came to nothing in it; `points` are the victory points after it.
    """

    number: int
    side: Side
    time: str
    deeds: list[Deed]
    dropped: list[Dropped]
    points: dict[Side, int]


class Chronicle:
    """A match turn by turn, as a player or a spectator may hear it.

    `setup` are the deeds before the first turn; `known` the cards of the `viewer`, and of those who
    have closed the game.
    """

    def __init__(self, match: Match, who: Seat | Spectator) -> None:
        self.match = match
        self.viewer: Side | None = None
        secrets = dict(match.secrets)
        if not isinstance(who, Spectator):
            self.viewer = who.side
            secrets[who.side] = who.secret
        self.known = {side: HiddenCards(match, side, secret) for side, secret in secrets.items()}
        self.setup = list(takewhile(_sets_up, match.deeds))
        points = {
            deed.turn: {side: score(state, side).total for side in Side}
            for deed, state in positions(match)
        }
        played = match.deeds[len(self.setup) :]
        self.turns = [
            self._turn(number, list(deeds), points[number])
            for number, deeds in groupby(played, key=lambda deed: deed.turn)
        ]

    def _turn(self, number: int, deeds: list[Deed], points: dict[Side, int]) -> PlayedTurn:
        side = Side.FRENCH if number % 2 else Side.BRITISH
        begun = next((deed for deed in deeds if deed.order and deed.side is side), deeds[0])
        records = {deed.record for deed in deeds}
        # What followed an attack is dropped in the record that answers it, in the attacker's turn.
        dropped = [d for d in self.match.dropped if d.side is side and d.record in records]
        return PlayedTurn(
            number + 1, side, self.match.records[begun.record].time, deeds, dropped, points
        )

    @property
    def secrets_of(self) -> Side | None:
        """The player of whom it tells cards that nobody else knows; None for what all may know."""
        return None if self.viewer in self.match.secrets else self.viewer


def _sets_up(deed: Deed) -> bool:
    """Whether a deed belongs to the setup, as long as all before it do."""
    by_chance = deed.order is None and not deed.caused(GameOver)
    return by_chance or isinstance(deed.order, Start)


def chronicle_facts(chronicle: Chronicle, first: int = 1) -> dict[str, object]:
    """A game from its turn `first` on, as plain data: ids, and orders as the file has them."""
    match, viewer = chronicle.match, chronicle.viewer
    outcome = match.state.outcome
    return {
        "game": match.id.hex(),
        "edition": match.invite.edition,
        "house_rules": list(match.invite.house_rules),
        "players": {side.value: match.entrants[side].name for side in match.entrants},
        "viewer": viewer.value if viewer else None,
        "setup": _deeds_facts(chronicle, chronicle.setup) if first == 1 else None,
        "turns": [
            {
                "turn": turn.number,
                "side": turn.side.value,
                "time": turn.time,
                "deeds": _deeds_facts(chronicle, turn.deeds),
                "dropped": [dropped_facts(dropped) for dropped in turn.dropped],
                "points": {side.value: total for side, total in turn.points.items()},
            }
            for turn in chronicle.turns[first - 1 :]
        ],
        "outcome": outcome and {"winner": outcome.winner.value, "reason": str(outcome.reason)},
    }


def _deeds_facts(chronicle: Chronicle, deeds: Sequence[Deed]) -> list[DeedFacts]:
    return [deed_facts(deed, chronicle.known.get(deed.side)) for deed in deeds]
