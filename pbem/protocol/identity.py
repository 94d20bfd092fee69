"""A player's identity (name, e-mail address, Ed25519 key pair), and the boxes that it seals.

All secrets in a game follow from the private key and the records, so that a player has to keep only
the key file. A sealed box is a player's private note in the save file.

See docs/protocol.md, Identity; The sealed box.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple

from engine.message import mark
from pbem.errors import DamagedBoxError, UsageError
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

# The order of the field. The y of a point must be below it, so that y has only one encoding.
_P = 2**255 - 19
# The y of the eight points of small order. Under such a key one signature is valid for many
# messages, and a fork would prove nothing against its author.
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
    """Return True if a public key, 32 bytes, is canonical and not a point of small order.

    A key that is not a point of the curve is rejected when a signature is verified. See
    docs/protocol.md, Identity.

    >>> is_proper_key(Identity("Anna", "", bytes(32)).public_key), is_proper_key(bytes(32))
    (True, False)
    """
    y = int.from_bytes(public_key, "little") & (2**255 - 1)
    return y < _P and y not in _SMALL_ORDER


@lru_cache(maxsize=4096)
def is_valid_signature(public_key: bytes, tag: Tag, message: bytes, signature: bytes) -> bool:
    """Return True if a signature, 64 bytes, over tag and message is valid under a public key.

    The last results are cached, because many files of one game hold the same records.
    See docs/protocol.md, Identity.
    """
    return is_proper_key(public_key) and ed25519_verify(public_key, signature, tag.value + message)


def secret_hash(game_secret: bytes) -> bytes:
    """Return the hash of a game secret, 32 bytes: the hash is published on entering a game.

    See docs/protocol.md, Identity; the close proves it (R-10.6).
    """
    return tagged_hash(Tag.SECRET_HASH, game_secret)


class Identity:
    """A player's name, e-mail address (possibly empty) and Ed25519 key pair.

    `seed` is the private key, 32 bytes; `public_key` has 32 bytes. Anybody can have the key of an
    example (`is_example`). The repr shows nothing secret.
    See docs/protocol.md, Identity.

    >>> anna = Identity("Anna", "anna@example.org", bytes(32))
    >>> anna
    Identity('Anna', 'anna@example.org')
    >>> signature = anna.sign(Tag.SIGNATURE, b"message")
    >>> is_valid_signature(anna.public_key, Tag.SIGNATURE, b"message", signature)
    True
    """

    def __init__(self, name: str, email: str, seed: bytes, *, is_example: bool = False) -> None:
        self.name = name
        self.email = email
        self.public_key = ed25519_public_key(seed)
        self.seed = seed
        self.is_example = is_example

    def __repr__(self) -> str:
        return f"Identity({self.name!r}, {self.email!r})"

    @classmethod
    def generate(cls, name: str, email: str) -> Identity:
        """Return an identity with a fresh random key."""
        return cls(name, email, random_bytes(32, f"identity of {name} <{email}>"))

    def sign(self, tag: Tag, message: bytes) -> bytes:
        """Return the signature over the tag and the message, 64 bytes."""
        return ed25519_sign(self.seed, tag.value + message)

    def game_secret(self, nonce: bytes) -> bytes:
        """Return the secret S, 32 bytes, of the game entered with `nonce`, 32 bytes."""
        return derive(Tag.GAME_SECRET, self.seed, salt=nonce)

    def box_key(self, nonce: bytes) -> bytes:
        """Return the key, 64 bytes, of the sealed boxes in the game; it is never published."""
        return derive(Tag.BOX, self.seed, salt=nonce, length=64)


# --- the sealed box


BLOCK_SIZE = 256
MIN_HAND_SIZE = 1024
"""The minimum size of the JSON of a hand in a box, in bytes; shorter JSON is padded to it."""
IV_LENGTH = 16
MIN_SEALED = IV_LENGTH + BLOCK_SIZE
MAX_SEALED = IV_LENGTH + 96 * BLOCK_SIZE
MAX_NOTES = 4000

NOTES = Pattern(
    rf"[^\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]{{0,{MAX_NOTES}}}",
    mark("must be at most {most} characters, with line feeds but no other control characters"),
    most=MAX_NOTES,
)

_CODECS: dict[str, Codec] = {"hand": ListOf(CARD, 0, 255), "notes": NOTES}


class BoxContents(NamedTuple):
    """The contents of a sealed box: the owner's whole hand, and private notes."""

    hand: tuple[str, ...]
    notes: str


class Box(NamedTuple):
    """A sealed box in a save file, bound to the record at `record_index`; 272 to 24592 bytes."""

    record_index: int
    sealed: bytes


def seal(contents: BoxContents, key: bytes, game: bytes, record: bytes) -> bytes:
    """Return a box sealed under its owner's `box_key`, bound to a game's id and a record's hash.

    Equal contents at one record give equal boxes, because AES-SIV is deterministic. The padding
    hides the hand; the length reveals only whether the notes are long. Raises ValueError for
    contents that `unseal` would refuse, UsageError for contents that are too long. See
    docs/protocol.md, The sealed box.

    >>> contents = BoxContents(("home-support", "settlers"), "Take Pemaquid.")
    >>> box = seal(contents, bytes(64), bytes(32), bytes(32))
    >>> len(box), unseal(box, bytes(64), bytes(32), bytes(32)) == contents
    (1296, True)
    """
    plain = {"hand": list(contents.hand), "notes": contents.notes}
    read_table(plain, _CODECS)
    text = canonical_json(plain)
    # Without a minimum size, the length of the hand would be visible to a reader of the notes.
    room = len(text) + max(0, MIN_HAND_SIZE - len(canonical_json(plain["hand"])))
    sealed = seal_text(text, key, game, record, room=room)
    if len(sealed) > MAX_SEALED:
        raise UsageError("The notes and the hand are too long to be sealed in the file.")
    return sealed


def unseal(sealed: bytes, key: bytes, game: bytes, record: bytes) -> BoxContents:
    """Return the contents that `seal` sealed with the same key, game id and record hash.

    Raises DamagedBoxError if the box is anything else. See docs/protocol.md, The sealed box.
    """
    try:
        plain = json.loads(unseal_text(sealed, key, game, record))
        return BoxContents(**read_table(plain, _CODECS))
    except ValueError:
        raise box_error() from None


def seal_text(text: bytes, key: bytes, *bound: bytes, room: int = 0) -> bytes:
    """Return a text sealed under a `box_key`, padded with spaces to whole blocks of 256 bytes.

    The padded text has at least `room` bytes. The box opens only with the same `bound` values.
    """
    padded = text.ljust(-(-max(len(text), room) // BLOCK_SIZE) * BLOCK_SIZE)
    return aes_siv_encrypt(key, padded, bound)


def unseal_text(sealed: bytes, key: bytes, *bound: bytes) -> bytes:
    """Return a text that `seal_text` sealed, with its padding. Raises DamagedBoxError."""
    text = aes_siv_decrypt(key, sealed, bound)
    if text is None:
        raise box_error()
    return text


def box_error() -> DamagedBoxError:
    """Return the error for a box that does not open, or has invalid contents."""
    return DamagedBoxError("The sealed box is damaged or is not yours.")
