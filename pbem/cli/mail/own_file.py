"""A file that the player wants to send: read, as one of a game of theirs."""

from __future__ import annotations

from pathlib import Path

import typer

from pbem.cli.file_argument import read_given, take
from pbem.cli.own_games import check_plays, own_library
from pbem.cli.own_home import without_identity
from pbem.play.game_file import GameFile
from pbem.play.own_library import OwnLibrary
from pbem.protocol.match import Match


def own_file(context: typer.Context, file: Path) -> tuple[OwnLibrary, GameFile, Path]:
    """The player's library, the game in a file, and what that is called, also in a letter.

    It is the path that its letter is written beside. WrongUse for those who do not play in it.
    """
    given = take(context, file)
    game = read_given(context, given)
    own, match = library_of_player(context, game.match), game.match
    if not given.is_file:
        file = own.answer_path(match, match.last.index, name=given.name)
    return own, game, file


def library_of_player(context: typer.Context, match: Match) -> OwnLibrary:
    """The library of the player, who plays in that match; raises WrongUse for anybody else."""
    if match.is_joined:
        check_plays(context, match)
    own = own_library(context)
    if own is None:
        raise without_identity(context)
    return own
