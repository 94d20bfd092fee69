"""The primitives of `primitives` by OpenSSL. No other module imports `cryptography`."""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


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
