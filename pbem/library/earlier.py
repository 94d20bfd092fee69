"""What stands against answering a file: what was signed in its game before."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from pbem.library.library import Library
from pbem.protocol.deck import show_every_list
from pbem.protocol.record import Record, hashes_of
from pbem.protocol.steps import Accept, OpenLists, ShuffleStep, Step

# --- what a file is to who has signed in its game


class Standing(Enum):
    """Why a file is not simply one to be answered."""

    ANSWERED = "answered already"
    OLDER = "older than what was answered"
    OTHER_BEFORE = "another record than the one that was answered"
    OTHER_OWN = "another record in the own name than the one that was signed"


class Earlier(NamedTuple):
    """What was signed earlier and stands against answering a file.

    `record` is the one that says so; `not_in_file` are the indexes of all own records that the
    file lacks or has otherwise.
    """

    standing: Standing
    record: Record
    not_in_file: tuple[int, ...]


def earlier(library: Library, records: Sequence[Record]) -> Earlier | None:
    """What stands against answering the file with these records, which a match has accepted.

    None if all that was signed in the game is in it. Raises LibraryFailed.
    """
    hashes = hashes_of(records)
    game, number = hashes[0], len(hashes)
    missing = tuple(
        index
        for index, hash_ in library.hashes(game).items()
        if index >= number or hashes[index] != hash_
    )
    if not missing:
        return None
    first, last = (library.signed(game, index) for index in (missing[0], missing[-1]))
    if first is None or last is None:
        # Another process has replaced it just now.
        return None
    if first.index < number:
        is_own = records[first.index].verify(library.key)
        return Earlier(Standing.OTHER_OWN, first, missing) if is_own else None
    if first.index == number and first.previous != records[-1].hash:
        return Earlier(Standing.OTHER_BEFORE, first, missing)
    if last.index == number:
        return Earlier(Standing.ANSWERED, first, missing)
    return Earlier(Standing.OLDER, last, missing)


# --- what would show a whole pile


def gives_away(
    library: Library, game: bytes, previous: bytes, taken: Sequence[Step]
) -> Record | None:
    """The record signed earlier that, with these steps, shows every list of an own shuffle.

    They stand in a record that follows `previous`. A shuffle made again after the same record has
    the same lists: another one will be granted, and have to be opened. Raises LibraryFailed.
    """
    opened = {step.epoch: step.siblings for step in taken if isinstance(step, OpenLists)}
    # Another acceptance has another nonce, and so other seeds.
    again = set() if isinstance(taken[0], Accept) else _shuffled(taken)
    if not opened and not again:
        return None
    before = library.shuffling(game)
    again &= {
        e for record in before if record.previous == previous for e in _shuffled(record.steps)
    }
    for record in before:
        for step in record.steps:
            if not isinstance(step, OpenLists) or not step.siblings:
                continue
            if step.epoch in again or show_every_list(opened.get(step.epoch, ()), step.siblings):
                return record
    return None


def _shuffled(taken: Sequence[Step]) -> set[int]:
    return {step.epoch for step in taken if isinstance(step, ShuffleStep)}
