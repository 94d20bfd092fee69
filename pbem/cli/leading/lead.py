"""The course of a turn at the terminal: from what happened last to the yes that signs it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.naming import normal
from engine.notation import UnreadableOrder, read, verb_alone
from engine.orders import ORDERS, End
from engine.ways import Begun, Ways
from pbem.answer import Answer
from pbem.cli import console
from pbem.cli.leading import words
from pbem.cli.leading.lists import say_menu
from pbem.cli.leading.menu import Menu, found_menu, main_menu, menu_of
from pbem.cli.leading.preview import preview
from pbem.cli.leading.prompt import Prompt, prompt_for_terminal
from pbem.cli.leading.suggest import (
    Suggestion,
    begun_by,
    begun_with,
    part_suggestions,
    suggestions,
)
from pbem.cli.notes import say_notes, say_travelling
from pbem.cli.position import say_hand, say_position
from pbem.cli.prospect import say_answer
from pbem.cli.refusal import NotNow, give_order, to_decide
from pbem.cli.report import (
    listed,
    names,
    say_announced,
    say_deeds,
    say_dropped,
    say_last,
)
from pbem.cli.telling import Teller
from pbem.errors import WrongUse
from pbem.hand import Cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.orders import Order
    from pbem.table import Deed

COMMANDS = ("show", "hand", "undo", "undo all", "notes", "wait", "help", "quit")
BACK = ("n", "no", "back")
YES = ("y", "yes")
MOST_MEANT = 5


def lead_through(
    answer: Answer, path: Path, *, dry_run: bool, waits: bool = False, notes: str | None = None
) -> str | None:
    """Ask for orders until nothing is left to decide and the player agrees with the whole.

    With `waits` no order is asked for that has to wait for the other player's answer. `notes` are
    those that are to be written, None for those of the file; returned are those that the player
    made of them. Raises Cancelled if the player gives up; nothing has been written then.
    """
    lead = _Lead(answer, prompt_for_terminal(), notes)
    lead.begin()
    while True:
        lead.ask_orders(waits=waits)
        if lead.is_agreed(path, dry_run=dry_run):
            return lead.notes
        lead.undo()


class _Lead:
    """A turn that is being led through.

    `ways` are the legal orders now; of the lists of them, one inside the other, the last is what
    numbers mean.
    """

    def __init__(self, answer: Answer, prompt: Prompt, notes: str | None) -> None:
        self.answer = answer
        self.prompt = prompt
        self.notes = notes
        self.side = answer.seat.side
        self.name = names(answer.match.state)
        self.ways = Ways(answer.worlds)
        self._listed: list[Menu] = []
        self.is_waiting = False
        self._told = 0

    # --- the course

    def begin(self) -> None:
        """Print what happened last, the notes and the hand."""
        console.say("What happened last:", style="bold")
        say_last(self.answer.match, self.side, self._own_cards())
        say_announced(self.answer.match, self.side)
        say_notes(self.answer.notes)
        self._say_hand()
        console.say()
        console.say(words.INTRODUCTION)

    def ask_orders(self, *, waits: bool) -> None:
        """Ask for orders until nothing is left to decide, or the player waits for an answer."""
        self.is_waiting = waits
        self._told = 0
        orders_before = None
        while self._is_asking():
            if orders_before != self.answer.orders:
                orders_before = list(self.answer.orders)
                self._say_interruption()
                self._list_all()
            self._obey(self._ask())

    def is_agreed(self, path: Path, *, dry_run: bool) -> bool:
        """Show the whole answer and ask whether it is right; the notes can still be changed."""
        console.heading("Your answer:")
        say_answer(self.answer, waits=self.is_waiting and self.answer.may_follow_up)
        say_travelling(self.answer.notes.text, self._notes_to_write())
        question, yes = f"Sign it and write {path}?", "y signs it"
        if dry_run:
            question, yes = "Is that right?", "y ends the trial"
        message = f"{question} [y/n] "
        if len(message) >= console.width():
            console.say_whole(question)
            message = "[y/n] "
        while True:
            typed = self.prompt.ask(message).strip().casefold()
            if typed in YES:
                return True
            if typed in (*BACK, "undo"):
                return False
            if typed == "notes":
                self._edit_notes()
            elif typed == "quit":
                raise console.Cancelled
            else:
                console.say(f"{yes}, n goes back to your orders. The word notes edits your notes.")

    def undo(self, *, everything: bool = False) -> None:
        """Take back the last order, or every one."""
        taken = self.answer.undo()
        if taken is None:
            console.say("There is nothing to take back.")
            return
        if everything:
            while self.answer.undo() is not None:
                pass
            console.say("Every order is taken back.")
        else:
            console.say(f"Taken back: {taken.text(self.name)}")
        hand = self.answer.view().players[self.side].hand
        console.say(f"Your hand: {listed(hand, self.name)}")

    def _is_asking(self) -> bool:
        return not self.answer.is_complete or (self.answer.may_follow_up and not self.is_waiting)

    def _say_interruption(self) -> None:
        """Print what has to be answered before the turn goes on, once."""
        if not self.answer.may_follow_up or self.answer.foresight is None:
            self._told = 0
            return
        interruptions = self.answer.foresight.interruptions
        if len(interruptions) > self._told:
            console.say(words.interruption_told(self.answer, interruptions[-1]), style="bold")
            console.say("Go on with what is to be done after that, whatever the answer, or wait.")
        self._told = len(interruptions)

    # --- what is typed

    def _ask(self) -> str:
        return self.prompt.ask("> ", self._suggest).strip()

    def _suggest(self, text: str) -> list[Suggestion]:
        """What a line can become: a place or card that the list asks for, or any order."""
        begun = self._listed[-1].begun
        parts = part_suggestions(self.ways, begun, text) if begun else []
        return [*parts, *suggestions(self.ways, text, COMMANDS)]

    def _obey(self, line: str) -> None:
        """Carry out one line that the player typed."""
        typed = normal(line)
        if not line:
            self._enter()
        elif line.startswith("?") or typed == "legal":
            self._find(line[1:] if line.startswith("?") else "")
        elif line.isdecimal():
            self._choose(int(line))
        elif typed in self._commands():
            self._commands()[typed]()
        else:
            self._understand(line)

    def _commands(self) -> dict[str, Callable[[], None]]:
        """What the words do that are no orders."""
        undo_all = partial(self.undo, everything=True)
        return {
            "help": self._say_help,
            "show": self._show,
            "hand": self._say_hand,
            "undo": self.undo,
            "undo all": undo_all,
            "restart": undo_all,
            "notes": self._edit_notes,
            "wait": self._wait,
            **dict.fromkeys(BACK, self._back),
            **dict.fromkeys(("quit", "exit"), _quit),
        }

    def _enter(self) -> None:
        """Do what Enter alone does: go back to the list before, or end a turn that is used up."""
        if len(self._listed) > 1:
            self._back()
        elif self.answer.is_turn_used_up:
            self._give(End())
        else:
            console.say(words.nothing_given(self.answer))

    def _understand(self, text: str) -> None:
        """Take a text for a verb, a place or card that was asked for, or an order."""
        verb, begun = verb_alone(text), self._listed[-1].begun
        if verb:
            self._open_verb(verb)
            return
        chosen = begun_with(self.ways, begun, text) if begun else None
        order = None if chosen else self._read(text)
        chosen = chosen or (None if order else begun_by(self.ways, text))
        if order:
            self._offer(order)
        elif chosen:
            self._open(chosen)
        else:
            self._refuse(text)

    def _read(self, text: str) -> Order | None:
        """The legal order that a text means, if it means one."""
        try:
            order = read(text, *self.ways.worlds)
        except UnreadableOrder:
            return None
        return order if self.ways.is_legal(order) else None

    def _refuse(self, text: str) -> None:
        """Say why a text cannot be ordered, and what it could be the beginning of.

        The choice of the card that a siege costs may end the turn first, and is no refusal.
        """
        before = len(self.answer.deeds)
        try:
            give_order(self.answer, text)
        except WrongUse as error:
            now = f" {to_decide(self.answer)}" if isinstance(error, NotNow) else ""
            console.say(f"{error}{now}", style="yellow")
            near = found_menu(self.ways, text, most=MOST_MEANT)
            if near.lines:
                console.say("You could mean:")
                self._list(near)
        else:
            self._say_given(self.answer.orders[-1], self.answer.deeds[before:])

    # --- choosing

    def _list_all(self) -> None:
        """Print what is to be decided, and everything that can be done."""
        self.ways = Ways(self.answer.worlds)
        self._listed = []
        console.say(to_decide(self.answer), style="bold")
        self._list(main_menu(self.ways))

    def _list(self, menu: Menu) -> None:
        """Print what can be chosen, and take it for what numbers mean from now on.

        Behind it stand the list of everything, and those that have led to it.
        """

        def led_here(other: Menu) -> bool:
            if other.begun is None or menu.begun is None or other.begun == menu.begun:
                return False
            return other.begun.begins(menu.begun)

        self._listed = [*self._listed[:1], *filter(led_here, self._listed[1:]), menu]
        say_menu(menu, self.ways, self.name)

    def _back(self) -> None:
        if len(self._listed) > 1:
            self._listed.pop()
        say_menu(self._listed[-1], self.ways, self.name)

    def _find(self, wanted: str) -> None:
        """List what has these words; without any, what was listed last."""
        if not wanted.strip():
            say_menu(self._listed[-1], self.ways, self.name)
            return
        found = found_menu(self.ways, wanted)
        if found.lines:
            self._list(found)
        else:
            console.say("No such order is legal now.")

    def _choose(self, number: int) -> None:
        menu = self._listed[-1]
        line = menu.numbered(number)
        if line is None:
            console.say(f"Type a number from 1 to {len(menu.lines)}, or an order.")
        elif line.order is not None:
            self._offer(line.order)
        else:
            self._open(line.begun)

    def _open_verb(self, verb: str) -> None:
        kind = next(kind for kind in ORDERS.values() if kind.words() == verb)
        if kind in self.ways.kinds():
            self._open(Begun(kind))
        else:
            console.say(f"No “{verb}” is possible now.", style="yellow")

    def _open(self, begun: Begun) -> None:
        """List how an order goes on, or offer it where there is only one."""
        menu = menu_of(self.ways, begun)
        only = menu.lines[0].order if len(menu.lines) == 1 else None
        if only is not None:
            self._offer(only)
        else:
            self._list(menu)

    # --- giving

    def _offer(self, order: Order) -> None:
        """Show what an order costs and does, and give it if the player agrees."""
        if isinstance(order, End):
            # What the turn does is shown before it is signed.
            self._give(order)
            return
        seen = preview(self.answer, self.ways, order)
        console.say(order.text(self.name), style="bold")
        sentences = words.told(self.answer, seen, self.name)
        if sentences:
            console.item(" ".join(sentences))
        typed = self.prompt.ask(words.CONFIRM, self._suggest).strip()
        if typed.casefold() in ("", *YES):
            self._give(order)
        elif typed == "?":
            console.say(words.CONFIRM_HINT)
        elif typed.casefold() in BACK:
            say_menu(self._listed[-1], self.ways, self.name)
        else:
            self._obey(typed)

    def _give(self, order: Order) -> None:
        before = len(self.answer.deeds)
        self.answer.order(order)
        self._say_given(order, self.answer.deeds[before:])

    def _say_given(self, order: Order, deeds: list[Deed]) -> None:
        """Print what came of an order, and what the other player had announced to follow it."""
        match = self.answer.match
        if not deeds:
            console.item(f"{order.text(self.name)}: after the answer", style="green")
            return
        own = [deed for deed in deeds if deed.side is self.side]
        for line in Teller(match.state, self.side, [self._own_cards()]).lines(own):
            console.item(line, style="green")
        announced = [deed for deed in deeds if deed.side is not self.side]
        if announced:
            say_deeds(match, announced, self.side)
        say_dropped(match, {len(match.records)}, self.side)

    # --- the other words

    def _show(self) -> None:
        say_position(self.answer.view(), self.side, self.answer.cards_ahead)

    def _say_hand(self) -> None:
        say_hand(self.answer.view(), self.side, self.answer.cards_ahead)

    def _say_help(self) -> None:
        console.say(words.HELP_BEGINS)
        for word, meaning in words.HELP:
            console.say_hanging(f"  {word:<7}", meaning)

    def _wait(self) -> None:
        if self.answer.may_follow_up:
            self.is_waiting = True
        else:
            console.say(words.NO_ANSWER)

    def _edit_notes(self) -> None:
        """Let the player edit the notes; where that fails, they and the turn stay as they are."""
        from pbem.cli.editor import edit_notes

        try:
            edited = edit_notes(self._notes_to_write())
        except WrongUse as error:
            console.say(str(error), style="yellow")
            return
        if edited is None:
            console.say("Your notes stay as they are.")
        else:
            self.notes = edited
            console.say("Your notes are changed, and go into the file with this turn.")

    def _notes_to_write(self) -> str:
        return self.answer.notes.text if self.notes is None else self.notes

    def _own_cards(self) -> Cards:
        return Cards(self.answer.match, self.side, self.answer.seat.secret)


def _quit() -> None:
    raise console.Cancelled
