"""The library: what this computer has signed, so that no player signs twice by mistake.

It is an SQLite database beside the identity. Losing it loses no game: what it holds is only there
to refuse what would look like cheating.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.deck import show_every_list
from pbem.encoding import canonical_json
from pbem.errors import WrongUse
from pbem.record import Record
from pbem.steps import Accept, OpenLists, Shuffle, Step

if TYPE_CHECKING:
    from sqlite3 import Connection

VERSION = 1
"""Of the tables below, as `PRAGMA user_version` has it; 0 is a database without any."""
BUSY_SECONDS = 5.0
"""How long another process that writes is waited for."""

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
_PLACE = 'WHERE game = ? AND key = ? AND "index" = ?'


class LibraryFailed(Exception):
    """The library cannot be used; the message says why, in a phrase."""


class SignedMeanwhile(WrongUse):
    """Another process has just signed another record in this place."""


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
            has_replaced = database.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'replaced'"
            ).fetchone()
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

    def remember(self, game: bytes, record: Record) -> None:
        """Remember a record that was signed; raises SignedMeanwhile if another has its place."""
        with self.remembering(game, record):
            pass

    @contextmanager
    def remembering(
        self, game: bytes, record: Record, *, forgetting: Iterable[int] = ()
    ) -> Iterator[None]:
        """Remember a record if, and only if, what is done within comes to its end.

        No other process can sign in the same place meanwhile: raises SignedMeanwhile, before
        anything is done, if one has. The records in the places `forgetting` are replaced by it.
        """
        with self._opened(to_write=True) as database:
            assert database is not None
            database.execute("BEGIN IMMEDIATE")
            _prepare(database)
            for index in forgetting:
                place = (game, self.key, index)
                database.execute(f"INSERT INTO replaced SELECT * FROM signed {_PLACE}", place)
                database.execute(f"DELETE FROM signed {_PLACE}", place)
            found = self._hashes(database, game).get(record.index)
            if found is None:
                self._insert(database, game, record)
            elif found != record.hash:
                raise SignedMeanwhile(
                    "This file was answered on this computer just now: send that answer, not two."
                )
            yield
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
                yield database if _version(database) or to_write else None
        except sqlite3.Error as error:
            raise LibraryFailed(str(error)) from None

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
            raise LibraryFailed(str(error.strerror)) from None


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
