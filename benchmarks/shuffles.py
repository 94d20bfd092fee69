"""A shuffle of 30 cards, compared with only the hashing in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256, shake_256

from benchmarks.timing import Claim, compare
from pbem.protocol import deck
from pbem.protocol.deck import commit, open_lists, verify_opening
from pbem.protocol.primitives import Tag
from pbem.protocol.steps import DEFAULT_LISTS

BOUND = 2.0
CARDS = sorted([f"location-card-{i:02}" for i in range(18)] + ["regular-infantry"] * 12)


def bare_hashing(size: int, lists: int) -> Callable[[], None]:
    """Return a function with the hash calls of one commitment, on inputs of the right lengths."""
    slots = [Tag.SLOT.value + bytes(32) + card.encode() for card in CARDS] * lists
    leaves = [Tag.LEAF.value + bytes(32)] * lists
    nodes = [Tag.NODE.value + bytes(32)] * (lists - 1)
    tables = [Tag.LIST.value + bytes(32 * size)] * lists
    root_data = Tag.LISTS.value + bytes(8 + 32 * lists)

    def hash_all() -> None:
        for data in nodes:
            shake_256(data).digest(64)
        for data in leaves:
            shake_256(data).digest(40 * size)
        for data in slots:
            sha256(data).digest()
        for data in tables:
            sha256(data).digest()
        sha256(root_data).digest()

    return hash_all


def measure() -> Iterator[Claim]:
    """Yield committing to a shuffle and checking its opening, each against the bare hashing."""
    seed, index = bytes(range(32)), 333
    commitment = commit(seed, CARDS, DEFAULT_LISTS)
    opening = open_lists(seed, CARDS, DEFAULT_LISTS, index)
    bare = bare_hashing(len(CARDS), DEFAULT_LISTS)

    def check() -> None:
        # A process caches openings, so clear the cache before each check.
        deck._subtree_hashes.cache_clear()
        verify_opening(commitment, CARDS, DEFAULT_LISTS, index, opening)

    committing = compare(lambda: commit(seed, CARDS, DEFAULT_LISTS), bare, runs=21)
    yield committing.claim("commit to a 30-card shuffle / bare hashing", BOUND)
    yield compare(check, bare, runs=21).claim("check a 30-card shuffle / bare hashing", BOUND)
