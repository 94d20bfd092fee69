"""Files of a player: room for new ones, and which are to be sent.

One that is there already is never replaced, unless it ends with a record that is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.message import Message
from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.foreign import named, quoted
from pbem.play.listed import records_at
from pbem.play.questions import Standing, earlier
from pbem.play.store import LibraryFailed, Listed, Store
from pbem.protocol.match import Match
from pbem.protocol.record import author_key
from pbem.savefile.disk import NewFile, check_room, clear_away, read_file, room_for


def check_new(path: Path) -> None:
    """Raise WrongUse if a new file cannot be written, before anybody is asked anything."""
    clear_away(path.parent)
    if exists(path):
        raise WrongUse(
            "There is already a file {file}; it was not touched. Name another one.", file=path
        )
    _check_room(path)


def check_writable(path: Path, *, instead_of: Collection[bytes] = ()) -> None:
    """Raise WrongUse if a file that answers another cannot be written.

    One that is there already stays, unless it ends with a record of which the hash is one of
    `instead_of`.
    """
    clear_away(path.parent)
    if exists(path) and _end_of(path, instead_of) is None:
        raise WrongUse(
            "There is already a file {file}, which may be your answer: send that one. Two "
            "different answers to one file look like cheating; if that one never left your "
            "computer, remove it first.",
            file=path,
        )
    _check_room(path)


def _check_room(path: Path) -> None:
    with reaching(path, NOT_WRITTEN):
        check_room(path)


def holds(path: Path, record: bytes) -> bool:
    """Return True if the game in the file at that path ends with the record of that hash."""
    return _end_of(path, (record,)) is not None


def is_there(path: Path, data: bytes) -> bool:
    """Return True if there is a file at that path with exactly this content."""
    try:
        return read_file(path, len(data)) == data
    except Unreadable:
        return False


@contextmanager
def room_instead_of(
    path: Path, size: int, instead_of: Collection[bytes]
) -> Iterator[tuple[NewFile, bytes | None]]:
    """Make room for a file at that path; yield it, and the hash of the last record there now.

    A file that is there already is replaced if it ends with a record of which the hash is one of
    `instead_of`; raises WrongUse for any other, and if there is no room.
    """
    end = _end_of(path, instead_of)
    with room_for(path, size, replaces=end is not None) as file:
        yield file, end


def _end_of(path: Path, hashes: Collection[bytes]) -> bytes | None:
    """Return that one of these hashes which is of the last record in a file; None if none is."""
    last = records_at(path)[-1:] if hashes else ()
    return next((record.hash for record in last if record.hash in hashes), None)


# --- files that are the player's to send: which are left, and why another is not


def unsent_files(own: Store) -> Iterator[tuple[Listed, Path]]:
    """Yield the last files of all games that are own and not sent; raises LibraryFailed."""
    for listed in own.games():
        file, last = listed.file_out, listed.game.last
        if file is not None and not own.dispatch(listed.id, last) and holds(file, last):
            yield listed, file


def check_own(match: Match, own: Store, file: Path, command: str) -> None:
    """Raise WrongUse unless the file with this match is one that the player has to send.

    A file with a record of the player's other than the one this computer remembers must not leave
    it: both together would prove cheating. If that cannot be looked up, `own` has failed.
    """
    if author_key(match.last, match.records[:-1]) != own.key:
        raise WrongUse(_whose(match, file, command))
    if own.failure is not None:
        return
    try:
        before = earlier(own, match.records)
    except LibraryFailed as error:
        own.failure = error
        return
    if before is not None and before.standing is Standing.OTHER_OWN:
        raise WrongUse(
            "This file holds a record {record} in your name that differs from the one this "
            "computer signed: send the file with that one. Two different answers to one file are "
            "proof of cheating.",
            record=before.record.index,
        )


def _whose(match: Match, file: Path, command: str) -> Message:
    """Return why a file of the other player is not to be sent, and what to do."""
    if not match.is_joined:
        return Message(
            "{player} wrote this invitation. To accept it: {command}",
            player=named(match.invite.name),
            command=f"{command} join {quoted(file)}",
        )
    other = named(next(e.name for s, e in match.entrants.items() if s == match.last.side))
    if match.next_side is None:
        return Message(
            "{player} wrote this file, and it closes the game: there is nothing left to send.",
            player=other,
        )
    return Message(
        "{player} wrote this file, and it is yours to answer. To answer: {command}",
        player=other,
        command=f"{command} turn apply {quoted(file)}",
    )
