"""The library remembers signed records, prevents double signatures, and never stops a game."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from pbem.play.signing import find_conflict
from pbem.play.store import Store, StoreBlockedError, StoreError
from pbem.play.store.schema import VERSION
from pbem.protocol.cache import GameCache
from pbem.protocol.match import Match
from tests.play.store.players import ANNA, BELA, GAME, OTHER_GAME, known_file_of

# --- remembering


def test_records_are_found_by_other_processes_of_their_player_only(
    library: Store, path: Path, match: Match
) -> None:
    for index in (4, 0, 2):
        library.remember(GAME, match.records[index])
    library.remember(OTHER_GAME, match.records[6])
    store = Store(path, ANNA.public_key)
    assert store.signed_record(GAME, 2) == match.records[2]
    assert store.signed_record(GAME, 3) is None
    assert store.signed_record(GAME, 6) is None
    assert store.signed_hashes(GAME) == {n: match.records[n].hash for n in (0, 2, 4)}
    assert list(store.signed_hashes(GAME)) == [0, 2, 4]
    assert store.signed_record(OTHER_GAME, 6) == match.records[6]
    assert store.signed_hashes(bytes(32)) == {}
    bela = Store(path, BELA.public_key)
    assert (bela.signed_hashes(GAME), bela.signed_record(GAME, 4)) == ({}, None)


def test_record_is_stored_as_in_a_save_file(library: Store, path: Path, match: Match) -> None:
    record = match.records[2]
    library.remember(GAME, record)
    with sqlite3.connect(path) as database:
        (row,) = database.execute('SELECT game, "index", hash, previous, record FROM records')
        (version,) = database.execute("PRAGMA user_version").fetchone()
    assert row == (GAME, 2, record.hash, record.previous, record.toml)
    assert version == VERSION


def test_reading_creates_no_library(library: Store, path: Path, match: Match) -> None:
    assert (library.signed_hashes(GAME), library.signed_record(GAME, 0)) == ({}, None)
    assert find_conflict(library, match.records) is None
    assert not path.exists()


def test_replaced_library_file_is_noticed(library: Store, path: Path, match: Match) -> None:
    """A record stored in the removed file would be lost."""
    library.remember(GAME, match.records[0])
    other = path.with_name("other")
    Store(other, ANNA.public_key).remember(GAME, match.records[2])
    other.replace(path)
    assert list(library.signed_hashes(GAME)) == [2]
    library.remember(GAME, match.records[4])
    assert list(Store(path, ANNA.public_key).signed_hashes(GAME)) == [2, 4]
    path.unlink()
    assert library.signed_hashes(GAME) == {}
    library.remember(GAME, match.records[0])
    assert list(Store(path, ANNA.public_key).signed_hashes(GAME)) == [0]


def test_threads_share_one_connection(library: Store, match: Match) -> None:
    def sign(index: int) -> None:
        for _ in range(20):
            library.remember(GAME, match.records[index])
            library.load_cache(GAME)

    threads = [Thread(target=sign, args=(index,)) for index in (0, 2, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(library.signed_hashes(GAME)) == [0, 2, 4]


def test_only_its_owner_can_read_the_library(library: Store, path: Path, match: Match) -> None:
    mask = os.umask(0)
    try:
        library.remember(GAME, match.records[0])
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.EPERM, errno.EINVAL])
def test_missing_locks_are_told_from_another_command(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """SQLite reports both in the same way."""

    def lockf(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    library.remember(GAME, match.records[0])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr("pbem.play.store.BUSY_SECONDS", 0)
        with pytest.raises(StoreBlockedError, match="another acres has it locked"):
            library.remember(GAME, match.records[2])
        monkeypatch.setattr("pbem.savefile.disk.lockf", lockf)
        with pytest.raises(StoreBlockedError, match=os.strerror(number)) as error:
            library.remember(GAME, match.records[2])
    assert "does not support lockf" in str(error.value)
    assert "--home" in str(error.value.remedy)


def test_disk_that_confirms_nothing_keeps_the_journal(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.store.sync_folder", lambda _: False)
    for index in (0, 2):
        library.remember(GAME, match.records[index])
    assert path.with_name(f"{path.name}-journal").exists()
    assert list(Store(path, ANNA.public_key).signed_hashes(GAME)) == [0, 2]


def test_record_is_stored_once(library: Store, match: Match) -> None:
    looked_up = library.signed_hashes(GAME)
    for _ in range(2):
        library.remember(GAME, match.records[2], known_hashes=looked_up)
    resigned = match.records[2]._replace(signature=bytes(64))
    library.remember(GAME, resigned)
    assert library.signed_record(GAME, 2) == match.records[2]


WRITING = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
    print("written")
except sqlite3.OperationalError as error:
    print(error.sqlite_errorname)
"""


