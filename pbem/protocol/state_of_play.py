"""The state of a game by its records: the position, the next writer, and the follow-ups.

Follow-ups are steps that a player signed in advance, to be carried out after any answer of the
other side.

See docs/protocol.md, The exchange; Follow-ups; Duties of a player's program: Name an unanswered
opening.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from copy import copy
from enum import Enum, StrEnum
from typing import NamedTuple, Self

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import IllegalOrderError
from engine.chance import ImpossibleChanceError
from engine.message import Phrase, message_of
from engine.order import Order, UnreadableOrderError
from engine.orders import ORDERS, End, Intendant, Lose, Piracy, from_notation
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.deck import Deck
from pbem.protocol.record import Record
from pbem.protocol.table import Entrant, Move, ShuffleOrigin, Table

# --- follow-ups


Step = steps.OrderStep | steps.ShuffleStep | steps.DrawStep


FRENCH_ORDERS = (Intendant, Piracy)
"""The orders whose card only the French have (R-7.5)."""


def read_order(step: steps.OrderStep, side: Side) -> Order:
    """Return the order of a step by `side`.

    Raises StepError if the text is not an order of `side` (R-7.4, R-7.5, R-12.9).
    """
    verb, _, _ = step.order.partition(" ")
    try:
        order = from_notation(step.order)
    except UnreadableOrderError as error:
        rule = Rule.NOTATION if verb in ORDERS else Rule.VERB
        raise StepError(message_of(error), rule) from error
    if isinstance(order, FRENCH_ORDERS) and side is not Side.FRENCH:
        raise StepError("The {side} have no card for that.", Rule.VERB_OF_SIDE, side=side.label)
    return order


class DropCause(Enum):
    """The reason why a follow-up could not be carried out."""

    RULES = "rules"
    """The rules forbid the order."""
    NO_CHOICE = "no choice"
    """The author has nothing to decide at that point."""
    NOT_DUE = "not due"
    """None of the author's cards have to be shuffled or drawn at that point."""
    OTHER_CARDS = "other cards"
    """Different cards, or a different number of cards, have to be shuffled or drawn."""


class DroppedOrders(NamedTuple):
    """Follow-up orders that were dropped (docs/protocol.md, Follow-ups).

    The first of `orders` could not be carried out in `record`, and the others follow it. `orders`
    may be empty if a shuffle or a draw could not be carried out. `reason` is a whole sentence if
    the rules forbid the order.
    """

    record: int
    side: Side
    orders: tuple[Order, ...]
    reason: Phrase
    cause: DropCause


