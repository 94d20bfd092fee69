"""The owner's records in a library: signed here, learnt from a file, or closing a game."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.play.store import KnownFile, Store
from pbem.play.store.entries import GameClosedError
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Close
from pbem.savefile import disk
from tests.cli.commands import sit_at_computer
from tests.play.matches import TIME
from tests.play.store.old_library import downgrade
from tests.play.store.players import ANNA, BELA, GAME, first_records, known_file_of, sign_again
from tests.signing import make_record

NEW_TABLES = ("learnt", "complete")


def sign_records(library: Store, match: Match, number: int) -> None:
    for record in match.records[:number:2]:
        library.remember(match.id, record)


def close_record(index: int, time: str = TIME) -> Record:
    steps = [Close(bytes(32))]
    return make_record(
        ANNA, index=index, side="british", previous=bytes(32), time=time, steps=steps
    )


# --- doubt


def test_game_whose_last_record_is_unknown_is_in_doubt(library: Store, match: Match) -> None:
    records = match.records[:6]
    assert library.is_in_doubt(records)
    sign_records(library, match, 4)
    assert library.is_in_doubt(records), "record 4 is of another computer"
    assert not library.is_in_doubt(records[:4])
    library.remember(match.id, match.records[4])
    assert not library.is_in_doubt(records)


def test_learnt_records_are_in_doubt_until_the_next_signature(library: Store, match: Match) -> None:
    library.note(known_file_of(first_records(match, 6)), create=True)
    assert list(library.signed_hashes(match.id)) == [0, 2, 4]
    for number in (2, 4, 6):
        assert library.is_in_doubt(match.records[:number])
    library.note(known_file_of(first_records(match, 6)))
    assert library.is_in_doubt(match.records[:6])
    # Forgetting the listed game changes nothing.
    library.forget_game(match.id)
    assert library.is_in_doubt(match.records[:6])
    signing = library.remember(
        match.id, match.records[6], files=[known_file_of(first_records(match, 7))]
    )
    assert not library.is_in_doubt(match.records[:8])
    signing.take_back()
    assert library.is_in_doubt(match.records[:6])


def test_reading_own_signed_records_causes_no_doubt(library: Store, match: Match) -> None:
    sign_records(library, match, 6)
    library.note(known_file_of(first_records(match, 6)))
    assert not library.is_in_doubt(match.records[:6])
    # A record that was taken back and kept aside changes nothing either.
    library.remember(match.id, sign_again(match.records[4]), replaced_indexes=[4])
    assert not library.is_in_doubt(match.records[:6])


def test_game_without_own_records_is_not_in_doubt(library: Store, match: Match) -> None:
    assert not Store(library.path, BELA.public_key).is_in_doubt(match.records[:1])


# --- complete libraries


def test_library_is_marked_as_complete(library: Store, match: Match) -> None:
    assert not library.is_complete()
    library.note(known_file_of(match), create=True)
    library.remember(GAME, match.records[0])
    assert not library.is_complete()
    for _ in range(2):
        library.mark_complete()
        assert library.is_complete()
    assert not Store(library.path, BELA.public_key).is_complete()
    assert library.is_in_doubt(match.records)
    library.mark_complete(with_games=True)
    assert not library.is_in_doubt(match.records)


@pytest.mark.parametrize("table", ["signed", "games"])
def test_library_of_an_earlier_version_counts_as_complete(
    library: Store, path: Path, match: Match, table: str
) -> None:
    library.note(known_file_of(match), create=True)
    downgrade(path, *NEW_TABLES, *{"games"} - {table})
    if table == "games":
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("DELETE FROM signed")
    for _ in range(2):
        assert library.is_complete()
        assert not Store(path, BELA.public_key).is_complete()
        # The first write makes the new tables.
        library.remember(GAME, match.records[2])
    if table == "signed":
        assert not library.is_in_doubt(match.records)


def test_empty_library_of_an_earlier_version_is_incomplete(library: Store, path: Path) -> None:
    Store(path, BELA.public_key).mark_complete()
    downgrade(path, *NEW_TABLES)
    assert not library.is_complete()
    library.set_pace(GAME, 3)
    assert not library.is_complete()


# --- another computer


def test_library_on_another_computer_is_in_doubt(
    library: Store, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading library and the one that has written there say the same."""
    first, records = disk.computer_id(), match.records[:6]
    library.mark_complete()
    sign_records(library, match, 6)
    for computer in (2, 2, first, 3):
        library.close()
        sit_at_computer(monkeypatch, computer)
        before = library.path.read_bytes()
        for _ in range(2):
            assert library.has_moved() and library.is_in_doubt(records)
            assert not library.is_complete()
        assert library.path.read_bytes() == before
        library.set_pace(GAME, 3)
    assert list(library.signed_hashes(match.id)) == [0, 2, 4]
    library.remember(match.id, match.records[6])
    assert not library.is_in_doubt(match.records[:7])


def test_library_without_a_computer_belongs_to_the_present_one(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.mark_complete()
    sign_records(library, match, 6)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA application_id = 0")
    sit_at_computer(monkeypatch, 2)
    for _ in range(2):
        assert library.is_complete() and not library.is_in_doubt(match.records[:6])
        assert not library.has_moved()
        library.set_pace(GAME, 3)
    library.close()
    sit_at_computer(monkeypatch, 3)
    assert not library.is_complete() and library.is_in_doubt(match.records[:6])


# --- closed games


@pytest.mark.parametrize("place", ["signed", "replaced", "a file"])
def test_nothing_is_signed_after_a_close(
    library: Store, path: Path, match: Match, place: str
) -> None:
    sign_records(library, match, 4)
    if place != "a file":
        library.remember(match.id, close_record(4))
    if place == "replaced":
        with closing(sqlite3.connect(path)) as database, database:
            database.execute('UPDATE records SET counts = 0 WHERE "index" = 4')
    closed = KnownFile(known_file_of(match).game, [*match.records[:4], close_record(4)], None)
    files = [closed] if place == "a file" else []
    before = library.signed_hashes(match.id)
    for record in (match.records[4], match.records[6], sign_again(match.records[2])):
        with pytest.raises(GameClosedError) as refused:
            library.remember(match.id, record, replaced_indexes=[2, 4], files=files)
        assert refused.value.record == close_record(4)
        assert library.signed_hashes(match.id) == before
    if place == "signed":
        # The close itself and earlier records can be remembered again.
        for record in (close_record(4), match.records[2]):
            library.remember(match.id, record)
    # The close does not affect other games.
    library.remember(GAME, match.records[4])


def test_close_is_signed_once(library: Store, match: Match) -> None:
    library.remember(match.id, close_record(4))
    assert library.close_record(match.id) == close_record(4)
    with pytest.raises(GameClosedError):
        library.remember(match.id, close_record(4, "2026-11-21T12:00:00Z"), replaced_indexes=[4])
