"""Libraries of earlier versions, which the first write migrates."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.sides import Side
from pbem.play.store import (
    Destination,
    Dispatch,
    Game,
    MailboxPosition,
    Sending,
    Stamp,
    Store,
    StoreBlockedError,
)
from pbem.play.store.entries import KnownFile, Person
from pbem.play.store.schema import VERSION
from pbem.protocol.cache import CHECKS, VerifiedRecord
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.schema import canonical_json
from pbem.protocol.steps import Close, OpenLists, ShuffleStep
from tests.play.matches import TIME
from tests.play.store.old_library import make_tables
from tests.play.store.players import ANNA, BELA, OTHER_GAME, first_records, sign_again
from tests.requirements import require
from tests.signing import make_record

OLD = sorted((Path(__file__).parents[2] / "old_files").glob("*/*/library.sqlite3"))
TABLES = {
    "records", "seen", "games", "snapshots", "kept_turns", "dispatched", "met", "vouched",
    "searched", "keys",
}  # fmt: skip
SAME = TABLES - {"records", "seen", "games", "snapshots", "searched", "keys"}


@pytest.fixture
def old_library(request: pytest.FixtureRequest, path: Path) -> Path:
    """A copy of a library of an earlier version."""
    return Path(shutil.copyfile(request.param, path))


def contents(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    """Return the rows of each table."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}


def read_rows(path: Path) -> tuple[int, dict[str, list[Any]]]:
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        return version, contents(database)


@pytest.mark.parametrize("old_library", OLD, ids=lambda path: path.parts[-3], indirect=True)
def test_migration_keeps_all_rows_and_adds_tables(old_library: Path) -> None:
    version, before = read_rows(old_library)
    with Store(old_library, b"") as store:
        with store.reading() as database:
            assert database is not None
            in_copy = contents(database)
        assert read_rows(old_library) == (version, before) != (VERSION, in_copy)
        with store.writing():
            pass
        assert read_rows(old_library) == (VERSION, in_copy)
        with store.reading() as database:
            assert database is not None
            assert contents(database) == in_copy
    for name in SAME & set(before):
        assert in_copy[name] == before[name] or name == "vouched"
    make_record = [row[:6] for row in in_copy["records"] if row[6]]
    assert len(make_record) == len(before["signed"]) > 0
    assert len(in_copy["records"]) - len(make_record) == len(before["replaced"])
    assert {row[:4] for row in in_copy["seen"]} >= set(before.get("verified", ()))
    assert len(in_copy["keys"]) == 1
    # The robot's additional tables stay unchanged.
    guests = {"guests", "waiting", "turned_away"} & set(before)
    assert set(in_copy) == TABLES | guests


