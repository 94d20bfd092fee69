"""Answering a file: the one way from a file to the next, for people and robots alike.

bytes, verified match, orders, signed record, bytes: docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from engine import game as rules
from engine.actions.action import IllegalOrder
from engine.message import Message, Said, sentences
from engine.order import Order
from engine.orders import End, Lose, Refill
from engine.state import Decision, State
from pbem.errors import BoxDamaged, WrongUse
from pbem.foreign import mailbox
from pbem.play.game_file import GameFile, pack, whose_move
from pbem.play.next_record import NextRecord
from pbem.play.outlook import Course, Foresight, Outlook, course_of
from pbem.play.seat import Seat
from pbem.protocol import steps
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.sealed_box import MAX_NOTES, NOTES
from pbem.protocol.table import Deed
from pbem.savefile.save_file import SaveFile


class Notes(NamedTuple):
    """A player's private notes in a file, or why the box with them does not open."""

    text: str
    damage: Said = ""


def notes_of(game: GameFile, seat: Seat) -> Notes:
    """The notes of the player of that seat. A damaged box costs the notes and nothing else."""
    try:
        return Notes(game.notes(seat))
    except BoxDamaged as error:
        lost = Message("Your hand is not affected, but your notes are lost.")
        return Notes("", sentences(error.said, lost))


