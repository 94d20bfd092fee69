"""A folder in which files arrive, and stay."""

from __future__ import annotations

from collections.abc import Iterator
from os import stat_result
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from pbem.errors import reaching
from pbem.play.new_files import may_hold_turn


class Arrived(NamedTuple):
    """A file in an inbox.

    `was_there` says that it lay there at the first look; `is_settled` that it is not still being
    written, because it was as it is at the look before.
    """

    path: Path
    was_there: bool
    is_settled: bool


class _Look(NamedTuple):
    """What shows that a file is still the same."""

    size: int
    modified: int

    @classmethod
    def of(cls, status: stat_result) -> _Look:
        return cls(status.st_size, status.st_mtime_ns)


class Inbox:
    """The files in a folder, each until it is `done` with, and again when it has changed.

    Those are files of games and mail messages, by their names; in a Maildir, all messages.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._looks = 0
        self._before: dict[Path, _Look] = {}
        self._done: dict[Path, _Look] = {}

    def arrived(self) -> list[Arrived]:
        """What is to be looked at, the longest first: it shows what came of the shorter ones.

        Raises WrongUse where the folder cannot be read.
        """
        with reaching(self.folder):
            found = dict(self._files())
        before, self._before = self._before, found
        self._done = {path: look for path, look in self._done.items() if found.get(path) == look}
        self._looks += 1
        new = sorted((-look.size, path) for path, look in found.items() if path not in self._done)
        return [Arrived(path, self._looks == 1, before.get(path) == found[path]) for _, path in new]

    def done(self, path: Path) -> None:
        """See that a file is not to be looked at again, as long as it stays as it was."""
        self._done[path] = self._before[path]

    def _files(self) -> Iterator[tuple[Path, _Look]]:
        maildir = [self.folder / name for name in ("new", "cur")]
        is_maildir = all(folder.is_dir() for folder in maildir)
        for folder in maildir if is_maildir else [self.folder]:
            for path in folder.iterdir():
                if path.name.startswith("."):
                    continue
                if not (is_maildir or may_hold_turn(path.name)):
                    continue
                try:
                    status = path.stat()
                except OSError:
                    # Somebody has just moved it away, or it leads nowhere.
                    continue
                if S_ISREG(status.st_mode):
                    yield path, _Look.of(status)
