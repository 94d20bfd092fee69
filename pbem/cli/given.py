"""What a player gives as FILE on the command line.

A save file itself is known by its first bytes, and what reads messages is not imported for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.home import own_key, program
from pbem.cli.own_library import own_library
from pbem.cli.paths import shown
from pbem.errors import Unreadable
from pbem.mail.given import INPUT, Given, is_choice, is_save_file, plain
from pbem.savefile.disk import is_file, is_folder, is_there, next_name, read_file
from pbem.savefile.document import MAX_SIZE

if TYPE_CHECKING:
    from pbem.library import Listed
    from pbem.mail.choice import Seeker
    from pbem.play.game_file import GameFile

MAX_PIPED = 8 * 1024 * 1024
"""So much is read of a pipe that has a name: no message is larger."""
_T = TypeVar("_T")

_SUFFIXES = (".toml", ".eml")


def take(
    context: typer.Context, file: Path, *, joins: bool = False, compares: bool = False
) -> Given:
    """The save file that the player means by FILE.

    That is a save file; a message, an mbox or a Maildir with one; or standard input with any of
    them, or with a text that was copied out of a message. `joins` says that an invitation is looked
    for. Raises Unreadable where there is none, WrongUse where it is not clear which is meant, and
    TwoWays for two that go on in different ways, unless one does so as the player's game does and
    nobody `compares` them.
    """
    data, is_stream = b"", str(file) == INPUT
    path, label = (None, Message("standard input")) if is_stream else (file, shown(file))
    if is_stream:
        data = sys.stdin.buffer.read(MAX_SIZE + 1)
    elif not is_folder(file) and not is_choice(file):
        # A pipe, such as the shell makes of <(command), can be read only once.
        is_stream = is_there(file) and not is_file(file)
        data = read_file(file, MAX_PIPED) if is_stream else read_file(file)
    if is_save_file(data):
        return plain(data, label, path)
    from pbem.mail.taking import take_from

    seeker = seeker_of(context, joins=joins, compares=compares)
    if path is None:
        return take_from(sys.stdin.buffer, seeker, label, data)
    return take_from(BytesIO(data) if is_stream else path, seeker, label)


def seeker_of(context: typer.Context, *, joins: bool = False, compares: bool = False) -> Seeker:
    """The player, as one who wants a file out of a mailbox."""
    from pbem.mail.choice import Seeker

    return Seeker(
        own_key(context),
        lambda: _listed(context),
        console.warn,
        f"{program()} audit",
        joins=joins,
        compares=compares,
    )


def _listed(context: typer.Context) -> dict[bytes, Listed]:
    """The games that the library knows, by id; where it cannot be used, that is said elsewhere."""
    from pbem.library import LibraryFailed

    library = own_library(context)
    with suppress(LibraryFailed):
        return {game.id: game for game in library.open().games()} if library else {}
    return {}


def read_or_restore(
    given: Given, read: Callable[[bytes], _T], own_key: bytes | None = None
) -> tuple[_T, Given]:
    """What `read` makes of the file that was given, and that file, with what had to be mended.

    A file that was copied out of a message by hand may have to be restored first. Raises Unreadable
    where it is none, and FileFails as `explaining` tells it to whoever has `own_key`.
    """
    from pbem.cli.findings import explaining

    try:
        with explaining(given.data, own_key, given.where, is_as_sent=given.is_as_sent):
            return read(given.data), given
    except Unreadable:
        from pbem.mail.taking import restored

        again = restored(given)
        if again is None:
            raise
    with explaining(again.data, own_key, is_as_sent=False):
        return read(again.data), again


def names_file(text: str) -> bool:
    """Whether a word of a command line names a FILE, where it could be something else."""
    path = Path(text)
    return (
        text == INPUT
        or text.endswith(_SUFFIXES)
        or len(path.parts) > 1
        or is_file(path)
        or is_choice(path)
    )


def answer_path(context: typer.Context, given: Given, game: GameFile, index: int) -> Path:
    """Where the answer to a file goes, whose last record will be `index`.

    It is written beside a save file. One that came in a message has no place of its own: its answer
    is written beside the last file of the game that the library knows, else in the current folder.
    """
    if given.is_file and given.path is not None:
        return next_name(given.path, index)
    from pbem.mail.taking import usual_place

    listed = _listed(context).get(game.match.id)
    return next_name(usual_place(given, game.match, listed, own_key(context)), index)
