"""FILE where the player names a game, or nothing: the newest file of that game, wherever it lies.

Folders are looked through first, so that what came is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from engine.message import Message, labelled, sentences
from pbem.cli import console
from pbem.cli.own_games import own_games, own_library
from pbem.cli.own_home import at_home, command_of
from pbem.errors import WrongUse
from pbem.library import Acquaintance, Listed
from pbem.mail.in_folders import look_through
from pbem.play.folders import places, watched
from pbem.play.listed import in_order, is_found, meant, newest_files, the_one
from pbem.words.games.listing import called, which_game

if TYPE_CHECKING:
    from pbem.mail.intake import Came


def look_around(context: typer.Context, *, anew: bool = False) -> list[Came]:
    """Note what came into the folders of the player's games, and those that are watched.

    With `anew` also what was looked at before. Warns of what is to be minded; the rest is given.
    """
    home, own = at_home(context), own_library(context)
    if own is None:
        return []
    folders = places(home, own.listed().values(), watched(home))
    came = look_through(own, folders, home.games, command_of(context), anew=anew)
    for each in came:
        if each.is_warning:
            console.warn(each.told)
    return came


def games_listed(context: typer.Context) -> list[Listed]:
    """The player's games, as `acres games` numbers them; raises as `own_games`."""
    with own_games(context) as own:
        return in_order(own.open().games())


def game_meant(context: typer.Context, word: str = "", *, whole: bool = False) -> Listed | None:
    """The game that a word means; without one that which waits, or the only one that goes on.

    None where a word means none. Raises WrongUse where several may be meant, or there is no game to
    be meant without a word, and as `own_games`. `whole` is as for `meant`.
    """
    games = games_listed(context)
    found = meant(games, word, _met(context), whole=whole) if word else games
    one = the_one(found)
    if one is None and found:
        raise WrongUse(which_game([(games.index(each) + 1, each) for each in found]))
    if one is None and not word:
        begin = Message(
            "To begin one: {command} new, or {command} join FILE", command=command_of(context)
        )
        raise WrongUse(sentences(Message("No game is listed yet."), begin))
    return one


def newest_of(context: typer.Context, listed: Listed) -> Path:
    """The newest file of a listed game; raises WrongUse where none is found any more.

    Where it is not where it was, it is looked for in all folders.
    """
    if not is_found(listed):
        look_around(context, anew=True)
        listed = next((each for each in games_listed(context) if each.id == listed.id), listed)
    files = newest_files(listed)
    if not files:
        gone = Message("No file of this game is found any more.")
        find = Message("{command} games add FOLDER", command=command_of(context))
        how = Message("If you have put it elsewhere, look there with: {command}", command=find)
        raise WrongUse(labelled(called(listed), sentences(gone, how)))
    if not is_found(listed):
        console.warn(
            Message(
                "The newest file of this game is not found any more; this is the one before it: "
                "{file}",
                file=files[0],
            )
        )
    return files[0]


def _met(context: typer.Context) -> Sequence[Acquaintance]:
    with own_games(context) as own:
        return own.players().all()
