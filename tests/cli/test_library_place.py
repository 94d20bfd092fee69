"""Where the library lies: among the platform's data, or with the home that was named."""

import json
import os
import stat
from pathlib import Path

import pytest

from pbem.play import home
from tests.cli.using import acres, is_one_sentence


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch, here: Path) -> Path:
    """Somebody who names no home; the folder of that user."""
    monkeypatch.delenv("ACRES_HOME")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(here))
    monkeypatch.setattr("sys.platform", "linux")
    return here


def play(*options: str) -> None:
    assert acres(*options, "init", "--name", "Anna").status == 0
    acres(*options, "new", "--side", "british", "--output", "game-000.toml").succeeds_quietly()


def libraries(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("library.sqlite3")]


def test_it_lies_among_the_data_of_the_user(user: Path) -> None:
    play()
    assert libraries(user) == [".local/share/acres/library.sqlite3"]
    assert (user / ".config/acres/identity.toml").exists()
    data = user / ".local/share/acres"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (data, data / "library.sqlite3")] == [
        0o700,
        0o600,
    ]


def test_the_user_says_where_data_lie(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(user / "data"))
    play()
    assert libraries(user) == ["data/acres/library.sqlite3"]


def test_a_relative_place_is_none(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    play()
    assert libraries(user) == [".local/share/acres/library.sqlite3"]


@pytest.mark.parametrize("settings", ["", "settings"])
def test_so_is_that_of_settings(user: Path, monkeypatch: pytest.MonkeyPatch, settings: str) -> None:
    """The private key would lie in whatever folder the command is run in."""
    monkeypatch.setenv("XDG_CONFIG_HOME", settings)
    play()
    assert (user / ".config/acres/identity.toml").exists()
    assert not {"acres", "settings"} & {path.name for path in user.iterdir()}


def test_of_a_user_without_an_entry(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that is run with the number of some user."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", nobody)
    assert acres("--version").status == 0
    assert "--home DIR" in acres("--help").out
    refused = acres("init", "--name", "Anna")
    assert (refused.status, refused.out, is_one_sentence(refused.err)) == (2, "", True)
    assert "--home" in refused.err
    play("--home", "anna")
    assert libraries(user) == ["anna/library.sqlite3"]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user / "settings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(user / "data"))
    assert acres("init", "--name", "Anna").status == 0
    assert (user / "settings/acres/identity.toml").exists()


def test_a_named_home_keeps_it(user: Path) -> None:
    play("--home", "anna")
    assert libraries(user) == ["anna/library.sqlite3"]


def test_where_it_was_begun_beside_the_identity_it_stays(user: Path) -> None:
    """Two libraries would each know half of what was signed."""
    beside = user / ".config/acres/library.sqlite3"
    beside.parent.mkdir(parents=True)
    beside.touch()
    play()
    assert libraries(user) == [".config/acres/library.sqlite3"]
    assert beside.stat().st_size


@pytest.mark.parametrize("spelt", [".config/acres/", "./.config/x/../acres", "link", None])
def test_a_home_by_any_name(user: Path, monkeypatch: pytest.MonkeyPatch, spelt: str | None) -> None:
    """Two libraries would each know half of what was signed."""
    play()
    (user / ".config/x").mkdir()
    (user / "link").symlink_to(user / ".config/acres")
    if spelt is None:
        monkeypatch.chdir(user / ".config/acres")
    listed = acres("--home", spelt or ".", "games", "--json")
    assert [facts["game"] for facts in json.loads(listed.out)]
    acres(
        "--home", spelt or ".", "new", "--side", "british", "--output", "b.toml"
    ).succeeds_quietly()
    assert libraries(user) == [".local/share/acres/library.sqlite3"]


@pytest.mark.skipif(os.name == "nt", reason="paths of another system")
@pytest.mark.parametrize(
    ("platform", "place"),
    [("darwin", "Library/Application Support/acres"), ("win32", "local/acres")],
)
def test_other_platforms_have_other_places(
    user: Path, monkeypatch: pytest.MonkeyPatch, platform: str, place: str
) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(user / "local"))
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(home, "usual_home", lambda: user / "settings" / "acres")
    assert home.usual_library(user / "settings" / "acres") == user / place / "library.sqlite3"
    assert home.usual_library(Path("named")) == Path("named/library.sqlite3")
