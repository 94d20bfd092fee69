"""The tables of the store, their migration, and database errors.

Some builds of Python lack SQLite.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any, TypeAlias

from engine.message import Message, Phrase, TranslatableError, mark, message_of
from pbem.errors import describe_os_error
from pbem.protocol.record import Record
from pbem.savefile.disk import computer_id, missing_function

# --- failures


try:
    import sqlite3 as sqlite3
    from sqlite3 import Connection as Connection
except ImportError:
    sqlite3 = Connection = None  # type: ignore[assignment, misc]

Statement: TypeAlias = tuple[str, tuple[object, ...]]
"""A statement of SQL, and its values."""
MAKE_ROOM = mark("Make room on the disk, and run this again.")
# A new library would forget it.
KEEP = mark("It still knows what you signed: keep it, mend this, and run this again.")


class StoreError(TranslatableError):
    """Raised if the store cannot be used; the message is the reason, in a phrase."""

    may_pass = False
    remedy: Phrase = ""
    """The remedy; empty if only a new store helps."""


class StoreBlockedError(StoreError):
    """Raised if the store cannot be used at the moment; until then nothing is signed."""

    may_pass = True

    def __init__(self, problem: Phrase, /, remedy: Phrase, **facts: object) -> None:
        super().__init__(problem, **facts)
        self.remedy = remedy


def os_failure(error: OSError) -> StoreError:
    """Return the failure that describes an error of the system to a player."""
    failure = StoreError(describe_os_error(error))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreBlockedError(failure.message, Message(MAKE_ROOM))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        failure.remedy = Message("Give yourself permission to write there, and run this again.")
    return failure


MAX_PATH = 511
"""The maximum length of the path of a database on Unix, in bytes; SQLite has this limit."""
_UNREACHABLE = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_PERM")
"""The errors of SQLite under which the database may be whole."""


def failure_of(error: sqlite3.Error, path: Path) -> StoreError:
    """Return the failure that describes an SQLite error about the file at `path` to a player."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    kind = code & 0xFF
    is_by_system = kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)
    if is_by_system and (missing := missing_function(path.parent)):
        function, reason = missing
        remedy = Message("Move your home to a disk of this computer, and name it with --home.")
        return StoreBlockedError(
            "its file system does not support {function} ({reason})",
            remedy,
            function=function,
            reason=describe_os_error(reason),
        )
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBlockedError(
            "another acres has it locked", Message("Let that one finish, and run this again.")
        )
    if kind == sqlite3.SQLITE_FULL:
        return StoreBlockedError("the disk is full", Message(MAKE_ROOM))
    if code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC):
        return StoreBlockedError("the disk cannot be written to", Message(MAKE_ROOM))
    if code & 0xFF in {getattr(sqlite3, name) for name in _UNREACHABLE}:
        if path.is_dir():
            return StoreError(os.strerror(errno.EISDIR))
        return StoreBlockedError(_why_unreachable(path) or message_of(error), Message(KEEP))
    return StoreError(message_of(error))


def _why_unreachable(path: Path) -> Phrase:
    """Return the reason why a database cannot be opened; empty if it is not a simple one."""
    if len(os.fsencode(path.absolute())) > MAX_PATH:
        return Message("its path is longer than {size} bytes", size=MAX_PATH)
    for place in (path, path.parent):
        if not os.access(place, os.W_OK):
            return Message("{file} belongs to another user, or is write-protected", file=place)
    return ""


def is_private(path: Path) -> bool:
    """Return True if only the owner of a file or folder, who runs this program, can write it."""
    if not hasattr(os, "geteuid"):
        return True
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


# --- tables


VERSION = 7
"""The version of the tables, as in `PRAGMA user_version`; 0 for a database without tables.

The id of the computer that wrote them last is in `PRAGMA application_id`; 0 if it is unknown.
A store of version 1 may lack some tables, because tables were added without a new version.
"""

