"""Which files are new in some folders, as their names, sizes and times tell."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pbem.library import Stamp

SAVE = ".toml"
SUFFIXES = (SAVE, ".eml")
"""How the names of save files and messages end, in small letters or in capitals."""
MAX_MESSAGE = 8 * 1024 * 1024
"""In bytes: no message that is longer is read, and no save file is as long."""


def is_called_save(path: Path) -> bool:
    """Whether a file is a save file by its name."""
    return path.suffix.lower() == SAVE


def may_hold_turn(name: str) -> bool:
    """Whether a file is a save file or a message by its name."""
    return name.lower().endswith(SUFFIXES)


def stamps_in(folder: Path) -> dict[str, Stamp]:
    """The files of a folder, not of those in it, that may hold a turn, by their names.

    A folder that is gone, or cannot be read, has none.
    """
    found: dict[str, Stamp] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not may_hold_turn(entry.name) or entry.name.startswith("."):
                continue
            # One that has just gone is none.
            with suppress(OSError):
                if entry.is_file():
                    status = entry.stat()
                    if 0 < status.st_size <= MAX_MESSAGE:
                        found[entry.name] = Stamp(status.st_mtime_ns, status.st_size)
    return found


class NewFiles:
    """Files in folders, looked at again and again."""

    def __init__(self) -> None:
        self._known: dict[Path, Stamp] = {}
        self._settling: dict[Path, Stamp] = {}

    def look(self, folders: Iterable[Path]) -> list[Path]:
        """The files that are new or have changed since they were told last, in order of their age.

        One is told when it is the same at two looks: before, somebody may be writing it.
        """
        found = {
            folder / name: stamp for folder in folders for name, stamp in stamps_in(folder).items()
        }
        # What is gone from a folder is new when it comes back.
        self._known = {path: stamp for path, stamp in self._known.items() if path in found}
        new = {path: stamp for path, stamp in found.items() if self._known.get(path) != stamp}
        settled = [path for path, stamp in new.items() if self._settling.get(path) == stamp]
        self._settling = {path: new[path] for path in new.keys() - set(settled)}
        self._known |= {path: new[path] for path in settled}
        return sorted(settled, key=lambda path: (new[path].changed, path))
