"""`acres turn apply` and `acres turn resign`: answering a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, mark
from engine.value import Value
from pbem.cli import answers, completion, console
from pbem.cli.asking import OPTIONS, Asking, Newest, Replace, beforehand, session_of
from pbem.cli.editor import edit_notes
from pbem.cli.file_argument import (
    File,
    read_given,
    read_text,
    take,
    turn_command,
    who_answers,
)
from pbem.cli.mail.at_once import Posting
from pbem.cli.mail.options import Mail, Picture, Send
from pbem.cli.newest_file import file_and_words, file_meant
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.mail.given import INPUT
from pbem.play.answer import checked_notes
from pbem.play.clerk import Answering, OverAlready
from pbem.play.home import now
from pbem.play.memory import Written, check_writable
from pbem.play.questions import Beforehand
from pbem.words.dates import moment
from pbem.words.history.standing import borrowed_told
from pbem.words.notes import travelling
from pbem.words.ordering.giving import give_all
from pbem.words.phrases import address
from pbem.words.proof import prospect

MAX_ORDERS = 64 * 1024
"""The longest file with orders, in bytes."""

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
    file: File = None,
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
    picture: Picture = False,
    replace: Replace = False,
    newest: Newest = False,
) -> None:
    """Check a file, carry out your orders, write the file to send back.

    Without orders, at a terminal, they are asked for one by one. Orders after one that your
    opponent has to answer are carried out after the answer, whatever it is. Once the game is over,
    the file closes it.
    """
    if str(file) == str(orders) == INPUT:
        raise WrongUse("Standard input is either FILE or the orders, and cannot be both.")
    file, typed = file_and_words(context, file, order or [])
    given = _orders(typed, orders)
    if edit_notes and (note is not None or dry_run):
        raise WrongUse("--edit-notes goes neither with --note nor with --dry-run.")
    how = _How(output, note, dry_run, mail, send, picture, replace, newest)
    answering = _Command(context, file, how)
    turn = answering.turn
    led = not given and not turn.is_complete and console.is_terminal()
    if led:
        from pbem.cli.leading.lead import lead_through

        answering.allow_another()
        if edit_notes:
            # First: an editor that fails must not cost the turn.
            answering.edit_notes()
        clerk = answering.clerk
        clerk.notes = lead_through(turn, clerk.path, dry_run=dry_run, waits=wait, notes=clerk.notes)
    else:
        listing = turn_command(context, "legal", file)
        waiting = OPTIONS[Beforehand.WAIT]
        give_all(console.language(), turn, given, waits=wait, waiting=waiting, listing=listing)
        if edit_notes:
            answering.edit_notes()
    answering.end(told=led, waits=wait)


def _orders(typed: list[str], file: Path | None) -> list[str]:
    """The orders as they were typed, from the command line or from a file ("-" for input)."""
    if typed and file:
        raise WrongUse("Give the orders either one by one or with --orders, not both.")
    if file is None:
        return typed
    no_text = mark("{file} is not a text file with orders.")
    text = read_text(file, MAX_ORDERS, no_text, mark("{file} is too long for a file with orders."))
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    found = [line for line in lines if line]
    if not found:
        raise WrongUse("There is no order in {file}.", file=file)
    return found


def resign(
    context: typer.Context,
    file: File = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")] = False,
    dry_run: DryRun = False,
    output: Output = None,
    note: Note = None,
    mail: Mail = False,
    send: Send = False,
    picture: Picture = False,
    replace: Replace = False,
    newest: Newest = False,
) -> None:
    """Give up the game, and close it: write the file that says so."""
    how = _How(output, note, dry_run, mail, send, picture, replace, newest)
    answering = _Command(context, file_meant(context, file), how, resigns=True)
    if not yes and not dry_run:
        if not console.is_terminal():
            raise WrongUse("To give the game up without being asked, say so with --yes.")
        answering.allow_another()
        question = Message("Give up the game? It ends with this, and your opponent wins.")
        hint = mark("{yes} gives the game up, {no} leaves it as it is.")
        if not answers.ask_yes(question, hint):
            raise console.Cancelled
    answering.end()


class _How(Value):
    """How a file is answered, by the options that every answer has."""

    output: Path | None
    note: str | None
    dry_run: bool
    mail: bool
    send: bool
    picture: bool
    replace: bool
    newest: bool


class _Command:
    """A command that answers a file: it asks and prints what the clerk puts to the player.

    Raises WrongUse, before anything is asked, where the file may not be answered, or there is no
    room for the answer.
    """

    def __init__(
        self,
        context: typer.Context,
        file: Path,
        how: _How,
        *,
        resigns: bool = False,
    ) -> None:
        output, dry_run, replace = how.output, how.dry_run, how.replace
        checked_notes(how.note or "")
        mail, send, picture = (each and not dry_run for each in (how.mail, how.send, how.picture))
        self.posting = Posting(context, mail=mail, send=send, picture=picture)
        if output and not (dry_run or replace or how.mail):
            check_writable(output)
        given = take(context, file)
        game = read_given(context, given)
        session = session_of(context, who_answers(context, game, file))
        beside, index = given.path if given.is_file else None, len(game.match.records)
        try:
            self.clerk = Answering(
                session,
                game,
                resigns=resigns,
                path=output or session.library.answer_path(game.match, index, beside, given.name),
                enclosure=self.posting,
                beforehand=beforehand(replace=replace, newest=how.newest),
                is_trial=dry_run,
                is_attended=console.is_terminal(),
            )
        except OverAlready:
            close = turn_command(context, "apply", file)
            raise WrongUse(
                "The game is over already. To close it: {command}", command=close
            ) from None
        self.clerk.notes = how.note
        self.asking = Asking(context, session.library, self.clerk)
        self.turn = self.asking.settled(self.clerk.begin)
        if self.turn.notes.damage:
            console.warn(self.turn.notes.damage)

    def allow_another(self) -> None:
        """Raise WrongUse or Cancelled unless another answer may be signed than was before."""
        self.asking.settled(self.clerk.allow_another)

    def edit_notes(self) -> None:
        """Let the player edit the notes of the file; raises WrongUse where that fails."""
        # An answer that is refused is so before anything is typed.
        self.asking.settled(self.clerk.allow)
        self.clerk.notes = edit_notes(self.turn.notes.text)

    def end(self, *, told: bool = False, waits: bool = False) -> None:
        """Sign the answer, say what it does, and write it.

        `told` says that the player has just seen what it does; `waits` is as for `prospect.told`.
        """
        turn, clerk = self.turn, self.clerk
        self.asking.settled(clerk.check)
        if turn.is_again and turn.signed:
            before = moment(turn.memory.when_signed(turn.signed))
            console.say(Message("You signed this answer before, on {date}.", date=before), "bold")
        if not told:
            console.say(prospect.heading(turn), style="bold")
            console.say_lines(prospect.told(turn, waits=waits))
            old = turn.notes.text
            new = old if clerk.notes is None else clerk.notes
            console.say_lines(travelling(old, new))
        if clerk.is_trial:
            console.say(Message("A trial only: nothing was written."), style="bold")
            return
        written = self.asking.signed(self._sign)
        console.say(Message("Written:"))
        console.say_whole(f"  {shown(written.path)}")
        if sentence := borrowed_told(written.match, now()):
            console.say(sentence)
        other = address(written.match, turn.seat.side.opponent)
        self.posting.follow(written, Message("Next: send it to {address}.", address=other))

    def _sign(self) -> Written:
        # Nothing is signed for good that nobody could read.
        console.flush()
        return self.clerk.sign()