# In every table `key` is the public key of the player whose row it is, and `game` the id of a game.
# Paths are bytes, as the system has them, and times are by the clock of this computer, in UTC.
_TABLES = (
    # Records that the player signed. `record` is laid out as in a save file. Per index of a game,
    # one record counts; replaced records may have been sent. A learnt record was found in a file
    # (1), or signed on another computer, whose database came here (2), so that other records may be
    # unknown. `file` is the path to which it was to be written, in place of a file that ends with
    # the record `instead_of`, by this number of `writers`; all three are NULL if this computer
    # never wrote it.
    """CREATE TABLE IF NOT EXISTS records (
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        hash BLOB NOT NULL,
        "index" INTEGER NOT NULL,
        previous BLOB NOT NULL,
        record TEXT NOT NULL,
        counts INTEGER NOT NULL,
        is_learnt INTEGER NOT NULL,
        has_shuffle INTEGER NOT NULL,
        has_close INTEGER NOT NULL,
        file BLOB,
        instead_of BLOB,
        writers INTEGER,
        PRIMARY KEY (game, key, hash)
    )""",
    'CREATE UNIQUE INDEX IF NOT EXISTS one_counts ON records (game, key, "index") WHERE counts',
    # Verified records, with the version of the checks (0: verify again) and the time of arrival on
    # this computer, for any player (empty: unknown).
    """CREATE TABLE IF NOT EXISTS seen (
        game BLOB NOT NULL,
        hash BLOB NOT NULL,
        signature BLOB NOT NULL,
        checks INTEGER NOT NULL,
        arrived TEXT NOT NULL,
        PRIMARY KEY (game, hash, signature)
    ) WITHOUT ROWID""",
    # The games of the player, in the order in which they were first listed. The columns from
    # `records` to `winner` are the fields of `Game`, and so are the points. `steps_allowed` is the
    # time when the player agreed that steps without a decision are signed; empty without that.
    # `guest` and `guest_email` are those of the player for whom an invitation is, if that is known.
    """CREATE TABLE IF NOT EXISTS games (
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
        steps_allowed TEXT NOT NULL DEFAULT '',
        guest TEXT NOT NULL DEFAULT '',
        guest_email TEXT NOT NULL DEFAULT '',
        british_points INTEGER NOT NULL DEFAULT 0,
        french_points INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (game, key)
    )""",
    # Positions to which games were replayed, the newest last: a cache, with the columns of
    # `Snapshot`.
    """CREATE TABLE IF NOT EXISTS snapshots (
        game BLOB NOT NULL,
        number INTEGER NOT NULL,
        length INTEGER NOT NULL,
        digest BLOB NOT NULL,
        records BLOB NOT NULL,
        position BLOB NOT NULL,
        seal BLOB NOT NULL,
        PRIMARY KEY (game, seal)
    )""",
    # Unsigned turns, each at the record that it follows.
    """CREATE TABLE IF NOT EXISTS kept_turns (
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        record BLOB NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (game, key, record)
    ) WITHOUT ROWID""",
    # Records that were sent by mail, or whose sending was begun, with time and address.
    """CREATE TABLE IF NOT EXISTS dispatched (
        game BLOB NOT NULL,
        key BLOB NOT NULL,
        hash BLOB NOT NULL,
        state TEXT NOT NULL,
        time TEXT NOT NULL,
        "to" TEXT NOT NULL,
        PRIMARY KEY (game, key, hash)
    )""",
    # Players in whose games a record was signed, in the order in which they were met.
    """CREATE TABLE IF NOT EXISTS met (
        key BLOB NOT NULL,
        game BLOB NOT NULL,
        player BLOB NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (key, game, player)
    )""",
    # Keys that the player has vouched for, in that order; the nickname may be empty.
    """CREATE TABLE IF NOT EXISTS vouched (
        key BLOB NOT NULL,
        player BLOB NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        nickname TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (key, player, name, email)
    )""",
    # Files in scanned folders, by name, with time of change and size; an empty name is the folder
    # itself. A mailbox, whose place is a text, was read up to that UID under that validity.
    """CREATE TABLE IF NOT EXISTS searched (
        key BLOB NOT NULL,
        place BLOB NOT NULL,
        entry BLOB NOT NULL,
        changed_or_validity INTEGER NOT NULL,
        size_or_uid INTEGER NOT NULL,
        PRIMARY KEY (key, place, entry)
    ) WITHOUT ROWID""",
    # Keys whose signatures on this computer are all known since that time (empty: always; "?":
    # they are not). `saved` is the time when the home was last saved elsewhere, and `moved` the
    # time since which another device may sign; empty without that.
    """CREATE TABLE IF NOT EXISTS keys (
        key BLOB NOT NULL PRIMARY KEY,
        complete_since TEXT NOT NULL,
        saved TEXT NOT NULL DEFAULT '',
        moved TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID""",
)

# --- from earlier versions

_MOVE_NICKNAMES = """
ALTER TABLE vouched ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
UPDATE vouched AS v SET nickname = ifnull((
    SELECT nickname FROM nicknames AS n WHERE n.key = v.key AND n.player = v.player
), '');
DROP TABLE nicknames;
"""
"""Version 1 had nicknames in a table of their own.

Giving a nickname vouches for the key, then and now.
"""

