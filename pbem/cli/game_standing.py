"""How the games of the player stand, printed: each by itself, or all together for `acres stats`."""

from __future__ import annotations

from engine.message import Message, Run
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.homes import own_games
from pbem.cli.lazy import Json
from pbem.play.store import Listed
from pbem.text.games.listing import (
    called_with_rules,
    how_to_play,
    last_file,
    overdue_told,
    standing,
)
from pbem.text.games.statistics import statistics, statistics_told


def say_no_games(command: str) -> None:
    """Print that no game is listed, and how one comes to be."""
    console.say(Message("No game is listed yet. If you have files of games, find them with:"))
    console.say_whole(Run(("  ", Message("{command} games add FOLDER", command=command))))
    console.say_whole(
        Message("To begin one: {command} new, or {command} join FILE", command=command)
    )


def say_game(listed: Listed, now: str, command: str, number: int | None = None) -> None:
    """Print how a game stands, how it is played on, and where its last file is.

    Before it stands its `number` in the list, where it has one.
    """
    console.item(Run((f"{number}. " if number else "", called_with_rules(listed))))
    console.item(standing(listed, now), indent=4)
    if late := overdue_told(listed, now):
        console.item(late, "bold", indent=4)
    if number and (play := how_to_play(listed, number, command)):
        console.say_whole(Run(("    ", play)))
    if last := last_file(listed, command):
        console.say_whole(Run(("    ", last)))


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
        say_no_games(current_app().command)
    else:
        console.say_lines(statistics_told(facts))
