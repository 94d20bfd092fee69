"""Compare the games of two versions: `python -m tests.soak.compare --against COMMIT`.

It plays 500 games through signing and files and 10,000 with the engine alone, by every edition and
random house rules, in COMMIT and in the working tree, and compares all save files, orders, events
and positions. It reports the first difference with its step, and the exit status is then 1. If
COMMIT has no `tests/soak/digests.py`, the file of the working tree is used.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from itertools import islice, zip_longest
from os import cpu_count
from pathlib import Path
from shutil import copytree
from subprocess import PIPE, CalledProcessError, run
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.engine import ROOT, unpack

PACKAGES = ("engine", "pbem", "tests", "benchmarks")
PLAYER = "tests/soak/digests.py"
GAMES = {"signed": 500, "engine": 10_000}
CHUNK_SIZES = {"signed": 10, "engine": 250}
"""The number of games that a process plays between comparisons, by kind."""
MAX_LINES = 40
"""The maximum number of printed lines of a difference."""


class Chunk(NamedTuple):
    """Games of a kind, from a seed up to, not including, another."""

    kind: str
    first: int
    end: int

    def lines(self, tree: Path, *options: str) -> list[str]:
        """Return the output of `tests.soak.digests` of a tree; raises CalledProcessError."""
        command = [sys.executable, "-m", "tests.soak.digests", *map(str, self), *options]
        return run(command, cwd=tree, check=True, stdout=PIPE, text=True).stdout.splitlines()


def chunks(kind: str, games: int) -> Iterator[Chunk]:
    """Split games of a kind into chunks of the size in `CHUNK_SIZES`."""
    for first in range(0, games, CHUNK_SIZES[kind]):
        yield Chunk(kind, first, min(first + CHUNK_SIZES[kind], games))


def first_difference(chunk: Chunk, old: Path, new: Path) -> str | None:
    """Return the first difference between games, or None if all games are equal."""
    for was, now in zip(chunk.lines(old), chunk.lines(new), strict=True):
        if was != now:
            return difference(chunk.kind, int(now.split()[0]), old, new)
    return None


def difference(kind: str, seed: int, old: Path, new: Path) -> str:
    """Return the first different step of a game in two trees, with the different lines."""
    game = Chunk(kind, seed, seed + 1)
    steps = zip_longest(*(map(json.loads, game.lines(tree, "--steps")) for tree in (old, new)))
    differing = ((number, pair) for number, pair in enumerate(steps) if pair[0] != pair[1])
    number, pair = next(differing, (0, ("", "")))
    if pair[0] == pair[1]:
        return f"{kind} game {seed} differed once: it depends on more than its seed"
    was, now = ((text or "").splitlines() for text in pair)
    step = "order" if kind == "engine" else "record"
    return "\n".join(
        [
            f"{kind} game {seed} differs from {step} {number} on:",
            *islice(unified_diff(was, now, "old", "new", lineterm=""), MAX_LINES),
            f"All its steps: python -m tests.soak.digests {kind} {seed} {seed + 1} --steps",
        ]
    )


def compare(old: Path, new: Path, games: dict[str, int], processes: int | None = None) -> bool:
    """Play games of each kind in both trees, print the result, and return True if all agree."""
    tasks = [chunk for kind, number in games.items() for chunk in chunks(kind, number)]
    with ThreadPoolExecutor(processes or cpu_count()) as pool:
        differences = pool.map(lambda chunk: first_difference(chunk, old, new), tasks)
        for chunk, differing in zip(tasks, differences, strict=True):
            print(differing or f"{chunk.kind} games {chunk.first} to {chunk.end - 1}: the same")
            if differing:
                pool.shutdown(cancel_futures=True)
                return False
    return True


def main(arguments: list[str]) -> int:
    """Compare the games of a commit with those of the working tree; return the exit status."""
    parser = ArgumentParser("python -m tests.soak.compare", description="Compare two versions.")
    parser.add_argument("--against", metavar="COMMIT", default="HEAD", help="HEAD by default")
    for kind, number in GAMES.items():
        parser.add_argument(f"--{kind}", metavar="GAMES", type=int, default=number)
    parser.add_argument("--processes", type=int, help="one for each core by default")
    options = parser.parse_args(arguments)
    games = {kind: getattr(options, kind) for kind in GAMES}
    try:
        with TemporaryDirectory() as folder:
            unpack(options.against, Path(folder), PACKAGES)
            if not (Path(folder) / PLAYER).exists():
                for package in ("tests", "benchmarks"):
                    copytree(ROOT / package, Path(folder) / package, dirs_exist_ok=True)
            return 0 if compare(Path(folder), ROOT, games, options.processes) else 1
    except CalledProcessError as error:
        print(error, (error.stderr or b"").decode(), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
