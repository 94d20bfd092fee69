"""The two sides, and the slots in which their face-down cards lie."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from engine.message import Message


class Side(StrEnum):
    """One of the two sides of the game.

    >>> Side.BRITISH.opponent
    <Side.FRENCH: 'french'>
    >>> Side("french").label
    Message('French')
    """

    BRITISH = "british"
    FRENCH = "french"

    @cached_property
    def opponent(self) -> Side:
        """The other side."""
        return Side.FRENCH if self is Side.BRITISH else Side.BRITISH

    @property
    def label(self) -> Message:
        """The name of the side for players: British or French."""
        # Translators: the people, as in "The British besiege Boston".
        british = Message.within("side", "British")
        # Translators: the people, as in "The French raid Boston".
        french = Message.within("side", "French")
        return british if self is Side.BRITISH else french


class Slot(NamedTuple):
    """A face-down card: a position in one shuffle of one side's cards, in a draw pile or in a hand.

    `epoch` counts the shuffles of that side from 0, `position` the cards of that shuffle.

    >>> str(Slot(2, 17))
    '2:17'
    """

    epoch: int
    position: int

    def __str__(self) -> str:
        return f"{self.epoch}:{self.position}"
