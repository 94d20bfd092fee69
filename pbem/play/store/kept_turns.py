"""Turns that were begun and are not signed: what players have ordered so far, sealed by them.

The library keeps them as they are given to it, each at the record that it is to follow, and cannot
read them. They go when the game goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.play.store.database import KEEPING_SECONDS, Connection, Database, Statement
from pbem.play.store.entries import Seen

_GAME = "WHERE game = ? AND key = ?"
_TURN = f"{_GAME} AND record = ?"


class KeptTurns:
    """The turns of the owner of `key` that are kept in the library at `path`.

    All methods raise LibraryFailed where it cannot be used.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.key = key
        self._database = Database(path)

    def kept(self, game: bytes, record: bytes) -> bytes | None:
        """The turn that is kept at the record of that hash, as it was sealed; None if none is."""
        query = f"SELECT sealed FROM kept_turns {_TURN}"
        for (sealed,) in self._database.read(query, (game, self.key, record)):
            # What is no box does not open either.
            return sealed if type(sealed) is bytes else b""
        return None

    def keep(self, game: bytes, record: bytes, sealed: bytes) -> None:
        """Keep a turn, in place of the one that is kept at that record."""
        with self._database.writing(KEEPING_SECONDS, lasts=False) as database:
            row = (game, self.key, record, sealed)
            database.execute("INSERT OR REPLACE INTO kept_turns VALUES (?, ?, ?, ?)", row)

    def clear(self, game: bytes, record: bytes) -> None:
        """Keep none at that record any more."""
        if self.kept(game, record) is not None:
            with self._database.writing(KEEPING_SECONDS, lasts=False) as database:
                place = (game, self.key, record)
                database.execute(f"DELETE FROM kept_turns {_TURN}", place)


def taken_out(database: Connection, game: bytes, key: bytes) -> Sequence[tuple[object, ...]]:
    """Take all turns that a key keeps in a game out of the library, as `put_back` takes them."""
    rows = database.execute(f"SELECT * FROM kept_turns {_GAME}", (game, key)).fetchall()
    if rows:
        database.execute(f"DELETE FROM kept_turns {_GAME}", (game, key))
    return rows


def put_back(database: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Keep turns again that were taken out, but for those in whose place there is another."""
    database.executemany("INSERT OR IGNORE INTO kept_turns VALUES (?, ?, ?, ?)", rows)


def gone_on(database: Connection, key: bytes, seen: Seen) -> Iterator[Statement]:
    """That turns are not kept any more at the records on which the game goes on in a file."""
    for (record,) in database.execute(
        f"SELECT record FROM kept_turns {_GAME}", (seen.id, key)
    ).fetchall():
        if record in seen.hashes[:-1]:
            yield f"DELETE FROM kept_turns {_TURN}", (seen.id, key, record)
