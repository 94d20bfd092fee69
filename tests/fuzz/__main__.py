"""Fuzzing, outside the test suite: `python -m tests.fuzz --help`; README.md says how."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from functools import partial
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

MUTANTS = "mutants"
LETTERS = "letters"
AT_ONCE = 200
"""How many letters a process judges before it says what came of them."""
READERS = ("save", "records", "signed", "order", "evidence", "identity", "recovery", "mail")
INSTRUMENTED = ["engine", "pbem", "tomllib"]


def main() -> int:
    """Run one of the targets under atheris, or judge mutants of valid files, or letters."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=main.__doc__)
    parser.add_argument("target", choices=[MUTANTS, LETTERS, *READERS])
    parser.add_argument("--count", type=int, default=10_000, help="so many mutants or letters")
    parser.add_argument("--seed", default="0", help="from which they follow")
    parser.add_argument("--first", type=int, default=0, help="the number of the first letter")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge letters")
    parser.add_argument(
        "--keep", type=Path, help="folder for what is taken wrongly, and for the dearest letters"
    )
    options, others = parser.parse_known_args()
    if options.target == MUTANTS:
        return _judge_mutants(options.count, options.seed, options.keep)
    if options.target == LETTERS:
        numbers = range(options.first, options.first + options.count)
        return _judge_letters(options.seed, numbers, options.jobs, options.keep)
    return _fuzz(options.target, others)


def _judge_letters(seed: str, numbers: range, jobs: int, keep: Path | None) -> int:
    from tests.fuzz.letters import letter
    from tests.fuzz.reading import judge_some

    outcomes: Counter[tuple[str, str]] = Counter()
    dearest: dict[str, tuple[float, int]] = {"s": (0, 0), "MB": (0, 0)}
    started, wrong = time.monotonic(), 0
    some = [numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE)]
    # Each afresh: what one letter leaves in memory is not to hide what the next one takes.
    with Pool(jobs, maxtasksperchild=10) as workers:
        for judged in workers.imap(partial(judge_some, seed), some):
            for letter_judged in judged:
                outcomes[letter_judged.how, letter_judged.outcome] += 1
                dearest["s"] = max(dearest["s"], (letter_judged.seconds, letter_judged.number))
                dearest["MB"] = max(dearest["MB"], (letter_judged.megabytes, letter_judged.number))
                if letter_judged.complaint:
                    wrong += 1
                    print(
                        f"{letter_judged.number} ({letter_judged.how}): {letter_judged.complaint}"
                    )
                    _keep(
                        keep,
                        f"{seed}-{letter_judged.number}.eml",
                        letter(seed, letter_judged.number).data,
                    )
    for (how, outcome), times in sorted(outcomes.items()):
        print(f"{how:22} {outcome:12} {times:8}")
    for unit, (most, number) in dearest.items():
        print(f"dearest: {most:.2f} {unit}, number {number} ({letter(seed, number).how})")
        _keep(keep, f"{seed}-{number}-dearest.eml", letter(seed, number).data)
    rate = len(numbers) / (time.monotonic() - started)
    print(f"{len(numbers)} letters, {wrong} wrong; {rate:.0f} in a second")
    return int(wrong > 0)


def _keep(folder: Path | None, name: str, data: bytes) -> None:
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


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
            _keep(keep, f"{seed}-{number}.toml", mutant.data)
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
