"""Files on disk: read up to a limit, and written atomically.

A process that writes a file holds a lock on its unfinished part. The lock ends with the process,
so the next process recognizes abandoned parts at once, and removes them. If locks are not visible
(on a network drive of another computer, or on Windows), parts count as abandoned after an hour.
"""

from __future__ import annotations

import errno
import math
import os
import sys
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path

from pbem.errors import UNCONFIRMED, InputError, UsageError, describe_os_error, strict_exists
from pbem.savefile.document import MAX_SIZE

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock, lockf

UTF_16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
"""The beginnings of a text in UTF-16, by which the order of its bytes is known."""


def read_file(path: Path, limit: int = MAX_SIZE) -> bytes:
    """Return the bytes of a file, at most `limit` + 1. Raises InputError if it cannot be read.

    >>> read_file(Path("/no-such-folder/game-004.toml"))
    Traceback (most recent call last):
    pbem.errors.InputError: There is no file /no-such-folder/game-004.toml.
    """
    try:
        with path.open("rb") as file:
            # One byte more than a reader accepts shows that the file is too large.
            return file.read(limit + 1)
    except FileNotFoundError:
        raise InputError("There is no file {file}.", file=path) from None
    except IsADirectoryError:
        raise InputError("{file} is a folder, not a file.", file=path) from None
    except OSError as error:
        raise read_error(path, error) from None


def as_utf8(data: bytes) -> bytes:
    """Return a text with a UTF-16 mark as UTF-8; other data unchanged.

    >>> as_utf8("format".encode("utf-16")), as_utf8(b"format")
    (b'format', b'format')
    """
    if not data.startswith(UTF_16_MARKS) or len(data) > MAX_SIZE:
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def decode(data: bytes) -> str:
    r"""Return a text as editors save it: in UTF-8 or UTF-16. Raises UnicodeDecodeError.

    >>> [decode("é".encode(encoding)) for encoding in ("utf-8", "utf-8-sig", "utf-16")]
    ['é', 'é', 'é']
    """
    return as_utf8(data).decode("utf-8-sig")


class ReadError(InputError):
    """Raised if a file or folder cannot be read; the reason may be temporary."""


def read_error(path: Path, error: OSError) -> ReadError:
    """Return the error for a file or folder that cannot be read, with the system's reason.

    >>> str(read_error(Path("games"), PermissionError(13, "Permission denied")))
    'games cannot be read: Permission denied.'
    """
    return ReadError("{file} cannot be read: {reason}.", file=path, reason=describe_os_error(error))


def path_exists(path: Path) -> bool:
    """Return True if a path exists, and False if the system reports an error instead.

    >>> path_exists(Path("/")), path_exists(Path("/no-such-folder"))
    (True, False)
    """
    return os.path.exists(path)  # noqa: PTH110 - Path.exists may raise


def is_file(path: Path) -> bool:
    """Return True if there is a regular file at a path, not a folder or pipe; never raises.

    >>> is_file(Path("/")), is_folder(Path("/"))
    (False, True)
    """
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file may raise


