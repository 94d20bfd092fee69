"""How a game stands by its records, whom it waits for, and what is due.

docs/protocol.md, The exchange; What a player's program has to take care of: Name an unanswered
opening.
"""

from __future__ import annotations

from copy import copy
from enum import StrEnum
from typing import NamedTuple, Self

from engine.order import Order
from engine.orders import End
from engine.sides import Side
from engine.state import State
from pbem.protocol import steps
from pbem.protocol.deck import Deck
from pbem.protocol.entrance import Entrant
from pbem.protocol.follow_ups import Dropped, FollowUps
from pbem.protocol.record import Record
from pbem.protocol.table import Deed, Table


class StateOfPlay:
    """What the records of a game have proved so far.

    `table` is the position with both decks, `entrants` are the players by side, `secrets` the game
    secrets that were published, `dropped` the follow-ups that came to nothing.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.entrants: dict[Side, Entrant] = {}
        self.secrets: dict[Side, bytes] = {}
        self.dropped: list[Dropped] = []
        self._invite: steps.Invite | None = None
        self._table: Table | None = None
        self._follow_ups: FollowUps | None = None

    def copy(self) -> Self:
        """An independent one in the same state, between two records."""
        other = copy(self)
        other.records = self.records.copy()
        other.entrants = self.entrants.copy()
        other.secrets = self.secrets.copy()
        other.dropped = self.dropped.copy()
        other._table = self._table.copy() if self._table else None
        other._follow_ups = self._follow_ups.copy() if self._follow_ups else None
        return other

    @property
    def id(self) -> bytes:
        """The hash of the invitation, which names the game."""
        return self.records[0].hash

    @property
    def invite(self) -> steps.Invite:
        """The rules and options of the game."""
        assert self._invite is not None
        return self._invite

    @property
    def is_joined(self) -> bool:
        """Whether both players have entered."""
        return len(self.entrants) == len(Side)

    @property
    def has_table(self) -> bool:
        """Whether it is settled who plays which side, so that there is a position."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """The position with both decks."""
        assert self._table is not None
        return self._table

    @property
    def state(self) -> State:
        """The position as a referee sees it."""
        return self.table.state

    @property
    def decks(self) -> dict[Side, Deck]:
        """The public ledgers of both draw piles."""
        return self.table.decks

    @property
    def deeds(self) -> list[Deed]:
        """All that was done so far."""
        return self._table.deeds if self._table else []

    def deeds_since(self, record: int) -> list[Deed]:
        """Return what was done in the record of that index and those behind it."""
        return [deed for deed in self.deeds if deed.record >= record]

    @property
    def follow_ups(self) -> tuple[Order, ...]:
        """The orders that wait to be carried out after an answer."""
        return self._follow_ups.orders if self._follow_ups else ()

    @property
    def last(self) -> Record:
        """The last record."""
        return self.records[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; what may follow is its close."""
        return self._table is not None and self._table.is_over

    @property
    def next_side(self) -> Side | None:
        """Who signs the next record: None if nothing is left, or nobody has taken that side."""
        if self._invite is None:
            return None
        if not self.is_joined:
            return None if self._invite.side == "any" else Side(self._invite.side).opponent
        side = Side(self.last.side).opponent
        return None if self.is_over and side in self.secrets else side

    @property
    def turn(self) -> int:
        """The turn, counted from 1, in or for which the next record is written.

        In a game that is over it is the last one; before both have joined it is 0.
        """
        if not self.is_joined:
            return 0
        state, side = self.state, self.next_side
        awaiting = state.awaiting
        in_turn = state.setup or awaiting.card is not None or awaiting.resume is not None
        deals = awaiting.decision.is_chance and awaiting.side is not side
        # The cards that a turn ends with are dealt at the head of the next one; so is a turn ended
        # there whose end has been signed, and waits for nothing but cards.
        is_ended = any(isinstance(order, End) for order in self.follow_ups) and not state.setup
        is_next = deals and (is_ended or not in_turn) and not self.is_over
        return state.turn + (2 if is_next else 1)


# --- whom it waits for


class Due(StrEnum):
    """What the next record brings, where it is more than a turn or a reply."""

    PLAY = "play"
    OPENING = "opening"
    CLOSE = "close"


class Silence(NamedTuple):
    """Who writes next, since when by the signed times, and what is due."""

    side: Side
    since: str
    due: Due


def silence(match: StateOfPlay) -> Silence | None:
    """Whom the game waits for; None if nobody has joined, or nothing is left to write."""
    side = match.next_side
    if not match.is_joined or side is None:
        return None
    due = Due.PLAY
    if match.decks[side].owes_opening is not None:
        due = Due.OPENING
    elif match.is_over:
        due = Due.CLOSE
    return Silence(side, match.last.time, due)


def unclosed(match: StateOfPlay) -> list[Side]:
    """The sides that have yet to close a game that is over, the next to write first."""
    if not match.is_over:
        return []
    left = [side for side in Side if side not in match.secrets]
    return sorted(left, key=lambda side: side is not match.next_side)
