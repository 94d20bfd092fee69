"""How long to wait before trying again something that may fail."""

from __future__ import annotations

MOST_DOUBLED = 4
"""If looking fails, the time until the next look doubles, at most this many times."""


class Pauses:
    """The pauses between looks, usually of `every` seconds, and longer with each that fails.

    As soon as one goes well, the pauses are normal again.
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._failures, self._told = 0, ""

    @property
    def seconds(self) -> int:
        """How long to wait now."""
        return self._every << min(self._failures, MOST_DOUBLED)

    def fails(self, why: object) -> bool:
        """Note that a look failed; return True to report it: the last one did not fail so."""
        is_new = str(why) != self._told
        self._failures, self._told = self._failures + 1, str(why)
        return is_new

    def goes_well(self) -> bool:
        """Note that a look went well; return True if the last one did not."""
        has_failed = self._failures > 0
        self._failures, self._told = 0, ""
        return has_failed
