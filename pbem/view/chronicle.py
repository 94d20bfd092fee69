"""What was done in a game: what was done last, the whole turn by turn, and all of it as plain data.

docs/json.md tells other programs the shape.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import accumulate, groupby, takewhile
from typing import TypedDict

from engine.events import AmbushBlocked, Event, Paid, RaidBlocked
from engine.message import Message, mark
from engine.scoring import score
from engine.sides import Side
from engine.state import State
from engine.value import Value
from pbem.errors import WrongUse
from pbem.play.look import Spectator
from pbem.play.seat import Seat
from pbem.protocol.follow_ups import Dropped
from pbem.protocol.hand import HiddenCards, before_all, positions, sets_up
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


def own_turn_before(match: Match, viewer: Side) -> list[Deed]:
    """What the viewer ordered in their own turn before the opponent's, or what led up to its end.

    Nothing of it is in `last_deeds`, behind which nobody asks what was done in it.
    """
    told = last_deeds(match, viewer)
    since = told[0].turn if told else 0
    # Nothing behind the turn is looked at: it may have to be replayed.
    recent = takewhile(lambda each: each.turn >= since - 1, reversed(match.deeds))
    before = [*recent][len(told) :]
    return [deed for deed in before if deed.order and _is_in_own_turn(match, deed, viewer)][::-1]


def _is_in_own_turn(match: Match, deed: Deed, viewer: Side) -> bool:
    """Whether the viewer did it, and in no turn of the opponent's."""
    state = match.state
    is_of_active = (state.turn - deed.turn) % 2 == 0
    return deed.side is viewer and (state.active is viewer) == is_of_active


def dropped_in(match: Match, records: Collection[int]) -> list[Dropped]:
    """What came to nothing in these of the last records."""
    last = match.dropped.since(min(records, default=len(match.records)))
    return [dropped for dropped in last if dropped.record in records]


# --- a whole game


class PlayedTurn(Value):
    """A turn of a game: its number, from 1, whose it is, and when it was begun, in UTC.

    The setup is turn 0, and nobody's. The deeds of a turn were done in its `records`; the first and
    the last of these may have those of other turns too. `dropped` came to nothing in it. `state` is
    the position after it, or as far as it has come, as everybody saw it.
    """

    number: int
    side: Side | None
    time: str
    records: range
    deeds: list[Deed]
    dropped: list[Dropped]
    state: State

    @property
    def points(self) -> dict[Side, int]:
        """The victory points after it."""
        return {side: score(self.state, side).total for side in Side}


class Chronicle:
    """A match that was joined, turn by turn, as a player or a spectator may hear it.

    `turns` has each turn at its number, at 0 the setup. `known` are the cards of the `viewer`, and
    of those who have closed the game.
    """

    def __init__(self, match: Match, who: Seat | Spectator) -> None:
        self.match = match
        self.viewer: Side | None = None
        secrets = dict(match.secrets)
        if not isinstance(who, Spectator):
            self.viewer = who.side
            secrets[who.side] = who.secret
        self.known = {side: HiddenCards(match, side, secret) for side, secret in secrets.items()}
        setup = list(takewhile(sets_up, match.deeds))
        played = groupby(match.deeds[len(setup) :], key=lambda deed: deed.turn)
        parts = [setup, *(list(deeds) for _, deeds in played)]
        ends = list(accumulate(map(len, parts)))
        states = _after(match, ends)
        self.turns = [self._setup(setup, states[ends[0]])]
        for number, deeds in enumerate(parts[1:], 1):
            self.turns.append(self._turn(number, deeds, states[ends[number]]))

    def _setup(self, deeds: list[Deed], state: State) -> PlayedTurn:
        records = self.match.records
        # The invitation and the acceptance do nothing on the board, and belong to it all the same.
        last = max([1, *(deed.record for deed in deeds)])
        return PlayedTurn(0, None, records[1].time, range(last + 1), deeds, [], state)

    def _turn(self, number: int, deeds: list[Deed], state: State) -> PlayedTurn:
        side = Side.BRITISH if number % 2 else Side.FRENCH
        begun = next((deed for deed in deeds if deed.order and deed.side is side), deeds[0])
        records = range(deeds[0].record, deeds[-1].record + 1)
        # What followed an attack is dropped in the record that answers it, in the attacker's turn.
        dropped = [d for d in self.match.dropped if d.side is side and d.record in records]
        time = self.match.records[begun.record].time
        return PlayedTurn(number, side, time, records, deeds, dropped, state)

    @property
    def last(self) -> int:
        """The number of the last turn that has begun."""
        return len(self.turns) - 1

    @property
    def is_under_way(self) -> bool:
        """Whether the last turn goes on, or its last cards are still to be dealt."""
        return not self.match.is_over and self.match.state.turn < self.last

    def turn(self, number: int) -> PlayedTurn:
        """The turn of that number, 0 the setup; raises WrongUse where there is none."""
        if not 0 <= number <= self.last:
            raise WrongUse(Message(_NO_TURN[min(self.last, 2)], number=number, last=self.last))
        return self.turns[number]

    def view(self, number: int) -> State:
        """The position after a turn, with the hands that are `known`; raises as `turn`."""
        state = self.turn(number).state.copy()
        for cards in self.known.values():
            cards.reveal(state)
        return state

    @property
    def also(self) -> tuple[Side, ...]:
        """The sides whose hands are open, beside the viewer's own."""
        return tuple(side for side in self.known if side is not self.viewer)

    @property
    def secrets_of(self) -> Side | None:
        """The player of whom it tells cards that nobody else knows; None for what all may know."""
        return None if self.viewer in self.match.secrets else self.viewer


def _after(match: Match, counts: Collection[int]) -> dict[int, State]:
    """The position after each of these counts of deeds, as everybody saw it."""
    after = {0: before_all(match)}
    for count, (_, state) in enumerate(positions(match), 1):
        if count in counts:
            after[count] = state.copy()
    # What was shown for orders that wait for an answer is known as soon as it is signed.
    after[len(match.deeds)] = match.state.copy()
    return after


_NO_TURN = (
    mark("There is no turn {number} in this file: it has no turn yet."),
    mark("There is no turn {number} in this file: it has 1 turn yet."),
    mark("There is no turn {number} in this file: it has turns 1 to {last}."),
)
"""By how many turns it has: none, one, more."""


class TurnFacts(TypedDict):
    """A turn of a game: whose it is, when it was begun, and what was done in which records.

    `points` are the victory points after it, by side.
    """

    turn: int
    side: str | None
    time: str
    records: list[int]
    deeds: list[DeedFacts]
    dropped: list[DroppedFacts]
    points: dict[str, int]


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
