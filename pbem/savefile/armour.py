"""Armour: a file of acres as one block of text, which survives pasting and quoting.

It is strict, like the armour of age: compressed data have only one valid block. See
docs/save-format.md, Armour.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode, urlsafe_b64encode
from itertools import pairwise

from engine.message import Message
from pbem.errors import InputError
from pbem.savefile.document import MAX_SIZE

BEGIN, END = "-----BEGIN ACRES FILE-----", "-----END ACRES FILE-----"
COLUMNS = 64
MAX_CHAT = 4000
"""The maximum length of a block for a chat message, in characters: Telegram allows 4096."""
_PREFIX = re.compile(r"(?:>[> ]*)?")


def armour(data: bytes) -> str:
    r"""Return a file as a block of lines; each line ends with LF.

    Two versions of zlib may compress a file differently, so only its content identifies a block.

    >>> unarmour(armour(b"a = 1\n").encode())
    b'a = 1\n'
    """
    return "\n".join((BEGIN, *_lines(zlib.compress(data, 9)), END, ""))


def to_link(data: bytes, site: str, limit: int = MAX_CHAT) -> str:
    """Return the address of a site that opens with a file, in a part that no server sees.

    That part is the block of the file, in one line and in base64url without padding. If the address
    is longer than `limit` characters, it is that of the site alone.

    >>> to_link(bytes(9), "https://acres.example/", limit=30)
    'https://acres.example/'
    """
    packed = urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    link = f"{site}#{packed}"
    return link if len(link) <= limit else site


def unarmour(block: bytes) -> bytes:
    r"""Return the file in a block. Raises InputError for anything else.

    Lines may end with CRLF, and may all begin with one prefix such as `> ` or `>> `.

    >>> block = armour(b"a = 1\n")
    >>> unarmour("".join(f"> {line}\r\n" for line in block.splitlines()).encode())
    b'a = 1\n'
    >>> unarmour(block.replace("ACRES", "ACRE").encode())
    Traceback (most recent call last):
    pbem.errors.InputError: The block of text was changed on the way, or is not complete.
    """
    text = block.decode("ascii", "replace").removesuffix("\n")
    first, *lines = [line.removesuffix("\r") for line in text.split("\n")]
    prefix = first.removesuffix(BEGIN)
    if prefix == first or not _PREFIX.fullmatch(prefix):
        raise _changed_error()
    if not lines or END not in lines[-1]:
        raise InputError("The block of text ends before the line {line}: copy all of it.", line=END)
    *between, last = (line.removeprefix(prefix) for line in lines)
    try:
        packed = b64decode("".join(between))
    except ValueError:
        raise _changed_error() from None
    # Only one encoding, with one prefix for all lines, is valid: any other block was changed.
    if last != END or _lines(packed) != between or not all(s.startswith(prefix) for s in lines):
        raise _changed_error()
    return _decompress(packed)


def find_blocks(text: bytes, limit: int = -1) -> list[bytes]:
    r"""Return the first `limit` blocks of armour in a text; all of them if `limit` is negative.

    Each runs from the line with its beginning to the line with its end, if that is in the text.

    >>> letter = b"Hello!\n> " + BEGIN.encode() + b"\n> eJw=\n> " + END.encode() + b"\nBye."
    >>> find_blocks(letter)[0].splitlines()
    [b'> -----BEGIN ACRES FILE-----', b'> eJw=', b'> -----END ACRES FILE-----']
    """
    begin, end = BEGIN.encode(), END.encode()
    pieces = text.split(begin, limit)
    blocks = []
    for before, after in pairwise(pieces):
        between, last, rest = after.partition(end)
        prefix, suffix = before.rpartition(b"\n")[2], rest.partition(b"\n")[0]
        blocks.append(b"".join((prefix, begin, between, last, suffix)))
    return blocks


def _lines(packed: bytes) -> list[str]:
    text = b64encode(packed).decode()
    return [text[start : start + COLUMNS] for start in range(0, len(text), COLUMNS)]


def _decompress(packed: bytes) -> bytes:
    """Return decompressed data. Raises InputError if they are damaged or too large for a file."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(packed, MAX_SIZE + 1)
    except zlib.error:
        raise _changed_error() from None
    if len(data) > MAX_SIZE:
        raise InputError(
            "This file is larger than {size} MiB: not {kind}.",
            size=MAX_SIZE // 2**20,
            kind=Message("a save file"),
        )
    if not stream.eof or stream.unused_data:
        raise _changed_error()
    return data


def _changed_error() -> InputError:
    return InputError("The block of text was changed on the way, or is not complete.")
