"""The two sides."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

from engine.message import Message


class Side(StrEnum):
    """One of the two sides of the game.

    >>> Side.BRITISH.opponent
    <Side.FRENCH: 'french'>
    """

    BRITISH = "british"
    FRENCH = "french"

    @cached_property
    def opponent(self) -> Side:
        """The other side."""
        return Side.FRENCH if self is Side.BRITISH else Side.BRITISH

    @property
    def label(self) -> Message:
        """The side's name, as players see it: British or French."""
        # Translators: the people, as in "The British besiege Boston".
        british = Message.within("side", "British")
        # Translators: the people, as in "The French raid Boston".
        french = Message.within("side", "French")
        return british if self is Side.BRITISH else french
