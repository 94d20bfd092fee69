"""`acres games`: the games that the player's library lists."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.arrivals import look_through_folders
from pbem.cli.game_standing import say_game, say_no_games
from pbem.cli.lazy import LazyCommand, app_of
from pbem.cli.newest_file import games_listed
from pbem.cli.own_home import command_of
from pbem.library import Listed
from pbem.sources import now
from pbem.view.games import listed_facts
from pbem.words.games.listing import HEADINGS, dated_ahead


def _say_list(context: typer.Context, *, json: bool) -> None:
    look_through_folders(context)
    games = games_listed(context)
    if json:
        console.say_data([listed_facts(game, now()) for game in games])
    else:
        _say_games(games, now(), command_of(context))


def _say_games(games: Sequence[Listed], now: str, command: str) -> None:
    """Print games under whom they wait for; `command` is how the program is called."""
    if not games:
        say_no_games(command)
        return
    is_first = True
    for waits_for, heading in HEADINGS.items():
        some = [listed for listed in games if listed.game.waits_for == waits_for]
        if some and not is_first:
            console.say()
        if some:
            console.say(Message(heading), style="bold")
            is_first = False
        for listed in some:
            say_game(listed, now, command, games.index(listed) + 1)
            if ahead := dated_ahead(listed, now):
                console.item(ahead, indent=4)


_COMMANDS = {
    "add": LazyCommand("listed_games", "add"),
    "pace": LazyCommand("listed_games", "pace"),
    "forget": LazyCommand("listed_games", "forget"),
    "folders": LazyCommand("folder_commands", "app"),
}

app = app_of(
    name="games",
    help="List your games: whose move it is, since when, and where the last files are.",
    commands=_COMMANDS,
    say_list=_say_list,
)
