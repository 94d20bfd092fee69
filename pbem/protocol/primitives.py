"""Cryptographic primitives as functions of bytes: the only module that imports `cryptography`.

Another back end, where that library cannot be had, is a module with the same seven functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


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