def is_folder(path: Path) -> bool:
    """Return True if there is a folder at a path; never raises."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir may raise


def within(output: Path | None, usual: Path) -> Path:
    """Return the path of a new file: the `usual` one, or its name in a folder, or another path.

    >>> within(Path("/"), Path("games/game-004.toml")).as_posix()
    '/game-004.toml'
    """
    if output is None:
        return usual
    return output / usual.name if is_folder(output) else output


class TargetExistsError(UsageError):
    """Raised if there is already a file with the name of a new file."""


class NewFile:
    """A file whose space is reserved on the disk; `commit` writes it and gives it its name."""

    def __init__(self, path: Path, descriptor: int, temporary: Path, *, replace: bool) -> None:
        self.path = path
        self.descriptor = descriptor
        self._temporary = temporary
        self._replace = replace

    def commit(self, data: bytes = b"") -> None:
        """Write the content and give the file its name, atomically and durably.

        The content may be written to the `descriptor` before instead.

        Raises TargetExistsError if a file has the name already, UsageError if it cannot be written.
        """
        with _writing(self.path):
            self._fill(data)
            if self._replace:
                self._temporary.replace(self.path)
            else:
                _name_exclusively(self._temporary, self.path)
            sync_folder(self.path.parent)

    @property
    def may_exist(self) -> bool:
        """True if the file may exist under its name, even if `commit` was interrupted."""
        try:
            return not strict_exists(self._temporary) or self._temporary.samefile(self.path)
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def _fill(self, data: bytes) -> None:
        """Write the content over the reserved bytes."""
        with os.fdopen(self.descriptor, "wb", closefd=False) as file:
            file.seek(0)
            file.write(data)
            file.flush()
            if not _sync(self.descriptor):
                UNCONFIRMED.add(self.path.parent)
        if not HAS_LOCKS:
            # Windows does not rename open files. Elsewhere the file stays open and locked.
            self._close()

    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


@contextmanager
def reserve_file(
    path: Path, size: int, *, private: bool = False, replace: bool = False
) -> Iterator[NewFile]:
    r"""Reserve the disk space of a file of `size` bytes, and yield it, to be committed.

    Without `commit`, nothing remains on the disk: in between, a record can be signed and stored.
    Raises TargetExistsError if a file has the name and `replace` is False, UsageError if there is
    no space.

    - `private`: only the owner can read the file, from the beginning.
    - `replace`: the file takes the place of another; at any moment one of the two has the name.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "game-004.toml"
    ...     with reserve_file(path, 6) as file:
    ...         file.commit(b"a = 1\n")
    ...     path.read_bytes(), len(os.listdir(folder))
    (b'a = 1\n', 1)
    """
    with _writing(path):
        remove_unfinished(path.parent)
        if not replace and strict_exists(path):
            raise FileExistsError
        # A folder that is made for a private file is private too.
        _make_folder(path.parent, 0o700 if private else 0o777)
        descriptor, temporary = create_unfinished(
            path.parent, path.name, 0o600 if private else 0o666
        )
    file = NewFile(path, descriptor, temporary, replace=replace)
    try:
        with _writing(path):
            _reserve(descriptor, size)
        yield file
    finally:
        file._close()
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _make_folder(folder: Path, mode: int) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
    except FileExistsError:
        # A file has the name of the folder, so that the path itself cannot exist.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def write_new(path: Path, data: bytes, *, private: bool = False) -> None:
    r"""Write a new file atomically; see `reserve_file` for `private` and the errors.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "game-004.toml"
    ...     write_new(path, b"a = 1\n")
    ...     try:
    ...         write_new(path, b"b = 2\n")
    ...     except TargetExistsError:
    ...         path.read_bytes()
    b'a = 1\n'
    """
    with reserve_file(path, len(data), private=private) as file:
        file.commit(data)


def replace_private(path: Path, data: bytes) -> None:
    """Replace a file atomically by a private one, which only its owner can read.

    Raises UsageError if it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "identity.toml"
    ...     write_new(path, b"old", private=True)
    ...     replace_private(path, b"new")
    ...     path.read_bytes(), oct(path.stat().st_mode)[-3:]
    (b'new', '600')
    """
    with _writing(path):
        # A symbolic link stays, and its target is replaced, so no old copy remains.
        path = _resolve_links(path)
        # A stopped process may have left an unfinished file with a key in it.
        remove_unfinished(path.parent, name=path.name)
    with reserve_file(path, len(data), private=True, replace=True) as file:
        file.commit(data)


def _resolve_links(path: Path) -> Path:
    """Return the target of a path. Raises OSError for a link that leads to itself."""
    with suppress(RuntimeError):
        # Python 3.11 and 3.12 raise this for such a link, later versions return the link.
        path = path.resolve()
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def check_can_create(path: Path) -> None:
    """Raise OSError if no file can be made under a name; missing folders could be made too.

    It tries to create one, because file systems differ in permissions and limits of names.

    >>> check_can_create(Path.home() / "new-folder" / "game-004.toml")
    """
    folder = next(filter(strict_exists, path.absolute().parents))
    descriptor, temporary = create_unfinished(folder, path.name)
    os.close(descriptor)
    temporary.unlink(missing_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn an OSError about writing a file into a UsageError or TargetExistsError."""
    try:
        yield
    except FileExistsError:
        raise TargetExistsError(
            "There is already a file {file}; it was not touched.", file=path
        ) from None
    except OSError as error:
        reason = describe_os_error(error)
        raise UsageError("{file} cannot be written: {reason}.", file=path, reason=reason) from None


def _reserve(descriptor: int, size: int) -> None:
    """Take up `size` bytes of the disk. Raises OSError if it is full."""
    # By writing zeros, which every system supports; few file systems store them as holes.
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(bytes(size))


_UNSUPPORTED = frozenset(
    {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EPERM, errno.ENOLCK}
)
"""The errors of a file system that lacks a function."""


def _sync(descriptor: int) -> bool:
    """Write an open file or folder to the disk; return False if its file system cannot."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        return False
    return True


def sync_folder(folder: Path) -> bool:
    """Make new names survive a power cut; return False if the file system cannot."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            return _sync(descriptor)
        finally:
            os.close(descriptor)
    return True


def missing_function(folder: Path) -> tuple[str, OSError] | None:
    """Return the function, `lockf` or `fsync`, that a folder's file system lacks, and its error.

    A new file is tried, because to open and close a database would release its locks.
    """
    if sys.platform != "win32":
        with suppress(OSError):
            descriptor, temporary = create_unfinished(folder, "try")
            try:
                for function, values in ((lockf, (LOCK_EX | LOCK_NB,)), (os.fsync, ())):
                    try:
                        function(descriptor, *values)
                    except OSError as error:
                        if error.errno in _UNSUPPORTED:
                            return ("lockf" if function is lockf else "fsync"), error
            finally:
                os.close(descriptor)
                temporary.unlink(missing_ok=True)
    return None


