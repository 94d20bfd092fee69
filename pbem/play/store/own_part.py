"""What a player's own part in a game means before signing in it: doubt, and an end.

It is in doubt where its last record came from a file: other computers may have signed more since,
or this one, which has forgotten it. It has an end once it holds a close.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.message import Message
from pbem.errors import WrongUse
from pbem.play.store.database import Connection, Database, LibraryFailed, Statement
from pbem.play.store.entries import as_time, is_ahead
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Close, Invite


class GameClosed(WrongUse):
    """A player has closed a game; `record` is the one that did."""

    def __init__(self, record: Record) -> None:
        super().__init__(
            Message(
                "You have closed this game: your record {number} opens your hand and all your "
                "draws to anybody. With another record beside it your opponent could choose what "
                "you draw.",
                number=record.index,
            )
        )
        self.record = record


def own_part(records: Sequence[Record], key: bytes) -> Sequence[Record]:
    """The records of the player with that key in a chain that holds: both take turns."""
    for first, record in enumerate(records[:2]):
        entry = record.steps[0] if record.steps else None
        if isinstance(entry, Invite | Accept) and entry.key == key:
            return records[first::2]
    return ()


# --- learnt from files


def learning(game: bytes, key: bytes, record: Record) -> Statement:
    """That a record of the player's was learnt from a file, as a statement."""
    return "INSERT OR IGNORE INTO learnt VALUES (?, ?, ?)", (game, key, record.hash)


def is_in_doubt(
    database: Connection | None,
    key: bytes,
    signed: dict[int, bytes],
    records: Sequence[Record],
) -> bool:
    """Whether more may have been signed in the game with these records than is remembered.

    `signed` are the hashes of what is, by their indexes. So it is where the last own record, in the
    file or remembered, was not signed here.
    """
    in_file = {record.index: record.hash for record in own_part(records, key)[-1:]}
    known = signed | in_file
    if not known:
        return False
    return database is None or not _was_signed_here(
        database, (records[0].hash, key, known[max(known)])
    )


def _was_signed_here(database: Connection, record: tuple[bytes, bytes, bytes]) -> bool:
    """Whether a record, of a game and a key, is remembered, and was not learnt."""

    def stands_in(table: str) -> bool:
        found = database.execute(
            f"SELECT 1 FROM {table} WHERE game = ? AND key = ? AND hash = ?", record
        )
        return found.fetchone() is not None

    return (stands_in("signed") or stands_in("replaced")) and not stands_in("learnt")


# --- whether all is remembered


def is_complete(database: Connection | None, key: bytes) -> bool:
    """Whether all is remembered that a key has ever signed on this computer."""
    query = "SELECT 1 FROM complete WHERE key = ?"
    return database is not None and database.execute(query, (key,)).fetchone() is not None


def is_complete_since(database: Connection | None, key: bytes, invitation: Record) -> bool:
    """Whether it would be remembered that an invitation was accepted, by the date it bears.

    It cannot have been accepted before it was signed; its signer's clock may be a little ahead.
    """
    if database is None:
        return False
    found = database.execute("SELECT time FROM complete_since WHERE key = ?", (key,)).fetchone()
    since = as_time(found[0]) if found else ""
    return bool(since) and is_ahead(invitation.time, since)


def is_blank(path: Path) -> bool:
    """Whether the library at that path knows of no game; not so where that cannot be read."""
    try:
        games = "SELECT 1 FROM signed UNION ALL SELECT 1 FROM games LIMIT 1"
        return not Database(path).read(games, ())
    except LibraryFailed:
        return False


# --- closed


def closing(records: Iterable[Record]) -> Record | None:
    """The first of these records that closes the game of its author; None where none does."""
    return next((r for r in records if any(isinstance(s, Close) for s in r.steps)), None)
