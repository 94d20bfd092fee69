"""The opponent's answer to a shuffle and to a draw: random, and not for the opponent to choose.

docs/protocol.md, A grant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import unpack
from typing import NamedTuple, TypeVar

from engine.sides import Slot
from pbem.protocol.hashing import Tag, tagged_xof

T = TypeVar("T")


class Wanted(NamedTuple):
    """What a grant has to name.

    `lists` is how many lists there are to choose from, 0 where none is asked; `first` the slots
    that were named ahead and come first, `left` the others not yet drawn, both ascending; `slots`
    how many cards are drawn in all, `ahead` how many more are named as the next.
    """

    lists: int
    first: tuple[Slot, ...]
    left: tuple[Slot, ...]
    slots: int
    ahead: int


class Granted(NamedTuple):
    """What a grant names: a list where one is wanted, slots to be drawn, slots named ahead."""

    chosen: int | None
    slots: tuple[Slot, ...]
    ahead: tuple[Slot, ...] = ()


class Grants:
    """The answers that one player owes to what one record asked for.

    They follow from the granter's game secret and the hash of the record that asked, and come
    from one stream of numbers, in the order in which they are given.
    """

    def __init__(self, secret: bytes, asked_in: bytes) -> None:
        self._words = _words(secret, asked_in)

    def answer(self, wanted: Wanted) -> Granted:
        """The next grant: the list first (if one is wanted), then the slots, then those ahead."""
        chosen = self.list(wanted.lists) if wanted.lists else None
        drawn = self.slots(wanted.left, wanted.slots - len(wanted.first))
        left = [slot for slot in wanted.left if slot not in drawn]
        ahead = self.slots(left, wanted.ahead)
        return Granted(chosen, tuple(sorted([*wanted.first, *drawn])), tuple(ahead))

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
    """The stream as 64-bit numbers; it is regenerated at twice the length whenever it runs out."""
    used, length = 0, 64
    while True:
        stream = tagged_xof(Tag.GRANT, secret, asked_in, length=8 * length)
        yield from unpack(f">{length}Q", stream)[used:]
        used, length = length, 2 * length
