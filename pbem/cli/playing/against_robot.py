"""`acres play robot`: the robot on this computer as an opponent, who answers at once.

Its games lie where those of `acres board` do, and go on with either.
"""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message
from engine.players import QUICK
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from pbem.cli import console
from pbem.cli.arrivals import look_through_folders
from pbem.cli.asking import Asking, session_of
from pbem.cli.file_argument import read_game
from pbem.cli.game_options import SideChoice
from pbem.cli.identity_commands import given_name, made
from pbem.cli.newest_file import games_listed, newest_of
from pbem.cli.own_games import own_library
from pbem.cli.own_home import at_home, command_of, load_identity, program, without_identity
from pbem.cli.playing.one_turn import turn_taken
from pbem.cli.playing.wishes import Wishes
from pbem.cli.start_card import start_card_chosen
from pbem.errors import WrongUse
from pbem.library import Listed
from pbem.play.clerk import Clerk
from pbem.play.game_file import whose_move
from pbem.play.questions import SignedBefore, Unanswered
from pbem.play.robot.answering import answer, players_of
from pbem.play.robot.inbox import put
from pbem.play.robot.robot_home import (
    folder_of_robot,
    home_of_robot,
    is_with_robot,
    last_strength,
    open_robot,
    strength_at,
    take_note,
)
from pbem.savefile.disk import read_file
from pbem.words.proof.signature import told_of_robot


def play_robot(context: typer.Context, wishes: Wishes, *, is_new: bool) -> None:
    """Go on with the game with the robot, or begin one, until it is over or the player leaves."""
    if not at_home(context).has_identity:
        if at_home(context).has_played:
            raise without_identity(context)
        made(context, given_name(context, None))
    load_identity(context)
    look_through_folders(context)
    going_on = [
        each
        for each in games_listed(context)
        if not each.game.is_finished and is_with_robot(at_home(context), each)
    ]
    if going_on and not is_new:
        if wishes.are_any:
            console.warn(
                Message(
                    "The game with the robot goes on as it was begun; to begin another, add "
                    "{option}.",
                    option="--new",
                )
            )
        path = newest_of(context, max(going_on, key=_last_file))
    else:
        path = _begun(context, wishes)
    go_on(context, path)


def _last_file(listed: Listed) -> float:
    """When something was written in a game."""
    paths = [path for path in (listed.file_in, listed.file_out) if path and path.exists()]
    return max((path.stat().st_mtime for path in paths), default=0)


def _begun(context: typer.Context, wishes: Wishes) -> Path:
    """The invitation to a new game."""
    ruleset = Ruleset.of(wishes.edition or DEFAULT_EDITION, wishes.house_rules)
    choice = wishes.side or SideChoice.british
    side = None if choice is SideChoice.any else Side(choice.value)
    home, strength = at_home(context), wishes.strength or last_strength(at_home(context))
    session = session_of(context, load_identity(context))
    invitation = session.invite(
        side,
        edition=ruleset.edition,
        house_rules=ruleset.house_rules,
        start_card=start_card_chosen(ruleset, side, wishes.start_card),
    )
    asking = Asking(context, session.library, Clerk(invitation.memory))
    path = folder_of_robot(home, strength) / invitation.path
    return asking.signed(lambda: invitation.sign(path)).path


def go_on(context: typer.Context, path: Path) -> None:
    """Take turns with the robot from that file on; raises Cancelled where the player leaves."""
    while True:
        match = read_game(context, path).match
        key = at_home(context).own_key
        if match.is_joined and match.next_side is None:
            console.say(whose_move(match), style="bold")
            again = f"{command_of(context)} play robot"
            console.say_whole(Message("To play again: {command}", command=again))
            return
        writer = match.entrants[match.next_side].key if match.is_joined and match.next_side else b""
        if writer == key:
            path = turn_taken(context, path, is_sent=False).path
        else:
            path = _answered(context, path)


def _answered(context: typer.Context, path: Path) -> Path:
    """Return the file with which the robot answers that one."""
    home, own = at_home(context), own_library(context)
    assert own is not None
    strength = strength_at(home, path) or QUICK
    if strength != QUICK:
        console.say(Message("The robot is thinking."))
        console.flush()
    robot = open_robot(home)
    data = None
    try:
        data = answer(read_file(path), robot, players_of(strength), keeper=own.key)
    except Unanswered as error:
        # The board may be open beside this, and its robot have answered.
        if not isinstance(error.questions[0], SignedBefore):
            words = told_of_robot(program(), home_of_robot(home.folder), path.parent)
            raise words.refused(error) from None
    found = put(data, path)[0] if data else _found(context, path)
    take_note(own, found, home)
    return found


def _found(context: typer.Context, path: Path) -> Path:
    """The newest file of the game in that one, which another program has answered."""
    look_through_folders(context, anew=True)
    game = read_game(context, path).match.id
    listed = next((each for each in games_listed(context) if each.id == game), None)
    newest = newest_of(context, listed) if listed else path
    if newest == path:
        raise WrongUse(
            "The robot has answered {file} before, and its answer is not in that folder any more.",
            file=path,
        )
    return newest
