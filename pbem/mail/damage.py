"""Where a file that went through mail is damaged, as the line in which the player sees it.

That is the first that is no line of a file; else, in the first record that cannot be read, the
first that this program would have laid out otherwise, or the one with which that record begins.
docs/save-format.md, Lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.message import Message, Said, labelled, mark, message_of
from pbem.errors import Unreadable
from pbem.mail.repair import RECORD, Mended
from pbem.protocol.layout import lay_out
from pbem.protocol.unreadable import first_unread, is_cut, is_signed
from pbem.savefile.save_file import SaveFile, read_records

_HEADERS = (RECORD, "[[record.steps]]", "[summary]", "[sealed.british]", "[sealed.french]")
_AT_LINE = re.compile(r"\(at line (\d+),")


class Damage(NamedTuple):
    """A damaged file: what it is in, its line there, and the record, None if it is in none.

    `breaks_off` says that its end is missing; `records` is how many of them begin in it. One that
    `is_too_long` was not read, and may be whole; a `reason` is told of one that is not damaged: its
    author signed what is no record.
    """

    where: Said
    line: int
    record: int | None
    records: int
    breaks_off: bool = False
    is_too_long: bool = False
    reason: Said = ""

    def sentence(self) -> Message:
        """What is wrong, and what to do."""
        if self.reason:
            return labelled(self.where, self.reason)
        # Translators: {where} is as “the attachment bela-004.toml” or “the text of the message”; it
        # may also stand in brackets. So too in the next ones.
        if self.is_too_long:
            told = mark(
                "The save file in {where} is too long to be taken out of a text: ask for it to be "
                "sent as an attachment."
            )
        elif self.breaks_off and self.record is not None:
            told = mark(
                "The save file in {where} breaks off at line {line}, in record {record}: ask for "
                "it to be sent again."
            )
        elif self.breaks_off:
            told = mark(
                "The save file in {where} breaks off at line {line}: ask for it to be sent again."
            )
        elif self.record is not None:
            told = mark(
                "The save file in {where} is damaged from line {line} on, in record {record}: ask "
                "for it to be sent again."
            )
        else:
            told = mark(
                "The save file in {where} is damaged from line {line} on: ask for it to be sent "
                "again."
            )
        return Message(told, where=self.where, line=self.line, record=self.record)


def damage_of(mended: Mended, where: Said) -> Damage:
    """Where the damage begins to what was mended, and is no file all the same."""
    if mended.damage:
        return _at(mended, where, mended.damage, breaks_off=mended.breaks_off)
    try:
        document = mended.document()
    except ValueError as error:
        match = _AT_LINE.search(str(error))
        number = min(int(match[1]), len(mended.statements)) if match else 1
        return _at(mended, where, mended.statements[number - 1].line)
    begins, records = mended.record_lines(), document.get("record", [])
    if not isinstance(records, list) or len(records) != len(begins):
        return Damage(where, _first_strange(mended), None, len(begins))
    lines = damaged_lines(mended, lay_out(document))
    index = first_unread(records)
    if index is not None:
        if is_signed(records, index):
            return Damage(where, lines[index], index, len(begins), reason=_why_unread(records))
        is_end = index == len(records) - 1 and not mended.line_of("[sealed")
        if is_end and is_cut(records):
            return Damage(where, mended.last, index, len(begins), breaks_off=True)
        return Damage(where, lines[index], index, len(begins))
    if not begins:
        return Damage(where, mended.last, None, 0, breaks_off=True)
    sealed = mended.line_of("[sealed")
    is_sealed = bool(sealed) and _reads(document | {"sealed": {}})
    return Damage(where, sealed if is_sealed else mended.first, None, len(begins))


def _why_unread(records: list[Any]) -> Said:
    try:
        read_records(records)
    except Unreadable as error:
        return message_of(error)
    raise AssertionError("there is a record that cannot be read")


def damaged_lines(mended: Mended, laid_out: str) -> list[int]:
    """For each record the line at which damage to it would begin; `laid_out` is as it should be."""
    begins = mended.record_lines()
    expected = laid_out.split(f"{RECORD}\n")[1:]
    found = []
    for begin, end, block in zip(begins, [*begins[1:], mended.last + 1], expected, strict=False):
        given = mended.lines[begin - mended.first + 1 : end - mended.first]
        found.append(_first_other(given, block.split("\n"), begin))
    return found


def _first_other(given: Sequence[str], expected: Sequence[str], begin: int) -> int:
    """The first of the lines behind the one at `begin` that is not as expected; else that one."""
    wanted = [line.strip() for line in expected if line.strip()]
    lines = [(number, line.strip()) for number, line in enumerate(given, begin + 1) if line.strip()]
    pairs = zip(lines, wanted, strict=False)
    return next((number for (number, line), other in pairs if line != other), begin)


def _first_strange(mended: Mended) -> int:
    """The first line at which no file of this program begins a table, or says what records are."""
    for line, text in mended.statements:
        if text.startswith("record =") or (text.startswith("[") and text not in _HEADERS):
            return line
    return mended.first


def _at(mended: Mended, where: Said, line: int, *, breaks_off: bool = False) -> Damage:
    begins = mended.record_lines()
    before = sum(begin <= line for begin in begins)
    sealed = mended.line_of("[sealed")
    record = before - 1 if before and not (sealed and sealed <= line) else None
    return Damage(where, line, record, len(begins), breaks_off)


def _reads(document: dict[str, object]) -> bool:
    try:
        SaveFile.read(lay_out(document).encode("ascii"))  # type: ignore[arg-type]
    except Unreadable:
        return False
    return True
