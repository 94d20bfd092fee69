"""Cryptographic primitives, and hashing under a domain tag (docs/protocol.md, Tags and hashing).

Seven functions of bytes have two back ends, which give equal results: OpenSSL, and in browsers
@noble. No other module calls a hash function: every digest, derived key and signature has a tag
that names its purpose. A tag is ASCII and ends with a NUL, so that no tag is a prefix of another.
All parts after a tag except the last have a fixed length, so that different inputs never give equal
bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import Enum
from hashlib import sha256, shake_256

if sys.platform == "emscripten":
    from pbem.protocol import primitives_noble as back_end
else:
    from pbem.protocol import primitives_openssl as back_end

ed25519_public_key = back_end.ed25519_public_key
ed25519_sign = back_end.ed25519_sign
ed25519_verify = back_end.ed25519_verify
aes_siv_encrypt = back_end.aes_siv_encrypt
aes_siv_decrypt = back_end.aes_siv_decrypt
hkdf_sha256 = back_end.hkdf_sha256
scrypt = back_end.scrypt


class Tag(bytes, Enum):
    """The purpose of a hash, a derived key or a signature (docs/protocol.md, Tags and hashing)."""

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
    HOME = b"acres/1 home\0"
    SHOWN_CARD = b"acres/1 shown card\0"
    CACHE = b"acres/1 cache\0"
    QUESTION = b"acres/1 question\0"
    DOCUMENT = b"acres/1 document\0"


def tagged_hash(tag: Tag, *parts: bytes) -> bytes:
    """Return H(tag, parts): SHA-256 of the tag and the parts, 32 bytes.

    >>> from hashlib import sha256
    >>> tagged_hash(Tag.SLOT, b"x") == sha256(b"acres/1 slot" + bytes(1) + b"x").digest()
    True
    """
    return sha256(tag + b"".join(parts)).digest()


def tagged_hashes(tag: Tag, heads: Iterable[bytes], tails: Iterable[bytes]) -> list[bytes]:
    """Return `tagged_hash(tag, head, tail)` of each pair; a shuffle needs tens of thousands."""
    prefix = bytes(tag)
    return [sha256(prefix + head + tail).digest() for head, tail in zip(heads, tails, strict=True)]


def hashes(texts: Iterable[bytes]) -> list[bytes]:
    """Return the hashes of texts that begin with their tags."""
    return [sha256(text).digest() for text in texts]


def tagged_xof(tag: Tag, *parts: bytes, length: int) -> bytes:
    """Return X(tag, parts, length): the first `length` bytes of SHAKE-256 of tag and parts."""
    return shake_256(tag + b"".join(parts)).digest(length)


def derive(tag: Tag, key: bytes, *, salt: bytes, context: bytes = b"", length: int = 32) -> bytes:
    """Return D(tag, key, salt, context, length): `length` bytes of HKDF-SHA256 of a secret key.

    The info is the tag followed by the context.
    """
    return hkdf_sha256(key, salt, tag + context, length)


def stretch(tag: Tag, passphrase: str, *, salt: bytes, n: int, r: int, p: int) -> bytes:
    """Return 64 bytes of scrypt of a passphrase, salted with the tag followed by `salt`.

    See docs/save-format.md, The identity file.
    """
    # A passphrase from the environment may be bytes that are no UTF-8; they are used unchanged.
    secret = passphrase.encode(errors="surrogateescape")
    return scrypt(secret, tag + salt, n, r, p)
