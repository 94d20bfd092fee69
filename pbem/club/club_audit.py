"""The reading of a club's files: finds them, groups them by game, and audits each game once.

Contents of sources and verdicts are kept in a cache by their digests. It is a database of its
owner: whoever can write a club's folder cannot write verdicts, and a cache that others can write is
refused. A value that is damaged or was written by another version of the program counts as missing,
so that it only costs time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias

import engine
import pbem
from engine.message import Message, mark
from pbem import VERSION
from pbem.club import verdicts
from pbem.club.club_sources import (
    ClubSource,
    Damage,
    Mention,
    SavedGame,
    ValidEvidence,
    digest,
    find_file,
    find_sources,
    read_items,
)
from pbem.club.verdicts import (
    ClubGame,
    ForkEvidence,
    Missing,
    Row,
    UnreadableFile,
    accuse,
    judge,
    kind_of,
)
from pbem.club.workers import cluster, processes, run_tasks
from pbem.errors import InputError, UsageError, bug_message, report_os_errors
from pbem.foreign import display_path
from pbem.play.incoming import MAX_MESSAGE, is_called_save
from pbem.play.store.schema import sqlite3
from pbem.protocol import cache as codec
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import MAX_RECORDS
from pbem.savefile.disk import read_file
from pbem.savefile.save_file import FileScan

READING = mark("Reading: {done} files.")
AUDITING = mark("Auditing: {done} of {total} games, {rate} a minute.")
ProgressCallback: TypeAlias = Callable[[str, int, int | None], object]
"""A function of a marked message, the number done, and the total number if it is known."""
MAX_FAILURES = 3
"""The number of times in a row that workers may end before any verdict."""
_DONE, _DUE, _ALL_FILES = range(3)
"""The states of a game: with a verdict, without one, and to be read with all of its files."""
_QUEUED = 64
"""The number of games whose files are in memory, waiting for a worker of a cluster."""
_NAMES = "utf-8", "surrogatepass"
"""The encoding of names in the database."""
_TABLES = """
CREATE TEMP TABLE seen (name, path, is_inside, source, digest, game, guest, time, records, length,
    text);
