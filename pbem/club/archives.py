"""The sources of a club's files: folders, Maildirs, mboxes, messages, and zip and tar archives.

Anybody may have written them. Nothing is unpacked to the disk, links are never followed, and the
work for an archive has limits. Names are only for people to read.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, NamedTuple

from engine.message import Message, Phrase, message_of
from pbem.club.games import UnreadableFile
from pbem.errors import InputError, UsageError, describe_error, describe_os_error
from pbem.play.incoming import MAX_MESSAGE, POSTMARK, ZIP, is_maildir, may_hold_turn
from pbem.play.message import iter_messages
from pbem.savefile.disk import is_folder, path_exists

MAX_DEPTH = 2
"""The maximum depth of archives in each other."""
MAX_RATIO, MIN_UNPACKED = 200, 256 * 2**20
"""The limits of an unpacked archive: times its own size, or bytes, whichever is more."""
MAX_ENTRIES = 65_534
"""The maximum number of entries in a zip archive: the list of them is read into memory."""
_END_OF_ZIP, _ZIP_64 = b"PK\5\6", b"PK\6\7"
_MAX_END = 22 + 65_535
"""The maximum length of the end of a zip archive, with its comment, in bytes."""
_COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
"""The readers of compressed files, by the beginnings of these."""
_TAR, _TAR_AT = b"ustar", 257
_BROKEN = (
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)
"""The errors of the readers of archives, for example for a password."""


class ClubSource(NamedTuple):
    """The bytes of a file or message, at most `MAX_MESSAGE` + 1, and its name for people.

    `path` is the file on the disk. `is_inside` is True if it is in an archive or a mailbox there.
    """

    name: str
    data: bytes
    path: Path
    is_inside: bool = False


class _TooLargeError(InputError):
    """Raised if an archive unpacks to more than its limit."""

    def __init__(self) -> None:
        super().__init__(
            "it unpacks to far more than its size: unpack it yourself if you trust it, and name "
            "the folder."
        )


class _BoundedReader:
    """A reader of an unpacked archive that raises `_TooLargeError` beyond a limit, in bytes."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self._file = file
        self._left = limit

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_MESSAGE + 1:
            # The extended headers of tar are read whole.
            raise _TooLargeError
        data = self._file.read(size)
        self._spend(len(data))
        return data

    def seek(self, position: int) -> int:
        self._spend(max(0, position - self.tell()))
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise _TooLargeError


def find_sources(paths: Iterable[Path]) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the files and messages in some paths, sorted by name, and files that cannot be read.

    Hidden files are left out. Raises UsageError if a path does not exist.
    """
    tops = [*dict.fromkeys(paths)]
    for path in tops:
        if not path_exists(path):
            raise UsageError("There is no file or folder {file}.", file=path)
    for path in tops:
        yield from _of_path(path)


def _of_path(top: Path) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the sources in a folder or a file, without links and hidden files in folders."""
    ahead = [top]
    while ahead:
        path = ahead.pop()
        try:
            if is_folder(path):
                ahead += sorted(filter(_is_shown, path.iterdir()), reverse=True)
            # A pipe or a device may never end.
            elif S_ISREG((facts := path.stat()).st_mode) and facts.st_size:
                with path.open("rb") as file:
                    yield from _of_file(str(path), file, facts.st_size, path)
        except OSError as error:
            yield UnreadableFile(str(path), _why(error))


def _is_shown(path: Path) -> bool:
    # Folders of a mail account are hidden Maildirs.
    return not path.is_symlink() and (not path.name.startswith(".") or is_maildir(path))


