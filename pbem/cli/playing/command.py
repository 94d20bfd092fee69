"""`acres play`: what waits for the player is shown, led and sent; then it is told what is next."""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, Run, labelled, mark
from pbem.cli import answers, completion, console
from pbem.cli.again import look_again
from pbem.cli.arrivals import look_through_folders, look_through_mailbox
from pbem.cli.file_argument import names_file, turn_command
from pbem.cli.game_commands import join
from pbem.cli.game_options import Edition, HouseRules, SideChoice, StartCard
from pbem.cli.newest_file import game_meant, games_listed, newest_of
from pbem.cli.own_home import at_home, command_of, without_identity
from pbem.cli.playing.one_turn import turn_taken
from pbem.cli.playing.wishes import Wishes
from pbem.cli.strength_option import strength_option
from pbem.errors import WrongUse
from pbem.library import Listed
from pbem.library.entries import JOIN, NOBODY, OPPONENT, YOU
from pbem.play.listed import is_found, waiting
from pbem.play.robot.robot_home import is_with_robot
from pbem.savefile.disk import is_there
from pbem.sources import now
from pbem.words.games.listing import game_called, standing

ROBOT = "robot"
EVERY, EVERY_BY_MAIL = 2, 300
"""Seconds between two looks into folders, and into a mailbox, while an answer is waited for."""


def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A number from acres games, or your opponent's name; robot: the robot on this "
            "computer. Without it: the game that has waited longest for you, people before "
            "the robot.",
            autocompletion=completion.own_games,
            show_default=False,
        ),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option("--wait", help="Then wait for the answer, and go on."),
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
            "How strong the robot is in a new game; the stronger, the longer it thinks. Default: "
            "as in the last game, and 1 in the first."
        ),
    ] = None,
) -> None:
    """Play: see the turn that is waiting for you, give your orders, write the file and send it.

    What has come into your folders and your mailbox is found automatically. Against the robot the
    game goes on turn after turn; quit leaves, and the same command resumes.
    """
    if not console.is_terminal():
        raise WrongUse(
            "Orders are asked for at a terminal. Elsewhere: {command} turn apply FILE ORDER...",
            command=command_of(context),
        )
    wishes = Wishes(side, edition, tuple(house_rule or ()), strength, start_card)
    if game is not None and game.casefold() == ROBOT:
        _play_robot(context, wishes, is_new=new)
    elif wishes.are_any or new:
        raise WrongUse("Options for a new game go with the robot: acres play robot.")
    elif not at_home(context).has_identity:
        raise without_identity(context)
    else:
        _play(context, game or "", waits=wait)


def _play(context: typer.Context, word: str, *, waits: bool) -> None:
    """Play the game that a word means; without one that which waits longest."""
    look_through_folders(context)
    # A player with something to do should not be asked for a password first.
    look_through_mailbox(context, asks=not waiting(games_listed(context)))
    declined: set[bytes] = set()
    listed = _meant(context, word)
    while True:
        if listed is None:
            _say_nothing_waits(context)
        elif is_with_robot(at_home(context), listed) and listed.game.waits_for != NOBODY:
            _play_robot(context, newest_of(context, listed))
            return
        elif not _is_done(context, listed):
            declined.add(listed.id)
        games = games_listed(context) if waits else []
        some = [each for each in games if not each.game.is_finished and each.id not in declined]
        awaited = [each for each in some if listed and each.id == listed.id]
        if not awaited and not word:
            awaited = some
        if not awaited:
            return
        there = waiting(awaited)
        listed = there[0] if there else _waited_for(context, {each.id for each in awaited})


def _is_done(context: typer.Context, listed: Listed) -> bool:
    """Do what is due in a game, or say that nothing is; False where the player does not want to."""
    is_wanted = True
    if listed.game.waits_for == YOU:
        is_wanted = _take_turn(context, listed)
    elif _is_unwritten(listed) and newest_of(context, listed) == listed.file_in:
        turn_taken(context, listed.file_in)
    else:
        console.say(labelled(game_called(listed), standing(listed, now())))
    _say_others(context, listed)
    return is_wanted


