"""The contents of one source: save files, evidence of forks, and signs of other records.

Only the beginnings of save files are read here. `pbem.club.verdict` verifies them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeAlias

from engine.message import Phrase, message_of
from pbem.errors import InputError
from pbem.play.audit import explain_damage
from pbem.play.incoming import find_record_ids, is_called_save, is_save_file
from pbem.play.message import extract_files, may_hold_file, read_envelope
from pbem.protocol import cache
from pbem.protocol.fork import NoForkError
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import RECORD_HEADER, Record
from pbem.savefile.disk import as_utf8
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile, FileScan, SaveFile, first_records

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


def read_items(name: str, data: bytes) -> list[Item]:
    """Return the items in the file or message `data`; none if it is not of this program."""
    data = as_utf8(data)
    if is_save_file(data) and _OWN in data:
        return [_read_file(data)]
    if not may_hold_file(data):
        return [_read_file(data)] if _is_damaged_save(name, data) else []
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


def _is_damaged_save(name: str, data: bytes) -> bool:
    """Return True if a file has the name of a save file and is no TOML, unlike settings."""
    if not is_called_save(PurePath(name)):
        return False
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
