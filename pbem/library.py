"""The library: what this computer has signed, so that no player signs twice by mistake.

It is an SQLite database beside the identity. Losing it loses no game: what it holds is only there
to refuse what would look like cheating.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.deck import show_every_list
from pbem.encoding import canonical_json
from pbem.errors import WrongUse
from pbem.record import Record
from pbem.steps import Accept, OpenLists, Shuffle, Step

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

VERSION = 1
"""Of the tables below, as `PRAGMA user_version` has it; 0 is a database without any."""
BUSY_SECONDS = 5.0
"""How long another process that writes is waited for."""
_MAKE_ROOM = "Make room on the disk, and run this again."

_TABLES = """
CREATE TABLE IF NOT EXISTS signed (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    "index" INTEGER NOT NULL,
    hash BLOB NOT NULL,
    previous BLOB NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (game, key, "index")
)
"""
# What another record took the place of: it may have been sent all the same. It came later than
# VERSION 1, and earlier programs need not know of it.
_REPLACED = "CREATE TABLE IF NOT EXISTS replaced AS SELECT * FROM signed WHERE FALSE"
# So did this: for the file of each record where it was to be written, and by how many processes.
_DESTINATIONS = """
CREATE TABLE IF NOT EXISTS destinations (
    game BLOB NOT NULL,
    key BLOB NOT NULL,
    "index" INTEGER NOT NULL,
    hash BLOB NOT NULL,
    file BLOB,
    instead_of BLOB,
    writers INTEGER NOT NULL,
    PRIMARY KEY (game, key, "index", hash)
)
"""
_PLACE = 'WHERE game = ? AND key = ? AND "index" = ?'
_RECORD = f"{_PLACE} AND hash = ?"


class LibraryFailed(Exception):
    """The library cannot be used; the message says why, in a phrase."""


class LibraryBlocked(LibraryFailed):
    """It cannot be used for now, so that nothing is to be signed; `remedy` says what to do."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.remedy = remedy


class SignedMeanwhile(WrongUse):
    """Another process has just signed another record in this game."""


class Destination(NamedTuple):
    """Where the file with a signed record was to be written, absolute.

    `instead_of` is the hash of the record in which the file ends that stood there before, if it was
    to take the place of one.
    """

    file: Path
    instead_of: bytes | None = None


@dataclass(frozen=True)
class Signing:
    """A record that is remembered, and whose file is still to be written.

    `replaced` are the records whose place it took, by their indexes; `is_first` says that it was
    not remembered before.
    """

    library: Library
    game: bytes
    record: Record
    replaced: Mapping[int, bytes]
    is_first: bool

    def take_back(self) -> None:
        """Forget the record, because its file never came to be.

        It stays where another process has come to remember it too, and may have written it. Raises
        LibraryFailed.
        """
        if self.is_first:
            self.library._forget(self.game, self.record, self.replaced)


