"""A guided turn at the terminal, from the latest events to the confirmation that signs the turn.

Each line is typed at a prompt with a completion menu, or at a plain prompt.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import NoReturn, Protocol

from engine.actions.action import IllegalOrderError
from engine.choices import Prefix
from engine.message import Message, Phrase, message_of, sentences
from engine.order import Order
from engine.orders import End
from pbem.cli import console, prompts
from pbem.cli.editor import edit_notes
from pbem.cli.guided.views import (
    VIEWS,
    say_first_screen,
    say_menu,
    say_omitted_count,
    show_page,
    suggest_details,
)
from pbem.cli.pager import FROM_BEGINNING, page_output
from pbem.errors import UsageError
from pbem.foreign import strip_controls
from pbem.play.autosave import Autosave
from pbem.play.turn import Turn
from pbem.protocol.hand import HiddenCards
from pbem.protocol.table import Move
from pbem.text.history.report import Reporter, report
from pbem.text.history.standing import notes_notice
from pbem.text.narration import answer_hint
from pbem.text.ordering import guided_turn
from pbem.text.ordering.guided_turn import BACK_WORDS, QUIT_WORDS, next_decision_text
from pbem.text.ordering.lists import Lists, NotPossibleError, Suggest, Suggestion
from pbem.text.ordering.menu import Menu
from pbem.text.ordering.preview import Preview, consequences, preview, preview_text
from pbem.text.ordering.submit import OutOfPlaceError, give_order, no_order_reasons
from pbem.text.phrases import card_list, names
from pbem.text.proof import signature

# --- prompts


MAP_KEY = "f2"
"""The key that shows the map and keeps the typed text."""


class Prompt(Protocol):
    """A prompt that asks for lines."""

    def ask(self, message: Phrase, suggest: Suggest | None = None) -> str:
        """Return a line typed by the player; `suggest` returns completions of a line.

        Raises console.CancelledError at the end of input, KeyboardInterrupt for Ctrl-C.
        """


def prompt_for_terminal() -> Prompt:
    """Return the prompt for this terminal: without a menu if output is plain."""
    if console.is_plain():
        return PlainPrompt()
    # Imported lazily: prompt_toolkit takes as long as all other imports.
    from pbem.cli.guided.menu_session import MenuSession

    return MenuSession(MAP_KEY)


class PlainPrompt:
    """A plain prompt; with readline, Tab completes and the arrow keys recall earlier lines."""

    def __init__(self) -> None:
        self._suggest: Suggest | None = None
        if sys.platform != "win32":
            with suppress(ImportError):
                import readline

                readline.set_completer(self._complete)
                # Whole lines are completed, with their spaces and commas.
                readline.set_completer_delims("")
                readline.parse_and_bind("tab: complete")
                # Bracketed paste would print a control sequence.
                readline.parse_and_bind("set enable-bracketed-paste off")

    def ask(self, message: Phrase, suggest: Suggest | None = None) -> str:
        """Return a line, as `Prompt.ask` does."""
        self._suggest = suggest
        return prompts.ask(message)

    def _complete(self, text: str, number: int) -> str | None:
        suggestions = self._suggest(text) if self._suggest else []
        return suggestions[number].line if number < len(suggestions) else None


# --- the guided turn


MAX_DIGITS = 9
"""The maximum length of a number in a list; Python refuses to parse thousands of digits."""


def guide_turn(
    turn: Turn, path: Path, autosave: Autosave | None = None, *, dry_run: bool, wait: bool = False
) -> None:
    """Ask for orders until the turn is complete and the player confirms it.

    If `wait` is true, orders that follow the opponent's answer are left for later. `autosave` is
    the unsigned turn to continue; orders are saved there, unless `dry_run` is true. Raises
    CancelledError if the player leaves.
    """
    dialogue = _GuidedTurn(turn, autosave, save=not dry_run)
    try:
        dialogue.begin()
        while True:
            dialogue.ask_orders(wait=wait)
            if dialogue.confirm(path, dry_run=dry_run):
                return
            wait = False
    except (console.CancelledError, KeyboardInterrupt):
        if dialogue.is_resumable:
            note = Message("Your orders are kept: the same command goes on with them.")
            console.note_written(sentences(console.written_notice(), note))
        raise


class _GuidedTurn:
    """The dialogue of a guided turn.

    If `save` is true, the turn is saved after each order. `lists` are the legal orders now.
    `is_waiting` is true if orders that follow the opponent's answer are left for later.
    """

    def __init__(self, turn: Turn, autosave: Autosave | None = None, *, save: bool) -> None:
        self.turn = turn
        self.name = names(turn.match.state)
        self.language = console.language()
        self.lists = Lists(self.language, turn.choices)
        self.is_waiting = False
        self._shown_interruptions = 0
        self._autosave = autosave
        self._is_saving = save
        self._is_saved = save and autosave is not None
        self._reopened_orders: list[Order] | None = None
        self._commands: dict[str, Callable[[], None]] = {
            **{word: partial(self._show_view, view) for word, view in VIEWS.items()},
            "m": partial(self._show_view, VIEWS["map"]),
            "undo": self._undo,
            "undo all": self._undo_all,
            "restart": self._undo_all,
            "redo": self._redo,
            "notes": self._edit_notes,
            "wait": self._wait,
            "help": self._help,
            "legal": lambda: say_menu(self.lists.last, in_full=True),
            **dict.fromkeys(QUIT_WORDS, _leave),
            **dict.fromkeys(BACK_WORDS, lambda: say_menu(self.lists.back())),
        }

    @cached_property
    def _prompt(self) -> Prompt:
        # The prompt is created at its first use, after the screen is printed.
        return prompt_for_terminal()

    @property
    def is_resumable(self) -> bool:
        """True if there are orders, and they are saved."""
        return self._is_saved and bool(self.turn.undo_stack)

    # --- steps

    def begin(self) -> None:
        """Print the first screen, and resume an unsigned turn."""
        with console.capture() as resumed_lines:
            if self._autosave is not None and self._autosave.saved is not None:
                result = self._autosave.resume()
                console.say()
                lines = guided_turn.resumed_turn_text(self._autosave.saved, result, self.name)
                console.say_lines(lines)
                self._say_hand()
        with console.capture() as choices:
            if not self.turn.is_complete:
                self.say_choices()
        # One row is for the prompt.
        say_first_screen(self.turn, console.rows() - len(resumed_lines) - len(choices) - 1)
        console.write_lines(resumed_lines)

    def ask_orders(self, *, wait: bool) -> None:
        """Ask for orders until the turn is complete, or the player waits for an answer."""
        self.is_waiting = wait
        self._shown_interruptions = 0
        orders_before = None
        # Lines that were pasted together are obeyed one by one, but none of them signs the turn.
        lines: list[str] = []
        while not self.turn.is_complete or (self.turn.may_follow_up and not self.is_waiting):
            if self._reopened_orders != self.turn.orders and self._has_only_its_end():
                # The effects of the end are shown with the whole turn.
                self.turn.order(End())
                self._save()
                continue
            if orders_before != self.turn.orders:
                orders_before = list(self.turn.orders)
                self.say_choices()
            try:
                if not lines:
                    typed = self._prompt.ask("> ", self._suggest).splitlines()
                    lines = [*filter(None, map(str.strip, typed))] or [""]
                self._obey(lines.pop(0))
            except NotPossibleError as error:
                lines.clear()
                say_why_not(self.turn, error)

    def say_choices(self) -> None:
        """Print the decision that is due, and the choices for it."""
        console.say()
        foresight = self.turn.foresight if self.turn.may_follow_up else None
        interruptions = foresight.interruptions if foresight else []
        if len(interruptions) > self._shown_interruptions:
            console.say(answer_hint(self.turn, interruptions[-1]), style="bold")
            console.say(guided_turn.FOLLOW_UP_HINT)
        self._shown_interruptions = len(interruptions)
        self.lists = Lists(self.language, self.turn.choices)
        hint = Message("Enter ends it.") if self.turn.is_turn_used_up else ""
        console.say(sentences(next_decision_text(self.turn), hint), style="bold")
        say_menu(self.lists.last)

    def confirm(self, path: Path, *, dry_run: bool) -> bool:
        """Show the whole turn, ask for confirmation, and return True if the player confirms it.

        The player can still change the notes.
        """
        console.heading("Your answer:")
        is_waiting = self.is_waiting and self.turn.may_follow_up
        console.say_lines(signature.turn_summary(self.turn, is_waiting=is_waiting))
        console.say_lines(notes_notice(self.turn.notes.text, self.turn.notes_to_send))
        question = Message("Sign it and write {file}?", file=strip_controls(str(path)))
        message = prompts.yes_no_prompt(Message("Is that right?") if dry_run else question)
        while True:
            reply = self._prompt.ask(message)
            words, yes = guided_turn.parse_words(self.language, reply), prompts.parse_yes(reply)
            if yes:
                return True
            if yes is False or any(word in BACK_WORDS for word in words):
                if is_waiting or self._reopen():
                    return False
                console.say(guided_turn.undo_hint(self.turn.orders[-1], self.name))
            elif "undo" in words:
                self._undo()
                return False
            elif matches := [word for word in words if word in (*VIEWS, "m", "notes", *QUIT_WORDS)]:
                self._commands[matches[0]]()
            elif lookup := guided_turn.parse_lookup(self.language, reply):
                show_page(self.turn, *lookup)
            else:
                console.say(guided_turn.agreement_hint(dry_run=dry_run))

    # --- typed lines

    def _obey(self, line: str) -> None:
        """Carry out a line that the player typed. Raises NotPossibleError."""
        words = guided_turn.parse_words(self.language, line)
        actions = {self._commands[word]: word for word in words if word in self._commands}
        if not line or (self.turn.is_turn_used_up and prompts.parse_yes(line)):
            self._enter()
        elif line.startswith("?"):
            text = line.removeprefix("?")
            menu = self.lists.list_orders(text) if text.strip() else self.lists.last
            if menu is None:
                console.say("No such order is legal now.")
            else:
                say_menu(menu, in_full=True)
        elif line.isdecimal():
            choice = self.lists.choose(int(line) if len(line) <= MAX_DIGITS else 10**MAX_DIGITS)
            if choice is None:
                limit = max(item.number for item in self.lists.last.items)
                console.say("Type a number from 1 to {number}, or an order.", number=limit)
            else:
                self._go_to(choice)
        elif len(actions) > 1:
            console.say(guided_turn.ambiguous_word_notice(line, actions.values()), style="yellow")
        elif actions:
            next(iter(actions))()
        elif lookup := guided_turn.parse_lookup(self.language, line):
            show_page(self.turn, *lookup)
        elif match := self.lists.understand(line):
            self._go_to(match)
        elif hint := guided_turn.mistyped_word_hint(self.language, line):
            console.say(hint, style="yellow")
        else:
            self._refuse(line)

    def _enter(self) -> None:
        """Handle an empty line: go back a list, end a turn that is used up, or print a hint."""
        if self.lists.is_inside:
            say_menu(self.lists.back())
        elif self.turn.is_turn_used_up:
            self._go_to(End())
        else:
            console.say(guided_turn.empty_line_hint(self.turn))

    def _suggest(self, text: str) -> list[Suggestion]:
        """Return the completions of a line: orders and command words."""
        words = (*self._commands, *guided_turn.LOOKUP_WORDS)
        matches = guided_turn.matching_words(self.language, text, words)
        if lookup := guided_turn.parse_lookup(self.language, text):
            return suggest_details(self.turn, *lookup)
        return [*self.lists.suggest(text), *(Suggestion(word, word) for word in matches)]

    def _refuse(self, text: str) -> None:
        """Print the reason why a text is not a legal order, and similar orders.

        The order is tried first, because `give_order` may make it legal by ending the turn: the
        choice of a siege's card follows then.
        """
        move_count = len(self.turn.moves)
        try:
            give_order(self.language, self.turn, text)
        except UsageError as error:
            decision = next_decision_text(self.turn) if isinstance(error, OutOfPlaceError) else ""
            console.say(sentences(error.message, decision), style="yellow")
            similar = self.lists.similar_orders(text)
            if similar.items:
                console.say("Did you mean:")
                for item in similar.items:
                    console.item(item.label)
                say_omitted_count(similar)
        else:
            self._save_and_report(move_count)

    def _go_to(self, choice: Menu | Order) -> None:
        """Show a list, or give a legal order, which can be undone."""
        if isinstance(choice, Menu):
            say_menu(choice)
            return
        result = None if isinstance(choice, End) else preview(self.turn, choice)
        move_count = len(self.turn.moves)
        self.turn.order(choice)
        self._save_and_report(move_count, result)

    # --- orders

    def _save_and_report(self, move_count: int, result: Preview | None = None) -> None:
        """Save the turn after an order, and print the order's effects."""
        self._save()
        say_result(self.turn, self.turn.orders[-1], self.turn.moves[move_count:], result)

    def _has_only_its_end(self) -> bool:
        turn = self.turn
        is_used_up = turn.is_turn_used_up and not turn.may_follow_up
        return is_used_up and turn.choices.kinds() == [End]

    def _reopen(self) -> bool:
        """Undo the last order if it is the end of the turn, and return True in this case.

        After that the turn does not end automatically until the orders change.
        """
        if not isinstance(self.turn.orders[-1], End):
            return False
        self.turn.undo()
        self._reopened_orders = list(self.turn.orders)
        self._save()
        return True

    def _undo(self) -> None:
        """Undo the last order, and the automatic end of the turn after it."""
        order = self.turn.undo()
        if isinstance(order, End) and self._has_only_its_end():
            order = self.turn.undo() or order
        message = Message("Taken back: {order}", order=order.text(self.name)) if order else None
        self._say_taken_back(message)

    def _undo_all(self) -> None:
        """Undo every order."""
        order = self.turn.undo()
        while self.turn.undo() is not None:
            pass
        self._say_taken_back(Message("All orders are taken back.") if order else None)

    def _say_taken_back(self, message: Message | None) -> None:
        self._reopened_orders = None
        if message is None:
            console.say("There is nothing to undo.")
            return
        console.say(message)
        self._save()
        self._say_hand()

    def _redo(self) -> None:
        """Give the last undone order again."""
        move_count = len(self.turn.moves)
        try:
            order = self.turn.redo()
        except IllegalOrderError as error:
            console.say(message_of(error), style="yellow")
            return
        if order is None:
            console.say("There is nothing to redo.")
        else:
            self._save_and_report(move_count)

    def _save(self) -> None:
        """Save the turn, and print a warning if this fails."""
        failure = self._autosave.save() if self._autosave and self._is_saving else None
        if failure is not None:
            self._is_saved = False
            console.warn(guided_turn.not_saved_notice(failure))

    # --- other command words

    def _show_view(self, view: Callable[[Turn], None]) -> None:
        with page_output(FROM_BEGINNING):
            view(self.turn)

    def _help(self) -> None:
        with page_output(FROM_BEGINNING):
            key = "" if console.is_plain() else MAP_KEY.upper()
            console.say_lines(guided_turn.help_text(self.turn, key))

    def _wait(self) -> None:
        if self.turn.may_follow_up:
            self.is_waiting = True
        else:
            console.say("There is no answer to wait for: give the rest of the turn now.")

    def _edit_notes(self) -> None:
        """Open the notes in an editor; if that fails, the notes and the turn stay unchanged."""
        try:
            notes = edit_notes(self.turn.notes_to_send)
        except UsageError as error:
            console.say(error.message, style="yellow")
            return
        if notes is None:
            console.say("Your notes stay as they are.")
        else:
            self.turn.new_notes = notes
            self._save()
            console.say("Your notes are changed, and go into the file with this turn.")

    def _say_hand(self) -> None:
        """Print the cards in hand, on one line."""
        hand = self.turn.view().players[self.turn.side].hand
        console.say("Your hand: {cards}", cards=card_list(hand, self.name))


