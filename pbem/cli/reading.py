"""The game in a file, and who of its players looks at it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import NoPassphrase, has_identity, home_of, load_identity
from pbem.cli.moment import now

if TYPE_CHECKING:
    from pbem.answer import Answer, Notes
    from pbem.game_file import GameFile
    from pbem.identity import Identity
    from pbem.seat import Seat

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file your opponent sent.")]


def read_game(file: Path) -> GameFile:
    """The game in a file; raises Unreadable or NotProved."""
    from pbem.files import read_file
    from pbem.game_file import GameFile

    return GameFile.read(read_file(file))


def own_seat(context: typer.Context, game: GameFile) -> Seat | None:
    """The seat of whoever runs the program, if it is one of the players."""
    from pbem.seat import Seat

    identity = _identity_if_any(context)
    keys = {entrant.key for entrant in game.match.entrants.values()}
    if identity is None or identity.public_key not in keys:
        return None
    return Seat(game.match, identity)


def _identity_if_any(context: typer.Context) -> Identity | None:
    home = home_of(context)
    if not has_identity(home):
        return None
    try:
        return load_identity(home)
    except NoPassphrase as error:
        console.warn(str(error))
        return None


def begun(game: GameFile, seat: Seat | None) -> Answer | None:
    """The answer of this player as far as nothing is to be decided; None if it is not due."""
    from pbem.answer import Answer

    if seat is None or not seat.is_to_write:
        return None
    return Answer(game, seat.identity, now())


def say_notes(notes: Notes) -> None:
    """Print a player's private notes, or why they are lost."""
    warn_of_damage(notes)
    if notes.text:
        console.heading("Your notes")
        for line in notes.text.splitlines():
            console.item(console.clean(line))


def warn_of_damage(notes: Notes) -> None:
    """Print why a player's private notes are lost, if they are."""
    if notes.damage:
        console.warn(notes.damage)
