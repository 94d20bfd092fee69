"""The memory of a process, and its growth from game to game."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from resource import getpagesize
from statistics import linear_regression

CACHE = type(lru_cache(len))


@dataclass(frozen=True)
class Sample:
    """A process after some games: Python's memory blocks in use, and megabytes of the system."""

    games: int
    blocks: int
    megabytes: float

    @classmethod
    def now(cls, games: int) -> Sample:
        """Return a sample of this process after collecting garbage and clearing bounded caches.

        Rich needs a thousand games to fill its cache of 4096 text widths.
        """
        for tracked in gc.get_objects():
            if isinstance(tracked, CACHE) and tracked.cache_parameters()["maxsize"]:
                tracked.cache_clear()
        gc.collect()
        return cls(games, sys.getallocatedblocks(), _resident() / 1e6)


@dataclass(frozen=True)
class Growth:
    """The growth for each game, by a line fitted through samples after the warm-up."""

    blocks: float
    kilobytes: float
    first: Sample
    last: Sample

    @classmethod
    def between(cls, samples: list[Sample]) -> Growth:
        """Return the growth over two or more samples."""
        games = [sample.games for sample in samples]
        blocks = linear_regression(games, [sample.blocks for sample in samples]).slope
        megabytes = linear_regression(games, [sample.megabytes for sample in samples]).slope
        return cls(blocks, 1000 * megabytes, samples[0], samples[-1])

    def __str__(self) -> str:
        first, last = self.first, self.last
        return (
            f"from game {first.games} to {last.games}: {first.megabytes:.1f} to "
            f"{last.megabytes:.1f} MB, {self.kilobytes:+.2f} kB a game; {first.blocks} to "
            f"{last.blocks} blocks, {self.blocks:+.2f} a game"
        )


def _resident() -> int:
    """Return the bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()
