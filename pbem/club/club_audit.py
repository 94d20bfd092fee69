"""The reading of a club's files: finds them, groups them by game, and audits each game once.

The contents of files, and the verdicts, are kept in a cache by digests. It is a database of its
owner: whoever can write a club's folder cannot write verdicts, and a cache that others can write is
refused. A value that is damaged or was written by another version of the program counts as missing,
so that it only costs time.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import replace
from itertools import starmap
from operator import attrgetter
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeAlias

import engine
from engine.message import Message, mark
from pbem import VERSION
from pbem.club.club_sources import find_sources
from pbem.club.verdicts import (
    ClubGame,
    ForkEvidence,
    Item,
    Row,
    SavedGame,
    UnreadableFile,
    find_file,
    judge,
    read_entries,
)
from pbem.club.workers import cluster, processes, run_tasks
from pbem.errors import InputError, UsageError, bug_message, report_os_errors
from pbem.foreign import display_path, shell_quote
from pbem.play.incoming import MAX_MESSAGE, is_called_save
from pbem.play.store.schema import is_private, sqlite3
from pbem.protocol import cache as codec
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.savefile.disk import read_file

READING = mark("Reading: {done} files.")
AUDITING = mark("Auditing: {done} of {total} games, {rate} a minute.")
ProgressCallback: TypeAlias = Callable[[str, int, int | None], object]
"""A function of a marked message, the number done, and the total number if it is known."""
MAX_FAILURES = 3
"""The number of times in a row that workers may end before any verdict."""
_QUEUED = 64
"""The number of games whose files are in memory, waiting for a worker of a cluster."""
_TABLE = """
CREATE TABLE items (subject, item, name, time, inviter, guest, records, data);
CREATE INDEX by_subject ON items (subject);
"""
"""The items of all sources: of what they are (see `Entry`), and the facts of a save file.

