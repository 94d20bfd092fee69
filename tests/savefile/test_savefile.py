"""The save file round-trips, also after changes by mail programs, or is refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pbem.errors import InputError
from pbem.protocol import steps
from pbem.protocol.identity import Box
from pbem.protocol.record import Record
from pbem.protocol.schema import lay_out
from pbem.savefile.armour import armour, find_blocks, unarmour
from pbem.savefile.save_file import SaveFile
from tests.sample import check_each, few_or_many
from tests.savefile.strategies import ANNE, boxes, records, save_files, sides, summaries
from tests.signing import make_record
from tests.vectors import naive

FIRST = make_record(
    ANNE,
    index=0,
    side="any",
    previous=b"",
    time="2026-11-21T10:03:00Z",
    steps=[
        steps.OrderStep("settle Deerfield: " + "New Haven, " * 20 + "Boston"),
        steps.DrawStep(5),
    ],
)
SAVED = SaveFile((FIRST,), summary=("Turn 3: France to move.", "  Québec holds.")).write()
TEXT = SAVED.decode()
BOM = b"\xef\xbb\xbf"


def check_written(saved: SaveFile) -> None:
    data = saved.write()
    assert SaveFile.read(data) == saved
    assert SaveFile.read(data).write() == data
    assert SaveFile.is_canonical(data)
    assert data.isascii()
    assert b"\r" not in data
    for line in data.split(b"\n"):
        assert len(line) <= 76
        assert not line.startswith((b"From ", b">", b"."))
        assert not line.endswith(b" ")


@few_or_many(15, 100)
def test_written_file_round_trips(examples: int) -> None:
    check_each(check_written, examples, save_files)


class Journey(RuleBasedStateMachine):
    """A growing file that mail programs and editors change, and that always reads the same."""

    def __init__(self) -> None:
        super().__init__()
        self.saved = SaveFile((FIRST,))
        self.data = self.saved.write()
        self.indents = 0

    def _write(self, saved: SaveFile) -> None:
        self.saved, self.data, self.indents = saved, saved.write(), 0

    @rule(record=records())
    def add_record(self, record: Record) -> None:
        self._write(self.saved._replace(records=(*self.saved.records, record)))

    @rule(side=sides, box=boxes)
    def seal_box(self, side: str, box: Box) -> None:
        self._write(self.saved._replace(boxes={**self.saved.boxes, side: box}))

    @rule(lines=summaries)
    def summarize(self, lines: tuple[str, ...]) -> None:
        self._write(self.saved._replace(summary=lines))

    @rule()
    def windows(self) -> None:
        self.data = re.sub(rb"(?<!\r)\n", b"\r\n", self.data)

    @precondition(lambda self: not self.data.startswith(BOM))
    @rule()
    def mark_byte_order(self) -> None:
        self.data = BOM + self.data

    @precondition(lambda self: not self.data.startswith(BOM) and self.indents < 5)
    @rule(spaces=st.sampled_from([b" ", b"    ", b"\t"]))
    def indent(self, spaces: bytes) -> None:
        self.data = b"\n".join(spaces + line for line in self.data.split(b"\n"))
        self.indents += 1

    @precondition(lambda self: not self.data.startswith(BOM))
    @rule()
    def lose_indentation(self) -> None:
        self.data = b"\n\n" + b"\n".join(map(bytes.lstrip, self.data.split(b"\n"))) + b"\n\n"
        self.indents = 0

    @rule(
        prefix=st.from_regex(r"(>[> ]{0,5})?", fullmatch=True), end=st.sampled_from(["\n", "\r\n"])
    )
    def quote_as_armour(self, prefix: str, end: str) -> None:
        block = "".join(f"{prefix}{line}{end}" for line in armour(self.data).splitlines())
        (found_block,) = find_blocks(f"Hello,{end}{block}Bye{end}".encode())
        assert unarmour(found_block) == self.data

    @invariant()
    def read_the_same(self) -> None:
        assert SaveFile.read(self.data) == self.saved


TestJourney = Journey.TestCase
TestJourney.settings = settings(max_examples=20, stateful_step_count=12, deadline=None)

tables = st.fixed_dictionaries(
    {"a": st.text(), "b": st.lists(st.text('a \n\\"\t\x7fé😀', max_size=99)), "c": st.integers()}
)
Table = Mapping[str, int | str | Sequence[str]]


def check_layout(table: Table) -> None:
    text = lay_out(table)
    assert tomllib.loads(text) == table
    assert max(map(len, text.split("\n"))) <= 76


@few_or_many(15, 100)
def test_layout_is_toml_of_short_lines(examples: int) -> None:
    check_each(check_layout, examples, tables)


@given(st.data())
@settings(max_examples=250)
def test_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    damaged = bytearray(SAVED)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = data.draw(st.integers(start, min(len(damaged), start + 9)))
        damaged[start:end] = data.draw(st.binary(max_size=9))
    try:
        SaveFile.read(bytes(damaged))
    except InputError as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert "\n" not in sentence


@pytest.mark.parametrize("length", range(0, len(SAVED) - 1, 7))
def test_truncated_file_is_refused_or_does_not_verify(length: int) -> None:
    try:
        (record,) = SaveFile.read(SAVED[:length]).records
    except InputError:
        return
    assert not record.verify(ANNE.public_key)


@pytest.mark.parametrize("at", [0, 1, 4999])
def test_box_may_name_a_missing_record(at: int) -> None:
    folded = "\\\n".join(re.findall(".{1,76}", naive.b64(bytes(272))))
    text = TEXT + f'[sealed.french]\nat = {at}\nbox = """{folded}"""\n'
    assert SaveFile.read(text.encode()).boxes == {"french": Box(at, bytes(272))}


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", TEXT.encode("utf-16"), bytes(range(256))])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        SaveFile.read(data)


@pytest.mark.parametrize("line", ["two\nlines", "x" * 201, "\x1b[2J", "\u202e"])
def test_invalid_summary_is_not_written(line: str) -> None:
    with pytest.raises(ValueError, match="lines number 1"):
        SaveFile((FIRST,), summary=(line,)).write()
