"""A sealed box: what a player keeps in the save file for no other eyes.

docs/protocol.md, The sealed box.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from engine.message import mark
from pbem.errors import BoxDamaged, WrongUse
from pbem.protocol.primitives import aes_siv_decrypt, aes_siv_encrypt
from pbem.protocol.schema import CARD, Codec, ListOf, Pattern, canonical_json, read_table

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


class Contents(NamedTuple):
    """The hand as its owner knows it, and the owner's private notes."""

    hand: tuple[str, ...]
    notes: str


class Box(NamedTuple):
    """A box as it travels: sealed after the record with index `at`."""

    at: int
    sealed: bytes


def seal(contents: Contents, key: bytes, game: bytes, record: bytes) -> bytes:
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


def unseal(sealed: bytes, key: bytes, game: bytes, record: bytes) -> Contents:
    """Open what `seal` gave for the same key, game and record; BoxDamaged for anything else."""
    try:
        return Contents(**read_table(json.loads(unseal_text(sealed, key, game, record)), _CODECS))
    except ValueError:
        raise damaged() from None


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
        raise damaged()
    return text


def damaged() -> BoxDamaged:
    """The error for a box that does not open, or whose contents no program writes."""
    return BoxDamaged("The sealed box is damaged or is not yours.")
