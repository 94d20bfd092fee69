"""The course of a turn at the terminal: from what happened last to the yes that signs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from engine.actions.action import IllegalOrder
from engine.choices import Begun, Choices
from engine.message import Message, Said, message_of, sentences
from engine.order import Order
from engine.orders import End
from pbem.cli import answers, console
from pbem.cli.editor import edit_notes
from pbem.cli.leading.first_screen import say_first_screen
from pbem.cli.leading.looks import LOOKS, look_up, say_menu, say_orders, suggested
from pbem.cli.leading.prompt import MAP_KEY, MenuPrompt, Prompt, prompt_for_terminal
from pbem.cli.pager import FROM_BEGINNING, paged
from pbem.errors import WrongUse
from pbem.foreign import printable
from pbem.play.kept_turn import KeptTurn
from pbem.play.turn import Turn
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Deed
from pbem.text.history.report import Teller, report
from pbem.text.history.standing import travelling
from pbem.text.language import Language
from pbem.text.ordering import kept_turn, led_turn
from pbem.text.ordering.decision import to_decide
from pbem.text.ordering.led_turn import BACK, QUIT, begun_so
from pbem.text.ordering.lists import Lists, NotPossible, Suggestion
from pbem.text.ordering.menu import Menu
from pbem.text.ordering.preview import Preview, consequences, preview, told
from pbem.text.ordering.risk import answered_first, other_player
from pbem.text.ordering.submit import OutOfPlace, give_order, why_none_begins
from pbem.text.phrases import listed, names
from pbem.text.proof import turn_summary

MOST_DIGITS = 9
"""A number of more digits stands under no list, and thousands of them Python does not read."""


def lead_through(
    answer: Turn,
    path: Path,
    kept: KeptTurn | None = None,
    *,
    dry_run: bool,
    waits: bool = False,
) -> None:
    """Ask for orders until nothing is left to decide and the player agrees with the whole.

    With `waits` no order is asked for that has to wait for the other player's answer. A turn that
    was left unsigned goes on as it was `kept`, and so is what is ordered, unless it is a `dry_run`.
    Raises Cancelled if the player gives up; no file is written then.
    """
    turn = TurnInHand(answer, kept, keeps=not dry_run)
    lead = _Lead(turn, prompt_for_terminal())
    try:
        lead.begin()
        while True:
            lead.ask_orders(waits=waits)
            if lead.is_agreed(path, dry_run=dry_run):
                return
            waits = False
    except (console.Cancelled, KeyboardInterrupt):
        if turn.will_be_found:
            stays = Message("Your orders are kept: the same command goes on with them.")
            console.note_written(sentences(console.written_or_nothing(), stays))
        raise


class _Lead:
    """The conversation in which a turn is led through.

    `lists` are the legal orders now; `is_waiting` says that no more are to be asked for that are
    carried out after the other player's answer.
    """

    def __init__(self, turn: TurnInHand, prompt: Prompt) -> None:
        self.turn = turn
        self.answer = turn.answer
        self.prompt = prompt
        self.name = turn.name
        self.language = console.language()
        self.lists = Lists(self.language, self.answer.choices)
        self.is_waiting = False
        self._told = 0
        self._commands: dict[str, Callable[[], None]] = {
            **{word: partial(self._look, look) for word, look in LOOKS.items()},
            "m": partial(self._look, LOOKS["map"]),
            "undo": turn.undo,
            "undo all": turn.undo_all,
            "restart": turn.undo_all,
            "redo": turn.redo,
            "notes": turn.edit_notes,
            "wait": self._wait,
            "help": self._help,
            "legal": lambda: self._say_list(self.lists.last, in_full=True),
            **dict.fromkeys(QUIT, _leave),
            **dict.fromkeys(BACK, lambda: self._say_list(self.lists.back())),
        }

    # --- the course

    def begin(self) -> None:
        """Print what there is to be seen, and go on with a turn that was left unsigned here."""
        with console.kept_back() as found:
            self.turn.go_on()
        with console.kept_back() as choices:
            if not self.answer.is_complete:
                self._say_choices()
        # A row for what is typed.
        say_first_screen(self.answer, console.rows() - len(found) - len(choices) - 1)
        console.put(found)

    def ask_orders(self, *, waits: bool) -> None:
        """Ask for orders until nothing is left to decide, or the player waits for an answer."""
        self.is_waiting = waits
        self._told = 0
        orders_before = None
        while not self.answer.is_complete or (self.answer.may_follow_up and not self.is_waiting):
            if self.turn.ends_by_itself:
                self.turn.end()
                continue
            if orders_before != self.answer.orders:
                orders_before = list(self.answer.orders)
                self._say_choices()
            self._obey(self.prompt.ask("> ", self._suggest).strip())

    def _say_choices(self) -> None:
        """Print what is to be decided now, and what can be chosen."""
        console.say()
        self._say_interruption()
        self.lists = Lists(self.language, self.answer.choices)
        hint = Message("Enter ends it.") if self.answer.is_turn_used_up else ""
        console.say(sentences(to_decide(self.answer), hint), style="bold")
        self._say_list(self.lists.last)

    def is_agreed(self, path: Path, *, dry_run: bool) -> bool:
        """Show the whole answer and ask whether it is right; the notes can still be changed."""
        console.heading(Message("Your answer:"))
        waits = self.is_waiting and self.answer.may_follow_up
        console.say_lines(turn_summary.told(self.answer, waits=waits))
        old = self.answer.notes.text
        console.say_lines(travelling(old, self.answer.notes_to_send))
        if dry_run:
            question = Message("Is that right?")
        else:
            question = Message("Sign it and write {file}?", file=printable(str(path)))
        message = answers.yes_or_no(question)
        while True:
            typed = self.prompt.ask(message)
            words_said = led_turn.meant(self.language, typed)
            if answers.agrees(typed):
                return True
            if answers.agrees(typed) is False or any(word in BACK for word in words_said):
                if waits or self.turn.reopen():
                    return False
                console.say(led_turn.nothing_taken_back(self.answer.orders[-1], self.name))
            elif "undo" in words_said:
                self.turn.undo()
                return False
            elif "notes" in words_said:
                self.turn.edit_notes()
            elif any(word in QUIT for word in words_said):
                _leave()
            elif look := next((word for word in words_said if word in (*LOOKS, "m")), None):
                self._commands[look]()
            elif asked := led_turn.looked_up(self.language, typed):
                look_up(self.answer, *asked)
            else:
                console.say(led_turn.agreement_hint(dry_run=dry_run))

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

    def _obey(self, line: str) -> None:
        """Carry out one line that the player typed."""
        if not line:
            self._enter()
        elif line.startswith("?"):
            self._find(line.removeprefix("?"))
        elif line.isdecimal():
            self._choose(int(line) if len(line) <= MOST_DIGITS else 10**MOST_DIGITS)
        else:
            self._word_or_order(line)

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
            self._say_list(found, in_full=True)

    def _choose(self, number: int) -> None:
        """Follow a number to a list or an order, or say why it leads nowhere."""
        try:
            chosen = self.lists.choose(number)
        except NotPossible as error:
            say_why_not(self.answer, error)
            return
        if chosen is None:
            most = max(line.number for line in self.lists.last.lines)
            console.say(Message("Type a number from 1 to {number}, or an order.", number=most))
        else:
            self._go_to(chosen)

    def _word_or_order(self, line: str) -> None:
        """Do what a word says, if it is one; ask back where it is one thing or another."""
        words_said = led_turn.meant(self.language, line)
        found = {self._commands[word]: word for word in words_said if word in self._commands}
        if len(found) > 1:
            console.say(led_turn.ambiguous(line, found.values()), style="yellow")
        elif found:
            next(iter(found))()
        elif asked := led_turn.looked_up(self.language, line):
            look_up(self.answer, *asked)
        else:
            self._understand(line)

    def _suggest(self, text: str) -> list[Suggestion]:
        """What a line can become: an order, or one of the other words."""
        begun = begun_so(self.language, text, (*self._commands, *led_turn.LOOKED_UP))
        if asked := led_turn.looked_up(self.language, text):
            return suggested(self.answer, *asked)
        return [*self.lists.suggest(text), *(Suggestion(word, word) for word in begun)]

    def _understand(self, text: str) -> None:
        """Follow a text to a list or an order, or say what is wrong with it."""
        try:
            meant = self.lists.understand(text)
        except NotPossible as error:
            say_why_not(self.answer, error)
            return
        if meant is None and (slip := led_turn.mistyped(self.language, text)):
            console.say(slip, style="yellow")
        elif meant is None:
            self._refuse(text)
        else:
            self._go_to(meant)

    def _refuse(self, text: str) -> None:
        """Say why a text cannot be ordered, and what it could be the beginning of.

        The choice of the card that a siege costs may end the turn first, and is no refusal.
        """
        try:
            self.turn.give_typed(self.language, text)
        except WrongUse as error:
            now = to_decide(self.answer) if isinstance(error, OutOfPlace) else ""
            console.say(sentences(error.said, now), style="yellow")
            near = self.lists.near(text)
            if near.lines:
                console.say(Message("Did you mean:"))
                say_orders(near, self.lists.choices, self.name)

    def _go_to(self, chosen: Menu | Order) -> None:
        if isinstance(chosen, Menu):
            self._say_list(chosen)
        else:
            self._give(chosen)

    def _say_list(self, menu: Menu, *, in_full: bool = False) -> None:
        say_menu(menu, self.lists.choices, self.name, in_full=in_full)

    def _give(self, order: Order) -> None:
        """Give a legal order: nothing more is asked, because it can be taken back."""
        self.turn.give(order, self.lists.choices)

    # --- the other words

    def _look(self, look: Callable[[Turn], None]) -> None:
        with paged(FROM_BEGINNING):
            look(self.answer)

    def _help(self) -> None:
        with paged(FROM_BEGINNING):
            key = MAP_KEY.upper() if isinstance(self.prompt, MenuPrompt) else ""
            console.say_lines(led_turn.help_told(self.name, key))

    def _wait(self) -> None:
        if self.answer.may_follow_up:
            self.is_waiting = True
        else:
            console.say(Message("There is no answer to wait for: give the rest of the turn now."))


def _leave() -> NoReturn:
    raise console.Cancelled


# --- the answer that is being made: orders given, taken back and kept, and notes


class TurnInHand:
    """An answer and what is done to it, printed and, if it `keeps`, kept."""

    def __init__(self, answer: Turn, kept: KeptTurn | None = None, *, keeps: bool) -> None:
        self.answer = answer
        self.name = names(answer.match.state)
        self._kept = kept
        self._keeps = keeps
        self._is_kept = keeps and kept is not None
        self._stays_at: list[Order] | None = None

    @property
    def will_be_found(self) -> bool:
        """True if there are orders, and they are kept for whoever leaves now."""
        return self._is_kept and bool(self.answer.given)

    # --- given

    def go_on(self) -> None:
        """Go on with the turn that was left unsigned at this file, if there is one."""
        if self._kept is None or self._kept.found is None:
            return
        resumed = self._kept.resume()
        console.say()
        console.say_lines(kept_turn.found_told(self._kept.found, resumed, self.name))
        self.say_hand()

    def give(self, order: Order, choices: Choices) -> None:
        """Give one of the legal orders, and print what came of it."""
        seen = None if isinstance(order, End) else preview(self.answer, choices, order)
        before = len(self.answer.deeds)
        self.answer.order(order)
        self._keep_given(before, seen)

    def give_typed(self, language: Language, text: str) -> None:
        """Give the order that a text means; raises WrongUse, with nothing changed, if none is."""
        before = len(self.answer.deeds)
        give_order(language, self.answer, text)
        self._keep_given(before)

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
            self._keep_given(before)

    def _keep_given(self, before: int, seen: Preview | None = None) -> None:
        """Keep the turn with the order that was given last, and print what came of it."""
        self._keep()
        say_given(self.answer, self.answer.orders[-1], self.answer.deeds[before:], seen)

    # --- ended

    @property
    def ends_by_itself(self) -> bool:
        """True if only the end of the turn is left to order, and nobody wants to stop before it."""
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
        return answer.choices.kinds() == [End]

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
            edited = edit_notes(self.answer.notes_to_send)
        except WrongUse as error:
            console.say(error.said, style="yellow")
            return
        if edited is None:
            console.say(Message("Your notes stay as they are."))
        else:
            self.answer.new_notes = edited
            self._keep()
            console.say(Message("Your notes are changed, and go into the file with this turn."))

    def say_hand(self) -> None:
        """Print the cards in hand, on a line."""
        hand = self.answer.view().players[self.answer.side].hand
        console.say(Message("Your hand: {cards}", cards=listed(hand, self.name)))

    def _keep(self) -> None:
        """Keep the turn as it is now; say once where that cannot be done."""
        failed = self._kept.keep() if self._kept and self._keeps else None
        if failed is not None:
            self._is_kept = False
            console.warn(kept_turn.not_kept_told(failed))


# --- what came of an order


def say_given(
    answer: Turn, order: Order, deeds: Sequence[Deed], seen: Preview | None = None
) -> None:
    """Print what came of an order, and what the other player had announced to follow it.

    `seen` is what it was to do. Without deeds it waits for an answer.
    """
    match, side, name = answer.match, answer.side, names(answer.match.state)
    if not deeds:
        after = Message("{order}: after the answer", order=order.text(name))
        console.item(after, style="green")
        if seen and (does := told(answer, seen, name)):
            console.item(sentences(*does))
        return
    own_cards = HiddenCards(match, side, answer.secrets.secret)
    own = [deed for deed in deeds if deed.side is side]
    done: list[Said] = [*Teller(match.state, side, [own_cards]).lines(own)]
    if seen and not isinstance(order, End):
        done += consequences(answer, seen)
    console.item(sentences(*done), style="green")
    theirs = [deed for deed in deeds if deed.side is not side]
    happened = report(match, theirs, side, records=[len(match.records)])
    console.say_lines(happened.lines())


def say_why_not(answer: Turn, error: NotPossible) -> None:
    """Print that no order of a kind is possible, and why."""
    lines = list(why_none_begins(console.language(), answer, Begun(error.kind)))
    if len(lines) == 1:
        console.say(lines[0].text, style="yellow")
        return
    console.say(error.said, style="yellow")
    for line in lines:
        console.item(line.text, indent=2 + line.indent)