def _leave() -> NoReturn:
    raise console.CancelledError


# --- effects of an order


def say_result(
    turn: Turn, order: Order, moves: Sequence[Move], result: Preview | None = None
) -> None:
    """Print the effects of an order, and the opponent's announced orders that follow it.

    `result` is the preview of the order. Without `moves` the order waits for an answer.
    """
    match, side, name = turn.match, turn.side, names(turn.match.state)
    if not moves:
        console.item("{order}: after the answer", style="green", order=order.text(name))
        if result and (effects := preview_text(turn, result, name)):
            console.item(sentences(*effects))
        return
    own_cards = HiddenCards(match, side, turn.secrets.secret)
    own_moves = [move for move in moves if move.side is side]
    texts: list[Phrase] = [*Reporter(match.state, side, [own_cards]).lines(own_moves)]
    if result and not isinstance(order, End):
        texts += consequences(turn, result)
    console.item(sentences(*texts), style="green")
    other_moves = [move for move in moves if move.side is not side]
    events = report(match, other_moves, side, records=[len(match.records)])
    console.say_lines(events.lines())


def say_why_not(turn: Turn, error: NotPossibleError) -> None:
    """Print that no order of a kind is legal, with the reasons."""
    first, *others = no_order_reasons(console.language(), turn, Prefix(error.kind))
    console.say(error.message if others else first.text, style="yellow")
    for line in (first, *others) if others else ():
        console.item(line.text, indent=2 + line.indent)
