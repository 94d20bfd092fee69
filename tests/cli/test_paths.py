"""Paths are read as a shell reads them: `~`, `-`, and folders."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import PIPE, CompletedProcess, run
from typing import IO

import pytest

from pbem.cli.main import main
from pbem.errors import InputError
from pbem.play.config import Config
from pbem.play.game_list import watched_folders
from pbem.play.home import Home, default_home
from tests.cli.commands import do
from tests.cli.processes import environment


def run_acres(*words: str, stdout: IO[bytes] | int = PIPE) -> CompletedProcess[bytes]:
    command = [sys.executable, "-m", "pbem.cli", *words]
    return run(command, stdout=stdout, stderr=PIPE, check=False, env=environment())


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder; the current folder is another one."""
    folder = tmp_path / "user"
    for name in ("user", "now"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "now")
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "ACRES_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def test_tilde_is_read_behind_an_equals_sign_and_in_variables(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--home=~/anna", "init", "--name", "Anna"]) == 0
    monkeypatch.setenv("ACRES_HOME", "~/anna")
    assert main(["new", "--side", "any", "--output=~/new.toml"]) == 0
    assert {path.name for path in user.iterdir()} == {"anna", "new.toml"}
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("value", ["", "rel", "./rel"])
def test_relative_folder_of_the_user_is_ignored(
    user: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("HOME", value)
    main(["--version"])
    home = default_home()
    assert home is not None and home.is_absolute() and home.parent != Path("/")


@pytest.fixture
def game(user: Path) -> Path:
    for name in ("anna", "bela"):
        do("init", "--name", name, home=user / name)
    do("new", "--side", "british", "--output", "game-000.toml", home=user / "anna")
    do("join", "game-000.toml", home=user / "bela")
    return Path("game-001.toml")


COMMANDS = [
    ("anna", ["new", "--side", "any", "--output"], "acres-*.toml"),
    ("bela", ["join", "game-000.toml", "--output"], "game-001.toml"),
    ("anna", ["turn", "apply", "game-001.toml", "pass", "--output"], "game-002.toml"),
    ("anna", ["turn", "resign", "game-001.toml", "--yes", "--output"], "game-002.toml"),
    ("anna", ["mail", "draft", "game-000.toml", "--output"], "game-000.eml"),
    ("anna", ["key", "backup", "--unsealed", "--output"], "acres-recovery.txt"),
    ("anna", ["board", "game-001.toml", "--page"], "game-001.html"),
    ("anna", ["board", "game-001.toml", "--svg"], "game-001.svg"),
    ("anna", ["board", "game-001.toml", "--png"], "game-001.png"),
]
BEGINNINGS = {
    ".toml": b"format",
    ".eml": b"Subject",
    ".html": b"<!",
    ".svg": b"<svg",
    ".png": b"\x89",
}


@pytest.mark.parametrize(("player", "command", "name"), COMMANDS)
def test_output_is_a_folder_or_the_standard_output(
    user: Path, game: Path, player: str, command: list[str], name: str
) -> None:
    home = ["--home", str(user / player)]
    before = set(Path().iterdir())
    printed = run_acres(*home, *command, "-")
    assert printed.returncode == 0, printed.stderr
    assert set(Path().iterdir()) == before and b"acres-printed" not in printed.stderr
    beginning = BEGINNINGS.get(Path(name).suffix, b"")
    assert printed.stdout.lstrip().startswith(beginning)
    library = run_acres(*home, "games")
    assert b" no longer in " not in library.stdout
    with Path("/dev/full").open("wb") as full:
        unprinted = run_acres(*home, *command, "-", stdout=full)
    assert unprinted.returncode == 2 and unprinted.stderr.count(b"cannot be written") == 1
    assert unprinted.stderr.endswith(b"Nothing was written.\n")
    assert not re.search(rb"\b(is written|Written):|acres-printed", unprinted.stderr)
    missing = run_acres(*home, *command, "missing/")
    assert missing.returncode == 2 and b"missing/ cannot be written" in missing.stderr
    Path("out").mkdir()
    assert run_acres(*home, *command, "out/").returncode == 0
    (file,) = Path("out").glob(name)
    if name.startswith("game") and file.suffix != ".eml":
        assert file.read_bytes()[:20] == printed.stdout[:20]
    assert set(Path().iterdir()) == {*before, Path("out")}


@pytest.mark.parametrize(
    ("text", "is_good"),
    [
        (r'["C:\Users\anna\Downloads"]', False),
        (r'["C:\temp\new"]', False),
        (r'["\\server\share"]', False),
        (r'["Users\anna"]', False),
        ('[\n  "/a",\n  "D:\\dl",\n]', False),
        (r"['C:\Users\anna']  # not \"C:\Users\"", True),
        (r"""["C:/a", 'D:\games']""", True),
        (r'["C:\\Users\\anna", "C:/temp", "\\\\server\\share", "\u00e9"]', True),
    ],
)
def test_backslash_in_settings_is_explained(tmp_path: Path, text: str, is_good: bool) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"[games]\nfolders = {text}\n", encoding="utf-8")
    if is_good:
        Config.read(path)
        return
    with pytest.raises(InputError, match=r"config\.toml, line \d: a backslash"):
        Config.read(path)


def test_tilde_in_settings_is_the_user(user: Path) -> None:
    home = Home(user / "anna")
    home.folder.mkdir()
    home.config_path.write_text('[games]\nfolders = ["~/dl", "~nobody77/dl"]\n')
    assert watched_folders(home) == [user / "dl", Path("~nobody77/dl")]