Items and names are written by `codec`. `data` is a source in an archive or a mailbox, which cannot
be read again from the middle.
"""
_GAMES = """
SELECT DISTINCT time, subject, inviter, guest FROM items
WHERE guest > x'' OR guest = x'' AND subject NOT IN (SELECT subject FROM items WHERE guest > x'')
ORDER BY time, subject, guest
"""
_ITEMS = """
SELECT item, name FROM items
WHERE subject IN (?1, ?2, ?3, ?4) AND (guest ISNULL OR guest IN (?4, x''))
ORDER BY time ISNULL, records DESC, item, rowid
"""
_OTHERS = """
SELECT item, name FROM items
WHERE time ISNULL AND (subject ISNULL OR subject NOT IN
(SELECT subject FROM items WHERE time NOTNULL)) ORDER BY rowid
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
    """Yield the games in files, then other evidence and unreadable files, in a fixed order.

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
    try:
        with closing(Cache(cache, fresh=fresh)) as opened, closing(sqlite3.connect("")) as items:
            run = _Run(opened, items, progress)
            run.scan(paths)
            run.audit(os.cpu_count() or 1 if jobs is None else jobs, cluster_address)
            yield from run.rows()
    except sqlite3.Error as error:
        # So that a full disk for temporary files is reported, too.
        file, reason = display_path(cache or Path()), str(error)
        raise UsageError(
            "The cache {file} cannot be used: {reason}.", file=file, reason=reason
        ) from None


class _Game(NamedTuple):
    """A game: its id, the items about it, the names of the files of each item.

    `key` is the key of its verdict, which follows from the items alone.
    """

    id: bytes
    key: bytes
    items: Sequence[Item]
    names: Sequence[Sequence[str]]

    def name(self, row: Row) -> Iterator[Row]:
        """Yield a row of `judge` with the names of files, an unreadable one under each name."""
        if isinstance(row, UnreadableFile):
            yield from (replace(row, name=name) for name in self.names[int(row.name)])
        elif isinstance(row, ClubGame):
            missing = row.missing
            if missing:
                missing = replace(missing, file=self.names[int(missing.file)][0])
            names = [name for number in row.files for name in self.names[int(number)]]
            unreadable: list[Any] = [one for file in row.unreadable for one in self.name(file)]
            yield replace(
                row,
                files=tuple(dict.fromkeys(names)),
                missing=missing,
                unreadable=tuple(sorted(unreadable, key=attrgetter("name"))),
            )


class _Run:
    """One reading of files, with the verdicts in a cache; `items` is an empty database for it."""

    def __init__(self, cache: Cache, items: Any, progress: ProgressCallback) -> None:
        self._cache = cache
        self._progress = progress
        self._execute = items.execute
        items.isolation_level = None
        items.executescript(_TABLE)

    def scan(self, paths: Iterable[Path]) -> None:
        """Note the items in all sources. Raises UsageError if a path does not exist."""
        for number, source in enumerate(find_sources(paths)):
            self._progress(READING, number, None)
            if isinstance(source, UnreadableFile):
                self._note(None, source, source.name)
                continue
            is_called = is_called_save(PurePath(source.name))
            key = tagged_hash(Tag.CACHE, b"\6", bytes([is_called]), source.data)
            entries = self._cache.get(key)
            if entries is None:
                entries = [*read_entries(source.data, is_called_save=is_called)]
                self._cache.put(key, entries)
            for subject, item in entries:
                is_needed = source.is_inside and isinstance(item, SavedGame)
                self._note(subject, item, source.name, source.data if is_needed else None)

    def _note(
        self, subject: bytes | None, item: Item, name: str, data: bytes | None = None
    ) -> None:
        facts = [getattr(item, fact, None) for fact in ("time", "inviter", "guest", "records")]
        values = subject, codec.write(item), codec.write(name), *facts, data
        self._execute("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def _games(self) -> Iterator[_Game]:
        """Yield the games in their order; an invitation belongs to the games of all guests."""
        for _, game, inviter, guest in self._execute(_GAMES):
            names = defaultdict[bytes, list[str]](list)
            for item, name in self._execute(_ITEMS, (game, game[:4], inviter, guest)):
                names[item].append(codec.read(name))
            key = tagged_hash(Tag.CACHE, b"\5", game, *names)
            yield _Game(game, key, [*map(codec.read, names)], [*names.values()])

    # --- auditing

    def audit(self, jobs: int, address: str) -> None:
        """Audit the games whose verdicts are not in the cache, and put each one there at once.

        If workers end, their games go to others. Games with which they end again and again have
        no verdict. Raises UsageError if there is no cluster.
        """
        failures = 0
        while failures < MAX_FAILURES and (total := sum(1 for _ in self._due())):
            done = 0
            try:
                for key, rows in self._verdicts(jobs, address):
                    if rows:
                        self._cache.put(key, rows)
                    done, failures = done + 1, 0
                    self._progress(AUDITING, done, total)
                return
            except (BrokenProcessPool, CancelledError):
                failures += 1

    def _due(self) -> Iterator[_Game]:
        return (game for game in self._games() if self._cache.get(game.key) is None)

    def _verdicts(self, jobs: int, address: str) -> Iterator[tuple[bytes, list[Row]]]:
        """Yield the verdicts on the games that are due, in any order, each after its key."""
        tasks = (
            (VERSION, game, [*map(self._source, game.items, game.names)]) for game in self._due()
        )
        if jobs == 1 and not address:
            yield from starmap(_judge, tasks)
            return
        with cluster(address) if address else processes(jobs) as executor:
            yield from run_tasks(executor, _judge, tasks, _QUEUED if address else 2 * jobs)

    def _source(self, item: Item, names: Sequence[str]) -> bytes:
        """Return a save file from its source; empty for other items, and if it is gone."""
        if isinstance(item, SavedGame):
            select = "SELECT data FROM items WHERE subject = ? AND item = ?"
            (data,) = self._execute(select, (item.game, codec.write(item))).fetchone()
            with suppress(InputError):
                source = data or read_file(Path(names[0]), MAX_MESSAGE)
                return find_file(source, item.digest) or b""
        return b""

    # --- rows

    def rows(self) -> Iterator[Row]:
        """Yield all rows in their order; see `read_games`."""
        undecided = Message(
            "there is no verdict: it was changed while it was read, or memory did not suffice. Run "
            "this again, with fewer --jobs."
        )
        proofs: set[bytes] = set()
        for game in self._games():
            rows = self._cache.get(game.key)
            for row in rows or [UnreadableFile("0", undecided, game.id)]:
                yield from game.name(row)
                if isinstance(row, ClubGame):
                    proofs.update(one.evidence for one in row.accusations)
        for text, name in self._execute(_OTHERS):
            item = codec.read(text)
            is_row = isinstance(item, UnreadableFile | ForkEvidence)
            if is_row and getattr(item, "data", None) not in proofs:
                yield replace(item, name=codec.read(name))


def _judge(version: str, game: _Game, sources: Sequence[bytes]) -> tuple[bytes, list[Row]]:
    """Judge a game in a worker, and return its key and its rows; none if that fails.

    Raises UsageError if the worker has another version of the program.
    """
    if version != VERSION:
        raise UsageError(
            "A worker of the cluster has acres {other}, and this is {version}: install the same "
            "everywhere.",
            other=VERSION,
            version=version,
        )
    try:
        rows = judge(game.id, game.items, sources)
    except MemoryError:
        rows = []
    except Exception as error:
        # One game must not end the audit of all others.
        rows = [UnreadableFile("0", bug_message(error), game.id)]
    return game.key, rows


# --- the cache

_SEAL = 32
"""The length of the digest before each value, in bytes."""
_WAIT = 60.0
"""The time to wait for another process that writes, in seconds."""


class Cache:
    """The cache in the file `path`; without one it ends with this process.

    With `fresh` it begins empty. All methods raise UsageError if others can write the file, and
    errors of SQLite if it cannot be used. A damaged file is replaced.
    """

    def __init__(self, path: Path | None, *, fresh: bool = False) -> None:
        self._path = path
        folders = Path(engine.__file__).parent, Path(__file__).parents[1]
        self._program = codec.program_digest(*folders)
        self._database: Any = None
        if fresh:
            self._execute("DELETE FROM cache")

    def get(self, key: bytes) -> Any:
        """Return the value of a key, or None if it is missing, damaged, or of another program."""
        for (value,) in self._execute("SELECT value FROM cache WHERE key = ?", key):
            with suppress(Exception):
                if value[:_SEAL] == self._seal(key, value[_SEAL:]):
                    return codec.read(value[_SEAL:])
        return None

    def put(self, key: bytes, value: object) -> None:
        """Keep the value of a key."""
        data = codec.write(value)
        sealed = self._seal(key, data) + data
        self._execute("INSERT OR REPLACE INTO cache VALUES (?, ?)", key, sealed)

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _seal(self, key: bytes, data: bytes) -> bytes:
        return tagged_hash(Tag.CACHE, b"\4", self._program, key, data)

    def _execute(self, statement: str, *values: bytes) -> list[tuple[Any, ...]]:
        try:
            return self._fetch(statement, values)
        except sqlite3.DatabaseError as error:
            # Errors of derived types, such as a full disk, are no damage.
            if self._path is None or type(error) is not sqlite3.DatabaseError:
                raise
            self.close()
            for end in ("", "-wal", "-shm"):
                Path(f"{self._path}{end}").unlink(missing_ok=True)
            return self._fetch(statement, values)

    def _fetch(self, statement: str, values: Sequence[bytes]) -> list[tuple[Any, ...]]:
        if self._database is None:
            if self._path is not None:
                _make_private(self._path)
            # An empty name is a temporary file that SQLite removes.
            database = sqlite3.connect(self._path or "", timeout=_WAIT, isolation_level=None)
            self._database = database
            database.text_factory = bytes
            # Only a power cut may damage it, and damage costs only time.
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("CREATE TABLE IF NOT EXISTS cache (key BLOB PRIMARY KEY, value BLOB)")
        rows: list[tuple[Any, ...]] = self._database.execute(statement, values).fetchall()
        return rows


def _make_private(path: Path) -> None:
    """Make an empty file for its owner alone. Raises UsageError if others can write it."""
    with report_os_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    for place in (path.parent, path):
        if not is_private(place):
            raise UsageError(
                "{file} is not yours alone, so that others could write verdicts. To change that: "
                "{command}",
                file=place,
                command=f"chmod go-w {shell_quote(place)}",
            )
