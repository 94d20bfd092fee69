"""Where the files with signed records were to be written, and how many processes are about it."""

from __future__ import annotations

import os
from pathlib import Path

from engine.value import Value
from pbem.play.store.database import Connection
from pbem.protocol.record import Record

PLACE = 'WHERE game = ? AND key = ? AND "index" = ?'
"""Which row is that of a record by its place in a game, as a part of a statement."""
RECORD = f"{PLACE} AND hash = ?"
"""The same, of that very record."""


class Destination(Value):
    """Where the file with a signed record was to be written, absolute.

    `instead_of` is the hash of the record in which the file ends that stood there before, if it was
    to take the place of one.
    """

    file: Path
    instead_of: bytes | None = None


def destination_of(
    database: Connection, game: bytes, key: bytes, record: Record
) -> Destination | None:
    """Where a signed record was to be written last; None where nobody remembers."""
    found = database.execute(
        f"SELECT file, instead_of FROM destinations {RECORD}",
        (game, key, record.index, record.hash),
    ).fetchone()
    if found is None or found[0] is None:
        return None
    return Destination(Path(os.fsdecode(found[0])), found[1])


def direct(
    database: Connection, game: bytes, key: bytes, record: Record, to: Destination | None
) -> None:
    """Note where a record is to be written, and that one more process is about it."""
    file, instead_of = (os.fsencode(to.file), to.instead_of) if to else (None, None)
    place = (game, key, record.index, record.hash)
    changed = database.execute(
        f"UPDATE destinations SET file = ?, instead_of = ?, writers = writers + 1 {RECORD}",
        (file, instead_of, *place),
    )
    if not changed.rowcount:
        row = (*place, file, instead_of, 1)
        database.execute("INSERT INTO destinations VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def was_only_writer(database: Connection, game: bytes, key: bytes, record: Record) -> bool:
    """Whether one process alone was about a record; that is forgotten then, else it stays."""
    alone = f"DELETE FROM destinations {RECORD} AND writers = 1"
    return bool(database.execute(alone, (game, key, record.index, record.hash)).rowcount)