class Library:
    """What the owner of `key` has signed, as the database at `path` has it.

    A database that is not there yet is empty; it is made, for its owner alone, when something is
    first remembered. All methods raise LibraryFailed where it cannot be used.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self.key = key

    def hashes(self, game: bytes) -> dict[int, bytes]:
        """The hash of each record signed in a game, by its index, in ascending order."""
        with self._opened() as database:
            return {} if database is None else self._hashes(database, game)

    def signed(self, game: bytes, index: int) -> Record | None:
        """The record signed in that place of a game; None if none was."""
        with self._opened() as database:
            found = None
            if database is not None:
                found = database.execute(
                    f"SELECT record, hash FROM signed {_PLACE}", (game, self.key, index)
                ).fetchone()
        return None if found is None else self._read(found[0], found[1], index)

    def shuffling(self, game: bytes) -> list[Record]:
        """All records signed in a game that shuffle or open a shuffle, replaced ones too."""
        with self._opened() as database:
            if database is None:
                return []
            has_replaced = _has(database, "replaced")
            found = [
                row
                for table in ("signed", "replaced")[: 2 if has_replaced else 1]
                for row in database.execute(
                    f'SELECT record, hash, "index" FROM {table} WHERE game = ? AND key = ? '
                    """AND (record LIKE '%"open-lists"%' OR record LIKE '%"shuffle"%')""",
                    (game, self.key),
                )
            ]
        return [self._read(*row) for row in found]

    def destination(self, game: bytes, record: Record) -> Destination | None:
        """Where a signed record was to be written last; None where nobody remembers."""
        with self._opened() as database:
            found = None
            if database is not None and _has(database, "destinations"):
                found = database.execute(
                    f"SELECT file, instead_of FROM destinations {_RECORD}",
                    (game, self.key, record.index, record.hash),
                ).fetchone()
        if found is None or found[0] is None:
            return None
        return Destination(Path(os.fsdecode(found[0])), found[1])

    def remember(
        self,
        game: bytes,
        record: Record,
        *,
        looked_up: Mapping[int, bytes] | None = None,
        replacing: Collection[int] = (),
        destination: Destination | None = None,
    ) -> Signing:
        """Remember a record that was signed, before it is written: for good when this returns.

        It takes the place of the records with the indexes `replacing`. Of processes that sign at
        once one gets through: raises SignedMeanwhile where another record has its place, or where
        other hashes are remembered in the game than when it was `looked_up`.
        """
        with self._opened(to_write=True) as database:
            assert database is not None
            database.execute("BEGIN IMMEDIATE")
            _prepare(database)
            found = self._hashes(database, game)
            is_first = found.get(record.index) != record.hash
            if is_first:
                is_taken = record.index in found and record.index not in replacing
                if is_taken or looked_up not in (None, found):
                    raise SignedMeanwhile(
                        "You have just signed another answer in this game, in another window: send "
                        "that one, not two. Nothing was written."
                    )
                for index in replacing:
                    place = (game, self.key, index)
                    database.execute(f"INSERT INTO replaced SELECT * FROM signed {_PLACE}", place)
                    database.execute(f"DELETE FROM signed {_PLACE}", place)
                self._insert(database, game, record)
            self._direct(database, game, record, destination)
            database.execute("COMMIT")
        replaced = {index: found[index] for index in replacing if index in found}
        return Signing(self, game, record, replaced, is_first)

    def _direct(
        self, database: Connection, game: bytes, record: Record, to: Destination | None
    ) -> None:
        """Note where a record is to be written, and that one more process is about it."""
        file, instead_of = (os.fsencode(to.file), to.instead_of) if to else (None, None)
        place = (game, self.key, record.index, record.hash)
        changed = database.execute(
            f"UPDATE destinations SET file = ?, instead_of = ?, writers = writers + 1 {_RECORD}",
            (file, instead_of, *place),
        )
        if not changed.rowcount:
            row = (*place, file, instead_of, 1)
            database.execute("INSERT INTO destinations VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _forget(self, game: bytes, record: Record, replaced: Mapping[int, bytes]) -> None:
        """Undo `remember`, unless somebody came after it."""
        with self._opened(to_write=True) as database:
            assert database is not None
            database.execute("BEGIN IMMEDIATE")
            place = (game, self.key, record.index, record.hash)
            alone = f"DELETE FROM destinations {_RECORD} AND writers = 1"
            if not database.execute(alone, place).rowcount:
                return
            if database.execute(f"DELETE FROM signed {_RECORD}", place).rowcount:
                for index, hash_ in replaced.items():
                    old = (game, self.key, index, hash_)
                    back = f"INSERT OR IGNORE INTO signed SELECT * FROM replaced {_RECORD}"
                    database.execute(back, old)
                    database.execute(f"DELETE FROM replaced {_RECORD}", old)
            database.execute("COMMIT")

    def _hashes(self, database: Connection, game: bytes) -> dict[int, bytes]:
        found = database.execute(
            'SELECT "index", hash FROM signed WHERE game = ? AND key = ? ORDER BY "index"',
            (game, self.key),
        ).fetchall()
        if not all(type(index) is int and type(hash_) is bytes for index, hash_ in found):
            raise LibraryFailed("it is damaged")
        return dict(found)

    def _insert(self, database: Connection, game: bytes, record: Record) -> None:
        text = canonical_json(record.to_plain()).decode()
        database.execute(
            "INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?)",
            (game, self.key, record.index, record.hash, record.previous, text),
        )

    def _read(self, text: object, hash_: object, index: int) -> Record:
        """A record as it was signed: nobody is refused anything for a damaged one."""
        # Imported here because few files were signed before.
        import json

        try:
            record = Record.from_plain(json.loads(str(text)))
        except (ValueError, RecursionError):
            raise LibraryFailed(f"its record {index} is damaged") from None
        if (record.index, record.hash) != (index, hash_) or not record.verify(self.key):
            raise LibraryFailed(f"its record {index} is damaged")
        return record

    @contextmanager
    def _opened(self, *, to_write: bool = False) -> Iterator[Connection | None]:
        """The database; None where there is nothing to read. What is not committed is undone."""
        if not to_write and not self._is_there():
            yield None
            return
        try:
            # Imported here because a player's first commands find no database, and some Pythons
            # come without it.
            import sqlite3
        except ImportError:
            raise LibraryFailed("this Python comes without sqlite3") from None
        try:
            if to_write:
                self._make()
            address = f"{self.path.absolute().as_uri()}?mode=rw"
            connect = sqlite3.connect(address, BUSY_SECONDS, isolation_level=None, uri=True)
            with closing(connect) as database:
                if to_write:
                    # What is remembered outlasts a power cut: its file is written after it.
                    database.execute("PRAGMA synchronous = EXTRA")
                yield database if _version(database) or to_write else None
        except sqlite3.Error as error:
            raise _failure(error) from None

    def _is_there(self) -> bool:
        try:
            return self.path.exists()
        except OSError as error:
            raise LibraryFailed(str(error.strerror)) from None

    def _make(self) -> None:
        try:
            # SQLite gives its other files the permissions of this one.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise LibraryBlocked(str(error.strerror), _MAKE_ROOM) from None
            raise LibraryFailed(str(error.strerror)) from None


def _failure(error: Error) -> LibraryFailed:
    """What an error of SQLite means for who wants to sign."""
    import sqlite3

    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryBlocked(
            "another acres has it locked", "Let that one finish, and run this again."
        )
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return LibraryBlocked("the disk is full", _MAKE_ROOM)
    if code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC):
        return LibraryBlocked("the disk does not take what is written", _MAKE_ROOM)
    return LibraryFailed(str(error))


def _has(database: Connection, table: str) -> bool:
    """Whether an earlier program has made that table."""
    found = database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return found is not None


def _version(database: Connection) -> int:
    """The version of the tables; raises LibraryFailed for one that is not known here."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise LibraryFailed("it was made by a newer acres: update yours")
    return int(version)


