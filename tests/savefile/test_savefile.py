"""The save file: read as it was written, whatever mail did to it; refused in one sentence."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import process_time
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Unreadable, WrongUse
from pbem.protocol import steps
from pbem.protocol.layout import lay_out, take_in
from pbem.protocol.record import Record
from pbem.protocol.sealed_box import Box
from pbem.savefile.document import MAX_SIZE
from pbem.savefile.save_file import SaveFile
from tests.savefile.strategies import ANNE, save_files
from tests.vectors import naive

FIRST = Record.signed(
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


few = settings(deadline=None, max_examples=15)
"""Of each property; in the long run it has the usual number, or `many`."""
many = settings(deadline=None, max_examples=300, derandomize=False)


def check_written(saved: SaveFile) -> None:
    data = saved.write()
    assert SaveFile.read(data) == saved
    assert SaveFile.read(data).write() == data
    assert all(len(line) <= 76 for line in data.split(b"\n"))
    assert data.isascii()
    assert b"\r" not in data


@given(save_files)
@few
def test_what_was_written_is_read_again(saved: SaveFile) -> None:
    check_written(saved)


@pytest.mark.long
@given(save_files)
def test_whatever_was_written_is_read_again(saved: SaveFile) -> None:
    check_written(saved)


def check_without_a_reader(saved: SaveFile) -> None:
    with patch("pbem.savefile.document.tomllib.loads", side_effect=AssertionError("it is asked")):
        try:
            read = SaveFile.read(saved.write())
        except AssertionError:
            # What stands in JSON otherwise than in TOML.
            assert b"\\U" in saved.write()
            return
        assert SaveFile.read(saved.write().replace(b"\n", b"\r\n")) == saved
    assert read == saved
    assert tomllib.loads(saved.write().decode()) == tomllib.loads(read.write().decode())


@given(save_files)
@few
def test_what_this_program_wrote_is_read_alike_without_a_toml_reader(saved: SaveFile) -> None:
    check_without_a_reader(saved)


@pytest.mark.long
@given(save_files)
def test_whatever_this_program_wrote_is_read_alike_without_a_toml_reader(saved: SaveFile) -> None:
    check_without_a_reader(saved)


PIECES = [
    "[[record]]", "[[record.steps]]", "[record]", "[summary]", "[sealed]", "[sealed.french]",
    "[sealed.british]", "format", "version", "lines = []", "index = 0", "at = 0", " = ", '"', '"""',
    '"""\\', "\\", "\n", "\n\n", "  ", " ", "\r", "[", "]", ",", "# x", "1", "-", "true",
    "\\u00e9", "é", "signature", 'kind = "order"', 'a.b = "c"', "'x'", "{}", "0x1", "1_0", "=",
]  # fmt: skip


def check_another_text(data: st.DataObject) -> None:
    """Pieces of TOML are put anywhere, and lines repeated, moved and left out."""
    long = "Anna (British) " * 8
    whole = SaveFile((FIRST,), {"french": Box(0, bytes(272))}, ("Turn 3.", long)).write()
    lines = whole.decode().split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["put", "change", "drop", "repeat", "move"])):
            case "put":
                lines.insert(at, data.draw(st.sampled_from(PIECES)))
            case "change":
                place = data.draw(st.integers(0, len(lines[at])))
                until = data.draw(st.integers(place, min(len(lines[at]), place + 4)))
                piece = data.draw(st.sampled_from(PIECES))
                lines[at] = lines[at][:place] + piece + lines[at][until:]
            case "drop":
                del lines[at]
            case "repeat":
                lines.insert(at, lines[at])
            case "move":
                lines.insert(data.draw(st.integers(0, len(lines) - 1)), lines.pop(at))
    text = "\n".join(lines).encode()
    with patch.object(SaveFile, "_as_written", return_value=None):
        expected = read_or_why(text)
    assert read_or_why(text) == expected


@given(st.data())
@settings(few, max_examples=100)
def test_no_text_is_read_otherwise_than_a_toml_reader_reads_it(data: st.DataObject) -> None:
    check_another_text(data)


@pytest.mark.long
@given(st.data())
@many
def test_not_one_text_is_read_otherwise_than_a_toml_reader_reads_it(data: st.DataObject) -> None:
    check_another_text(data)


def read_or_why(data: bytes) -> SaveFile | str:
    try:
        return SaveFile.read(data)
    except Unreadable as error:
        return str(error)


@pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "line",
    [
        "a = 1",
        "[[a]]",
        "[a.a.a.a.a.a.a.a.a.a]",
        "[[a.b]]",
        'a = """\\',
        "  x",
        "a = [",
        '"""',
        "\\",
    ],
)
def test_no_text_takes_long_to_be_found_another_one(line: str, part: int) -> None:
    """A fourth of the longest in a fourth of the time; in the long run the longest."""
    text = "\n".join([line] * (MAX_SIZE // part // (len(line) + 1)))
    begun = process_time()
    with suppress(ValueError):
        take_in(text)
    assert process_time() - begun < 3 / part


@given(save_files)
@few
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
    {
        "a": st.text(),
        "b": st.lists(st.text('a \n\\"\t\x7fé😀', max_size=99)),
        "c": st.integers(),
    }
)
Table = Mapping[str, int | str | Sequence[str]]


def check_layout(table: Table) -> None:
    text = lay_out(table)
    assert tomllib.loads(text) == table
    assert max(map(len, text.split("\n"))) <= 76


@given(tables)
@few
def test_the_layout_is_toml_of_short_lines(table: Table) -> None:
    check_layout(table)


@pytest.mark.long
@given(tables)
def test_the_layout_of_anything_is_toml_of_short_lines(table: Table) -> None:
    check_layout(table)


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
    with pytest.raises(WrongUse, match="too long"):
        SaveFile((FIRST,) * 5001).write()
