"""The store: this computer's knowledge of its player's games.

The store, for players the library, is an SQLite database in their data folder. It has the signed
records, so that no player signs twice by mistake; the verified records, so that none is verified
twice; the games and the player who has to move; the messages sent, so that none is sent twice; the
keys of other players, so that they are not confused; and unsigned turns, so that no order has to be
given twice. Losing it loses no game: reading their files fills it again.

Called by other modules of `play` and, for its knowledge, `text` and all above;
calls `savefile` and below.
See docs/protocol.md, Duties of a player's program.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, Self, get_type_hints
from urllib.parse import quote

from engine.message import Message
from engine.value import Value
from pbem.errors import UsageError, strict_exists
from pbem.play.store.entries import (
    JOIN,
    AddressBook,
    ConcurrentSigningError,
    Game,
    GameClosedError,
    GameEntry,
    KnownFile,
    KnownPlayer,
    Person,
    Recognition,
    Trust,
    find_close,
    find_opponent,
    insert_record,
    is_ahead,
    is_committed,
    read_record,
    read_time,
    records_by,
    waiting_since,
)
from pbem.play.store.schema import (
    VERSION,
    Connection,
    Statement,
    StoreBlockedError,
    StoreError,
    doubt,
    failure_of,
    is_private,
    migrate,
    os_failure,
    sqlite3,
)
from pbem.protocol.cache import CHECKS, GameCache, Snapshot, VerifiedRecord
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import ShuffleStep
from pbem.savefile.disk import computer_id, sync_folder

BUSY_SECONDS = 5.0
"""The time to wait for another process that writes, in seconds."""
NOTING_SECONDS = 0.5
"""The time to wait, in seconds, if the data to write only saves time or typing."""
MAX_INTEGER = 2**63 - 1
"""The greatest integer that the database can store."""

_PLAYER = "WHERE key = ? AND player = ?"
_GAME = "WHERE game = ? AND key = ?"
_RECORD = f"{_GAME} AND hash = ?"
_TURN = f"{_GAME} AND record = ?"
_PLACE = "WHERE key = ? AND place = ?"
_FACTS = ", ".join([*Game._fields, "file_in", "file_out", "pace"])
_LAST_ARRIVAL = "SELECT max(arrived) FROM seen WHERE seen.game = games.game AND hash = last"
_SELECT_GAMES = f"SELECT game, {_FACTS}, rowid, ({_LAST_ARRIVAL}) FROM games"
_FACT_UPDATES = ", ".join(f"{fact} = excluded.{fact}" for fact in _FACTS.split(", "))
_SET_COMPLETE = (
    "INSERT INTO keys (key, complete_since) VALUES (?, ?) "
    "ON CONFLICT (key) DO UPDATE SET complete_since = excluded.complete_since"
)
_MERGED = ("records", "seen", "games", "kept_turns", "dispatched", "met", "vouched")
"""The tables that are not only about one computer."""
_LATEST = "WHERE game = ? ORDER BY rowid DESC LIMIT 2"
"""The condition for the snapshots of a game that are kept: the last two."""


class Destination(Value):
    """The absolute path to which the file with a signed record was to be written.

    `instead_of` is the hash of the last record in the file that it was to replace, if any.
    """

    file: Path
    instead_of: bytes | None = None


class Sending(Enum):
    """Stages of the sending of a record."""

    BEGUN = "begun"
    SENT = "sent"


class Dispatch(NamedTuple):
    """The sending of a record, finished or begun, at a `time` in UTC to an address."""

    sending: Sending
    time: str
    to: str


class AlreadyDispatchedError(UsageError):
    """Raised if a record was, or may have been, sent before; `dispatch` has time and address."""

    def __init__(self, dispatch: Dispatch) -> None:
        super().__init__(Message("This has already been sent."))
        self.dispatch = dispatch


class MailboxPosition(NamedTuple):
    """A mailbox was read up to `uid`; this is valid while `validity` stays the same."""

    validity: int
    uid: int


class Stamp(NamedTuple):
    """The time of change (in ns) and size (in bytes) of a file; equal stamps mean no change."""

    changed: int
    size: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the stamp of a file, with the nearest values that the database can store."""
        # Synchronization may fill a file later, and set its former time again.
        values = max(status.st_mtime_ns, status.st_ctime_ns), status.st_size
        return cls(*(max(-MAX_INTEGER, min(value, MAX_INTEGER)) for value in values))


class NewRecord(Value):
    """A record that is stored, and whose file is still to be written.

    `replaced` are the hashes of the records that it replaced. `is_first` is true if it did not
    count before, `was_stored` if it had been stored without counting. `entries` are those of the
    game before and now; `turns` are the unsigned turns that were deleted with it.
    """

    store: Store
    game: bytes
    record: Record
    replaced: Sequence[bytes]
    is_first: bool
    was_stored: bool
    entries: tuple[GameEntry | None, GameEntry | None]
    turns: Sequence[tuple[object, ...]] = ()

    def take_back(self) -> None:
        """Remove the record, because its file was not written. Raises StoreError.

        The record stays if another process has stored it too, because that may have written it.
        """
        if not self.is_first:
            return
        game, key = self.game, self.store.key
        with self.store.writing() as connection:
            row = (game, key, self.record.hash)
            nowhere = "file = NULL, instead_of = NULL, writers = NULL"
            alone = f"UPDATE records SET {nowhere} {_RECORD} AND writers = 1"
            if not connection.execute(alone, row).rowcount:
                return
            undo = "UPDATE records SET counts = 0" if self.was_stored else "DELETE FROM records"
            if connection.execute(f"{undo} {_RECORD} AND counts", row).rowcount:
                for hash_ in self.replaced:
                    back = f"UPDATE OR IGNORE records SET counts = 1 {_RECORD}"
                    connection.execute(back, (game, key, hash_))
                if max(self.store.signed_hashes(game), default=0) == 0:
                    # The opponent is met only with a signature after the invitation.
                    connection.execute(f"DELETE FROM met {_GAME}", (game, key))
            # A turn that was saved meanwhile stays.
            again = "INSERT OR IGNORE INTO kept_turns VALUES (?, ?, ?, ?)"
            connection.executemany(again, self.turns)
            before, after = self.entries
            if self.store.game(game) == after:
                connection.execute(*_set_entry(game, key, before))


