"""Which files are to be sent: those that end with the player's own record, the one signed here."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.home import at_home, check_plays, without_identity
from pbem.cli.own_library import own_library, warn_of_library
from pbem.cli.reading import join_command, turn_command
from pbem.errors import WrongUse
from pbem.library import LibraryFailed
from pbem.mail.given import Given
from pbem.play.game_file import GameFile
from pbem.play.questions import Standing, earlier
from pbem.protocol.match import Match
from pbem.protocol.record import author_key


def check_own(context: typer.Context, file: Path, match: Match) -> None:
    """Raise WrongUse unless the file with this match is one that the player has to send.

    A file that holds another own record than this computer remembers must not leave it: both
    together would prove cheating.
    """
    key = at_home(context).own_key
    if match.is_joined:
        check_plays(context, match)
    elif key is None:
        raise without_identity(context)
    if author_key(match.last, match.records[:-1]) != key:
        raise WrongUse(_whose(context, file, match))
    _check_signed(context, match)


def path_of(context: typer.Context, file: Path, given: Given, game: GameFile) -> Path:
    """What an own file is called that the player has given as `file`, also in a letter of theirs.

    It is the path that its letter is written beside.
    """
    own = own_library(context)
    if given.is_file or own is None:
        return file
    return own.answer_path(game.match, game.match.last.index, name=given.name)


def _whose(context: typer.Context, file: Path, match: Match) -> Message:
    """Why a file of the other player is not to be sent, and what to do, in sentences."""
    if not match.is_joined:
        inviter = console.named(match.invite.name)
        return Message(
            "{player} wrote this invitation. To take it up: {command}",
            player=inviter,
            command=join_command(context, file),
        )
    other = console.named(next(e.name for s, e in match.entrants.items() if s == match.last.side))
    if match.next_side is None:
        return Message(
            "{player} wrote this file, and it closes the game: there is nothing left to send.",
            player=other,
        )
    return Message(
        "{player} wrote this file, and it is yours to answer. To answer: {command}",
        player=other,
        command=turn_command(context, "apply", file),
    )


def _check_signed(context: typer.Context, match: Match) -> None:
    library = own_library(context)
    if library is None or not library.is_usable:
        return
    try:
        before = earlier(library.open(), match.records)
    except LibraryFailed as error:
        library.failure = error
        warn_of_library(library)
        return
    if before is not None and before.standing is Standing.OTHER_OWN:
        raise WrongUse(
            "This file holds another record {record} in your name than the one that this "
            "computer signed: send the file with that one. Two different answers to one file "
            "are proof of cheating.",
            record=before.record.index,
        )
