"""Timing of two functions, which run alternately and are compared as a ratio.

The speed of shared machines drifts, but the ratio of adjacent measurements does not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Claim:
    """A measured figure and its bound: `value` should be at most `bound`, if there is one.

    If `is_noise`, differences below the bound mean nothing, and no release is compared.
    """

    name: str
    value: float
    unit: str = ""
    bound: float | None = None
    detail: str = ""
    is_noise: bool = False

    @property
    def holds(self) -> bool:
        """True if the bound holds."""
        return self.bound is None or self.value <= self.bound

    @property
    def is_ratio(self) -> bool:
        """True if the figure can be compared with one from another machine or time."""
        return self.unit in ("", "x") and not self.is_noise

    def __str__(self) -> str:
        bound = f"to hold: {self.bound:.4g}{self.unit}" if self.bound else ""
        mark = "" if self.holds else "MISSED"
        row = f"{self.name:<46} {self.value:8.2f}{self.unit:<3} {bound:<16} {mark:<7}"
        return f"{row}{self.detail}".rstrip()


@dataclass(frozen=True)
class Ratio:
    """The times of two functions as medians in seconds, and the median of their ratios."""

    ours: float
    base: float
    ratio: float

    def claim(self, name: str, bound: float | None = None) -> Claim:
        """Return the ratio as a claim, with the two times as its detail."""
        return Claim(name, self.ratio, "x", bound, f"{self.ours:.4f} s / {self.base:.4f} s")


def compare(ours: Callable[[], object], base: Callable[[], object], runs: int = 9) -> Ratio:
    """Time two functions alternately, after a run of each that does not count."""
    ours(), base()
    pairs = [(elapsed_time(ours), elapsed_time(base)) for _ in range(runs)]
    return Ratio(
        median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)
    )


def compare_added(
    ours: Callable[[], object],
    partial: Callable[[], object],
    base: Callable[[], object],
    runs: int = 15,
) -> Ratio:
    """Compare the extra processor time of a function over a part of it with a base.

    The difference of two times is small compared with the effect of other processes, so this
    measures processor time, not elapsed time.
    """
    ours(), partial(), base()
    extras = [
        (processor_time(ours) - processor_time(partial), processor_time(base)) for _ in range(runs)
    ]
    return Ratio(
        median(a for a, _ in extras), median(b for _, b in extras), median(a / b for a, b in extras)
    )


def processor_time(action: Callable[[], object]) -> float:
    """Return the processor time in seconds of all processes that a call runs to their end."""
    before = getrusage(RUSAGE_CHILDREN)
    action()
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def elapsed_time(action: Callable[[], object]) -> float:
    """Return the elapsed time of a call, in seconds."""
    start = perf_counter()
    action()
    return perf_counter() - start


def run(arguments: Sequence[str], **variables: str) -> int:
    """Run this Python with arguments and without output. Return the peak memory in MB."""
    # An installed program has bytecode; without writing bytecode each start would compile.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment | variables,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(arguments)} failed: {errors.decode()}")
    return usage.ru_maxrss // 1024