class Store:
    """The store of the owner of `key`, a database at `path`.

    A missing database is empty; the first write creates it, readable by its owner alone. Reading
    writes nothing. The `clock` returns the time in UTC, as in records. It dates the arrival of
    records and the first meeting of players; without a clock they are not dated.

    One connection is opened when it is first needed, and closed by `close` or at the end of a
    `with` block. Methods raise StoreError if the database cannot be used, unless they say
    otherwise; `failure` is the reason why it is no longer used. `last_read` is the file that was
    read last: `flush` or the next signature notes it.

    >>> store = Store(Path("nowhere.sqlite3"), anna.public_key)
    >>> store.exists, store.games(), store.is_complete()
    (False, [], False)
    """

    def __init__(self, path: Path, key: bytes, clock: Callable[[], str] | None = None) -> None:
        self.path = path
        self.key = key
        self.clock = clock
        self._connection: Connection | None = None
        self._current: Connection | None = None
        self._file: tuple[int, int] | None = None
        self._migrated: tuple[int, Connection] | None = None
        self._lock = RLock()
        self._begin()

    def _begin(self) -> None:
        self.failure: StoreError | None = None
        self.last_read: KnownFile | None = None
        self._is_reported = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; clear `failure` and `last_read`. The store can be used again."""
        with self._lock:
            self._disconnect()
        self._begin()

    def take_failure(self) -> StoreError | None:
        """Return the reason why the store cannot be used, the first time; then None."""
        failure = None if self._is_reported else self.failure
        self._is_reported = self.failure is not None
        return failure

    # --- the database

    @property
    def exists(self) -> bool:
        """True if the database has been made."""
        return self._identify() is not None

    def check_writable(self) -> None:
        """Raise StoreError if the database is not writable."""
        path = self.path.absolute()
        _check_access(path if self.exists else next(filter(strict_exists, path.parents)))

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """Enter a transaction that reads; its connection is None if the database is empty.

        Within another transaction it is part of the outer one. A database of an earlier version,
        or of another computer, is read in a migrated copy in memory.
        """
        with self._lock:
            is_within = self._connection is not None and self._connection.in_transaction
            if is_within or not self.exists:
                yield self._current if is_within else None
                return
            with self._connect(BUSY_SECONDS) as connection:
                connection.execute("BEGIN")
                version = _version(connection)
                if version not in (0, VERSION):
                    connection = self._copy_of(connection)
                self._current = connection if version else None
                yield self._current

    @contextmanager
    def writing(self, wait: float | None = None, *, durable: bool = True) -> Iterator[Connection]:
        """Enter a transaction that writes, with all tables; within another transaction it fails.

        The transaction is committed at the end of the block, and rolled back if the block raises.
        Unless it is `durable`, a power cut right after it may undo it.
        """
        with self._connect(BUSY_SECONDS if wait is None else wait, for_writing=True) as connection:
            # A signed record must survive a power cut, because its file is written afterwards. FULL
            # saves a disk access; a power cut may then undo the transaction, but damages nothing.
            connection.execute(f"PRAGMA synchronous = {'EXTRA' if durable else 'FULL'}")
            if durable and not sync_folder(self.path.parent):
                # A commit that removes no file needs no confirmation of the folder.
                connection.execute("PRAGMA journal_mode = PERSIST")
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) < VERSION:
                migrate(connection)
            self._current = connection
            yield connection
            connection.execute("COMMIT")

    def _write(self, statement: str, values: tuple[object, ...], *, durable: bool = True) -> None:
        """Execute one statement by itself; unless `durable`, it only saves time or typing."""
        with self.writing(None if durable else NOTING_SECONDS, durable=durable) as connection:
            connection.execute(statement, values)

    def _rows(self, sql: str, values: tuple[object, ...], kinds: Sequence[type] = ()) -> list[Any]:
        """Return the rows of a query; none if there is no database.

        Raises StoreError if the types of a row are not these `kinds`, if any.
        """
        with self.reading() as connection:
            rows = connection.execute(sql, values).fetchall() if connection else []
        if kinds and any([*map(type, row)] != [*kinds] for row in rows):
            raise StoreError("it is damaged")
        return rows

    @contextmanager
    def _connect(self, busy_seconds: float, *, for_writing: bool = False) -> Iterator[Connection]:
        if sqlite3 is None:
            raise StoreError("this Python comes without sqlite3")
        if for_writing:
            self._make()
        with self._lock:
            file = self._identify()
            if file != self._file:
                # The file was replaced by another one.
                self._disconnect()
            try:
                if self._connection is None:
                    # `Path.as_uri` imports an HTTP client from Python 3.14 on.
                    path = os.fsencode(self.path.absolute().as_posix().lstrip("/"))
                    address = f"file:///{quote(path)}?mode=rw"
                    # Only one thread at a time uses it: a transaction holds the lock.
                    self._connection = sqlite3.connect(
                        address, isolation_level=None, check_same_thread=False, uri=True
                    )
                    self._file = file
                self._connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
                try:
                    yield self._connection
                finally:
                    # No open transaction may keep other processes waiting.
                    self._connection.rollback()
            except sqlite3.Error as error:
                self._disconnect()
                raise failure_of(error, self.path) from None

    def _disconnect(self) -> None:
        for database in (self._connection, self._migrated and self._migrated[1]):
            if database:
                database.close()
        self._connection = self._file = self._migrated = None

    def _copy_of(self, connection: Connection) -> Connection:
        """Return a migrated copy of the present state of a database."""
        (changes,) = connection.execute("PRAGMA data_version").fetchone()
        if self._migrated is None or self._migrated[0] != changes:
            copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            connection.backup(copy)
            migrate(copy)
            self._migrated = changes, copy
        return self._migrated[1]

    def _identify(self) -> tuple[int, int] | None:
        """Return the device and inode of the file; None if there is no file."""
        try:
            status = self.path.stat() if strict_exists(self.path) else None
        except OSError as error:
            raise os_failure(error) from None
        return None if status is None else (status.st_dev, status.st_ino)

    def _make(self) -> None:
        """Create the file if it is missing. Raises StoreError if it cannot be written."""
        if self.exists:
            _check_access(self.path)
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # SQLite gives its other files the permissions of this one. An existing file is not
            # opened here: closing it would release the locks of this process, in all threads.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            pass
        except OSError as error:
            raise os_failure(error) from None

    # --- completeness of the store

    def is_complete(self) -> bool:
        """Return True if all records that the player ever signed on this computer are known."""
        return self._complete_since() == ""

    def mark_complete(self, *, with_games: bool = False) -> None:
        """Note that all signed records are known: the key is new, or the player says so.

        With `with_games` this includes games whose records were learnt from files.
        """
        with self.writing() as connection:
            connection.execute(_SET_COMPLETE, (self.key, ""))
            if with_games:
                connection.execute("UPDATE records SET is_learnt = 0 WHERE key = ?", (self.key,))

    def mark_complete_from_now_on(self) -> None:
        """Mark the store as complete for records signed from now on, unless it is complete."""
        if self.clock is not None:
            self._write(f"{_SET_COMPLETE} WHERE complete_since = '?'", (self.key, self.clock()))

    def would_know_acceptance(self, invitation: Record) -> bool:
        """Return True if the store would know of an acceptance of this invitation.

        The invitation must be dated after the store became complete, and not in the future. An
        invitation cannot be accepted before it is signed; its signer's clock may be a little ahead.
        """
        since = self._complete_since()
        if since == "":
            return True
        return (
            self.clock is not None
            and bool(read_time(since))
            and is_ahead(invitation.time, read_time(since))
            and not is_ahead(invitation.time, self.clock())
        )

    def _complete_since(self) -> object:
        """Return the stored time from which on all records signed here are known."""
        since = self._of_key("complete_since", "?")
        return None if since == "?" else since

    def _of_key(self, column: str, default: str) -> Any:
        rows = self._rows(f"SELECT {column} FROM keys WHERE key = ?", (self.key,))
        return rows[0][0] if rows else default

    def is_in_doubt(self, records: Sequence[Record], epochs: Collection[int] = ()) -> bool:
        """Return True if the player may have signed more records in a game than are known.

        The `records` are from a verified file of the game. There is doubt if the player's last
        record, in the file or in the store, or that with a shuffle of these `epochs`, was not
        signed here.
        """
        game, own = records[0].hash, records_by(records, self.key)
        known = self.signed_hashes(game) | {record.index: record.hash for record in own[-1:]}
        decisive = {known[max(known)]} if known else set()
        for record in own if epochs else ():
            if any(isinstance(s, ShuffleStep) and s.epoch in epochs for s in record.steps):
                decisive.add(record.hash)
        query = f"SELECT count(*) FROM records {_GAME} AND NOT is_learnt AND hash IN "
        query += f"({', '.join('?' * len(decisive))})"
        rows = self._rows(query, (game, self.key, *decisive))
        return bool(decisive) and rows != [(len(decisive),)]

    def has_moved(self) -> bool:
        """Return True if the database has records that were signed on another computer."""
        query = "SELECT 1 FROM records WHERE key = ? AND is_learnt = 2 LIMIT 1"
        return bool(self._rows(query, (self.key,)))

    # --- copies of the home elsewhere

    def snapshot(self) -> bytes:
        """Return the database as bytes; empty if there is none."""
        with self.reading() as connection:
            return bytes(connection.serialize()) if connection else b""

    def merge(self, snapshot: bytes) -> None:
        """Add all that the database of another computer knows, which may have signed more since.

        The paths of files there mean nothing here. Raises StoreError if it is damaged.
        """
        with self.writing() as connection:
            doubt(connection)
            if not snapshot:
                return
            other = sqlite3.connect(":memory:", isolation_level=None)
            other.deserialize(snapshot)
            migrate(other)
            doubt(other)
            other.execute("UPDATE records SET file = NULL, instead_of = NULL, writers = NULL")
            other.execute("UPDATE games SET file_in = NULL, file_out = NULL")
            for table in (*_MERGED, "records"):
                cursor = other.execute(f"SELECT * FROM {table}")
                names = [f'"{name}"' for name, *_ in cursor.description]
                columns, marks = ", ".join(names), ", ".join("?" * len(names))
                insert = f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})"
                connection.executemany(insert, cursor)
                # Two records with one index do not both count; they are added the second time.
                other.execute("UPDATE records SET counts = 0")
            # A copy from before the move does not know what the other device has signed since.
            # Nor does a later copy from this device, which has the same time of the move.
            known = other.execute("SELECT key, saved, moved FROM keys").fetchall()
            clear = "UPDATE keys SET moved = '' WHERE key = ? AND moved <= ? AND moved <> ?"
            connection.executemany(clear, known)

    def note_saved(self, *, moves: bool) -> None:
        """Note that the home is saved elsewhere; if it `moves`, another device may sign, too."""
        time = self.time()
        with self.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO keys VALUES (?, '?', '', '')", (self.key,))
            connection.execute("UPDATE keys SET saved = ? WHERE key = ?", (time, self.key))
            if moves:
                connection.execute("UPDATE keys SET moved = ? WHERE key = ?", (time, self.key))
                doubt(connection)

    def saved_time(self) -> str:
        """Return the time when the home was last saved elsewhere; empty if it never was."""
        return str(self._of_key("saved", ""))

    def moved_time(self) -> str:
        """Return the time since which another device may sign; empty if the home did not move."""
        return str(self._of_key("moved", ""))

    def is_blank(self) -> bool:
        """Return True if no game of any player is known; False if the database cannot be read."""
        with suppress(StoreError):
            return not self._rows("SELECT 1 FROM records UNION ALL SELECT 1 FROM games LIMIT 1", ())
        return False

    # --- signed records

    def signed_hashes(self, game: bytes) -> dict[int, bytes]:
        """Return the hash of each record signed in a game, by its index, in ascending order."""
        query = f'SELECT "index", hash FROM records {_GAME} AND counts ORDER BY "index"'
        return dict(self._rows(query, (game, self.key), (int, bytes)))

    def _has_record(self, game: bytes, record: Record) -> bool:
        """Return True if a record is stored, even if it does not count."""
        return bool(self._rows(f"SELECT 1 FROM records {_RECORD}", (game, self.key, record.hash)))

    def signed_record(self, game: bytes, index: int) -> Record | None:
        """Return the record signed at `index` of a game, or None."""
        records = self._records(game, 'counts AND "index" = ?', index)
        return records[0] if records else None

    def shuffle_records(self, game: bytes) -> list[Record]:
        """Return all records signed in a game that shuffle or open lists, even replaced ones."""
        return self._records(game, "has_shuffle")

    def close_record(self, game: bytes) -> Record | None:
        """Return the record, even a replaced one, with which the player closed a game, or None."""
        return find_close(self._records(game, "has_close"))

    def _records(self, game: bytes, condition: str, *values: object) -> list[Record]:
        """Return the records signed in a game that meet an SQL condition, replaced ones last."""
        query = (
            f'SELECT record, hash, "index" FROM records {_GAME} AND {condition} '
            'ORDER BY counts DESC, "index"'
        )
        return [read_record(self.key, *row) for row in self._rows(query, (game, self.key, *values))]

    def destination(self, game: bytes, record: Record) -> Destination | None:
        """Return the last destination of a signed record's file; None if it is unknown."""
        query = f"SELECT file, instead_of FROM records {_RECORD} AND file IS NOT NULL"
        for file, instead_of in self._rows(query, (game, self.key, record.hash)):
            return Destination(Path(os.fsdecode(file)), instead_of)
        return None

    def remember(
        self,
        game: bytes,
        record: Record,
        *,
        sign: Callable[[Record], Record] | None = None,
        known_hashes: Mapping[int, bytes] | None = None,
        replaced_indexes: Collection[int] = (),
        destination: Destination | None = None,
        files: Iterable[KnownFile] = (),
    ) -> NewRecord:
        """Store a signed record durably, before its file is written.

        The record replaces the records with the indexes in `replaced_indexes`. If several processes
        sign at the same time, only one succeeds. `sign` is called to sign the record within the
        transaction. The `files` that were read, and the new one, are noted with it; the last one
        decides how the game continues.

        Raises ConcurrentSigningError if another record has its index, or if the signed hashes are
        not the `known_hashes`; GameClosedError if the player has closed the game.
        """
        known_files = list(files)
        to = (os.fsencode(destination.file), destination.instead_of) if destination else (None,) * 2
        with self.writing() as connection:
            hashes = self.signed_hashes(game)
            is_first = hashes.get(record.index) != record.hash
            was_stored = self._has_record(game, record)
            if is_first:
                is_taken = record.index in hashes and record.index not in replaced_indexes
                if is_taken or known_hashes not in (None, hashes):
                    raise ConcurrentSigningError(
                        "You have just signed another answer in this game, in another window: "
                        "send that one, not two. Nothing was written."
                    )
                self._check_open(game, record, known_files)
            if sign is not None:
                record = sign(record)
            if is_first:
                connection.executemany(
                    f'UPDATE records SET counts = 0 {_GAME} AND "index" = ? AND counts',
                    [(game, self.key, index) for index in replaced_indexes],
                )
                connection.execute(*insert_record(game, self.key, record))
            # If the record was replaced since, its earlier writers no longer count.
            writers = "1" if is_first else "ifnull(writers, 0) + 1"
            connection.execute(
                f"UPDATE records SET file = ?, instead_of = ?, writers = {writers} {_RECORD}",
                (*to, game, self.key, record.hash),
            )
            before = self.game(game)
            turns = _pop_turns(connection, game, self.key)
            for file in known_files:
                for statement in self._facts(file, is_newest=True, time=self.time()):
                    connection.execute(*statement)
            after = self.game(game)
        replaced = [hashes[index] for index in replaced_indexes if index in hashes]
        return NewRecord(self, game, record, replaced, is_first, was_stored, (before, after), turns)

    def _check_open(self, game: bytes, record: Record, known_files: Iterable[KnownFile]) -> None:
        """Raise GameClosedError if another record closed the game, here or in a file."""
        # Nothing follows the close of its author.
        ends = [last for file in known_files for last in records_by(file.records, self.key)[-1:]]
        in_files = [last for last in ends if last.hash != record.hash]
        closed = find_close([*self._records(game, "has_close"), *in_files])
        if closed is not None:
            raise GameClosedError(closed)

    # --- games and their caches

    def load_cache(self, game: bytes) -> GameCache:
        """Return the cache of a game; an empty one if other users can write the database.

        Raises no error: signing reports failures, and without a cache reading only takes longer.
        """
        try:
            with self.reading():
                if is_private(self.path):
                    return self._read_cache(game)
        except StoreError as error:
            self.failure = self.failure or (None if error.may_pass else error)
        return GameCache(frozenset())

    def defer_note(self, match: Match, path: Path | None) -> None:
        """Set the file to be noted at the end; `path` is None for a file in a mailbox."""
        self.last_read = KnownFile.of(match, self.key, path)

    def flush(self) -> bool:
        """Note the file that was read last; return True if own records were learnt from it.

        If the game was not listed, the folder of the file is scanned again. Raises no error: facts
        that are not noted only cost time later.
        """
        file, self.last_read = self.last_read, None
        if file is None or self.failure is not None:
            return False
        with suppress(StoreError):
            if file.path is not None and self.game(file.id) is None:
                self.forget_stamps(file.path.absolute().parent)
            return self.note(file) and not file.game.is_finished
        return False

    def note(self, file: KnownFile, *, create: bool = False, is_learning: bool = False) -> bool:
        """Note a file that was read: own records in it, verified records, the state of the game.

        Return True if own records were learnt from it: records that were signed on another
        computer, or with a lost store. Nothing is written if all facts are known, or if there is
        no store and `create` is not set. With `is_learning`, for old games, the time of arrival
        is not noted.
        """
        if not create and not self.exists:
            return False
        with self.reading():
            if next(self._facts(file), None) is None:
                return False
            learns = next(self._own_records(file), None) is not None
        time = "" if is_learning else self.time()
        # Other facts can be read from the file again.
        with self.writing(NOTING_SECONDS, durable=learns) as connection:
            before = self.signed_hashes(file.id)
            for statement in self._facts(file, time=time):
                connection.execute(*statement)
            return self.signed_hashes(file.id) != before

    def time(self) -> str:
        """Return the time by the clock; empty without one."""
        return self.clock() if self.clock else ""

    def games(self) -> list[GameEntry]:
        """Return all known games of the player, in the order in which their last records came."""
        rows = self._rows(f"{_SELECT_GAMES} WHERE key = ?", (self.key,))
        return sorted((_entry_of(*row) for row in rows), key=waiting_since)

    def game(self, game: bytes) -> GameEntry | None:
        """Return the player's game with the id `game`, or None if it is not known."""
        rows = self._rows(f"{_SELECT_GAMES} {_GAME}", (game, self.key))
        return _entry_of(*rows[0]) if rows else None

    def games_by_id(self) -> dict[bytes, GameEntry]:
        """Return the known games by id; none if the database cannot be read."""
        with suppress(StoreError):
            return {game.id: game for game in self.games()}
        return {}

    def first_signed_times(self) -> dict[bytes, str]:
        """Return the time of the player's first signature in each listed game, by game id."""
        rows = self._rows(
            'SELECT game, record, hash, "index" FROM records JOIN games USING (game, key) '
            'WHERE key = ? AND counts AND "index" < 2',
            (self.key,),
        )
        times = {}
        for game, *row in rows:
            with suppress(StoreError):
                times[game] = read_record(self.key, *row).time
        return times

    def arrival_time(self, game: bytes, record: bytes) -> str:
        """Return the arrival time of the record with the hash `record`, by this computer's clock.

        The text is empty if the time is unknown; then the signed time counts.
        """
        with suppress(StoreError):
            query = "SELECT max(arrived) FROM seen WHERE game = ? AND hash = ?"
            for (time,) in self._rows(query, (game, record)):
                return read_time(time)
        return ""

    def set_pace(self, game: bytes, days: int | None) -> None:
        """Set the number of days that a move may take in a listed game."""
        self._write(f"UPDATE games SET pace = ? {_GAME}", (days, game, self.key))

    def allow_steps(self, game: bytes, *, is_allowed: bool) -> None:
        """Note that the player lets steps without a decision be signed in a game, or no longer."""
        time = self.time() if is_allowed else ""
        self._write(f"UPDATE games SET steps_allowed = ? {_GAME}", (time, game, self.key))

    def allows_steps(self, game: bytes) -> bool:
        """Return True if the player lets steps without a decision be signed in a game."""
        query = f"SELECT steps_allowed FROM games {_GAME}"
        return any(time for (time,) in self._rows(query, (game, self.key), (str,)))

    def note_guest(self, game: bytes, name: str, email: str) -> None:
        """Note the name and the address of the player for whom an invitation is."""
        row = (name, email, game, self.key)
        self._write(f"UPDATE games SET guest = ?, guest_email = ? {_GAME}", row)

    def guest(self, game: bytes) -> tuple[str, str]:
        """Return the name and the address of an invited player; empty once somebody has joined."""
        query = f"SELECT guest, guest_email FROM games {_GAME} AND due = '{JOIN}'"
        for name, email in self._rows(query, (game, self.key), (str, str)):
            return name, email
        return "", ""

    def forget_game(self, game: bytes) -> None:
        """Remove a game from the list; the records signed in it stay."""
        with self.writing() as connection:
            connection.execute(f"DELETE FROM games {_GAME}", (game, self.key))
            _pop_turns(connection, game, self.key)
            connection.execute("UPDATE seen SET checks = 0 WHERE game = ?", (game,))
            connection.execute("DELETE FROM snapshots WHERE game = ?", (game,))

    # --- new facts in a file

    def _facts(
        self, file: KnownFile, *, is_newest: bool = False, time: str = ""
    ) -> Iterator[Statement]:
        """Yield statements for the new facts in a file, which came at `time`.

        If it `is_newest`, the file counts even if it contradicts the newest file so far.
        """
        yield from self._newly_verified(file, time)
        yield from self._own_records(file)
        yield from self._game_in(file, is_newest=is_newest)
        yield from self._meeting(file, time)
        # A saved turn is deleted when the game continues.
        for (record,) in self._rows(f"SELECT record FROM kept_turns {_GAME}", (file.id, self.key)):
            if record in file.hashes[:-1]:
                yield f"DELETE FROM kept_turns {_TURN}", (file.id, self.key, record)

    def _read_cache(self, game: bytes) -> GameCache:
        """Return the records of a game verified by this program's checks, and its snapshots."""
        query = "SELECT hash, signature FROM seen WHERE game = ? AND checks = ?"
        verified = frozenset(VerifiedRecord(*row) for row in self._rows(query, (game, CHECKS)))
        query = f"SELECT {', '.join(Snapshot._fields)} FROM snapshots {_LATEST}"
        kinds = [*get_type_hints(Snapshot).values()]
        rows = [row for row in self._rows(query, (game,)) if [*map(type, row)] == kinds]
        return GameCache(verified, tuple(Snapshot(*row) for row in rows))

    def _newly_verified(self, file: KnownFile, time: str) -> Iterator[Statement]:
        known = self._read_cache(file.id)
        arrived = "SELECT 1 FROM seen WHERE game = ? AND hash = ? AND (checks OR arrived <> '')"
        for record in file.records[file.known_count :]:
            verified = VerifiedRecord.of(record)
            if verified not in known.verified:
                # The arrival of a record is noted once.
                is_new = record is file.records[-1] and not self._rows(
                    arrived, (file.id, record.hash)
                )
                row = (file.id, *verified, CHECKS, time if is_new else "")
                yield (
                    "INSERT INTO seen VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (game, hash, signature) DO UPDATE SET checks = excluded.checks, "
                    "arrived = max(arrived, excluded.arrived)",
                    row,
                )
        if file.snapshot is not None and file.snapshot not in known.snapshots:
            place = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)"
            yield place, (file.id, *file.snapshot)
            latest = f"SELECT rowid FROM snapshots {_LATEST}"
            yield (
                f"DELETE FROM snapshots WHERE game = ? AND rowid NOT IN ({latest})",
                (file.id, file.id),
            )

    def _own_records(self, file: KnownFile) -> Iterator[Statement]:
        """Yield statements for own records signed elsewhere, or with a lost store."""
        before, records = self.signed_hashes(file.id), records_by(file.records, self.key)
        missing = [record for record in records if before.get(record.index) != record.hash]
        # Records signed here still count. The others may have been sent, and are stored too.
        counts = not any(record.index in before for record in missing)
        for record in missing:
            if counts or not self._has_record(file.id, record):
                yield insert_record(file.id, self.key, record, counts=counts, is_learnt=True)

    def _game_in(self, file: KnownFile, *, is_newest: bool) -> Iterator[Statement]:
        before = self.game(file.id)
        if before is not None and not is_newest and not before.game.is_within(file.hashes):
            return
        last = before.game.last if before else b""
        after = (before or GameEntry(file.id, file.game, None, None, None))._replace(game=file.game)
        # The path of a known file stays when the same file comes from a mailbox.
        if file.path is not None or file.game.last != last:
            path = file.path.absolute() if file.path else None
            is_own = file.records[-1] in records_by(file.records, self.key)
            after = after._replace(file_out=path) if is_own else after._replace(file_in=path)
        if after != before:
            yield _set_entry(file.id, self.key, after)

    def _meeting(self, file: KnownFile, time: str) -> Iterator[Statement]:
        """Yield statements for an opponent who is met in a game for the first time."""
        person = find_opponent(file.records, self.key)
        if person is None or not is_committed(file.records, self.key):
            return
        met = f"SELECT 1 FROM met {_PLAYER} AND game = ?"
        if not self._rows(met, (self.key, person.key, file.id)):
            row = (self.key, file.id, *person, time)
            yield "INSERT OR IGNORE INTO met VALUES (?, ?, ?, ?, ?, ?)", row

    # --- unsigned turns, sealed by their players

    def saved_turn(self, game: bytes, record: bytes) -> bytes | None:
        """Return the sealed unsigned turn saved at the record with the hash `record`, or None."""
        query = f"SELECT sealed FROM kept_turns {_TURN}"
        for (sealed,) in self._rows(query, (game, self.key, record)):
            # A value of another type is treated as a box that does not open.
            return sealed if type(sealed) is bytes else b""
        return None

    def save_turn(self, game: bytes, record: bytes, sealed: bytes | None) -> None:
        """Save an unsigned turn at `record` until the game continues; None deletes it."""
        row = (game, self.key, record)
        if sealed is not None:
            again = "INSERT OR REPLACE INTO kept_turns VALUES (?, ?, ?, ?)"
            self._write(again, (*row, sealed), durable=False)
        elif self.saved_turn(game, record) is not None:
            self._write(f"DELETE FROM kept_turns {_TURN}", row, durable=False)

    # --- sent records, noted before they are sent

    def dispatch(self, game: bytes, record: bytes) -> Dispatch | None:
        """Return the dispatch of the record with the hash `record`; None if it was not sent."""
        query = f'SELECT state, time, "to" FROM dispatched {_RECORD}'
        for row in self._rows(query, (game, self.key, record)):
            state, time, to = map(str, row)
            # A record in an unknown state may have been sent.
            is_sent = state == Sending.SENT.value
            return Dispatch(Sending.SENT if is_sent else Sending.BEGUN, time, to)
        return None

    def begin_sending(
        self, game: bytes, record: bytes, time: str, to: str, *, again: bool
    ) -> Dispatch | None:
        """Note that a record is about to be sent, and return its earlier dispatch.

        Raises AlreadyDispatchedError if it was, or may have been, sent before, unless it is sent
        `again`.
        """
        with self.writing() as connection:
            before = self.dispatch(game, record)
            if before is not None and not again:
                raise AlreadyDispatchedError(before)
            self._note_dispatch(connection, game, record, Dispatch(Sending.BEGUN, time, to))
        return before

    def end_sending(self, game: bytes, record: bytes) -> None:
        """Note that a record whose sending was begun was sent."""
        row = (Sending.SENT.value, game, self.key, record)
        self._write(f"UPDATE dispatched SET state = ? {_RECORD}", row)

    def take_back_sending(self, game: bytes, record: bytes, before: Dispatch | None) -> None:
        """Undo `begin_sending`, which returned `before`, because the record was not sent."""
        with self.writing() as connection:
            connection.execute(f"DELETE FROM dispatched {_RECORD}", (game, self.key, record))
            if before is not None:
                self._note_dispatch(connection, game, record, before)

    def _note_dispatch(
        self, connection: Connection, game: bytes, record: bytes, dispatch: Dispatch
    ) -> None:
        row = (game, self.key, record, dispatch.sending.value, dispatch.time, dispatch.to)
        connection.execute("INSERT OR REPLACE INTO dispatched VALUES (?, ?, ?, ?, ?, ?)", row)

    # --- scanned folders and mailboxes

    def mailbox_position(self, mailbox: str) -> MailboxPosition | None:
        """Return the position up to which a mailbox was read; None if it never was."""
        query = f"SELECT changed_or_validity, size_or_uid FROM searched {_PLACE}"
        rows = self._rows(query, (self.key, mailbox))
        return MailboxPosition(*map(int, rows[0])) if rows else None

    def note_mailbox_position(self, mailbox: str, position: MailboxPosition) -> None:
        """Note the position in a mailbox, unless a later one is known."""
        self._write(
            "INSERT INTO searched VALUES (?, ?, x'', ?, ?) ON CONFLICT (key, place, entry) "
            "DO UPDATE SET size_or_uid = CASE changed_or_validity "
            "WHEN excluded.changed_or_validity THEN max(size_or_uid, excluded.size_or_uid) "
            "ELSE excluded.size_or_uid END, "
            "changed_or_validity = excluded.changed_or_validity",
            (self.key, mailbox, *position),
        )

    def stamps(self, folder: Path) -> dict[str, Stamp] | None:
        """Return the stamps of the files in a folder, by name; None if it was never scanned."""
        query = f"SELECT entry, changed_or_validity, size_or_uid FROM searched {_PLACE}"
        rows = self._rows(query, (self.key, os.fsencode(folder)))
        by_name = {os.fsdecode(name): Stamp(changed, size) for name, changed, size in rows}
        # The folder itself is stored under the empty name, because it may be empty.
        return by_name if by_name.pop("", None) is not None else None

    def note_stamps(self, folder: Path, stamps: Mapping[str, Stamp]) -> None:
        """Note the stamps of a scanned folder; this does not create a store."""
        if not self.exists:
            return
        place = (self.key, os.fsencode(folder))
        rows = [(*place, os.fsencode(name), *stamp) for name, stamp in stamps.items()]
        # A power cut may undo this: then the files are only read again.
        with self.writing(NOTING_SECONDS, durable=False) as connection:
            connection.execute(f"DELETE FROM searched {_PLACE}", place)
            connection.executemany(
                "INSERT INTO searched VALUES (?, ?, ?, ?, ?)", [(*place, b"", 0, 0), *rows]
            )

    def forget_stamps(self, folder: Path) -> None:
        """Forget that a folder was ever scanned."""
        if self.stamps(folder) is not None:
            place = (self.key, os.fsencode(folder))
            self._write(f"DELETE FROM searched {_PLACE}", place, durable=False)

    # --- known players

    def known_players(self) -> list[KnownPlayer]:
        """Return all players met, in the order of the first meeting."""
        return self._book().acquaintances()

    def recognise(self, records: Sequence[Record]) -> Recognition | None:
        """Return the facts about the opponent in the game of a file.

        Return None if there is no opponent, or if the database cannot be read.
        """
        person = find_opponent(records, self.key)
        if person is None or self.failure is not None:
            return None
        with suppress(StoreError):
            recognition = self._book().recognise(person)
            is_learnt = recognition.trust is Trust.FIRST and is_committed(records, self.key)
            return recognition._replace(trust=Trust.LEARNT) if is_learnt else recognition
        return None

    def vouch(self, person: Person) -> None:
        """Note that the key belongs to this person; if this fails, the player is asked again."""
        with suppress(StoreError), self.writing() as connection:
            self._vouch(connection, person)

    def set_nickname(self, player: bytes, nickname: str) -> None:
        """Set the nickname of a known player; that also vouches for the key."""
        with self.writing() as connection:
            for person in self._book().people_with(player):
                self._vouch(connection, person)
            row = (nickname, self.key, player)
            connection.execute(f"UPDATE vouched SET nickname = ? {_PLAYER}", row)

    def forget_player(self, player: bytes) -> None:
        """Forget a key, and all that is known about its owner here."""
        with self.writing() as connection:
            for table in ("met", "vouched"):
                connection.execute(f"DELETE FROM {table} {_PLAYER}", (self.key, player))

    def _vouch(self, connection: Connection, person: Person) -> None:
        columns = "(key, player, name, email)"
        row = (self.key, *person)
        connection.execute(f"INSERT OR IGNORE INTO vouched {columns} VALUES (?, ?, ?, ?)", row)

    def _book(self) -> AddressBook:
        """Return everything that is known about other players. Raises StoreError."""
        kinds = (bytes, str, str, str)
        query = "SELECT player, name, email, {} FROM {} WHERE key = ? ORDER BY rowid"
        with self.reading():
            met = self._rows(query.format("time", "met"), (self.key,), kinds)
            vouched = self._rows(query.format("nickname", "vouched"), (self.key,), kinds)
        return AddressBook(
            tuple((Person(*who), time) for *who, time in met),
            tuple(Person(*who) for *who, _ in vouched),
            {key: nickname for key, *_, nickname in vouched if nickname},
        )


