"""The list of a player's games, and the watched folders.

The functions sort games, and find games by a word and their newest files. Folders that the player
has named are in the settings, as `folders` in `[games]`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.message import mark, sort_key
from pbem.errors import InputError, UsageError
from pbem.foreign import display_path
from pbem.play.config import GAMES, Config
from pbem.play.home import Home, expand, xdg_folder
from pbem.play.store import GameEntry
from pbem.play.store.entries import (
    JOIN,
    NOBODY,
    YOU,
    KnownPlayer,
    are_addresses_alike,
    are_names_alike,
    waiting_since,
)
from pbem.protocol.record import Record
from pbem.protocol.schema import Codec, ListOf, Visible
from pbem.savefile.disk import as_utf8, is_folder, path_exists, read_file
from pbem.savefile.save_file import SaveFile

# --- folders


MAX_FOLDERS = 50
"""The maximum number of watched folders: each is scanned whenever a game is opened."""
MAX_PATH_LENGTH = 1000
"""The maximum length of the path of a folder, in characters."""
_FOLDER = Visible(1, MAX_PATH_LENGTH, mark("must be the path of a folder"))
_CODECS: dict[str, Codec] = {"folders": ListOf(_FOLDER, 0, MAX_FOLDERS)}
_DOWNLOADS = re.compile(r'^\s*XDG_DOWNLOAD_DIR="(.*)"\s*$', re.MULTILINE)


def watched_folders(home: Home) -> list[Path]:
    """Return the folders that the player has named. Raises InputError for wrong settings."""
    table = Config.read(home.config_path).table(GAMES, _CODECS, frozenset(_CODECS)) or {}
    return [expand(folder) for folder in table.get("folders", ())]


def watch(home: Home, folder: Path) -> bool:
    """Add a folder, an absolute path, to the watched ones; return False if it was there before.

    Raises UsageError if the folder is missing, if too many are watched, or if the path cannot be in
    the settings; InputError for wrong settings.
    """
    if not is_folder(folder):
        raise UsageError("There is no folder {folder} to watch.", folder=folder)
    try:
        _FOLDER.read(str(folder))
    except ValueError:
        # With such a path, no command could read the settings any more.
        raise UsageError(
            "The folder {folder} cannot be watched: its path is longer than {most} characters, or "
            "has an unprintable one. Give it another name.",
            folder=display_path(folder),
            most=MAX_PATH_LENGTH,
        ) from None
    before = watched_folders(home)
    if folder in before:
        return False
    if len(before) >= MAX_FOLDERS:
        raise UsageError("No more than {most} folders can be watched.", most=MAX_FOLDERS)
    _write_folders(home, [*before, folder])
    return True


def unwatch(home: Home, folder: Path) -> bool:
    """Remove a folder from the watched ones; return False if it was not there."""
    before = watched_folders(home)
    if folder not in before:
        return False
    _write_folders(home, [path for path in before if path != folder])
    return True


def _write_folders(home: Home, folders: Iterable[Path]) -> None:
    Config.read(home.config_path).replace(GAMES, {"folders": [str(folder) for folder in folders]})


def inbox_folders(home: Home, games: Iterable[GameEntry], named: Iterable[Path]) -> list[Path]:
    """Return the folders in which files of a player's games may have arrived, each once.

    These are the folder in the home, the `named` folders, and the folders with files of unfinished
    games.
    """
    files = [
        path
        for entry in games
        if not entry.game.is_finished
        for path in (entry.file_in, entry.file_out)
        if path
    ]
    return [*dict.fromkeys([home.games.absolute(), *named, *(path.parent for path in files)])]


def downloads_folder() -> Path | None:
    """Return the folder in which programs save downloads; None if it is unknown."""
    path = _configured_downloads() if sys.platform not in ("win32", "darwin") else None
    folder = path or _below_home("Downloads")
    return folder if folder is not None and is_folder(folder) else None


def _configured_downloads() -> Path | None:
    """Return the folder that the environment or the desktop's settings name, as in XDG."""
    text = os.environ.get("XDG_DOWNLOAD_DIR", "")
    if not text:
        with suppress(OSError, RuntimeError, UnicodeDecodeError):
            settings = xdg_folder("XDG_CONFIG_HOME", ".config") / "user-dirs.dirs"
            text = (_DOWNLOADS.findall(settings.read_text(encoding="utf-8")) or [""])[-1]
    below = re.match(r"\$(?:HOME|\{HOME\})(?:/|$)", text)
    path = _below_home(text[below.end() :]) if below else Path(text)
    # Desktops without such a folder set the home folder instead, which should not be watched.
    is_one = path is not None and path.is_absolute() and path != _below_home("")
    return path if is_one else None


def _below_home(name: str) -> Path | None:
    try:
        return Path.home() / name
    except RuntimeError:
        # The system may not know the user.
        return None


# --- games


MIN_ID_DIGITS = 4
"""The minimum number of digits that begin a game's id; fewer are its number in the list."""


