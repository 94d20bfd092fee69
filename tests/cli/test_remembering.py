"""What the commands remember to have signed, and that no state of that memory stops a game."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.savefile.save_file import SaveFile
from tests.cli.using import (
    FILE,
    OTHER,
    PASSES,
    acres,
    apply,
    make_library_read_only,
    snapshot,
    start,
)
from tests.play.store.players import records_in

pytestmark = pytest.mark.usefixtures("in_the_game")


def known(home: Path) -> list[int]:
    return sorted(index for _, index, _ in records_in(home / "library.sqlite3"))


def test_new_join_and_apply_remember_and_others_do_not(game: Path) -> None:
    acres("init", "--name", "Anna", home="a")
    acres("init", "--name", "Béla", home="b")
    acres("new", "--side", "british", "--lists", "16", "--output", "b-000.toml", home="a")
    acres("join", "b-000.toml", home="b")
    assert known(game / "a") == [0]
    assert known(game / "b") == [1]
    for words in (["turn", "show"], ["turn", "legal"], ["turn", "apply", "--dry-run"]):
        order = ["pass"] if words[-1] == "--dry-run" else []
        assert acres(*words, "b-001.toml", *order, home="a").status == 0
        assert known(game / "a") == [0]
    assert acres("turn", "apply", "b-001.toml", "pass", home="a").status == 0
    assert known(game / "a") == [0, 2]


def test_a_failed_writing_is_not_remembered(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr("os.fsync", fail)
        assert apply(*PASSES).status == 2
    assert known(game / "british")[-1] == 16
    assert apply(*OTHER).status == 0


def test_a_lost_library_loses_no_game(game: Path) -> None:
    (game / "british" / "library.sqlite3").unlink()
    before = snapshot(game)
    apply(*PASSES).fails()
    assert snapshot(game) == before
    apply(*PASSES, "--newest").succeeds_quietly()
    # The file tells what was signed before.
    assert known(game / "british") == list(range(0, 19, 2))
    assert "already answered this file" in apply(*OTHER, "--output", "x.toml").fails().err


def of_before(game: Path, state: str) -> None:
    """Put a library in place that does not know all that is signed: of no game, or of a backup."""
    (game / "british" / "library.sqlite3").unlink()
    if state == "begun anew":
        (game / "another.toml").unlink(missing_ok=True)
        acres("new", "--side", "any", "--output", "another.toml", home="british")
    else:
        acres("games", "add", "game-007.toml", home="british")


@pytest.mark.parametrize("state", ["begun anew", "of a backup"])
def test_what_was_forgotten_is_told_by_whatever_finds_it(game: Path, state: str) -> None:
    """Whoever looks before answering learns of it by looking, and is told again on answering."""
    of_before(game, state)
    for number, command in enumerate(("show", "legal")):
        done = acres("turn", command, FILE, home="british")
        assert (done.status, "did not remember your part" in done.err) == (0, number == 0)
        assert done.err.endswith("are proof of cheating.\n" if number == 0 else "")
    assert "does not remember your part" in apply(*PASSES).err
    apply(*PASSES, "--newest").succeeds_quietly()
    assert set(range(0, 19, 2)) <= set(known(game / "british"))


def test_of_a_finished_game_nothing_is_to_be_minded(game: Path) -> None:
    assert acres("turn", "resign", FILE, "--yes", home="british").status == 0
    assert apply(file="game-018.toml", home="french").status == 0
    of_before(game, "begun anew")
    acres("turn", "show", "game-019.toml", home="british").succeeds_quietly()


@pytest.mark.parametrize("content", [b"garbage", b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 99])
def test_without_its_library_nothing_is_signed_unless_told_to(game: Path, content: bytes) -> None:
    """Or else two different answers would be, with a warning each."""
    library = game / "british" / "library.sqlite3"
    library.write_bytes(content)
    done = apply(*PASSES)
    assert done.status == 2
    refusal = done.err.splitlines()[-1]
    assert "Without it one file might be answered twice" in refusal
    assert "games add" in refusal
    assert not (game / "game-018.toml").exists()
    trial = apply(*PASSES, "--dry-run")
    assert (trial.status, trial.err.count("\n")) == (0, 1)
    assert apply(*PASSES, "--replace").status == 2
    assert "will not remember" in apply(*PASSES, "--newest").succeeds().err
    assert library.read_bytes() == content
    assert (game / "game-018.toml").exists()


def test_what_a_newer_program_signed_is_not_signed_anew(game: Path) -> None:
    """Moving its library away would help, and forget what stands in it."""
    with sqlite3.connect(game / "british" / "library.sqlite3") as database:
        database.execute("PRAGMA user_version = 4")
    database.close()
    for words in (["turn", "apply", FILE, *PASSES], ["new", "--side", "any"], ["games"]):
        done = acres(*words, home="british").fails()
        assert "a newer acres made it. Update yours" in done.err
        assert "move" not in done.err
    assert not [path for path in game.glob("*.toml") if path.name > FILE]
    trial = apply(*PASSES, "--dry-run")
    assert (trial.status, "move" in trial.err, trial.err.count("\n")) == (0, False, 1)
    assert "Update yours" in trial.err
    acres("turn", "show", FILE, home="british").succeeds_quietly()


@pytest.mark.parametrize("command", ["join", "apply"])
def test_a_library_that_cannot_be_made_stops_who_would_sign(game: Path, command: str) -> None:
    home = game / ("french" if command == "join" else "british")
    acres("new", "--side", "french", "--output", "b-000.toml", home="british")
    (home / "library.sqlite3").unlink()
    (home / "library.sqlite3").mkdir()
    words = {"join": ["join", "b-000.toml"], "apply": ["turn", "apply", FILE, *PASSES]}[command]
    files = sorted(game.iterdir())
    done = acres(*words, home=home)
    assert (done.status, "might be answered twice" in done.err) == (2, True)
    assert sorted(game.iterdir()) == files
    assert acres(*words, "--replace", home=home).status == 2
    done = acres(*words, "--newest", home=home)
    assert (done.status, "will not remember" in done.err) == (0, True)


def test_a_library_that_cannot_be_made_stops_no_invitation(game: Path) -> None:
    """It answers nothing, so that there is nothing to be signed twice."""
    home = game / "british"
    (home / "library.sqlite3").unlink()
    (home / "library.sqlite3").mkdir()
    done = acres("new", "--side", "any", "--output", "new.toml", home=home)
    assert (done.status, "will not remember" in done.err) == (0, True)
    assert done.err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for this user")
def test_in_a_home_that_is_read_only_nothing_is_signed_unless_told_to(game: Path) -> None:
    home = game / "british"
    for path in (home / "library.sqlite3", home):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert apply(*PASSES).status == 2
        assert "will not remember" in apply(*PASSES, "--newest").succeeds().err
        (game / "game-018.toml").unlink()
    finally:
        home.chmod(0o700)


def test_a_home_on_a_read_only_medium(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_library_read_only(monkeypatch)
    done = apply("no such order")
    assert (done.status, os.strerror(errno.EROFS) in done.err) == (2, True), "before any order"
    assert not (game / "game-018.toml").exists()
    done = apply(*PASSES, "--newest")
    assert (done.status, os.strerror(errno.EROFS) in done.err) == (0, True)
    assert "will not remember" in done.err
    assert (game / "game-018.toml").exists()


def test_two_commands_at_once_sign_once(game: Path) -> None:
    """Both are told apart by their output; only one of them can be the answer."""
    running = [
        start("turn", "apply", FILE, *orders, "--output", name, home="british")
        for orders, name in ((PASSES, "a.toml"), (OTHER, "b.toml"))
    ]
    ended = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
    assert sorted(status for _, status in ended) == [0, 2], ended
    assert (game / "a.toml").exists() != (game / "b.toml").exists()
    assert all("Traceback" not in err for err, _ in ended)


def test_what_was_signed_by_another_key_in_the_same_home_is_not_mine(game: Path) -> None:
    """A new identity in an old home begins with nothing signed."""
    assert apply(*PASSES).status == 0
    shutil.copy("british/library.sqlite3", "french/library.sqlite3")
    done = apply(*PASSES, file="game-018.toml", home="french")
    assert (done.status, "does not remember your part" in done.err) == (2, True)
    assert apply(*PASSES, "--newest", file="game-018.toml", home="french").status == 0


def test_the_signatures_of_the_quiet_game_are_all_remembered(game: Path) -> None:
    assert known(game / "british") == list(range(0, 17, 2))
    assert known(game / "french") == list(range(1, 18, 2))
    key = keyfile.load(game / "british" / "identity.toml", lambda: "").public_key
    found = [record for _, _, record in records_in(game / "british" / "library.sqlite3")]
    assert found == list(SaveFile.read((game / FILE).read_bytes()).records[0:17:2])
    assert all(record.verify(key) for record in found)