def test_lock_outlasts_other_connections(path: Path, library: Store, match: Match) -> None:
    """Unix ends all locks of a process on a file when the process closes it once."""
    library.remember(GAME, match.records[0])
    with Store(path, ANNA.public_key).writing():
        library.check_writable()
        with pytest.raises(StoreError, match="locked"), library.writing(0):
            pass
        other = subprocess.run(
            [sys.executable, "-c", WRITING, str(path)], capture_output=True, text=True, check=True
        )
    assert other.stdout == "SQLITE_BUSY\n"


# --- unusable libraries


def check_all_fail(library: Store, match: Match, kind: type = StoreError) -> None:
    """Check that every method raises the same error; none reports a missing record."""
    for use in (
        lambda: library.signed_hashes(match.id),
        lambda: library.signed_record(match.id, 0),
        lambda: find_conflict(library, match.records[:2]),
        lambda: library.remember(match.id, match.records[2]),
        lambda: library.note(known_file_of(match)),
        library.games,
        lambda: library.forget_game(match.id),
        lambda: library.set_pace(match.id, 3),
    ):
        with pytest.raises(StoreError) as failed:
            use()
        assert str(failed.value) and type(failed.value) is kind
    assert library.load_cache(match.id) == GameCache(frozenset())


@pytest.mark.parametrize(
    "content", [b"garbage", b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_damaged_library_is_reported_as_damaged(
    library: Store, path: Path, match: Match, content: bytes
) -> None:
    path.write_bytes(content)
    check_all_fail(library, match)
    assert library.failure is not None
    assert path.read_bytes() == content


def test_path_that_cannot_hold_a_library_is_reported(tmp_path: Path, match: Match) -> None:
    (tmp_path / "folder").mkdir()
    check_all_fail(Store(tmp_path / "folder", ANNA.public_key), match)
    (tmp_path / "file").touch()
    gone = Store(tmp_path / "file" / "library.sqlite3", ANNA.public_key)
    assert gone.signed_hashes(match.id) == {}
    with pytest.raises(StoreError):
        gone.remember(match.id, match.records[2])


def test_missing_folder_is_made_for_its_owner_alone(tmp_path: Path, match: Match) -> None:
    folder = tmp_path / "share" / "acres"
    library = Store(folder / "library.sqlite3", ANNA.public_key)
    assert library.signed_hashes(match.id) == {}
    assert not folder.exists()
    library.remember(match.id, match.records[2])
    assert library.signed_record(match.id, 2) == match.records[2]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_library_of_a_newer_program_is_refused(library: Store, path: Path, match: Match) -> None:
    library.remember(match.id, match.records[2])
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="newer"):
        library.remember(match.id, match.records[4])
    check_all_fail(library, match, StoreBlockedError)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET record = 'x'",
        "UPDATE records SET record = x'ff00'",
        "UPDATE records SET record = replace(record, 'time = \"2026', 'time = \"2025')",
        "UPDATE records SET hash = zeroblob(32)",
        "UPDATE records SET hash = 7",
        "UPDATE records SET \"index\" = 'x'",
        'UPDATE records SET "index" = 4',
        "DROP TABLE records",
    ],
)
def test_damaged_record_accuses_nobody(
    library: Store, path: Path, match: Match, damage: str
) -> None:
    library.remember(match.id, match.records[2])
    with sqlite3.connect(path) as database:
        database.execute(damage)
    for number in (2, 3, 4):
        try:
            assert find_conflict(library, match.records[:number]) is None
        except StoreError:
            continue


def test_record_of_another_key_does_not_count(library: Store, path: Path, match: Match) -> None:
    library.remember(match.id, match.records[2])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE records SET key = ?", (BELA.public_key,))
    with pytest.raises(StoreError, match="damaged"):
        Store(path, BELA.public_key).signed_record(match.id, 2)


def test_python_without_sqlite_can_play(
    library: Store, path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.play.store.sqlite3", None)
    assert library.signed_hashes(match.id) == {}
    with pytest.raises(StoreError, match="sqlite3"):
        library.remember(match.id, match.records[4])
    assert not path.exists()
    path.touch()
    with pytest.raises(StoreError, match="sqlite3"):
        library.signed_hashes(match.id)


def test_library_is_imported_without_sqlite() -> None:
    code = "import sys; sys.modules['sqlite3'] = None; import pbem.play.store"
    subprocess.run([sys.executable, "-c", code], check=True)
