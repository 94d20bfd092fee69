"""A player's identity: a name, an address to write to, and one Ed25519 key pair.

Everything secret in a game follows from the key and the records, so that the key file is the one
thing a player has to keep.

docs/protocol.md, Identity.
"""

from __future__ import annotations

from functools import lru_cache

from pbem.protocol.hashing import Tag, derive, tagged_hash
from pbem.protocol.primitives import ed25519_public_key, ed25519_sign, ed25519_verify
from pbem.sources import random_bytes

# The order of the field: the y of a point is below it, and so can be written in only one way.
_P = 2**255 - 19
# The y of the eight points of small order. Under such a key one signature fits many messages, and
# a forked game would prove nothing against its author.
_SMALL_ORDER = frozenset(
    int.from_bytes(bytes.fromhex(text), "little")
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)


def is_proper_key(public_key: bytes) -> bool:
    """Whether the 32 bytes are written canonically and are not a point of small order.

    Whether they are a point at all shows when a signature is verified.
    """
    y = int.from_bytes(public_key, "little") & (2**255 - 1)
    return y < _P and y not in _SMALL_ORDER


@lru_cache(maxsize=4096)
def is_valid_signature(public_key: bytes, tag: Tag, message: bytes, signature: bytes) -> bool:
    """Whether the signature is that of the key's owner, over the tag and the message.

    Many files of one game hold the same records: the last results are cached.
    """
    return is_proper_key(public_key) and ed25519_verify(public_key, signature, tag.value + message)


def secret_hash(game_secret: bytes) -> bytes:
    """What is published of a game secret on entering a game; the close proves it."""
    return tagged_hash(Tag.SECRET_HASH, game_secret)


class Identity:
    """A player's name, e-mail address (may be empty) and key. Its repr shows nothing secret.

    `seed` is the private key, 32 bytes (RFC 8032).
    """

    def __init__(self, name: str, email: str, seed: bytes) -> None:
        self.name = name
        self.email = email
        self.public_key = ed25519_public_key(seed)
        self.seed = seed

    def __repr__(self) -> str:
        return f"Identity({self.name!r}, {self.email!r})"

    @classmethod
    def generate(cls, name: str, email: str) -> Identity:
        """An identity with a fresh random key."""
        return cls(name, email, random_bytes(32, f"identity of {name} <{email}>"))

    def sign(self, tag: Tag, message: bytes) -> bytes:
        """The 64-byte signature over the tag and the message."""
        return ed25519_sign(self.seed, tag.value + message)

    def game_secret(self, nonce: bytes) -> bytes:
        """The secret S of the game that was entered with this nonce, 32 bytes."""
        return derive(Tag.GAME_SECRET, self.seed, salt=nonce)

    def box_key(self, nonce: bytes) -> bytes:
        """The key of the sealed boxes in that game, 64 bytes; unlike S it is never published."""
        return derive(Tag.BOX, self.seed, salt=nonce, length=64)
