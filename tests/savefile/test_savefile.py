"""The save file: read as it was written, whatever mail did to it; refused in one sentence."""

import re
import tomllib
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Unreadable
from pbem.protocol import steps
from pbem.protocol.identity import Box
from pbem.protocol.schema import lay_out
from pbem.savefile.save_file import SaveFile
from tests.sample import check_each, few_or_many
from tests.savefile.strategies import ANNE, save_files
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


def check_written(saved: SaveFile) -> None:
    data = saved.write()
    assert SaveFile.read(data) == saved
    assert SaveFile.read(data).write() == data
    assert all(len(line) <= 76 for line in data.split(b"\n"))
    assert data.isascii()
    assert b"\r" not in data


@few_or_many(15, 100)
def test_what_was_written_is_read_again(examples: int) -> None:
    check_each(check_written, examples, save_files)


@given(save_files)
@settings(max_examples=15)
def test_mail_does_no_harm(saved: SaveFile) -> None:
    data = saved.write()
    lines = data.split(b"\n")
    assert not any(line.startswith((b"From ", b">", b".")) or line.endswith(b" ") for line in lines)
    assert SaveFile.read(data.replace(b"\n", b"\r\n")) == saved
    assert SaveFile.read(b"\xef\xbb\xbf" + data) == saved
    # Space-stuffed (RFC 3676), and quoted by a program that indents.
    assert SaveFile.read(b"\n".join(b" " + line for line in lines)) == saved
    assert SaveFile.read(b"\n".join(b"    " + line for line in lines)) == saved
    # Pasted with the indentation lost and blank lines at both ends.
    assert SaveFile.read(b"\n\n" + b"\n".join(map(bytes.lstrip, lines)) + b"\n\n") == saved


tables = st.fixed_dictionaries(
    {"a": st.text(), "b": st.lists(st.text('a \n\\"\t\x7fé😀', max_size=99)), "c": st.integers()}
)
Table = Mapping[str, int | str | Sequence[str]]


def check_layout(table: Table) -> None:
    text = lay_out(table)
    assert tomllib.loads(text) == table
    assert max(map(len, text.split("\n"))) <= 76


@few_or_many(15, 100)
def test_the_layout_is_toml_of_short_lines(examples: int) -> None:
    check_each(check_layout, examples, tables)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        SaveFile.read(data)


@given(st.data())
@settings(max_examples=250)
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    damaged = bytearray(SAVED)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged)))
        until = data.draw(st.integers(place, min(len(damaged), place + 9)))
        damaged[place:until] = data.draw(st.binary(max_size=9))
    try:
        SaveFile.read(bytes(damaged))
    except Unreadable as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert "\n" not in sentence


@pytest.mark.parametrize("length", range(0, len(SAVED) - 1, 7))
def test_a_truncated_file_is_refused_or_does_not_verify(length: int) -> None:
    try:
        (record,) = SaveFile.read(SAVED[:length]).records
    except Unreadable:
        return
    assert not record.verify(ANNE.public_key)


def test_the_longest_line_does_not_count_its_end() -> None:
    for end in ("\n", "\r\n"):
        assert SaveFile.read(("#" * 120 + end + TEXT).encode()) == SaveFile.read(SAVED)


@pytest.mark.parametrize("at", [0, 1, 4999])
def test_a_box_may_name_a_record_that_the_file_has_not(at: int) -> None:
    text = TEXT + f'[sealed.french]\nat = {at}\nbox = """{folded(272)}"""\n'
    assert SaveFile.read(text.encode()).boxes == {"french": Box(at, bytes(272))}


def folded(size: int) -> str:
    """How many zero bytes in base64url, over lines that are not too long."""
    return "\\\n".join(re.findall(".{1,76}", naive.b64(bytes(size))))


@pytest.mark.parametrize("data", [b"\xff\xfe", TEXT.encode("utf-16"), bytes(range(256))])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="not a text file"):
        SaveFile.read(data)


def test_nothing_is_written_that_would_not_be_read() -> None:
    for line in ("two\nlines", "x" * 201, "\x1b[2J", "\u202e"):
        with pytest.raises(ValueError, match="lines number 1"):
            SaveFile((FIRST,), summary=(line,)).write()
