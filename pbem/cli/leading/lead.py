"""The course of a turn at the terminal: from what happened last to the yes that signs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from engine.actions.action import IllegalOrder
from engine.message import Message, Said, message_of, sentences
from engine.order import Order
from engine.orders import End
from engine.ways import Ways
from pbem.cli import answers, console
from pbem.cli.editor import edit_notes
from pbem.cli.leading.first_screen import say_first_screen
from pbem.cli.leading.looks import LOOKS, say_menu
from pbem.cli.leading.prompt import Prompt, Suggest, prompt_for_terminal
from pbem.errors import WrongUse
from pbem.foreign import printable
from pbem.play.answer import Answer
from pbem.play.session import Turn
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Deed
from pbem.view.choices import Menu
from pbem.view.trial import preview
from pbem.words.history.report import Teller, report
from pbem.words.notes import travelling
from pbem.words.ordering import kept_turn, led_turn
from pbem.words.ordering.decision import to_decide
from pbem.words.ordering.giving import OutOfPlace, give_order
from pbem.words.ordering.led_turn import BACK, QUIT, begun_so, meant
from pbem.words.ordering.lists import Lists, NotPossible
from pbem.words.ordering.preview import told
from pbem.words.ordering.risk import answered_first, other_player
from pbem.words.ordering.suggestion import Suggestion
from pbem.words.phrases import listed, names
from pbem.words.proof import prospect


def lead_through(
    answer: Answer, path: Path, *, dry_run: bool, waits: bool = False, notes: str | None = None
) -> str | None:
    """Ask for orders until nothing is left to decide and the player agrees with the whole.

    With `waits` no order is asked for that has to wait for the other player's answer. `notes` are
    those that are to be written, None for those of the file; returned are those that the player
    made of them. A `Turn` that was left unsigned goes on, and what is ordered in one is kept,
    unless it is a `dry_run`. Raises Cancelled if the player gives up; no file is written then.
    """
    lead = _Lead(answer, prompt_for_terminal(), notes, keeps=not dry_run)
    lead.begin()
    while True:
        lead.ask_orders(waits=waits)
        if lead.is_agreed(path, dry_run=dry_run):
            return lead.notes
        lead.undo()


class _Lead:
    """A turn that is being led through.

    `lists` are the legal orders now; `is_waiting` says that no more are to be asked for that are
    carried out after the other player's answer.
    """

    def __init__(
        self, answer: Answer, prompt: Prompt, notes: str | None, *, keeps: bool = False
    ) -> None:
        self.answer = answer
        self._turn = answer if isinstance(answer, Turn) else None
        self._keeps = keeps
        self._is_kept = keeps and self._turn is not None
        self.prompt = prompt
        self.notes = notes
        self.side = answer.seat.side
        self.name = names(answer.match.state)
        self.language = console.language()
        self.lists = Lists(self.language, Ways(answer.worlds))
        self.is_waiting = False
        self._told = 0
        undo_all = partial(self.undo, everything=True)
        self._commands: dict[str, Callable[[], None]] = {
            **{word: partial(look, answer) for word, look in LOOKS.items()},
            "undo": self.undo,
            "undo all": undo_all,
            "restart": undo_all,
            "redo": self._redo,
            "notes": self._edit_notes,
            "wait": self._wait,
            "help": lambda: console.say_lines(led_turn.help_told(self.name)),
            "legal": lambda: self._say_list(self.lists.last),
            **dict.fromkeys(QUIT, self._leave),
            **dict.fromkeys(BACK, lambda: self._say_list(self.lists.back())),
        }

    # --- the course

    def begin(self) -> None:
        """Print what there is to be seen, and go on with a turn that was left unsigned here."""
        with console.kept_back() as found:
            self.go_on()
        with console.kept_back() as choices:
            if not self.answer.is_complete:
                self._say_choices()
        # A row for what is typed.
        say_first_screen(self.answer, console.rows() - len(found) - len(choices) - 1)
        console.put(found)

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
        self._say_hand()

    def ask_orders(self, *, waits: bool) -> None:
        """Ask for orders until nothing is left to decide, or the player waits for an answer."""
        self.is_waiting = waits
        self._told = 0
        orders_before = None
        while not self.answer.is_complete or (self.answer.may_follow_up and not self.is_waiting):
            if orders_before != self.answer.orders:
                orders_before = list(self.answer.orders)
                self._say_choices()
            self._obey(self._ask("> ", self._suggest))

    def _say_choices(self) -> None:
        """Print what is to be decided now, and what can be chosen."""
        console.say()
        self._say_interruption()
        self.lists = Lists(self.language, Ways(self.answer.worlds))
        hint = Message("Enter ends it.") if self.answer.is_turn_used_up else ""
        console.say(sentences(to_decide(self.answer), hint), style="bold")
        self._say_list(self.lists.last)

    def is_agreed(self, path: Path, *, dry_run: bool) -> bool:
        """Show the whole answer and ask whether it is right; the notes can still be changed."""
        console.heading(Message("Your answer:"))
        waits = self.is_waiting and self.answer.may_follow_up
        console.say_lines(prospect.told(self.answer, waits=waits))
        old = self.answer.notes.text
        console.say_lines(travelling(old, self._notes_to_write()))
        if dry_run:
            question = Message("Is that right?")
        else:
            question = Message("Sign it and write {file}?", file=printable(str(path)))
        message = answers.yes_or_no(question)
        while True:
            typed = self.prompt.ask(message)
            if (agreed := answers.agrees(typed)) is not None:
                return agreed
            words_said = self._meant(typed)
            if any(word in (*BACK, "undo") for word in words_said):
                return False
            if "notes" in words_said:
                self._edit_notes()
            elif any(word in QUIT for word in words_said):
                self._leave()
            else:
                console.say(led_turn.agreement_hint(dry_run=dry_run))

    def undo(self, *, everything: bool = False) -> None:
        """Take back the last order, or every one."""
        taken = self.answer.undo()
        if taken is None:
            console.say(Message("There is nothing to take back."))
            return
        if everything:
            while self.answer.undo() is not None:
                pass
            console.say(Message("Every order is taken back."))
        else:
            console.say(Message("Taken back: {order}", order=taken.text(self.name)))
        self._keep()
        self._say_hand()

    def _redo(self) -> None:
        """Give the order again that was taken back last."""
        before = len(self.answer.deeds)
        try:
            order = self.answer.redo()
        except IllegalOrder as error:
            console.say(message_of(error), style="yellow")
            return
        if order is None:
            console.say(Message("There is nothing to give again."))
        else:
            self._keep()
            self._say_given(order, self.answer.deeds[before:])

    def _keep(self) -> None:
        """Keep the turn as it is now; say once where that cannot be done."""
        failed = self._turn.keep(self.notes) if self._turn and self._keeps else None
        if failed is not None:
            self._is_kept = False
            console.warn(kept_turn.not_kept_told(failed))

    def _say_hand(self) -> None:
        hand = self.answer.view().players[self.side].hand
        console.say(Message("Your hand: {cards}", cards=listed(hand, self.name)))

    def _ask(self, message: Said, suggest: Suggest) -> str:
        return self.prompt.ask(message, suggest).strip()

    def _say_interruption(self) -> None:
        """Print what has to be answered before the turn goes on, once."""
        if not self.answer.may_follow_up or self.answer.foresight is None:
            self._told = 0
            return
        interruptions = self.answer.foresight.interruptions
        if len(interruptions) > self._told:
            console.say(answered_first(interruptions[-1], other_player(self.answer)), style="bold")
            console.say(led_turn.GOING_ON)
        self._told = len(interruptions)

    # --- what is typed

    def _meant(self, typed: str) -> list[str]:
        return meant(self.language, typed)

    def _obey(self, line: str) -> None:
        """Carry out one line that the player typed."""
        if not line:
            self._enter()
        elif line.startswith("?"):
            self._find(line.removeprefix("?"))
        elif line.isdecimal():
            chosen = self.lists.choose(int(line))
            if chosen is None:
                most = len(self.lists.last.lines)
                console.say(Message("Type a number from 1 to {number}, or an order.", number=most))
            else:
                self._go_to(chosen)
        else:
            self._word_or_order(line)

    def _word_or_order(self, line: str) -> None:
        """Do what a word says, if it is one; ask back where it is one thing or another."""
        found = {self._commands[word]: word for word in self._meant(line) if word in self._commands}
        if len(found) > 1:
            console.say(led_turn.ambiguous(line, found.values()), style="yellow")
        elif found:
            next(iter(found))()
        else:
            self._understand(line)

    def _suggest(self, text: str) -> list[Suggestion]:
        """What a line can become: an order, or one of the other words."""
        begun = begun_so(self.language, text, self._commands)
        return [*self.lists.suggest(text), *(Suggestion(word, word) for word in begun)]

    def _enter(self) -> None:
        """Do what Enter alone does: go back to the list before, or end a turn that is used up."""
        if self.lists.is_inside:
            self._say_list(self.lists.back())
        elif self.answer.is_turn_used_up:
            self._give(End())
        else:
            console.say(led_turn.nothing_given(self.answer))

    def _find(self, wanted: str) -> None:
        """List what has these words; without any, what was listed last."""
        found = self.lists.find(wanted) if wanted.strip() else self.lists.last
        if found is None:
            console.say(Message("No such order is legal now."))
        else:
            self._say_list(found)

    def _understand(self, text: str) -> None:
        """Follow a text to a list or an order, or say what is wrong with it."""
        try:
            meant = self.lists.understand(text)
        except NotPossible as error:
            console.say(message_of(error), style="yellow")
            return
        if meant is None:
            self._refuse(text)
        else:
            self._go_to(meant)

    def _refuse(self, text: str) -> None:
        """Say why a text cannot be ordered, and what it could be the beginning of.

        The choice of the card that a siege costs may end the turn first, and is no refusal.
        """
        before = len(self.answer.deeds)
        try:
            give_order(self.language, self.answer, text)
        except WrongUse as error:
            now = to_decide(self.answer) if isinstance(error, OutOfPlace) else ""
            console.say(sentences(error.said, now), style="yellow")
            near = self.lists.near(text)
            if near is not None:
                console.say(Message("You could mean:"))
                self._say_list(near)
        else:
            self._keep()
            self._say_given(self.answer.orders[-1], self.answer.deeds[before:])

    def _go_to(self, chosen: Menu | Order) -> None:
        if isinstance(chosen, Menu):
            self._say_list(chosen)
        else:
            self._offer(chosen)

    def _say_list(self, menu: Menu) -> None:
        say_menu(menu, self.lists.ways, self.name)

    # --- giving

    def _offer(self, order: Order) -> None:
        """Show what an order costs and does, and give it if the player agrees."""
        if isinstance(order, End):
            # What the turn does is shown before it is signed.
            self._give(order)
            return
        seen = preview(self.answer, self.lists.ways, order)
        console.say(order.text(self.name), style="bold")
        if does := told(self.answer, seen, self.name):
            console.item(sentences(*does))
        typed = self._ask(led_turn.CONFIRM, self.lists.suggest)
        while typed == "?" or "help" in self._meant(typed):
            console.say(led_turn.CONFIRM_HINT)
            typed = self._ask(led_turn.CONFIRM, self.lists.suggest)
        if not typed or answers.agrees(typed):
            self._give(order)
        elif any(word in BACK for word in self._meant(typed)):
            self._say_list(self.lists.last)
        else:
            self._obey(typed)

    def _give(self, order: Order) -> None:
        before = len(self.answer.deeds)
        self.answer.order(order)
        self._keep()
        self._say_given(order, self.answer.deeds[before:])

    def _say_given(self, order: Order, deeds: Sequence[Deed]) -> None:
        """Print what came of an order, and what the other player had announced to follow it."""
        match = self.answer.match
        if not deeds:
            after = Message("{order}: after the answer", order=order.text(self.name))
            console.item(after, style="green")
            return
        own_cards = HiddenCards(match, self.side, self.answer.seat.secret)
        own = [deed for deed in deeds if deed.side is self.side]
        for line in Teller(match.state, self.side, [own_cards]).lines(own):
            console.item(line, style="green")
        theirs = [deed for deed in deeds if deed.side is not self.side]
        happened = report(match, theirs, self.side, records=[len(match.records)])
        console.say_lines(happened.lines())

    # --- the other words

    def _wait(self) -> None:
        if self.answer.may_follow_up:
            self.is_waiting = True
        else:
            console.say(
                Message("There is no answer to wait for: the rest of the turn is yours to say now.")
            )

    def _edit_notes(self) -> None:
        """Let the player edit the notes; where that fails, they and the turn stay as they are."""
        try:
            edited = edit_notes(self._notes_to_write())
        except WrongUse as error:
            console.say(error.said, style="yellow")
            return
        if edited is None:
            console.say(Message("Your notes stay as they are."))
        else:
            self.notes = edited
            self._keep()
            console.say(Message("Your notes are changed, and go into the file with this turn."))

    def _notes_to_write(self) -> str:
        return self.answer.notes.text if self.notes is None else self.notes

    def _leave(self) -> NoReturn:
        if self._is_kept and self.answer.may_undo:
            console.say(Message("Your orders are kept: the same command goes on with them."))
        raise console.Cancelled
