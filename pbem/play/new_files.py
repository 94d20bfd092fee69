"""Which files in some folders are new, judging by their names, sizes and times."""

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
    """Whether a file is a save file by its name."""
    return path.suffix.lower() == SAVE


def may_hold_turn(name: str) -> bool:
    """Return True if a file is a save file or a message by its name."""
    return name.lower().endswith(SUFFIXES)


class FolderFails(WrongUse):
    """A folder cannot be looked through now."""


_asked: dict[Path, Thread] = {}
"""The threads waiting for a folder that has not answered in time, and may never."""


def stamps_soon(folder: Path) -> dict[str, Stamp]:
    """The same as `stamps_in`; raises FolderFails where the system cannot tell, or not in time.

    If a network drive has gone, looking into it may take for ever.
    """
    found: list[dict[str, Stamp] | OSError] = []

    def look() -> None:
        try:
            found.append(_stamps_in(folder))
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


def stamps_in(folder: Path) -> dict[str, Stamp]:
    """The files of a folder, not of those in it, that may hold a turn, by their names.

    A folder that is gone, or cannot be read, has none.
    """
    with suppress(OSError):
        return _stamps_in(folder)
    return {}


def _stamps_in(folder: Path) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not may_hold_turn(entry.name) or entry.name.startswith("."):
                continue
            # One that has just disappeared does not count.
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
        # A file that disappears from a folder is new when it comes back.
        self._known = {path: stamp for path, stamp in self._known.items() if path in found}
        new = {path: stamp for path, stamp in found.items() if self._known.get(path) != stamp}
        settled = [path for path, stamp in new.items() if self._settling.get(path) == stamp]
        self._settling = {path: new[path] for path in new.keys() - set(settled)}
        self._known |= {path: new[path] for path in settled}
        return sorted(settled, key=lambda path: (new[path].changed, path))
