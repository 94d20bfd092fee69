"""Mutation testing: `python -m tests.mutation ROOM FOLDER [--sample N] [--seed S]`.

Each mutant is this program with a small change, and tests should fail with it. ROOM is a source
file or a folder below `engine` or `pbem`. The mutants are tried on a copy in FOLDER, by the tests
that execute the changed line. The command prints the share of killed mutants, and all others.
FOLDER stores the results, so that the same command resumes a stopped run. README.md has results.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from importlib.util import cache_from_source
from pathlib import Path
from random import Random
from resource import RLIMIT_DATA, setrlimit

from tests.mutation.forked import FRESH, LATE, OPTIONS
from tests.mutation.mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
TESTS = {
    "play": ["tests/play/store", "tests/play", "tests/mail"],
    "protocol": ["tests/protocol", "tests/attacks", "tests/vectors"],
}
"""The tests that must kill a mutant, by room; other rooms have the folder of their name."""
MAX_SECONDS = 10.0
"""The maximum time for the tests of a mutant; slower tests do not count."""
ENDS = {0: "survived", 1: "killed", 2: "killed", 4: "killed", LATE: "timeout"}
"""Verdicts by exit status: 1 if a test failed, 2 or 4 if tests could not be imported."""
STATUSES = ("killed", "survived", "timeout", "no tests", "error")
MEMORY = 4 * 2**30
"""The memory limit of a mutant, in bytes."""


def selection(room: str) -> list[str]:
    """Return the tests of a room, and the examples in it."""
    package, *rest = room.split("/")
    name = Path(rest[0]).stem if package == "pbem" and rest else package
    return [*TESTS.get(name, [f"tests/{name}"]), room]


class Trial:
    """A copy of the program in a folder, for the mutants of a room."""

    def __init__(self, folder: Path, room: str) -> None:
        self.folder = folder
        self.results = folder / "results.json"
        file = folder / f"{room.replace('/', '.')}.json"
        if _copy_to(folder) or not file.exists():
            _run(folder, "tests.mutation.calls", room, file.name, *selection(room))
        calls = json.loads(file.read_text())
        self.seconds: dict[str, float] = calls["seconds"]
        self.lines: dict[str, dict[str, list[str]]] = calls["lines"]
        self.server = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation.forked", *selection(room)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=_limit_memory,
        )
        self._answer()

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute a mutant's line, the fastest first.

        If no test is noted for the line, return the tests that call the function. If the function
        was only called before the first test, or the line is outside of functions, return the tests
        that execute any line of the file.
        """
        lines = self.lines.get(mutant.file, {})

        def executing(numbers: Iterable[object]) -> set[str]:
            return {test for number in numbers for test in lines.get(str(number), [])}

        tests = executing({mutant.node.lineno} & {*mutant.body}) - {""} or executing(mutant.body)
        if not tests - {""} and ("" in tests or not mutant.body):
            tests = executing(lines)
        tests.discard("")
        sample: list[str] = []
        budget = MAX_SECONDS
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            budget -= self.seconds[test]
            if sample and budget < 0:
                break
            sample.append(test)
        return sample

    def status(self, mutant: Mutant) -> str:
        """Try a mutant, and return its status.

        It is tried in a fork of a process that has collected the tests, unless it changes code that
        runs before the first test.
        """
        tests = self.tests(mutant)
        if not tests:
            return "no tests"
        limit = 30 + 4 * sum(self.seconds[test] for test in tests)
        lines = self.lines.get(mutant.file, {})
        ended = FRESH
        if mutant.body and not any("" in lines.get(str(line), []) for line in mutant.body):
            ended = self._try_forked(mutant, tests, limit)
        if ended == FRESH:
            ended = self._try_fresh(mutant, tests, limit)
        return ENDS.get(ended, "error")

    def _try_forked(self, mutant: Mutant, tests: list[str], limit: float) -> int:
        source = mutant.apply((self.folder / mutant.file).read_text(encoding="utf-8"))
        request = {"file": mutant.file, "source": source, "tests": tests, "limit": limit}
        assert self.server.stdin
        print(json.dumps(request), file=self.server.stdin, flush=True)
        return int(self._answer())

    def _answer(self) -> str:
        assert self.server.stdout
        return self.server.stdout.readline()

    def _try_fresh(self, mutant: Mutant, tests: list[str], limit: float) -> int:
        (self.folder / "tests.txt").write_text("\n".join(tests))
        file = self.folder / mutant.file
        source = file.read_text(encoding="utf-8")
        try:
            _write(file, mutant.apply(source))
            return _run(self.folder, "pytest", *OPTIONS, "@tests.txt", limit=limit)
        except subprocess.TimeoutExpired:
            return LATE
        finally:
            _write(file, source)

    def try_all(self, sample: list[Mutant]) -> dict[str, str]:
        """Try the mutants without a result, and return the status of all by their diffs."""
        before = json.loads(self.results.read_text()) if self.results.exists() else {}
        statuses: dict[str, str] = {}
        for mutant in sample:
            diff = mutant.diff((self.folder / mutant.file).read_text(encoding="utf-8"))
            statuses[diff] = before.get(diff) or self.status(mutant)
            self.results.write_text(json.dumps(before | statuses))
            print(statuses[diff], diff.partition("\n")[0], flush=True)
        return statuses


def main(arguments: list[str]) -> int:
    """Try mutants of a room and print the report; return the exit status."""
    parser = ArgumentParser("python -m tests.mutation", description="Try mutants of this program.")
    parser.add_argument("room", help="the file or folder to change, such as pbem/play")
    parser.add_argument("folder", type=Path, help="where to work; it may hold an earlier run")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of its mutants, not all")
    parser.add_argument("--seed", type=int, default=1, help="another one chooses other mutants")
    options = parser.parse_args(arguments)
    trial = Trial(options.folder, options.room)
    population = list(mutants(options.folder, options.room))
    number = min(options.sample or len(population), len(population))
    statuses = trial.try_all(Random(options.seed).sample(population, number))
    print(report(statuses, len(population)))
    return 0


def report(statuses: dict[str, str], total: int) -> str:
    """Return the counts by status, and the diff of each mutant that was not killed."""
    counts = Counter(statuses.values())
    figures = ", ".join(f"{counts[status]} {status}" for status in STATUSES)
    rate = 100 * counts["killed"] / max(len(statuses), 1)
    alive = [f"{status}: {diff}" for diff, status in statuses.items() if status != "killed"]
    return "\n\n".join([f"{len(statuses)} of {total}: {figures}; {rate:.1f} %", *alive])


def _run(folder: Path, module: str, *arguments: str, limit: float | None = None) -> int:
    process = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL if limit else None,
        stderr=subprocess.DEVNULL if limit else None,
        timeout=limit,
        preexec_fn=_limit_memory,
    )
    return process.returncode


def _limit_memory() -> None:
    setrlimit(RLIMIT_DATA, (MEMORY, MEMORY))


def _write(file: Path, source: str) -> None:
    """Write a source file with a new time, because Python ignores changes within a second."""
    file.write_text(source, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def _copy_to(folder: Path) -> bool:
    """Copy all files that git tracks, and return whether any was missing or changed."""
    command = ["git", "ls-files", "-z"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    is_new = False
    for name in filter(None, result.stdout.decode().split("\0")):
        content, copy = (ROOT / name).read_bytes(), folder / name
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
            is_new = True
    return is_new


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
