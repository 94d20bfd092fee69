"""The identity file: a player's private key, readable by its owner alone, perhaps sealed.

Errors never quote its contents, which may be the key. See docs/save-format.md, The identity file.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from engine.message import Message, mark, message_of
from pbem.errors import NOT_WRITTEN, InputError, UsageError, exists, report_os_errors
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag, aes_siv_decrypt, aes_siv_encrypt, stretch
from pbem.protocol.schema import (
    EMAIL,
    NAME,
    Bytes,
    Codec,
    Integer,
    OneOf,
    decode_bytes,
    encode_bytes,
    read_table,
)
from pbem.savefile.disk import TargetExistsError, decode, read_file, replace_private, write_new
from pbem.sources import random_bytes

# --- a private key under a passphrase, here and in a recovery text

SEALED_LENGTH = 48
"""The length of a sealed private key in bytes."""

# A foreign file can demand at most 128 MiB and about two seconds.
COSTS: dict[str, Codec] = {
    "n": Integer(2**14, 2**17, power=True),
    "r": Integer(1, 8),
    "p": Integer(1, 4),
}
"""The values that each parameter of a cost may have."""


class Cost(NamedTuple):
    """The cost of one try of a passphrase: parameters of scrypt (RFC 7914), within `COSTS`."""

    n: int
    r: int
    p: int


# 32 MiB and a third of a second, as OWASP recommends.
DEFAULT_COST = Cost(2**15, 8, 3)


class WrongPassphraseError(UsageError):
    """Raised if a key does not open with this passphrase; the message names the key."""


def seal_seed(
    seed: bytes, passphrase: str, tag: Tag, salt: bytes, cost: Cost, bound_to: bytes
) -> bytes:
    """Seal a private key: 48 bytes that only the passphrase opens.

    `salt` must be fresh; `bound_to` is the public text to which the key is bound. Raises UsageError
    if there is not enough memory.

    >>> cost, salt = Cost(2**14, 1, 1), bytes(16)
    >>> sealed = seal_seed(bytes(32), "open sesame", Tag.RECOVERY, salt, cost, b"head")
    >>> len(sealed), unseal_seed(sealed, "wrong", Tag.RECOVERY, salt, cost, b"head")
    (48, None)
    """
    key = _key(passphrase_forms(passphrase)[0], tag, salt, cost)
    return aes_siv_encrypt(key, seed, [bound_to])


def unseal_seed(
    sealed: bytes, passphrase: str, tag: Tag, salt: bytes, cost: Cost, bound_to: bytes
) -> bytes | None:
    """Return the private key that `seal_seed` sealed, or None if the passphrase is wrong."""
    for form in passphrase_forms(passphrase):
        seed = aes_siv_decrypt(_key(form, tag, salt, cost), sealed, [bound_to])
        if seed is not None:
            return seed
    return None


def passphrase_forms(passphrase: str) -> list[str]:
    r"""Return a passphrase in its form, then in forms under which older programs sealed keys.

    The form is the same for every keyboard, variable, file and locale: without a mark and line
    breaks, with composed accents, and read as UTF-8 if it can be.

    >>> passphrase_forms("cafe\u0301\r\n")
    ['café', 'café\r\n']
    """
    plain = as_sealed_once = passphrase
    with suppress(UnicodeError):
        as_sealed_once = os.fsencode(passphrase).decode(errors="surrogateescape")
        plain = os.fsencode(passphrase).decode()
    plain = plain.removeprefix("\ufeff").rstrip("\r\n") or passphrase
    forms = (unicodedata.normalize("NFC", form) for form in (plain, passphrase, as_sealed_once))
    return [*dict.fromkeys(forms)]


def _key(passphrase: str, tag: Tag, salt: bytes, cost: Cost) -> bytes:
    try:
        return stretch(tag, passphrase, salt=salt, n=cost.n, r=cost.r, p=cost.p)
    except MemoryError:
        raise UsageError(
            "Opening or sealing the key takes {size} MiB of memory, which this computer does not "
            "have to spare.",
            size=cost.n * cost.r // 2**13,
        ) from None


# --- the file

VERSION = 1
MAX_SIZE = 16 * 1024
"""The maximum size of an identity file, in bytes."""

# The keys of the practice players in `saves/`.
_PUBLISHED = (
    "QTYl0KZ_sfQUX8R3jDLgsi-_4Oo8uhhwSV0oZiW8pNM",
    "qgBrhaa2UbZaVGcxmyoPhOQwrT1fd7gBnhPSSh7LlRg",
)

EXAMPLE = mark(
    "Anybody can have this key, which is from an example or a demo with --seed: it begins no game "
    "and needs no copy. To make your own: acres init"
)

_COMMON: dict[str, Codec] = {
    "format": OneOf("acres-identity"),
    "version": Integer(1, VERSION),
    "name": NAME,
    "email": EMAIL,
    "key": Bytes(32),
    "use": OneOf("demo"),
}
_OPTIONAL = frozenset({"use"})
_CLEAR = _COMMON | {"seed": Bytes(32)}
_SEALED = _COMMON | {"salt": Bytes(32)} | COSTS | {"sealed_seed": Bytes(SEALED_LENGTH)}


class KeyFile:
    """An identity file that was read: the owner's name, address and key, sealed or not."""

    def __init__(self, path: Path, values: dict[str, Any]) -> None:
        self.path = path
        self.name: str = values["name"]
        self.email: str = values["email"]
        self.public_key: bytes = values["key"]
        self.is_sealed = "sealed_seed" in values
        self.is_example = "use" in values or is_published(self.public_key)
        self._values = values

    def open(self, ask_passphrase: Callable[[], str]) -> Identity:
        """Return the identity; `ask_passphrase` is called only if it is sealed.

        Raises WrongPassphraseError, and InputError for a damaged file.
        """
        seed = self._unseal(ask_passphrase()) if self.is_sealed else self._values["seed"]
        identity = Identity(self.name, self.email, seed, is_example=self.is_example)
        if identity.public_key != self.public_key:
            raise InputError(
                "{file} is damaged: its two keys do not belong together.", file=self.path
            )
        return identity

    def _unseal(self, passphrase: str) -> bytes:
        values = self._values
        cost = Cost(values["n"], values["r"], values["p"])
        salt, bound_to = values["salt"], values["key"]
        seed = unseal_seed(values["sealed_seed"], passphrase, Tag.PASSPHRASE, salt, cost, bound_to)
        if seed is None:
            raise WrongPassphraseError("This is not the passphrase of your identity.")
        return seed


