"""What a file of the player's game adds to the library: as statements, none where it is all known.

docs/protocol.md, What a player's program has to take care of: Keep what you signed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

from pbem.play.store.database import Connection, LibraryFailed, Statement
from pbem.play.store.entries import Game, Listed, Seen
from pbem.play.store.kept_turns import gone_on
from pbem.play.store.known_players import meeting
from pbem.play.store.own_part import learning
from pbem.protocol.cache import Snapshot
from pbem.protocol.known import CHECKS, Known, Verified
from pbem.protocol.record import Record
from pbem.protocol.schema import canonical_json

_OF_GAME = ", ".join(Game._fields)
_FACTS = f"{_OF_GAME}, file_in, file_out, pace"
_NEW_FACTS = ", ".join(f"{fact} = excluded.{fact}" for fact in _FACTS.split(", "))
_KINDS = [*get_type_hints(Game).values()]
_OF_SNAPSHOT = ", ".join(Snapshot._fields)
_SNAPSHOT_KINDS = [*get_type_hints(Snapshot).values()]
_LATEST = "WHERE game = ? ORDER BY rowid DESC LIMIT 2"
"""The snapshots of a game that are kept: files are gone back to, but not far."""


def signed_hashes(connection: Connection, game: bytes, key: bytes) -> dict[int, bytes]:
    """The hash of each record that a key signed in a game, by its index, in ascending order."""
    found = connection.execute(
        'SELECT "index", hash FROM signed WHERE game = ? AND key = ? ORDER BY "index"', (game, key)
    ).fetchall()
    if not all(type(index) is int and type(hash_) is bytes for index, hash_ in found):
        raise LibraryFailed("it is damaged")
    return dict(found)


def signing(game: bytes, key: bytes, record: Record, *, table: str = "signed") -> Statement:
    """That a key signed a record of a game."""
    text = canonical_json(record.to_plain()).decode()
    row = (game, key, record.index, record.hash, record.previous, text)
    return f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?)", row


def known_of(connection: Connection, game: bytes) -> Known:
    """Return what was verified by the checks of this program in a game, and its snapshots."""
    verified = connection.execute(
        "SELECT hash, signature FROM verified WHERE game = ? AND checks = ?", (game, CHECKS)
    )
    snapshots = connection.execute(f"SELECT {_OF_SNAPSHOT} FROM snapshots {_LATEST}", (game,))
    return Known(
        frozenset(Verified(*row) for row in verified),
        tuple(Snapshot(*row) for row in snapshots if [*map(type, row)] == _SNAPSHOT_KINDS),
    )


def news(
    connection: Connection, key: bytes, seen: Seen, *, decides: bool = False, time: str = ""
) -> Iterator[Statement]:
    """What is not known yet of a file, at that time by this computer's clock.

    With `decides` it is the one that counts, where the game had gone on in another way before.
    """
    yield from _verified(connection, seen)
    yield from _signed(connection, key, seen)
    yield from _game(connection, key, seen, decides=decides)
    yield from meeting(connection, key, seen, time)
    yield from gone_on(connection, key, seen)


def learns(connection: Connection, key: bytes, seen: Seen) -> bool:
    """Whether own records in a file are not known yet."""
    return next(_signed(connection, key, seen), None) is not None


def _verified(connection: Connection, seen: Seen) -> Iterator[Statement]:
    known = known_of(connection, seen.id)
    for record in seen.records[seen.begun :]:
        verified = Verified.of(record)
        if verified not in known.verified:
            row = (seen.id, *verified, CHECKS)
            yield "INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)", row
    if seen.snapshot is not None and seen.snapshot not in known.snapshots:
        yield "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)", (seen.id, *seen.snapshot)
        kept = f"SELECT rowid FROM snapshots {_LATEST}"
        yield f"DELETE FROM snapshots WHERE game = ? AND rowid NOT IN ({kept})", (seen.id, seen.id)


def _signed(connection: Connection, key: bytes, seen: Seen) -> Iterator[Statement]:
    """The player's own records in the file, signed by a lost library or another computer."""
    before = signed_hashes(connection, seen.id, key)
    hashes, is_guest = seen.hashes, not seen.is_by(key, seen.records[0])
    own = range(int(is_guest), len(hashes), 2)
    missing = [seen.records[index] for index in own if before.get(index) != hashes[index]]
    if not any(record.index in before for record in missing):
        for record in missing:
            yield signing(seen.id, key, record)
            yield learning(seen.id, key, record)
        return
    # What was signed here stays. The others may have been sent, and show what they show.
    kept = connection.execute("SELECT hash FROM replaced WHERE game = ?", (seen.id,)).fetchall()
    for record in missing:
        if (record.hash,) not in kept:
            yield signing(seen.id, key, record, table="replaced")
            yield learning(seen.id, key, record)


def _game(connection: Connection, key: bytes, seen: Seen, *, decides: bool) -> Iterator[Statement]:
    before = listed_game(connection, seen.id, key)
    if before is None:
        before = Listed(seen.id, seen.game, None, None, None)
    elif not decides and not before.game.is_within(seen.hashes):
        return
    after = before._replace(game=seen.game)
    # A file that is known to lie somewhere still does when the same comes out of a mailbox too.
    if seen.path is not None or seen.game.last != before.game.last:
        path = seen.path.absolute() if seen.path else None
        is_own = seen.is_by(key, seen.records[-1])
        after = after._replace(file_out=path) if is_own else after._replace(file_in=path)
    if listed_game(connection, seen.id, key) != after:
        yield listing(seen.id, key, after)


# --- the list of games


def listed_games(connection: Connection, key: bytes) -> list[Listed]:
    """All games of a key, in the order of their last records."""
    rows = connection.execute(
        f"SELECT game, {_FACTS}, rowid FROM games WHERE key = ? ORDER BY since, game", (key,)
    )
    return [_listed(*row) for row in rows]


def listed_game(connection: Connection, game: bytes, key: bytes) -> Listed | None:
    """How a game of a key is listed; None if it is not."""
    row = connection.execute(
        f"SELECT game, {_FACTS}, rowid FROM games WHERE game = ? AND key = ?", (game, key)
    ).fetchone()
    return None if row is None else _listed(*row)


def listing(game: bytes, key: bytes, listed: Listed | None) -> Statement:
    """That a game of a key is listed so, or not at all."""
    if listed is None:
        return "DELETE FROM games WHERE game = ? AND key = ?", (game, key)
    row = (game, key, *listed.game, _bytes(listed.file_in), _bytes(listed.file_out), listed.pace)
    # Not replaced: the number of the row tells when the game was listed first.
    values = ", ".join("?" * len(row))
    once_more = f"ON CONFLICT (game, key) DO UPDATE SET {_NEW_FACTS}"
    return f"INSERT INTO games VALUES ({values}) {once_more}", row


def _listed(game: object, *facts: object) -> Listed:
    of_game, (file_in, file_out, pace, entry) = facts[:-4], facts[-4:]
    if type(game) is not bytes or [type(fact) for fact in of_game] != _KINDS:
        raise LibraryFailed("it is damaged")
    if (pace is not None and type(pace) is not int) or type(entry) is not int:
        raise LibraryFailed("it is damaged")
    paths = _path(file_in), _path(file_out)
    return Listed(game, Game._make(of_game), *paths, pace, entry=entry)


def _path(stored: object) -> Path | None:
    return Path(os.fsdecode(stored)) if type(stored) is bytes else None


def _bytes(path: Path | None) -> bytes | None:
    return None if path is None else os.fsencode(path)
