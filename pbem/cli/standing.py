"""Where a game stands, printed: the position, what happened last, and whose move it is."""

from __future__ import annotations

from json import dumps
from pathlib import Path

import typer

from engine.message import Message, Said, joined_with_or, sentences
from engine.sides import Side
from engine.state import Decision
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.home import at_home, command_of
from pbem.cli.notes import say_notes, warn_of_damage
from pbem.cli.own_library import own_library
from pbem.cli.players import say_opponent, warn_of_opponent
from pbem.cli.position import say_hand, say_position, say_table
from pbem.cli.reading import (
    join_command,
    read_game,
    turn_command,
    who_looks,
)
from pbem.cli.report import say_last, say_whose_move
from pbem.play.answer import Answer
from pbem.play.clocks import since_when
from pbem.play.game_file import GameFile, whose_move
from pbem.play.home import now
from pbem.play.look import Look, Spectator, look_at, look_now
from pbem.play.seat import Seat
from pbem.protocol.hand import match_at
from pbem.protocol.match import Match
from pbem.view.game_facts import invitation_facts, look_facts
from pbem.words.dates import instant
from pbem.words.games.invitation import rules_told
from pbem.words.history.waiting import long_silence_told
from pbem.words.orders.decision import awaited
from pbem.words.phrases import against, game_line, player
from pbem.words.proof.keys import why_spectator


def say_standing(context: typer.Context, file: Path, at: int | None, *, json: bool) -> None:
    """Print where the game of a file stands, or stood after a record."""
    game = read_game(context, file)
    # Before anything is printed: it may ask for a passphrase, and fail.
    who = who_looks(context, game) if game.match.is_joined else Spectator.NOT_BEGUN
    then = game.match if at is None else match_at(game.match, at)
    if json:
        warn_of_opponent(context, game.match.records)
        _say_data(game, then, who)
    elif then is not game.match:
        _show_at(context, game, then, who)
    elif then.is_joined:
        _show_now(context, file, game, who)
    else:
        _show_invitation(context, file, then)


def _say_data(game: GameFile, then: Match, who: Seat | Spectator) -> None:
    if not then.is_joined:
        facts = invitation_facts(game, then)
    else:
        look = look_now(game, who) if then is game.match else look_at(game, then, who)
        if look.notes:
            warn_of_damage(look.notes)
        facts = look_facts(look)
    console.say_whole(dumps(facts, indent=2))


# --- an invitation


def _show_invitation(context: typer.Context, file: Path, match: Match) -> None:
    console.say(game_line(match), style="bold")
    _say_invitation(match)
    if match.invite.key == at_home(context).own_key:
        console.say(Message("It is yours. Send it to the player you want to play."))
    else:
        say_opponent(context, match.records)
        command = join_command(context, file)
        console.say_whole(Message("To take it up: {command}", command=command))


def _say_invitation(match: Match) -> None:
    name = console.named(match.invite.name)
    console.say(Message("An invitation by {player}; nobody has joined yet.", player=name))
    for line in rules_told(match.invite):
        console.item(line)


# --- where the game stands


def _show_now(context: typer.Context, file: Path, game: GameFile, who: Seat | Spectator) -> None:
    """Print the position as whoever runs the program may see it, and at the end what is to do."""
    look = look_now(game, who)
    console.say(game_line(game.match), style="bold")
    _say_players(context, look)
    say_opponent(context, game.match.records)
    console.say()
    say_table(look.state, look.viewer, look.also)
    if look.notes:
        say_notes(look.notes)
    _say_what_happened(look)
    if look.viewer:
        console.say()
        say_hand(look.state, look.viewer, look.ahead)
    console.say()
    if look.answer:
        _say_move(look.answer, turn_command(context, "apply", file))
    else:
        say_whose_move(game.match, look.viewer)
        if look.viewer:
            _say_wait(context, game.match)


def _say_wait(context: typer.Context, match: Match) -> None:
    """Print that the opponent has been to open a shuffle for long, if that is so."""
    time = now()
    since = since_when(own_library(context), match, time)
    for told in long_silence_told(match, time, since):
        console.say(told)


def _say_players(context: typer.Context, look: Look) -> None:
    match = look.match
    console.say(against(*(player(match, side, look.viewer) for side in match.entrants)))
    if isinstance(look.who, Spectator):
        reason = why_spectator(look.who, command_of(context))
        console.say(Message("You see what everybody may see, because {reason}.", reason=reason))


def _say_what_happened(look: Look) -> None:
    console.heading(Message("What happened last"))
    say_last(look.match, look.viewer, look.own)


def _say_move(answer: Answer, command: str) -> None:
    """Print what the player has to decide, and the command for it."""
    if answer.game.match.is_over:
        console.say(whose_move(answer.game.match), style="bold")
        console.say_whole(Message("To close the game: {command}", command=command))
        return
    yours, what = Message("It is your move."), awaited(answer.view(), answer.seat.side)
    console.say(sentences(yours, what), style="bold")
    _say_possible(answer)
    console.say_whole(Message("To answer: {command}", command=command))


def _say_possible(answer: Answer) -> None:
    """Print which kinds of order are possible in a turn; a reply's few ways are said already."""
    state = answer.view()
    if state.awaiting.decision is not Decision.TURN or not state.decides(answer.seat.side):
        return
    verbs = joined_with_or(kind.words() for kind in Ways([state]).kinds())
    # Translators: verbs of orders, as they are typed.
    console.say(Message("You can: {verbs}.", verbs=verbs))


# --- looking back


def _show_at(context: typer.Context, game: GameFile, then: Match, who: Seat | Spectator) -> None:
    """Print the position after a record, with every hand that may be seen by now."""
    console.say(game_line(then), style="bold")
    record, last = then.last, game.match.last.index
    console.say(
        Message(
            "Looking back: after record {number} of {last}, signed by {player}, {time}.",
            number=record.index,
            last=last,
            player=_author(then),
            time=instant(record.time),
        )
    )
    if not then.is_joined:
        _say_invitation(then)
        return
    look = look_at(game, then, who)
    _say_players(context, look)
    console.say()
    say_position(look.state, look.viewer, also=look.also)
    _say_what_happened(look)


def _author(match: Match) -> Said:
    """Who signed the last record."""
    side: Side | None = next((s for s in match.entrants if s.value == match.last.side), None)
    return player(match, side) if side else console.named(match.invite.name)
