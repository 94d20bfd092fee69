"""The opponent's answer to a shuffle and to a draw: random, and not the opponent's to choose.

docs/protocol.md, A grant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import unpack
from typing import TypeVar

from pbem.hashing import Tag, tagged_xof

T = TypeVar("T")


class Grants:
    """The answers that one player owes to what one record asked for.

    They follow from the granter's game secret and the hash of the record that asked, and come
    from one stream of numbers: take the list first (if one is asked), then the slots.

    """

    def __init__(self, secret: bytes, asked_in: bytes) -> None:
        self._words = _words(secret, asked_in)

    def list(self, lists: int) -> int:
        """Which of the lists becomes the draw pile."""
        return self._uniform(lists)

    def slots(self, undrawn: Sequence[T], count: int) -> Sequence[T]:
        """`count` of the slots not yet drawn, which are given and returned in ascending order."""
        left = [*range(len(undrawn))]
        drawn = [left.pop(self._uniform(len(left))) for _ in range(count)]
        return [undrawn[i] for i in sorted(drawn)]

    def _uniform(self, n: int) -> int:
        """A number below n, each equally likely: words past the last multiple of n do not count."""
        limit = 2**64 - 2**64 % n
        return next(word for word in self._words if word < limit) % n


def _words(secret: bytes, asked_in: bytes) -> Iterator[int]:
    """The stream as 64-bit numbers; it is regrown twice as long whenever it runs out."""
    used, length = 0, 64
    while True:
        stream = tagged_xof(Tag.GRANT, secret, asked_in, length=8 * length)
        yield from unpack(f">{length}Q", stream)[used:]
        used, length = length, 2 * length