def _version(connection: Connection) -> int:
    """Return the version of the tables; -1 for tables that this computer has not yet written.

    Raises StoreBlockedError for a newer version.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (computer,) = connection.execute("PRAGMA application_id").fetchone()
    if version > VERSION:
        raise StoreBlockedError(
            "a newer acres made it", Message("Update yours, and run this again.")
        )
    return -1 if version and computer != computer_id() else int(version)


def _check_access(path: Path) -> None:
    """Raise StoreError if the path may not be written."""
    if not os.access(path, os.W_OK):
        read_only = sys.platform != "win32" and os.statvfs(path).f_flag & os.ST_RDONLY
        number = errno.EROFS if read_only else errno.EACCES
        raise os_failure(OSError(number, os.strerror(number)))


def _pop_turns(connection: Connection, game: bytes, key: bytes) -> Sequence[tuple[object, ...]]:
    """Delete all unsigned turns that a key has saved in a game, and return their rows."""
    rows = connection.execute(f"SELECT * FROM kept_turns {_GAME}", (game, key)).fetchall()
    if rows:
        connection.execute(f"DELETE FROM kept_turns {_GAME}", (game, key))
    return rows


# --- games, as rows


def _set_entry(game: bytes, key: bytes, entry: GameEntry | None) -> Statement:
    """Return the statement that stores a game's entry, or deletes it."""
    if entry is None:
        return f"DELETE FROM games {_GAME}", (game, key)
    paths = (path and os.fsencode(path) for path in (entry.file_in, entry.file_out))
    row = (game, key, *entry.game, *paths, entry.pace)
    # Not replaced: the number of the row tells when the game was listed first.
    values = ", ".join("?" * len(row))
    once_more = f"ON CONFLICT (game, key) DO UPDATE SET {_FACT_UPDATES}"
    return f"INSERT INTO games (game, key, {_FACTS}) VALUES ({values}) {once_more}", row


def _entry_of(game: object, *facts: object) -> GameEntry:
    of_game, (file_in, file_out, pace, row, arrived) = facts[:-5], facts[-5:]
    if type(game) is not bytes or [*map(type, of_game)] != [*get_type_hints(Game).values()]:
        raise StoreError("it is damaged")
    if (pace is not None and type(pace) is not int) or type(row) is not int:
        raise StoreError("it is damaged")
    return GameEntry(
        game, Game._make(of_game), _path(file_in), _path(file_out), pace, read_time(arrived), row
    )


def _path(stored: object) -> Path | None:
    return Path(os.fsdecode(stored)) if type(stored) is bytes else None


__all__ = [
    "AlreadyDispatchedError",
    "Destination",
    "Dispatch",
    "Game",
    "GameEntry",
    "KnownFile",
    "MailboxPosition",
    "NewRecord",
    "Sending",
    "Stamp",
    "Store",
    "StoreBlockedError",
    "StoreError",
]
