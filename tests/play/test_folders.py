"""The downloads folder of the system, and the watched folders in the settings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.errors import InputError, UsageError
from pbem.play.game_list import MAX_FOLDERS, downloads_folder, unwatch, watch, watched_folders
from pbem.play.home import Home

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="other systems have one place for downloads"
)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a user without settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DOWNLOAD_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def settings(user: Path, line: str) -> None:
    (user / ".config").mkdir()
    (user / ".config" / "user-dirs.dirs").write_text(f"# as the desktop writes it\n{line}\n")


def test_existing_default_folder_is_used(user: Path) -> None:
    assert downloads_folder() is None
    (user / "Downloads").mkdir()
    assert downloads_folder() == user / "Downloads"


@pytest.mark.parametrize("setting", ["$HOME/Загрузки", "${HOME}/Загрузки", "{user}/Загрузки"])
def test_desktop_names_the_downloads_folder(user: Path, setting: str) -> None:
    for name in ("Downloads", "Загрузки"):
        (user / name).mkdir()
    settings(user, f'XDG_DOWNLOAD_DIR="{setting.replace("{user}", str(user))}"')
    assert downloads_folder() == user / "Загрузки"


@pytest.mark.parametrize("setting", ["$HOME", "$HOME/", "downloads", ""])
def test_home_is_not_used_as_the_downloads_folder(user: Path, setting: str) -> None:
    settings(user, f'XDG_DOWNLOAD_DIR="{setting}"')
    assert downloads_folder() is None


def test_environment_overrides_other_folder_settings(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (user / "mine").mkdir()
    settings(user, 'XDG_DOWNLOAD_DIR="$HOME/other"')
    monkeypatch.setenv("XDG_DOWNLOAD_DIR", str(user / "mine"))
    assert downloads_folder() == user / "mine"


def test_settings_of_mail_stay_beside_those_of_folders(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.config_path.write_text('lang = "fr"\n[mail]\naddress = "anna@example.org"\n')
    folder = tmp_path / "mail"
    folder.mkdir()
    assert watch(home, folder)
    assert not watch(home, folder)
    assert watched_folders(home) == [folder]
    assert 'address = "anna@example.org"' in home.config_path.read_text()
    assert unwatch(home, folder)
    assert not unwatch(home, folder)
    assert watched_folders(home) == []


def test_malformed_folder_settings_are_refused(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.config_path.write_text("[games]\nfolders = 7\n")
    with pytest.raises(InputError, match=r"\[games\]"):
        watched_folders(home)


def test_number_of_watched_folders_is_limited(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    for number in range(MAX_FOLDERS):
        (tmp_path / str(number)).mkdir()
        assert watch(home, tmp_path / str(number))
    with pytest.raises(UsageError):
        watch(home, home.folder)
