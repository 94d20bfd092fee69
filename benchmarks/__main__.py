"""All speed claims in one command: `python -m benchmarks [--save VERSION]`.

Every claim about speed is a ratio of two things measured in turn in one run; figures in seconds are
there to see what the ratio is of. Files a turn are counted over a few games here, and over 200 a
setting by `python -m benchmarks.files`. Takes about four minutes. The exit status is 1 where a
bound does not hold, or where a ratio is worse by more than a fifth than in the last release; with
--save the ratios become those of a release, and none is made while a translation is open.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import board, clicks, commands, engine, files, looking, robots, shuffles, web
from benchmarks.releases import Release, order
from benchmarks.timing import Claim
from tools.catalogues import list_open

FEW_GAMES = 20


def claims() -> Iterator[Claim]:
    """Everything that is claimed, measured one after the other."""
    yield from shuffles.measure()
    yield from looking.measure()
    with TemporaryDirectory() as name:
        game = commands.play_long_game(Path(name))
        yield from commands.playing(game)
        yield from commands.auditing(game)
    yield from commands.demo()
    yield from board.measure()
    yield from web.measure()
    yield from clicks.measure()
    yield from robots.measure()
    yield from (claim for claim, _ in files.measure(FEW_GAMES))
    yield from engine.against()


def main(arguments: list[str]) -> int:
    """Print every claim as it is measured; return the exit status."""
    parser = ArgumentParser("python -m benchmarks", description="Measure every claim about speed.")
    parser.add_argument("--save", metavar="VERSION", help="keep the ratios as those of a release")
    save = parser.parse_args(arguments).save
    if save is not None:
        # What is no version, or no release yet, is found before anything is measured.
        order(save)
        if list_open():
            print("No release is made while a translation is open.")
            return 1
    last = Release.last() or Release("", {})
    measured = []
    for claim in claims():
        print(claim, last.comparison(claim), sep="  ", flush=True)
        measured.append(claim)
    print(engine.line(engine.measure()))
    for what in last.not_measured(measured):
        print(f"measured for {last.version}, and no longer: {what}")
    if save is not None:
        print(f"saved: {Release.measured(save, measured).save()}")
    return 0 if all(claim.holds and not last.is_worse(claim) for claim in measured) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
