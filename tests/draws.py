"""Random draws of names, in which an added name does not affect the order of others."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from random import Random


def shuffle_names(random: Random, names: Iterable[str], share: float = 1) -> list[str]:
    """Return the names in a random order, or on average a share of them."""
    seed = random.randbytes(8)
    ranks = {name: _rank(seed, name) for name in names}
    return sorted((name for name in ranks if ranks[name] < share), key=lambda name: ranks[name])


def choose_name(random: Random, names: Iterable[str]) -> str:
    """Return a random name."""
    return shuffle_names(random, names)[0]


def _rank(seed: bytes, name: str) -> float:
    """Return a number from 0 up to 1 that depends only on the seed and the name."""
    digest = blake2b(name.encode(), key=seed, digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48
