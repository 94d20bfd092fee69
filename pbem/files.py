"""Files on disk: read with a bound, written whole or not at all, never over another."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from pbem.document import MAX_SIZE
from pbem.errors import Unreadable, WrongUse

# The number, and what mail programs and browsers add to the name of a second copy.
_NUMBERED = re.compile(r"(?P<stem>.+?)-\d{3,4}(?: ?\(\d+\))?")


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


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet: whole under its name, or not at all.

    Raises WrongUse where there is one already, or where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o666 & ~_umask())
            _name_exclusively(Path(name), path)
        finally:
            Path(name).unlink(missing_ok=True)
    except FileExistsError:
        raise WrongUse(f"There is a file {path} already; it was not touched.") from None
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from None


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
