"""A second implementation of armour, written from docs/save-format.md alone."""

from __future__ import annotations

import re
import zlib

from tests.vectors.naive_deck import RuleError, need

ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def unarmour(block: bytes) -> bytes:
    lines = re.split(rb"\r?\n", block)
    if lines[-1] == b"":
        lines.pop()
    # The last line needs no line end.
    lines[-1] = lines[-1].removesuffix(b"\r")
    first = re.fullmatch(rb"(|>[> ]*)-----BEGIN ACRES FILE-----", lines[0])
    need(first, "A-1")
    assert first
    need(all(line.startswith(first[1]) for line in lines), "A-2")
    lines = [line[len(first[1]) :] for line in lines]
    footers = [n for n, line in enumerate(lines) if line == b"-----END ACRES FILE-----"]
    need(footers == [len(lines) - 1], "A-3")
    return unpack(decode(lines[1:-1]))


def decode(lines: list[bytes]) -> bytes:
    need(all(len(line) == 64 for line in lines[:-1]), "A-4")
    need(lines and 1 <= len(lines[-1]) <= 64, "A-4")
    joined = b"".join(lines)
    digits = joined.rstrip(b"=")
    padding = len(joined) - len(digits)
    need(
        len(joined) % 4 == 0 and padding <= 2 and all(digit in ALPHABET for digit in digits), "A-4"
    )
    number = 0
    for digit in digits:
        number = number << 6 | ALPHABET.index(digit)
    spare = len(digits) * 6 % 8
    need(number % 2**spare == 0 and spare == padding * 2, "A-4")
    return (number >> spare).to_bytes(len(digits) * 6 // 8, "big")


def unpack(packed: bytes) -> bytes:
    stream, data = zlib.decompressobj(), b""
    try:
        while packed and not stream.eof:
            data += stream.decompress(packed, 4096)
            need(len(data) <= 2097152, "A-6")
            packed = stream.unconsumed_tail
    except zlib.error:
        raise RuleError("A-5") from None
    need(stream.eof and not stream.unused_data, "A-5")
    return data
