"""Files that are being written, and what stopped processes have left of them.

Whoever writes one holds a lock on it, which ends with the process, however that ends: so the next
one knows at once which are left over. Where a lock says nothing, on a network drive that another
computer writes to, or on Windows, they are left over after a while.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

HAS_LOCKS = sys.platform != "win32"
"""Whether the system has locks that keep nobody from renaming or removing a file."""
_UNFINISHED = ".acres-part"
ABANDONED_SECONDS = 60 * 60
"""So long after its last change an unfinished file belongs to no process any more."""
_MACHINE_ID = Path("/etc/machine-id")


def make(folder: Path, name: str) -> tuple[int, Path]:
    """A new file, open and empty, on the disk of that folder and for its owner alone.

    It belongs to this process until it is closed.
    """
    while True:
        descriptor, made = tempfile.mkstemp(f"-{_here()}{_UNFINISHED}", f".{name}.", folder)
        path = Path(made)
        # Another process may have come in between, and have taken it for left over.
        if _is_free(descriptor) is not False and path.exists():
            return descriptor, path
        os.close(descriptor)


def clear_away(folder: Path, *, of: str = "") -> None:
    """Remove what stopped processes have left in a folder, or `of` one file alone: then all of it.

    What a process is writing stays. Where nothing can be listed or removed, nothing is.
    """
    prefix = f".{of}." if of else "."
    before = math.inf if of else time.time() - ABANDONED_SECONDS
    with suppress(OSError):
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.name.endswith(_UNFINISHED)]
        for name in names:
            if name.startswith(prefix):
                # Another process may be about the same.
                with suppress(OSError):
                    _clear(folder / name, before)


def _clear(path: Path, before: float) -> None:
    """Remove an unfinished file nobody has the lock of; if nobody can tell, one from `before`."""
    if sys.platform == "win32" or not path.name.endswith(f"-{_here()}{_UNFINISHED}"):
        _clear_old(path, before)
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        is_free = _is_free(descriptor)
        if is_free:
            path.unlink()
        elif is_free is None:
            _clear_old(path, before)
    finally:
        os.close(descriptor)


def _clear_old(path: Path, before: float) -> None:
    if path.stat().st_mtime < before:
        path.unlink()


def _is_free(descriptor: int) -> bool | None:
    """Take the lock of an open file, if no other process has it; None where there are no locks."""
    if sys.platform != "win32":
        with suppress(OSError):
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                return False
            return True
    return None


@cache
def _here() -> str:
    """A word for this computer: other ones need not see its locks, nor it theirs."""
    try:
        known = _MACHINE_ID.read_bytes()
    except OSError:
        known = b""
    name = ""
    if sys.platform != "win32":
        name = os.uname().nodename
    return sha256(name.encode() + known).hexdigest()[:6]
