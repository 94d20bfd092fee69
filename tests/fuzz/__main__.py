"""Fuzzing outside the test suite: `python -m tests.fuzz --help`; README.md describes it."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.judging import Verdict

MUTANTS = "mutants"
LETTERS = "letters"
LETTERS_PER_TASK = 200
"""The number of letters that a process judges in one task."""
READERS = ("save", "records", "signed", "order", "evidence", "identity", "recovery", "mail")
INSTRUMENTED = ["engine", "pbem", "tomllib"]


def main() -> int:
    """Fuzz a target under atheris, or judge mutants or letters."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=main.__doc__)
    parser.add_argument("target", choices=[MUTANTS, LETTERS, *READERS])
    parser.add_argument("--count", type=int, default=10_000, help="so many mutants or letters")
    parser.add_argument("--seed", default="0", help="from which they follow")
    parser.add_argument("--first", type=int, default=0, help="the number of the first letter")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge letters")
    parser.add_argument("--keep", type=Path, help="folder for inputs that are read wrongly")
    options, others = parser.parse_known_args()
    if options.target == MUTANTS:
        return _report(_judge_mutants(options.count, options.seed), options.seed, options.keep)
    if options.target == LETTERS:
        numbers = range(options.first, options.first + options.count)
        verdicts = _judge_letters(options.seed, numbers, options.jobs)
        return _report(verdicts, options.seed, options.keep)
    return _fuzz(options.target, others)


def _judge_letters(seed: str, numbers: range, jobs: int) -> Iterator[Verdict]:
    from tests.fuzz.reading import judge_some

    some = [numbers[at : at + LETTERS_PER_TASK] for at in range(0, len(numbers), LETTERS_PER_TASK)]
    # Processes are renewed, because used memory would hide the use of the next letter.
    with Pool(jobs, maxtasksperchild=10) as workers:
        for verdicts in workers.imap(partial(judge_some, seed), some):
            yield from verdicts


def _judge_mutants(count: int, seed: str) -> Iterator[Verdict]:
    from tests.fuzz.games import games
    from tests.fuzz.judging import judge, verdict
    from tests.fuzz.mutants import Mutator

    for number, (game, mutant) in enumerate(islice(Mutator(games(), seed), count)):
        yield verdict(number, mutant.how, mutant.data, partial(judge, game, mutant))


def _report(verdicts: Iterable[Verdict], seed: str, keep: Path | None) -> int:
    """Print wrong verdicts, the outcomes and the highest costs, and return an exit status."""
    outcomes: Counter[tuple[str, str]] = Counter()
    slowest, largest = (0.0, 0), (0, 0)
    started, wrong = time.monotonic(), 0
    for verdict in verdicts:
        outcomes[verdict.how, verdict.outcome] += 1
        slowest = max(slowest, (verdict.cost.seconds, verdict.number))
        largest = max(largest, (verdict.cost.megabytes, verdict.number))
        if verdict.complaint:
            wrong += 1
            print(f"{verdict.number} ({verdict.how}): {verdict.complaint}")
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}-{verdict.number}").write_bytes(verdict.data)
    for (how, outcome), times in sorted(outcomes.items()):
        print(f"{how:22} {outcome:12} {times:8}")
    print(f"slowest: {slowest[0]:.2f} s, number {slowest[1]}")
    print(f"most memory: {largest[0]} MB, number {largest[1]}")
    count = outcomes.total()
    rate = count / (time.monotonic() - started)
    print(f"{count} inputs, {wrong} wrong; {rate:.0f} in a second")
    return int(wrong > 0)


def _fuzz(name: str, options: list[str]) -> int:
    try:
        import atheris
    except ImportError:
        print("This needs atheris: pip install atheris", file=sys.stderr)
        return 2
    # Atheris instruments only modules imported here.
    with atheris.instrument_imports(include=INSTRUMENTED):
        from tests.fuzz.targets import TARGETS
    target = TARGETS[name]
    with TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds()):
            (Path(corpus) / f"{number:03}").write_bytes(seed)
        limits = ["-timeout=2", "-rss_limit_mb=600", "-max_len=32768"]
        atheris.Setup([sys.argv[0], *limits, *options, corpus], target.run)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
