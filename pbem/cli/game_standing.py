"""How the games of the player stand, printed: each by itself, or all together for `acres stats`."""

from __future__ import annotations

from engine.message import Message, Run
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.help import Json
from pbem.cli.homes import own_games
from pbem.play.store import Listed
from pbem.sources import now
from pbem.text import games
from pbem.text.games import statistics, statistics_told


def say_no_games() -> None:
    """Print that no game is listed, and how one comes to be."""
    command = current_app().command
    console.say(Message("No game is listed yet. If you have files of games, find them with:"))
    console.say_whole(Run(("  ", Message("{command} games add FOLDER", command=command))))
    console.say_whole(
        Message("To begin one: {command} new, or {command} join FILE", command=command)
    )


def say_game(listed: Listed, number: int | None = None) -> None:
    """Print how a game stands, how it is played on, and where its last file is.

    Before it stands its `number` in the list, if it has one.
    """
    command, time = current_app().command, now()
    console.item(Run((f"{number}. " if number else "", games.called_with_rules(listed))))
    console.item(games.standing(listed, time), indent=4)
    if late := games.overdue_told(listed, time):
        console.item(late, "bold", indent=4)
    if number and (play := games.how_to_play(listed, number, command)):
        console.say_whole(Run(("    ", play)))
    if last := games.last_file(listed, command):
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
        say_no_games()
    else:
        console.say_lines(statistics_told(facts))
