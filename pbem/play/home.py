"""A player's home: the folder with the identity and the settings, and the path of the store."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pbem.errors import UsageError, exists
from pbem.sources import now

HOME_VARIABLE = "ACRES_HOME"
"""The environment variable with the path of the home."""
LIBRARY = "library.sqlite3"
"""The name of the file of a store."""
_CACHE = "club-verdicts.sqlite3"


class Home:
    """The home in `folder`, by default the user's own.

    Raises UsageError if there is neither. `games` is the folder for games without another folder.
    `library_path` overrides the path of the store; `clock` returns the time in UTC, as in
    records.

    >>> home = Home(Path("anna"))
    >>> home.identity_path.as_posix(), home.library_path.as_posix(), home.has_identity
    ('anna/identity.toml', 'anna/library.sqlite3', False)
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        library_path: Path | None = None,
        clock: Callable[[], str] = now,
    ) -> None:
        home = folder or default_home()
        if home is None:
            raise UsageError("Your system does not know who you are.")
        self.folder = home
        self.identity_path = self.folder / "identity.toml"
        self.config_path = self.folder / "config.toml"
        self.games = self.folder / "games"
        self.library_path = library_path or default_library(self.folder)
        self.clock = clock

    @property
    def has_identity(self) -> bool:
        """True if there is an identity. Raises UsageError if the folder cannot be read."""
        return exists(self.identity_path)

    @property
    def own_key(self) -> bytes | None:
        """The public key in the identity file, not verified."""
        # Imported lazily: few commands need it.
        from pbem.play.keyfile import public_key_in

        return public_key_in(self.identity_path)

    @property
    def has_played(self) -> bool:
        """True if a record was, or may have been, signed with this home."""
        if not exists(self.library_path):
            return False
        # Imported lazily: few commands need it.
        from pbem.play.store import Store

        with Store(self.library_path, b"") as store:
            return not store.is_blank()


def default_home() -> Path | None:
    """Return the default home folder; None if the system does not know the user."""
    with suppress(RuntimeError):
        return _folder("APPDATA", "", "XDG_CONFIG_HOME", ".config")
    return None


def default_library(home: Path) -> Path:
    """Return the path of the store of a home, next to the identity.

    The store of the default home, however its path is written, is in the platform's folder for
    program data unless there is one next to the identity.
    """
    adjacent = home / LIBRARY
    usual = default_home()
    is_usual = usual is not None and os.path.realpath(home) == os.path.realpath(usual)
    if not is_usual or os.path.exists(adjacent):  # noqa: PTH110 - which may raise
        return adjacent
    return _folder("LOCALAPPDATA", "AppData/Local", "XDG_DATA_HOME", ".local/share") / LIBRARY


def default_cache(home: Path) -> Path:
    """Return the path of the cache of a club's verdicts: for caches of the user, or in `home`."""
    if home != default_home():
        return home / _CACHE
    return _folder("LOCALAPPDATA", "AppData/Local", "XDG_CACHE_HOME", ".cache") / _CACHE


def _folder(on_windows: str, usual_there: str, variable: str, usual: str) -> Path:
    """Return a folder of this program, for Windows or other systems.

    An environment variable may name its parent; the default is in the user's folder. Raises
    RuntimeError if the system does not know the user.
    """
    if sys.platform == "win32":
        named = os.environ.get(on_windows)
        parent = Path(named) if named else Path.home() / usual_there
    elif sys.platform == "darwin":
        parent = Path.home() / "Library" / "Application Support"
    else:
        parent = xdg_folder(variable, usual)
    return parent / "acres"


def expand(path: str | Path) -> Path:
    """Return a path in which `~`, as in a shell, is the folder of a user whom the system knows.

    >>> expand("~nobody-knows/games").as_posix()
    '~nobody-knows/games'
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def xdg_folder(variable: str, usual: str) -> Path:
    """Return the folder that a variable names, or else the default in the user's folder.

    A relative path is ignored, as the XDG Base Directory Specification requires. Raises
    RuntimeError if the system does not know the user.
    """
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else Path.home() / usual
