"""Files on disk: read with a bound, written whole or not at all, over another only where told.

Whoever writes one holds a lock on it, which ends with the process, however that ends: so the next
one knows at once which are left over. Where a lock says nothing, on a network drive that another
computer writes to, or on Windows, they are left over after a while.
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from engine.message import Message
from pbem.errors import Unreadable, WrongUse, check_exists, describe_os_error
from pbem.savefile.document import MAX_SIZE

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

# The number, and what mail programs and browsers add to the name of a second copy.
_NUMBERED = r"(?P<stem>.+?)-\d{3,4}(?: ?\(\d+\))?"


def read_file(path: Path, limit: int = MAX_SIZE) -> bytes:
    """The bytes of a file, up to one more than `limit`; raises Unreadable where there are none."""
    try:
        with path.open("rb") as file:
            # One byte more than a reader takes, so that it can say that there are too many.
            return file.read(limit + 1)
    except FileNotFoundError:
        raise Unreadable("There is no file {file}.", file=path) from None
    except IsADirectoryError:
        raise Unreadable("{file} is a folder, not a file.", file=path) from None
    except OSError as error:
        raise read_error(path, error) from None


class ReadError(Unreadable):
    """A file or folder that cannot be read now, and maybe can another time."""


def read_error(path: Path, error: OSError) -> ReadError:
    """The error that says that a file or folder cannot be read, and why."""
    return ReadError("{file} cannot be read: {reason}.", file=path, reason=describe_os_error(error))


def path_exists(path: Path) -> bool:
    """Whether there is anything at that path, as far as that can be found out: it never raises."""
    return os.path.exists(path)  # noqa: PTH110 - which may raise


def is_file(path: Path) -> bool:
    """Whether there is a file at that path, and no pipe or folder; it never raises."""
    return os.path.isfile(path)  # noqa: PTH113 - which may raise


def is_folder(path: Path) -> bool:
    """Whether there is a folder at that path; it never raises."""
    return os.path.isdir(path)  # noqa: PTH112 - which may raise


class FileExists(WrongUse):
    """There is a file already under the name of a new one."""


class NewFile:
    """A file for which there is room, and that is still to appear under its name."""

    def __init__(self, path: Path, descriptor: int, temporary: Path, *, replaces: bool) -> None:
        self.path = path
        self._descriptor = descriptor
        self._temporary = temporary
        self._replaces = replaces

    def commit(self, data: bytes) -> None:
        """Put the file with this content under its name, whole and for good, or not at all.

        Raises FileExists where there is one, and WrongUse where it cannot be written.
        """
        with _writing(self.path):
            self._fill(data)
            if self._replaces:
                self._temporary.replace(self.path)
            else:
                _name_exclusively(self._temporary, self.path)
            _sync_folder(self.path.parent)

    @property
    def may_be_there(self) -> bool:
        """Whether it may stand under its name, even where `commit` was interrupted."""
        try:
            return not check_exists(self._temporary) or self._temporary.samefile(self.path)
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def _fill(self, data: bytes) -> None:
        """Write the content into the room that was made for it."""
        with os.fdopen(self._descriptor, "wb", closefd=False) as file:
            file.seek(0)
            file.write(data)
            file.flush()
            os.fsync(self._descriptor)
        if not HAS_LOCKS:
            # Elsewhere it is held until it has its name; here it has none before it is let go.
            self._close()

    def _close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


@contextmanager
def reserve_file(
    path: Path, size: int, *, private: bool = False, replaces: bool = False
) -> Iterator[NewFile]:
    """Make room on the disk for a file of `size` bytes, which then may `commit`.

    Until then nothing of it is on the disk, so that a record can be signed and remembered in
    between. A `private` file is for its owner alone, from the moment it is made; one that
    `replaces` takes the place of another, and one of both is there at any moment. Raises
    FileExists where there is a file that it does not replace, WrongUse where there is no room.
    """
    with _writing(path):
        remove_unfinished(path.parent)
        if not replaces and check_exists(path):
            raise FileExistsError
        # What is private does not begin in a folder that is open to others.
        _make_folder(path.parent, 0o700 if private else 0o777)
        descriptor, temporary = create_unfinished(path.parent, path.name)
    file = NewFile(path, descriptor, temporary, replaces=replaces)
    try:
        with _writing(path):
            _reserve(descriptor, size)
            if not private:
                temporary.chmod(0o666 & ~_umask())
        yield file
    finally:
        file._close()
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _make_folder(folder: Path, mode: int) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
    except FileExistsError:
        # Something else has its name: the file itself is not there.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def write_new(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file that is not there yet: whole under its name, or not at all.

    `private` and what it raises as for `reserve_file` and `NewFile.commit`.
    """
    with reserve_file(path, len(data), private=private) as file:
        file.commit(data)


