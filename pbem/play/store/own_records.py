"""Records that a player signed: which count, which were learnt from files, and a last one.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence

from engine.message import Message
from pbem.errors import WrongUse
from pbem.play.store.failures import LibraryFailed, Statement
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Close, Invite, OpenLists, ShuffleStep


class SignedMeanwhile(WrongUse):
    """Another process has just signed another record in this game."""


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


def records_by(records: Sequence[Record], key: bytes) -> Sequence[Record]:
    """Return the records of the player with that key in a chain that holds: both take turns."""
    for first, record in enumerate(records[:2]):
        entry = record.steps[0] if record.steps else None
        if isinstance(entry, Invite | Accept) and entry.key == key:
            return records[first::2]
    return ()


def closing(records: Iterable[Record]) -> Record | None:
    """Return the first of these records that closes the game of its author; None if none does."""
    return next((record for record in records if _has(record, Close)), None)


# --- as rows


def keeping(
    game: bytes, key: bytes, record: Record, *, counts: bool = True, is_learnt: bool = False
) -> Statement:
    """Return the statement that a key signed a record of a game; one kept so far is changed."""
    place = (game, key, record.hash, record.index, record.previous, record.laid_out)
    has_shuffle = _has(record, OpenLists, ShuffleStep)
    return (
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL) "
        "ON CONFLICT (game, key, hash) DO UPDATE SET record = excluded.record, "
        "counts = excluded.counts, is_learnt = max(is_learnt, excluded.is_learnt)",
        (*place, counts, is_learnt, has_shuffle, _has(record, Close)),
    )


def read_record(key: bytes, text: object, hash_: object, index: int) -> Record:
    """Return a record as it was signed; raises LibraryFailed for a damaged one.

    Nobody is refused anything because of it.
    """
    try:
        (plain,) = tomllib.loads(str(text))["record"]
        record = Record.from_plain(plain)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(index) from None
    if (record.index, record.hash) != (index, hash_) or not record.verify(key):
        raise _damaged(index)
    return record


def _has(record: Record, *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in record.steps)


def _damaged(index: int) -> LibraryFailed:
    # Translators: it is the library of the player.
    return LibraryFailed("its record {number} is damaged", number=index)