def _prepare(database: Connection) -> None:
    """Make the tables that a database has not yet."""
    if _version(database) < VERSION:
        database.execute(_TABLES)
        database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute(_REPLACED)
    database.execute(_DESTINATIONS)


# --- what a file is to who has signed in its game


class Standing(Enum):
    """Why a file is not simply one to be answered."""

    ANSWERED = "answered already"
    OLDER = "older than what was answered"
    OTHER_BEFORE = "another record than the one that was answered"
    OTHER_OWN = "another record in the own name than the one that was signed"


@dataclass(frozen=True)
class Earlier:
    """What was signed earlier and stands against answering a file.

    `record` is the one that says so; `not_in_file` are the indexes of all own records that the
    file lacks or has otherwise.
    """

    standing: Standing
    record: Record
    not_in_file: tuple[int, ...]


def earlier(library: Library, records: Sequence[Record]) -> Earlier | None:
    """What stands against answering the file with these records, which a match has accepted.

    None if all that was signed in the game is in it. Raises LibraryFailed.
    """
    game, number = records[0].hash, len(records)
    missing = tuple(
        index
        for index, hash_ in library.hashes(game).items()
        if index >= number or records[index].hash != hash_
    )
    if not missing:
        return None
    first, last = (library.signed(game, index) for index in (missing[0], missing[-1]))
    if first is None or last is None:
        # Another process has replaced it just now.
        return None
    if first.index < number:
        is_own = records[first.index].verify(library.key)
        return Earlier(Standing.OTHER_OWN, first, missing) if is_own else None
    if first.index == number and first.previous != records[-1].hash:
        return Earlier(Standing.OTHER_BEFORE, first, missing)
    if last.index == number:
        return Earlier(Standing.ANSWERED, first, missing)
    return Earlier(Standing.OLDER, last, missing)


# --- what would show a whole pile


def gives_away(
    library: Library, game: bytes, previous: bytes, taken: Sequence[Step]
) -> Record | None:
    """The record signed earlier that, with these steps, shows every list of an own shuffle.

    They stand in a record that follows `previous`. A shuffle made again after the same record has
    the same lists: another one will be granted, and have to be opened. Raises LibraryFailed.
    """
    opened = {step.epoch: step.siblings for step in taken if isinstance(step, OpenLists)}
    # Another acceptance has another nonce, and so other seeds.
    again = set() if isinstance(taken[0], Accept) else _shuffled(taken)
    if not opened and not again:
        return None
    before = library.shuffling(game)
    again &= {
        e for record in before if record.previous == previous for e in _shuffled(record.steps)
    }
    for record in before:
        for step in record.steps:
            if not isinstance(step, OpenLists) or not step.siblings:
                continue
            if step.epoch in again or show_every_list(opened.get(step.epoch, ()), step.siblings):
                return record
    return None


def _shuffled(taken: Sequence[Step]) -> set[int]:
    return {step.epoch for step in taken if isinstance(step, Shuffle)}
