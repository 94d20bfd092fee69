"""Files on disk: read with a bound, written whole or not at all, over another only where told."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.document import MAX_SIZE
from pbem.errors import Unreadable, WrongUse

# The number, and what mail programs and browsers add to the name of a second copy.
_NUMBERED = re.compile(r"(?P<stem>.+?)-\d{3,4}(?: ?\(\d+\))?")
_UNFINISHED = ".part"


def read_file(path: Path, limit: int = MAX_SIZE) -> bytes:
    """The bytes of a file, up to one more than `limit`; raises Unreadable where there are none."""
    try:
        with path.open("rb") as file:
            # One byte more than a reader takes, so that it can say that there are too many.
            return file.read(limit + 1)
    except FileNotFoundError:
        raise Unreadable(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise Unreadable(f"{path} is a folder, not a file.") from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.") from None


class AlreadyThere(WrongUse):
    """There is a file already under the name of a new one."""


def write_new(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file that is not there yet: whole under its name, or not at all.

    A `private` one is for its owner alone, from the moment it is made. Raises AlreadyThere where
    there is one, WrongUse where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _written_beside(path, data) as temporary:
            if not private:
                temporary.chmod(0o666 & ~_umask())
            _name_exclusively(temporary, path)
        if private:
            _sync_folder(path.parent)
    except FileExistsError:
        raise AlreadyThere(f"There is a file {path} already; it was not touched.") from None
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from None


def replace_private(path: Path, data: bytes) -> None:
    """Put a file for its owner alone in the place of another; one of both is there at any moment.

    Raises WrongUse where it cannot be written.
    """
    # A link stays a link, and no copy of what it leads to stays behind.
    path = path.resolve()
    try:
        # A process that was stopped may have left a file, with a key in it.
        for left in path.parent.iterdir():
            if left.name.startswith(f".{path.name}.") and left.name.endswith(_UNFINISHED):
                left.unlink(missing_ok=True)
        with _written_beside(path, data) as temporary:
            temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from None


@contextmanager
def _written_beside(path: Path, data: bytes) -> Iterator[Path]:
    """A temporary file with this content on the same disk, for its owner alone."""
    descriptor, name = tempfile.mkstemp(_UNFINISHED, f".{path.name}.", path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


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
        raise
    except OSError:
        # A file system without hard links: a short moment without protection is all it can give.
        if path.exists():
            raise FileExistsError from None
        temporary.replace(path)


def next_name(path: Path, index: int) -> Path:
    """The name for the file that answers `path`, whose last record is `index`.

    >>> next_name(Path("game-004.toml"), 5).name, next_name(Path("anna.toml"), 5).name
    ('game-005.toml', 'anna-005.toml')
    >>> next_name(Path("game-004 (1).toml"), 5).name
    'game-005.toml'
    """
    match = _NUMBERED.fullmatch(path.stem)
    stem = match["stem"] if match else path.stem
    return path.with_name(f"{stem}-{index:03}.toml")
