"""Follow-ups: what a player signed to be done after the other side's answer, whatever it is.

docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from copy import copy
from enum import Enum
from typing import NamedTuple

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import IllegalOrder
from engine.chance import ImpossibleChance
from engine.message import Message, Said, message_of
from engine.order import Order, UnreadableOrder
from engine.orders import ORDERS, End, Intendant, Lose, Piracy, from_notation
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.table import ShuffleMade, Table

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


class Cause(Enum):
    """Why a follow-up could not be carried out."""

    RULES = "the rules forbid the order"
    NO_CHOICE = "its author has nothing to decide there"
    NOT_DUE = "no cards of its author are to be shuffled or drawn there"
    OTHER_CARDS = "other cards, or another number of them, are to be shuffled or drawn"


class Dropped(NamedTuple):
    """Orders that were not carried out, the record in which that came out, and why.

    The first of `orders` could not be; the others came after it. If it was a shuffle or a draw,
    there may be none. `reason` is a whole sentence where the rules forbid an order.
    """

    record: int
    side: Side
    orders: tuple[Order, ...]
    reason: Said
    cause: Cause


class FollowUps:
    """The follow-ups of `side` that wait, in order.

    `signed` says where a shuffle among them was signed, `ended` whether they have ended a turn.
    """

    def __init__(
        self, side: Side, signed: ShuffleMade, steps: Iterable[Step] = (), ended: bool = False
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

    def go_on(self, table: Table, record: int) -> Dropped | None:
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
                return Dropped(record, self.side, orders, message_of(error), cause)
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

    def _cause(self, step: Step, error: Exception, state: State) -> Cause:
        """Why a step could not be carried out in a state, which is still as it was before it."""
        if isinstance(step, steps.OrderStep):
            return Cause.RULES if isinstance(error, IllegalOrder) else Cause.NO_CHOICE
        is_due = state.awaiting.side is self.side and state.awaiting.decision.is_chance
        return Cause.OTHER_CARDS if is_due else Cause.NOT_DUE
