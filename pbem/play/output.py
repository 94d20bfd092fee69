"""Room for files: new ones, and those that answer another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.savefile.disk import NewFile, check_room, read_file, room_for
from pbem.savefile.save_file import SaveFile
from pbem.savefile.unfinished import clear_away


def check_new(path: Path) -> None:
    """Raise WrongUse where a new file cannot be written, before anybody is asked anything."""
    clear_away(path.parent)
    if exists(path):
        raise WrongUse(
            "There is a file {file} already; it was not touched. Name another one.", file=path
        )
    _check_room(path)


def check_writable(path: Path, *, instead_of: Collection[bytes] = ()) -> None:
    """The same for a file that answers another.

    One that is there already stays, unless it ends with a record of which the hash is one of
    `instead_of`.
    """
    clear_away(path.parent)
    if exists(path) and _end_of(path, instead_of) is None:
        raise WrongUse(
            "There is a file {file} already, which may be your answer: send that one. "
            "Two different answers to one file look like cheating; if that one never left your "
            "computer, remove it first.",
            file=path,
        )
    _check_room(path)


def _check_room(path: Path) -> None:
    with reaching(path, NOT_WRITTEN):
        check_room(path)


def holds(path: Path, record: bytes) -> bool:
    """Whether there is a game in the file at that path that ends with the record of that hash."""
    return _end_of(path, (record,)) is not None


def is_there(path: Path, data: bytes) -> bool:
    """Whether there is a file at that path with just this content."""
    try:
        return read_file(path, len(data)) == data
    except Unreadable:
        return False


@contextmanager
def room_instead_of(
    path: Path, data: bytes, instead_of: Collection[bytes]
) -> Iterator[tuple[NewFile, bytes | None]]:
    """Room for a file that is to appear at that path, and which record ends the one there now.

    A file that is there already is replaced if it ends with a record of which the hash is one of
    `instead_of`; raises WrongUse for any other, and where there is no room.
    """
    end = _end_of(path, instead_of)
    with room_for(path, data, replaces=end is not None) as file:
        yield file, end


def _end_of(path: Path, hashes: Collection[bytes]) -> bytes | None:
    """That one of these hashes which is that of the last record in a file; None if none is."""
    if not hashes:
        return None
    try:
        last = SaveFile.read(read_file(path)).records[-1].hash
    except Unreadable:
        return None
    return last if last in hashes else None
