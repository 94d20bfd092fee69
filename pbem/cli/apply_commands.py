"""The commands `acres turn apply` and `acres turn resign`, which answer a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from engine.message import mark, with_label
from pbem.cli import completion, console, options, prompts
from pbem.cli.app import current_app
from pbem.cli.consent import OPTIONS, AnswerCommand, OutputOptions
from pbem.cli.file_argument import File, read_text, resolve_file, resolve_words, turn_command
from pbem.cli.options import argument, flag, option
from pbem.errors import UsageError
from pbem.foreign import display_path
from pbem.play.incoming import STANDARD_INPUT, names_file
from pbem.play.signing import PriorConsent
from pbem.text.ordering.submit import check_enough, give_orders
from pbem.text.proof.signature import RESIGNATION

MAX_ORDERS = 64 * 1024
"""The maximum size of a file of orders, in bytes."""


Wait = Annotated[
    bool,
    flag("--wait", "Where an answer has to come first, leave the rest of the turn for after it."),
]
Orders = Annotated[
    list[str] | None,
    argument("[ORDER]...", 'What you do, such as "take Boston".', completion.orders),
]
OrdersFile = Annotated[
    Path | None, option("FILE", "Read the orders from a file, one a line; - for input.")
]


def apply(
    file: File = None,
    order: Orders = None,
    orders: OrdersFile = None,
    wait: Wait = False,
    dry_run: options.DryRun = False,
    output: options.Output = None,
    note: options.Note = None,
    edit_notes: options.EditNotes = False,
    mail: options.Mail = False,
    send: options.Send = False,
    picture: options.Picture = False,
    word: options.Word = "",
    armor: options.Armor = False,
    replace: options.Replace = False,
    newest: options.Newest = False,
) -> None:
    """Check a file, carry out your orders, write the file to send back.

    Without orders, at a terminal, they are asked for one by one. Orders after one that your
    opponent has to answer are carried out after the answer, whatever it is. Once the game is over,
    the file closes it.

    $ acres turn apply game.toml  # leads you through your turn
    $ acres turn apply game.toml "take Boston" pass  # a turn by hand [translated]
    $ acres turn apply game.toml pass pass --dry-run  # only to see what happens [translated]
    """
    if str(file) == str(orders) == STANDARD_INPUT:
        raise UsageError("Standard input can be either FILE or the orders, not both.")
    file_argument = file
    file, words = resolve_words(file_argument, order or [])
    texts = _orders(words, orders)
    if edit_notes and (note is not None or dry_run):
        raise UsageError("--edit-notes cannot be combined with --note or --dry-run.")
    delivery = OutputOptions(
        output, mail, send, picture, word, armor, replace, newest, note, dry_run
    )
    command = AnswerCommand(file, delivery)
    turn = command.turn
    is_guided = not texts and not turn.is_complete and console.is_terminal()
    if is_guided:
        from pbem.cli.guided.turn import guide_turn

        command.allow(command.turn, is_different=True)
        if edit_notes:
            # The notes precede the orders, so that an editor that fails loses none.
            command.edit_notes()
        guide_turn(turn, command.path, command.autosave, dry_run=dry_run, wait=wait)
    else:
        if file != file_argument:
            console.say(with_label(command.game, display_path(file)))
        listing = turn_command("legal", file)
        waiting = OPTIONS[PriorConsent.WAIT]
        give_orders(console.language(), turn, texts, waiting)
        if not wait:
            turn.end_turn()
        check_enough(
            turn, has_orders=bool(texts), is_waiting=wait, wait_flag=waiting, list_command=listing
        )
        if edit_notes:
            command.edit_notes()
    command.end(already_shown=is_guided, wait=wait)


def _orders(words: list[str], file: Path | None) -> list[str]:
    """Return the texts of the orders, from the command line or from a file ("-" for input)."""
    if words and file:
        raise UsageError("Give the orders either one by one or with --orders, not both.")
    if file is None:
        return words
    no_text = mark("{file} is not a text file of orders.")
    text = read_text(file, MAX_ORDERS, no_text, mark("{file} is too long to be a file of orders."))
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    orders = [line for line in lines if line]
    if not orders:
        raise UsageError("There is no order in {file}.", file=file)
    return orders


def resign(
    file: File = None,
    yes: options.Yes = False,
    dry_run: options.DryRun = False,
    output: options.Output = None,
    note: options.Note = None,
    mail: options.Mail = False,
    send: options.Send = False,
    picture: options.Picture = False,
    word: options.Word = "",
    armor: options.Armor = False,
    replace: options.Replace = False,
    newest: options.Newest = False,
) -> None:
    """Give up the game, and close it: write the file that says so.

    $ acres turn resign game.toml  # asks whether you are sure
    """
    if yes and (file is None or not names_file(str(file))):
        raise UsageError(
            "To give a game up without being asked, name its file: {command} FILE --yes",
            command=current_app().subcommand,
        )
    delivery = OutputOptions(
        output, mail, send, picture, word, armor, replace, newest, note, dry_run
    )
    answering = AnswerCommand(resolve_file(file), delivery, resign=True)
    if not yes and not dry_run:
        if not console.is_terminal():
            raise UsageError("To give the game up without being asked, add --yes.")
        answering.allow(answering.turn, is_different=True)
        if not prompts.ask_yes(with_label(answering.game, RESIGNATION.question), RESIGNATION.hint):
            raise console.CancelledError
    answering.end()
