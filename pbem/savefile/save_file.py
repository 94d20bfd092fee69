"""The save file that two players exchange, and the file of evidence of a fork.

See docs/save-format.md, and there Evidence of a fork.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.message import Message, mark, message_of
from pbem.errors import InputError, UsageError
from pbem.errors.rule import Rule
from pbem.protocol.cache import CacheLookup, Snapshot, lay_out_records
from pbem.protocol.fork import Evidence
from pbem.protocol.identity import BLOCK_SIZE, MAX_SEALED, MIN_SEALED, Box
from pbem.protocol.record import MAX_RECORDS, RECORD_HEADER, Record
from pbem.protocol.schema import (
    Bytes,
    Codec,
    Integer,
    ListOf,
    Plain,
    SchemaError,
    Visible,
    encode_bytes,
    lay_out,
    read_table,
)
from pbem.savefile.document import FileKind, fits_limits, parse

SUMMARY_WIDTH = 200

_SUMMARY_LINE = Visible(0, SUMMARY_WIDTH, mark("must be at most {most} visible characters"))
_SUMMARY: dict[str, Codec] = {"lines": ListOf(_SUMMARY_LINE, 0, 200)}
_BOX: dict[str, Codec] = {
    "at": Integer(0, MAX_RECORDS - 1),
    "box": Bytes(MIN_SEALED, MAX_SEALED, block=BLOCK_SIZE),
}
_SIDES = ("british", "french")
_KIND = FileKind(
    "acres-save",
    1,
    mark("a save file"),
    frozenset({"format", "version", "summary", "record", "sealed"}),
)


class SaveFile(NamedTuple):
    r"""A save file: the chain of records, the sealed boxes, and a summary for human readers.

    `boxes` has at most one box for "british" and one for "french". `summary` are lines on which no
    program may rely. `read` checks only the form.

    >>> from pbem.protocol.steps import Resign
    >>> record = Record.unsigned(
    ...     index=0, side="any", previous=b"", time="2026-11-21T10:03:00Z", steps=[Resign()]
    ... )
    >>> file = SaveFile((record,), summary=("Anna invites you.",))
    >>> data = file.write()
    >>> SaveFile.read(data) == SaveFile.read(data.replace(b"\n", b"\r\n")) == file
    True
    >>> print(data.decode()[:33])
    format = "acres-save"
    version = 1
    >>> SaveFile.is_canonical(data), SaveFile.is_canonical(b"# a comment\n" + data)
    (True, False)
    """

    records: tuple[Record, ...]
    boxes: Mapping[str, Box] = MappingProxyType({})
    summary: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> SaveFile:
        """Return the save file in `data`. Raises InputError for anything else (R-1, R-2).

        Lines may end with LF or CRLF, and the file may begin with a byte-order mark.
        """
        return cls._of(_KIND.read(data))

    @classmethod
    def read_after_snapshot(
        cls, data: bytes, lookup: CacheLookup
    ) -> tuple[SaveFile, Snapshot] | None:
        r"""Return a save file and the last snapshot of its game, after which it was read.

        `lookup` returns the snapshots. Returns None, or raises any error, if the file does not
        begin with the records of a snapshot, or does not have the layout of `write`.

        >>> from pbem.protocol.cache import no_cache
        >>> data = b'format = "acres-save"\nversion = 1\n\n[[record]]\nindex = 1\n'
        >>> SaveFile.read_after_snapshot(data, no_cache)
        Traceback (most recent call last):
        pbem.errors.InputError: Record 0 cannot be read: side is missing.
        """
        lines = data.replace(b"\r\n", b"\n")
        text = lines.decode("ascii")
        at = text.index(RECORD_HEADER)
        # A blank line precedes each table of the document, but not the tables in a table.
        ends = text.find("\n\n[", at)
        (first,) = read_records(parse(text[at : None if ends < 0 else ends + 1])["record"])
        snapshots = [s for s in lookup(first.hash).snapshots if s.is_prefix_of(text[at:])]
        if not snapshots:
            return None
        snapshot = max(snapshots)
        rest = text[:at] + text[at + snapshot.length :]
        file = cls._of(_KIND.read(rest.encode()), snapshot.read_records(text[at:]))
        return (file, snapshot) if file.write() == lines else None

    @classmethod
    def is_canonical(cls, data: bytes) -> bool:
        """Return True if these bytes, except for CRLF, are the output of `write` for a file."""
        try:
            return cls.read(data).write() == data.replace(b"\r\n", b"\n")
        except (ValueError, InputError, UsageError):
            return False

    @classmethod
    def _of(cls, document: dict[str, Any], first: Sequence[Record] = ()) -> SaveFile:
        return cls(
            (*first, *read_records(document.get("record"), len(first))),
            _boxes(document.get("sealed", {})),
            _summary(document.get("summary", {"lines": []})),
        )

    def write(self) -> bytes:
        """Return the file in this program's layout: ASCII, LF, lines of at most 76 characters.

        Raises UsageError if the game is too long for a file, ValueError for an invalid summary.
        See docs/save-format.md, Lines.
        """
        head: dict[str, Plain] = {"format": _KIND.format, "version": _KIND.version}
        if self.summary:
            head["summary"] = {"lines": list(self.summary)}
            read_table(head["summary"], _SUMMARY)
        sealed: dict[str, Plain] = {
            side: {"at": box.record_index, "box": encode_bytes(box.sealed)}
            for side, box in sorted(self.boxes.items())
        }
        end = lay_out({"sealed": sealed}) if sealed else ""
        data = f"{lay_out(head)}{lay_out_records(self.records)}{end}".encode("ascii")
        if not fits_limits(data) or len(self.records) > MAX_RECORDS:
            raise UsageError("The game has grown too long for a save file.")
        return data


def read_records(plain: object, start: int = 0) -> tuple[Record, ...]:
    """Return the records of a document. Raises InputError for anything else (R-1.10, R-2).

    `start` is the number of records read before these, from a snapshot. There must be at least one
    record in all.

    >>> read_records([])
    Traceback (most recent call last):
    pbem.errors.InputError: A save file has 1 to 5000 records; this one does not.
    """
    if plain is None and start:
        return ()
    if not isinstance(plain, list) or not 1 <= len(plain) + start <= MAX_RECORDS:
        raise InputError(
            "A save file has 1 to {most} records; this one does not.",
            Rule.RECORDS,
            most=MAX_RECORDS,
        )
    records = []
    for item in plain:
        try:
            records.append(Record.from_plain(item))
        except SchemaError as error:
            number = start + len(records)
            message = Message(
                "Record {number} cannot be read: {reason}.", number=number, reason=message_of(error)
            )
            raise InputError(message, error.rule) from None
    return tuple(records)


# --- files that are not read whole

_HEADER, _SEALED = RECORD_HEADER.encode(), b"\n[sealed"


class FileScan(NamedTuple):
    r"""The beginning of a save file that was not read whole.

    `records` are its first two records, or only the first, and `text` is the text of all records
    with LF. If it is the `beginning` of the text of another file, so are the records.

    >>> from pbem.protocol.steps import Resign
    >>> record = Record.unsigned(
    ...     index=0, side="any", previous=b"", time="2026-11-21T10:03:00Z", steps=[Resign()]
    ... )
    >>> scan = FileScan.of(SaveFile((record,)).write())
    >>> scan.records == (record,), scan.number, scan.beginning(3)
    (True, 1, b'')
    >>> FileScan.of(b"[[record]]") is None
    True
    """

    records: tuple[Record, ...]
    text: bytes

    @classmethod
    def of(cls, data: bytes) -> FileScan | None:
        """Return the scan of a file, or None if it has another layout than `write` gives it."""
        lines = data.replace(b"\r\n", b"\n")
        at = lines.find(_HEADER)
        end = lines.find(_SEALED, at)
        end = len(lines) if end < 0 else end
        text = lines[at:end]
        try:
            # Records anywhere else would be in this document, too.
            document = _KIND.read(lines[:at] + lines[end:])
            if at < 0 or "record" in document or not fits_limits(data):
                return None
            records = first_records(text, 2)
            if len(records) != min(2, text.count(_HEADER)):
                # TOML allows other headers of records, too.
                return None
            SaveFile._of(document, records)
        except (InputError, ValueError):
            return None
        return cls(records, text)

    @property
    def number(self) -> int:
        """The number of records in the text."""
        return self.text.count(_HEADER)

    def beginning(self, length: int) -> bytes:
        """Return the first `length` bytes of the text; empty unless a record ends there."""
        is_end = length == len(self.text) or self.text.startswith(_HEADER, length)
        return self.text[:length] if is_end else b""


def first_records(data: bytes, count: int) -> tuple[Record, ...]:
    """Return at most `count` records from the beginning of the text of a file.

    Raises InputError or ValueError if they cannot be read.
    """
    starts = [match.start() for match in islice(re.finditer(re.escape(_HEADER), data), count + 1)]
    return _parse_records(data[starts[0] : starts[count] if len(starts) > count else None])


@lru_cache(maxsize=64)
def _parse_records(text: bytes) -> tuple[Record, ...]:
    return read_records(parse(text.decode("ascii")).get("record"))


def _summary(plain: object) -> tuple[str, ...]:
    lines: tuple[str, ...] = _table("summary", plain, _SUMMARY, Rule.SUMMARY)["lines"]
    return lines


def _boxes(plain: object) -> dict[str, Box]:
    if not isinstance(plain, dict) or not plain.keys() <= set(_SIDES):
        raise InputError(
            "There has to be one sealed box for british and one for french.", Rule.BOXES
        )
    tables = {side: _table(f"sealed.{side}", plain[side], _BOX, Rule.BOXES) for side in plain}
    return {side: Box(table["at"], table["box"]) for side, table in tables.items()}


def _table(name: str, plain: object, codecs: dict[str, Codec], rule: Rule) -> dict[str, Any]:
    try:
        return read_table(plain, codecs)
    except ValueError as error:
        message = Message(
            "The table {table} cannot be read: {reason}.", table=name, reason=message_of(error)
        )
        raise InputError(message, rule) from None


# --- evidence of a fork


FORMAT = "acres-fork"

_EVIDENCE_KIND = FileKind(
    FORMAT, 1, mark("an evidence file"), frozenset({"format", "version", "key", "record"})
)
_KEY = Bytes(32)


class EvidenceFile(NamedTuple):
    """A file with evidence of a fork; `read` checks only the form.

    >>> from pbem.protocol.identity import Identity
    >>> from pbem.protocol.primitives import Tag
    >>> from pbem.protocol.steps import OrderStep
    >>> anna, time = Identity("Anna", "", bytes(32)), "2026-11-21T10:03:00Z"
    >>> drafts = [
    ...     Record.unsigned(
    ...         index=4, side="british", previous=bytes(32), time=time, steps=[OrderStep(order)]
    ...     )
    ...     for order in ("pass", "end")
    ... ]
    >>> one, two = (d._replace(signature=anna.sign(Tag.SIGNATURE, d.hash)) for d in drafts)
    >>> file = EvidenceFile(Evidence(anna.public_key, (one, two)))
    >>> EvidenceFile.read(file.write()).evidence.check()
    >>> Evidence(anna.public_key, (one, one)).check()
    Traceback (most recent call last):
    pbem.protocol.fork.NoForkError: This is no fork: both are the same record.
    """

    evidence: Evidence

    @classmethod
    def read(cls, data: bytes) -> EvidenceFile:
        """Return the evidence in `data`. Raises InputError for anything else (R-11.1)."""
        document = _EVIDENCE_KIND.read(data)
        plain = document.get("record")
        if not isinstance(plain, list) or len(plain) != 2:
            raise InputError(
                "Evidence of a fork has two records; this file does not.", Rule.FORK_FORM
            )
        one, two = read_records(plain)
        try:
            key = _KEY.read(document.get("key"))
        except ValueError as error:
            # Translators: {problem} is, for example, “must be 32 bytes in base64url”.
            message = Message(
                "The key of the evidence cannot be read: it {problem}.", problem=message_of(error)
            )
            raise InputError(message, Rule.FORK_FORM) from None
        return cls(Evidence(key, (one, two)))

    @property
    def records(self) -> tuple[Record, Record]:
        """Both records."""
        return self.evidence.records

    def write(self) -> bytes:
        """Return the evidence in this program's layout; the two records are sorted by hash."""
        document: dict[str, Plain] = {
            "format": FORMAT,
            "version": _EVIDENCE_KIND.version,
            "key": encode_bytes(self.evidence.key),
            "record": [r.to_plain() for r in sorted(self.records, key=lambda r: r.hash)],
        }
        return lay_out(document).encode("ascii")