def sort_games(games: Iterable[GameEntry]) -> list[GameEntry]:
    """Return games in the order of their numbers, from 1: the order in which they were listed.

    Invitations come last, so that new ones change no number.
    """
    return sorted(games, key=lambda entry: (is_invitation(entry), entry.row))


def is_invitation(entry: GameEntry) -> bool:
    """Return True for an invitation that the player may accept."""
    return entry.game.due == JOIN and entry.game.waits_for == YOU


def waiting_games(games: Iterable[GameEntry]) -> list[GameEntry]:
    """Return the games that wait for the player; the one that waits longest comes first."""
    entries = (entry for entry in games if entry.game.waits_for == YOU)
    return sorted(entries, key=waiting_since)


def default_game(games: Sequence[GameEntry]) -> GameEntry | None:
    """Return the game to use if none is named, or None if there are several.

    It is the only game that waits for the player, or else the only unfinished one, or else the only
    one. Games come before invitations.
    """
    own_turns = [entry for entry in waiting_games(games) if not is_invitation(entry)]
    unfinished = [entry for entry in games if not entry.game.is_finished]
    candidates = own_turns or waiting_games(games) or unfinished or games
    return candidates[0] if len(candidates) == 1 else None


def select_games(
    games: Sequence[GameEntry], word: str, people: Sequence[KnownPlayer] = (), *, full: bool = False
) -> list[GameEntry]:
    """Return the games that a word names: by number in the list, opponent or beginning of the id.

    `games` are in the order of `sort_games`; `people` are the known players, with their nicknames.
    Unless the name has to be `full`, the word may be the beginning of an opponent's name.
    """
    if word.isascii() and word.isdecimal() and len(word) < MIN_ID_DIGITS:
        return [entry for number, entry in enumerate(games, 1) if number == int(word)]
    matches = [entry for entry in games if _has_opponent(entry, word, people)]
    if matches or full:
        return matches
    by_name = [entry for entry in games if _has_name_prefix(entry.game.opponent, word)]
    digits = word.lower()
    return by_name or [entry for entry in games if digits and entry.id.hex().startswith(digits)]


def _has_opponent(entry: GameEntry, word: str, people: Sequence[KnownPlayer]) -> bool:
    """Return True if `word` is the name, nickname or address of the opponent in a game."""
    name, email = entry.game.opponent, entry.game.email
    if not name:
        return False
    if are_names_alike(name, word) or are_addresses_alike(email, word):
        return True
    nicknamed = (one for one in people if one.nickname and are_names_alike(one.nickname, word))
    return any((p.name, p.email) == (name, email) for one in nicknamed for p in one.people)


def _has_name_prefix(name: str, word: str) -> bool:
    """Return True if a name, or a part of it, begins with this word."""
    prefix = sort_key(word.strip())
    parts = sort_key(name).split()
    return bool(prefix) and any(" ".join(parts[n:]).startswith(prefix) for n in range(len(parts)))


# --- files


def read_records(path: Path) -> Sequence[Record]:
    """Return the records in the save file at `path`, or none if there is no such file."""
    try:
        return SaveFile.read(as_utf8(read_file(path))).records
    except InputError:
        return ()


def newest_files(entry: GameEntry) -> list[Path]:
    """Return the existing files of a game, newest first."""
    is_incoming = entry.game.waits_for == YOU
    paths = [entry.file_in, entry.file_out] if is_incoming else [entry.file_out, entry.file_in]
    existing = [path for path in paths if path is not None and path_exists(path)]
    if entry.game.waits_for == NOBODY:
        # Either player may have closed the game last; the newer file is larger.
        existing.sort(key=_size, reverse=True)
    return existing


def has_newest_file(entry: GameEntry) -> bool:
    """Return True if the newest file of a game is in its last known place."""
    newest = entry.file_in if entry.game.waits_for == YOU else entry.file_out
    return newest in newest_files(entry)


class NewerFile(NamedTuple):
    """A file at the path `file` that is newer than another; `last` is the index of its last record.

    `first_difference` is the index of the first record that differs, or None if the file continues
    the other one.
    """

    file: Path
    last: int
    first_difference: int | None


def find_newer_file(records: Sequence[Record], entry: GameEntry | None) -> NewerFile | None:
    """Return the newest file of a listed game if it continues or contradicts `records`.

    Return None if it does neither, or if the newest file does not exist.
    """
    hashes = [record.hash for record in records]
    if entry is None or entry.game.is_within(hashes) or not has_newest_file(entry):
        return None
    newest = newest_files(entry)[0]
    others = [record.hash for record in read_records(newest)]
    pairs = enumerate(zip(hashes, others, strict=False))
    first_difference = next((index for index, (one, other) in pairs if one != other), None)
    if first_difference is None and len(hashes) >= len(others):
        return None
    return NewerFile(newest, len(others) - 1, first_difference)


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
