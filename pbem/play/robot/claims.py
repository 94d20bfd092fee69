"""Which of several processes of one robot does what: while one has a claim, no other does it.

A claim is a lock of the system on a file in the robot's home. It ends with the process that has it,
however that ends; and a letter is skipped only when it is done with, so another process finds it.
Where there are no locks, two may begin the same: the library still lets one sign, and one letter
go.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    from msvcrt import LK_NBLCK, locking
else:
    from fcntl import LOCK_EX, LOCK_NB, flock

_GAMES = 64
"""Claims for games; some games share one, and then wait for one another."""
_TABLE, _POST = "table", "post"
_PAUSE = 0.05
"""In seconds, how often to check whether a claim is free."""


class Claims:
    """The claims of one robot, whose files lie in that folder.

    A process that has a game may also ask for the table, and for nothing else.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def game(self, game: bytes) -> Iterator[None]:
        """Have a game to oneself, once it is free: its file is answered by nobody else."""
        with self._had(_name(game)):
            yield

    @contextmanager
    def table(self) -> Iterator[None]:
        """Have the table to oneself: whoever sees a free place gives it away before the others."""
        with self._had(_TABLE):
            yield

    @contextmanager
    def post(self) -> Iterator[None]:
        """Have the sending of letters to oneself: what is unsent is sent by nobody else."""
        with self._had(_POST):
            yield

    def is_taken(self, game: bytes) -> bool:
        """Whether somebody has that game just now."""
        with self._opened(_name(game)) as descriptor:
            return descriptor is not None and _is_taken(descriptor)

    @contextmanager
    def _had(self, name: str) -> Iterator[None]:
        with self._opened(name) as descriptor:
            while descriptor is not None and _is_taken(descriptor):
                time.sleep(_PAUSE)
            yield

    @contextmanager
    def _opened(self, name: str) -> Iterator[int | None]:
        descriptor = None
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield descriptor
        finally:
            if descriptor is not None:
                os.close(descriptor)


def _name(game: bytes) -> str:
    return f"game-{game[0] % _GAMES}"


def _is_taken(descriptor: int) -> bool:
    """Take the lock of an open file, unless somebody has it; False where there are no locks."""
    try:
        if sys.platform == "win32":
            locking(descriptor, LK_NBLCK, 1)
        else:
            flock(descriptor, LOCK_EX | LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    return False
