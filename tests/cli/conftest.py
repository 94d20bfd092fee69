import shutil
from pathlib import Path

import pytest

from pbem.play import keyfile, recovery
from pbem.play.keyfile import Cost
from tests.cli.commands import acres, play_practice_files

LAST = 17
"""The number of the last file of the quiet game, which the British answer."""

PRACTICE_FILES = 30
"""The number of files of the practice game."""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep tests out of the home of the user who runs them."""
    monkeypatch.delenv("ACRES_PASSPHRASE", raising=False)
    monkeypatch.setenv("ACRES_HOME", str(tmp_path / "no-home"))


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the cost of passphrases in this process to the allowed minimum."""
    for module in (keyfile, recovery):
        monkeypatch.setattr(module, "DEFAULT_COST", Cost(2**14, 1, 1))


@pytest.fixture(scope="session")
def quiet_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game in which both players only pass; do not write into it."""
    folder = tmp_path_factory.mktemp("quiet")

    def do(*arguments: Path | int | str, home: str) -> None:
        acres(*arguments, home=folder / home).succeeds()

    for name, home in (("Anna", "british"), ("Émile", "french")):
        do("init", "--name", name, "--email", f"{home}@example.org", home=home)
    files = [folder / f"game-{number:03}.toml" for number in range(LAST + 1)]
    do("new", "--side", "british", "--lists", 16, "--output", files[0], home="british")
    do("join", files[0], home="french")
    for number in range(1, LAST):
        passes = ["pass"] if number < 3 else ["pass", "pass"]
        do("turn", "apply", files[number], *passes, home=["french", "british"][number % 2])
    return folder


@pytest.fixture
def game(quiet_game: Path, tmp_path: Path) -> Path:
    """The folder of a copy of the quiet game."""
    return shutil.copytree(quiet_game, tmp_path / "game")


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the homes and first files of a lively practice game; do not write into it."""
    folder = tmp_path_factory.mktemp("practice")
    play_practice_files(folder, PRACTICE_FILES)
    return folder


@pytest.fixture
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def in_game_folder(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in the folder of the quiet game."""
    monkeypatch.chdir(game)
