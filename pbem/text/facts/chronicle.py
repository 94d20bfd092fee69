"""The moves of a game: the latest ones, and the whole game turn by turn."""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple

from engine.message import Message, mark
from engine.orders import Allow, Block, Raid
from engine.position import score
from engine.sides import Side
from engine.state import State
from engine.turn import side_of_turn
from pbem.errors import UsageError
from pbem.play.look import Look
from pbem.protocol.hand import is_direct_order, is_setup, positions, start_position
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DroppedOrders
from pbem.protocol.table import Move


def last_moves(match: Match, viewer: Side | None = None) -> list[Move]:
    """Return the moves of the last record, with those before them in the same turn.

    If it is the viewer's turn, the opponent's previous turn is included: since then, files may have
    been exchanged for an answer or for cards.
    """
    index = match.last.index
    last = [move for move in match.moves_since(index) if move.order]
    first = last[0] if last else next((move for move in reversed(match.moves) if move.order), None)
    if first is None:
        return []
    since = first.turn
    if match.state.active is viewer:
        since = min(since, match.state.turn - 1)
    # The numbers of turns and records never decrease.
    tail = takewhile(lambda move: move.turn >= since or move.record == index, reversed(match.moves))
    return [*tail][::-1]


def own_turn_before(match: Match, viewer: Side) -> list[Move]:
    """Return the viewer's orders of their own turn before the moves that `last_moves` returns.

    The list is empty if `last_moves` contains one of the viewer's turns.
    """
    latest = last_moves(match, viewer)
    since = latest[0].turn if latest else 0
    # Earlier moves are not accessed, since they may have to be replayed first.
    recent = takewhile(lambda move: move.turn >= since - 1, reversed(match.moves))
    earlier = [*recent][len(latest) :]
    own_moves = (move for move in earlier if move.side is viewer is side_of_turn(move.turn))
    return [move for move in own_moves if move.order][::-1]


def seen_count(match: Match, viewer: Side | None) -> int:
    """Return the number of moves up to the viewer's last order, or up to the end of the setup.

    A spectator has seen all moves but those of the last record.
    """

    def is_seen(move: Move) -> bool:
        if viewer is None:
            return move.record < match.last.index
        return move.side is viewer and is_direct_order(match, move)

    numbered = list(enumerate(match.moves, 1))
    last = next((number for number, move in reversed(numbered) if is_seen(move)), 0)
    return max(last, sum(1 for _ in takewhile(is_setup, match.moves)))


def dropped_in(match: Match, records: Collection[int]) -> list[DroppedOrders]:
    """Return the follow-ups that were dropped in `records`."""
    return [dropped for dropped in match.dropped if dropped.record in records]


# --- a whole game


class PlayedTurn(NamedTuple):
    """A turn of a game: its number, from 1, its side, and the time at which it began, in UTC.

    Turn 0 is the setup and has no side. `moves` were done in `records`; the first and the last
    record may contain moves of other turns too. `dropped` are the follow-ups dropped in the turn.
    `state` is the public position after the turn, or the latest one if the turn continues.
    """

    number: int
    side: Side | None
    time: str
    records: range
    moves: list[Move]
    dropped: list[DroppedOrders]
    state: State

    @property
    def points(self) -> dict[Side, int]:
        """The victory points of each side after the turn."""
        return {side: score(self.state, side).total for side in Side}


class Chronicle:
    """A match that was joined, turn by turn, as the owner of a `look` may see it.

    `turns`: the setup at index 0, then each turn at its number. `last`: the number of the newest
    turn. `is_under_way`: this turn is unfinished, or its last cards are still to be dealt.
    `secrets_of`: the side whose secret cards are included; None if all is public. `seen`: the
    number of moves up to the viewer's last order.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.match = match = look.match
        self.viewer = look.viewer
        self.known_cards = look.visible_cards
        setup = list(takewhile(is_setup, match.moves))
        turn_groups = groupby(match.moves[len(setup) :], key=lambda move: move.turn)
        parts = [setup, *(list(moves) for _, moves in turn_groups)]
        ends = list(accumulate(map(len, parts)))
        self._starts = [0, *ends]
        self.seen_moves = seen_count(match, self.viewer)
        self._states = states = _positions_after(
            match, {*ends, *range(self.raid_start(self.seen_moves), ends[-1] + 1)}
        )
        self.turns = [self._setup(setup, states[ends[0]])]
        for number, moves in enumerate(parts[1:], 1):
            self.turns.append(self._turn(number, moves, states[ends[number]]))
        self.last = len(self.turns) - 1
        self.is_under_way = not match.is_over and match.state.turn < self.last
        self.secrets_of = None if self.viewer in match.secrets else self.viewer

    def _setup(self, moves: list[Move], state: State) -> PlayedTurn:
        records = self.match.records
        # The invitation and its acceptance belong to the setup, though they have no moves.
        last = max([1, *(move.record for move in moves)])
        return PlayedTurn(0, None, records[1].time, range(last + 1), moves, [], state)

    def _turn(self, number: int, moves: list[Move], state: State) -> PlayedTurn:
        side = side_of_turn(moves[0].turn)
        first_move = next((move for move in moves if move.order and move.side is side), moves[0])
        records = range(moves[0].record, moves[-1].record + 1)
        # Follow-ups of an attack are dropped in the opponent's record that answers the attack.
        dropped = [d for d in self.match.dropped if d.side is side and d.record in records]
        time = self.match.records[first_move.record].time
        return PlayedTurn(number, side, time, records, moves, dropped, state)

    def turn(self, number: int) -> PlayedTurn:
        """Return turn `number`, 0 for the setup. Raises UsageError if there is none."""
        if not 0 <= number <= self.last:
            raise UsageError(Message(_NO_TURN[min(self.last, 2)], number=number, last=self.last))
        return self.turns[number]

    def start(self, turn: PlayedTurn) -> int:
        """Return the number of moves before a turn."""
        return self._starts[turn.number]

    def raid_start(self, count: int) -> int:
        """Return the number of moves before the raid that the move after `count` may answer.

        A raid that the viewer has just answered counts too; without any it is `count`.
        """
        for move in reversed(self.match.moves[:count]):
            is_answer = isinstance(move.order, Allow | Block) and move.side is self.viewer
            if not (is_answer or isinstance(move.order, Raid)):
                break
            count -= 1
        return count

    def view(self, number: int) -> State:
        """Return the position after a turn, with the hands that the look reveals.

        Raises UsageError if there is no such turn.
        """
        return self.look.reveal(self.turn(number).state)

    def view_after(self, count: int) -> State:
        """Return the position after `count` moves, which end a turn or are not fewer than seen."""
        return self.look.reveal(self._states[count])


def _positions_after(match: Match, counts: Collection[int]) -> dict[int, State]:
    """Return the public position after each number of moves in `counts`."""
    position_after = {0: start_position(match)}
    for count, (_, state) in enumerate(positions(match), 1):
        if count in counts:
            position_after[count] = state.copy()
    # The current state also has cards that were shown for orders which wait for an answer.
    position_after[len(match.moves)] = match.state.copy()
    return position_after


_NO_TURN = (
    mark("There is no turn {number} in this file: it has no turn yet."),
    mark("There is no turn {number} in this file: it has only 1 turn so far."),
    mark("There is no turn {number} in this file: it has turns 1 to {last}."),
)
"""The messages for an unknown turn, if the game has no turn yet, one turn, or more."""
