"""The library of signed records, which stops no game in any state."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from pbem.play.store.schema import VERSION
from tests.cli.commands import (
    FILE,
    OTHER_ORDERS,
    PASSES,
    acres,
    apply,
    do,
    make_library_read_only,
    snapshot,
)
from tests.play.store.players import records_in

pytestmark = pytest.mark.usefixtures("in_game_folder")


def signed_indices(home: Path) -> list[int]:
    return sorted(index for _, index, _ in records_in(home / "library.sqlite3"))


def test_only_new_join_and_apply_record_signatures(game: Path) -> None:
    acres("init", "--name", "Anna", home="a")
    acres("init", "--name", "Béla", home="b")
    acres("new", "--side", "british", "--lists", "16", "--output", "b-000.toml", home="a")
    acres("join", "b-000.toml", home="b")
    assert signed_indices(game / "a") == [0]
    assert signed_indices(game / "b") == [1]
    for words in (["turn", "show"], ["turn", "legal"], ["turn", "apply", "--dry-run"]):
        order = ["pass"] if words[-1] == "--dry-run" else []
        assert acres(*words, "b-001.toml", *order, home="a").status == 0
        assert signed_indices(game / "a") == [0]
    assert acres("turn", "apply", "b-001.toml", "pass", home="a").status == 0
    assert signed_indices(game / "a") == [0, 2]


def test_lost_library_loses_no_game(game: Path) -> None:
    (game / "british" / "library.sqlite3").unlink()
    before = snapshot(game)
    apply(*PASSES).fails()
    assert snapshot(game) == before
    apply(*PASSES, "--newest").succeeds_quietly()
    # The file shows the earlier record.
    assert signed_indices(game / "british") == list(range(0, 19, 2))
    apply(*OTHER_ORDERS, "--output", "x.toml").fails()


def test_finished_game_needs_no_warning(game: Path) -> None:
    assert acres("turn", "resign", FILE, "--yes", home="british").status == 0
    assert apply(file="game-018.toml", home="french").status == 0
    (game / "british" / "library.sqlite3").unlink()
    acres("new", "--side", "any", "--output", "another.toml", home="british")
    acres("turn", "show", "game-019.toml", home="british").succeeds_quietly()


@pytest.mark.parametrize("content", [b"garbage", b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 99])
def test_signing_without_a_library_needs_vouching(game: Path, content: bytes) -> None:
    library = game / "british" / "library.sqlite3"
    library.write_bytes(content)
    assert "games add" in apply(*PASSES).err
    assert not (game / "game-018.toml").exists()
    trial = apply(*PASSES, "--dry-run")
    assert (trial.status, trial.err.count("\n")) == (0, 1)
    assert apply(*PASSES, "--replace").status == 2
    assert apply(*PASSES, "--newest").succeeds().err
    assert library.read_bytes() == content
    assert (game / "game-018.toml").exists()


def test_library_of_a_newer_program_stops_signing(game: Path) -> None:
    with sqlite3.connect(game / "british" / "library.sqlite3") as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    for words in (["turn", "apply", FILE, *PASSES], ["new", "--side", "any"], ["games"]):
        # Moving the library away would help, but lose all records.
        assert "move" not in acres(*words, home="british").fails().err
    assert not [path for path in game.glob("*.toml") if path.name > FILE]
    assert apply(*PASSES, "--dry-run").succeeds().err.count("\n") == 1
    acres("turn", "show", FILE, home="british").succeeds_quietly()


@pytest.mark.parametrize("command", ["join", "apply"])
def test_library_that_cannot_be_made_stops_signing(game: Path, command: str) -> None:
    home = game / ("french" if command == "join" else "british")
    acres("new", "--side", "french", "--output", "b-000.toml", home="british")
    (home / "library.sqlite3").unlink()
    (home / "library.sqlite3").mkdir()
    words = {"join": ["join", "b-000.toml"], "apply": ["turn", "apply", FILE, *PASSES]}[command]
    files = sorted(game.iterdir())
    assert acres(*words, home=home).status == 2
    assert sorted(game.iterdir()) == files
    assert acres(*words, "--replace", home=home).status == 2
    assert do(*words, "--newest", home=home).err


def test_library_that_cannot_be_made_stops_no_invitation(game: Path) -> None:
    # An invitation cannot be a second answer.
    home = game / "british"
    (home / "library.sqlite3").unlink()
    (home / "library.sqlite3").mkdir()
    invited = do("new", "--side", "any", "--output", "new.toml", home=home)
    assert invited.err.count("\n") == 1


def test_read_only_home_is_reported(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_library_read_only(monkeypatch)
    # The command fails before it reads the orders.
    refused = apply("no such order").err
    assert os.strerror(errno.EROFS) in refused and "ove it away" not in refused
    assert "Give yourself permission to write there, and run this again. If it cannot" in refused
    assert not (game / "game-018.toml").exists()
    assert os.strerror(errno.EROFS) in apply(*PASSES, "--newest").succeeds().err
    assert (game / "game-018.toml").exists()


def test_records_of_another_key_in_the_same_home_do_not_count(game: Path) -> None:
    assert apply(*PASSES).status == 0
    shutil.copy("british/library.sqlite3", "french/library.sqlite3")
    assert apply(*PASSES, file="game-018.toml", home="french").status == 2
    assert apply(*PASSES, "--newest", file="game-018.toml", home="french").status == 0


@pytest.mark.parametrize(
    ("obstacle", "told"),
    [
        ("journal", "disk I/O error. It still knows what you signed: keep it"),
        ("long path", "its path is longer than 511 bytes. It still knows what you signed: keep it"),
        (
            "damage",
            "file is not a database. No game is lost: move the library away, and acres --home",
        ),
    ],
)
def test_library_that_cannot_be_reached_is_to_be_kept(game: Path, obstacle: str, told: str) -> None:
    home, long_path = game / "british", game / ("x" * 240) / ("x" * 240)
    do("turn", "apply", game / "game-017.toml", "pass", "pass", home=home)
    if obstacle == "long path":
        long_path.parent.mkdir()
        home = home.rename(long_path)
    elif obstacle == "journal":
        (home / "library.sqlite3-journal").mkdir()
    else:
        (home / "library.sqlite3").write_bytes(bytes(50_000))
    assert told in acres("games", home=home).fails().err
