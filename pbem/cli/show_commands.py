"""`acres turn show`: where a game stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import own_key
from pbem.cli.notes import say_notes
from pbem.cli.numbers import number_for
from pbem.cli.reading import (
    File,
    Spectator,
    begun,
    join_command,
    read_game,
    turn_command,
    who_looks,
)

if TYPE_CHECKING:
    from engine.sides import Side
    from engine.state import State
    from pbem.answer import Answer
    from pbem.game_file import GameFile
    from pbem.match import Match
    from pbem.seat import Seat


def show(
    context: typer.Context,
    file: File,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--at"),
            help="Look back: the position after record N, 0 the first.",
        ),
    ] = None,
) -> None:
    """Show the position as you may see it, and what happened last.

    Your own hand is shown, and that of a player who has closed the game.
    """
    game = read_game(context, file)
    # Before anything is printed: it may ask for a passphrase, and fail.
    who = who_looks(context, game) if game.match.is_joined else Spectator("")
    if at is not None:
        _show_at(game, at, who)
    elif game.match.is_joined:
        _show_now(context, file, game, who)
    else:
        _show_invitation(context, file, game.match)


# --- where the game stands


def _show_invitation(context: typer.Context, file: Path, match: Match) -> None:
    from pbem.cli.game_commands import game_line

    console.say(game_line(match), style="bold")
    _say_invitation(match)
    if match.invite.key == own_key(context):
        console.say("It is yours. Send it to the player you want to play.")
    else:
        console.say_whole(f"To take it up: {join_command(context, file)}")


def _say_invitation(match: Match) -> None:
    from pbem.cli.game_commands import say_rules

    console.say(f"An invitation by {console.named(match.invite.name)}; nobody has joined yet.")
    say_rules(match.invite)


def _show_now(context: typer.Context, file: Path, game: GameFile, who: Seat | Spectator) -> None:
    """Print the position as whoever runs the program may see it, and what is to be done."""
    from pbem.answer import notes_of
    from pbem.cli.game_commands import game_line
    from pbem.cli.position import say_position
    from pbem.cli.report import say_whose_move

    console.say(game_line(game.match), style="bold")
    seat = None if isinstance(who, Spectator) else who
    viewer = seat.side if seat else None
    answer = begun(game, seat)
    match = answer.match if answer else game.match
    _say_what_happened(match, who)
    console.heading("Now")
    if answer is None:
        say_whose_move(game.match, viewer)
    else:
        _say_move(answer, turn_command(context, "apply", file))
    state = answer.view() if answer else seat.view() if seat else match.state.copy()
    open_sides = _open_hands(match, state, viewer)
    ahead = answer.cards_ahead if answer else seat.cards_ahead() if seat else []
    say_position(state, viewer, ahead, open_sides)
    if seat is not None:
        say_notes(answer.notes if answer else notes_of(game, seat))


def _say_what_happened(match: Match, who: Seat | Spectator) -> None:
    """Print who plays, and what happened last."""
    from pbem.cli.report import player, say_announced, say_last
    from pbem.hand import Cards

    seat = None if isinstance(who, Spectator) else who
    viewer = seat.side if seat else None
    console.say(" against ".join(player(match, side, viewer) for side in match.entrants))
    if isinstance(who, Spectator):
        console.say(f"You see what everybody may see, because {who.reason}.")
    console.heading("What happened last")
    say_last(match, viewer, Cards(match, seat.side, seat.secret) if seat else None)
    say_announced(match, viewer)


def _say_move(answer: Answer, command: str) -> None:
    """Print what the player has to decide, and the command for it."""
    from pbem.cli.choices import awaited
    from pbem.game_file import whose_move

    if answer.game.match.is_over:
        console.say(whose_move(answer.game.match), style="bold")
        console.say_whole(f"To close the game: {command}")
        return
    console.say(f"It is your move. {awaited(answer.view(), answer.seat.side)}", style="bold")
    console.say_whole(f"To answer: {command}")


def _open_hands(match: Match, state: State, viewer: Side | None) -> list[Side]:
    """Reveal in `state` the hands of those who have closed the game, and say whose they are."""
    from pbem.hand import Cards

    open_sides = [side for side in match.secrets if side is not viewer]
    for side in open_sides:
        Cards(match, side, match.secrets[side]).reveal(state)
    return open_sides


# --- looking back


def _show_at(game: GameFile, index: int, who: Seat | Spectator) -> None:
    """Print the position after a record, with every hand that may be seen by now."""
    from pbem.cli.game_commands import game_line
    from pbem.cli.position import say_position
    from pbem.cli.report import player
    from pbem.hindsight import Hindsight, match_at

    match = game.match
    then = match_at(match, index)
    console.say(game_line(match), style="bold")
    record, last = then.last, match.last.index
    author = next((side for side in then.entrants if side.value == record.side), None)
    by = player(then, author) if author else console.named(match.invite.name)
    console.say(f"Looking back: after record {index} of {last}, signed by {by}, {record.time}.")
    if not then.is_joined:
        _say_invitation(then)
        return
    _say_what_happened(then, who)
    secrets = dict(match.secrets)
    viewer = None
    if not isinstance(who, Spectator):
        viewer = who.side
        secrets[who.side] = who.secret
    say_position(Hindsight(match, secrets).view(then), viewer, also=secrets)