def replace_private(path: Path, data: bytes) -> None:
    """Put a file for its owner alone in the place of another; one of both is there at any moment.

    Raises WrongUse where it cannot be written.
    """
    with _writing(path):
        # A link stays a link, and no copy of what it leads to stays behind.
        path = _behind_links(path)
        # A process that was stopped may have left a file, with a key in it.
        remove_unfinished(path.parent, of=path.name)
    with reserve_file(path, len(data), private=True, replaces=True) as file:
        file.commit(data)


def _behind_links(path: Path) -> Path:
    """Return where a path leads; raises OSError for a link that leads to itself."""
    with suppress(RuntimeError):
        # Python 3.11 and 3.12 raise this for such a link, later versions return the link.
        path = path.resolve()
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def check_can_create(path: Path) -> None:
    """Raise OSError where no file can be made under that name, in the folder or a new one.

    Only a trial tells: permissions say little on some file systems, and names have limits.
    """
    folder = next(filter(check_exists, path.absolute().parents))
    descriptor, temporary = create_unfinished(folder, path.name)
    os.close(descriptor)
    temporary.unlink(missing_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say of an OSError to which file it happened."""
    try:
        yield
    except FileExistsError:
        told = Message("There is already a file {file}; it was not touched.", file=path)
        raise FileExists(told) from None
    except OSError as error:
        told = Message(
            "{file} cannot be written: {reason}.", file=path, reason=describe_os_error(error)
        )
        raise WrongUse(told) from None


def _reserve(descriptor: int, size: int) -> None:
    """Take up so much of the disk; raises OSError where it is full."""
    # By writing, which is all that every system offers; few disks make holes of zeros.
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(bytes(size))


def _sync_folder(folder: Path) -> None:
    """See that a new name outlasts a power cut, where the system can be asked for it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _umask() -> int:
    """The permissions that new files of this process lack; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _name_exclusively(temporary: Path, path: Path) -> None:
    """Give a finished file its name; raises FileExistsError where that is taken."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        # Over a network a call that was done may be told as one that failed.
        if not temporary.samefile(path):
            raise
    except OSError:
        # A file system without hard links. On Windows a file is never renamed over another;
        # elsewhere a short moment without protection is all that is left.
        if check_exists(path):
            raise FileExistsError from None
        temporary.rename(path)


def next_name(path: Path, index: int) -> Path:
    """The name for the file that answers `path`, whose last record is `index`.

    >>> next_name(Path("game-004.toml"), 5).name, next_name(Path("anna.toml"), 5).name
    ('game-005.toml', 'anna-005.toml')
    >>> next_name(Path("game-004 (1).toml"), 5).name
    'game-005.toml'
    """
    match = re.fullmatch(_NUMBERED, path.stem)
    stem = match["stem"] if match else path.stem
    return path.with_name(f"{stem}-{index:03}.toml")


# --- files that are being written, and what stopped processes have left of them

HAS_LOCKS = sys.platform != "win32"
"""Whether the system has locks that keep nobody from renaming or removing a file."""
_UNFINISHED = ".acres-part"
ABANDONED_SECONDS = 60 * 60
"""How long after its last change an unfinished file belongs to no process any more."""
_MACHINE_ID = Path("/etc/machine-id")


def create_unfinished(folder: Path, name: str) -> tuple[int, Path]:
    """A new file, open and empty, on the disk of that folder and for its owner alone.

    It belongs to this process until it is closed.
    """
    while True:
        descriptor, made = tempfile.mkstemp(f"-{_here()}{_UNFINISHED}", f".{name}.", folder)
        path = Path(made)
        # Another process may have come in between, and have taken it for left over.
        if _is_free(descriptor) is not False and check_exists(path):
            return descriptor, path
        os.close(descriptor)


def remove_unfinished(folder: Path, *, of: str = "") -> None:
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
