"""Armour: a file of acres as one block of text, which survives being pasted and quoted.

Strict, as the armour of age: each block has one way to be written, whatever compressed it.
docs/save-format.md, Armour.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from itertools import pairwise

from engine.message import Message
from pbem.errors import Unreadable
from pbem.savefile.document import MAX_SIZE

BEGIN, END = "-----BEGIN ACRES FILE-----", "-----END ACRES FILE-----"
COLUMNS = 64
MAX_CHAT = 4000
"""Characters that go into one message of a chat: Telegram takes 4096, others 2000 or 65,536."""
_PREFIX = re.compile(r"(?:>[> ]*)?")


def armour(data: bytes) -> str:
    r"""Return a file as a block of lines, each with its end.

    Other versions of zlib may compress it otherwise: only what is in a block identifies it.

    >>> unarmour(armour(b"a = 1\n").encode())
    b'a = 1\n'
    """
    return "\n".join((BEGIN, *_lines(zlib.compress(data, 9)), END, ""))


def unarmour(block: bytes) -> bytes:
    """Return the file in a block; raises Unreadable for anything but a block.

    Each line may begin with one and the same `> `, nested too, and end with CRLF.
    """
    text = block.decode("ascii", "replace").removesuffix("\n")
    first, *lines = [line.removesuffix("\r") for line in text.split("\n")]
    prefix = first.removesuffix(BEGIN)
    if prefix == first or not _PREFIX.fullmatch(prefix):
        raise _changed()
    if not lines or END not in lines[-1]:
        raise Unreadable("The block of text ends before the line {line}: copy all of it.", line=END)
    *between, last = (line.removeprefix(prefix) for line in lines)
    try:
        packed = b64decode("".join(between))
    except ValueError:
        raise _changed() from None
    # What is encoded in another way than this, or has another prefix, was changed.
    if last != END or _lines(packed) != between or not all(s.startswith(prefix) for s in lines):
        raise _changed()
    return _unpacked(packed)


def find_blocks(text: bytes, most: int = -1) -> list[bytes]:
    """Return what begins as a block in a text, each up to its last line, or as far as it goes.

    Of more than `most` only those.
    """
    begin, end = BEGIN.encode(), END.encode()
    pieces = text.split(begin, most)
    found = []
    for before, after in pairwise(pieces):
        between, last, rest = after.partition(end)
        prefix, behind = before.rpartition(b"\n")[2], rest.partition(b"\n")[0]
        found.append(b"".join((prefix, begin, between, last, behind)))
    return found


def _lines(packed: bytes) -> list[str]:
    text = b64encode(packed).decode()
    return [text[at : at + COLUMNS] for at in range(0, len(text), COLUMNS)]


def _unpacked(packed: bytes) -> bytes:
    """Return what was compressed, and no more of it than a file may have; else Unreadable."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(packed, MAX_SIZE + 1)
    except zlib.error:
        raise _changed() from None
    if len(data) > MAX_SIZE:
        raise Unreadable(
            "This file is larger than {size} MiB: not {kind}.",
            size=MAX_SIZE // 2**20,
            kind=Message("a save file"),
        )
    if not stream.eof or stream.unused_data:
        raise _changed()
    return data


def _changed() -> Unreadable:
    return Unreadable("The block of text was changed on the way, or is not complete.")
