"""`acres turn show`: where a game stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, Said, sentences
from pbem.cli import console
from pbem.cli.clocks import since_when
from pbem.cli.home import own_key
from pbem.cli.moment import now
from pbem.cli.notes import say_notes, warn_of_damage
from pbem.cli.numbers import number_for
from pbem.cli.players.recognising import say_opponent, warn_of_opponent
from pbem.cli.reading import (
    File,
    Spectator,
    join_command,
    read_game,
    turn_command,
    who_looks,
)

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.cli.looking import Look
    from pbem.play.answer import Answer
    from pbem.play.game_file import GameFile
    from pbem.play.seat import Seat
    from pbem.protocol.match import Match
    from pbem.view.game import GameFacts


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
    who = who_looks(context, game) if game.match.is_joined else Spectator("")
    then = _match_at(game, at)
    if json:
        warn_of_opponent(context, game.match.records)
        _say_data(game, then, who)
    elif then is not game.match:
        _show_at(game, then, who)
    elif then.is_joined:
        _show_now(context, file, game, who)
    else:
        _show_invitation(context, file, then)


def _match_at(game: GameFile, index: int | None) -> Match:
    """The match to be looked at: that of the file, or as it was after a record."""
    if index is None:
        return game.match
    from pbem.protocol.hindsight import match_at

    return match_at(game.match, index)


def _say_data(game: GameFile, then: Match, who: Seat | Spectator) -> None:
    from json import dumps

    from pbem.cli.looking import look_at, look_now
    from pbem.view.game import invitation_facts

    if not then.is_joined:
        facts = invitation_facts(game, then)
    else:
        look = look_now(game, who) if then is game.match else look_at(game, then, who)
        if look.notes:
            warn_of_damage(look.notes)
        facts = _look_facts(look)
    console.say_whole(dumps(facts, indent=2))


def _look_facts(look: Look) -> GameFacts:
    """A game that was joined, as somebody sees it."""
    from pbem.cli.telling import last_deeds
    from pbem.view.game import invitation_facts
    from pbem.view.history import deed_facts, dropped_facts
    from pbem.view.position import position_facts

    facts = invitation_facts(look.game, look.match)
    match, deeds = look.match, last_deeds(look.match, look.viewer)
    records = {deed.record for deed in deeds}
    facts["viewer"] = look.viewer.value if look.viewer else None
    facts["position"] = position_facts(look.state, look.viewer, look.ahead, look.also)
    facts["last"] = [deed_facts(deed, look.own) for deed in deeds]
    facts["dropped"] = [dropped_facts(d) for d in match.dropped if d.record in records]
    if match.follow_ups:
        orders = [order.notation() for order in match.follow_ups]
        facts["announced"] = {"side": match.state.active.value, "orders": orders}
    facts["notes"] = look.notes.text if look.notes else None
    return facts


# --- an invitation


def _show_invitation(context: typer.Context, file: Path, match: Match) -> None:
    from pbem.cli.game_rules import game_line

    console.say(game_line(match), style="bold")
    _say_invitation(match)
    if match.invite.key == own_key(context):
        console.say(Message("It is yours. Send it to the player you want to play."))
    else:
        say_opponent(context, match.records)
        command = join_command(context, file)
        console.say_whole(Message("To take it up: {command}", command=command))


def _say_invitation(match: Match) -> None:
    from pbem.cli.game_rules import say_rules

    name = console.named(match.invite.name)
    console.say(Message("An invitation by {player}; nobody has joined yet.", player=name))
    say_rules(match.invite)


# --- where the game stands


def _show_now(context: typer.Context, file: Path, game: GameFile, who: Seat | Spectator) -> None:
    """Print the position as whoever runs the program may see it, and at the end what is to do."""
    from pbem.cli.game_rules import game_line
    from pbem.cli.looking import look_now
    from pbem.cli.position import say_hand, say_table
    from pbem.cli.report import say_whose_move

    look = look_now(game, who)
    console.say(game_line(game.match), style="bold")
    _say_players(look)
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
    from pbem.cli.waiting import say_long_silence

    time = now()
    say_long_silence(match, time, since_when(context, match, time))


def _say_players(look: Look) -> None:
    from pbem.cli.words import against, player

    match = look.match
    console.say(against(*(player(match, side, look.viewer) for side in match.entrants)))
    if isinstance(look.who, Spectator):
        reason = look.who.reason
        console.say(Message("You see what everybody may see, because {reason}.", reason=reason))


def _say_what_happened(look: Look) -> None:
    from pbem.cli.report import say_announced, say_last

    console.heading(Message("What happened last"))
    say_last(look.match, look.viewer, look.own)
    say_announced(look.match, look.viewer)


def _say_move(answer: Answer, command: str) -> None:
    """Print what the player has to decide, and the command for it."""
    from pbem.cli.choices import awaited
    from pbem.play.game_file import whose_move

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
    from engine.state import Decision
    from engine.ways import Ways
    from pbem.cli.words import joined_with_or

    state = answer.view()
    if state.awaiting.decision is not Decision.TURN or not state.decides(answer.seat.side):
        return
    verbs = joined_with_or(kind.words() for kind in Ways([state]).kinds())
    # Translators: verbs of orders, as they are typed.
    console.say(Message("You can: {verbs}.", verbs=verbs))


# --- looking back


def _show_at(game: GameFile, then: Match, who: Seat | Spectator) -> None:
    """Print the position after a record, with every hand that may be seen by now."""
    from pbem.cli.game_rules import game_line
    from pbem.cli.looking import look_at
    from pbem.cli.position import say_position
    from pbem.cli.records import instant

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
    _say_players(look)
    console.say()
    say_position(look.state, look.viewer, also=look.also)
    _say_what_happened(look)


def _author(match: Match) -> Said:
    """Who signed the last record."""
    from pbem.cli.words import player

    side: Side | None = next((s for s in match.entrants if s.value == match.last.side), None)
    return player(match, side) if side else console.named(match.invite.name)
