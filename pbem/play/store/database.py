"""The database of the library: where it lies, how it is opened, which tables it has."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from engine.message import Failure, Message, Said, mark, message_of
from pbem.errors import check_exists, system_says

try:
    import sqlite3
    from sqlite3 import Connection as Connection
except ImportError:
    # Some Pythons come without it.
    sqlite3 = Connection = None  # type: ignore[assignment, misc]

VERSION = 2
"""Of the tables, as `PRAGMA user_version` has it.

0 is a database without any. Those of version 1 need not all be there: each was made by the first
program that knew of it.
"""
BUSY_SECONDS = 5.0
"""How long another process that writes is waited for."""
KEEPING_SECONDS = 0.5
"""The same where a player types on, and what is written only saves typing."""
Statement: TypeAlias = tuple[str, tuple[object, ...]]
"""What is to be executed, and its values."""
_MAKE_ROOM = mark("Make room on the disk, and run this again.")

_TABLES = {
    "signed": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        "index" INTEGER NOT NULL,
        hash BLOB NOT NULL,
        previous BLOB NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (game, key, "index")
    )""",
    # Own records besides those that count: they may have been sent all the same.
    "replaced": "AS SELECT * FROM signed WHERE FALSE",
    # Where the file of each record was to be written, and by how many processes.
    "destinations": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        "index" INTEGER NOT NULL,
        hash BLOB NOT NULL,
        file BLOB,
        instead_of BLOB,
        writers INTEGER NOT NULL,
        PRIMARY KEY (game, key, "index", hash)
    )""",
    "verified": """(
        game BLOB NOT NULL,
        hash BLOB NOT NULL,
        signature BLOB NOT NULL,
        checks INTEGER NOT NULL,
        PRIMARY KEY (game, hash, signature)
    ) WITHOUT ROWID""",
    # The columns up to `winner` are those of `Game`; paths are bytes, as the system has them.
    "games": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        records INTEGER NOT NULL,
        last BLOB NOT NULL,
        edition TEXT NOT NULL,
        house_rules TEXT NOT NULL,
        side TEXT NOT NULL,
        opponent TEXT NOT NULL,
        email TEXT NOT NULL,
        turn INTEGER NOT NULL,
        waits_for TEXT NOT NULL,
        due TEXT NOT NULL,
        since TEXT NOT NULL,
        winner TEXT NOT NULL,
        file_in BLOB,
        file_out BLOB,
        pace INTEGER,
        PRIMARY KEY (game, key)
    )""",
    # Own records that stood in a file before they were remembered: nobody knows what came of them.
    "learnt": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (game, key, hash)
    ) WITHOUT ROWID""",
    # The keys of which this library knows all that they signed on this computer. One of version 1
    # that was made before there was this table is taken to: it stands behind those of which it is
    # made.
    "complete": "AS SELECT key FROM signed UNION SELECT key FROM games",
    # Since when a library knows all that a key signs on this computer, where it did not always.
    "complete_since": """(
        key BLOB NOT NULL PRIMARY KEY,
        time TEXT NOT NULL
    ) WITHOUT ROWID""",
    # Records that were sent by mail, or were about to be; to which address, and since when.
    "dispatched": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        hash BLOB NOT NULL,
        state TEXT NOT NULL,
        time TEXT NOT NULL,
        "to" TEXT NOT NULL,
        PRIMARY KEY (game, key, hash)
    )""",
    # When each record was seen first, by the clock of this computer.
    "arrivals": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        hash BLOB NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (game, key, hash)
    ) WITHOUT ROWID""",
    # How far each mailbox was looked through.
    "mailboxes": """(
        key BLOB NOT NULL,
        mailbox TEXT NOT NULL,
        validity INTEGER NOT NULL,
        uid INTEGER NOT NULL,
        PRIMARY KEY (key, mailbox)
    )""",
    # With whom a record was signed, and in which game; in the order in which they were met.
    "met": """(
        key BLOB NOT NULL,
        game BLOB NOT NULL,
        player BLOB NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (key, game, player)
    )""",
    # Keys of which the owner has said that they are of whom they name, and what the owner calls
    # them; the nickname is empty where there is none.
    "vouched": """(
        key BLOB NOT NULL,
        player BLOB NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        nickname TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (key, player, name, email)
    )""",
    # How far games were replayed, and to what that led: a cache; columns as of `Snapshot`.
    "snapshots": """(
        game BLOB NOT NULL,
        number INTEGER NOT NULL,
        length INTEGER NOT NULL,
        digest BLOB NOT NULL,
        records BLOB NOT NULL,
        position BLOB NOT NULL,
        seal BLOB NOT NULL
    )""",
    # Turns that were begun and are not signed, each at the record that it is to follow.
    "kept_turns": """(
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        record BLOB NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (game, key, record)
    ) WITHOUT ROWID""",
    # Which files in folders were looked through, and what tells each from what it was.
    "looked_through": """(
        key BLOB NOT NULL,
        folder BLOB NOT NULL,
        name BLOB NOT NULL,
        changed INTEGER NOT NULL,
        size INTEGER NOT NULL,
        PRIMARY KEY (key, folder, name)
    ) WITHOUT ROWID""",
}
"""What follows the name of each when it is made."""


class LibraryFailed(Failure):
    """The library cannot be used; the message says why, in a phrase."""

    remedy: Said = ""
    """What to do where it cannot be used for now, so that nothing is to be signed."""


class LibraryBlocked(LibraryFailed):
    """It cannot be used for now."""

    def __init__(self, what: Said, /, remedy: Said, **facts: object) -> None:
        super().__init__(what, **facts)
        self.remedy = remedy


class Database:
    """The database at a path.

    One that is not there yet is empty; it is made, for its owner alone, when it is first written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_there(self) -> bool:
        """Whether it has been made; raises LibraryFailed where that cannot be found out."""
        try:
            return check_exists(self.path)
        except OSError as error:
            raise LibraryFailed(system_says(error)) from None

    @property
    def is_private(self) -> bool:
        """Whether nobody but its owner, who runs this, can have written what it says."""
        if not hasattr(os, "geteuid"):
            return True
        try:
            status = self.path.stat()
        except OSError:
            return False
        return status.st_uid == os.geteuid() and not status.st_mode & 0o022

    def check_writable(self) -> None:
        """Raise LibraryFailed where it cannot be written, as far as that shows before it is."""
        path = self.path.absolute()
        _check_access(path if self.is_there else next(filter(check_exists, path.parents)))

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """The database to be read; None where there is nothing in it. Raises LibraryFailed.

        Reading writes nothing: one of an earlier version is migrated in a copy in memory.
        """
        if not self.is_there:
            yield None
            return
        with self._connected(BUSY_SECONDS) as connection:
            version = _version(connection)
            if version in (0, VERSION):
                yield connection if version else None
                return
            with closing(sqlite3.connect(":memory:")) as copy:
                connection.backup(copy)
                _migrate(copy)
                yield copy

    def read(self, query: str, values: tuple[object, ...]) -> list[Any]:
        """The rows that a query finds; none where there is no library. Raises LibraryFailed."""
        with self.reading() as connection:
            return connection.execute(query, values).fetchall() if connection else []

    @contextmanager
    def writing(
        self, busy_seconds: float | None = None, *, lasts: bool = True
    ) -> Iterator[Connection]:
        """The database in one transaction, with all tables; raises LibraryFailed.

        It is committed at the end, and undone where that is not reached, or by a power cut right
        after it where nothing of it `lasts`.
        """
        wait = BUSY_SECONDS if busy_seconds is None else busy_seconds
        with self._connected(wait, to_write=True) as connection:
            # What is signed outlasts a power cut: its file is written after it. One disk access
            # less leaves the database as whole, but maybe as it was before.
            connection.execute(f"PRAGMA synchronous = {'EXTRA' if lasts else 'FULL'}")
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) < VERSION:
                _migrate(connection)
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self, busy_seconds: float, *, to_write: bool = False) -> Iterator[Connection]:
        if sqlite3 is None:
            raise LibraryFailed("this Python comes without sqlite3")
        if to_write:
            self._make()
        try:
            # `Path.as_uri` imports an HTTP client from Python 3.14 on.
            path = os.fsencode(self.path.absolute().as_posix().lstrip("/"))
            address = f"file:///{quote(path)}?mode=rw"
            connect = sqlite3.connect(address, timeout=busy_seconds, isolation_level=None, uri=True)
            with closing(connect) as connection:
                yield connection
        except sqlite3.Error as error:
            raise _failure(error) from None

    def _make(self) -> None:
        """Make it where it is not there; raises LibraryFailed where it cannot be written."""
        if self.is_there:
            _check_access(self.path)
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # SQLite gives its other files the permissions of this one. A file that is there is not
            # opened beside SQLite: to close it would end the locks of this process, in all threads.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            pass
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise LibraryBlocked(system_says(error), Message(_MAKE_ROOM)) from None
            raise LibraryFailed(system_says(error)) from None


