"""Reproducible randomness and time for scripts, in place of `pbem.sources`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import shake_256
from unittest.mock import patch

BEGINNING = datetime(2027, 3, 1, 9, 30, tzinfo=UTC)
STEP = timedelta(hours=7)


class FixedSources:
    """Bytes that depend on a seed, the step and the purpose, and a clock that advances by steps.

    Several requests for one purpose in a step get different bytes, which do not depend on other
    steps or purposes.
    """

    def __init__(self, seed: str) -> None:
        self.time = BEGINNING
        self._seed = seed
        self._step = 0
        self._requests = Counter[str]()

    def next_step(self, days: float = 0) -> None:
        """Begin the next step of the script, after `days` additional days."""
        self._step += 1
        self._requests.clear()
        self.time += STEP + timedelta(days=days)

    def bytes(self, size: int, purpose: str) -> bytes:
        """Return the bytes for a purpose."""
        self._requests[purpose] += 1
        source = f"{self._seed}\0{self._step}\0{self._requests[purpose]}\0{purpose}"
        return shake_256(source.encode()).digest(size)


@contextmanager
def fixed_sources(seed: str) -> Iterator[FixedSources]:
    """Replace randomness and time of the program until the end of the block."""
    fixed = FixedSources(seed)
    with (
        patch("pbem.sources._system_bytes", fixed.bytes),
        patch("pbem.sources._system_clock", lambda: fixed.time),
    ):
        yield fixed
