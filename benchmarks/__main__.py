"""All claims about speed: `python -m benchmarks [--save VERSION]`.

Every claim is a ratio of two measurements taken alternately in one run; the figures in seconds only
explain it. Files per turn are counted over a few games here, and over 200 per setting by `python -m
benchmarks.files`. Takes about four minutes. The exit status is 1 if a bound is missed, or if a
ratio is worse by more than a fifth than in the last release. --save stores the ratios as those of a
release, which is refused while a translation is missing.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import board, clicks, commands, engine, files, read_commands, robots, shuffles, web
from benchmarks.releases import Release, order
from benchmarks.timing import Claim
from tools.catalogues import list_open

FEW_GAMES = 20


def claims() -> Iterator[Claim]:
    """Yield all claims, measured one after the other."""
    yield from shuffles.measure()
    yield from read_commands.measure()
    with TemporaryDirectory() as name:
        game = commands.play_long_game(Path(name))
        yield from commands.measure_turns(game)
        yield from commands.measure_audits(game)
    yield from commands.measure_demo()
    yield from board.measure()
    yield from web.measure()
    yield from clicks.measure()
    yield from robots.measure()
    yield from (claim for claim, _ in files.measure(FEW_GAMES))
    yield from engine.compare_with()


def main(arguments: list[str]) -> int:
    """Print every claim as it is measured, and return the exit status."""
    parser = ArgumentParser("python -m benchmarks", description="Measure every claim about speed.")
    parser.add_argument("--save", metavar="VERSION", help="keep the ratios as those of a release")
    save = parser.parse_args(arguments).save
    if save is not None:
        # Refuse a wrong version before measuring anything.
        order(save)
        if list_open():
            print("No release is made while a translation is open.")
            return 1
    last = Release.last() or Release("", {})
    results = []
    for claim in claims():
        print(claim, last.comparison(claim), sep="  ", flush=True)
        results.append(claim)
    print(engine.summary(engine.measure()))
    for name in last.missing_claims(results):
        print(f"measured for {last.version}, and no longer: {name}")
    if save is not None:
        print(f"saved: {Release.from_claims(save, results).save()}")
    return 0 if all(claim.holds and not last.is_worse(claim) for claim in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
