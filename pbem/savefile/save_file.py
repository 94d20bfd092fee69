"""The save file, the one thing that two players exchange; and the evidence of a fork as a file.

docs/save-format.md, and there Evidence of a fork.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.message import Message, mark, message_of
from pbem.errors import Unreadable, WrongUse
from pbem.errors.rule import Rule
from pbem.protocol.cache import CacheLookup, Snapshot, lay_out_records
from pbem.protocol.fork import Evidence
from pbem.protocol.identity import BLOCK, MAX_SEALED, MIN_SEALED, Box
from pbem.protocol.record import BEGINS, MAX_RECORDS, Record
from pbem.protocol.schema import (
    Bytes,
    Codec,
    Integer,
    ListOf,
    Malformed,
    Plain,
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
    "box": Bytes(MIN_SEALED, MAX_SEALED, block=BLOCK),
}
_SIDES = ("british", "french")
_KIND = FileKind(
    "acres-save",
    1,
    mark("a save file"),
    frozenset({"format", "version", "summary", "record", "sealed"}),
)


class SaveFile(NamedTuple):
    """A game on its way: the chain of records, a sealed box a side, a summary for human eyes.

    `boxes` has at most one for "british" and one for "french". Nothing but the form has been
    checked of what `read` returns, and no program may rely on the `summary`.
    """

    records: tuple[Record, ...]
    boxes: Mapping[str, Box] = MappingProxyType({})
    summary: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> SaveFile:
        """Read a file. Raises Unreadable, which says what is wrong, for anything but a save file.

        Lines may end with LF or CRLF, and the file may begin with a byte-order mark.
        """
        return cls._of(_KIND.read(data))

    @classmethod
    def read_after_snapshot(
        cls, data: bytes, known: CacheLookup
    ) -> tuple[SaveFile, Snapshot] | None:
        """Read a file behind the last snapshot that is `known` of its game.

        None, or any error, if it does not begin with one, or is not as `write` lays it out.
        """
        lines = data.replace(b"\r\n", b"\n")
        text = lines.decode("ascii")
        at = text.index(BEGINS)
        # A blank line is before each table but those within another.
        ends = text.find("\n\n[", at)
        (first,) = read_records(parse(text[at : None if ends < 0 else ends + 1])["record"])
        fitting = [each for each in known(first.hash).snapshots if each.is_prefix_of(text[at:])]
        if not fitting:
            return None
        snapshot = max(fitting)
        rest = text[:at] + text[at + snapshot.length :]
        file = cls._of(_KIND.read(rest.encode()), snapshot.read_records(text[at:]))
        return (file, snapshot) if file.write() == lines else None

    @classmethod
    def is_canonical(cls, data: bytes) -> bool:
        """Return True if `write` gives these bytes, but for CRLF, for some file."""
        try:
            return cls.read(data).write() == data.replace(b"\r\n", b"\n")
        except (ValueError, Unreadable, WrongUse):
            return False

    @classmethod
    def _of(cls, document: dict[str, Any], begun: Sequence[Record] = ()) -> SaveFile:
        return cls(
            (*begun, *read_records(document.get("record"), len(begun))),
            _boxes(document.get("sealed", {})),
            _summary(document.get("summary", {"lines": []})),
        )

    def write(self) -> bytes:
        """The one way in which this program lays the file out: ASCII, LF, lines of 76 at most.

        WrongUse if the game is too long for a file; ValueError for a summary that no reader takes.
        """
        head: dict[str, Plain] = {"format": _KIND.format, "version": _KIND.version}
        if self.summary:
            head["summary"] = {"lines": list(self.summary)}
            read_table(head["summary"], _SUMMARY)
        sealed: dict[str, Plain] = {
            side: {"at": box.at, "box": encode_bytes(box.sealed)}
            for side, box in sorted(self.boxes.items())
        }
        end = lay_out({"sealed": sealed}) if sealed else ""
        data = f"{lay_out(head)}{lay_out_records(self.records)}{end}".encode("ascii")
        if not fits_limits(data) or len(self.records) > MAX_RECORDS:
            raise WrongUse("The game has grown too long for a save file.")
        return data


def read_records(plain: object, begun: int = 0) -> tuple[Record, ...]:
    """Records as a document holds them, behind those `begun`; raises Unreadable for anything else.

    There has to be one in all.
    """
    if plain is None and begun:
        return ()
    if not isinstance(plain, list) or not 1 <= len(plain) + begun <= MAX_RECORDS:
        raise Unreadable(
            "A save file has 1 to {most} records; this one does not.",
            Rule.RECORDS,
            most=MAX_RECORDS,
        )
    records = []
    for item in plain:
        try:
            records.append(Record.from_plain(item))
        except Malformed as error:
            number = begun + len(records)
            told = Message(
                "Record {number} cannot be read: {reason}.", number=number, reason=message_of(error)
            )
            raise Unreadable(told, error.rule) from None
    return tuple(records)


def _summary(plain: object) -> tuple[str, ...]:
    lines: tuple[str, ...] = _table("summary", plain, _SUMMARY, Rule.SUMMARY)["lines"]
    return lines


def _boxes(plain: object) -> dict[str, Box]:
    if not isinstance(plain, dict) or not plain.keys() <= set(_SIDES):
        raise Unreadable(
            "There has to be one sealed box for british and one for french.", Rule.BOXES
        )
    tables = {side: _table(f"sealed.{side}", plain[side], _BOX, Rule.BOXES) for side in plain}
    return {side: Box(table["at"], table["box"]) for side, table in tables.items()}


def _table(name: str, plain: object, codecs: dict[str, Codec], rule: Rule) -> dict[str, Any]:
    try:
        return read_table(plain, codecs)
    except ValueError as error:
        told = Message(
            "The table {table} cannot be read: {reason}.", table=name, reason=message_of(error)
        )
        raise Unreadable(told, rule) from None


# --- evidence of a fork


FORMAT = "acres-fork"

_EVIDENCE_KIND = FileKind(
    FORMAT, 1, mark("an evidence file"), frozenset({"format", "version", "key", "record"})
)
_KEY = Bytes(32)


class EvidenceFile(NamedTuple):
    """A file of evidence, which has the right form and is not checked."""

    evidence: Evidence

    @classmethod
    def read(cls, data: bytes) -> EvidenceFile:
        """Read a file. Raises Unreadable, which says what is wrong, for anything else."""
        document = _EVIDENCE_KIND.read(data)
        plain = document.get("record")
        if not isinstance(plain, list) or len(plain) != 2:
            raise Unreadable(
                "Evidence of a fork has two records; this file does not.", Rule.FORK_FORM
            )
        one, two = read_records(plain)
        try:
            key = _KEY.read(document.get("key"))
        except ValueError as error:
            # Translators: {problem} is such as “must be 32 bytes in base64url”.
            told = Message(
                "The key of the evidence cannot be read: it {problem}.", problem=message_of(error)
            )
            raise Unreadable(told, Rule.FORK_FORM) from None
        return cls(Evidence(key, (one, two)))

    @property
    def records(self) -> tuple[Record, Record]:
        """Both records."""
        return self.evidence.records

    def write(self) -> bytes:
        """The one way in which this program lays evidence out, whichever record came first."""
        document: dict[str, Plain] = {
            "format": FORMAT,
            "version": _EVIDENCE_KIND.version,
            "key": encode_bytes(self.evidence.key),
            "record": [r.to_plain() for r in sorted(self.records, key=lambda r: r.hash)],
        }
        return lay_out(document).encode("ascii")
