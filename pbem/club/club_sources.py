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
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from engine.message import Message, Phrase, mark, message_of
from pbem.club.verdicts import ClubGame, UnreadableFile, find_file
from pbem.errors import InputError, UsageError, describe_error, describe_os_error
from pbem.play.incoming import MAX_MESSAGE, POSTMARK, ZIP, is_maildir, may_hold_turn
from pbem.play.message import iter_messages, read_member
from pbem.savefile.disk import is_file, is_folder, path_exists

MAX_RATIO, MIN_UNPACKED = 200, 256 * 2**20
"""The limits of an unpacked archive: times its own size, or bytes, whichever is more."""
_COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
"""The readers of compressed files, by the beginnings of these."""
_TAR, _TAR_AT, _HEAD = b"ustar", 257, 512
"""The mark of a tar archive, its position, and the length of the beginning of a file."""
_TOO_LARGE = mark(
    "it unpacks to more than is safe: unpack it yourself if you trust it, and name the folder."
)
_CHANGED = mark("{file} was changed: run this again.")


class ClubSource(NamedTuple):
    """The bytes of a file or message, at most `MAX_MESSAGE` + 1, and its name for people.

    The name is the path of the file, unless `is_inside` an archive or a mailbox on the disk.
    """

    name: str
    data: bytes
    is_inside: bool = False


class _BoundedReader:
    """A reader of an archive, which raises InputError if more is read, in all or at once.

    The list of a zip archive and the extended headers of tar are read whole.
    """

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self._file, self._left = file, limit
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        most = MAX_MESSAGE + 1
        data = self._file.read(size if 0 <= size <= most else most + 1)
        self.spend(len(data))
        if len(data) > most:
            raise InputError(Message(_TOO_LARGE))
        return data

    def spend(self, size: int) -> None:
        """Count bytes that are unpacked otherwise."""
        self._left -= size
        if self._left < 0:
            raise InputError(Message(_TOO_LARGE))


def find_sources(paths: Iterable[Path]) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the files and messages in some paths, sorted by name, and files that cannot be read.

    Links and hidden files in folders are left out. Raises UsageError if a path does not exist.
    """
    ahead = sorted({*paths}, reverse=True)
    for path in ahead:
        if not path_exists(path):
            raise UsageError("There is no file or folder {file}.", file=path)
    while ahead:
        path = ahead.pop()
        try:
            if is_folder(path):
                ahead += sorted(filter(_is_shown, path.iterdir()), reverse=True)
            # A pipe or a device may never end.
            elif is_file(path):
                with path.open("rb") as file:
                    yield from _of_file(path, file)
        except OSError as error:
            yield UnreadableFile(str(path), describe_os_error(error))


def _is_shown(path: Path) -> bool:
    # Folders of a mail account are hidden Maildirs.
    return not path.is_symlink() and (not path.name.startswith(".") or is_maildir(path))


def _of_file(path: Path, file: IO[bytes]) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the sources in an open file."""
    name, size = str(path), os.fstat(file.fileno()).st_size
    head = file.read(_HEAD)
    file.seek(0)
    if head.startswith(ZIP) or _is_packed(head):
        members = _of_zip if head.startswith(ZIP) else _of_tar
        yield from _of_archive(name, members(file, max(MIN_UNPACKED, MAX_RATIO * size)))
    elif head.startswith(POSTMARK):
        yield from _of_mbox(name, path)
    elif size > MAX_MESSAGE:
        if may_hold_turn(path.name):
            yield UnreadableFile(name, Message("it is larger than any save file or message."))
    elif size:
        yield ClubSource(name, file.read(MAX_MESSAGE + 1))


def _of_mbox(name: str, path: Path) -> Iterator[ClubSource | UnreadableFile]:
    notes: list[Phrase] = []
    try:
        for number, data in enumerate(iter_messages(path, notes.append), 1):
            yield ClubSource(f"{name}#{number}", data, is_inside=True)
    except InputError as error:
        notes.append(message_of(error))
    for note in notes:
        yield UnreadableFile(name, note)


