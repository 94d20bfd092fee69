"""FILE may be omitted, or be a number or an opponent; the newest file is found."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import FILE, PASSES, acres, do

pytestmark = pytest.mark.usefixtures("in_game_folder")

BRITISH = Path("british")


@pytest.fixture(autouse=True)
def known_files(game: Path) -> None:
    """Let the library know the files of this folder instead of the originals."""
    with closing(sqlite3.connect(game / BRITISH / "library.sqlite3")) as library, library:
        files = os.fsencode(game / "game-015.toml"), os.fsencode(game / "game-016.toml")
        library.execute("UPDATE games SET file_in = ?, file_out = ?", files)


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of downloads."""
    folder = tmp_path / "my downloads"
    folder.mkdir()
    monkeypatch.setenv("XDG_DOWNLOAD_DIR", str(folder))
    return folder


def facts(*words: object) -> Any:
    return json.loads(do(*words, "--json", home=BRITISH).out)


def test_file_beside_the_last_one_is_found(game: Path) -> None:
    assert facts("games")[0]["waits_for"] == "you"
    assert facts("turn", "show")["record"]["index"] == 17


def test_every_command_runs_without_a_file(game: Path) -> None:
    for command in (["log"], ["audit"], ["turn", "show"], ["turn", "legal"]):
        whole = do(*command, game / FILE, home=BRITISH).out
        assert do(*command, home=BRITISH).out == whole
    assert do("turn", "apply", *PASSES, home=BRITISH).status == 0
    assert (game / "game-018.toml").exists()
    assert do("mail", "draft", home=BRITISH).status == 0
    assert (game / "game-018.eml").exists()
    acres("board", "--svg", "drawn.svg", home=BRITISH).succeeds_quietly()


def invite(name: str, file: Path, home: Path | str = "") -> None:
    """Write an invitation by a player of that name."""
    do("init", "--name", name, home=home or name)
    do("new", "--side", "french", "--lists", 1, "--output", file, home=home or name)


@pytest.fixture
def zoe(tmp_path: Path) -> Path:
    """The home and folder of Zoé, whose game is listed second and waits for her."""
    zoe = tmp_path / "zoe"
    zoe.mkdir()
    invite("Zoé", zoe / "z-000.toml", zoe)
    do("join", zoe / "z-000.toml", "--output", zoe / "z-001.toml", home=BRITISH)
    return zoe


def opponents() -> list[str]:
    return [game["opponent"] for game in facts("games")]


def test_dry_run_names_the_game_and_resigning_needs_a_file(game: Path, zoe: Path) -> None:
    output = do("turn", "apply", *PASSES, "--dry-run", home=BRITISH).out
    assert "against Émile" in output.splitlines()[0]
    for words in ([], ["1"], ["Émile"]):
        acres("turn", "resign", *words, "--yes", home=BRITISH).fails()
    assert facts("games")[0]["waits_for"] == "you"


def test_message_is_for_the_game_that_waits_for_the_opponent(game: Path, zoe: Path) -> None:
    # The game with Zoé waits for her, and the other game for the player.
    assert do("mail", "draft", home=BRITISH).status == 0
    assert (zoe / "z-001.eml").exists()
    do("turn", "apply", "1", *PASSES, home=BRITISH)
    acres("mail", "draft", home=BRITISH).fails()
    do("mail", "draft", "émile", home=BRITISH)
    assert (game / "game-018.eml").exists()


# --- folders


@pytest.mark.parametrize("name", ["a\ttab", "\udcff", "/".join(["n" * 200] * 5)])
def test_folder_that_the_settings_cannot_hold_is_refused(game: Path, name: str) -> None:
    folder = game / name
    folder.mkdir(parents=True)
    assert "\t" not in acres("games", "folders", "add", folder, home=BRITISH).fails().err
    assert facts("games", "folders")["watched"] == []


def test_moved_newest_file_is_found(game: Path, downloads: Path) -> None:
    do("turn", "show", FILE, home=BRITISH)
    do("games", "folders", "add", downloads, home=BRITISH)
    shutil.move(FILE, downloads / "elsewhere.toml")
    assert facts("turn", "show")["record"]["index"] == 17
    # A file that was there before the other was moved is already known.
    shutil.copy(downloads / "elsewhere.toml", downloads / "copy.toml")
    assert facts("games")[0]["file_in"] == str(downloads / "elsewhere.toml")
    (downloads / "elsewhere.toml").unlink()
    assert facts("turn", "show")["record"]["index"] == 17
    assert facts("games")[0]["file_in"] == str(downloads / "copy.toml")
    (downloads / "copy.toml").unlink()
    assert do("turn", "show", home=BRITISH).err


