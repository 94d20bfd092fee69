"""Hashing and key derivation, always under a domain tag.

This is the only module that calls a hash function, so that nothing can be hashed, derived or
signed without saying what it is: the meaning of every digest is part of its input. A tag is ASCII
and ends with a NUL, so that no tag is the beginning of another. The parts that follow a tag have
a fixed length, all but the last, so that two different inputs never give the same bytes.

docs/protocol.md, Tags and hashing.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from hashlib import sha256, shake_256

from pbem.protocol.primitives import hkdf_sha256, scrypt


class Tag(bytes, Enum):
    """What is being hashed, derived or signed."""

    RULES = b"acres/1 rules\0"
    RECORD = b"acres/1 record\0"
    SIGNATURE = b"acres/1 signature\0"
    GAME_SECRET = b"acres/1 game secret\0"
    SECRET_HASH = b"acres/1 secret hash\0"
    SHUFFLE = b"acres/1 shuffle\0"
    NODE = b"acres/1 node\0"
    LEAF = b"acres/1 leaf\0"
    SLOT = b"acres/1 slot\0"
    LIST = b"acres/1 list\0"
    LISTS = b"acres/1 lists\0"
    GRANT = b"acres/1 grant\0"
    BOX = b"acres/1 box\0"
    PASSPHRASE = b"acres/1 passphrase\0"
    RECOVERY = b"acres/1 recovery\0"
    SHOWN_CARD = b"acres/1 shown card\0"
    CACHE = b"acres/1 cache\0"
    QUESTION = b"acres/1 question\0"


def tagged_hash(tag: Tag, *parts: bytes) -> bytes:
    """SHA-256 of the tag and the parts, 32 bytes."""
    return sha256(tag + b"".join(parts)).digest()


def tagged_hashes(tag: Tag, heads: Iterable[bytes], tails: Iterable[bytes]) -> list[bytes]:
    """`tagged_hash(tag, head, tail)` for each pair; a shuffle takes tens of thousands of them."""
    prefix = bytes(tag)
    return [sha256(prefix + head + tail).digest() for head, tail in zip(heads, tails, strict=True)]


def tagged_xof(tag: Tag, *parts: bytes, length: int) -> bytes:
    """The first `length` bytes of SHAKE-256 of the tag and the parts."""
    return shake_256(tag + b"".join(parts)).digest(length)


def derive(tag: Tag, key: bytes, *, salt: bytes, context: bytes = b"", length: int = 32) -> bytes:
    """`length` bytes of HKDF-SHA256 of a secret key; the info is the tag and the context."""
    return hkdf_sha256(key, salt, tag + context, length)


def stretch(tag: Tag, passphrase: str, *, salt: bytes, n: int, r: int, p: int) -> bytes:
    """64 bytes of scrypt of a passphrase; the salt that scrypt gets is the tag and the salt."""
    # What the environment gives may be no text at all: it counts byte by byte.
    secret = passphrase.encode(errors="surrogateescape")
    return scrypt(secret, tag + salt, n, r, p)
