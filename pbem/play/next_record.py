"""The next record of a seat, order by order.

docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine import game
from engine.actions.action import IllegalOrder, missing_from_hand
from engine.events import Event
from engine.order import Order
from engine.orders import ShowHand
from engine.state import Decision, Slot, State
from pbem.errors import WrongUse
from pbem.play.foresight import Foresight
from pbem.play.seat import Seat
from pbem.play.writer import Writer
from pbem.protocol import steps
from pbem.protocol.deck import Slot as DeckSlot
from pbem.protocol.match import Match
from pbem.protocol.record import Record


class NextRecord:
    """The next record of a seat; what it owes is done when it is begun.

    With `resigns` its author gives up the game, after what is owed. Raises WrongUse where the next
    record is not that player's, or where there is no game left to give up.
    """

    def __init__(self, seat: Seat, time: str, *, resigns: bool = False) -> None:
        if not seat.is_to_write:
            raise WrongUse("It is the other player's turn to write.")
        self._writer = Writer(seat.match, seat.identity, seat.side.value, seat.nonce, time)
        self.seat = Seat(self._writer.match, seat.identity)
        self._foresight: Foresight | None = None
        self._writer.pay_what_is_owed()
        if resigns and self.match.is_over:
            raise WrongUse("The game is over already; to close it: acres turn apply FILE")
        if resigns:
            self._writer.take(steps.Resign())
        self._writer.ask()

    @property
    def match(self) -> Match:
        """The match with what was ordered; `sign` puts the record into it."""
        return self._writer.match

    @property
    def steps(self) -> Sequence[steps.Step]:
        """What it says so far."""
        return self._writer.steps

    @property
    def is_awaiting_orders(self) -> bool:
        """Whether the author has a decision to make before the record can be signed."""
        return self.match.state.decides(self.seat.side)

    @property
    def foresight(self) -> Foresight | None:
        """What the turn may look like after the answer that it waits for; None if it does not."""
        return self._foresight

    @property
    def may_follow_up(self) -> bool:
        """Whether the author may order what is to be done after the other side's answer."""
        return self._foresight is not None and self._foresight.is_awaiting_orders

    def view(self) -> State:
        """The position in the middle of the record, as its author sees it.

        For follow-ups it is the position in which the answer changes least.
        """
        if self._foresight is not None and self.may_follow_up:
            return self._foresight.worlds[0].copy()
        return self.seat.view()

    def order(self, order: Order) -> list[Event]:
        """Give an order: open the cards it needs, carry it out, ask for what must be drawn.

        After an order that has to be answered first it is a follow-up, and nothing happens yet.
        Raises IllegalOrder, with nothing changed, where the rules forbid it.
        """
        if self._foresight is not None:
            self._follow_up(order, self._foresight)
            return []
        game.check(self.view(), order)
        for slot in self._to_open(order):
            self._open(slot)
        events = self._writer.take(steps.OrderStep(order.notation()))
        self._writer.pay_what_is_owed()
        self._writer.ask()
        if self.match.is_interrupted(self.seat.side):
            public = self.match.state.players[self.seat.side].hand
            opened = self.match.decks[self.seat.side].opened
            self._foresight = Foresight(self.seat.view(), order, public, opened=opened)
        return events

    def would_show(self, order: Order) -> list[str]:
        """The cards, hidden until then, that a legal order would show."""
        if self._foresight is None:
            slots = self._to_open(order)
        else:
            slots = self.seat.holding(self._foresight.missing(order))
        return [self.seat.cards.at(slot)[0] for slot in slots]

    def sign(self) -> Record:
        """Sign the record; raises StepError where its author still has something to decide."""
        self._writer.close()
        return self._writer.sign()

    def _follow_up(self, order: Order, foresight: Foresight) -> None:
        if not foresight.is_awaiting_orders:
            raise IllegalOrder("your turn is over.")
        missing = foresight.missing(order)
        for slot in self.seat.holding(missing):
            self._open(slot)
        self._writer.take(steps.OrderStep(order.notation()))
        for decision, amount, discard in foresight.order(order):
            if decision is Decision.DRAW:
                self._writer.take(steps.DrawStep(amount))
            else:
                self._writer.shuffle(discard)

    def _open(self, slot: Slot) -> None:
        self._writer.take(steps.Open(DeckSlot(*slot), *self.seat.cards.at(slot)))

    def _to_open(self, order: Order) -> list[Slot]:
        """The hidden slots that an order needs opened, in ascending order."""
        if isinstance(order, ShowHand):
            return list(self.seat.hidden_cards())
        state = self.match.state
        player = state.players[self.seat.side]
        return self.seat.holding(Counter(missing_from_hand(player, game.plays(state, order))))
