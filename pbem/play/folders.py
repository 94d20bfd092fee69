"""The folders in which files of a player's games are, or arrive.

Those that the player has named are in the settings, as `folders` in `[games]`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine.message import mark
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.config import GAMES, Config
from pbem.play.home import Home, xdg_folder
from pbem.play.store import Listed
from pbem.protocol.schema import Codec, ListOf, Visible
from pbem.savefile.disk import is_folder

MOST = 50
"""How many folders can be named; each is looked through whenever a game is."""
LONGEST = 1000
"""In characters, the path of a folder."""
_FOLDER = Visible(1, LONGEST, mark("must be the path of a folder"))
_CODECS: dict[str, Codec] = {"folders": ListOf(_FOLDER, 0, MOST)}
_DOWNLOADS = re.compile(r'^\s*XDG_DOWNLOAD_DIR="(.*)"\s*$', re.MULTILINE)


def watched(home: Home) -> list[Path]:
    """Return the folders that the player has named; raises Unreadable if the settings are wrong."""
    table = Config.read(home.config_path).table(GAMES, _CODECS, frozenset(_CODECS)) or {}
    return [Path(folder) for folder in table.get("folders", ())]


def watch(home: Home, folder: Path) -> bool:
    """Note that a folder, an absolute path, is to be watched; return False if it was before.

    Raises WrongUse if there is none, or too many are watched, or the settings cannot hold its
    path; and as `watched`.
    """
    if not is_folder(folder):
        raise WrongUse("There is no folder {folder} to watch.", folder=folder)
    try:
        _FOLDER.read(str(folder))
    except ValueError:
        # Once it was there, no command could read the settings.
        raise WrongUse(
            "The folder {folder} cannot be watched: its path is longer than {most} characters, or "
            "has an unprintable one. Give it another name.",
            folder=shown(folder),
            most=LONGEST,
        ) from None
    before = watched(home)
    if folder in before:
        return False
    if len(before) >= MOST:
        raise WrongUse("No more than {most} folders can be watched.", most=MOST)
    _set(home, [*before, folder])
    return True


def unwatch(home: Home, folder: Path) -> bool:
    """Note that a folder is no longer to be watched; return False if it was not before."""
    before = watched(home)
    if folder not in before:
        return False
    _set(home, [each for each in before if each != folder])
    return True


def _set(home: Home, folders: Iterable[Path]) -> None:
    Config.read(home.config_path).replace(GAMES, {"folders": [str(each) for each in folders]})


def places(home: Home, games: Iterable[Listed], named: Iterable[Path]) -> list[Path]:
    """Return the folders in which files of a player's games may have arrived, each once.

    These are the folder in the home, those that are `named`, and those in which the files lie of
    games that go on.
    """
    files = [
        path
        for each in games
        if not each.game.is_finished
        for path in (each.file_in, each.file_out)
        if path
    ]
    return [*dict.fromkeys([home.games.absolute(), *named, *(path.parent for path in files)])]


def downloads() -> Path | None:
    """Return the folder into which programs save on this system; None if that is unknown."""
    found = _as_set() if sys.platform not in ("win32", "darwin") else None
    folder = found or _below_home("Downloads")
    return folder if folder is not None and is_folder(folder) else None


def _as_set() -> Path | None:
    """Return the folder that the environment or the settings of the desktop name, as in XDG."""
    text = os.environ.get("XDG_DOWNLOAD_DIR", "")
    if not text:
        with suppress(OSError, RuntimeError, UnicodeDecodeError):
            settings = xdg_folder("XDG_CONFIG_HOME", ".config") / "user-dirs.dirs"
            text = (_DOWNLOADS.findall(settings.read_text(encoding="utf-8")) or [""])[-1]
    below = re.match(r"\$(?:HOME|\{HOME\})(?:/|$)", text)
    path = _below_home(text[below.end() :]) if below else Path(text)
    # A desktop without such a folder has the home itself set for it: nobody wants all of that.
    is_one = path is not None and path.is_absolute() and path != _below_home("")
    return path if is_one else None


def _below_home(name: str) -> Path | None:
    try:
        return Path.home() / name
    except RuntimeError:
        # The system may not know the user.
        return None
