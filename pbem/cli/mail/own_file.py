"""Which files are to be sent: those that end with the player's own record, the one signed here."""

from __future__ import annotations

from pathlib import Path

import typer

from pbem.cli.home import check_plays, command_of, own_library, warn_of_library, without_identity
from pbem.cli.reading import read_given, take
from pbem.mail import sending
from pbem.play.game_file import GameFile
from pbem.protocol.match import Match


def own_file(context: typer.Context, file: Path) -> tuple[GameFile, Path]:
    """The game in a file that the player has to send, and what that file is called.

    It is the path that its letter is written beside. Raises as `check_own`.
    """
    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    own = own_library(context)
    if given.is_file or own is None:
        return game, file
    return game, own.answer_path(game.match, game.match.last.index, name=given.name)


def check_own(context: typer.Context, file: Path, match: Match) -> None:
    """Raise WrongUse unless the file with this match is one that the player has to send."""
    if match.is_joined:
        check_plays(context, match)
    own = own_library(context)
    if own is None:
        raise without_identity(context)
    sending.check_own(match, own, file, command_of(context))
    warn_of_library(own)