def _play_robot(context: typer.Context, game: Wishes | Path, *, is_new: bool = False) -> None:
    """Play with the robot, as is wished, or in the game with that file."""
    # Imported here because who plays with people needs no robot.
    from pbem.cli.playing.against_robot import go_on, play_robot

    if isinstance(game, Path):
        go_on(context, game)
    else:
        play_robot(context, game, is_new=is_new)


def _meant(context: typer.Context, word: str) -> Listed | None:
    """The game to be played; None where none waits, raises WrongUse where a word means none."""
    if word:
        listed = game_meant(context, word)
        if listed is None and names_file(word):
            raise WrongUse(
                "{file} is a file, not a game. To answer it: {command}",
                file=Path(word),
                command=turn_command(context, "apply", Path(word)),
            )
        if listed is None:
            raise WrongUse(
                "No game of yours is called “{word}”. To see them: {command} games",
                word=word,
                command=command_of(context),
            )
        return listed
    games = games_listed(context)
    home = at_home(context)
    # A person counts as having waited longer than the robot.
    some = sorted(waiting(games), key=lambda each: is_with_robot(home, each))
    if not some:
        # The robot may have been stopped before it answered.
        going_on = (each for each in games if not each.game.is_finished)
        some = [each for each in going_on if is_with_robot(home, each)]
    return some[0] if some else None


def _is_unwritten(listed: Listed) -> bool:
    """Whether the answer in a game is not where it was to be: its program may have been killed."""
    before = listed.file_in
    return (
        listed.game.waits_for == OPPONENT
        and not is_found(listed)
        and before is not None
        and is_there(before)
    )


def _take_turn(context: typer.Context, listed: Listed) -> bool:
    """Lead through the turn that waits; or take an invitation up, if the player wants that."""
    path = newest_of(context, listed)
    if listed.game.due == JOIN:
        console.say(labelled(game_called(listed), standing(listed, now())))
        question = Message("Accept it?")
        is_wanted = answers.ask_yes(question, mark("{yes} accepts it, {no} leaves it."))
        if is_wanted:
            join(context, path)
        return is_wanted
    try:
        turn_taken(context, path)
    except console.Cancelled:
        _say_others(context, listed)
        raise
    return True


def _say_others(context: typer.Context, listed: Listed) -> None:
    """Say which other games wait for the player, and how to go on with them."""
    games = games_listed(context)
    others = [each for each in waiting(games) if each.id != listed.id]
    if others:
        console.say(Message("Also waiting for you:"))
    for each in others:
        command = f"{command_of(context)} play {games.index(each) + 1}"
        console.say_whole(Run(("  ", labelled(game_called(each), command))))


def _say_nothing_waits(context: typer.Context) -> None:
    command = command_of(context)
    console.say(Message("No game is waiting for you."), style="bold")
    for each in games_listed(context):
        if not each.game.is_finished:
            console.item(labelled(game_called(each), standing(each, now())))
    console.say_whole(Message("To play against the robot: {command} play robot", command=command))
    console.say_whole(Message("To invite somebody: {command} new --side any", command=command))


class _Arrived(Exception):
    """A game that is waited for waits for the player."""

    def __init__(self, listed: Listed) -> None:
        self.listed = listed


def _waited_for(context: typer.Context, awaited: Collection[bytes]) -> Listed:
    """Return the first of the games with these ids in which an answer comes.

    Ctrl-C ends the wait.
    """
    look_through_mailbox(context, asks=True)
    console.say(Message("Waiting for your opponent's answer. To stop, press Ctrl-C."))
    console.flush()
    asked = time.monotonic()

    def look() -> None:
        nonlocal asked
        look_through_folders(context)
        if time.monotonic() - asked > EVERY_BY_MAIL:
            look_through_mailbox(context)
            asked = time.monotonic()
        there = [each for each in waiting(games_listed(context)) if each.id in awaited]
        if there:
            raise _Arrived(there[0])

    try:
        look_again(look, EVERY, lambda _: True)
    except _Arrived as arrived:
        return arrived.listed