class FollowUps:
    """The queue of follow-ups of `side` (docs/protocol.md, Follow-ups).

    `origin` is the origin of a shuffle among them; `ended` is True if one of them ends the turn.
    """

    def __init__(
        self, side: Side, origin: ShuffleOrigin, steps: Iterable[Step] = (), ended: bool = False
    ) -> None:
        self.side = side
        self.origin = origin
        self.steps = deque(steps)
        self.ended = ended

    def copy(self) -> FollowUps:
        """Return an independent copy."""
        other = copy(self)
        other.steps = self.steps.copy()
        return other

    def __bool__(self) -> bool:
        return bool(self.steps)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders in the queue."""
        return tuple(from_notation(s.order) for s in self.steps if isinstance(s, steps.OrderStep))

    def add(self, step: Step, shown_cards: list[str], state: State) -> None:
        """Append a follow-up, for which the author has shown `shown_cards`.

        Raises StepError if it is legal after no answer (R-8, R-12.10, R-12.11). It is checked in
        full when it is carried out.
        """
        if isinstance(step, steps.OrderStep):
            self._check_order(read_order(step, self.side), shown_cards, state)
        elif isinstance(step, steps.ShuffleStep):
            self._check_shuffle(step, state)
        self.steps.append(step)

    def _check_shuffle(self, step: steps.ShuffleStep, state: State) -> None:
        in_the_box = state.ruleset.catalogue.cards[self.side]
        for card, copies in Counter(step.cards).items():
            if card not in in_the_box or copies > in_the_box[card].count:
                raise StepError("it shuffles cards that its side cannot have.", Rule.IN_THE_BOX)

    def _check_order(self, order: Order, shown_cards: list[str], state: State) -> None:
        decisions = ACTIONS[type(order)].decisions
        if (Decision.LOSERS_CARD if self.ended else Decision.TURN) not in decisions:
            is_misplaced = Decision.TURN in decisions or isinstance(order, Lose)
            raise StepError(
                "such an order cannot be given before the other player has answered.",
                Rule.AFTER_END_OF_TURN if is_misplaced else Rule.FOLLOW_UP,
            )
        self.ended = self.ended or isinstance(order, End)
        try:
            # Other names would reach the readers of the follow-ups.
            game.check_names(state, self.side, order)
            needless = Counter(shown_cards) - Counter(game.cards_played(state, order, self.side))
        except IllegalOrderError as error:
            raise StepError(message_of(error), Rule.IN_THE_GAME) from error
        if needless:
            raise StepError("it shows a card that the order does not need.", Rule.NEEDLESS)

    def carry_out(self, table: Table, record: int) -> DroppedOrders | None:
        """Carry out follow-ups until the other side has to answer; drop all after an invalid one.

        Returns the orders that were dropped. See docs/protocol.md, Follow-ups.
        """
        while self.steps and not table.is_over:
            if table.decks[self.side].wanted_slot_count or self._is_reply_awaited(table.state):
                return None
            step = self.steps[0]
            try:
                self._apply(step, table, record)
            except (IllegalOrderError, ImpossibleChanceError, StepError, DeckError) as error:
                orders = self.orders
                self.steps.clear()
                cause = self._cause(step, error, table.state)
                return DroppedOrders(record, self.side, orders, message_of(error), cause)
            self.steps.popleft()
        return None

    def _is_reply_awaited(self, state: State) -> bool:
        return state.is_interrupted and state.awaiting.side is not self.side

    def _apply(self, step: Step, table: Table, record: int) -> None:
        match step:
            case steps.OrderStep():
                table.order(record, self.side, from_notation(step.order))
            case steps.ShuffleStep():
                table.shuffle(record, self.side, step, self.origin)
            case steps.DrawStep():
                table.draw(record, self.side, step.count)

    def _cause(self, step: Step, error: Exception, state: State) -> DropCause:
        """Return the reason why a step failed in a state, which the step has not changed."""
        if isinstance(step, steps.OrderStep):
            return DropCause.RULES if isinstance(error, IllegalOrderError) else DropCause.NO_CHOICE
        is_due = state.awaiting.side is self.side and state.awaiting.decision.is_chance
        return DropCause.OTHER_CARDS if is_due else DropCause.NOT_DUE


# --- the state of play


class StateOfPlay:
    """The state of a game that its records prove.

    `records` are the chain, `entrants` the players by side, `secrets` the published game secrets,
    32 bytes each, by side, and `dropped` the follow-up orders that were dropped.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.entrants: dict[Side, Entrant] = {}
        self.secrets: dict[Side, bytes] = {}
        self.dropped: list[DroppedOrders] = []
        self._invite: steps.Invite | None = None
        self._table: Table | None = None
        self._follow_ups: FollowUps | None = None

    def copy(self) -> Self:
        """Return an independent copy, to be made between two records."""
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
        """The id of the game: the hash of its invitation, 32 bytes."""
        return self.records[0].hash

    @property
    def invite(self) -> steps.Invite:
        """The invitation, with the rules and options of the game."""
        assert self._invite is not None
        return self._invite

    @property
    def is_joined(self) -> bool:
        """True if both players have entered."""
        return len(self.entrants) == len(Side)

    @property
    def has_table(self) -> bool:
        """True if the sides of the players are settled, so that there is a position."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """The position with both decks."""
        assert self._table is not None
        return self._table

    @property
    def state(self) -> State:
        """The position in public view: it shows no hidden card of either side."""
        return self.table.state

    @property
    def decks(self) -> dict[Side, Deck]:
        """The public ledgers of both draw piles."""
        return self.table.decks

    @property
    def moves(self) -> list[Move]:
        """All moves so far: orders, shuffles, draws and resignations."""
        return self._table.moves if self._table else []

    def moves_since(self, record: int) -> list[Move]:
        """Return the moves of the record with index `record` and of all later records."""
        return [move for move in self.moves if move.record >= record]

    @property
    def follow_ups(self) -> tuple[Order, ...]:
        """The follow-up orders that are still to be carried out."""
        return self._follow_ups.orders if self._follow_ups else ()

    @property
    def last(self) -> Record:
        """The last record."""
        return self.records[-1]

    @property
    def is_over(self) -> bool:
        """True if the game has ended; only pending openings and closes may follow."""
        return self._table is not None and self._table.is_over

    @property
    def next_side(self) -> Side | None:
        """The side that signs the next record; None after the last one, or if no side is chosen."""
        if self._invite is None:
            return None
        if not self.is_joined:
            return None if self._invite.side == "any" else Side(self._invite.side).opponent
        side = Side(self.last.side).opponent
        return None if self.is_over and side in self.secrets else side

    @property
    def turn(self) -> int:
        """The number, from 1, of the turn that the next record belongs to.

        It is the last turn if the game is over, and 0 before both players have entered.
        """
        if not self.is_joined:
            return 0
        state, side = self.state, self.next_side
        awaiting = state.awaiting
        in_turn = state.setup or awaiting.card is not None or awaiting.resume is not None
        deals = awaiting.decision.is_chance and awaiting.side is not side
        # The draw at the end of a turn is granted at the head of the record for the next turn.
        # So is the draw of a turn whose end has been signed as a follow-up.
        is_ended = any(isinstance(order, End) for order in self.follow_ups) and not state.setup
        is_next = deals and (is_ended or not in_turn) and not self.is_over
        return state.turn + (2 if is_next else 1)


# --- the next record


class Due(StrEnum):
    """The purpose of the next record: a turn or reply, an opening that is due, or a close."""

    PLAY = "play"
    OPENING = "opening"
    CLOSE = "close"


class PendingRecord(NamedTuple):
    """The record that is due: its author, the signed time of the last record, and its purpose."""

    side: Side
    since: str
    due: Due


def pending_record(match: StateOfPlay) -> PendingRecord | None:
    """Return the record that a game waits for; None before both have entered, or after the last.

    See docs/protocol.md, Duties of a player's program: Name an unanswered opening.
    """
    side = match.next_side
    if not match.is_joined or side is None:
        return None
    due = Due.PLAY
    if match.decks[side].epoch_to_open is not None:
        due = Due.OPENING
    elif match.is_over:
        due = Due.CLOSE
    return PendingRecord(side, match.last.time, due)


def sides_to_close(match: StateOfPlay) -> list[Side]:
    """Return the sides that have not closed a game that is over, the next to write first."""
    if not match.is_over:
        return []
    sides = [side for side in Side if side not in match.secrets]
    return sorted(sides, key=lambda side: side is not match.next_side)
