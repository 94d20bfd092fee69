"""The command `acres turn show`: the position of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from engine.message import Message
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.completion import turns
from pbem.cli.file_argument import (
    File,
    join_command,
    look_as_user,
    newer_file_hint,
    read_game,
    resolve_file,
    turn_command,
)
from pbem.cli.homes import say_opponent, warn_of_opponent
from pbem.cli.options import Json, number_option
from pbem.cli.position import say_hand, say_latest_events, say_notes, say_position, say_table
from pbem.errors import UsageError
from pbem.play.look import Look, Spectator
from pbem.play.store.entries import believable_arrival
from pbem.play.turn import Notes, look_now, read_notes
from pbem.protocol.hand import match_at
from pbem.protocol.match import Match
from pbem.sources import now
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.game_facts import invitation_facts, look_back_facts, look_facts
from pbem.text.games import invitation_text
from pbem.text.history import standing
from pbem.text.history.log import Log
from pbem.text.rules.editions import game_line

Record = Annotated[
    int | None,
    number_option("--record", "Look back: the position after record N of the file, 0 the first."),
]


def show(
    file: File = None,
    at: Annotated[
        int | None,
        number_option(
            "--at", "Look back: the position after turn N, 0 for the start.", autocompletion=turns
        ),
    ] = None,
    record: Record = None,
    json: Json = False,
) -> None:
    """Show the position as you may see it, and what happened last.

    Your own hand is shown, and that of a player who has closed the game.

    $ acres turn show game.toml  # where the game stands
    $ acres turn show game.toml --at 12  # where it stood after turn 12
    """
    if at is not None and record is not None:
        raise UsageError(
            "You look back either at a turn or at a record: leave out --at or --record."
        )
    file = resolve_file(file)
    game = read_game(file)
    match = game.match
    if at is not None and not match.is_joined:
        raise UsageError("This is an invitation: its turns begin when it is accepted.")
    # This precedes any output, because it may ask for a passphrase, and fail.
    look = look_as_user(match) if match.is_joined else None
    if at is not None and look is not None:
        _show_turn(look, at, json=json)
        return
    match_then = match if record is None else match_at(match, record)
    is_past = match_then is not match
    newer_hint = None if is_past else newer_file_hint(game, file)
    notes = None
    if look is not None and is_past:
        look = look.at(match_then) if match_then.is_joined else None
    elif look is not None:
        notes = None if isinstance(look.access, Spectator) else read_notes(game, look.access)
        look = look_now(game, look, now())
    if json:
        warn_of_opponent(match.records)
        if notes and notes.damage:
            console.warn(notes.damage)
        if newer_hint:
            console.warn(newer_hint)
        console.say_data(look_facts(look, notes) if look else invitation_facts(match, match_then))
        return
    console.say(game_line(match_then), style="bold")
    if is_past:
        console.say(standing.past_record_notice(match_then, match.last.index))
    if look is None:
        console.say_lines(invitation_text(match_then))
        if newer_hint:
            console.say_unwrapped(newer_hint)
        elif not is_past:
            _say_how_to_join(file, match_then)
        return
    console.say_lines(standing.players_text(look, current_app().command))
    if is_past:
        console.say()
        say_position(look.state, look.viewer, open_sides=look.open_sides)
        _say_what_happened(look)
    else:
        _say_current(file, look, notes, newer_hint)


def _show_turn(look: Look, number: int, *, json: bool) -> None:
    """Print the position after a turn, and the events of the turn."""
    chronicle = Chronicle(look)
    turn = chronicle.turn(number)
    if json:
        warn_of_opponent(look.match.records)
        console.say_data(look_back_facts(chronicle, number))
        return
    console.say(game_line(look.match), style="bold")
    console.say(standing.past_turn_notice(chronicle, number))
    console.say_lines(standing.players_text(look, current_app().command))
    console.say()
    say_position(chronicle.view(number), chronicle.viewer, open_sides=chronicle.look.open_sides)
    section = Log(chronicle).section(turn)
    console.heading(section.heading)
    for line in section.all_lines:
        console.item(line)


def _say_how_to_join(file: Path, match: Match) -> None:
    if match.invite.key == current_app().home.own_key:
        console.say("It is yours. Send it to the player you want to play.")
    else:
        say_opponent(match.records)
        command = join_command(file)
        console.say_unwrapped("To accept it: {command}", command=command)


def _say_current(file: Path, look: Look, notes: Notes | None, newer_hint: Message | None) -> None:
    """Print the position as the user may see it, and then the next step.

    `newer_hint` is the next step if there is a newer file.
    """
    match = look.whole
    say_opponent(match.records)
    say_table(look.state, look.viewer, look.open_sides)
    if notes:
        say_notes(notes)
    _say_what_happened(look)
    if look.viewer:
        console.say()
        say_hand(look.state, look.viewer, look.ahead)
    console.say()
    if newer_hint:
        console.say_unwrapped(newer_hint)
        return
    console.say_lines(standing.move_text(look, turn_command("apply", file)))
    if look.viewer and not look.must_write:
        store, time = current_app().store, now()
        arrived = store.arrival_time(match.id, match.last.hash) if store else ""
        since = believable_arrival(arrived, match.last.time, time)
        for line in standing.long_silence_text(match, time, since):
            console.say(line)


def _say_what_happened(look: Look) -> None:
    console.heading("What happened last")
    say_latest_events(look.match, look.viewer, look.own)
