"""`acres turn show` and `acres turn legal`: where a game stands, and what can be done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import command_of, home_of, load_identity
from pbem.cli.moment import now
from pbem.cli.paths import quoted
from pbem.cli.reading import File, begun, own_seat, read_game, say_notes

if TYPE_CHECKING:
    from engine.sides import Side
    from engine.state import State
    from pbem.answer import Answer
    from pbem.game_file import GameFile
    from pbem.match import Match


def show(
    context: typer.Context,
    file: File,
    at: Annotated[
        int | None,
        typer.Option(metavar="N", help="Look back: the position after record N, 0 the first."),
    ] = None,
) -> None:
    """Show the position as you may see it, and what happened last.

    Your own hand is shown, and that of a player who has closed the game.
    """
    from pbem.cli.game_commands import game_line

    game = read_game(file)
    if at is not None:
        _show_at(context, game, at)
        return
    console.say(game_line(game.match), style="bold")
    if game.match.is_joined:
        _show_now(context, file, game)
        return
    _say_invitation(game.match)
    console.say_whole(f"To take it up: acres join {quoted(file)}")


def legal(
    context: typer.Context,
    file: File,
    order: Annotated[
        list[str] | None,
        typer.Argument(metavar="ORDER", help="Orders given before; list what can follow them."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """List every order that you may give now."""
    from pbem.answer import Answer
    from pbem.cli.choices import awaited, plain_choices, say_choices
    from pbem.cli.orders import give

    game = read_game(file)
    answer = Answer(game, load_identity(home_of(context)), now())
    give(answer, order or [])
    is_complete = answer.is_complete and not answer.may_follow_up
    command = f"{command_of(context)} turn apply {quoted(file)}"
    if json:
        from json import dumps

        facts = plain_choices(answer.worlds)
        if is_complete:
            facts |= {"side": answer.seat.side.value, "decision": "nothing", "orders": []}
        console.say_whole(dumps(facts, indent=2))
        return
    if game.match.is_over:
        _say_move(answer, command)
    elif is_complete and order:
        console.say("Nothing can follow that in this file.")
    elif is_complete:
        console.say(awaited(answer.match.state, answer.seat.side))
        console.say_whole(f"To answer: {command}")
    else:
        console.say(awaited(answer.view(), answer.seat.side))
        say_choices(answer.worlds)


# --- where the game stands


def _say_invitation(match: Match) -> None:
    from pbem.cli.game_commands import say_rules

    console.say(f"An invitation by {console.clean(match.invite.name)}; nobody has joined yet.")
    say_rules(match.invite)


def _show_now(context: typer.Context, file: Path, game: GameFile) -> None:
    """Print the position as whoever runs the program may see it, and what is to be done."""
    from pbem.answer import notes_of
    from pbem.cli.position import say_position
    from pbem.cli.report import say_announced, say_last

    seat = own_seat(context, game)
    viewer = seat.side if seat else None
    answer = begun(game, seat)
    match = answer.match if answer else game.match
    _say_players(match, viewer)
    console.heading("What happened last")
    say_last(match, viewer)
    say_announced(match, viewer)
    console.heading("Now")
    if answer is None:
        _say_waiting(game.match, viewer)
    else:
        _say_move(answer, f"{command_of(context)} turn apply {quoted(file)}")
    state = answer.view() if answer else seat.view() if seat else match.state.copy()
    open_sides = _open_hands(match, state, viewer)
    ahead = answer.cards_ahead if answer else seat.cards_ahead() if seat else []
    say_position(state, viewer, ahead, open_sides)
    if seat is not None:
        say_notes(answer.notes if answer else notes_of(game, seat))


def _say_players(match: Match, viewer: Side | None) -> None:
    from pbem.cli.report import player

    console.say(" against ".join(player(match, side, viewer) for side in match.entrants))
    if viewer is None:
        console.say("You see what everybody may see: your key is not one of the players'.")


def _say_move(answer: Answer, command: str) -> None:
    """Print what the player has to decide, and the command for it."""
    from pbem.cli.choices import awaited
    from pbem.game_file import whose_move

    if answer.game.match.is_over:
        console.say(console.clean(whose_move(answer.game.match)), style="bold")
        console.say_whole(f"To close the game: {command}")
        return
    console.say(f"It is your move. {awaited(answer.match.state, answer.seat.side)}", style="bold")
    console.say_whole(f"To answer: {command}")


def _say_waiting(match: Match, viewer: Side | None) -> None:
    """Print whom the game waits for, and what that silence may mean."""
    from pbem.cli.report import say_whose_move
    from pbem.cli.waiting import say_silence

    say_whose_move(match, viewer)
    say_silence(match)


def _open_hands(match: Match, state: State, viewer: Side | None) -> list[Side]:
    """Reveal in `state` the hands of those who have closed the game, and say whose they are."""
    from pbem.hand import Cards

    open_sides = [side for side in match.secrets if side is not viewer]
    for side in open_sides:
        Cards(match, side, match.secrets[side]).reveal(state)
    return open_sides


# --- looking back


def _show_at(context: typer.Context, game: GameFile, index: int) -> None:
    """Print the position after a record, with every hand that may be seen by now."""
    from pbem.cli.game_commands import game_line
    from pbem.cli.position import say_position
    from pbem.cli.report import player, say_announced, say_last
    from pbem.hindsight import Hindsight, match_at

    match = game.match
    then = match_at(match, index)
    console.say(game_line(match), style="bold")
    record, last = then.last, match.last.index
    author = next((side for side in then.entrants if side.value == record.side), None)
    by = player(then, author) if author else console.clean(match.invite.name)
    console.say(f"Looking back: after record {index} of {last}, signed by {by}, {record.time}.")
    if not then.is_joined:
        _say_invitation(then)
        return
    seat = own_seat(context, game)
    viewer = seat.side if seat else None
    _say_players(then, viewer)
    console.heading("What happened last")
    say_last(then, viewer)
    say_announced(then, viewer)
    secrets = dict(match.secrets)
    if seat is not None:
        secrets[seat.side] = seat.secret
    say_position(Hindsight(match, secrets).view(then), viewer, also=secrets)
