"""Statements by which a file of the player's game adds to the library; none if all is known.

docs/protocol.md, What a player's program has to take care of: Keep what you signed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

from pbem.play.store.entries import Game, Listed, Seen, as_time
from pbem.play.store.failures import Connection, LibraryFailed, Statement
from pbem.play.store.known_players import meeting
from pbem.play.store.own_records import is_kept, keeping, signed_hashes
from pbem.protocol.cache import Snapshot
from pbem.protocol.known import CHECKS, Known, Verified

_OF_GAME = ", ".join(Game._fields)
_FACTS = f"{_OF_GAME}, file_in, file_out, pace"
_ARRIVED = "SELECT max(arrived) FROM seen WHERE seen.game = games.game AND hash = last"
_LISTED = f"SELECT game, {_FACTS}, rowid, ({_ARRIVED}) FROM games"
_NEW_FACTS = ", ".join(f"{fact} = excluded.{fact}" for fact in _FACTS.split(", "))
_KINDS = [*get_type_hints(Game).values()]
_OF_SNAPSHOT = ", ".join(Snapshot._fields)
_SNAPSHOT_KINDS = [*get_type_hints(Snapshot).values()]
_LATEST = "WHERE game = ? ORDER BY rowid DESC LIMIT 2"
"""The snapshots of a game that are kept: files are gone back to, but not far."""


def known_of(connection: Connection, game: bytes) -> Known:
    """Return what was verified by the checks of this program in a game, and its snapshots."""
    verified = connection.execute(
        "SELECT hash, signature FROM seen WHERE game = ? AND checks = ?", (game, CHECKS)
    )
    snapshots = connection.execute(f"SELECT {_OF_SNAPSHOT} FROM snapshots {_LATEST}", (game,))
    return Known(
        frozenset(Verified(*row) for row in verified),
        tuple(Snapshot(*row) for row in snapshots if [*map(type, row)] == _SNAPSHOT_KINDS),
    )


def news(
    connection: Connection, key: bytes, seen: Seen, *, decides: bool = False, time: str = ""
) -> Iterator[Statement]:
    """Yield statements for what is not known yet of a file, which came at that time.

    With `decides` it is the one that counts, if the game had gone on in another way before.
    """
    yield from _verified(connection, seen, time)
    yield from own_records(connection, key, seen)
    yield from _game(connection, key, seen, decides=decides)
    yield from meeting(connection, key, seen, time)
    yield from _turns_left(connection, key, seen)


def _verified(connection: Connection, seen: Seen, time: str) -> Iterator[Statement]:
    known = known_of(connection, seen.id)
    for record in seen.records[seen.begun :]:
        verified = Verified.of(record)
        if verified not in known.verified:
            is_new = record is seen.records[-1] and not _has_come(connection, seen.id, record.hash)
            row = (seen.id, *verified, CHECKS, time if is_new else "")
            yield (
                "INSERT INTO seen VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (game, hash, signature) DO UPDATE SET checks = excluded.checks, "
                "arrived = max(arrived, excluded.arrived)",
                row,
            )
    if seen.snapshot is not None and seen.snapshot not in known.snapshots:
        place = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)"
        yield place, (seen.id, *seen.snapshot)
        kept = f"SELECT rowid FROM snapshots {_LATEST}"
        yield f"DELETE FROM snapshots WHERE game = ? AND rowid NOT IN ({kept})", (seen.id, seen.id)


def _has_come(connection: Connection, game: bytes, record: bytes) -> bool:
    """Return True if a record was known before: its arrival is noted once."""
    query = "SELECT 1 FROM seen WHERE game = ? AND hash = ? AND (checks OR arrived <> '')"
    return connection.execute(query, (game, record)).fetchone() is not None


def own_records(connection: Connection, key: bytes, seen: Seen) -> Iterator[Statement]:
    """Yield that the player's own records in a file were signed, by a lost library or elsewhere."""
    before = signed_hashes(connection, seen.id, key)
    hashes, is_guest = seen.hashes, not seen.is_by(key, seen.records[0])
    own = range(int(is_guest), len(hashes), 2)
    missing = [seen.records[index] for index in own if before.get(index) != hashes[index]]
    # What was signed here stays. The others may have been sent, and show what they show.
    counts = not any(record.index in before for record in missing)
    for record in missing:
        if counts or not is_kept(connection, seen.id, key, record):
            yield keeping(seen.id, key, record, counts=counts, is_learnt=True)


def _turns_left(connection: Connection, key: bytes, seen: Seen) -> Iterator[Statement]:
    """Yield that turns are not kept any more at records on which the game goes on in a file."""
    turns = connection.execute(
        "SELECT record FROM kept_turns WHERE game = ? AND key = ?", (seen.id, key)
    ).fetchall()
    for (record,) in turns:
        if record in seen.hashes[:-1]:
            place = "WHERE game = ? AND key = ? AND record = ?"
            yield f"DELETE FROM kept_turns {place}", (seen.id, key, record)


def _game(connection: Connection, key: bytes, seen: Seen, *, decides: bool) -> Iterator[Statement]:
    before = listed_game(connection, seen.id, key)
    if before is not None and not decides and not before.game.is_within(seen.hashes):
        return
    last = before.game.last if before else b""
    after = (before or Listed(seen.id, seen.game, None, None, None))._replace(game=seen.game)
    # A file that is known to lie somewhere still does when the same comes out of a mailbox too.
    if seen.path is not None or seen.game.last != last:
        path = seen.path.absolute() if seen.path else None
        is_own = seen.is_by(key, seen.records[-1])
        after = after._replace(file_out=path) if is_own else after._replace(file_in=path)
    if after != before:
        yield listing(seen.id, key, after)


# --- the list of games


def listed_games(connection: Connection, key: bytes) -> list[Listed]:
    """Return all games of a key."""
    return [_listed(*row) for row in connection.execute(f"{_LISTED} WHERE key = ?", (key,))]


def listed_game(connection: Connection, game: bytes, key: bytes) -> Listed | None:
    """Return how a game of a key is listed; None if it is not."""
    rows = connection.execute(f"{_LISTED} WHERE game = ? AND key = ?", (game, key)).fetchall()
    return _listed(*rows[0]) if rows else None


def listing(game: bytes, key: bytes, listed: Listed | None) -> Statement:
    """Return the statement that a game of a key is listed so, or not at all."""
    if listed is None:
        return "DELETE FROM games WHERE game = ? AND key = ?", (game, key)
    row = (game, key, *listed.game, _bytes(listed.file_in), _bytes(listed.file_out), listed.pace)
    # Not replaced: the number of the row tells when the game was listed first.
    values = ", ".join("?" * len(row))
    once_more = f"ON CONFLICT (game, key) DO UPDATE SET {_NEW_FACTS}"
    return f"INSERT INTO games VALUES ({values}) {once_more}", row


def _listed(game: object, *facts: object) -> Listed:
    of_game, (file_in, file_out, pace, entry, arrived) = facts[:-5], facts[-5:]
    if type(game) is not bytes or [type(fact) for fact in of_game] != _KINDS:
        raise LibraryFailed("it is damaged")
    if (pace is not None and type(pace) is not int) or type(entry) is not int:
        raise LibraryFailed("it is damaged")
    paths = _path(file_in), _path(file_out)
    return Listed(game, Game._make(of_game), *paths, pace, as_time(arrived), entry)


def _path(stored: object) -> Path | None:
    return Path(os.fsdecode(stored)) if type(stored) is bytes else None


def _bytes(path: Path | None) -> bytes | None:
    return None if path is None else os.fsencode(path)
