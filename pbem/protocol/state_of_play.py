"""How a game stands by its records: whom it waits for, what is due, and what follows an answer.

Follow-ups are what a player signed to be done after the other side's answer, whatever it is.

docs/protocol.md, The exchange; Follow-ups; What a player's program has to take care of: Name an
unanswered opening.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from copy import copy
from enum import Enum, StrEnum
from typing import NamedTuple, Self

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import IllegalOrder
from engine.chance import ImpossibleChance
from engine.message import Message, Phrase, message_of
from engine.order import Order, UnreadableOrder
from engine.orders import ORDERS, End, Intendant, Lose, Piracy, from_notation
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.deck import Deck
from pbem.protocol.record import Record
from pbem.protocol.table import Deed, Entrant, ShuffleOrigin, Table

# --- follow-ups


Step = steps.OrderStep | steps.ShuffleStep | steps.DrawStep


FRENCH = (Intendant, Piracy)
"""The orders that only the French have a card for."""


def read_order(step: steps.OrderStep, side: Side) -> Order:
    """The order of a step by `side`; raises StepError if it is not one, or not one of that side."""
    verb, _, _ = step.order.partition(" ")
    try:
        order = from_notation(step.order)
    except UnreadableOrder as error:
        rule = Rule.NOTATION if verb in ORDERS else Rule.VERB
        raise StepError(message_of(error), rule) from error
    if isinstance(order, FRENCH) and side is not Side.FRENCH:
        told = Message("The {side} have no card for that.", side=side.label)
        raise StepError(told, Rule.VERB_OF_SIDE)
    return order


class DropCause(Enum):
    """Why a follow-up could not be carried out."""

    RULES = "the rules forbid the order"
    NO_CHOICE = "its author has nothing to decide there"
    NOT_DUE = "no cards of its author are to be shuffled or drawn there"
    OTHER_CARDS = "other cards, or another number of them, are to be shuffled or drawn"


class DroppedOrders(NamedTuple):
    """Orders that were not carried out, the record in which that came out, and why.

    The first of `orders` could not be; the others came after it. If it was a shuffle or a draw,
    there may be none. `reason` is a whole sentence where the rules forbid an order.
    """

    record: int
    side: Side
    orders: tuple[Order, ...]
    reason: Phrase
    cause: DropCause


class FollowUps:
    """The follow-ups of `side` that wait, in order.

    `signed` says where a shuffle among them was signed, `ended` whether they have ended a turn.
    """

    def __init__(
        self, side: Side, signed: ShuffleOrigin, steps: Iterable[Step] = (), ended: bool = False
    ) -> None:
        self.side = side
        self.signed = signed
        self.steps = deque(steps)
        self.ended = ended

    def copy(self) -> FollowUps:
        """An independent copy."""
        other = copy(self)
        other.steps = self.steps.copy()
        return other

    def __bool__(self) -> bool:
        return bool(self.steps)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders among them."""
        return tuple(from_notation(s.order) for s in self.steps if isinstance(s, steps.OrderStep))

    def add(self, step: Step, opened: list[str], state: State) -> None:
        """Append one.

        `opened` are the cards that were shown for it. Whether it is legal shows when it is carried
        out. Raises StepError for one that can never be in its place.
        """
        if isinstance(step, steps.OrderStep):
            self._check_order(read_order(step, self.side), opened, state)
        elif isinstance(step, steps.ShuffleStep):
            self._check_shuffle(step, state)
        self.steps.append(step)

    def _check_shuffle(self, step: steps.ShuffleStep, state: State) -> None:
        in_the_box = state.ruleset.catalogue.cards[self.side]
        for card, copies in Counter(step.cards).items():
            if card not in in_the_box or copies > in_the_box[card].count:
                raise StepError("it shuffles cards that its side cannot have.", Rule.IN_THE_BOX)

    def _check_order(self, order: Order, opened: list[str], state: State) -> None:
        decisions = ACTIONS[type(order)].decisions
        if (Decision.LOSERS_CARD if self.ended else Decision.TURN) not in decisions:
            is_misplaced = Decision.TURN in decisions or isinstance(order, Lose)
            raise StepError(
                "such an order cannot be given before the other player has answered.",
                Rule.AFTER_END_OF_TURN if is_misplaced else Rule.FOLLOW_UP,
            )
        self.ended = self.ended or isinstance(order, End)
        try:
            # Readers of the follow-ups see the names of what is in the game.
            game.check_names(state, self.side, order)
            needless = Counter(opened) - Counter(game.plays(state, order, self.side))
        except IllegalOrder as error:
            raise StepError(message_of(error), Rule.IN_THE_GAME) from error
        if needless:
            raise StepError("it shows a card that the order does not need.", Rule.NEEDLESS)

    def go_on(self, table: Table, record: int) -> DroppedOrders | None:
        """Carry them out until something must be answered; drop what is impossible by then."""
        while self.steps and not table.is_over:
            if table.decks[self.side].wants_slots or self._awaits_reply(table.state):
                return None
            step = self.steps[0]
            try:
                self._carry_out(step, table, record)
            except (IllegalOrder, ImpossibleChance, StepError, DeckError) as error:
                orders = self.orders
                self.steps.clear()
                cause = self._cause(step, error, table.state)
                return DroppedOrders(record, self.side, orders, message_of(error), cause)
            self.steps.popleft()
        return None

    def _awaits_reply(self, state: State) -> bool:
        return state.is_interrupted and state.awaiting.side is not self.side

    def _carry_out(self, step: Step, table: Table, record: int) -> None:
        match step:
            case steps.OrderStep():
                table.order(record, self.side, from_notation(step.order))
            case steps.ShuffleStep():
                table.shuffle(record, self.side, step, self.signed)
            case steps.DrawStep():
                table.draw(record, self.side, step.count)

    def _cause(self, step: Step, error: Exception, state: State) -> DropCause:
        """Why a step could not be carried out in a state, which is still as it was before it."""
        if isinstance(step, steps.OrderStep):
            return DropCause.RULES if isinstance(error, IllegalOrder) else DropCause.NO_CHOICE
        is_due = state.awaiting.side is self.side and state.awaiting.decision.is_chance
        return DropCause.OTHER_CARDS if is_due else DropCause.NOT_DUE


# --- the state of play


class StateOfPlay:
    """What the records of a game have proved so far.

    `table` is the position with both decks, `entrants` are the players by side, `secrets` the game
    secrets that were published, `dropped` the follow-ups that came to nothing.
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


class PendingRecord(NamedTuple):
    """Who writes next, since when by the signed times, and what is due."""

    side: Side
    since: str
    due: Due


def pending_record(match: StateOfPlay) -> PendingRecord | None:
    """Whom the game waits for; None if nobody has joined, or nothing is left to write."""
    side = match.next_side
    if not match.is_joined or side is None:
        return None
    due = Due.PLAY
    if match.decks[side].owes_opening is not None:
        due = Due.OPENING
    elif match.is_over:
        due = Due.CLOSE
    return PendingRecord(side, match.last.time, due)


def sides_to_close(match: StateOfPlay) -> list[Side]:
    """The sides that have yet to close a game that is over, the next to write first."""
    if not match.is_over:
        return []
    left = [side for side in Side if side not in match.secrets]
    return sorted(left, key=lambda side: side is not match.next_side)