class Answer:
    """The answer of one player to a file, while it is being made.

    What the player owes is done when it begins; then it takes `order`s until `is_complete`, and
    `finish` gives the file to be signed. `time` is the moment of signing, in UTC; `resigns` gives
    up the game. Raises WrongUse if it is not this player's turn to write.
    """

    def __init__(
        self, game: GameFile, identity: Identity, time: str, *, resigns: bool = False
    ) -> None:
        self.game = game
        self.identity = identity
        self.seat = _seat_to_write(game.match, identity)
        self.time = time
        self.resigns = resigns
        self.new_notes: str | None = None
        """Notes in the place of those that came with the file; None to keep these."""
        self._taken_back: list[Order] = []
        self._begin()

    def _begin(self) -> None:
        self.orders: list[Order] = []
        self._next = NextRecord(self.seat, self.time, resigns=self.resigns)
        self._record: Record | None = None
        self._given: list[Order] = []
        self._turn: Outlook | None = None
        self._turn_orders: list[Order] = []

    def _repeat(self, orders: Sequence[Order]) -> None:
        """Begin again, with these orders; what was taken back stays taken back."""
        taken_back = list(self._taken_back)
        self._begin()
        for order in orders:
            self.order(order)
        self._taken_back = taken_back

    @property
    def match(self) -> Match:
        """The match with everything ordered so far in it; do not change it."""
        return self._next.match

    @property
    def steps(self) -> Sequence[steps.Step]:
        """The steps of the record so far."""
        return self._next.steps

    @property
    def deeds(self) -> list[Deed]:
        """The deeds of this answer so far."""
        return self.match.deeds_since(len(self.game.match.records))

    @cached_property
    def notes(self) -> Notes:
        """The private notes that came with the file."""
        return notes_of(self.game, self.seat)

    @property
    def is_complete(self) -> bool:
        """True if nothing has to be decided by its author before the other side's answer."""
        return not self._next.is_awaiting_orders

    @property
    def may_follow_up(self) -> bool:
        """True if its author may order what is to be done after the other side's answer."""
        return self._next.may_follow_up

    @property
    def takes_no_order(self) -> bool:
        """True if nothing can be ordered, or nothing more."""
        return self.is_complete and not self.may_follow_up

    @property
    def foresight(self) -> Foresight | None:
        """The worlds to which the turn may come, if it goes on only after an answer."""
        return self._next.foresight

    @property
    def worlds(self) -> list[State]:
        """The positions for which an order can be given now, the likeliest first.

        There are several if the other side has to answer before it is carried out.
        """
        foresight = self.foresight
        if foresight is None or not self.may_follow_up:
            return [self.view()]
        return [world.copy() for world in foresight.worlds]

    @property
    def cards_shown(self) -> list[str]:
        """The cards that were hidden until this record shows them."""
        return [step.card for step in self._next.steps if isinstance(step, steps.Open)]

    @property
    def announced(self) -> tuple[Order, ...]:
        """The orders of this answer that are carried out after the other side's answer."""
        return () if self.foresight is None else self.match.follow_ups

    @property
    def cards_ahead(self) -> list[str]:
        """The player's own cards that come next, as far as the other side has named them."""
        return self._next.seat.cards_ahead()

    @property
    def course(self) -> Course | None:
        """The course of the player's turn, as far as it is ordered; None without an order in it."""
        if self._turn is None or self.match.is_over:
            return None
        return course_of(self.seat.side, self.match.state, self.foresight)

    def would_show(self, order: Order) -> list[str]:
        """The cards, hidden until then, that a legal order would show."""
        return self._next.would_show(order)

    def course_with(self, order: Order) -> Course | None:
        """Return the course of the turn with this legal order; None if it is not the player's."""
        turn = self._turn or self._turn_to_begin()
        return turn.course((*self._turn_orders, order)) if turn else None

    def better_sequence(self) -> tuple[Order, ...] | None:
        """The orders of the turn in a sequence that needs one file whatever the answers, if any."""
        return self._turn.better(self._turn_orders) if self._turn else None

    @property
    def is_turn_used_up(self) -> bool:
        """True if the author is in a turn and has no actions left in it."""
        state = self.view()
        in_turn = state.awaiting.decision is Decision.TURN and state.active is self.seat.side
        return in_turn and not state.actions_left

    @property
    def waits_for_cards(self) -> bool:
        """True if its last order draws cards in the middle of the turn that are still to come."""
        return bool(self.orders) and self.orders[-1].draws and self.is_complete

    def view(self) -> State:
        """The position now, as the author sees it."""
        return self._next.view()

    def legal_orders(self) -> list[Order]:
        """All orders that may be given now; after an answer to come, in the likeliest position."""
        return [] if self.takes_no_order else list(rules.legal_orders(self.view()))

    def order(self, order: Order) -> None:
        """Give an order; raises IllegalOrder, with nothing changed, if the rules forbid it.

        The choice of a card that a lost siege costs ends the turn first, if that is left to do.
        What was taken back before cannot be given again then by `redo`.
        """
        if self.takes_no_order:
            raise IllegalOrder(_why_nothing_follows(self))
        if self._record is not None:
            self._repeat(self._given)
        if isinstance(order, Lose) and self.is_turn_used_up:
            self._check_lost(order)
            self._give(End())
        self._give(order)
        self._given.append(order)
        self._taken_back.clear()

    def _give(self, order: Order) -> None:
        begins = self._turn_to_begin()
        self._next.order(order)
        self.orders.append(order)
        self._turn = self._turn or begins
        if self._turn:
            self._turn_orders.append(order)

    def _turn_to_begin(self) -> Outlook | None:
        """Return the player's own turn, if its first order in this record is about to be given."""
        state = self.match.state
        if self._turn or state.awaiting.decision is not Decision.TURN:
            return None
        deck = self.match.decks[self.seat.side].copy()
        return Outlook(self.view(), deck, self._next.seat.cards)

    def _check_lost(self, order: Lose) -> None:
        """Raise IllegalOrder unless the end of the turn is followed by the choice that this is."""
        after = self.view()
        rules.apply(after, End())
        if after.awaiting.decision is not Decision.LOSERS_CARD:
            raise IllegalOrder("You have lost no siege with a card to choose.")
        rules.check(after, order)

    def end_turn(self) -> None:
        """End the turn if its actions are used up and no cards were drawn or are to come in it."""
        refilled = bool(self.orders) and isinstance(self.orders[-1], Refill)
        if self.is_turn_used_up and not self.waits_for_cards and not refilled:
            self.order(End())

    def undo(self) -> Order | None:
        """Take the last order back and return it; None if none was given."""
        if not self._given:
            return None
        *kept, last = self._given
        self._repeat(kept)
        self._taken_back.append(last)
        return last

    def redo(self) -> Order | None:
        """Redo the order that was taken back last, and return it; None if there is none.

        Raises IllegalOrder, with nothing changed, if it cannot be given.
        """
        if not self._taken_back:
            return None
        *left, order = self._taken_back
        self.order(order)
        self._taken_back = left
        return order

    @property
    def given(self) -> tuple[Order, ...]:
        """The orders that were given one by one, each of which `undo` takes back."""
        return tuple(self._given)

    @property
    def taken_back(self) -> tuple[Order, ...]:
        """The orders that `redo` can give again, of which the last comes first."""
        return tuple(self._taken_back)

    @property
    def may_undo(self) -> bool:
        """True if there is an order to be taken back."""
        return bool(self._given)

    @property
    def may_redo(self) -> bool:
        """True if there is an order to be given again."""
        return bool(self._taken_back)

    def redate(self, time: str) -> None:
        """Have it signed with another time."""
        self.time = time
        self._repeat(self._given)

    @property
    def record(self) -> Record:
        """The record of what was ordered, unsigned; raises WrongUse if something is to decide."""
        if not self.is_complete:
            raise WrongUse("There is still something to decide this turn.")
        if self._record is None:
            self._record = self._next.end()
        return self._record

    def finish(self) -> tuple[Match, SaveFile]:
        """Return the match that ends with the `record`, and the file that holds it.

        Raises WrongUse for notes that are too long, and if something is left to decide.
        """
        _ = self.record
        notes = self.notes.text if self.new_notes is None else checked_notes(self.new_notes)
        return self.match, pack(self.match, self._next.seat, self.game.save.boxes, notes)

    def check(self) -> None:
        """Raise WrongUse if it cannot become a file, as `finish` does, or the file is too long."""
        _, save = self.finish()
        save.write()


