"""Why a game ended, as a position remembers it: the same text in every language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from language import SOURCE, spoken


class Reason(str):
    """Why a game ended: a short phrase in English, whatever was spoken when it ended.

    The position is the same for everybody; `told` says it in the language spoken now.
    """

    _say: Callable[[], str]

    def __new__(cls, say: Callable[[], str]) -> Self:
        """What that says."""
        with spoken(SOURCE):
            reason = super().__new__(cls, say())
        reason._say = say
        return reason

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self._say,)

    def told(self) -> str:
        """The reason in the language spoken now."""
        return self._say()
