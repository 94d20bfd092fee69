"""A lost library and killed commands: no record is signed twice or without a question."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.play.store import Store
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import Result, acres, do, is_one_sentence, sit_at_computer
from tests.crash.scenes import LATER, draw_moments
from tests.crash.stage import Fault, Stage
from tests.crash.state import find_double_signatures

SAMPLE = 4
"""The number of lines at which the short run kills a command."""
SERVE = ("serve-robot", "--strength", "1", "--inbox", "table", "--outbox", "out", "--once")


# --- a new key


def test_killed_init_leaves_a_key_known_to_be_new(stage: Stage, tmp_path: Path) -> None:
    """Killed at any line, `init` leaves no key, or one whose library knows that it is new."""
    folder = tmp_path / "game"
    init = ("init", "--name", "Anna")
    folder.mkdir()
    moments = stage.run(*init, folder=folder, home="anna", fault=Fault(list_moments=True)).moments
    shutil.rmtree(folder)
    for moment in draw_moments(moments, SAMPLE):
        folder.mkdir()
        assert stage.run(*init, folder=folder, home="anna", fault=Fault(kill_at=moment)).was_killed
        home = folder / "anna"
        if not (home / "identity.toml").exists():
            result = stage.run(*init, folder=folder, home="anna")
            assert (result.status, result.err) == (0, "")
        key = keyfile.read(home / "identity.toml").public_key
        assert Store(home / "library.sqlite3", key).is_complete()
        shutil.rmtree(folder)


@pytest.mark.parametrize("place", ["a folder", "a file above it"])
def test_key_without_a_possible_library_is_made_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    library = tmp_path / "data" / "library.sqlite3"
    if place == "a folder":
        library.mkdir(parents=True)
    else:
        library.parent.touch()
    monkeypatch.setattr("pbem.play.home.default_library", lambda home: library)
    result = acres("init", "--name", "Anna", home=tmp_path / "anna")
    assert (result.status, result.err.count("Note: ")) == (0, 1)
    assert (tmp_path / "anna" / "identity.toml").exists()


# --- the robot


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an invitation by Anna, which the robot has taken up."""
    monkeypatch.chdir(tmp_path)
    do("init", "--name", "Anna", home=Path("anna"))
    invitation = Path("table") / "game-000.toml"
    do("new", "--side", "british", "--lists", 256, "--output", invitation, home=Path("anna"))
    do(*SERVE, home=Path("robot"))
    assert Path("out", "game-001.toml").exists()
    return Path("table")


def remove_library(*, with_answers: bool) -> None:
    Path("robot", "library.sqlite3").unlink()
    if with_answers:
        shutil.move("out", "kept")


def check_refused() -> None:
    before = set(Path().rglob("*.toml"))
    refused = acres(*SERVE, home=Path("robot"))
    assert refused.status == 2, refused
    assert is_one_sentence(refused.err), refused
    assert "does not remember what the robot signed" in refused.err
    assert "--newest" in refused.err
    assert set(Path().rglob("*.toml")) == before
    assert not find_double_signatures(Path())


@pytest.mark.parametrize("with_answers", [True, False])
def test_robot_without_its_library_answers_nothing_twice(folder: Path, with_answers: bool) -> None:
    remove_library(with_answers=with_answers)
    for _ in range(2):
        check_refused()
    # Records written by other commands do not replace the lost library.
    do("new", "--side", "any", "--output", "any.toml", home=Path("robot"))
    do("games", "add", folder, home=Path("robot"))
    check_refused()


def test_robot_on_a_second_computer_answers_nothing_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.move("out", "kept")
    sit_at_computer(monkeypatch, 2)
    for _ in range(2):
        check_refused()
    for options in (["--newest"], []):
        do(*SERVE, *options, home=Path("robot"))
    assert not find_double_signatures(folder)


def test_robot_stops_when_its_library_is_deleted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The robot ends at the next file, even if its keeper vouched for the earlier files."""
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 1:
            raise KeyboardInterrupt
        Path("robot", "library.sqlite3").unlink()
        shutil.copy(folder / "game-000.toml", folder / "again-000.toml")

    monkeypatch.setattr("time.sleep", wait)
    outcome = acres(*SERVE[:-1], "--newest", home=Path("robot"))
    assert (outcome.status, len(waits)) == (2, 1)
    assert "does not remember what the robot signed" in outcome.err
    assert not Path("out", "again-001.toml").exists()
    assert not find_double_signatures(Path())


def test_join_without_a_library_survives_a_kill(stage: Stage, tmp_path: Path) -> None:
    begin = tmp_path / "begin"
    for name in ("anna", "bela"):
        do("init", "--name", name.title(), home=begin / name)
    do("new", "--side", "any", "--output", begin / "game-000.toml", home=begin / "anna")
    (begin / "bela" / "library.sqlite3").unlink()
    invitation = SaveFile.read((begin / "game-000.toml").read_bytes()).records[0].hash
    join = ("join", "game-000.toml", "--side", "french")
    folder = tmp_path / "game"

    def run(*words: str, fault: Fault | None = None) -> Result:
        outcome = stage.run(*words, folder=folder, home="bela", fault=fault)
        return Result(outcome.status, outcome.out, outcome.err)

    shutil.copytree(begin, folder)
    fault = Fault(list_moments=True)
    moments = stage.run(*join, "--newest", folder=folder, home="bela", fault=fault).moments
    shutil.rmtree(folder)
    for moment in draw_moments(moments, SAMPLE):
        shutil.copytree(begin, folder)
        run(*join, "--newest", fault=Fault(kill_at=moment))
        library = Store(folder / "bela" / "library.sqlite3", key_of(folder / "bela"))
        was_signed = bool(library.signed_hashes(invitation))
        again = run(*join, "--output", "again.toml", fault=Fault(now=LATER))
        assert again.status == (0 if was_signed else 2), again
        assert not find_double_signatures(folder)
        shutil.rmtree(folder)


def key_of(home: Path) -> bytes:
    return keyfile.read(home / "identity.toml").public_key