def is_published(public_key: bytes) -> bool:
    """Return True for the key of an example that comes with the program."""
    return encode_bytes(public_key) in _PUBLISHED


def check_secret(identity: Identity | KeyFile) -> None:
    """Raise UsageError for a key that anybody can have."""
    if identity.is_example:
        raise UsageError(EXAMPLE)


def read(path: Path) -> KeyFile:
    """Read an identity file, without opening it.

    Raises InputError for a file that is not an identity, and OSError for one that cannot be read.

    >>> example = read(Path("saves/practice/british/identity.toml"))
    >>> example.name, example.is_sealed, is_published(example.public_key)
    ('Anna (practice)', False, True)
    """
    with path.open("rb") as file:
        return parse(path, file.read(MAX_SIZE + 1))


def parse(path: Path, data: bytes) -> KeyFile:
    """Return the identity file with this content at `path`. Raises InputError for other content."""
    return KeyFile(path, _read_values(path, data))


def load(path: Path, ask_passphrase: Callable[[], str]) -> Identity:
    """Read and open an identity file. Raises the same errors as `read` and `KeyFile.open`."""
    return read(path).open(ask_passphrase)


def save(identity: Identity, path: Path, passphrase: str | None = None) -> None:
    """Write a new identity file, sealed if a passphrase is passed.

    The file is never readable by others, and appears as a whole or not at all. Raises UsageError if
    there is a file already, because a lost key loses all games begun with it, or if the file cannot
    be written.
    """
    data = _content(identity, passphrase)
    try:
        write_new(path, data, private=True)
    except TargetExistsError:
        raise TargetExistsError(
            "There is already an identity in {file}; it is not replaced.", file=path
        ) from None


def replace(identity: Identity, path: Path, passphrase: str | None = None) -> None:
    """Replace an identity file by another one, sealed if a passphrase is passed.

    At any moment either the old or the new file exists. The caller makes sure that no key is lost
    with the old one. Raises UsageError if the file cannot be written.
    """
    replace_private(path, _content(identity, passphrase))


