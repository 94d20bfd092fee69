"""The primitives of `primitives` in a browser: those of pbem/web/site/assets/crypto.js.

The worker in which Python runs registers that module as `acres_crypto`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import acres_crypto
from pyodide.ffi import JsException, to_js


def ed25519_public_key(seed: bytes) -> bytes:
    """Return the public key of a seed."""
    return _bytes_of(acres_crypto.ed25519PublicKey, seed)


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature of a message."""
    return _bytes_of(acres_crypto.ed25519Sign, seed, message)


def ed25519_verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return True if a signature is valid, as OpenSSL judges."""
    return bool(acres_crypto.ed25519Verify(*map(to_js, (public_key, signature, message))))


def aes_siv_encrypt(key: bytes, text: bytes, associated: Sequence[bytes]) -> bytes:
    """Return the synthetic IV and the ciphertext of a text."""
    return _bytes_of(acres_crypto.aesSivEncrypt, key, text, [*associated])


def aes_siv_decrypt(key: bytes, sealed: bytes, associated: Sequence[bytes]) -> bytes | None:
    """Return the text, or None if `sealed` is anything else."""
    text = acres_crypto.aesSivDecrypt(*map(to_js, (key, sealed, [*associated])))
    return None if text is None else bytes(text.to_bytes())


def hkdf_sha256(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return `length` bytes derived from a secret key."""
    return _bytes_of(acres_crypto.hkdfSha256, key, salt, info, length)


def scrypt(secret: bytes, salt: bytes, n: int, r: int, p: int) -> bytes:
    """Return 64 bytes of scrypt. Raises MemoryError if memory does not suffice."""
    try:
        return _bytes_of(acres_crypto.scrypt, secret, salt, n, r, p)
    except JsException as error:
        if error.name == "RangeError":
            raise MemoryError from None
        raise


def _bytes_of(function: Callable[..., Any], *arguments: object) -> bytes:
    return bytes(function(*map(to_js, arguments)).to_bytes())
