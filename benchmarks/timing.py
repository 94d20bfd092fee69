"""Timing side by side: two things measured in turn, in one run, and compared as a ratio.

Machines are shared and their speed drifts; a ratio of neighbours in time does not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Ratio:
    """How much longer one thing takes than another: medians in seconds, and of the ratios."""

    ours: float
    base: float
    ratio: float

    def line(self, what: str, limit: float | None = None) -> str:
        """One row of the report."""
        bound = f"  (to hold: {limit:g})" if limit else ""
        return f"{what:<52} {self.ours:8.4f} s / {self.base:7.4f} s = {self.ratio:6.2f}{bound}"


def compare(ours: Callable[[], object], base: Callable[[], object], runs: int = 9) -> Ratio:
    """Time two functions in turn, after one run of each that does not count."""
    ours(), base()
    pairs = [(timed(ours), timed(base)) for _ in range(runs)]
    return Ratio(
        median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)
    )


def timed(action: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    start = perf_counter()
    action()
    return perf_counter() - start


def run(arguments: Sequence[str]) -> int:
    """Run this Python with arguments, silently; returns the peak memory in MB."""
    # An installed program has its bytecode; one that may not write it would compile at each start.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(arguments)} failed: {errors.decode()}")
    return usage.ru_maxrss // 1024
