"""Writing a record: every step goes through a match, just as the reader's program will take it.

So what was written is sure to verify. docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine import game
from engine.actions.action import IllegalOrder, missing_from_hand
from engine.events import Event
from engine.order import Order
from engine.orders import ShowHand
from engine.sides import Side
from engine.slot import Slot
from engine.state import Decision, State
from pbem.errors import WrongUse
from pbem.play.outlook import Foresight
from pbem.play.seat import Seat
from pbem.protocol import steps
from pbem.protocol.deck import Grants, commit, open_lists, root_seed
from pbem.protocol.hand import shuffle_seed
from pbem.protocol.identity import Identity
from pbem.protocol.match import NO_RECORD, Match
from pbem.protocol.record import Record


class Writer:
    """The next record of a match, by one author, before it is signed.

    `match` is the writer's own copy; the record is in it at its `end`. `side` is "any" only for an
    invitation that leaves the choice. `time` is when it is signed, in UTC.
    """

    def __init__(
        self, match: Match, identity: Identity, side: str, nonce: bytes, time: str
    ) -> None:
        self.match = match.copy()
        self.identity = identity
        self.side = side
        self.secret = identity.game_secret(nonce)
        # A writer whose clock is behind borrows the time of the record it answers.
        self.time = max(time, match.last.time) if match.records else time
        self.steps: list[steps.Step] = []
        self._grants = Grants(self.secret, match.last.hash if match.records else NO_RECORD)
        self.match.begin(side)

    def take(self, step: steps.Step) -> list[Event]:
        """Add a step; raises what `Match.take` raises if it is not valid."""
        events = self.match.take(step)
        self.steps.append(step)
        return events

    def pay_what_is_owed(self) -> None:
        """Open the player's own lists, and grant what the other player asked for."""
        side = Side(self.side)
        own = self.match.decks[side]
        epoch = own.owes_opening
        if epoch is not None:
            seed, chosen = shuffle_seed(self.match, side, self.secret, epoch), own.chosen(epoch)
            assert chosen is not None
            self.take(
                steps.OpenLists(epoch, *open_lists(seed, own.cards(epoch), own.lists, chosen))
            )
        # A grant may lead to the next one, where the other player's follow-ups ask again.
        while not self.match.is_over and (wanted := self.match.table.wanted(side.opponent)):
            chosen, slots, ahead = self._grants.answer(wanted)
            self.take(steps.Grant(slots, chosen, ahead or None))

    def ask(self) -> None:
        """Shuffle and draw what the game wants, up to a draw that has to be granted."""
        side = Side(self.side)
        deck = self.match.decks[side]
        while not deck.wants_slots:
            awaiting = self.match.state.awaiting
            if awaiting.side is not side or not awaiting.decision.is_chance:
                return
            if awaiting.decision is Decision.DRAW:
                self.take(steps.DrawStep(awaiting.amount))
            else:
                self.shuffle(self.match.state.players[side].discard)

    def shuffle(self, discard: Iterable[str]) -> None:
        """Shuffle these cards into a new draw pile."""
        deck = self.match.decks[Side(self.side)]
        cards = tuple(sorted(discard))
        previous = self.match.last.hash if self.match.records else NO_RECORD
        seed = root_seed(self.secret, deck.next_epoch, previous)
        self.take(steps.ShuffleStep(deck.next_epoch, cards, commit(seed, cards, deck.lists)))

    def end(self) -> Record:
        """Add the record, unsigned, to the match; raises StepError if it is not complete."""
        self.match.end()
        records = self.match.records
        record = Record.unsigned(
            index=len(records),
            side=self.side,
            previous=records[-1].hash if records else b"",
            time=self.time,
            steps=self.steps,
        )
        records.append(record)
        return record


class NextRecord(Writer):
    """The next record of a seat; what it owes is done when it is begun.

    With `resigns` its author gives up the game, after what is owed. `foresight` is what the turn
    may look like after the answer that it waits for, None if it does not. Raises WrongUse where the
    next record is not that player's, or where there is no game left to give up.
    """

    def __init__(self, seat: Seat, time: str, *, resigns: bool = False) -> None:
        if not seat.is_to_write:
            raise WrongUse("It is the other player's turn to write.")
        super().__init__(seat.match, seat.identity, seat.side.value, seat.nonce, time)
        self.seat = Seat(self.match, seat.identity)
        self.foresight: Foresight | None = None
        self.pay_what_is_owed()
        if resigns and self.match.is_over:
            raise WrongUse("The game is already over: all that is left is to close it.")
        if resigns:
            self.take(steps.Resign())
        self.ask()

    @property
    def is_awaiting_orders(self) -> bool:
        """Whether the author has a decision to make before the record can be signed."""
        return self.match.state.decides(self.seat.side)

    @property
    def may_follow_up(self) -> bool:
        """Whether the author may order what is to be done after the other side's answer."""
        return self.foresight is not None and self.foresight.is_awaiting_orders

    def view(self) -> State:
        """The position in the middle of the record, as its author sees it.

        For follow-ups it is the position in which the answer changes least.
        """
        if self.foresight is not None and self.may_follow_up:
            return self.foresight.worlds[0].copy()
        return self.seat.view()

    def order(self, order: Order) -> list[Event]:
        """Give an order: open the cards it needs, carry it out, ask for what must be drawn.

        After an order that has to be answered first it is a follow-up, and nothing happens yet.
        Raises IllegalOrder, with nothing changed, where the rules forbid it.
        """
        if self.foresight is not None:
            self._follow_up(order, self.foresight)
            return []
        game.check(self.view(), order)
        for slot in self._to_open(order):
            self._open(slot)
        events = self.take(steps.OrderStep(order.notation()))
        self.pay_what_is_owed()
        self.ask()
        if self.match.is_interrupted(self.seat.side):
            public = self.match.state.players[self.seat.side].hand
            opened = self.match.decks[self.seat.side].opened
            self.foresight = Foresight(self.seat.view(), order, public, opened=opened)
        return events

    def would_show(self, order: Order) -> list[str]:
        """The cards, hidden until then, that a legal order would show."""
        if self.foresight is None:
            slots = self._to_open(order)
        else:
            slots = self.seat.holding(self.foresight.missing(order))
        return [self.seat.cards.at(slot)[0] for slot in slots]

    def end(self) -> Record:
        """End the record, which closes a game that is over; raises StepError as `Writer.end`."""
        if self.match.is_over and self.seat.side not in self.match.secrets:
            self.take(steps.Close(self.secret))
        return super().end()

    def _follow_up(self, order: Order, foresight: Foresight) -> None:
        if not foresight.is_awaiting_orders:
            raise IllegalOrder("your turn is over.")
        missing = foresight.missing(order)
        for slot in self.seat.holding(missing):
            self._open(slot)
        self.take(steps.OrderStep(order.notation()))
        for decision, amount, discard in foresight.order(order):
            if decision is Decision.DRAW:
                self.take(steps.DrawStep(amount))
            else:
                self.shuffle(discard)

    def _open(self, slot: Slot) -> None:
        self.take(steps.Open(slot, *self.seat.cards.at(slot)))

    def _to_open(self, order: Order) -> list[Slot]:
        """The hidden slots that an order needs opened, in ascending order."""
        if isinstance(order, ShowHand):
            return list(self.seat.hidden_cards())
        state = self.match.state
        player = state.players[self.seat.side]
        return self.seat.holding(Counter(missing_from_hand(player, game.plays(state, order))))