def restore(identity: Identity, path: Path, passphrase: str | None = None) -> Path | None:
    """Write an identity file, even in place of another one.

    If a different key would be lost, its file is copied first. Return the path of the copy, or None
    if there is none.
    """
    with report_os_errors(path, NOT_WRITTEN):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not exists(path):
        save(identity, path, passphrase)
        return None
    aside = None if _holds(path, identity.public_key) else _set_aside(path)
    replace(identity, path, passphrase)
    return aside


def _holds(path: Path, key: bytes) -> bool:
    """Return True if the file at `path` has this key, so that it may be replaced."""
    try:
        other = read(path)
        # A sealed key is bound to the public key in the file.
        if not other.is_sealed:
            other.open(lambda: "")
    except (OSError, InputError):
        return False
    return other.public_key == key


def _set_aside(path: Path) -> Path:
    """Copy an identity file to a free name in its folder, and return the path of the copy."""
    old = public_key_in(path)
    with report_os_errors(path):
        data = path.read_bytes()
    stem = f"identity-{old[:4].hex() if old else 'unreadable'}"
    for number in count(1):
        aside = path.with_name(f"{stem}{f'-{number}' if number > 1 else ''}.toml")
        with suppress(TargetExistsError):
            write_new(aside, data, private=True)
            return aside
    raise AssertionError


def is_open_to_others(path: Path) -> bool:
    """Return True if other users may read or change the file; False if this is unknown."""
    if os.name == "nt":
        return False
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def _content(identity: Identity, passphrase: str | None) -> bytes:
    # Imported lazily: few commands write an identity.
    import tomli_w

    table: dict[str, Any] = {
        "format": "acres-identity",
        "version": VERSION,
        "name": identity.name,
        "email": identity.email,
        "key": encode_bytes(identity.public_key),
    }
    table |= {"use": "demo"} if identity.is_example else {}
    if passphrase is None:
        table["seed"] = encode_bytes(identity.seed)
    else:
        purpose = f"salt of the key file of {identity.public_key.hex()}"
        salt, cost = random_bytes(32, purpose), DEFAULT_COST
        seed, key = identity.seed, identity.public_key
        sealed = seal_seed(seed, passphrase, Tag.PASSPHRASE, salt, cost, key)
        table |= {"salt": encode_bytes(salt), "n": cost.n, "r": cost.r, "p": cost.p}
        table["sealed_seed"] = encode_bytes(sealed)
    read_table(table, _CLEAR if passphrase is None else _SEALED, _OPTIONAL)
    return tomli_w.dumps(table).encode()


def _read_values(path: Path, data: bytes) -> dict[str, Any]:
    try:
        if len(data) > MAX_SIZE:
            raise ValueError(Message("it is too long"))
        table = _parse(data)
        version = table.get("version")
        if table.get("format") == "acres-identity" and type(version) is int and version > VERSION:
            raise InputError(
                "{file} was made by a newer acres: update yours to read it.", file=path
            )
        codecs = _SEALED if "sealed_seed" in table else _CLEAR
        if table.keys() - codecs.keys():
            raise ValueError(Message("it has a key that does not belong there"))
        return read_table(table, codecs, _OPTIONAL)
    except ValueError as error:
        raise InputError(
            "{file} is not an identity file, or it is damaged: {reason}.",
            file=path,
            reason=message_of(error),
        ) from None


def _parse(data: bytes) -> dict[str, Any]:
    """Parse an identity file. Raises ValueError, which names at most the line of the mistake."""
    try:
        return tomllib.loads(decode(data))
    except UnicodeDecodeError:
        raise ValueError(Message("it is not text")) from None
    except RecursionError:
        raise ValueError(Message("it is nested too deeply")) from None
    except ValueError as error:
        place = re.search(r"line (\d+)", str(error))
        if place is None:
            raise ValueError(Message("the mistake is at its end")) from None
        raise ValueError(Message("the mistake is on line {number}", number=place[1])) from None


def public_key_in(path: Path) -> bytes | None:
    """Return the public key in an identity file, sealed or not; None if it cannot be read.

    The key is not verified.
    """
    try:
        return decode_bytes(tomllib.loads(decode(read_file(path)))["key"])
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return None