def test_points_are_added_to_a_library_of_version_3(path: Path, match: Match) -> None:
    played = require(KnownFile.of(first_records(match, 5), ANNA.public_key, None))
    store = Store(path, ANNA.public_key)
    store.note(played, create=True)
    _, before = read_rows(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM keys")
        for side in Side:
            database.execute(f"ALTER TABLE games DROP COLUMN {side}_points")
        database.execute("PRAGMA user_version = 3")
        database.commit()
    store = Store(path, ANNA.public_key)
    assert require(store.game(match.id)).game.points == {}
    store.note(played)
    _, after = read_rows(path)
    # The key is not taken for one whose signatures are all known.
    assert after == before | {"keys": []}
    assert require(store.game(match.id)).game.points == {Side.BRITISH: 19, Side.FRENCH: 29}


def test_library_of_version_6_stays_complete(path: Path) -> None:
    store = Store(path, ANNA.public_key)
    store.mark_complete()
    with closing(sqlite3.connect(path)) as database:
        for column in ("saved", "moved"):
            database.execute(f"ALTER TABLE keys DROP COLUMN {column}")
        database.execute("PRAGMA user_version = 6")
        database.commit()
    store = Store(path, ANNA.public_key, lambda: "2026-06-01T12:00:00Z")
    assert (store.is_complete(), store.saved_time(), store.moved_time()) == (True, "", "")
    store.note_saved(moves=False)
    assert (store.is_complete(), store.saved_time()) == (True, "2026-06-01T12:00:00Z")


def test_empty_library_gets_all_tables(path: Path) -> None:
    path.touch()
    store = Store(path, b"")
    with store.reading() as database:
        assert database is None
    with store.writing():
        pass
    version, tables = read_rows(path)
    assert (version, set(tables)) == (VERSION, TABLES)
    assert not any(tables.values())


def test_there_are_at_most_ten_tables_each_with_a_primary_key(path: Path) -> None:
    with Store(path, b"").writing() as database:
        tables = contents(database)
        assert len(tables) <= 10
        for name in tables:
            assert any(column[5] for column in database.execute(f"PRAGMA table_info({name})"))


def test_old_locked_library_is_read(path: Path) -> None:
    shutil.copyfile(OLD[0], path)
    store = Store(path, ANNA.public_key)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert store.dispatch(bytes(32), bytes(32)) is None
        with pytest.raises(StoreBlockedError), store.writing(0):
            pass


def test_changes_by_an_old_program_are_read(path: Path) -> None:
    shutil.copyfile(OLD[0], path)
    store = Store(path, ANNA.public_key)
    assert store.known_players() == []
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE signed SET key = ?", (ANNA.public_key,))
        (game,) = other.execute("SELECT game FROM signed").fetchone()
        other.commit()
    assert store.signed_hashes(game) != {}


# --- every kind of row

LATER, MUCH_LATER = "2026-11-22T10:00:00Z", "2026-11-24T10:00:00Z"
FOLDER = Path("/games")
FORGOTTEN = bytes([9]) * 32
"""A record of a forgotten game, of which only the arrival is left."""
VOUCHED = [Person(b"C" * 32, "Carla", ""), Person(b"D" * 32, "Dora", "dora@example.org")]


@pytest.fixture(scope="session")
def close_record() -> Record:
    steps = [Close(bytes(32))]
    return make_record(ANNA, index=8, side="british", previous=bytes(32), time=TIME, steps=steps)


@pytest.fixture(params=[1, 2])
def full_library(
    request: pytest.FixtureRequest, path: Path, match: Match, close_record: Record
) -> Path:
    """A library of an earlier version with rows of every kind."""
    key, game, first, second = ANNA.public_key, match.id, match.records[0], match.records[2]
    last, other = match.records[4], sign_again(match.records[2])
    facts = require(Game.of(first_records(match, 5), key))
    anna, of_game = (key,), (game, key)
    file, evidence = b"/games/b\xe9la-004.toml", bytes([7]) * 32
    rows: dict[str, list[tuple[object, ...]]] = {
        "signed": [of_record(game, record) for record in (first, second, last)],
        "replaced": [of_record(game, other), of_record(game, close_record)],
        "learnt": [(*of_game, last.hash)],
        "destinations": [(*of_game, 2, second.hash, file, evidence, 1)],
        "verified": [(game, *VerifiedRecord.of(record), CHECKS) for record in match.records[:5]],
        "arrivals": [(*of_game, last.hash, LATER), (OTHER_GAME, key, FORGOTTEN, TIME)],
        "games": [(*of_game, *facts[:-2], None, file, 5)],
        "dispatched": [(*of_game, second.hash, "sent", TIME, "bela@example.org")],
        "mailboxes": [(*anna, "anna@example.org/INBOX", 3, 44)],
        "met": [
            (*anna, game, BELA.public_key, "Béla", "bela@example.org", LATER),
            *((*anna, bytes([n]), *who, TIME) for n, who in enumerate(VOUCHED)),
        ],
        "vouched": [(*anna, *who, "Aunt" if n else "") for n, who in enumerate(VOUCHED)],
        "kept_turns": [(*of_game, last.hash, b"sealed")],
        "looked_through": [(*anna, b"/games", b"", 0, 0), (*anna, b"/games", b"a.toml", 12, 34)],
        "complete": [anna, anna],
        "complete_since": [(*anna, TIME), (BELA.public_key, TIME), (b"nobody", "")],
    }
    version: int = request.param
    with closing(sqlite3.connect(path)) as database:
        make_tables(database, version)
        if version == 1:
            rows["nicknames"] = [(*anna, VOUCHED[1].key, "Aunt")]
            rows["vouched"] = [row[:-1] for row in rows["vouched"]]
        for name, some in rows.items():
            places = ", ".join("?" * len(some[0]))
            database.executemany(f"INSERT INTO {name} VALUES ({places})", some)
        database.commit()
    assert all(read_rows(path)[1][name] for name in rows)
    return path


def of_record(game: bytes, record: Record) -> tuple[object, ...]:
    text = canonical_json(record.to_plain()).decode()
    return game, ANNA.public_key, record.index, record.hash, record.previous, text


def shuffles(record: Record) -> bool:
    return any(isinstance(step, OpenLists | ShuffleStep) for step in record.steps)


def stores(path: Path) -> Iterator[Store]:
    """Yield the library before its first write, and after it."""
    store = Store(path, ANNA.public_key, lambda: LATER)
    yield store
    assert read_rows(path)[0] < VERSION
    store.set_pace(OTHER_GAME, 3)
    assert read_rows(path)[0] == VERSION
    yield store


def test_migration_keeps_signed_records(
    full_library: Path, match: Match, close_record: Record
) -> None:
    game, own = match.id, match.records[:5:2]
    for store in stores(full_library):
        assert store.signed_hashes(game) == {record.index: record.hash for record in own}
        assert [store.signed_record(game, index) for index in (0, 1, 2, 4)] == [
            own[0],
            None,
            *own[1:],
        ]
        assert store.close_record(game) == close_record
        shuffling = [record for record in [*own, sign_again(own[1])] if shuffles(record)]
        assert shuffling
        assert {record.hash for record in store.shuffle_records(game)} == {
            record.hash for record in shuffling
        }
        assert store.destination(game, own[1]) == Destination(
            Path("/games/b\udce9la-004.toml"), bytes([7]) * 32
        )
        assert store.destination(game, own[2]) is None
        assert store.is_in_doubt(match.records[:3]) is not False
        assert store.first_signed_times() == {game: own[0].time}
        assert store.is_complete()
        assert not store.is_blank()
    # The library does not know whether the old file was written, and takes nothing back.
    store.remember(game, own[2]).take_back()
    assert store.signed_record(game, 4) == own[2]
    bela = Store(full_library, BELA.public_key, lambda: LATER)
    assert not bela.is_complete()
    soon, late = (
        first_records(match, 1).last._replace(time=time) for time in (TIME, "2026-11-24T10:00:00Z")
    )
    assert [bela.would_know_acceptance(record) for record in (soon, late)] == [False, True]
    assert not Store(full_library, b"nobody").is_complete()


def test_migration_keeps_doubt_about_learnt_records(full_library: Path, match: Match) -> None:
    for store in stores(full_library):
        assert store.is_in_doubt(match.records[:5])
        store.mark_complete(with_games=True)
        assert not store.is_in_doubt(match.records[:5])
        break


def test_migration_keeps_verified_records_and_games(full_library: Path, match: Match) -> None:
    for store in stores(full_library):
        assert store.load_cache(match.id).verified == {
            VerifiedRecord.of(r) for r in match.records[:5]
        }
        assert store.load_cache(OTHER_GAME).verified == frozenset()
        arrived = [store.arrival_time(match.id, match.records[n].hash) for n in (3, 4)]
        assert arrived == ["", LATER]
        assert store.arrival_time(OTHER_GAME, FORGOTTEN) == TIME
        (entry,) = store.games()
        assert (entry.id, entry.game) == (
            match.id,
            require(Game.of(first_records(match, 5), ANNA.public_key))._replace(
                british_points=0, french_points=0
            ),
        )
        assert (entry.arrived, entry.pace, entry.row) == (LATER, 5, 1)
        assert (entry.file_in, entry.file_out) == (None, Path("/games/b\udce9la-004.toml"))


def test_migration_keeps_dispatches_and_positions(full_library: Path, match: Match) -> None:
    game, second, last = match.id, match.records[2].hash, match.records[4].hash
    for store in stores(full_library):
        sent = Dispatch(Sending.SENT, TIME, "bela@example.org")
        assert [store.dispatch(game, record) for record in (second, last)] == [sent, None]
        assert store.mailbox_position("anna@example.org/INBOX") == MailboxPosition(3, 44)
        assert store.stamps(FOLDER) == {"a.toml": Stamp(12, 34)}
        assert store.stamps(FOLDER / "other") is None
        assert [store.saved_turn(game, record) for record in (second, last)] == [None, b"sealed"]


def test_migration_keeps_known_players(full_library: Path) -> None:
    for store in stores(full_library):
        people = [(one.people[0].name, one.nickname, one.since) for one in store.known_players()]
        assert people == [("Béla", "", LATER), ("Carla", "", TIME), ("Dora", "Aunt", TIME)]
    store.set_nickname(VOUCHED[0].key, "Cousin")
    assert [one.nickname for one in store.known_players()] == ["", "Cousin", "Aunt"]
    store.forget_player(VOUCHED[1].key)
    assert [one.nickname for one in store.known_players()] == ["", "Cousin"]


def test_damaged_record_does_not_stop_the_migration(full_library: Path, match: Match) -> None:
    with closing(sqlite3.connect(full_library)) as database:
        database.execute('UPDATE signed SET record = \'{"shuffle": \' WHERE "index" = 2')
        database.commit()
    for store in stores(full_library):
        assert store.signed_record(match.id, 4) == match.records[4]
        with pytest.raises(Exception, match="its record 2 is damaged"):
            store.signed_record(match.id, 2)
