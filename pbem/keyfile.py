"""The file that keeps an identity, readable by its owner alone.

docs/save-format.md, The identity file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.encoding import encode_bytes
from pbem.errors import Unreadable, WrongUse
from pbem.hashing import Tag, stretch
from pbem.identity import Identity
from pbem.schema import EMAIL, NAME, Bytes, Choice, Codec, Integer, read_table

# About 32 MiB and a tenth of a second: the cost that RFC 7914 gives for interactive use, doubled.
_N, _R, _P = 2**15, 8, 1

_COMMON: dict[str, Codec] = {
    "format": Choice("acres-identity"),
    "version": Integer(1, 1),
    "name": NAME,
    "email": EMAIL,
    "key": Bytes(32),
}
_CLEAR: dict[str, Codec] = _COMMON | {"seed": Bytes(32)}
_SEALED: dict[str, Codec] = _COMMON | {
    "salt": Bytes(32),
    "n": Integer(2**14, 2**18, power=True),
    "r": Integer(1, 8),
    "p": Integer(1, 4),
    "sealed_seed": Bytes(48),
}


def save(identity: Identity, path: Path, passphrase: str | None = None) -> None:
    """Write a new identity file, sealed if there is a passphrase.

    The file is never readable by others, not even while it is written. WrongUse if a file is
    there already: a lost key loses every game that was begun with it.
    """
    # Imported here, as below: every command loads an identity, few make or unseal one.
    import tomli_w

    table: dict[str, Any] = {
        "format": "acres-identity",
        "version": 1,
        "name": identity.name,
        "email": identity.email,
        "key": encode_bytes(identity.public_key),
    }
    if passphrase is None:
        table["seed"] = encode_bytes(identity.seed)
    else:
        import secrets

        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        salt = secrets.token_bytes(32)
        cipher = AESSIV(_stretch(passphrase, salt, _N, _R, _P))
        sealed = cipher.encrypt(identity.seed, [identity.public_key])
        table |= {"salt": encode_bytes(salt), "n": _N, "r": _R, "p": _P}
        table["sealed_seed"] = encode_bytes(sealed)
    read_table(table, _CLEAR if passphrase is None else _SEALED)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise WrongUse(f"There is an identity already in {path}; it is not replaced.") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(tomli_w.dumps(table).encode())
        file.flush()
        os.fsync(file.fileno())


def load(path: Path, ask_passphrase: Callable[[], str]) -> Identity:
    """Read an identity file; `ask_passphrase` is called only if it is sealed.

    Raises Unreadable for a file that is not an identity, WrongUse for the wrong passphrase, and
    OSError if there is no file that can be read.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode())
        is_sealed = "sealed_seed" in table
        values = read_table(table, _SEALED if is_sealed else _CLEAR)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not an identity file, or it is damaged: {error}.") from None
    seed = _unseal(values, ask_passphrase()) if is_sealed else values["seed"]
    identity = Identity.from_seed(values["name"], values["email"], seed)
    if identity.public_key != values["key"]:
        raise Unreadable(f"{path} is damaged: its two keys do not belong together.")
    return identity


def _unseal(values: dict[str, Any], passphrase: str) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    key = _stretch(passphrase, values["salt"], values["n"], values["r"], values["p"])
    try:
        return AESSIV(key).decrypt(values["sealed_seed"], [values["key"]])
    except InvalidTag:
        raise WrongUse("This is not the passphrase of your identity.") from None


def _stretch(passphrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    import unicodedata

    # Keyboards differ in how they compose an accented letter; the passphrase is the same.
    composed = unicodedata.normalize("NFC", passphrase)
    return stretch(Tag.PASSPHRASE, composed, salt=salt, n=n, r=r, p=p)
