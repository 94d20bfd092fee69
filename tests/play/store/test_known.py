"""The library knows what was verified; what it knows makes nothing pass that does not hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Finding, NotProved
from pbem.play.game_file import GameFile, pack
from pbem.play.store import Game, LibraryBlocked, LibraryFailed, Seen, Store
from pbem.protocol.cache import APART, Snapshot
from pbem.protocol.known import Known
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from tests.play.playing import signed_by
from tests.play.store.players import ANNA, BELA, everything, up_to


def seen(match: Match, key: bytes = ANNA.public_key) -> Seen:
    found = Seen.of(match, key, Path("game.toml"))
    assert found is not None
    return found


def finding(records: Sequence[Record], library: Store | None = None) -> Finding | None:
    known = library.known(records[0].hash).verified if library else ()
    try:
        Match.replay(records, known)
    except NotProved as error:
        return error.finding
    return None


REPLACED = "FROM records WHERE NOT counts"

# --- what is known


def test_what_was_noted_is_known_and_nothing_else(library: Store, match: Match) -> None:
    assert library.known(match.id).verified == set()
    library.note(seen(up_to(match, 5)), begins=True)
    assert library.known(match.id).verified == everything(up_to(match, 5))
    library.note(seen(match))
    assert library.known(match.id).verified == everything(match)
    assert library.known(bytes(32)).verified == set()


def test_looking_begins_no_library(library: Store, path: Path, match: Match) -> None:
    library.note(seen(match))
    assert not path.exists()


def test_what_is_known_is_not_written_again(library: Store, path: Path, match: Match) -> None:
    library.note(seen(match), begins=True)
    path.chmod(0o400)
    written = path.read_bytes(), path.stat().st_mtime_ns
    library.note(seen(match))
    library.note(seen(up_to(match, 4)))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == written


def test_what_is_signed_is_known(library: Store, match: Match) -> None:
    library.remember(match.id, match.last, seen=[seen(match)])
    assert library.known(match.id).verified == everything(match)


def test_what_other_checks_have_verified_is_not_known(
    library: Store, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.note(seen(match), begins=True)
    monkeypatch.setattr("pbem.play.store.news.CHECKS", 2)
    assert library.known(match.id).verified == set()
    library.note(seen(match))
    assert library.known(match.id).verified == everything(match)
    monkeypatch.setattr("pbem.play.store.news.CHECKS", 1)
    assert library.known(match.id).verified == set()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_what_others_may_have_written_is_not_believed(
    library: Store, path: Path, match: Match, mode: int
) -> None:
    library.note(seen(match), begins=True)
    path.chmod(mode)
    assert library.known(match.id).verified == set()
    path.chmod(0o644)
    assert library.known(match.id).verified == everything(match)


def test_nor_what_somebody_else_has_made(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.note(seen(match), begins=True)
    monkeypatch.setattr("os.geteuid", lambda: path.stat().st_uid + 1)
    assert library.known(match.id).verified == set()


def test_a_library_of_an_earlier_program_knows_nothing_and_learns(
    library: Store, path: Path, match: Match
) -> None:
    with sqlite3.connect(path) as database:
        database.execute(
            'CREATE TABLE signed (game BLOB NOT NULL, key BLOB NOT NULL, "index" INTEGER NOT NULL, '
            "hash BLOB NOT NULL, previous BLOB NOT NULL, record TEXT NOT NULL, "
            'PRIMARY KEY (game, key, "index"))'
        )
        database.execute("PRAGMA user_version = 1")
    database.close()
    assert (library.known(match.id).verified, library.games()) == (set(), [])
    library.note(seen(match))
    assert library.known(match.id).verified == everything(match)
    assert len(library.games()) == 1


@pytest.mark.parametrize(
    "damage",
    ["UPDATE seen SET hash = 'x'", "UPDATE seen SET signature = 1"],
)
def test_a_damaged_table_knows_nothing(
    library: Store, path: Path, match: Match, damage: str
) -> None:
    library.note(seen(match), begins=True)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA writable_schema = ON")
        try:
            database.execute(damage)
        except sqlite3.IntegrityError:
            return
    database.close()
    assert not any(one in library.known(match.id).verified for one in everything(match))


def test_nobody_waits_long_to_note_something(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.store.library.NOTING_SECONDS", 0.05)
    library.remember(match.id, match.records[2])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LibraryBlocked):
        library.note(seen(match))
    other.close()
    library.note(seen(match))


@pytest.mark.parametrize("content", [b"garbage", b"\0" * 5000])
def test_a_damaged_library_says_so(
    library: Store, path: Path, match: Match, content: bytes
) -> None:
    path.write_bytes(content)
    assert library.known(match.id) == Known(frozenset())
    assert library.failure is not None
    for use in (
        lambda: library.note(seen(match)),
        library.games,
        lambda: library.forget_game(match.id),
        lambda: library.set_pace(match.id, 3),
    ):
        with pytest.raises(LibraryFailed):
            use()
    assert path.read_bytes() == content


# --- what does not pass


def test_every_record_of_a_known_game_that_was_changed_is_found_out(
    library: Store, match: Match
) -> None:
    library.note(seen(match), begins=True)
    for record in match.records:
        author = (ANNA, BELA)[record.index % 2]
        later = record._replace(time=record.time.replace("T10:", "T11:"))
        for other in (
            later,
            record._replace(signature=bytes(64)),
            signed_by(author, later),
            signed_by(author, later)._replace(signature=record.signature),
        ):
            records = [*match.records]
            records[record.index] = other
            assert finding(records, library) == finding(records)
            if record is not match.last:
                assert finding(records, library) is not None


def test_what_did_not_hold_is_not_noted(library: Store, match: Match) -> None:
    """A file is seen once its match is there: no record is known before all of it holds."""
    library.note(seen(match), begins=True)
    before = library.known(match.id).verified
    forged = [*match.records[:-1], match.last._replace(signature=bytes(64))]
    assert finding(forged, library) is not None
    assert library.known(match.id).verified == before


# --- own records in files


def test_own_records_in_a_file_are_remembered_as_signed(library: Store, match: Match) -> None:
    """After the library was lost, or for what another computer signed."""
    library.note(seen(match), begins=True)
    own = [record for record in match.records if record.index % 2 == 0]
    assert library.signed_hashes(match.id) == {record.index: record.hash for record in own}
    assert all(library.signed(match.id, record.index) == record for record in own)
    bela = Store(library.path, BELA.public_key)
    bela.note(seen(match, BELA.public_key))
    assert list(bela.signed_hashes(match.id)) == [n for n in range(len(match.records)) if n % 2]


def test_what_was_signed_here_stays_when_a_file_says_otherwise(
    library: Store, match: Match
) -> None:
    """The other records are kept aside: what they open was perhaps sent."""
    mine = signed_by(ANNA, match.records[4], time="2026-11-21T11:00:00Z")
    library.remember(match.id, mine)
    library.note(seen(match))
    assert library.signed_hashes(match.id) == {4: mine.hash}
    with sqlite3.connect(library.path) as database:
        kept = [row[0] for row in database.execute(f"SELECT hash {REPLACED} ORDER BY rowid")]
    assert kept == [record.hash for record in match.records[::2]]
    library.note(seen(match))
    with sqlite3.connect(library.path) as database:
        assert database.execute(f"SELECT count(*) {REPLACED}").fetchone() == (len(kept),)


@pytest.mark.parametrize(("known", "read", "level"), [(5, 6, "FULL"), (4, 5, "EXTRA")])
def test_own_records_in_a_file_outlast_a_power_cut(
    library: Store,
    match: Match,
    monkeypatch: pytest.MonkeyPatch,
    known: int,
    read: int,
    level: str,
) -> None:
    """So does nothing that reading the file again brings back: that would take longer to write."""
    library.note(seen(up_to(match, known)), begins=True)
    executed: list[str] = []

    class Told(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            executed.append(statement)
            return super().execute(statement, *values)

    library.close()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Told))
    library.note(seen(up_to(match, read)))
    assert f"PRAGMA synchronous = {level}" in executed


def test_a_game_of_others_is_nobodys(match: Match) -> None:
    assert Game.of(match, bytes(32)) is None
    assert Seen.of(match, bytes(32), Path("game.toml")) is None


# --- snapshots


def read(match: Match, library: Store) -> Match:
    """The match of a file as its reader has it, who notes it then."""
    again = GameFile.read(pack(match, None, {}, "").write(), library.known).match
    library.note(seen(again), begins=True)
    return again


def test_a_game_that_was_read_is_resumed(library: Store, long_match: Match) -> None:
    assert read(long_match, library).begun == 0
    (snapshot,) = library.known(long_match.id).snapshots
    assert read(long_match, library).begun == snapshot.number > 0
    assert library.known(bytes(32)).snapshots == ()


def test_few_snapshots_are_kept_of_a_game(library: Store, long_match: Match) -> None:
    """The last that were made: whoever goes far back in a game goes on from there again."""
    number = len(long_match.records)
    assert number > 3 * APART
    for records in (*range(2, number + 1), APART + 1, number):
        read(up_to(long_match, records), library)
        found = [each.number for each in library.known(long_match.id).snapshots]
        assert len(found) <= 2
        assert records < APART or records // APART * APART in found
    with sqlite3.connect(library.path) as database:
        assert database.execute("SELECT count(*) FROM snapshots").fetchone() == (2,)


def test_what_others_may_have_written_is_not_resumed_from(
    library: Store, path: Path, long_match: Match
) -> None:
    read(long_match, library)
    path.chmod(0o666)
    assert library.known(long_match.id).snapshots == ()
    assert read(long_match, library).begun == 0


@pytest.mark.parametrize(
    "damage",
    [
        *(f"UPDATE snapshots SET {column} = x'00'" for column in Snapshot._fields),
        *(f"UPDATE snapshots SET {column} = 'a text'" for column in Snapshot._fields),
        "UPDATE snapshots SET length = length + 1",
        "UPDATE snapshots SET position = CAST('null' AS BLOB)",
    ],
)
def test_a_damaged_snapshot_is_left_aside_and_made_anew(
    library: Store, path: Path, long_match: Match, damage: str
) -> None:
    read(long_match, library)
    with sqlite3.connect(path) as database:
        database.execute(damage)
    database.close()
    assert read(long_match, library).begun == 0
    assert read(long_match, library).begun > 0


def test_what_is_forgotten_has_no_snapshots(library: Store, long_match: Match) -> None:
    read(long_match, library)
    library.forget_game(long_match.id)
    assert library.known(long_match.id).snapshots == ()
