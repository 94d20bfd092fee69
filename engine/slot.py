"""Where a card lies: a position in a shuffle."""

from __future__ import annotations

from typing import NamedTuple


class Slot(NamedTuple):
    """A position in one shuffle of one side's cards: in a draw pile, or face down in a hand.

    >>> str(Slot(2, 17))
    '2:17'
    """

    epoch: int
    position: int

    def __str__(self) -> str:
        return f"{self.epoch}:{self.position}"