# --- archives


def _is_packed(head: bytes) -> bool:
    """Return True if a file begins as a tar archive or a compressed file does."""
    return head.startswith((*_COMPRESSED,)) or head.startswith(_TAR, _TAR_AT)


def _of_archive(
    name: str, members: Iterator[tuple[str, bytes | Exception]]
) -> Iterator[ClubSource | UnreadableFile]:
    """Yield the sources in an archive with these members."""
    try:
        for inner, data in members:
            full = f"{name}/{inner}" if inner else name
            if isinstance(data, Exception):
                yield UnreadableFile(full, describe_error(data))
            elif _is_packed(data[:_HEAD]):
                yield UnreadableFile(full, Message("it is an archive in an archive: unpack it."))
            else:
                # A zip archive in it is read as the attachment of a message would be.
                yield ClubSource(full, data, is_inside=True)
    except InputError as error:
        yield UnreadableFile(name, message_of(error))
    except Exception as error:
        # Archives cause errors of many kinds, for example by their compression.
        reason = describe_error(error)
        yield UnreadableFile(
            name, Message("the archive cannot be read to its end: {reason}.", reason=reason)
        )


def _of_tar(file: IO[bytes], limit: int) -> Iterator[tuple[str, bytes | Exception]]:
    """Yield the names and bytes of the files in a tar archive, in its order.

    For a compressed file that is none, the name is empty. Raises any error.
    """
    head = file.read(_HEAD)
    file.seek(0)
    for magic, opener in _COMPRESSED.items():
        if head.startswith(magic):
            file = opener(file)
            head = file.read(_HEAD)
            file.seek(0)
    reader: Any = _BoundedReader(file, limit)
    if not head.startswith(_TAR, _TAR_AT):
        yield "", reader.read(MAX_MESSAGE + 1)
        return
    archive: Any
    with tarfile.open(fileobj=reader, mode="r:") as archive:
        while (member := archive.next()) is not None:
            # It would keep all members.
            archive.members.clear()
            # What is skipped is unpacked, too, and holes in files are filled with zeros.
            reader.spend(member.size)
            if member.isreg() and 0 < member.size <= MAX_MESSAGE:
                yield member.name, archive.extractfile(member).read()


def _of_zip(file: IO[bytes], limit: int) -> Iterator[tuple[str, bytes | Exception]]:
    """Yield the names and bytes of the files in a zip archive, or their errors, by name.

    Raises any error of the whole archive.
    """
    reader: Any = _BoundedReader(file, limit)
    with zipfile.ZipFile(reader) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            if not 0 < entry.file_size <= MAX_MESSAGE:
                continue
            reader.spend(entry.file_size)
            data: bytes | Exception
            try:
                data = read_member(archive, entry, MAX_MESSAGE)
            except Exception as error:
                data = error
            yield entry.filename, data


# --- the newest files


def read_newest_files(games: Iterable[ClubGame]) -> Iterator[tuple[ClubGame, bytes]]:
    """Yield each game with the bytes of its newest file, in any order.

    Archives and mailboxes are read once. Raises InputError if a file was changed.
    """
    wanted: defaultdict[Path, defaultdict[str, list[ClubGame]]]
    wanted = defaultdict(lambda: defaultdict(list))
    for game in games:
        name = game.files[0]
        # A message in a mailbox has its number after the name.
        places = Path(name), *Path(name).parents, Path(name.rpartition("#")[0])
        wanted[next(filter(is_file, places), places[0])][name].append(game)
    for path, by_name in wanted.items():
        for source in find_sources([path]):
            # In an archive two files may have one name.
            for game in [*by_name.get(source.name, ())]:
                if data := find_file(getattr(source, "data", b""), game.newest):
                    by_name[source.name].remove(game)
                    yield game, data
        for name in filter(by_name.get, by_name):
            raise InputError(Message(_CHANGED, file=name))