def _name_exclusively(temporary: Path, path: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if another file has it."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        # Over a network, a call that succeeded may be reported as failed.
        if not temporary.samefile(path):
            raise
    except (OSError, AttributeError):
        # The file system has no hard links, or Python none (in a browser). Windows never renames a
        # file over another; elsewhere another process could take the name between these two calls.
        if strict_exists(path):
            raise FileExistsError from None
        temporary.rename(path)


# --- unfinished and abandoned files

HAS_LOCKS = sys.platform != "win32"
"""True if the system has locks under which a file can be renamed and removed."""
_UNFINISHED = ".acres-part"
ABANDONED_SECONDS = 60 * 60
"""The age, since its last change, at which an unfinished file without a lock is abandoned."""
_HOST_NAME = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
_MACHINE_ID = Path("/etc/machine-id")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def create_unfinished(folder: Path, name: str, mode: int = 0o600) -> tuple[int, Path]:
    """Return the descriptor and the path of a new, empty file in a folder.

    The system applies the umask to `mode`. This process holds the lock of the file until the
    descriptor is closed.
    """
    for number in count():
        path = folder / f".{name}.{os.getpid()}-{number}-{_host_id()}{_UNFINISHED}"
        with suppress(FileExistsError):
            descriptor = os.open(path, _NEW, mode)
            # Another process may have removed the file before it was locked.
            if _try_lock(descriptor) is not False and strict_exists(path):
                return descriptor, path
            os.close(descriptor)
    raise AssertionError


def remove_unfinished(folder: Path, *, name: str = "") -> None:
    """Remove the unfinished files in a folder that stopped processes have abandoned.

    `name`: remove all unfinished files of this name instead, however new. Locked files stay.
    Errors are ignored.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     descriptor, path = create_unfinished(Path(folder), "identity.toml")
    ...     os.close(descriptor)
    ...     remove_unfinished(Path(folder), name="identity.toml")
    ...     path_exists(path)
    False
    """
    prefix = f".{name}." if name else "."
    before = math.inf if name else time.time() - ABANDONED_SECONDS
    with suppress(OSError):
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(_UNFINISHED)]
        for file in names:
            if file.startswith(prefix):
                # Another process may remove it at the same time.
                with suppress(OSError):
                    _clear(folder / file, before)


def _clear(path: Path, before: float) -> None:
    """Remove an unfinished file that is not locked; without locks, only if older than `before`."""
    if sys.platform == "win32" or not path.name.endswith(f"-{_host_id()}{_UNFINISHED}"):
        _clear_old(path, before)
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        is_locked = _try_lock(descriptor)
        if is_locked:
            path.unlink()
        elif is_locked is None:
            _clear_old(path, before)
    finally:
        os.close(descriptor)


def _clear_old(path: Path, before: float) -> None:
    if path.stat().st_mtime < before:
        path.unlink()


def _try_lock(descriptor: int) -> bool | None:
    """Lock an open file; return False if it is locked already, None if locks do not work."""
    if sys.platform != "win32":
        with suppress(OSError):
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                return False
            return True
    return None


@cache
def _host_id() -> str:
    """Return an id of this computer, because computers may not see each other's locks."""
    # The name too, because containers may have the same id.
    return sha256(f"{_HOST_NAME} {computer_id()}".encode()).hexdigest()[:6]


@cache
def computer_id() -> int:
    """Return a positive number of 31 bits that stays with this computer, and differs on others.

    The name of the computer counts if its system has no id for it; without the domain, which
    comes from the network.
    """
    machine_id = ""
    # A part of the system may be missing.
    with suppress(OSError, ValueError, AttributeError, ImportError):
        machine_id = _system_id()
    if machine_id in ("", "uninitialized"):
        machine_id = _HOST_NAME.partition(".")[0]
    # Hashed, because the id itself must not be told to others.
    return int.from_bytes(sha256(f"acres {machine_id}".encode()).digest()[:4]) >> 1 | 1


def _system_id() -> str:
    """Return the id of this computer that its system keeps, or an empty text."""
    if sys.platform == "win32":
        import winreg

        path, access = r"SOFTWARE\Microsoft\Cryptography", winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path, access=access) as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    if sys.platform == "darwin":
        import ctypes

        uuid, second = ctypes.create_string_buffer(16), (ctypes.c_long * 2)(1, 0)
        failed = ctypes.CDLL(None).gethostuuid(uuid, second)
        return "" if failed else uuid.raw.hex()
    return _MACHINE_ID.read_text("ascii").strip()
