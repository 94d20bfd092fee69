"""Taking a save file out of a message or a mailbox, wherever the player has it."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import typer

from engine.message import Message, Run, message_of
from pbem.cli import console
from pbem.cli.given import CHOOSES, INPUT, Fork, Given, is_choice
from pbem.cli.home import own_key, program
from pbem.cli.own_library import own_library
from pbem.cli.paths import shown
from pbem.errors import Unreadable
from pbem.library import LibraryFailed, Listed
from pbem.mail.choice import Place, TwoWays, choose, files_in, no_file
from pbem.mail.messages import SavedMail, is_maildir, is_mbox
from pbem.mail.parts import in_safe_letters
from pbem.mail.search import Found
from pbem.play.game_file import GameFile
from pbem.savefile.disk import is_file, is_folder


def from_input(context: typer.Context, begun: bytes, *, joins: bool, compares: bool) -> Given:
    """The file that is meant on standard input, of which so much has been read."""
    mailbox, place = _piped(begun)
    return _taken(context, mailbox, place, joins=joins, compares=compares)


def from_pipe(
    context: typer.Context, file: Path, begun: bytes, *, joins: bool, compares: bool
) -> Given:
    """The file that is meant in what came through a pipe, all of which has been read."""
    place = Place(shown(file), "", _audit())
    return _taken(context, SavedMail(BytesIO(begun)), place, joins=joins, compares=compares)


def from_path(context: typer.Context, file: Path, *, joins: bool, compares: bool) -> Given:
    """The file that is meant in a message, an mbox or a Maildir."""
    mailbox, place = _opened(file)
    return _taken(context, mailbox, place, joins=joins, compares=compares)


def all_files(path: Path) -> list[tuple[Given, Found]]:
    """All save files in a message or a mailbox, also on standard input; Unreadable without any."""
    mailbox, place = _piped() if str(path) == INPUT else _opened(path)
    saves = [each for each in _looked_through(mailbox) if not each.is_evidence]
    if not saves:
        raise Unreadable(no_file(place))
    return [(_given(each, place), each) for each in saves]


def _opened(path: Path) -> tuple[SavedMail, Place]:
    """The mailbox that a player names."""
    game = ""
    if is_choice(path):
        before, _, game = str(path).rpartition(CHOOSES)
        path = Path(before)
    if is_folder(path) and not is_maildir(path):
        raise Unreadable("{file} is a folder, and neither a file nor a Maildir.", file=path)
    single = path if is_file(path) and not is_mbox(path) else None
    word = f"{path}{CHOOSES}"
    return SavedMail(path), Place(shown(path), word, _audit(), game.lower(), single)


def _piped(begun: bytes = b"") -> tuple[SavedMail, Place]:
    """The mailbox on standard input, of which so much has been read."""
    place = Place(Message("standard input"), "", _audit())
    return SavedMail(sys.stdin.buffer, begun), place


def _audit() -> str:
    return f"{program()} audit"


def _taken(
    context: typer.Context, mailbox: SavedMail, place: Place, *, joins: bool, compares: bool
) -> Given:
    files = _looked_through(mailbox)
    try:
        found, notes = choose(
            files,
            place,
            lambda: _listed(context),
            own_key(context),
            joins=joins,
            compares=compares,
        )
    except TwoWays as error:
        one, other = error.files
        raise Fork(message_of(error), (_given(one, place), _given(other, place))) from None
    for note in notes:
        console.warn(note)
    return _given(found, place)


def _looked_through(mailbox: SavedMail) -> list[Found]:
    files, notes = files_in(mailbox)
    for note in notes:
        console.warn(note)
    return files


def _listed(context: typer.Context) -> dict[bytes, Listed]:
    """The games that the library knows, by id."""
    library = own_library(context)
    try:
        games = library.open().games() if library else []
    except LibraryFailed:
        # It is warned of where it matters.
        return {}
    return {game.id: game for game in games}


def _given(found: Found, place: Place) -> Given:
    label = Run((place.label, ", ", found.where))
    return Given(found.data, label, place.path, found, found.mends)


def usual_place(context: typer.Context, given: Given, game: GameFile) -> Path:
    """The path after which the answer to a file is named that lies nowhere by itself."""
    match = game.match
    listed = _listed(context).get(match.id)
    known = (listed.file_out, listed.file_in) if listed else ()
    last = next((path for path in known if path and path.suffix == ".toml"), None)
    folder = last.parent if last and last.parent.is_dir() else Path()
    if given.found and given.found.name.endswith(".toml"):
        return folder / given.found.name
    if last:
        return folder / last.name
    key = own_key(context)
    names = [entrant.name for entrant in match.entrants.values() if entrant.key != key]
    return folder / f"{in_safe_letters(names[0] if names else match.invite.name)}.toml"