def test_invitation_in_a_watched_folder_is_listed(downloads: Path) -> None:
    do("games", "folders", "add", downloads, home=BRITISH)
    invite("Zoé", downloads / "from zoe.toml")
    for _ in range(2):
        assert f"join '{downloads / 'from zoe.toml'}'" in do("games", home=BRITISH).out
    assert "An invitation from Zoé" in do("turn", "show", "zoé", home=BRITISH).out
    do("init", "--name", "Ada", home="ada")
    do("games", "folders", "add", downloads, home="ada")
    for word in (["1"], []):
        assert "An invitation from Zoé" in do("turn", "show", *word, home="ada").out
    # Another player has accepted it.
    do("init", "--name", "Ida", home="ida")
    do("join", downloads / "from zoe.toml", home="ida")
    assert "Zoé" not in do("games", home=BRITISH).out


# --- older files


def test_older_file_names_the_newest_file(game: Path) -> None:
    do("turn", "apply", FILE, *PASSES, home=BRITISH)
    newest = game / "game-018.toml"
    for name in ("game-015.toml", FILE):
        output = do("turn", "show", name, home=BRITISH).out
        assert f"acres --home british turn show {newest}" in output
        # The game now waits for the opponent.
        assert not re.search("It is your move|writes next|To answer", output)
    assert "not the newest" not in do("turn", "show", newest, home=BRITISH).out
    data = do("turn", "show", FILE, "--json", home=BRITISH)
    assert json.loads(data.out) and str(newest) in data.err
    assert "not the newest" not in do("turn", "show", FILE, "--record", 15, home=BRITISH).out
    refused = acres("turn", "apply", "game-015.toml", *PASSES, home=BRITISH).fails()
    assert str(newest) in refused.err
    newest.unlink()
    acres("turn", "apply", "game-015.toml", *PASSES, home=BRITISH).fails()


def test_file_that_contradicts_the_newest_is_reported(game: Path) -> None:
    shutil.copytree("french", "twin")
    do(
        "turn", "apply", "game-016.toml", "draft Coureurs de Bois", "pass", "--replace",
        "--output", "other.toml", home="twin",
    )  # fmt: skip
    do("turn", "apply", FILE, *PASSES, home=BRITISH)
    output = do("turn", "show", "other.toml", home=BRITISH).out
    assert f"audit {game / 'game-018.toml'} other.toml" in output
    refused = acres("turn", "apply", "other.toml", *PASSES, home=BRITISH).fails()
    assert str(game / "game-018.toml") in refused.err


def test_forgotten_game_is_found_after_reading_an_old_file(game: Path, downloads: Path) -> None:
    do("turn", "apply", FILE, *PASSES, home=BRITISH)
    do("games", home=BRITISH)
    do("games", "forget", "1", home=BRITISH)
    do("turn", "show", "game-015.toml", home=BRITISH)
    acres("turn", "apply", "game-015.toml", "draft Rangers", "pass", home=BRITISH).fails()
    # The newest file is found by scanning its folder again.
    assert facts("turn", "show")["record"]["index"] == 18


def test_only_invitation_is_accepted_without_its_name(downloads: Path) -> None:
    acres("join", home=BRITISH).fails()
    do("games", "folders", "add", downloads, home=BRITISH)
    for name in ("Ada", "Ida"):
        invite(name, downloads / f"{name}.toml")
        if name == "Ada":
            assert "Ada invites you" in do("join", "--side", "british", home=BRITISH).out
    assert "Ida invites you" in do("join", home=BRITISH).out
    for name in ("Ute", "Eva"):
        invite(name, downloads / f"{name}.toml")
    refused = acres("join", home=BRITISH).fails()
    assert "Ute" in refused.err and "Eva" in refused.err
    assert "Eva invites you" in do("join", "eva", home=BRITISH).out


def test_answer_beside_the_players_file_is_named(game: Path) -> None:
    """The library knows only the player's own file, and not the answer."""
    own = game / "game-016.toml"
    answer = (game / FILE).read_bytes()
    (game / FILE).unlink()
    assert "Send this file" in do("turn", "show", own, home=BRITISH).out
    (game / FILE).write_bytes(answer)
    newest = f"turn show {game / FILE}"
    output = do("turn", "show", own, home=BRITISH).out.replace("'", "")
    assert newest in output
    assert "Send this file" not in output
    for words in (["apply", own, *PASSES], ["legal", own], ["resign", own, "--yes"]):
        assert newest in acres("turn", *words, home=BRITISH).fails().err.replace("'", "")
