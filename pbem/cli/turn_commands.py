"""`acres turn show`, `acres turn legal` and `acres turn apply`: reading and answering a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import NoPassphrase, command_of, has_identity, home_of, load_identity
from pbem.cli.memory import Memory, Replace
from pbem.cli.moment import now
from pbem.cli.output import check_writable
from pbem.cli.paths import quoted
from pbem.errors import Unreadable, WrongUse

if TYPE_CHECKING:
    from pbem.answer import Answer, Notes
    from pbem.game_file import GameFile
    from pbem.identity import Identity
    from pbem.seat import Seat

app = typer.Typer(
    name="turn",
    help="See where a game stands, what you can do, and answer.",
    rich_markup_mode=None,
)

MAX_ORDERS_SIZE = 64 * 1024

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file your opponent sent.")]


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())


@app.command()
def show(context: typer.Context, file: File) -> None:
    """Show the position as you may see it, and what happened last."""
    from pbem.answer import notes_of
    from pbem.cli.game_commands import game_line
    from pbem.cli.position import say_position
    from pbem.cli.report import awaited, player, say_last, say_whose_move

    game = _read(file)
    match = game.match
    console.say(game_line(match), style="bold")
    if not match.is_joined:
        console.say(f"An invitation by {console.clean(match.invite.name)}; nobody has joined yet.")
        console.say_whole(f"To take it up: acres join {quoted(file)}")
        return
    seat = _own_seat(context, game)
    viewer = seat.side if seat else None
    answer = _begun(game, seat)
    if answer is not None:
        match = answer.match
    sides = [player(match, side, viewer) for side in match.entrants]
    console.say(" against ".join(sides))
    if seat is None:
        console.say("You see what everybody may see: your key is not one of the players'.")
    console.heading("What happened last")
    say_last(match, viewer)
    console.heading("Now")
    if answer is None:
        say_whose_move(game.match, viewer)
    else:
        console.say(f"It is your move. {awaited(match.state, answer.seat.side)}", style="bold")
        console.say_whole(f"To answer: {command_of(context)} turn apply {quoted(file)}")
    state = answer.view() if answer else seat.view() if seat else match.state
    say_position(state, viewer)
    if seat is not None:
        _say_notes(answer.notes if answer else notes_of(game, seat))


@app.command()
def legal(
    context: typer.Context,
    file: File,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """List every order that you may give now."""
    from pbem.answer import Answer
    from pbem.cli.report import NOTHING_TO_DECIDE, awaited, plain_choices, say_choices

    game = _read(file)
    answer = Answer(game, load_identity(home_of(context)), now())
    state = answer.view()
    if json:
        from json import dumps

        facts = plain_choices(state)
        if answer.is_complete:
            facts |= {"side": answer.seat.side.value, "decision": "nothing", "orders": []}
        console.say_whole(dumps(facts, indent=2))
        return
    if answer.is_complete:
        console.say(NOTHING_TO_DECIDE)
        console.say_whole(f"To answer: {command_of(context)} turn apply {quoted(file)}")
        return
    console.say(awaited(state, answer.seat.side))
    say_choices(state)


@app.command()
def apply(
    context: typer.Context,
    file: File,
    order: Annotated[
        list[str] | None,
        typer.Argument(metavar="ORDER", help='What you do, such as "take Boston".'),
    ] = None,
    orders: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read the orders from a file, one a line; - for input."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would happen; write nothing.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file to write, which must not exist yet."),
    ] = None,
    note: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Private notes that travel sealed; replaces the old."),
    ] = None,
    replace: Replace = False,
) -> None:
    """Check a file, carry out your orders, write the file to send back.

    Without orders, at a terminal, they are asked for one by one.
    """
    from pbem.answer import Answer, checked_notes
    from pbem.cli.report import say_finished
    from pbem.files import next_name

    given = _given_orders(order, orders)
    checked_notes(note or "")
    if output and not dry_run:
        check_writable(output)
    game = _read(file)
    identity = load_identity(home_of(context))
    memory = Memory(home_of(context), identity, replace=replace, trial=dry_run)
    signed = memory.look_up(game.match.records)
    # Signing is deterministic: at the same time the same orders make the very same record.
    answer = Answer(game, identity, signed.time if signed else now())
    path = output or next_name(file, len(game.match.records))
    if not output and not dry_run:
        check_writable(path)
    _warn_of_damage(answer.notes)
    led = not given and not answer.is_complete and console.is_terminal()
    if not led:
        _give(answer, given)
    else:
        from pbem.cli.session import lead_through

        memory.allow_another()
        lead_through(answer, path, dry_run=dry_run)
    finished = answer.finish(note)
    is_again = signed is not None and finished.record.hash == signed.hash
    if signed and not is_again:
        memory.allow_another()
        answer = _given_again(answer, identity)
        finished = answer.finish(note)
    if not dry_run:
        memory.write(path, finished.data, finished.record, game=game.match.id)
    if is_again:
        console.say(f"You signed this answer before, {answer.time}.", style="bold")
    say_finished(answer, finished, path, written=not dry_run, told=led)


def _given_again(answer: Answer, identity: Identity) -> Answer:
    """The same orders in an answer of now."""
    from pbem.answer import Answer

    again = Answer(answer.game, identity, now())
    for order in answer.orders:
        again.order(order)
    return again


# --- reading


def _read(file: Path) -> GameFile:
    from pbem.files import read_file
    from pbem.game_file import GameFile

    return GameFile.read(read_file(file))


def _identity_if_any(context: typer.Context) -> Identity | None:
    home = home_of(context)
    if not has_identity(home):
        return None
    try:
        return load_identity(home)
    except NoPassphrase as error:
        console.warn(str(error))
        return None


def _own_seat(context: typer.Context, game: GameFile) -> Seat | None:
    """The seat of whoever runs the program, if it is one of the players."""
    from pbem.seat import Seat

    identity = _identity_if_any(context)
    keys = {entrant.key for entrant in game.match.entrants.values()}
    if identity is None or identity.public_key not in keys:
        return None
    return Seat(game.match, identity)


def _begun(game: GameFile, seat: Seat | None) -> Answer | None:
    """The answer of this player as far as nothing is to be decided; None if it is not due."""
    from pbem.answer import Answer

    if seat is None or not seat.is_to_write:
        return None
    return Answer(game, seat.identity, now())


def _say_notes(notes: Notes) -> None:
    _warn_of_damage(notes)
    if notes.text:
        console.heading("Your notes")
        for line in notes.text.splitlines():
            console.item(console.clean(line))


def _warn_of_damage(notes: Notes) -> None:
    if notes.damage:
        console.warn(notes.damage)


# --- orders


def _given_orders(arguments: list[str] | None, file: Path | None) -> list[str]:
    if arguments and file:
        raise WrongUse("Give the orders either one by one or with --orders, not both.")
    if file is None:
        return arguments or []
    from pbem.files import read_file

    try:
        if str(file) == "-":
            text = typer.get_text_stream("stdin").read(MAX_ORDERS_SIZE + 1)
        else:
            text = read_file(file, MAX_ORDERS_SIZE).decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{file} is not a text file with orders.") from None
    if len(text) > MAX_ORDERS_SIZE:
        raise Unreadable(f"{file} is too long for a file with orders.")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    found = [line for line in lines if line]
    if not found:
        raise WrongUse(f"There is no order in {file}.")
    return found


def _give(answer: Answer, texts: list[str]) -> None:
    """Carry out orders given in advance, all of them, and see that they are enough."""
    from engine.actions.action import IllegalOrder
    from engine.notation import UnreadableOrder
    from pbem.cli.report import awaited, choices

    for number, text in enumerate(texts, start=1):
        try:
            answer.order(answer.read(text))
        except (IllegalOrder, UnreadableOrder) as error:
            raise WrongUse(f"Order {number}, “{text}”: {error}") from None
    answer.end_turn()
    if not answer.is_complete:
        state = answer.view()
        verbs = ", ".join(choices(state))
        raise WrongUse(
            f"{'More orders are' if texts else 'An order is'} needed, so nothing was written. "
            f"{awaited(state, answer.seat.side)} You can: {verbs}. "
            "See acres turn legal FILE, or give no order at a terminal to be asked."
        )