def _of_file(
    name: str, file: IO[bytes], size: int, path: Path
) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the sources in a file on the disk of `size` bytes."""
    head = file.read(512)
    file.seek(0)
    if _is_archive(head):
        yield from _of_archive(name, file, size, path, 0)
    elif head.startswith(POSTMARK):
        yield from _of_mbox(name, path)
    elif size <= MAX_MESSAGE:
        yield ClubSource(name, file.read(MAX_MESSAGE + 1), path)
    elif may_hold_turn(path.name):
        yield UnreadableFile(name, Message("it is larger than any save file or message."))


def _of_mbox(name: str, path: Path) -> Iterator[ClubSource | UnreadableFile]:
    notes: list[Phrase] = []
    try:
        for number, data in enumerate(iter_messages(path, notes.append), 1):
            yield ClubSource(f"{name}#{number}", data, path, is_inside=True)
    except InputError as error:
        notes.append(message_of(error))
    for note in notes:
        yield UnreadableFile(name, note)


# --- archives


def _is_archive(head: bytes) -> bool:
    is_tar = head[_TAR_AT:].startswith(_TAR)
    return is_tar or head.startswith((ZIP, _END_OF_ZIP, *_COMPRESSED))


def _of_archive(
    name: str, file: IO[bytes], size: int, path: Path, depth: int
) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the sources in an archive of `size` bytes, and in archives in it."""
    limit = max(MIN_UNPACKED, MAX_RATIO * size) if not depth else size
    try:
        for inner, data in _members(file, limit):
            full = f"{name}/{inner}" if inner else name
            if isinstance(data, Exception):
                yield UnreadableFile(full, _why(data))
            elif not _is_archive(data[:512]):
                yield ClubSource(full, data, path, is_inside=True)
            elif depth < MAX_DEPTH:
                yield from _of_archive(full, BytesIO(data), MAX_RATIO * len(data), path, depth + 1)
            else:
                yield UnreadableFile(full, Message("it is an archive in an archive in an archive."))
    except InputError as error:
        yield UnreadableFile(name, message_of(error))
    except _BROKEN as error:
        yield UnreadableFile(
            name, Message("the archive cannot be read to its end: {reason}.", reason=_why(error))
        )


def _members(file: IO[bytes], limit: int) -> Iterator[tuple[str, bytes | Exception]]:
    """Yield the names and bytes, at most `MAX_MESSAGE` + 1, of the files in an archive.

    For a compressed file that is no tar archive, the name is empty. Yields the error of a file that
    cannot be read. Raises InputError or any of `_BROKEN` for the archive.
    """
    head = file.read(512)
    file.seek(0)
    if head.startswith((ZIP, _END_OF_ZIP)):
        yield from _of_zip(file, limit)
        return
    for magic, opener in _COMPRESSED.items():
        if head.startswith(magic):
            file = opener(file)
            head = file.read(512)
            file.seek(0)
    reader: Any = _BoundedReader(file, limit)
    if not head[_TAR_AT:].startswith(_TAR):
        yield "", reader.read(MAX_MESSAGE + 1)
        return
    archive: Any
    with tarfile.open(fileobj=reader, mode="r:") as archive:
        while (member := archive.next()) is not None:
            # It would keep all members.
            archive.members.clear()
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None and 0 < member.size <= MAX_MESSAGE:
                yield member.name, content.read(MAX_MESSAGE + 1)


def _of_zip(file: IO[bytes], limit: int) -> Iterator[tuple[str, bytes | Exception]]:
    """Yield the names and bytes of the files in a zip archive; see `_members`."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - _MAX_END))
    end = file.read()
    at = end.rfind(_END_OF_ZIP)
    if _ZIP_64 in end or int.from_bytes(end[at + 10 : at + 12], "little") > MAX_ENTRIES:
        raise InputError(
            "it has more entries than {most}: pack them into several archives, or as tar.",
            most=MAX_ENTRIES,
        )
    with zipfile.ZipFile(file) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            if entry.is_dir() or not 0 < entry.file_size <= MAX_MESSAGE:
                continue
            limit -= entry.file_size
            if limit < 0:
                raise _TooLargeError
            data: bytes | Exception
            try:
                with archive.open(entry) as content:
                    data = content.read(MAX_MESSAGE + 1)
            except _BROKEN as error:
                data = error
            yield entry.filename, data


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return describe_os_error(error)
    return describe_error(error)
