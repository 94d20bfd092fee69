"""Files that may hold a turn, by their names, and the facts by which each is known again."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from engine.message import Message
from pbem.errors import WrongUse, system_says
from pbem.play.store import Stamp

SAVE = ".toml"
SUFFIXES = (SAVE, ".eml")
"""How the names of save files and messages end, in small letters or in capitals."""
MAX_MESSAGE = 8 * 1024 * 1024
"""In bytes: no message that is longer is read, and no save file is as long."""
PATIENCE = 2.0
"""In seconds, how long to wait for a folder."""


def is_called_save(path: Path) -> bool:
    """Return True if a file is a save file by its name."""
    return path.suffix.lower() == SAVE


def may_hold_turn(name: str) -> bool:
    """Return True if a file is a save file or a message by its name."""
    return name.lower().endswith(SUFFIXES)


class FolderFails(WrongUse):
    """A folder cannot be looked through now."""


_asked: dict[Path, Thread] = {}
"""The threads waiting for a folder that has not answered in time, and may never."""


def stamps_soon(folder: Path) -> dict[str, Stamp]:
    """Return the files of a folder that may hold a turn, by their names; not those in its folders.

    A folder that is gone has none. Raises FolderFails if the system cannot tell, or not in time: if
    a network drive has gone, looking into it may take for ever.
    """
    found: list[dict[str, Stamp] | OSError] = []

    def look() -> None:
        try:
            there = stamps_in(folder).items()
            found.append({name: each for name, each in there if 0 < each.size <= MAX_MESSAGE})
        except OSError as error:
            found.append(error)

    before = _asked.get(folder)
    if before is None or not before.is_alive():
        _asked[folder] = Thread(target=look, daemon=True)
        _asked[folder].start()
        _asked[folder].join(PATIENCE)
    answer = found[0] if found else None
    if isinstance(answer, FileNotFoundError | NotADirectoryError):
        return {}
    if answer is None or isinstance(answer, OSError):
        reason = system_says(answer) if answer else Message("it does not answer")
        raise FolderFails(
            "The folder {folder} is left out: {reason}.", folder=folder, reason=reason
        )
    return answer


def stamps_in(folder: Path, *, of_any_name: bool = False) -> dict[str, Stamp]:
    """Return the files of a folder by their names: those that may hold a turn, or `of_any_name`."""
    found: dict[str, Stamp] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or not (of_any_name or may_hold_turn(entry.name)):
                continue
            # One that has just disappeared, or leads nowhere, does not count.
            with suppress(OSError):
                if entry.is_file():
                    status = entry.stat()
                    found[entry.name] = Stamp(status.st_mtime_ns, status.st_size)
    return found


class NewFiles:
    """Files in folders, looked at again and again."""

    def __init__(self) -> None:
        self._known: dict[Path, Stamp] = {}
        self._settling: dict[Path, Stamp] = {}

    def look(self, folders: Iterable[Path]) -> list[Path]:
        """Return the files that are new or have changed since they were returned last, by age.

        One comes when it is the same at two looks: before, somebody may be writing it. A folder
        that fails is left out.
        """
        found: dict[Path, Stamp] = {}
        for folder in folders:
            with suppress(FolderFails):
                found |= {folder / name: stamp for name, stamp in stamps_soon(folder).items()}
        new = {path: stamp for path, stamp in found.items() if self._known.get(path) != stamp}
        settled = [path for path, stamp in new.items() if self._settling.get(path) == stamp]
        self._settling = new
        # A file that disappears from a folder is new when it comes back.
        self._known = {path: found[path] for path in (found.keys() - new.keys()) | {*settled}}
        return sorted(settled, key=lambda path: (new[path].changed, path))

    def forget(self, path: Path) -> None:
        """Take a file for a new one again."""
        self._known.pop(path, None)
