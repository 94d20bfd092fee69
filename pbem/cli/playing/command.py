"""`acres play`: what waits for the player is shown, led and sent; then it is told what is next."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from engine.message import Message, Run, labelled, mark
from pbem.cli import answers, completion, console
from pbem.cli.again import look_again
from pbem.cli.game_commands import join
from pbem.cli.game_options import Edition, HouseRules, SideChoice, StartCard
from pbem.cli.newest_file import game_meant, games_listed, look_around, newest_of
from pbem.cli.notice import find_notices
from pbem.cli.own_home import at_home, command_of, without_identity
from pbem.cli.playing.against_robot import Wishes, go_on, is_with_robot, play_robot
from pbem.cli.playing.letters import fetch_letters, send_or_tell
from pbem.cli.playing.one_turn import turn_taken
from pbem.cli.strength_option import strength_option
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.library import Listed
from pbem.library.entries import JOIN, NOBODY, YOU
from pbem.play.home import now
from pbem.play.listed import waiting
from pbem.words.games.listing import called, standing
from pbem.words.games.notice import of_game
from pbem.words.history.standing import borrowed_told

ROBOT = "robot"
EVERY, EVERY_BY_MAIL = 2, 300
"""Seconds between two looks into folders, and into a mailbox, while an answer is waited for."""


def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A number of acres games or your opponent's name; robot: the robot of this "
            "computer. Without it: the game that waits longest for you.",
            autocompletion=completion.own_games,
            show_default=False,
        ),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait", help="Then wait for the answer, give notice of it, and go on with it."
        ),
    ] = False,
    new: Annotated[bool, typer.Option("--new", help="Begin another game with the robot.")] = False,
    side: Annotated[
        SideChoice | None,
        typer.Option(help="The side you want in a new game with the robot. Default: british."),
    ] = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
    start_card: StartCard = None,
    strength: Annotated[
        int | None,
        strength_option(
            "How strong the robot plays a new game; the more, the longer it thinks. Default: as in "
            "the last one, at first 1."
        ),
    ] = None,
) -> None:
    """Play: the turn that waits for you is shown, asked for, written and sent.

    What came into your folders and your mailbox is found by itself. Against the robot it goes on
    turn after turn; quit leaves, and the same command goes on.
    """
    if not console.is_terminal():
        raise WrongUse(
            "Orders are asked for at a terminal. Elsewhere: {command} turn apply FILE ORDER...",
            command=command_of(context),
        )
    wishes = Wishes(side, edition, tuple(house_rule or ()), strength, start_card)
    if game is not None and game.casefold() == ROBOT:
        play_robot(context, wishes, is_new=new)
    elif wishes.are_any or new:
        raise WrongUse("How a game begins is said with the robot: acres play robot.")
    elif not at_home(context).has_identity:
        raise without_identity(context)
    else:
        _play(context, game or "", waits=wait)


def _play(context: typer.Context, word: str, *, waits: bool) -> None:
    """Play the game that a word means; without one that which waits longest."""
    look_around(context)
    fetch_letters(context)
    listed = _meant(context, word)
    if listed is None:
        _say_nothing_waits(context)
        return
    if is_with_robot(context, listed) and listed.game.waits_for != NOBODY:
        go_on(context, newest_of(context, listed))
        return
    while True:
        if listed.game.waits_for == YOU:
            _take_turn(context, listed)
        else:
            console.say(labelled(called(listed), standing(listed, now())))
        _say_others(context, listed)
        if not waits or (listed := _now(context, listed)).game.waits_for == NOBODY:
            return
        if listed.game.waits_for != YOU:
            listed = _waited_for(context, listed)


def _meant(context: typer.Context, word: str) -> Listed | None:
    """The game to be played; None where none waits, raises WrongUse where a word means none."""
    if word:
        listed = game_meant(context, word)
        if listed is None:
            raise WrongUse(
                "No game of yours is called “{word}”. To see them: {command} games",
                word=word,
                command=command_of(context),
            )
        return listed
    games = games_listed(context)
    some = waiting(games)
    # The robot may have been stopped before it answered.
    unanswered = (each for each in games if not each.game.is_finished)
    return some[0] if some else next((e for e in unanswered if is_with_robot(context, e)), None)


def _take_turn(context: typer.Context, listed: Listed) -> None:
    """Lead through the turn that waits, or take an invitation up; and see to it that it is sent."""
    path = newest_of(context, listed)
    if listed.game.due == JOIN:
        console.say(labelled(called(listed), standing(listed, now())))
        question = Message("Take it up?")
        if answers.ask_yes(question, mark("{yes} takes it up, {no} leaves it.")):
            join(context, path)
        return
    try:
        written = turn_taken(context, path)
    except console.Cancelled:
        _say_others(context, listed)
        raise
    console.say(Message("Written:"))
    console.say_whole(f"  {shown(written.path)}")
    if sentence := borrowed_told(written.match, now()):
        console.say(sentence)
    send_or_tell(context, written)


def _now(context: typer.Context, listed: Listed) -> Listed:
    """That game as it stands now."""
    return next((each for each in games_listed(context) if each.id == listed.id), listed)


def _say_others(context: typer.Context, listed: Listed) -> None:
    """Say which other games wait for the player, and how to go on with them."""
    games = games_listed(context)
    others = [each for each in waiting(games) if each.id != listed.id]
    if others:
        console.say(Message("Also waiting for you:"))
    for each in others:
        command = f"{command_of(context)} play {games.index(each) + 1}"
        console.say_whole(Run(("  ", labelled(called(each), command))))


def _say_nothing_waits(context: typer.Context) -> None:
    command = command_of(context)
    console.say(Message("No game waits for you."), style="bold")
    for each in games_listed(context):
        if not each.game.is_finished:
            console.item(labelled(called(each), standing(each, now())))
    console.say_whole(Message("To play against the robot: {command} play robot", command=command))
    console.say_whole(Message("To invite somebody: {command} new --side any", command=command))


class _Arrived(Exception):
    """The game that is waited for waits for the player."""


def _waited_for(context: typer.Context, listed: Listed) -> Listed:
    """That game once its answer is there, of which notice is given; Ctrl-C ends the wait."""
    notices = find_notices()
    console.say(Message("Your opponent's answer is waited for. To stop it, press Ctrl-C."))
    console.flush()
    asked = time.monotonic()

    def look() -> None:
        nonlocal asked
        look_around(context)
        if time.monotonic() - asked > EVERY_BY_MAIL:
            fetch_letters(context)
            asked = time.monotonic()
        if _now(context, listed).game.waits_for == YOU:
            raise _Arrived

    try:
        look_again(look, EVERY, lambda _: True)
    except _Arrived:
        found = _now(context, listed)
        if notices is not None:
            notices.show(of_game(found, now()))
        return found
