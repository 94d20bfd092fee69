"""The figures of the long run: `python -m tests.soak [GAMES]`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.soak.games import play_between_processes, play_in_this_process
from tests.soak.memory import Growth
from tests.soak.test_soak import EVERY, GAMES, WARM_UP


def main(games: int) -> None:
    """Play some games in one process and between two, and print the growth of memory."""
    after = min(WARM_UP, games // 2)
    alone = [*play_in_this_process(range(games), EVERY)]
    print("in one process", Growth.between(alone[after // EVERY :]), flush=True)
    with TemporaryDirectory() as name:
        both = [*zip(*play_between_processes(Path(name), range(games), EVERY), strict=True)]
    for who, samples in zip(("who invites", "the guest"), both, strict=True):
        print(f"in a process each, {who},", Growth.between(list(samples[after // EVERY :])))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
