"""`acres stats`: the player's games taken together."""

from __future__ import annotations

from pbem.cli import console
from pbem.cli.game_standing import say_no_games
from pbem.cli.lazy import Json
from pbem.cli.own_home import own_command, own_games
from pbem.text.games.statistics import statistics, statistics_told


def stats(json: Json = False) -> None:
    """Show how your games went: results by edition and side, and how long they took.

    Only listed games count.
    """
    with own_games() as own:
        games = own.games()
        facts = statistics(games, own.beginnings())
    if json:
        console.say_data(facts)
    elif not games:
        say_no_games(own_command())
    else:
        console.say_lines(statistics_told(facts))
