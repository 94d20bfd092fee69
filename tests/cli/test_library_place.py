"""The place of the library: the platform's data folder, or a named home."""

import json
import os
import stat
from pathlib import Path

import pytest

from pbem.play import home
from tests.cli.commands import acres


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch, cwd: Path) -> Path:
    """The folder of a user without a named home."""
    monkeypatch.delenv("ACRES_HOME")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(cwd))
    monkeypatch.setattr("sys.platform", "linux")
    return cwd


def play(*options: str) -> None:
    assert acres(*options, "init", "--name", "Anna").status == 0
    acres(*options, "new", "--side", "british", "--output", "game-000.toml").succeeds_quietly()


def libraries(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("library.sqlite3")]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (None, ".local/share/acres"),
        ("{user}/data", "data/acres"),
        # A relative path is ignored.
        ("data", ".local/share/acres"),
    ],
)
def test_library_is_private_in_the_data_folder_of_the_user(
    user: Path, monkeypatch: pytest.MonkeyPatch, data: str | None, place: str
) -> None:
    if data is not None:
        monkeypatch.setenv("XDG_DATA_HOME", data.format(user=user))
    play()
    assert libraries(user) == [f"{place}/library.sqlite3"]
    assert (user / ".config/acres/identity.toml").exists()
    paths = (user / place, user / place / "library.sqlite3")
    assert [stat.S_IMODE(path.stat().st_mode) for path in paths] == [0o700, 0o600]


@pytest.mark.parametrize("settings", ["", "settings"])
def test_relative_folder_of_settings_is_ignored(
    user: Path, monkeypatch: pytest.MonkeyPatch, settings: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", settings)
    play()
    assert (user / ".config/acres/identity.toml").exists()
    assert not {"acres", "settings"} & {path.name for path in user.iterdir()}


def test_user_without_an_entry_names_a_home(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Containers may run with a user number that has no entry.

    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", fail)
    assert acres("--version").status == 0
    assert "--home" in acres("init", "--name", "Anna").fails().err
    play("--home", "anna")
    assert libraries(user) == ["anna/library.sqlite3"]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user / "settings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(user / "data"))
    assert acres("init", "--name", "Anna").status == 0
    assert (user / "settings/acres/identity.toml").exists()


def test_library_beside_the_identity_stays_there(user: Path) -> None:
    beside = user / ".config/acres/library.sqlite3"
    beside.parent.mkdir(parents=True)
    beside.touch()
    play()
    assert libraries(user) == [".config/acres/library.sqlite3"]
    assert beside.stat().st_size


@pytest.mark.parametrize("path", [".config/acres/", "./.config/x/../acres", "link", None])
def test_home_has_one_library_under_every_spelling_of_its_path(
    user: Path, monkeypatch: pytest.MonkeyPatch, path: str | None
) -> None:
    play()
    (user / ".config/x").mkdir()
    (user / "link").symlink_to(user / ".config/acres")
    if path is None:
        monkeypatch.chdir(user / ".config/acres")
    result = acres("--home", path or ".", "games", "--json")
    assert [facts["game"] for facts in json.loads(result.out)]
    acres(
        "--home", path or ".", "new", "--side", "british", "--output", "b.toml"
    ).succeeds_quietly()
    assert libraries(user) == [".local/share/acres/library.sqlite3"]


@pytest.mark.skipif(os.name == "nt", reason="paths of another system")
@pytest.mark.parametrize(
    ("platform", "place"),
    [("darwin", "Library/Application Support/acres"), ("win32", "local/acres")],
)
def test_library_place_depends_on_the_platform(
    user: Path, monkeypatch: pytest.MonkeyPatch, platform: str, place: str
) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(user / "local"))
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(home, "default_home", lambda: user / "settings" / "acres")
    assert home.default_library(user / "settings" / "acres") == user / place / "library.sqlite3"
    assert home.default_library(Path("named")) == Path("named/library.sqlite3")
