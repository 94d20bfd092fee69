"""`acres turn show`: where a game stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.file_argument import File, join_command, read_game, turn_command, who_looks
from pbem.cli.last_deeds import say_last, say_notes
from pbem.cli.numbers import number_for
from pbem.cli.own_games import own_library
from pbem.cli.own_home import at_home, command_of
from pbem.cli.players import say_opponent, warn_of_opponent
from pbem.cli.position import say_hand, say_position, say_table
from pbem.play.home import now
from pbem.play.look import Look, Spectator, look_at, look_now
from pbem.play.own_library import since_when
from pbem.protocol.hand import match_at
from pbem.protocol.match import Match
from pbem.view.game_facts import invitation_facts, look_facts
from pbem.words.history.standing import (
    invitation_told,
    long_silence_told,
    looking_back,
    move_told,
    players_told,
)
from pbem.words.rules.editions import game_line


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
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Show the position as you may see it, and what happened last.

    Your own hand is shown, and that of a player who has closed the game.
    """
    game = read_game(context, file)
    # Before anything is printed: it may ask for a passphrase, and fail.
    who = who_looks(context, game) if game.match.is_joined else Spectator.NOT_BEGUN
    then = game.match if at is None else match_at(game.match, at)
    is_past = then is not game.match
    look = None
    if then.is_joined:
        look = look_at(game, then, who) if is_past else look_now(game, who)
    if json:
        warn_of_opponent(context, game.match.records)
        if look and look.notes and look.notes.damage:
            console.warn(look.notes.damage)
        console.say_data(look_facts(look) if look else invitation_facts(game, then))
        return
    console.say(game_line(then), style="bold")
    if is_past:
        console.say(looking_back(then, game.match.last.index))
    if look is None:
        console.say_lines(invitation_told(then))
        if not is_past:
            _say_how_to_join(context, file, then)
        return
    console.say_lines(players_told(look, command_of(context)))
    if is_past:
        console.say()
        say_position(look.state, look.viewer, also=look.also)
        _say_what_happened(look)
    else:
        _say_now(context, file, look)


def _say_how_to_join(context: typer.Context, file: Path, match: Match) -> None:
    if match.invite.key == at_home(context).own_key:
        console.say(Message("It is yours. Send it to the player you want to play."))
    else:
        say_opponent(context, match.records)
        command = join_command(context, file)
        console.say_whole(Message("To take it up: {command}", command=command))


def _say_now(context: typer.Context, file: Path, look: Look) -> None:
    """Print the position as whoever runs the program may see it, and at the end what is to do."""
    match = look.game.match
    say_opponent(context, match.records)
    console.say()
    say_table(look.state, look.viewer, look.also)
    if look.notes:
        say_notes(look.notes)
    _say_what_happened(look)
    if look.viewer:
        console.say()
        say_hand(look.state, look.viewer, look.ahead)
    console.say()
    console.say_lines(move_told(look, turn_command(context, "apply", file)))
    if look.viewer and not look.answer:
        time = now()
        since = since_when(own_library(context), match, time)
        for told in long_silence_told(match, time, since):
            console.say(told)


def _say_what_happened(look: Look) -> None:
    console.heading(Message("What happened last"))
    say_last(look.match, look.viewer, look.own)
