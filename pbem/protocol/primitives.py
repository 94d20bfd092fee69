"""Cryptographic primitives, and hashing under a domain tag (docs/protocol.md, Tags and hashing).

No other module imports `cryptography`; another back end has to provide the same seven functions.
No other module calls a hash function: every digest, derived key and signature has a tag that names
its purpose. A tag is ASCII and ends with a NUL, so that no tag is a prefix of another. All parts
after a tag except the last have a fixed length, so that different inputs never give equal bytes.
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
    """Return the public key, 32 bytes, of a private key, a seed of 32 bytes (RFC 8032, 5.1.5).

    >>> ed25519_public_key(bytes(32)).hex()[:16]
    '3b6a27bcceb6a42d'
    """
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature of a message, 64 bytes (RFC 8032, 5.1.6).

    >>> signature = ed25519_sign(bytes(32), b"pass")
    >>> ed25519_verify(ed25519_public_key(bytes(32)), signature, b"pass")
    True
    """
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def ed25519_verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return True if a signature is valid (RFC 8032, 5.1.7), False even for a malformed key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def aes_siv_encrypt(key: bytes, text: bytes, associated: Sequence[bytes]) -> bytes:
    """Return the synthetic IV, 16 bytes, and the ciphertext of a text (RFC 5297, without nonce).

    `key` has 64 bytes. `associated` is the associated data, in the clear and in this order.

    >>> box = aes_siv_encrypt(bytes(64), b"notes", [b"game"])
    >>> len(box), aes_siv_decrypt(bytes(64), box, [b"game"])
    (21, b'notes')
    >>> aes_siv_decrypt(bytes(64), box, [b"other"]) is None
    True
    """
    return AESSIV(key).encrypt(text, [*associated])


def aes_siv_decrypt(key: bytes, sealed: bytes, associated: Sequence[bytes]) -> bytes | None:
    """Return the text that `aes_siv_encrypt` encrypted with the same key and associated data.

    Return None if `sealed` is anything else.
    """
    try:
        return AESSIV(key).decrypt(sealed, [*associated])
    except (InvalidTag, ValueError):
        return None


def hkdf_sha256(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return `length` bytes derived from a secret key (RFC 5869)."""
    return HKDF(SHA256(), length, salt=salt, info=info).derive(key)


def scrypt(secret: bytes, salt: bytes, n: int, r: int, p: int) -> bytes:
    """Return 64 bytes of scrypt (RFC 7914). Raises MemoryError if memory does not suffice."""
    # Imported lazily: only a sealed identity needs it.
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=64, n=n, r=r, p=p).derive(secret)


# --- hashes under a tag


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
    SHOWN_CARD = b"acres/1 shown card\0"
    CACHE = b"acres/1 cache\0"
    QUESTION = b"acres/1 question\0"


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
