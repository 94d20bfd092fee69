"""A player's identity: a name, an address, one Ed25519 key pair; and its sealed boxes.

Everything secret in a game follows from the key and the records, so that the key file is the one
thing a player has to keep. A sealed box is what a player keeps in the save file for no other eyes.

docs/protocol.md, Identity; The sealed box.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple

from engine.message import mark
from pbem.errors import BoxDamaged, WrongUse
from pbem.protocol.primitives import (
    Tag,
    aes_siv_decrypt,
    aes_siv_encrypt,
    derive,
    ed25519_public_key,
    ed25519_sign,
    ed25519_verify,
    tagged_hash,
)
from pbem.protocol.schema import CARD, Codec, ListOf, Pattern, canonical_json, read_table
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


# --- the sealed box


BLOCK = 256
HAND_ROOM = 1024
"""Bytes of JSON that a hand takes up in a box, however short it is."""
IV = 16
MIN_SEALED = IV + BLOCK
MAX_SEALED = IV + 96 * BLOCK
MAX_NOTES = 4000

NOTES = Pattern(
    rf"[^\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]{{0,{MAX_NOTES}}}",
    mark("must be at most {most} characters, with line feeds but no other control characters"),
    most=MAX_NOTES,
)

_CODECS: dict[str, Codec] = {"hand": ListOf(CARD, 0, 255), "notes": NOTES}


class BoxContents(NamedTuple):
    """The hand as its owner knows it, and the owner's private notes."""

    hand: tuple[str, ...]
    notes: str


class Box(NamedTuple):
    """A box as it travels: sealed after the record with index `at`."""

    at: int
    sealed: bytes


def seal(contents: BoxContents, key: bytes, game: bytes, record: bytes) -> bytes:
    """Seal a box under its owner's `box_key`, bound to the game's id and a record's hash.

    AES-SIV needs no nonce: sealing the same contents at the same record again gives the same box,
    and reveals no more than that. The padding hides the hand: only the length of the notes shows.
    ValueError for contents that could not be read back, WrongUse for more than a box holds.
    """
    plain = {"hand": list(contents.hand), "notes": contents.notes}
    read_table(plain, _CODECS)
    text = canonical_json(plain)
    # Padded together with the notes to the next block, a hand could be told by one who knows these.
    room = len(text) + max(0, HAND_ROOM - len(canonical_json(plain["hand"])))
    sealed = seal_text(text, key, game, record, room=room)
    if len(sealed) > MAX_SEALED:
        raise WrongUse("The notes and the hand are too long to be sealed in the file.")
    return sealed


def unseal(sealed: bytes, key: bytes, game: bytes, record: bytes) -> BoxContents:
    """Open what `seal` gave for the same key, game and record; BoxDamaged for anything else."""
    try:
        return BoxContents(
            **read_table(json.loads(unseal_text(sealed, key, game, record)), _CODECS)
        )
    except ValueError:
        raise box_error() from None


def seal_text(text: bytes, key: bytes, *bound: bytes, room: int = 0) -> bytes:
    """Seal a text under a `box_key`, padded with spaces to whole blocks, and at least to `room`.

    It opens only for exactly the values to which it is `bound`, in number and order.
    """
    padded = text.ljust(-(-max(len(text), room) // BLOCK) * BLOCK)
    return aes_siv_encrypt(key, padded, bound)


def unseal_text(sealed: bytes, key: bytes, *bound: bytes) -> bytes:
    """Open what `seal_text` gave, with its padding; BoxDamaged for anything else."""
    text = aes_siv_decrypt(key, sealed, bound)
    if text is None:
        raise box_error()
    return text


def box_error() -> BoxDamaged:
    """The error for a box that does not open, or whose contents no program writes."""
    return BoxDamaged("The sealed box is damaged or is not yours.")
