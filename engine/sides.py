"""The two sides."""

from __future__ import annotations

from enum import StrEnum

from language import phrase_in


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
        """The side's name, as players are told it: British or French."""
        # Translators: the people, as in "The British besiege Boston".
        british = phrase_in("side", "British")
        # Translators: the people, as in "The French raid Boston".
        french = phrase_in("side", "French")
        return british if self is Side.BRITISH else french
