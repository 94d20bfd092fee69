"""Libraries of earlier versions, which are migrated when something is first written to them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pbem.play.store.database import VERSION, Database

from pbem.play.store import LibraryBlocked, Players
from pbem.play.store.known_players import Person
from tests.play.store.players import ANNA

OLD = sorted((Path(__file__).parents[2] / "old_files").glob("*/*/library.sqlite3"))
TABLES = {
    "arrivals", "snapshots", "complete", "complete_since", "destinations", "dispatched", "games",
    "kept_turns", "learnt", "looked_through", "mailboxes", "met", "replaced", "signed", "verified",
    "vouched",
}  # fmt: skip


@pytest.fixture
def old(request: pytest.FixtureRequest, path: Path) -> Path:
    """A copy of a library of an earlier version."""
    return Path(shutil.copyfile(request.param, path))


def contents(connection: sqlite3.Connection) -> dict[str, list[object]]:
    """The rows of each table."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    names = [name for name in names if not name.startswith("sqlite_")]
    return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def stored(path: Path) -> tuple[int, dict[str, list[object]]]:
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        return version, contents(database)


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.parts[-3], indirect=True)
def test_one_of_an_earlier_version_has_all_tables_and_what_was_in_them(old: Path) -> None:
    version, before = stored(old)
    with Database(old).reading() as database:
        assert database is not None
        in_copy = contents(database)
    assert stored(old) == (version, before) != (VERSION, in_copy)
    with Database(old).writing():
        pass
    assert stored(old) == (VERSION, in_copy)
    for name, rows in before.items():
        assert name in ("nicknames", "bookmarks") or in_copy[name] == rows
    assert len(in_copy["complete"]) == 1
    # What a robot knew of strangers stays where it is.
    guests = {"guests", "waiting", "turned_away"} & set(before)
    assert set(in_copy) == TABLES | guests


def test_an_empty_one_is_made_with_all_tables(path: Path) -> None:
    path.touch()
    with Database(path).reading() as database:
        assert database is None
    with Database(path).writing():
        pass
    version, tables = stored(path)
    assert (version, set(tables), any(tables.values())) == (VERSION, TABLES, False)


def test_one_that_cannot_be_written_is_read(path: Path) -> None:
    shutil.copyfile(OLD[0], path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert Database(path).read("SELECT * FROM dispatched", ()) == []
        with pytest.raises(LibraryBlocked), Database(path).writing(0):
            pass


def test_a_nickname_stays_what_the_player_is_called(path: Path) -> None:
    bela, carla = (Person(key * 32, key.decode(), "") for key in (b"B", b"C"))
    with Database(path).writing() as database:
        for game, who in enumerate((bela, carla)):
            row = (ANNA.public_key, bytes([game]), *who, "")
            database.execute("INSERT INTO met VALUES (?, ?, ?, ?, ?, ?)", row)
        # As in version 1.
        database.execute("DROP TABLE vouched")
        database.execute("CREATE TABLE vouched (key BLOB, player BLOB, name TEXT, email TEXT)")
        database.execute("CREATE TABLE nicknames (key BLOB, player BLOB, nickname TEXT)")
        for who in (bela, carla):
            database.execute("INSERT INTO vouched VALUES (?, ?, ?, ?)", (ANNA.public_key, *who))
        called = (ANNA.public_key, bela.key, "Uncle")
        database.execute("INSERT INTO nicknames VALUES (?, ?, ?)", called)
        database.execute("PRAGMA user_version = 1")
    players = Players(path, ANNA.public_key)
    assert [one.nickname for one in players.all()] == ["Uncle", ""]
    players.call(carla.key, "Aunt")
    players.call(carla.key, "Cousin")
    assert [one.nickname for one in players.all()] == ["Uncle", "Cousin"]
    players.forget(bela.key)
    assert [one.nickname for one in players.all()] == ["Cousin"]
