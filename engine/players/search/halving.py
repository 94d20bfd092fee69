"""Sequential halving: the best of some choices, where each can be tried as often as one likes.

All choices are tried equally often, the worse half is left out, and the rest is tried again: most
tries go to those that are hard to tell apart (Karnin, Koren, Somekh, 2013).
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log2
from typing import NamedTuple


class Trial(NamedTuple):
    """How a choice, by its number, has done: the mean of so many tries."""

    choice: int
    mean: float
    tries: int


def halved(choices: int, tries: int, outcome: Callable[[int, int], float]) -> list[Trial]:
    """The choices, the best first, after about so many `tries` in all; each is tried at least once.

    `outcome(choice, n)` is what the n-th try of a choice gives: all choices are tried with the same
    n, so that they can be compared in the same circumstances. A choice that was left out comes
    after all those that were not; of equal ones the first comes first.
    """
    sums, left, out = [0.0] * choices, list(range(choices)), list[Trial]()
    rounds, done = max(1, ceil(log2(choices))), 0
    while True:
        each = max(1, tries // (rounds * len(left)))
        for n in range(done, done + each):
            for choice in left:
                sums[choice] += outcome(choice, n)
        done += each
        left.sort(key=lambda choice: (-sums[choice], choice))
        stay = ceil(len(left) / 2) if len(left) > 2 else 0
        out[:0] = [Trial(choice, sums[choice] / done, done) for choice in left[stay:]]
        del left[stay:]
        if not left:
            return out