def _check_access(path: Path) -> None:
    """Raise LibraryFailed where that may not be written, as the system says it."""
    if not os.access(path, os.W_OK):
        read_only = sys.platform != "win32" and os.statvfs(path).f_flag & os.ST_RDONLY
        number = errno.EROFS if read_only else errno.EACCES
        raise LibraryFailed(system_says(OSError(number, os.strerror(number))))


def _failure(error: sqlite3.Error) -> LibraryFailed:
    """What an error of SQLite means for whoever wants to sign."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryBlocked(
            "another acres has it locked", Message("Let that one finish, and run this again.")
        )
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return LibraryBlocked("the disk is full", Message(_MAKE_ROOM))
    if code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC):
        return LibraryBlocked("the disk cannot be written to", Message(_MAKE_ROOM))
    return LibraryFailed(message_of(error))


def _migrate(connection: Connection) -> None:
    """Bring a database of an earlier version, or one without tables, to `VERSION`."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for name, columns in _TABLES.items():
        if name not in there:
            connection.execute(f"CREATE TABLE {name} {columns}")
    # Version 1 had nicknames in a table of their own. To give one was to vouch, as it is now.
    if "nicknames" in there:
        connection.execute("ALTER TABLE vouched ADD COLUMN nickname TEXT NOT NULL DEFAULT ''")
        given = "SELECT nickname FROM nicknames AS n WHERE n.key = v.key AND n.player = v.player"
        connection.execute(f"UPDATE vouched AS v SET nickname = ifnull(({given}), '')")
        connection.execute("DROP TABLE nicknames")
    connection.execute("DROP TABLE IF EXISTS bookmarks")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: Connection) -> int:
    """The version of the tables; raises LibraryBlocked for one that is not known here."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise LibraryBlocked("a newer acres made it", Message("Update yours, and run this again."))
    return int(version)
