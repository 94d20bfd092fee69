"""Fuzzing, outside the test suite: `python -m tests.fuzz --help`; README.md says how."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

MUTANTS = "mutants"
READERS = ("save", "records", "signed", "order", "evidence", "identity", "recovery", "mail")
INSTRUMENTED = ["engine", "pbem", "tomllib"]


def main() -> int:
    """Run one of the targets under atheris, or judge mutants of valid files."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=main.__doc__)
    parser.add_argument("target", choices=[MUTANTS, *READERS])
    parser.add_argument("--count", type=int, default=10_000, help="so many mutants")
    parser.add_argument("--seed", default="0", help="from which the mutants follow")
    parser.add_argument("--keep", type=Path, help="folder for the files that are taken wrongly")
    given, others = parser.parse_known_args()
    if given.target == MUTANTS:
        return _judge_mutants(given.count, given.seed, given.keep)
    return _fuzz(given.target, others)


def _judge_mutants(count: int, seed: str, keep: Path | None) -> int:
    from tests.fuzz.games import games
    from tests.fuzz.judging import judge
    from tests.fuzz.mutants import Mutator

    outcomes: Counter[tuple[str, str]] = Counter()
    slowest, wrong = 0.0, 0
    for number, (game, mutant) in enumerate(islice(Mutator(games(), seed), count)):
        started = time.process_time()
        try:
            outcome = judge(game, mutant)
        except Exception as error:  # Whatever it is, it is what is looked for.
            outcome, wrong = "WRONG", wrong + 1
            print(f"{number} ({game.name}, {mutant.how}): {type(error).__name__}: {error}")
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}-{number}.toml").write_bytes(mutant.data)
        slowest = max(slowest, time.process_time() - started)
        outcomes[mutant.how, outcome] += 1
    for (how, outcome), times in sorted(outcomes.items()):
        print(f"{how:22} {outcome:12} {times:8}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count} mutants, {wrong} wrong; slowest {slowest:.2f} s, most memory {memory} MB")
    return int(wrong > 0)


def _fuzz(name: str, options: list[str]) -> int:
    try:
        import atheris
    except ImportError:
        print("This needs atheris: pip install atheris", file=sys.stderr)
        return 2
    # Only what is imported here is followed.
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
