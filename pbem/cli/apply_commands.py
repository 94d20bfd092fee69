"""`acres turn apply` and `acres turn resign`: answering a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from engine.message import Message, mark
from pbem.cli import completion, console
from pbem.cli.asking import Asking, Newest, Replace
from pbem.cli.mail.at_once import (
    Mail,
    Send,
    check_can_send,
    draft_beside,
    say_how_to_send,
    send_at_once,
    write_draft,
)
from pbem.cli.notes import say_travelling, warn_of_damage
from pbem.cli.own_library import session_of
from pbem.cli.reading import File, answer_path, read_given, take, turn_command, who_answers
from pbem.errors import WrongUse
from pbem.mail.given import INPUT
from pbem.play.home import now
from pbem.words.history.waiting import borrowed_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.questions import Question
    from pbem.play.session import Turn

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would happen; write nothing.")
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The file to write, which must not exist yet."),
]
Note = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Private notes that travel sealed; replaces the old."),
]
EditNotes = Annotated[
    bool, typer.Option("--edit-notes", help="Go over your private notes in your editor.")
]


def apply(
    context: typer.Context,
    file: File,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ORDER]...",
            help='What you do, such as "take Boston".',
            autocompletion=completion.orders,
        ),
    ] = None,
    orders: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read the orders from a file, one a line; - for input."),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait",
            help="Do not end the turn where an answer comes first: go on with it after that.",
        ),
    ] = False,
    dry_run: DryRun = False,
    output: Output = None,
    note: Note = None,
    edit_notes: EditNotes = False,
    mail: Mail = False,
    send: Send = False,
    replace: Replace = False,
    newest: Newest = False,
) -> None:
    """Check a file, carry out your orders, write the file to send back.

    Without orders, at a terminal, they are asked for one by one. Orders after one that your
    opponent has to answer are carried out after the answer, whatever it is. Once the game is over,
    the file closes it.
    """
    from pbem.cli.orders import give_all, given_orders

    if str(file) == str(orders) == INPUT:
        raise WrongUse("Standard input is either FILE or the orders, and cannot be both.")
    given = given_orders(order, orders)
    if edit_notes and (note is not None or dry_run):
        raise WrongUse("--edit-notes goes neither with --note nor with --dry-run.")
    wanted = _Wanted(
        output, note, dry_run=dry_run, mail=mail, send=send, replace=replace, newest=newest
    )
    answering = _Answering(context, file, wanted)
    turn = answering.turn
    led = not given and not turn.is_complete and console.is_terminal()
    if led:
        from pbem.cli.leading.lead import lead_through

        answering.allow_another()
        if edit_notes:
            # First: an editor that fails must not cost the turn.
            answering.edit_notes()
        answering.note = lead_through(
            turn, answering.path, dry_run=dry_run, waits=wait, notes=answering.note
        )
    else:
        give_all(turn, given, waits=wait, listing=turn_command(context, "legal", file))
        if edit_notes:
            answering.edit_notes()
    answering.end(told=led, waits=wait)


def resign(
    context: typer.Context,
    file: File,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")] = False,
    dry_run: DryRun = False,
    output: Output = None,
    note: Note = None,
    mail: Mail = False,
    send: Send = False,
    replace: Replace = False,
    newest: Newest = False,
) -> None:
    """Give up the game, and close it: write the file that says so."""
    wanted = _Wanted(
        output, note, dry_run=dry_run, mail=mail, send=send, replace=replace, newest=newest
    )
    answering = _Answering(context, file, wanted, resigns=True)
    if not yes and not dry_run:
        if not console.is_terminal():
            raise WrongUse("To give the game up without being asked, say so with --yes.")
        answering.allow_another()
        question = Message("Give up the game? It ends with this, and your opponent wins.")
        hint = mark("{yes} gives the game up, {no} leaves it as it is.")
        if not console.ask_yes(question, hint):
            raise console.Cancelled
    answering.end()


class _Wanted(NamedTuple):
    """What is wanted of an answer beside its orders, as the options of the command say it."""

    output: Path | None
    note: str | None
    dry_run: bool
    mail: bool
    send: bool
    replace: bool
    newest: bool


class _Answering:
    """A file that is being answered: read and checked against what was signed before.

    Raises WrongUse, before anything is asked, where the file may not be answered, or there is no
    room for the answer.
    """

    def __init__(
        self, context: typer.Context, file: Path, wanted: _Wanted, *, resigns: bool = False
    ) -> None:
        from pbem.play.answer import checked_notes
        from pbem.play.memory import check_writable

        output, note, dry_run, mail, send, replace, newest = wanted
        checked_notes(note or "")
        self.sends = send and not dry_run
        if self.sends:
            check_can_send(context)
        if output and not (dry_run or replace or mail):
            check_writable(output)
        given = take(context, file)
        game = read_given(context, given)
        session = session_of(context, who_answers(context, game, file))
        if resigns and game.match.is_over and game.match.next_side is not None:
            close = turn_command(context, "apply", file)
            raise WrongUse("The game is over already. To close it: {command}", command=close)
        self.context, self.note, self.wanted = context, note, wanted
        memory = session.memory(game.match.records)
        self.asking = Asking(
            context, session, memory, replace=replace, newest=newest, is_trial=dry_run
        )
        self.asking.settle_first(memory.questions(another=memory.signed is None))
        self.turn: Turn = session.answer(game, memory, resigns=resigns)
        self._settle(self.turn.questions(another=memory.signed is None))
        self.path = output or answer_path(context, given, game, len(game.match.records))
        self.draft = draft_beside(self.path) if mail and not dry_run else None
        if not dry_run:
            if self.draft:
                self.draft.check_free(game.match.id, len(game.match.records))
            memory.check_room(self.path, replaces=replace, may_be_there=self.draft is not None)
        warn_of_damage(self.turn.notes)

    def allow_another(self) -> None:
        """Raise WrongUse or Cancelled unless another answer may be signed than was before."""
        self._settle(self.turn.questions(another=True))

    def _settle(self, questions: Sequence[Question]) -> None:
        from pbem.play.questions import NewKey

        # That is shown once it is sure what is signed.
        self.asking.settle([q for q in questions if not isinstance(q, NewKey)])

    def edit_notes(self) -> None:
        """Let the player edit the notes of the file; raises WrongUse where that fails."""
        # Imported here because it takes a while, and most turns do without.
        from pbem.cli import editor

        if self.turn.is_complete:
            # An answer that is refused is so before anything is typed.
            self._settle(self.turn.questions())
        self.note = editor.edit_notes(self.turn.notes.text)

    def end(self, *, told: bool = False, waits: bool = False) -> None:
        """Sign the answer, say what it does, and write it.

        `told` says that the player has just seen what it does; `waits` is as for `say_report`.
        """
        from pbem.cli.prospect import say_next, say_report, say_written
        from pbem.words.dates import moment

        turn, dry_run = self.turn, self.wanted.dry_run
        turn.check(self.note)
        if turn.is_again and turn.signed:
            before = moment(turn.memory.when_signed(turn.signed))
            console.say(Message("You signed this answer before, on {date}.", date=before), "bold")
        # Once more: the turn may have come to a shuffle.
        self._settle(turn.questions())
        if not told:
            say_report(turn, waits=waits)
            old = turn.notes.text
            say_travelling(old, old if self.note is None else self.note)
        if dry_run:
            console.say(Message("A trial only: nothing was written."), style="bold")
            return
        self.asking.settle(turn.questions())
        # Nothing is signed for good that nobody could read.
        console.flush()
        replaces, may_be_there = self.wanted.replace, self.draft is not None
        written = self.asking.signed(
            lambda: turn.sign(
                self.path, notes=self.note, replaces=replaces, may_be_there=may_be_there
            )
        )
        say_written(self.path)
        if sentence := borrowed_told(written.match, now()):
            console.say(sentence)
        if self.draft:
            write_draft(self.context, self.draft, self.path, written.match, written.data)
        if self.sends:
            send_at_once(self.context, self.path)
        elif not self.draft:
            say_next(written.match, turn.seat.side)
            say_how_to_send(self.context, self.path)
