"""`acres stats`: the player's games taken together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.games import say_no_games
from pbem.cli.late import Json
from pbem.cli.own_games import own_games
from pbem.cli.own_home import at_home, command_of
from pbem.play.robot.game_folders import is_with_robot
from pbem.view.statistics import statistics
from pbem.words.games.statistics import statistics_told


def stats(context: typer.Context, json: Json = False) -> None:
    """Tell how your games went: results by edition and side, how long they took, how quickly.

    These are the games that are listed. How long an answer took is counted from when you saw the
    turn that it answers, and of your opponents' from when you signed yours; the robot of this
    computer is none of them.
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
