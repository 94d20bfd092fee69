"""`acres games` lists the games and their next players, and can be rebuilt from files."""

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pbem.play.home import Home
from pbem.play.robot import folder_of_robot
from tests.cli.commands import (
    FILE,
    OTHER_ORDERS,
    PASSES,
    acres,
    apply,
    do,
    make_library_read_only,
    open_pipe,
    snapshot,
)

pytestmark = pytest.mark.usefixtures("in_game_folder")

BRITISH = Path("british")


def output_of(*words: Path | int | str, home: Path = BRITISH) -> str:
    result = acres("games", *words, home=home).succeeds_quietly()
    return " ".join(result.out.split())


def list_games(home: Path = BRITISH) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(acres("games", "--json", home=home).out)
    return games


# --- the list


def test_every_command_that_reads_a_file_updates_the_list(game: Path) -> None:
    for command in (["turn", "show"], ["turn", "legal"], ["log"]):
        assert acres("games", "forget", list_games()[0]["game"][:8], home=BRITISH).status == 0
        assert list_games() == []
        assert acres(*command, FILE, home=BRITISH).status == 0
        (facts,) = list_games()
        assert facts["file_in"] == str(game / FILE)
        assert (facts["records"], facts["waits_for"], facts["opponent"]) == (18, "you", "Émile")


def test_spectator_lists_no_game_of_others(game: Path) -> None:
    acres("init", "--name", "Zoé", home="zoe")
    acres("new", "--side", "any", "--output", "zoe.toml", home="zoe")
    assert acres("turn", "show", FILE, home="zoe").status == 0
    assert [facts["opponent"] for facts in list_games(Path("zoe"))] == [None]


# --- the pace


def test_ambiguous_game_is_refused(game: Path) -> None:
    acres("new", "--side", "any", "--output", "other.toml", home=BRITISH)
    one, other = (facts["game"] for facts in list_games())
    common = next(n for n in range(65) if one[:n] != other[:n]) - 1
    # Up to three digits are a number in the list.
    if common >= 4:
        acres("games", "forget", one[:common], home=BRITISH).fails()
    assert acres("games", "forget", one[: max(common + 1, 4)], home=BRITISH).status == 0
    assert [facts["game"] for facts in list_games()] == [other]


# --- lost libraries


def test_lost_library_is_rebuilt_from_files(game: Path, tmp_path: Path) -> None:
    signed = snapshot(BRITISH)[BRITISH / "library.sqlite3"]
    before = list_games()
    (BRITISH / "library.sqlite3").unlink()
    assert list_games() == []
    (tmp_path / "mail").mkdir()
    shutil.move("game-003.toml", tmp_path / "mail")
    assert "Found 1 game of yours in 18 files." in output_of("add", ".", tmp_path / "mail")
    assert snapshot(BRITISH)[BRITISH / "library.sqlite3"] == signed
    (after,) = list_games()
    assert after["file_in"] == str(game / FILE)
    assert after["file_out"] == str(game / "game-016.toml")
    assert (after["records"], after["game"]) == (18, before[0]["game"])
    # The library recognises older files again.
    apply(*OTHER_ORDERS, "--output", "x.toml", file="game-015.toml").fails()
    apply(*PASSES, "--newest").succeeds_quietly()


def test_added_file_restores_its_own_records(game: Path) -> None:
    (BRITISH / "library.sqlite3").unlink()
    output_of("add", "game-005.toml")
    assert apply(*OTHER_ORDERS, "--output", "x.toml", file="game-003.toml").status == 2
    assert apply(*PASSES, "--newest").status == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_add_does_not_wait_for_a_pipe_in_a_folder(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    with open_pipe(folder / "game.toml", Path(FILE).read_bytes()):
        assert "Found 0 games of yours in 0 files." in output_of("add", folder)


def test_second_record_of_one_index_is_reported(game: Path) -> None:
    assert apply(*PASSES).status == 0
    assert apply(*OTHER_ORDERS, "--replace", "--output", "other.toml").status == 0
    (BRITISH / "library.sqlite3").unlink()
    assert do("games", "add", "game-018.toml", "other.toml", home=BRITISH).err
    with sqlite3.connect(BRITISH / "library.sqlite3") as database:
        places = [
            row[0] for row in database.execute('SELECT "index" FROM records WHERE NOT counts')
        ]
    assert places == [18]


# --- unusable libraries


def test_reading_commands_neither_create_nor_write_a_library(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as read_only:
        make_library_read_only(read_only)
        acres("turn", "show", FILE, home=BRITISH).succeeds_quietly()
    (BRITISH / "library.sqlite3").unlink()
    for command in (["turn", "show"], ["turn", "legal"], ["log"]):
        acres(*command, FILE, home=BRITISH).succeeds_quietly()
        assert not (BRITISH / "library.sqlite3").exists()


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_reading_command_does_not_wait_for_a_locked_library(
    game: Path, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    monkeypatch.setattr("pbem.play.store.NOTING_SECONDS", 0.01)
    monkeypatch.setattr("pbem.play.store.BUSY_SECONDS", 0.01)
    other = sqlite3.connect(BRITISH / "library.sqlite3", isolation_level=None)
    other.execute(f"BEGIN {lock}")
    result = acres("turn", "show", FILE, home=BRITISH)
    other.close()
    assert (result.status, result.err) == (0, "")


# --- known records


def change_time(data: bytes, number: int) -> bytes:
    """Return the file with the time of one record changed by a second."""
    parts = data.split(b"[[record]]")
    line = next(line for line in parts[number + 1].split(b"\n") if line.startswith(b"time = "))
    digit = line[-3:-2]
    other = line[:-3] + (b"1" if digit != b"1" else b"2") + line[-2:]
    parts[number + 1] = parts[number + 1].replace(line, other)
    return b"[[record]]".join(parts)


def test_changed_file_is_refused_alike_with_and_without_a_library(game: Path) -> None:
    assert acres("turn", "show", FILE, home=BRITISH).status == 0
    data = Path(FILE).read_bytes()
    shutil.copytree(BRITISH, "fresh")
    Path("fresh/library.sqlite3").unlink()
    for number in range(0, 18, 3):
        Path("changed.toml").write_bytes(change_time(data, number))
        known = acres("turn", "show", "changed.toml", home=BRITISH)
        unknown = acres("turn", "show", "changed.toml", home="fresh")
        assert known.status == unknown.status == 1
        assert known.err == unknown.err
        assert f"Record {number}" in known.err or f"Record {number + 1}" in known.err


def test_file_is_not_verified_twice(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert acres("turn", "show", FILE, home=BRITISH).status == 0

    for name in ("match.check_signature", "deck.verify_opening"):
        monkeypatch.setattr(f"pbem.protocol.{name}", lambda *_: pytest.fail("verified again"))
    assert acres("turn", "show", FILE, home=BRITISH).status == 0


def test_games_against_the_robot_do_not_count(game: Path) -> None:
    home = game / "british"
    assert json.loads(do("stats", "--json", home=home).out)["in_all"]["going_on"] == 1
    folder = folder_of_robot(Home(home))
    folder.mkdir(parents=True)
    for path in sorted(game.glob("game-*.toml")):
        path.rename(folder / path.name)
    do("games", "add", folder, home=home)
    assert json.loads(do("stats", "--json", home=home).out)["in_all"]["going_on"] == 0
    assert "No game is listed" not in do("stats", home=home).out
