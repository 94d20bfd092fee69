"""The deeds of a game: the latest ones, and the whole game turn by turn."""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple

from engine.message import Message, mark
from engine.position import score
from engine.sides import Side
from engine.state import State
from engine.turn import side_of_turn
from pbem.errors import UsageError
from pbem.play.look import Look
from pbem.protocol.hand import is_setup, positions, start_position
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DroppedOrders
from pbem.protocol.table import Deed


def last_deeds(match: Match, viewer: Side | None = None) -> list[Deed]:
    """Return the deeds of the last record, with those before them in the same turn.

    If it is the viewer's turn, the opponent's turn before it is included: the file may have
    travelled since then, for an answer or for cards.
    """
    index = match.last.index
    last = [deed for deed in match.deeds_since(index) if deed.order]
    first = last[0] if last else next((deed for deed in reversed(match.deeds) if deed.order), None)
    if first is None:
        return []
    since = first.turn
    if match.state.active is viewer:
        since = min(since, match.state.turn - 1)
    # Neither turns nor records ever go back.
    tail = takewhile(lambda deed: deed.turn >= since or deed.record == index, reversed(match.deeds))
    return [*tail][::-1]


def own_turn_before(match: Match, viewer: Side) -> list[Deed]:
    """Return the viewer's orders of their own turn before the deeds that `last_deeds` returns.

    Empty if `last_deeds` contains one of the viewer's turns.
    """
    latest = last_deeds(match, viewer)
    since = latest[0].turn if latest else 0
    # Nothing before the turn is looked at: it might have to be replayed.
    recent = takewhile(lambda deed: deed.turn >= since - 1, reversed(match.deeds))
    before = [*recent][len(latest) :]
    own_deeds = (deed for deed in before if deed.side is viewer is side_of_turn(deed.turn))
    return [deed for deed in own_deeds if deed.order][::-1]


def dropped_in(match: Match, records: Collection[int]) -> list[DroppedOrders]:
    """Return the follow-ups that were dropped in these records."""
    return [dropped for dropped in match.dropped if dropped.record in records]


# --- a whole game


class PlayedTurn(NamedTuple):
    """A turn of a game: its number, from 1, its side, and the time at which it began, in UTC.

    Turn 0 is the setup and has no side. `deeds` were done in `records`; the first and the last
    of these may hold deeds of other turns too. `dropped` are the follow-ups dropped in the turn.
    `state` is the public position after the turn, or the latest one if the turn goes on.
    """

    number: int
    side: Side | None
    time: str
    records: range
    deeds: list[Deed]
    dropped: list[DroppedOrders]
    state: State

    @property
    def points(self) -> dict[Side, int]:
        """The victory points of each side after the turn."""
        return {side: score(self.state, side).total for side in Side}


class Chronicle:
    """A match that was joined, turn by turn, as the owner of a `look` may see it.

    `turns`: the setup at index 0, then each turn at its number. `last`: the number of the newest
    turn. `is_under_way`: this turn goes on, or its last cards are still to be dealt. `secrets_of`:
    the side whose secret cards are included; None if all is public.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.match = match = look.match
        self.viewer = look.viewer
        self.known = look.visible_cards
        setup = list(takewhile(is_setup, match.deeds))
        played = groupby(match.deeds[len(setup) :], key=lambda deed: deed.turn)
        parts = [setup, *(list(deeds) for _, deeds in played)]
        ends = list(accumulate(map(len, parts)))
        states = _after(match, ends)
        self.turns = [self._setup(setup, states[ends[0]])]
        for number, deeds in enumerate(parts[1:], 1):
            self.turns.append(self._turn(number, deeds, states[ends[number]]))
        self.last = len(self.turns) - 1
        self.is_under_way = not match.is_over and match.state.turn < self.last
        self.secrets_of = None if self.viewer in match.secrets else self.viewer

    def _setup(self, deeds: list[Deed], state: State) -> PlayedTurn:
        records = self.match.records
        # The invitation and the acceptance do nothing on the board, and belong to it all the same.
        last = max([1, *(deed.record for deed in deeds)])
        return PlayedTurn(0, None, records[1].time, range(last + 1), deeds, [], state)

    def _turn(self, number: int, deeds: list[Deed], state: State) -> PlayedTurn:
        side = side_of_turn(deeds[0].turn)
        begun = next((deed for deed in deeds if deed.order and deed.side is side), deeds[0])
        records = range(deeds[0].record, deeds[-1].record + 1)
        # What followed an attack is dropped in the record that answers it, in the attacker's turn.
        dropped = [d for d in self.match.dropped if d.side is side and d.record in records]
        time = self.match.records[begun.record].time
        return PlayedTurn(number, side, time, records, deeds, dropped, state)

    def turn(self, number: int) -> PlayedTurn:
        """Return turn `number`, 0 for the setup; raises UsageError if there is none."""
        if not 0 <= number <= self.last:
            raise UsageError(Message(_NO_TURN[min(self.last, 2)], number=number, last=self.last))
        return self.turns[number]

    def view(self, number: int) -> State:
        """Return the position after a turn, with the hands that the look reveals.

        Raises UsageError if there is no such turn.
        """
        return self.look.reveal(self.turn(number).state)


def _after(match: Match, counts: Collection[int]) -> dict[int, State]:
    """Return the public position after each of these counts of deeds."""
    after = {0: start_position(match)}
    for count, (_, state) in enumerate(positions(match), 1):
        if count in counts:
            after[count] = state.copy()
    # What was shown for orders that wait for an answer is known as soon as it is signed.
    after[len(match.deeds)] = match.state.copy()
    return after


_NO_TURN = (
    mark("There is no turn {number} in this file: it has no turn yet."),
    mark("There is no turn {number} in this file: it has only 1 turn so far."),
    mark("There is no turn {number} in this file: it has turns 1 to {last}."),
)
"""The messages for a number without a turn: if the game has no turn yet, one, or more."""
