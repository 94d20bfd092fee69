"""The library knows verified records, but no invalid file passes because of that."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pbem.play.game_file import GameFile, pack
from pbem.play.store import Game, KnownFile, Store
from pbem.protocol.cache import SNAPSHOT_INTERVAL, Snapshot
from pbem.protocol.match import Match
from tests.play.matches import sign_as
from tests.play.store.players import ANNA, BELA, first_records, known_file_of, verified_records

REPLACED = "FROM records WHERE NOT counts"

# --- known records


def test_noted_records_are_known_and_no_others(library: Store, match: Match) -> None:
    assert library.load_cache(match.id).verified == set()
    library.note(known_file_of(first_records(match, 5)), create=True)
    assert library.load_cache(match.id).verified == verified_records(first_records(match, 5))
    library.note(known_file_of(match))
    assert library.load_cache(match.id).verified == verified_records(match)
    assert library.load_cache(bytes(32)).verified == set()


def test_arrival_of_a_record_is_noted_once(path: Path, match: Match) -> None:
    first, later = "2026-11-22T10:00:00Z", "2026-11-24T10:00:00Z"
    first_part, last = first_records(match, 5), match.records[4].hash
    store = Store(path, ANNA.public_key, lambda: first)
    assert store.dispatch(match.id, last) is None
    store.remember(match.id, match.records[4], files=[known_file_of(first_part)])
    assert store.arrival_time(match.id, last) == first
    store = Store(path, ANNA.public_key, lambda: later)
    for forgets in (False, True):
        if forgets:
            store.forget_game(match.id)
        store.note(known_file_of(first_part))
        assert store.arrival_time(match.id, last) == first
    store.note(known_file_of(match))
    assert store.arrival_time(match.id, match.last.hash) == later


def test_reading_creates_no_store(library: Store, path: Path, match: Match) -> None:
    library.note(known_file_of(match))
    assert not path.exists()


def test_known_records_are_not_written_again(library: Store, path: Path, match: Match) -> None:
    library.note(known_file_of(match), create=True)
    path.chmod(0o400)
    written = path.read_bytes(), path.stat().st_mtime_ns
    library.note(known_file_of(match))
    library.note(known_file_of(first_records(match, 4)))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == written


def test_signed_records_are_known(library: Store, match: Match) -> None:
    library.remember(match.id, match.last, files=[known_file_of(match)])
    assert library.load_cache(match.id).verified == verified_records(match)


def test_records_verified_by_other_checks_are_unknown(
    library: Store, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.note(known_file_of(match), create=True)
    monkeypatch.setattr("pbem.play.store.CHECKS", 2)
    assert library.load_cache(match.id).verified == set()
    library.note(known_file_of(match))
    assert library.load_cache(match.id).verified == verified_records(match)
    monkeypatch.setattr("pbem.play.store.CHECKS", 1)
    assert library.load_cache(match.id).verified == set()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_library_writable_by_others_is_not_trusted(
    library: Store, path: Path, match: Match, mode: int
) -> None:
    library.note(known_file_of(match), create=True)
    path.chmod(mode)
    assert library.load_cache(match.id).verified == set()
    path.chmod(0o644)
    assert library.load_cache(match.id).verified == verified_records(match)


def test_library_of_another_user_is_not_trusted(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.note(known_file_of(match), create=True)
    monkeypatch.setattr("os.geteuid", lambda: path.stat().st_uid + 1)
    assert library.load_cache(match.id).verified == set()


@pytest.mark.parametrize("damage", ["UPDATE seen SET hash = 'x'", "UPDATE seen SET signature = 1"])
def test_records_in_damaged_tables_are_unknown(
    library: Store, path: Path, match: Match, damage: str
) -> None:
    library.note(known_file_of(match), create=True)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA writable_schema = ON")
        try:
            database.execute(damage)
        except sqlite3.IntegrityError:
            return
    database.close()
    assert not any(one in library.load_cache(match.id).verified for one in verified_records(match))


# --- own records in files


def test_own_records_in_a_file_are_remembered_as_signed(library: Store, match: Match) -> None:
    library.note(known_file_of(match), create=True)
    own = [record for record in match.records if record.index % 2 == 0]
    assert library.signed_hashes(match.id) == {record.index: record.hash for record in own}
    assert all(library.signed_record(match.id, record.index) == record for record in own)
    bela = Store(library.path, BELA.public_key)
    bela.note(known_file_of(match, BELA.public_key))
    assert list(bela.signed_hashes(match.id)) == [n for n in range(len(match.records)) if n % 2]


def test_signed_record_outlasts_a_file_with_another(library: Store, match: Match) -> None:
    own_record = sign_as(ANNA, match.records[4], time="2026-11-21T11:00:00Z")
    library.remember(match.id, own_record)
    library.note(known_file_of(match))
    assert library.signed_hashes(match.id) == {4: own_record.hash}
    with sqlite3.connect(library.path) as database:
        stored = [row[0] for row in database.execute(f"SELECT hash {REPLACED} ORDER BY rowid")]
    assert stored == [record.hash for record in match.records[::2]]
    library.note(known_file_of(match))
    with sqlite3.connect(library.path) as database:
        assert database.execute(f"SELECT count(*) {REPLACED}").fetchone() == (len(stored),)


@pytest.mark.parametrize(("known", "length", "level"), [(5, 6, "FULL"), (4, 5, "EXTRA")])
def test_own_records_in_a_file_outlast_a_power_cut(
    library: Store,
    match: Match,
    monkeypatch: pytest.MonkeyPatch,
    known: int,
    length: int,
    level: str,
) -> None:
    """Other records need less synchronisation, since reading the file again restores them."""
    library.note(known_file_of(first_records(match, known)), create=True)
    executed: list[str] = []

    class Statements(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            executed.append(statement)
            return super().execute(statement, *values)

    library.close()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Statements))
    library.note(known_file_of(first_records(match, length)))
    assert f"PRAGMA synchronous = {level}" in executed


def test_game_of_other_players_has_no_entry(match: Match) -> None:
    assert Game.of(match, bytes(32)) is None
    assert KnownFile.of(match, bytes(32), Path("game.toml")) is None


# --- snapshots


def read_and_note(match: Match, library: Store) -> Match:
    """Read the file of a match, note it in the library, and return the match that was read."""
    again = GameFile.read(pack(match, None, {}, "").write(), library.load_cache).match
    library.note(known_file_of(again), create=True)
    return again


def test_game_that_was_read_is_resumed(library: Store, long_match: Match) -> None:
    assert read_and_note(long_match, library).replayed_from == 0
    (snapshot,) = library.load_cache(long_match.id).snapshots
    assert read_and_note(long_match, library).replayed_from == snapshot.number > 0
    assert library.load_cache(bytes(32)).snapshots == ()


@pytest.mark.slow
def test_few_snapshots_are_kept_of_a_game(library: Store, long_match: Match) -> None:
    """The newest snapshots are kept."""
    number = len(long_match.records)
    assert number > 3 * SNAPSHOT_INTERVAL
    for records in (*range(2, number + 1), SNAPSHOT_INTERVAL + 1, number):
        read_and_note(first_records(long_match, records), library)
        numbers = [snapshot.number for snapshot in library.load_cache(long_match.id).snapshots]
        assert len(numbers) <= 2
        assert (
            records < SNAPSHOT_INTERVAL
            or records // SNAPSHOT_INTERVAL * SNAPSHOT_INTERVAL in numbers
        )
    with sqlite3.connect(library.path) as database:
        assert database.execute("SELECT count(*) FROM snapshots").fetchone() == (2,)


def test_snapshots_in_a_library_writable_by_others_are_ignored(
    library: Store, path: Path, long_match: Match
) -> None:
    read_and_note(long_match, library)
    path.chmod(0o666)
    assert library.load_cache(long_match.id).snapshots == ()
    assert read_and_note(long_match, library).replayed_from == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        *(f"UPDATE snapshots SET {column} = x'00'" for column in Snapshot._fields),
        *(f"UPDATE snapshots SET {column} = 'a text'" for column in Snapshot._fields),
        "UPDATE snapshots SET length = length + 1",
        "UPDATE snapshots SET position = CAST('null' AS BLOB)",
    ],
)
def test_damaged_snapshot_is_left_aside_and_made_anew(
    library: Store, path: Path, long_match: Match, damage: str
) -> None:
    read_and_note(long_match, library)
    with sqlite3.connect(path) as database:
        database.execute(damage)
    database.close()
    assert read_and_note(long_match, library).replayed_from == 0
    assert read_and_note(long_match, library).replayed_from > 0


def test_forgetting_a_game_removes_its_snapshots(library: Store, long_match: Match) -> None:
    read_and_note(long_match, library)
    library.forget_game(long_match.id)
    assert library.load_cache(long_match.id).snapshots == ()
