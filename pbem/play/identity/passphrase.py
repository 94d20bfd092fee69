"""A private key sealed under a passphrase, as an identity file or a recovery text holds it.

docs/save-format.md, The identity file.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from engine.message import Message
from pbem.errors import WrongUse
from pbem.protocol.hashing import Tag, stretch
from pbem.protocol.primitives import aes_siv_decrypt, aes_siv_encrypt
from pbem.protocol.schema import Codec, Integer

SEALED = 48
"""The length of a sealed private key in bytes."""

# At most, 128 MiB and about two seconds: a file from elsewhere cannot ask for more.
COSTS: dict[str, Codec] = {
    "n": Integer(2**14, 2**17, power=True),
    "r": Integer(1, 8),
    "p": Integer(1, 4),
}
"""What each parameter of a cost may be."""


class Cost(NamedTuple):
    """What one try of a passphrase costs: the parameters of scrypt (RFC 7914), within `COSTS`."""

    n: int
    r: int
    p: int


# 32 MiB and a third of a second, as OWASP advises.
USUAL = Cost(2**15, 8, 3)


class WrongPassphrase(WrongUse):
    """A key does not open with this passphrase; the message says which key."""


def seal_seed(
    seed: bytes, passphrase: str, tag: Tag, salt: bytes, cost: Cost, bound_to: bytes
) -> bytes:
    """The 48 bytes of a private key that only the passphrase opens.

    `salt` is fresh; `bound_to` is what stands in the clear beside them. WrongUse where the computer
    lacks the memory.
    """
    return aes_siv_encrypt(_key(passphrase, tag, salt, cost), seed, [bound_to])


def unseal_seed(
    sealed: bytes, passphrase: str, tag: Tag, salt: bytes, cost: Cost, bound_to: bytes
) -> bytes | None:
    """The private key that `seal_seed` sealed so; None where the passphrase is another one."""
    return aes_siv_decrypt(_key(passphrase, tag, salt, cost), sealed, [bound_to])


def _key(passphrase: str, tag: Tag, salt: bytes, cost: Cost) -> bytes:
    # Keyboards differ in how they compose an accented letter; the passphrase is the same.
    composed = unicodedata.normalize("NFC", passphrase)
    try:
        return stretch(tag, composed, salt=salt, n=cost.n, r=cost.r, p=cost.p)
    except MemoryError:
        told = Message(
            "Opening or sealing the key takes {size} MiB of memory, which this computer does not "
            "have to spare.",
            size=cost.n * cost.r // 2**13,
        )
        raise WrongUse(told) from None
