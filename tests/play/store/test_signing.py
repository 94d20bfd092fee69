"""A signed record is stored before its file is written, and can be taken back."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from pbem.play.signing import find_exposing_record
from pbem.play.store import Destination, Store, StoreBlockedError
from pbem.play.store.entries import ConcurrentSigningError
from pbem.protocol.deck import open_lists
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import OpenLists
from tests.play.matches import TIME
from tests.play.store.players import (
    ANNA,
    BELA,
    GAME,
    first_records,
    known_file_of,
    records_in,
    sign_again,
)
from tests.signing import make_record

# --- remembering and taking back


def test_record_is_taken_back_completely(library: Store, path: Path, match: Match) -> None:
    library.remember(GAME, match.records[0])
    signing = library.remember(GAME, match.records[2])
    assert Store(path, ANNA.public_key).signed_record(GAME, 2) == match.records[2]
    signing.take_back()
    assert list(library.signed_hashes(GAME)) == [0]
    assert library.destination(GAME, match.records[2]) is None
    library.remember(GAME, sign_again(match.records[2]))


def test_taking_back_restores_the_replaced_records(library: Store, match: Match) -> None:
    for index in (2, 4):
        library.remember(GAME, match.records[index])
    before = library.signed_hashes(GAME)
    library.remember(GAME, sign_again(match.records[2]), replaced_indexes=[2, 4]).take_back()
    assert library.signed_hashes(GAME) == before
    assert library.signed_record(GAME, 4) == match.records[4]
    # A record that never left this process is not among those that may have been sent.
    opening = OpenLists(0, *open_lists(bytes(32), ["a", "b"], 16, 3))
    other = OpenLists(0, *open_lists(bytes(32), ["a", "b"], 16, 4))
    record = make_record(
        ANNA, index=6, side="british", previous=bytes(32), time=TIME, steps=[opening]
    )
    library.remember(GAME, record).take_back()
    assert find_exposing_record(library, GAME, bytes(32), [other]) is None


def test_taking_back_restores_a_record_that_did_not_count(library: Store, match: Match) -> None:
    """Such a record was in a file, and may have been sent."""
    library.remember(match.id, sign_again(match.records[2]))
    library.note(known_file_of(first_records(match, 3)))
    counts = library.signed_hashes(match.id)
    assert counts == {2: sign_again(match.records[2]).hash}
    assert [r.index for r in records_of(library)] == [0, 2, 2]
    library.remember(match.id, match.records[2], replaced_indexes=[2]).take_back()
    assert library.signed_hashes(match.id) == counts
    assert match.records[2] in records_of(library)


def records_of(library: Store) -> list[Record]:
    result = (record for _, _, record in records_in(library.path, replaced=True))
    return sorted(result, key=lambda record: record.index)


def test_taking_back_spares_records_of_other_processes(library: Store, match: Match) -> None:
    first = library.remember(GAME, match.records[2])
    library.remember(GAME, match.records[2]).take_back()
    first.take_back()
    assert library.signed_record(GAME, 2) == match.records[2]
    first, other = library.remember(GAME, match.records[2]), sign_again(match.records[2])
    library.remember(GAME, other, replaced_indexes=[2])
    first.take_back()
    assert library.signed_record(GAME, 2) == other
    # A replaced record that is signed again is taken back too.
    library.remember(GAME, match.records[2], replaced_indexes=[2]).take_back()
    assert library.signed_record(GAME, 2) == other


# --- two signers at once


def test_signing_fails_if_the_library_has_changed(library: Store, match: Match) -> None:
    library.remember(GAME, match.records[2])
    looked_up = library.signed_hashes(GAME)
    library.remember(
        GAME, sign_again(match.records[2]), known_hashes=looked_up, replaced_indexes=[2]
    )
    after = library.signed_hashes(GAME)
    for record, replacing in (
        (match.records[4], []),
        (sign_again(match.records[2], time="2026-11-21T12:00:00Z"), [2]),
    ):
        with pytest.raises(ConcurrentSigningError, match="Nothing was written"):
            library.remember(GAME, record, known_hashes=looked_up, replaced_indexes=replacing)
    assert library.signed_hashes(GAME) == after


# --- destinations


def test_destination_of_a_record_is_stored(library: Store, match: Match, tmp_path: Path) -> None:
    record = match.records[2]
    # Some disks have names that are not text.
    odd = Destination(tmp_path / os.fsdecode(b"b\xe9la.toml"), bytes([7]) * 32)
    library.remember(GAME, record, destination=Destination(tmp_path / "one.toml"))
    assert library.destination(GAME, record) == Destination(tmp_path / "one.toml", None)
    library.remember(GAME, record, destination=odd)
    assert library.destination(GAME, record) == odd
    assert library.destination(GAME, sign_again(record)) is None
    assert Store(library.path, BELA.public_key).destination(GAME, record) is None


# --- blocked libraries


def blocked_error(library: Store, record: Record) -> str:
    with pytest.raises(StoreBlockedError) as result:
        library.remember(GAME, record)
    assert str(result.value.remedy).endswith(".")
    return str(result.value)


def test_locked_library_is_blocked(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.remember(GAME, match.records[2])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for seconds in ("BUSY_SECONDS", "NOTING_SECONDS"):
        monkeypatch.setattr(f"pbem.play.store.{seconds}", 0.05)
    assert "locked" in blocked_error(library, match.records[4])
    for use in (lambda: library.signed_hashes(GAME), lambda: library.note(known_file_of(match))):
        with pytest.raises(StoreBlockedError):
            use()
    other.close()
    library.remember(GAME, match.records[4])


def test_full_disk_blocks_the_library(library: Store, path: Path, match: Match) -> None:
    library.remember(GAME, match.records[2])
    real = sqlite3.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        database = real(*arguments, **options)  # type: ignore[call-overload]
        database.execute("PRAGMA max_page_count = 1")
        return database  # type: ignore[no-any-return]

    library.close()
    with pytest.MonkeyPatch.context() as full:
        full.setattr("sqlite3.connect", small)
        with pytest.raises(StoreBlockedError, match="the disk is full"):
            for record in match.records[4::2]:
                before = library.signed_hashes(GAME)
                library.remember(GAME, record)
    assert library.signed_hashes(GAME) == before


def test_no_library_is_created_on_a_full_disk(
    library: Store, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.open", full)
    assert blocked_error(library, match.records[2]) == "No space left on device"
