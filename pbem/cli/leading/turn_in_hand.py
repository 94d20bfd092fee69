"""The answer that is being made in a led turn: orders given, taken back and kept, and notes."""

from __future__ import annotations

from engine.actions.action import IllegalOrder
from engine.message import Message, message_of
from engine.order import Order
from engine.orders import End
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.editor import edit_notes
from pbem.cli.leading.outcome import say_given
from pbem.errors import WrongUse
from pbem.play.answer import Answer
from pbem.play.session import Turn
from pbem.view.trial import preview
from pbem.words.language import Language
from pbem.words.ordering import kept_turn
from pbem.words.ordering.giving import give_order
from pbem.words.phrases import listed, names


class TurnInHand:
    """An answer and what is done to it, each printed and kept, where it is a `Turn` that `keeps`.

    `notes` are those that are to be written, None for those of the file.
    """

    def __init__(self, answer: Answer, notes: str | None, *, keeps: bool) -> None:
        self.answer = answer
        self.notes = notes
        self.name = names(answer.match.state)
        self._turn = answer if isinstance(answer, Turn) else None
        self._keeps = keeps
        self._is_kept = keeps and self._turn is not None
        self._stays_at: list[Order] | None = None

    @property
    def will_be_found(self) -> bool:
        """Whether there are orders, and they are kept for whoever leaves now."""
        return self._is_kept and self.answer.may_undo

    @property
    def notes_to_write(self) -> str:
        """The notes as they go into the file."""
        return self.answer.notes.text if self.notes is None else self.notes

    # --- given

    def go_on(self) -> None:
        """Go on with the turn that was left unsigned at this file, if there is one."""
        found = self._turn.found_again if self._turn else None
        if self._turn is None or found is None:
            return
        resumed = self._turn.resume()
        if self.notes is None:
            self.notes = found.notes
        console.say()
        console.say_lines(kept_turn.found_told(found, resumed, self.name))
        self.say_hand()

    def give(self, order: Order, ways: Ways) -> None:
        """Give one of the legal orders, and print what came of it."""
        seen = None if isinstance(order, End) else preview(self.answer, ways, order)
        before = len(self.answer.deeds)
        self.answer.order(order)
        self._keep()
        say_given(self.answer, order, self.answer.deeds[before:], seen)

    def give_typed(self, language: Language, text: str) -> None:
        """Give the order that a text means; raises WrongUse, with nothing changed, if none is."""
        before = len(self.answer.deeds)
        give_order(language, self.answer, text)
        self._keep()
        say_given(self.answer, self.answer.orders[-1], self.answer.deeds[before:])

    def redo(self) -> None:
        """Give the order again that was taken back last."""
        before = len(self.answer.deeds)
        try:
            order = self.answer.redo()
        except IllegalOrder as error:
            console.say(message_of(error), style="yellow")
            return
        if order is None:
            console.say(Message("There is nothing to redo."))
        else:
            self._keep()
            say_given(self.answer, order, self.answer.deeds[before:])

    # --- ended

    @property
    def ends_by_itself(self) -> bool:
        """Whether only the end of the turn is left to order, and nobody wants to stop before it."""
        return self._stays_at != self.answer.orders and self._has_only_its_end()

    def end(self) -> None:
        """End the turn; what comes of it is shown with all the rest."""
        self.answer.order(End())
        self._keep()

    def reopen(self) -> bool:
        """Take back the end of the turn, and no order; return whether that was the last order.

        Then it does not end by itself until there are other orders.
        """
        if not isinstance(self.answer.orders[-1], End):
            return False
        self.answer.undo()
        self._stays_at = list(self.answer.orders)
        self._keep()
        return True

    def _has_only_its_end(self) -> bool:
        answer = self.answer
        if not answer.is_turn_used_up or answer.may_follow_up:
            return False
        return Ways(answer.worlds).kinds() == [End]

    # --- taken back

    def undo(self) -> None:
        """Take back the last order, and the end of the turn that followed it by itself."""
        self._stays_at = None
        taken = self.answer.undo()
        if isinstance(taken, End) and self._has_only_its_end():
            taken = self.answer.undo() or taken
        if taken is None:
            console.say(Message("There is nothing to undo."))
            return
        console.say(Message("Taken back: {order}", order=taken.text(self.name)))
        self._keep()
        self.say_hand()

    def undo_all(self) -> None:
        """Take back every order."""
        self._stays_at = None
        if self.answer.undo() is None:
            console.say(Message("There is nothing to undo."))
            return
        while self.answer.undo() is not None:
            pass
        console.say(Message("All orders are taken back."))
        self._keep()
        self.say_hand()

    # --- beside the orders

    def edit_notes(self) -> None:
        """Let the player edit the notes; where that fails, they and the turn stay as they are."""
        try:
            edited = edit_notes(self.notes_to_write)
        except WrongUse as error:
            console.say(error.said, style="yellow")
            return
        if edited is None:
            console.say(Message("Your notes stay as they are."))
        else:
            self.notes = edited
            self._keep()
            console.say(Message("Your notes are changed, and go into the file with this turn."))

    def say_hand(self) -> None:
        """Print the cards in hand, on a line."""
        hand = self.answer.view().players[self.answer.seat.side].hand
        console.say(Message("Your hand: {cards}", cards=listed(hand, self.name)))

    def _keep(self) -> None:
        """Keep the turn as it is now; say once where that cannot be done."""
        failed = self._turn.keep(self.notes) if self._turn and self._keeps else None
        if failed is not None:
            self._is_kept = False
            console.warn(kept_turn.not_kept_told(failed))
