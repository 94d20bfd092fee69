"""`acres stats`: the player's games taken together."""

from __future__ import annotations

import typer

from pbem.cli import console
from pbem.cli.game_standing import say_no_games
from pbem.cli.lazy import Json
from pbem.cli.own_home import command_of, own_games
from pbem.view.statistics import statistics
from pbem.words.games.statistics import statistics_told


def stats(context: typer.Context, json: Json = False) -> None:
    """Show how your games went: results by edition and side, and how long they took.

    Only listed games count.
    """
    with own_games(context) as own:
        library = own.open()
        games = library.games()
        facts = statistics(games, library.beginnings())
    if json:
        console.say_data(facts)
    elif not games:
        say_no_games(command_of(context))
    else:
        console.say_lines(statistics_told(facts))
