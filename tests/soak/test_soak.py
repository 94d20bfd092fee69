"""Many games do not leak memory.

These tests are in the long run; `python -m tests.soak` prints the figures. A few games are measured
in memory blocks of Python, and a thousand also in the memory of the process.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.games import play_between_processes, play_in_this_process
from tests.soak.memory import Growth, Sample

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="asks Linux how much memory a process has"
)

GAMES, EVERY, WARM_UP = 1000, 10, 300
"""The warm-up is long enough for rich to fill its cache of text widths."""
BLOCKS, KILOBYTES = 4.0, 2.0
"""The allowed growth for a game, which is less than the size of any object of a game."""
FEW, FEW_WARM_UP = 12, 8
FEW_BLOCKS = 200.0
"""The allowed growth over a few games, in which rich still fills its cache."""


def assert_flat(samples: list[Sample]) -> None:
    growth = Growth.between([sample for sample in samples if sample.games >= WARM_UP])
    assert growth.blocks < BLOCKS, growth
    assert growth.kilobytes < KILOBYTES, growth


@pytest.mark.long
def test_few_games_in_one_process_leak_nothing() -> None:
    samples = list(play_in_this_process(range(FEW), every=1))
    growth = Growth.between(samples[FEW_WARM_UP:])
    assert growth.blocks < FEW_BLOCKS, growth


@pytest.mark.long
def test_few_games_between_two_processes_leak_nothing(tmp_path: Path) -> None:
    for samples in zip(*play_between_processes(tmp_path, range(FEW), every=1), strict=True):
        growth = Growth.between(list(samples[FEW_WARM_UP:]))
        assert growth.blocks < FEW_BLOCKS, growth


@pytest.mark.long
def test_thousand_games_in_one_process_leak_nothing() -> None:
    assert_flat(list(play_in_this_process(range(GAMES), EVERY)))


@pytest.mark.long
def test_thousand_games_between_two_processes_leak_nothing(tmp_path: Path) -> None:
    for samples in zip(*play_between_processes(tmp_path, range(GAMES), EVERY), strict=True):
        assert_flat(list(samples))
