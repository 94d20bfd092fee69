"""A shuffle: K secret lists committed to at once, all but one of them opened later.

The owner grows a binary tree of seeds from one root; each leaf gives one order of the cards and a
nonce per card. What is published is one hash over all lists. When the opponent has named a list,
the siblings on the path to it let everybody recompute the others, and see that each of them was
made from the right cards. For the named list only the commitments are published, card by card.

docs/protocol.md, A shuffle. `cards` are always in canonical order (`sorted`), `lists` is K, a
power of two; callers have checked both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from pbem.errors import DeckError
from pbem.errors.rule import Rule
from pbem.protocol.hashing import Tag, derive, tagged_hash, tagged_hashes, tagged_xof

SEED_LENGTH = 32
NONCE_LENGTH = 32


class Opening(NamedTuple):
    """What opens all lists but one.

    `siblings`: the seeds beside the path to the list kept, from the root downwards, 32 bytes each.
    `commitments`: those of the list kept, one for each position, 32 bytes each.
    """

    siblings: tuple[bytes, ...]
    commitments: tuple[bytes, ...]


def root_seed(secret: bytes, epoch: int, previous: bytes) -> bytes:
    """The seed of a shuffle: its owner has no choice once the record before is signed.

    `secret` is the owner's game secret, `previous` the hash of the record that precedes the one
    with the shuffle, or 32 zero bytes if that is the first.
    """
    return derive(Tag.SHUFFLE, secret, salt=previous, context=epoch.to_bytes(4, "big"))


def slot_commitment(nonce: bytes, card: str) -> bytes:
    """The commitment to one card at one position; the 32-byte nonce hides the card."""
    return tagged_hash(Tag.SLOT, nonce, card.encode("ascii"))


def commit(seed: bytes, cards: Sequence[str], lists: int) -> bytes:
    """The commitment of a shuffle, 32 bytes."""
    return _commitment(cards, _list_hashes(_leaves(seed, lists), cards))


def open_lists(seed: bytes, cards: Sequence[str], lists: int, chosen: int) -> Opening:
    """What opens every list but the chosen one."""
    siblings, leaf = _path(seed, lists, chosen)
    commitments = next(_commitments([leaf], cards))
    return Opening(tuple(siblings), tuple(commitments))


def chosen_list(
    seed: bytes, cards: Sequence[str], lists: int, chosen: int
) -> list[tuple[str, bytes]]:
    """The chosen list, for its owner alone: the card and the nonce at each position."""
    _, leaf = _path(seed, lists, chosen)
    order, nonces = next(_orders([leaf], len(cards)))
    return [(cards[i], nonce) for i, nonce in zip(order, nonces, strict=True)]


def verify_opening(
    commitment: bytes, cards: Sequence[str], lists: int, chosen: int, opening: Opening
) -> None:
    """Check an opening against the commitment of the shuffle.

    All lists but the chosen one are shown to hold exactly `cards`, and the commitments to be those
    of the chosen one. Raises DeckError if anything differs.
    """
    siblings, commitments = opening
    if 1 << len(siblings) != lists or len(commitments) != len(cards):
        raise DeckError(
            "the opening does not have the right number of parts for this shuffle.",
            Rule.OPENING_PARTS,
        )
    hashes: tuple[bytes, ...] = (tagged_hash(Tag.LIST, *commitments),)
    for level, seed in zip(range(len(siblings)), reversed(siblings), strict=True):
        beside = _opened(seed, 1 << level, tuple(cards))
        hashes = beside + hashes if chosen >> level & 1 else hashes + beside
    if _commitment(cards, hashes) != commitment:
        raise DeckError(
            "the lists that were opened are not the ones that were committed to.", Rule.OPENING
        )


def show_every_list(one: Sequence[bytes], other: Sequence[bytes]) -> bool:
    """Whether two openings, by their siblings, leave no list of one shuffle hidden.

    They do if they come from one tree and keep different lists. With two lists the siblings cannot
    show which tree it is, and it is taken for the same.
    """
    levels = range(min(len(one), len(other)))
    parting = next((level for level in levels if one[level] != other[level]), None)
    if parting is None:
        return False
    # What both have above is of one tree; so is what hangs on a seed that the other one shows.
    return parting > 0 or len(levels) < 2 or other[1] in _children(one[0])


def _commitment(cards: Sequence[str], hashes: Sequence[bytes]) -> bytes:
    sizes = len(hashes).to_bytes(4, "big") + len(cards).to_bytes(4, "big")
    return tagged_hash(Tag.LISTS, sizes, *hashes)


def _children(seed: bytes) -> tuple[bytes, bytes]:
    both = tagged_xof(Tag.NODE, seed, length=2 * SEED_LENGTH)
    return both[:SEED_LENGTH], both[SEED_LENGTH:]


def _leaves(seed: bytes, count: int) -> list[bytes]:
    seeds = [seed]
    while len(seeds) < count:
        seeds = [child for parent in seeds for child in _children(parent)]
    return seeds


def _path(seed: bytes, lists: int, chosen: int) -> tuple[list[bytes], bytes]:
    """The siblings on the way from the root down to a leaf, and the leaf."""
    siblings = []
    for level in reversed(range(lists.bit_length() - 1)):
        left, right = _children(seed)
        seed, sibling = (right, left) if chosen >> level & 1 else (left, right)
        siblings.append(sibling)
    return siblings, seed


def _orders(leaves: Iterable[bytes], size: int) -> Iterator[tuple[list[int], tuple[bytes, ...]]]:
    """For each leaf the canonical index of the card at each position, and the nonces."""
    layout = Struct(f">{size}Q" + f"{NONCE_LENGTH}s" * size)
    indices = range(size)
    for leaf in leaves:
        numbers = layout.unpack(tagged_xof(Tag.LEAF, leaf, length=layout.size))
        # The sort is stable: equal keys leave the cards in canonical order.
        yield sorted(indices, key=numbers.__getitem__), numbers[size:]


def _commitments(leaves: Iterable[bytes], cards: Sequence[str]) -> Iterator[list[bytes]]:
    """For each leaf the commitment at each position."""
    encoded = [card.encode("ascii") for card in cards]
    for order, nonces in _orders(leaves, len(cards)):
        yield tagged_hashes(Tag.SLOT, nonces, [encoded[i] for i in order])


@lru_cache(maxsize=256)
def _opened(seed: bytes, count: int, cards: tuple[str, ...]) -> tuple[bytes, ...]:
    """The hashes of the lists below a seed that is open: many files of one game open the same."""
    return tuple(_list_hashes(_leaves(seed, count), cards))


def _list_hashes(leaves: Iterable[bytes], cards: Sequence[str]) -> list[bytes]:
    return [tagged_hash(Tag.LIST, *commitments) for commitments in _commitments(leaves, cards)]
