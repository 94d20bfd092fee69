"""Armour: accepted and refused blocks, and changes of blocks."""

from __future__ import annotations

import json
import re
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import InputError
from pbem.savefile.armour import BEGIN, END, armour, find_blocks, unarmour
from pbem.savefile.document import MAX_SIZE
from tests.vectors import naive_armour
from tests.vectors.games import HERE
from tests.vectors.naive_deck import RuleError

VECTORS: dict[str, list[dict[str, Any]]] = json.loads((HERE / "armour.json").read_text("utf-8"))
DOCS = HERE.parents[1] / "docs"
FILE = b'format = "acres-save"\nversion = 1\n'
BLOCK = armour(FILE * 3)


def outcome(read: Callable[[bytes], bytes], block: bytes) -> bytes | None:
    try:
        return read(block)
    except (InputError, RuleError):
        return None


@pytest.mark.parametrize("read", [unarmour, naive_armour.unarmour])
@pytest.mark.parametrize("vector", VECTORS["accepted"], ids=lambda case: case["name"])
def test_both_readers_accept_valid_blocks(
    vector: dict[str, Any], read: Callable[[bytes], bytes]
) -> None:
    data = read(vector["text"].encode())
    assert (len(data), sha256(data).hexdigest()) == (vector["size"], vector["sha256"])


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda case: case["name"])
def test_both_readers_refuse_invalid_blocks(vector: dict[str, Any]) -> None:
    block = vector["text"].encode()
    with pytest.raises(RuleError, match=vector["rule"]):
        naive_armour.unarmour(block)
    with pytest.raises(InputError) as error:
        unarmour(block)
    assert ("larger than 2 MiB" in str(error.value)) == (vector["rule"] == "A-6")
    assert vector["rule"] == "A-3" or "ends before" not in str(error.value)


def test_every_documented_rule_is_broken_by_a_vector() -> None:
    numbers = re.findall(r"^- \*\*(A-\d+)\*\* ", (DOCS / "save-format.md").read_text("utf-8"), re.M)
    assert sorted({vector["rule"] for vector in VECTORS["refused"]}) == numbers


# --- round trips


def quote(text: str, prefix: str, end: str = "\n") -> bytes:
    return "".join(f"{prefix}{line}{end}" for line in text.splitlines()).encode()


@given(st.binary(max_size=500), st.from_regex(r"(>[> ]{0,5})?", fullmatch=True), st.booleans())
def test_armour_round_trips(data: bytes, prefix: str, is_windows: bool) -> None:
    block = quote(armour(data), prefix, "\r\n" if is_windows else "\n")
    assert unarmour(block) == naive_armour.unarmour(block) == data
    assert [*map(unarmour, find_blocks(b"Hello,\n\n" + block + b"Bye\n" + block))] == [data, data]


def changes(block: bytes) -> Iterator[bytes]:
    """Yield the block with one changed, missing or added character, or a changed line."""
    for at in range(len(block) + 1):
        yield block[:at] + block[at + 1 :]
        for other in (b"\n", b"\r", b" ", b">", b"=", b"A", b"/", b"-", b"\xc3", b"\0"):
            yield block[:at] + other + block[at:]
            yield block[:at] + other + block[at + 1 :]
        yield block[:at] + bytes([block[min(at, len(block) - 1)] ^ 1]) + block[at + 1 :]
    lines = block.splitlines(keepends=True)
    for at in range(len(lines)):
        yield b"".join([*lines[:at], *lines[at + 1 :]])
        yield b"".join([*lines[:at], lines[at], *lines[at:]])
        yield b"".join([*lines[:at], b"> ", *lines[at:]])


@pytest.mark.parametrize("prefix", ["", "> "])
def test_changed_block_is_never_another_file(prefix: str) -> None:
    """Both readers, each written from the document, agree on every change."""
    for block in changes(quote(BLOCK, prefix)):
        data = outcome(unarmour, block)
        assert data in (None, FILE * 3), block
        assert data == outcome(naive_armour.unarmour, block), block


def test_written_block_follows_the_document() -> None:
    first, *lines, last = armour(bytes(range(256)) * 9).split("\n")[:-1]
    assert (first, last) == (BEGIN, END)
    assert {len(line) for line in lines[:-1]} == {64}


# --- blocks within a text


def test_cut_block_does_not_spoil_the_next() -> None:
    first = BLOCK[: len(BLOCK) // 2]
    blocks = find_blocks(f"On Monday:\n> {first}\n[...]\n{BLOCK}Bye".encode())
    assert [outcome(unarmour, block) for block in blocks] == [None, FILE * 3]


@pytest.mark.parametrize("text_after", ["<br>", " ", " it was"])
def test_foreign_text_in_a_block_is_refused(text_after: str) -> None:
    (blocks,) = find_blocks(f"Hi\n{BLOCK[:-1]}{text_after}\nBye\n".encode())
    assert blocks == f"{BLOCK[:-1]}{text_after}".encode()
    assert outcome(unarmour, blocks) is None


def test_end_line_alone_is_no_block() -> None:
    assert find_blocks(f"Hello\n{END}\n".encode()) == []


# --- costly blocks


def block_of(packed: bytes) -> bytes:
    text = b64encode(packed).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join((BEGIN, *lines, END)).encode()


def test_decompression_bomb_is_refused() -> None:
    """One bomb has 4 GiB of content, and one 5 MiB of empty blocks."""
    stream = zlib.compressobj(9)
    mebibyte = stream.compress(bytes(2**20)) + stream.flush(zlib.Z_FULL_FLUSH)
    head, piece = mebibyte[:2], mebibyte[2:]
    start = time.process_time()
    for packed in (head + piece * 4096, head + b"\0\0\0\xff\xff" * 2**20):
        assert outcome(unarmour, block_of(packed)) is None
    assert time.process_time() - start < 5


def test_many_blocks_are_found_quickly() -> None:
    start = time.process_time()
    for text in (f"{BEGIN}\n" * 99_999, BEGIN * 99_999, ">" * 8_000_000, BEGIN[:-1] * 300_000):
        find_blocks(text.encode())
    assert time.process_time() - start < 5


def test_file_at_the_limit_is_accepted() -> None:
    assert unarmour(armour(bytes(MAX_SIZE)).encode()) == bytes(MAX_SIZE)
