"""Which files in folders were looked through already: each is read once, until it changes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pbem.play.store.database import KEEPING_SECONDS, Database

_FOLDER = "WHERE key = ? AND folder = ?"


class Stamp(NamedTuple):
    """What tells a file from what it was before a change: its time in ns, its size in bytes."""

    changed: int
    size: int


class Stamps:
    """The files that the owner of `key` has looked through, in the library at `path`.

    All methods raise LibraryFailed where it cannot be used.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.key = key
        self._database = Database(path)

    def known(self, folder: Path) -> dict[str, Stamp] | None:
        """The files of a folder by their names; None where it was never looked through."""
        query = f"SELECT name, changed, size FROM looked_through {_FOLDER}"
        rows = self._database.read(query, (self.key, os.fsencode(folder)))
        found = {os.fsdecode(name): Stamp(changed, size) for name, changed, size in rows}
        # A folder itself stands there under the empty name: one may have no file in it.
        return found if found.pop("", None) is not None else None

    def note(self, folder: Path, stamps: Mapping[str, Stamp]) -> None:
        """Note that these are the files of a folder, and were looked through.

        There has to be a library: looking for files begins none.
        """
        if not self._database.is_there:
            return
        place = (self.key, os.fsencode(folder))
        rows = [(*place, os.fsencode(name), *stamp) for name, stamp in stamps.items()]
        # What is lost of it is read again.
        with self._database.writing(KEEPING_SECONDS, lasts=False) as database:
            database.execute(f"DELETE FROM looked_through {_FOLDER}", place)
            database.executemany(
                "INSERT INTO looked_through VALUES (?, ?, ?, ?, ?)", [(*place, b"", 0, 0), *rows]
            )

    def forget(self, folder: Path) -> None:
        """Forget that a folder was ever looked through."""
        if self.known(folder) is not None:
            with self._database.writing(KEEPING_SECONDS, lasts=False) as database:
                place = (self.key, os.fsencode(folder))
                database.execute(f"DELETE FROM looked_through {_FOLDER}", place)
