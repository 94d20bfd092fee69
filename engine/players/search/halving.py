"""Sequential halving: the best of some choices, where each can be tried as often as one likes.

All choices are tried equally often, the worse half is left out, and the rest is tried again: most
tries go to those that are hard to tell apart (Karnin, Koren, Somekh, 2013). The first choice, what
one would do without trying, stays to the end: another has to be better than it beyond doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from statistics import fmean, variance
from typing import NamedTuple

Outcome = Callable[[int, int], float]
"""What the n-th try of a choice, by its number, gives.

All choices are tried with the same n, so that they can be compared in the same circumstances.
"""


class Trial(NamedTuple):
    """How a choice, by its number, has done: the mean of that many tries."""

    choice: int
    mean: float
    tries: int


def halved(choices: int, tries: int, outcome: Outcome, doubt: float = 0.0) -> list[Trial]:
    """The choices, the best first, after about `tries` in all; each is tried at least once.

    A choice that was left out comes after all those that were not; of equal ones the first comes
    first. Whatever comes before choice 0 is better than it by more than `doubt` standard errors of
    the difference.
    """
    seen: list[list[float]] = [[] for _ in range(choices)]
    left, out = list(range(choices)), list[Trial]()
    rounds, done = max(1, ceil(log2(choices))), 0
    while True:
        each = max(1, tries // (rounds * len(left)))
        for n in range(done, done + each):
            for choice in left:
                seen[choice].append(outcome(choice, n))
        done += each
        left.sort(key=lambda choice: (-fmean(seen[choice]), choice))
        if len(left) <= 2:
            break
        stay = ceil(len(left) / 2)
        # The first choice takes the place of the last that stays, if it would not.
        stays = left[:stay] if 0 in left[:stay] else [*left[: stay - 1], 0]
        out[:0] = [_trial(choice, seen) for choice in left if choice not in stays]
        left = stays
    if left[-1] == 0 and not is_better(seen[left[0]], seen[0], doubt):
        left.reverse()
    return [_trial(choice, seen) for choice in left] + out


def _trial(choice: int, seen: list[list[float]]) -> Trial:
    return Trial(choice, fmean(seen[choice]), len(seen[choice]))


def is_better(ones: Sequence[float], others: Sequence[float], doubt: float) -> bool:
    """Whether the first of these pairs are higher on average, by more than so many standard errors.

    `doubt` is that number; the n-th of each were tried in the same circumstances.
    """
    # As if one more had come out even: a few that are alike leave doubt, too.
    differences = [0.0, *(one - other for one, other in zip(ones, others, strict=True))]
    error = sqrt(variance(differences) / len(differences))
    return fmean(differences) > doubt * error