_MOVE_ROWS = """
CREATE TABLE IF NOT EXISTS signed (game, key, "index", hash, previous, record);
CREATE TABLE IF NOT EXISTS replaced (game, key, "index", hash, previous, record);
CREATE TABLE IF NOT EXISTS destinations (game, key, "index", hash, file, instead_of, writers);
CREATE TABLE IF NOT EXISTS learnt (game, key, hash);
INSERT OR IGNORE INTO records
    SELECT game, key, hash, "index", previous, laid_out(record), counts,
        (game, key, hash) IN (SELECT game, key, hash FROM learnt),
        record LIKE '%"shuffle"%' OR record LIKE '%"open-lists"%', record LIKE '%"close"%',
        file, instead_of, writers
    FROM (SELECT *, 1 AS counts FROM signed UNION ALL SELECT *, 0 FROM replaced)
    LEFT JOIN destinations USING (game, key, "index", hash) ORDER BY counts DESC;

CREATE TABLE IF NOT EXISTS verified (game, hash, signature, checks);
CREATE TABLE IF NOT EXISTS arrivals (game, key, hash, time);
INSERT OR IGNORE INTO seen
    SELECT game, hash, signature, checks, ifnull(min(time), '')
    FROM verified LEFT JOIN arrivals USING (game, hash) GROUP BY game, hash, signature;
-- Of a game that was forgotten, nothing is left but when its records came.
INSERT OR IGNORE INTO seen
    SELECT game, hash, x'', 0, min(time) FROM arrivals
    WHERE (game, hash) NOT IN (SELECT game, hash FROM verified) GROUP BY game, hash;

CREATE TABLE IF NOT EXISTS looked_through (key, folder, name, changed, size);
CREATE TABLE IF NOT EXISTS mailboxes (key, mailbox, validity, uid);
INSERT OR IGNORE INTO searched SELECT key, folder, name, changed, size FROM looked_through;
INSERT OR IGNORE INTO searched SELECT key, mailbox, x'', validity, uid FROM mailboxes;

-- A library that was made before there was this table knows all of those of whom it knows.
CREATE TABLE IF NOT EXISTS complete AS SELECT key FROM signed UNION SELECT key FROM games;
CREATE TABLE IF NOT EXISTS complete_since (key, time);
INSERT OR IGNORE INTO keys SELECT key, '', '', '' FROM complete;
INSERT OR IGNORE INTO keys SELECT key, time, '', '' FROM complete_since WHERE time <> '';
"""
_WORD = "TEXT NOT NULL DEFAULT ''"
_POINTS = "INTEGER NOT NULL DEFAULT 0"
_NEW_COLUMNS = {
    ("games", "steps_allowed"): _WORD,
    ("games", "guest"): _WORD,
    ("games", "guest_email"): _WORD,
    ("games", "british_points"): _POINTS,
    ("games", "french_points"): _POINTS,
    ("keys", "saved"): _WORD,
    ("keys", "moved"): _WORD,
}
"""The columns that the tables of older versions lack."""
_OLD_TABLES = (
    "signed replaced destinations learnt verified arrivals looked_through mailboxes complete "
    "complete_since bookmarks"
)


def migrate(connection: Connection) -> None:
    """Bring a database of an earlier version, or one without tables, to `VERSION`.

    If it comes from another computer, which may sign more, its signed records count as learnt.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (computer,) = connection.execute("PRAGMA application_id").fetchone()
    if version < VERSION:
        before = dict(connection.execute("SELECT name, type FROM sqlite_master"))
        if "nicknames" in before:
            _execute(connection, _MOVE_NICKNAMES)
        # The snapshots were made by other sources, and so are no longer used.
        connection.execute("DROP TABLE IF EXISTS snapshots")
        for statement in _TABLES:
            connection.execute(statement)
        for (table, column), kind in _NEW_COLUMNS.items():
            columns = connection.execute(f"PRAGMA table_info({table})")
            if column not in [name for _, name, *_ in columns]:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        if before and version < 3:
            old = ";\n".join(f"DROP TABLE IF EXISTS {name}" for name in _OLD_TABLES.split())
            connection.create_function("laid_out", 1, _to_save_format)
            _execute(connection, _MOVE_ROWS)
            _execute(connection, old)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    if computer not in (0, computer_id()):
        doubt(connection)
    connection.execute(f"PRAGMA application_id = {computer_id()}")


def doubt(connection: Connection) -> None:
    """Note that more may have been signed on another computer."""
    connection.execute("UPDATE records SET is_learnt = 2 WHERE NOT is_learnt")
    connection.execute("UPDATE keys SET complete_since = '?'")


def _execute(connection: Connection, script: str) -> None:
    """Execute statements within a transaction, which `Connection.executescript` would commit."""
    for statement in script.split(";\n"):
        connection.execute(statement)


def _to_save_format(text: Any) -> Any:
    """Return a record in JSON as lines of a save file; a damaged one unchanged."""
    try:
        return Record.from_plain(json.loads(str(text))).toml
    except (ValueError, RecursionError):
        return text
