"""The sources of a club's files: folders, Maildirs, mboxes, messages, and zip and tar archives.

Anybody may have written them. Nothing is unpacked to the disk, links are never followed, and the
work for an archive has limits. Names are only for people to read.

Only the beginnings of save files are read here. `pbem.club.verdicts` verifies them.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, NamedTuple, TypeAlias

from engine.message import Message, Phrase, message_of
from pbem.club.verdicts import ClubGame, UnreadableFile
from pbem.errors import InputError, UsageError, describe_error, describe_os_error
from pbem.play.audit import explain_damage
from pbem.play.incoming import (
    MAX_MESSAGE,
    POSTMARK,
    ZIP,
    find_record_ids,
    is_maildir,
    is_save_file,
    may_hold_turn,
)
from pbem.play.message import extract_files, iter_messages, may_hold_file, read_envelope
from pbem.protocol import cache
from pbem.protocol.fork import NoForkError
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import RECORD_HEADER, Record
from pbem.savefile.disk import as_utf8, is_file, is_folder, path_exists
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile, FileScan, SaveFile, first_records

MAX_DEPTH = 2
"""The maximum depth of archives in each other."""
MAX_RATIO, MIN_UNPACKED = 200, 256 * 2**20
"""The limits of an unpacked archive: times its own size, or bytes, whichever is more."""
MAX_ENTRIES = 65_534
"""The maximum number of entries in a zip archive: the list of them is read into memory."""
MAX_DIRECTORY = 8 * 2**20
"""The maximum size of that list, in bytes; nothing checks the number that an archive claims."""
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
    at = end.rfind(_END_OF_ZIP, 0, -18)
    number, size = (int.from_bytes(end[at + n : at + m], "little") for n, m in ((10, 12), (12, 16)))
    if _ZIP_64 in end or number > MAX_ENTRIES or size > MAX_DIRECTORY:
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


# --- contents

_OWN = b"acres-"
"""A text in every file of this program."""


@dataclass(frozen=True)
class SavedGame:
    """A save file: its digest, and its game by id and the key of the guest (empty before one).

    `time` is that of its first record, `records` their number. `length` and `text` are the
    length and the digest of the text of all records; `text` is empty if the layout is another.
    """

    digest: bytes
    game: bytes
    guest: bytes
    time: str
    records: int
    length: int = 0
    text: bytes = b""


@dataclass(frozen=True)
class ValidEvidence:
    """Evidence of a fork: the key, the index and the predecessor of both records, and the file."""

    key: bytes
    index: int
    previous: bytes
    data: bytes


@dataclass(frozen=True)
class Mention:
    """The latest record of a game, by the first 4 bytes of its id, that a message refers to."""

    game: bytes
    index: int


@dataclass(frozen=True)
class Damage:
    """A file that cannot be read, and its game and its number of records as far as they show."""

    reason: Phrase
    game: bytes | None = None
    records: int = 0


Item: TypeAlias = SavedGame | ValidEvidence | Mention | Damage
cache.register(SavedGame, ValidEvidence, Mention, Damage)


def digest(data: bytes) -> bytes:
    """Return the digest by which a file or source is known, 32 bytes."""
    return tagged_hash(Tag.CACHE, b"\3", data)


def read_items(data: bytes, *, is_called_save: bool) -> list[Item]:
    """Return the items in the file or message `data`; none if it is not of this program.

    If it has the name of a save file, it may be a damaged one.
    """
    data = as_utf8(data)
    if is_save_file(data) and _OWN in data:
        return [_read_file(data)]
    if not may_hold_file(data):
        return [_read_file(data)] if is_called_save and _is_damaged_save(data) else []
    items: list[Item] = []
    try:
        files = extract_files(data)
    except InputError as error:
        return [Damage(cache.storable(message_of(error)))]
    for file in files:
        items.append(_read_evidence(file.data) if file.is_evidence else _read_file(file.data))
    envelope = read_envelope(data)
    latest: dict[bytes, int] = {}
    for game, index in find_record_ids(f"{envelope.message_id} {envelope.references}"):
        latest[game] = max(index, latest.get(game, 0))
    return [*items, *(Mention(game, index) for game, index in latest.items())]


def find_file(data: bytes, wanted: bytes) -> bytes | None:
    """Return the save file with the digest `wanted` in a source, or None."""
    data = as_utf8(data)
    with suppress(InputError):
        files = [data] if is_save_file(data) else [file.data for file in extract_files(data)]
        return next((file for file in files if digest(file) == wanted), None)
    return None


def _is_damaged_save(data: bytes) -> bool:
    """Return True if a file is no TOML, unlike settings."""
    try:
        SaveFile.read(data)
    except InputError as error:
        return not isinstance(error, WrongFormatError)
    return True


def _read_file(data: bytes) -> Item:
    """Return the item in a file that should be a save file or evidence."""
    if (scan := FileScan.of(data)) is not None:
        return _saved(data, scan.records, scan.number, scan.text)
    try:
        records = SaveFile.read(data).records
    except WrongFormatError as error:
        return _read_evidence(data) if error.format == FORMAT else Damage(error.message)
    except InputError as error:
        return _damage(error, data)
    return _saved(data, records, len(records))


def _saved(data: bytes, records: Sequence[Record], number: int, text: bytes = b"") -> SavedGame:
    guest: bytes = getattr(records[1].steps[0], "key", b"") if number > 1 else b""
    game, time = records[0].hash, records[0].time
    return SavedGame(
        digest(data), game, guest, time, number, len(text), digest(text) if text else b""
    )


def _damage(error: InputError, data: bytes) -> Damage:
    """Return the item for a damaged file; its first record may be whole."""
    game = None
    with suppress(InputError, ValueError, LookupError):
        game = first_records(data, 1)[0].hash
    reason = cache.storable(explain_damage(error, data).message)
    return Damage(reason, game, data.count(RECORD_HEADER.encode()))


def _read_evidence(data: bytes) -> ValidEvidence | Damage:
    try:
        evidence = EvidenceFile.read(data).evidence
        evidence.check()
    except (InputError, NoForkError) as error:
        return Damage(cache.storable(error.message))
    return ValidEvidence(evidence.key, evidence.index, evidence.records[0].previous, data)


def read_newest_file(game: ClubGame) -> bytes:
    """Return the bytes of the newest file of a game. Raises InputError if it has changed."""
    name = Path(game.files[0])
    path = next((one for one in (name, *name.parents) if is_file(one)), None)
    # A message in a mailbox has its number after the name.
    path = path or Path(str(name).rpartition("#")[0])
    for source in find_sources([path]):
        if not isinstance(source, ClubSource) or source.name != str(name):
            continue
        if (data := find_file(source.data, game.newest)) is not None:
            return data
    raise InputError("{file} was changed: run this again.", file=name)