CREATE INDEX temp.seen_by_game ON seen (game);
CREATE INDEX temp.seen_by_digest ON seen (digest);
CREATE TEMP TABLE evidence (name, key, number, previous, data, used);
CREATE INDEX temp.evidence_by_key ON evidence (key);
CREATE TEMP TABLE mentions (name, game, number);
CREATE INDEX temp.mentions_by_game ON mentions (game);
CREATE TEMP TABLE damage (name, game, reason, records, used);
CREATE INDEX temp.damage_by_game ON damage (game);
CREATE TEMP TABLE groups (place INTEGER PRIMARY KEY, game, guest, files, is_due);
CREATE TEMP TABLE spool (source BLOB PRIMARY KEY, data);
"""


def read_games(
    paths: Iterable[Path],
    *,
    jobs: int | None = 1,
    cluster_address: str = "",
    cache: Path | None = None,
    fresh: bool = False,
    progress: ProgressCallback = lambda *_: None,
) -> Iterator[Row]:
    """Yield the games in files, then evidence and unreadable files, in a fixed order.

    - `paths`: folders, zip and tar archives, Maildirs, mboxes, messages and save files.
    - `jobs`: the number of processes, None for one per core. `cluster_address`: the address of the
      scheduler of a Dask cluster, which is used instead.
    - `cache`: the file with the verdicts of earlier runs; None for none. With `fresh` these
      verdicts are not used.

    Games are in the order of their first record's time, then of their ids; the others of their
    names. Nothing is yielded before all is audited. Verdicts are in the cache as soon as they are
    known: after an interruption the same call goes on. Raises UsageError if a path does not exist,
    the cache is not private or cannot be used, or there is no cluster.
    """
    for is_second in (False, True):
        opened = Cache(cache, fresh=fresh)
        with closing(opened.database):
            try:
                run = _Run(opened, [*paths], progress)
                run.scan()
                run.group()
                run.audit(os.cpu_count() or 1 if jobs is None else jobs, cluster_address)
            except sqlite3.Error as error:
                if is_second or type(error) is not sqlite3.DatabaseError:
                    raise cache_error(cache, error) from None
            else:
                yield from run.rows()
                return
        # It is damaged.
        opened.remove()


class _ChangedError(Exception):
    """Raised if a file, named by the argument, was changed while this program read it."""


class _Run:
    """One reading of the files in some paths; its temporary tables are in the cache's database."""

    def __init__(self, cache: Cache, paths: Sequence[Path], progress: ProgressCallback) -> None:
        self._cache = cache
        self._paths = paths
        self._progress = progress
        self._execute = cache.database.execute
        cache.database.executescript(_TABLES)

    # --- reading

    def scan(self) -> None:
        """Note the contents of all sources. Raises UsageError if a path does not exist."""
        for number, source in enumerate(find_sources(self._paths)):
            self._progress(READING, number, None)
            if isinstance(source, UnreadableFile):
                self._note_damage(source.name, Damage(source.reason))
                continue
            key = digest(source.data)
            is_called = is_called_save(PurePath(source.name))
            contents_key = key + bytes([is_called])
            items = self._cache.get("contents", contents_key)
            if items is None:
                items = read_items(source.data, is_called_save=is_called)
                self._cache.put("contents", contents_key, items)
            if source.is_inside and any(isinstance(item, SavedGame) for item in items):
                # An archive cannot be read again from the middle.
                self._insert("spool", key, source.data)
            for item in items:
                self._note(source, key, item)

    def _note(self, source: ClubSource, key: bytes, item: object) -> None:
        match item:
            case SavedGame():
                where = source.name, str(source.path), source.is_inside, key
                facts = item.digest, item.game, item.guest, item.time, item.records
                self._insert("seen", *where, *facts, item.length, item.text)
            case ValidEvidence(author, index, previous, data):
                self._insert("evidence", source.name, author, index, previous, data, 0)
            case Mention(game, index) if index < MAX_RECORDS:
                self._insert("mentions", source.name, game, index)
            case Damage():
                self._note_damage(source.name, item)

    def _note_damage(self, name: str, item: Damage) -> None:
        self._insert(
            "damage", name, item.game, codec.write(codec.storable(item.reason)), item.records, 0
        )

    def _insert(self, table: str, *values: object) -> None:
        # Names need not be Unicode.
        marks = ", ".join("CAST(? AS TEXT)" if isinstance(one, str) else "?" for one in values)
        data = [one.encode(*_NAMES) if isinstance(one, str) else one for one in values]
        self._execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", data)

    def group(self) -> None:
        """Group the files by game and guest; an invitation belongs to the games of all guests."""
        order = "SELECT game FROM seen GROUP BY game ORDER BY min(time), game"
        for (game,) in self._execute(order).fetchall():
            select = "SELECT DISTINCT guest, digest FROM seen WHERE game = ?"
            files = self._execute(select, (game,)).fetchall()
            guests = {guest for guest, _ in files if guest} or {b""}
            for guest in sorted(guests):
                digests = sorted(one for of, one in files if of in (guest, b""))
                key = tagged_hash(Tag.CACHE, b"\5", game, guest.rjust(32, b"\0"), *digests)
                is_due = _DUE if self._cache.get("verdicts", key) is None else _DONE
                self._insert("groups", None, game, guest, key, is_due)

    # --- auditing

    def audit(self, jobs: int, address: str) -> None:
        """Audit the games whose verdicts are not known, and keep each verdict at once.

        If workers end, their games go to others. Raises UsageError if they end again and again, or
        if there is no cluster.
        """
        failures = 0
        count = "SELECT count(*) FROM groups WHERE is_due"
        (total,) = (left,) = self._execute(count).fetchone()
        while left:
            try:
                for key, rows, clean in self._verdicts(jobs, address):
                    # If the longest file is damaged, those that it contains are read, too.
                    is_whole = not clean or any(isinstance(row, ClubGame) for row in rows)
                    if is_whole:
                        self._cache.put("verdicts", key, rows)
                    values = _DONE if is_whole else _ALL_FILES, key
                    self._execute("UPDATE groups SET is_due = ? WHERE files = ?", values)
                    failures, left = 0, left - is_whole
                    self._progress(AUDITING, total - left, total)
            except (BrokenProcessPool, CancelledError):
                failures += 1
            if failures == MAX_FAILURES:
                raise UsageError(
                    "The worker processes end again and again, perhaps for lack of memory. The "
                    "verdicts so far are kept: run this again with fewer --jobs."
                )
            (left,) = self._execute(count).fetchone()

    def _verdicts(self, jobs: int, address: str) -> Iterator[_Judged]:
        tasks = self._tasks()
        if jobs == 1 and not address:
            yield from (_judge(*task)[0] for task in tasks)
            return
        with cluster(address) if address else processes(jobs) as executor:
            results = run_tasks(executor, _judge, tasks, _QUEUED if address else 2 * jobs)
            for result, version in results:
                if version != VERSION:
                    raise UsageError(
                        "A worker of the cluster has acres {other}, and this is {version}: install "
                        "the same everywhere.",
                        other=version,
                        version=VERSION,
                    )
                yield result

    def _tasks(self) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of `_judge` for each game that is due, reading its files only now."""
        select = "SELECT * FROM groups WHERE is_due AND place > ? LIMIT 1"
        place = 0
        while row := self._execute(select, (place,)).fetchone():
            place, game, guest, key, is_due = row
            try:
                files, clean = self._files_to_read(game, guest, is_all=is_due == _ALL_FILES)
            except _ChangedError as error:
                self._execute("UPDATE groups SET is_due = 0 WHERE place = ?", (place,))
                reason = Message("it was changed while it was read: run this again.")
                self._note_damage(error.args[0], Damage(reason, game))
            else:
                yield key, game, files, clean

    def _files_to_read(
        self, game: bytes, guest: bytes, *, is_all: bool
    ) -> tuple[list[tuple[str, bytes]], list[int]]:
        """Return files of a game to be audited, by their digests, and the numbers `clean`.

        See `judge`. Unless `is_all` is set, files that the longest one begins with are left out.
        """
        select = (
            "SELECT DISTINCT digest, records, length, text FROM seen WHERE game = ? AND guest "
            "IN (?, x'') ORDER BY records DESC, length DESC, digest"
        )
        files: list[tuple[str, bytes]] = []
        clean: list[int] = []
        longest = None
        for key, records, length, text in self._execute(select, (game, guest)).fetchall():
            if longest and text and digest(longest.beginning(length)) == text:
                clean.append(records)
                continue
            files.append((key.hex(), self._load(key)))
            if len(files) == 1 and not is_all:
                longest = FileScan.of(files[0][1])
        return files, clean

    def _load(self, key: bytes) -> bytes:
        """Return the bytes of a file. Raises _ChangedError if it was changed since it was read."""
        select = (
            "SELECT path, is_inside, data FROM seen LEFT JOIN spool USING (source) WHERE digest = ?"
        )
        for path, is_inside, data in self._execute(select, (key,)).fetchall():
            with suppress(InputError):
                source = data or b"" if is_inside else read_file(Path(path), MAX_MESSAGE)
                if (file := find_file(source, key)) is not None:
                    return file
        raise _ChangedError(self._name(key.hex()))

    # --- rows

    def rows(self) -> Iterator[Row]:
        """Yield all rows in their order; see `read_games`."""
        for guest, key in self._execute("SELECT guest, files FROM groups ORDER BY place"):
            for result in self._cache.get("verdicts", key) or ():
                if isinstance(result, ClubGame):
                    yield self._complete(result, guest)
                else:
                    yield replace(result, name=self._name(result.name))
        for name, key, index, data in self._execute(
            "SELECT name, key, number, data FROM evidence WHERE NOT used ORDER BY name"
        ):
            yield ForkEvidence(name, key, index, data)
        for name, game, reason in self._execute(
            "SELECT name, game, reason FROM damage WHERE NOT used ORDER BY name"
        ):
            yield UnreadableFile(name, codec.read(reason), game)

    def _name(self, key: str) -> str:
        """Return the name of a file by its digest in hexadecimal digits."""
        select = "SELECT min(name) FROM seen WHERE digest = ?"
        (name,) = self._execute(select, (bytes.fromhex(key),)).fetchone()
        return str(name)

    def _complete(self, game: ClubGame, guest: bytes) -> ClubGame:
        """Return a game with the names of its files, and the claims of other files about it."""
        select = (
            "SELECT name FROM seen WHERE game = ? AND guest IN (?, x'') ORDER BY records DESC, name"
        )
        names = [name for (name,) in self._execute(select, (game.id, guest))]
        newest = self._name(game.newest.hex())
        unreadable = [replace(file, name=self._name(file.name)) for file in game.unreadable]
        claims = [replace(game.missing, file=self._name(game.missing.file))] if game.missing else []
        damaged = "SELECT name, reason, records FROM damage WHERE game = ? ORDER BY name"
        for name, reason, records in self._execute(damaged, (game.id,)).fetchall():
            unreadable.append(UnreadableFile(name, codec.read(reason), game.id))
            claims.append(Missing(min(records, MAX_RECORDS) - 1, name))
        self._execute("UPDATE damage SET used = 1 WHERE game = ?", (game.id,))
        mentions = "SELECT number, name FROM mentions WHERE game = ? ORDER BY name"
        claims += [Missing(*row) for row in self._execute(mentions, (game.id[:4],))]
        newer = [claim for claim in claims if claim.index >= game.records]
        accusations = (*game.accusations, *self._evidence(game))
        return replace(
            game,
            files=tuple(dict.fromkeys((newest, *names))),
            unreadable=tuple(sorted(unreadable, key=lambda file: file.name)),
            missing=max(newer, key=lambda claim: claim.index, default=None),
            accusations=accusations,
            verdict=kind_of(accusations, is_whole=game.verdict is not verdicts.Verdict.DAMAGED),
        )

    def _evidence(self, game: ClubGame) -> Iterator[verdicts.Accusation]:
        """Yield the forks in a game of which there is separate evidence, each once."""
        known = {(one.key, one.index) for one in game.accusations if one.evidence}
        keys = [who.key for who in (game.inviter, *game.players.values())]
        select = (
            "SELECT rowid, key, number, previous, data FROM evidence WHERE key IN (?, ?, ?) "
            "ORDER BY data"
        )
        for row, key, index, previous, data in self._execute(
            select, [*keys, keys[0], keys[0]][:3]
        ).fetchall():
            before = 8 * (index - 1)
            if game.hashes[before : before + 8] != previous[:8]:
                continue
            self._execute("UPDATE evidence SET used = 1 WHERE rowid = ?", (row,))
            if (key, index) not in known:
                known.add((key, index))
                yield accuse(key, index, data)


_Judged: TypeAlias = tuple[bytes, list[Row], Sequence[int]]
"""The key of a verdict, its rows, and the numbers `clean` that `judge` was told."""


def _judge(
    key: bytes, game: bytes, files: Sequence[tuple[str, bytes]], clean: Sequence[int]
) -> tuple[_Judged, str]:
    """Judge a game in a worker, and return the version of the worker, too."""
    try:
        rows = judge(game, files, clean)
    except MemoryError:
        raise
    except Exception as error:
        # One game must not end the audit of all others.
        rows = [UnreadableFile(name, bug_message(error), game) for name, _ in files]
    return (key, rows, clean), VERSION


# --- the cache

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
        database.text_factory = lambda data: data.decode(*_NAMES)
        # Only a power cut may damage it, and damage costs only time.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE IF NOT EXISTS program (digest BLOB)")
        folders = [Path(package.__file__).parent for package in (engine, pbem) if package.__file__]
        program = codec.program_digest(*folders)
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
                return codec.read(row[0][_SEAL:])
        return None

    def put(self, table: Table, key: bytes, value: object) -> None:
        """Keep the value of a key."""
        data = codec.write(value)
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
