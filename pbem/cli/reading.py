"""The game in a file, and who of its players looks at it or answers it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, message_of
from pbem.cli import console
from pbem.cli.clocks import warn_of_dates
from pbem.cli.completion import saves
from pbem.cli.given import read_or_restore, take
from pbem.cli.home import command_of, has_identity, has_library, load_identity, own_key
from pbem.cli.own_library import own_library, warn_of_library
from pbem.cli.passphrases import NoPassphrase
from pbem.cli.paths import quoted
from pbem.cli.progress import CHECKING, progress
from pbem.errors import WrongUse
from pbem.mail.given import Given

if TYPE_CHECKING:
    from pbem.play.game_file import GameFile
    from pbem.play.look import Spectator
    from pbem.play.seat import Seat
    from pbem.protocol.identity import Identity

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The file your opponent sent, or the message with it.",
        autocompletion=saves,
    ),
]


def read_game(context: typer.Context, file: Path) -> GameFile:
    """The game in a file, or in the message that was saved; raises as `take` and `read_given`."""
    return read_given(context, take(context, file))


def read_given(context: typer.Context, given: Given) -> GameFile:
    """The game in what a player gave; raises Unreadable or FileFails."""
    from pbem.play.game_file import GameFile

    own = own_library(context)

    def read(data: bytes) -> GameFile:
        with progress(CHECKING) as course:
            if own is None:
                return GameFile.read(data, passing=course.passing, path=given.path)
            return own.read(data, given.path, course.passing)

    game, _ = read_or_restore(given, read, own.key if own else None)
    if own is not None:
        warn_of_library(own)
    warn_of_dates(context, game.match)
    return game


def who_looks(context: typer.Context, game: GameFile) -> Seat | Spectator:
    """The seat of whoever runs the program, if it is one of the players and can prove it."""
    from pbem.play.look import Spectator
    from pbem.play.seat import Seat

    if not has_identity(context):
        return Spectator.KEY_GONE if has_library(context) else Spectator.NO_KEY
    key = own_key(context)
    if key is not None and all(entrant.key != key for entrant in game.match.entrants.values()):
        return Spectator.OTHER_KEY
    try:
        return Seat(game.match, load_identity(context))
    except NoPassphrase as error:
        console.warn(message_of(error))
        return Spectator.SEALED


def why_spectator(context: typer.Context, who: Spectator) -> Message:
    """Why somebody sees only what everybody may see, in a clause."""
    from pbem.play.look import Spectator

    if who is Spectator.KEY_GONE:
        return Message(
            "your identity is gone; a recovery text brings it back: {command} key restore",
            command=command_of(context),
        )
    if who is Spectator.NO_KEY:
        return Message("you have no identity here")
    if who is Spectator.OTHER_KEY:
        return Message("your key is not one of the players'")
    return Message("your identity is sealed")


def who_answers(context: typer.Context, game: GameFile, file: Path) -> Identity:
    """The identity of the player who wants to answer the game in that file.

    Raises as `load_identity`, and WrongUse for an invitation, which is to be joined.
    """
    if game.match.is_joined:
        from pbem.cli.lost_keys import check_plays

        check_plays(context, game.match)
    identity = load_identity(context)
    if not game.match.is_joined and game.match.invite.key != identity.public_key:
        command = join_command(context, file)
        raise WrongUse("This is an invitation. To take it up: {command}", command=command)
    return identity


def join_command(context: typer.Context, file: Path) -> str:
    """The command that takes up the invitation in a file."""
    return f"{command_of(context)} join {quoted(file)}"


def turn_command(context: typer.Context, verb: str, file: Path) -> str:
    """The command that does something with the turn in a file: show, legal, apply or resign."""
    return f"{command_of(context)} turn {verb} {quoted(file)}"
