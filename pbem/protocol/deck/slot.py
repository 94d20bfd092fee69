"""Where a card lies: a position in a shuffle."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.message import Message

_SLOT = re.compile(r"(0|[1-9][0-9]{0,3}):(0|[1-9][0-9]{0,2})")


class Slot(NamedTuple):
    """A position in one shuffle of one player's cards.

    >>> str(Slot(2, 17)), Slot.parse("2:17")
    ('2:17', Slot(epoch=2, position=17))
    """

    epoch: int
    position: int

    def __str__(self) -> str:
        return f"{self.epoch}:{self.position}"

    @classmethod
    def parse(cls, text: str) -> Slot:
        """Read what `str` gives; ValueError for any other text."""
        match = _SLOT.fullmatch(text)
        if match is None:
            raise ValueError(Message("must be a slot, which is written like 2:17"))
        return cls(int(match[1]), int(match[2]))
