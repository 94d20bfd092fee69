"""The two sides."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """One of the two sides of the game.

    >>> Side.BRITISH.opponent
    <Side.FRENCH: 'french'>
    """

    BRITISH = "british"
    FRENCH = "french"

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.FRENCH if self is Side.BRITISH else Side.BRITISH

    @property
    def label(self) -> str:
        """The side's name in a sentence: British or French."""
        return "British" if self is Side.BRITISH else "French"
