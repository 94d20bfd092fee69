"""`acres stats`: the player's games taken together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.game_standing import say_no_games
from pbem.cli.late import Json
from pbem.cli.own_games import own_games
from pbem.cli.own_home import at_home, command_of
from pbem.play.robot.robot_home import is_with_robot
from pbem.view.statistics import statistics
from pbem.words.games.statistics import statistics_told


def stats(context: typer.Context, json: Json = False) -> None:
    """Show how your games went: results by edition and side, and how long games and answers took.

    Only listed games count, except those against the robot on this computer. Your answers
    are timed from when you first saw the turn they answer, your opponents' from when you signed
    yours.
    """
    home = at_home(context)
    with own_games(context) as own:
        library = own.open()
        games = library.games()
        robots = {each.id for each in games if is_with_robot(home, each)}
        facts = statistics(games, library.waits(), library.beginnings(), robots)
    if json:
        console.say_data(facts)
    elif not games:
        say_no_games(command_of(context))
    else:
        console.say_lines(statistics_told(facts))
