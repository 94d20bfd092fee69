"""The save file: the one thing that two players exchange.

docs/save-format.md.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Any

from pbem.box import BLOCK, MAX_SEALED, MIN_SEALED, Box
from pbem.encoding import Plain, encode_bytes
from pbem.errors import Unreadable, WrongUse
from pbem.layout import lay_out
from pbem.record import MAX_RECORDS, Record
from pbem.schema import UNPRINTED, Bytes, Codec, Integer, Listed, Text, read_table

FORMAT = "acres-save"
VERSION = 1
MAX_SIZE = 2 * 1024 * 1024
# Roomy for lines of 76 that went through mail.
MAX_LINE = 120
# More than any game has. The time that the TOML reader takes for dotted keys grows with the number
# of dots in all, times those in a line.
MAX_DOTS = 65536

SUMMARY_WIDTH = 200

_SUMMARY_LINE = Text(
    rf"[^{UNPRINTED}]{{0,{SUMMARY_WIDTH}}}", f"at most {SUMMARY_WIDTH} visible characters"
)
_SUMMARY: dict[str, Codec] = {"lines": Listed(_SUMMARY_LINE, 0, 200)}
_BOX: dict[str, Codec] = {
    "at": Integer(0, MAX_RECORDS - 1),
    "box": Bytes(MIN_SEALED, MAX_SEALED, block=BLOCK),
}
_SIDES = ("british", "french")
_KEYS = {"format", "version", "summary", "record", "sealed"}


@dataclass(frozen=True)
class SaveFile:
    """A game on its way: the chain of records, a sealed box a side, a summary for human eyes.

    `boxes` has at most one for "british" and one for "french". Nothing but the form has been
    checked of what `read` returns, and no program may rely on the `summary`.
    """

    records: tuple[Record, ...]
    boxes: dict[str, Box] = field(default_factory=dict)
    summary: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> SaveFile:
        """Read a file. Raises Unreadable, which says what is wrong, for anything but a save file.

        Lines may end with LF or CRLF, and the file may begin with a byte-order mark.
        """
        document = _parse(data)
        if document.get("format") != FORMAT:
            raise Unreadable("This is not a save file of acres.")
        version = document.get("version")
        if type(version) is int and version > VERSION:
            raise Unreadable("This file was made by a newer acres: update yours to read it.")
        if version != VERSION or type(version) is not int:
            raise Unreadable(f"This save file has no proper version: {VERSION} is known.")
        for key in document.keys() - _KEYS:
            raise Unreadable(f"The save file has a key that is not known here, {key[:40]!a}.")
        return cls(
            _records(document.get("record")),
            _boxes(document.get("sealed", {})),
            _table("summary", document.get("summary", {"lines": []}), _SUMMARY)["lines"],
        )

    def write(self) -> bytes:
        """The one way in which this program lays the file out: ASCII, LF, lines of 76 at most.

        WrongUse if the game is too long for a file; ValueError for a summary that no reader takes.
        """
        document: dict[str, Plain] = {"format": FORMAT, "version": VERSION}
        if self.summary:
            document["summary"] = {"lines": list(self.summary)}
            read_table(document["summary"], _SUMMARY)
        document["record"] = [record.to_plain() for record in self.records]
        if self.boxes:
            document["sealed"] = {
                side: {"at": box.at, "box": encode_bytes(box.sealed)}
                for side, box in sorted(self.boxes.items())
            }
        data = lay_out(document).encode("ascii")
        too_long = len(data) > MAX_SIZE or data.count(b".") > MAX_DOTS
        if too_long or len(self.records) > MAX_RECORDS:
            raise WrongUse("The game has grown too long for a save file.")
        return data


def _parse(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_SIZE:
        raise Unreadable(f"This file is larger than {MAX_SIZE // 2**20} MiB: not a save file.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("This is not a text file, and so not a save file.") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line.removesuffix("\r")) > MAX_LINE:
            raise Unreadable(f"Line {number} is too long for a save file.")
    if text.count(".") > MAX_DOTS:
        raise Unreadable(f"This file has more than {MAX_DOTS} full stops: not a save file.")
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Mostly "(at line 3, column 5)"; a number with too many digits has no place.
        raise Unreadable(f"This is not a save file, or it is damaged: {error}.") from None
    except RecursionError:
        raise Unreadable("This is not a save file: it is nested too deeply.") from None


def _records(plain: object) -> tuple[Record, ...]:
    if not isinstance(plain, list) or not 1 <= len(plain) <= MAX_RECORDS:
        raise Unreadable(f"A save file has 1 to {MAX_RECORDS} records; this one has not.")
    records = []
    for item in plain:
        try:
            records.append(Record.from_plain(item))
        except ValueError as error:
            raise Unreadable(f"Record {len(records)} cannot be read: {error}.") from None
    return tuple(records)


def _boxes(plain: object) -> dict[str, Box]:
    if not isinstance(plain, dict) or not plain.keys() <= set(_SIDES):
        raise Unreadable("The sealed boxes are not one for british and one for french.")
    tables = {side: _table(f"sealed.{side}", plain[side], _BOX) for side in plain}
    return {side: Box(table["at"], table["box"]) for side, table in tables.items()}


def _table(name: str, plain: object, codecs: dict[str, Codec]) -> dict[str, Any]:
    try:
        return read_table(plain, codecs)
    except ValueError as error:
        raise Unreadable(f"The table {name} cannot be read: {error}.") from None
