"""The cache of a club's audits: the contents of sources, and verdicts, by their digests.

It is a database of its owner. Whoever can write a club's folder cannot write verdicts, and a cache
that others can write is refused. Whatever is damaged or was written by another version of the
program counts as missing, so that it only costs time.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

import engine
import pbem
from pbem.errors import UsageError, report_os_errors
from pbem.foreign import display_path
from pbem.play.store.schema import sqlite3
from pbem.protocol.cache import program_digest, read, write
from pbem.protocol.primitives import Tag, tagged_hash

Table: TypeAlias = Literal["contents", "verdicts"]
TABLES: tuple[Table, ...] = ("contents", "verdicts")
_SEAL = 32
"""The length of the digest before each value, in bytes."""
_WAIT = 60.0
"""The time to wait for another process that writes, in seconds."""


class Cache:
    """The cache in the file `path`; without one it ends with this process.

    With `fresh` it begins empty. Raises UsageError if others can write the file. `database` is also
    for temporary tables.
    """

    def __init__(self, path: Path | None, *, fresh: bool = False) -> None:
        self._path = path
        if path is not None:
            _make_private(path)
        try:
            self.database = self._open(fresh=fresh)
        except sqlite3.Error as error:
            if path is None or type(error) is not sqlite3.DatabaseError:
                raise cache_error(path, error) from None
            self.remove()
            self.database = self._open(fresh=True)

    def _open(self, *, fresh: bool) -> Any:
        """Return the database, with tables that are empty unless this program wrote them."""
        # An empty name is a temporary file that SQLite removes.
        database = sqlite3.connect(self._path or "", timeout=_WAIT, isolation_level=None)
        # Only a power cut may damage it, and damage costs only time.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE IF NOT EXISTS program (digest BLOB)")
        folders = [Path(package.__file__).parent for package in (engine, pbem) if package.__file__]
        program = program_digest(*folders)
        is_same = database.execute("SELECT digest FROM program").fetchall() == [(program,)]
        for table in TABLES:
            if fresh or not is_same:
                database.execute(f"DROP TABLE IF EXISTS {table}")
            database.execute(
                f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, value BLOB NOT NULL)"
            )
        if not is_same:
            database.execute("DELETE FROM program")
            database.execute("INSERT INTO program VALUES (?)", (program,))
        return database

    def get(self, table: Table, key: bytes) -> Any:
        """Return the value of a key, or None if it is missing or damaged."""
        select = f"SELECT CAST(value AS BLOB) FROM {table} WHERE key = ?"
        row = self.database.execute(select, (key,)).fetchone()
        with suppress(Exception):
            if row and row[0][:_SEAL] == _seal(key, row[0][_SEAL:]):
                return read(row[0][_SEAL:])
        return None

    def put(self, table: Table, key: bytes, value: object) -> None:
        """Keep the value of a key."""
        data = write(value)
        values = key, _seal(key, data) + data
        self.database.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", values)

    def remove(self) -> None:
        """Remove the file, which is damaged."""
        assert self._path is not None
        with report_os_errors(self._path):
            for end in ("", "-wal", "-shm"):
                Path(f"{self._path}{end}").unlink(missing_ok=True)
        _make_private(self._path)


def cache_error(path: Path | None, error: Exception) -> UsageError:
    """Return the error for a cache that cannot be used."""
    place = display_path(path or Path())
    return UsageError("The cache {file} cannot be used: {reason}.", file=place, reason=str(error))


def _seal(key: bytes, data: bytes) -> bytes:
    return tagged_hash(Tag.CACHE, b"\4", key, data)


def _make_private(path: Path) -> None:
    """Make an empty file for its owner alone. Raises UsageError if there is one of others."""
    with report_os_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
        for place, others in ((path.parent, 0o022), (path, 0o077)):
            facts = place.stat()
            is_own = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
            if not is_own or (os.name == "posix" and stat.S_IMODE(facts.st_mode) & others):
                raise UsageError(
                    "The cache {file} is not yours alone, so that others could write verdicts: "
                    "remove it, and run this again.",
                    file=place,
                )