def checked_notes(notes: str) -> str:
    """Return notes as a box can hold them; raises WrongUse if it cannot."""
    try:
        return NOTES.read(notes.replace("\r\n", "\n"))
    except ValueError:
        told = Message(
            "Notes must be at most {most} characters, with line feeds but no other control "
            "characters.",
            most=MAX_NOTES,
        )
        raise WrongUse(told) from None


def _seat_to_write(match: Match, identity: Identity) -> Seat:
    """The seat of the player, who has to be the one that writes next."""
    if not match.is_joined:
        if match.invite.key == identity.public_key:
            raise WrongUse(
                "Nobody has joined yet: send this invitation to the player you want to play."
            )
        raise WrongUse("This is an invitation, which has to be accepted first.")
    seat = Seat(match, identity)
    if match.next_side is None:
        raise WrongUse(whose_move(match))
    if not seat.is_to_write:
        other = match.entrants[seat.side.opponent]
        send = Message("Send them this file if you have not yet.")
        if other.email:
            to = mailbox(other.email)
            send = Message("Send them this file at {address} if you have not yet.", address=to)
        raise WrongUse(sentences(whose_move(match), send))
    return seat


def _why_nothing_follows(answer: Answer) -> Message:
    state = answer.match.state
    if state.outcome is not None:
        return Message("the game is over.")
    if answer.foresight is not None:
        return Message("your turn is over.")
    decision, resume = state.awaiting.decision, state.awaiting.resume
    if decision.is_chance and resume is not None:
        return Message("the cards come with the other player's answer.")
    if not answer.orders:
        return Message("there is nothing for you to decide.")
    if decision.is_chance:
        return Message("your turn is over.")
    # Translators: {decision} is such as “raid reply”.
    return Message("the other player has to answer first ({decision}).", decision=decision.label)
