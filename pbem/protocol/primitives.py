"""Cryptographic primitives, and hashing under a domain tag.

No other module imports `cryptography`: another back end, if that library cannot be had, is the same
seven functions of bytes. And no other calls a hash function, so that nothing can be hashed, derived
or signed without saying what it is: the meaning of every digest is part of its input. A tag is
ASCII and ends with a NUL, so that no tag is the beginning of another. The parts that follow a tag
have a fixed length, all but the last, so that two different inputs never give the same bytes.

docs/protocol.md, Tags and hashing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from hashlib import sha256, shake_256

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

# --- functions of bytes


def ed25519_public_key(seed: bytes) -> bytes:
    """Return the public key, 32 bytes, of a private one: a seed of 32 bytes (RFC 8032, 5.1.5)."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature of a message, 64 bytes (RFC 8032, 5.1.6)."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def ed25519_verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return True if a signature is valid (RFC 8032, 5.1.7); False too for what is no key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def aes_siv_encrypt(key: bytes, text: bytes, bound_to: Sequence[bytes]) -> bytes:
    """Return a text encrypted under a key of 64 bytes, 16 bytes longer (RFC 5297, without nonce).

    It is `bound_to` these values, in number and order, which stand in the clear.
    """
    return AESSIV(key).encrypt(text, [*bound_to])


def aes_siv_decrypt(key: bytes, sealed: bytes, bound_to: Sequence[bytes]) -> bytes | None:
    """Return the text that was encrypted so; None for anything else."""
    try:
        return AESSIV(key).decrypt(sealed, [*bound_to])
    except (InvalidTag, ValueError):
        return None


def hkdf_sha256(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return `length` bytes derived from a secret key (RFC 5869)."""
    return HKDF(SHA256(), length, salt=salt, info=info).derive(key)


def scrypt(secret: bytes, salt: bytes, n: int, r: int, p: int) -> bytes:
    """Return 64 bytes of scrypt (RFC 7914); raises MemoryError if the computer lacks the memory."""
    # Imported lazily: only a sealed identity needs it.
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=64, n=n, r=r, p=p).derive(secret)


# --- hashes under a tag


class Tag(bytes, Enum):
    """The purpose of a hash, a derived key or a signature."""

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
