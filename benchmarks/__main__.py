"""All speed claims in one command: `python -m benchmarks`.

Every claim about speed is a ratio of two things measured in turn in one run; figures in seconds are
there to see what the ratio is of. Files a turn are counted over a few games here, and over 200 a
setting by `python -m benchmarks.files`. Takes about two minutes. The exit status is 1 where a bound
does not hold.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import commands, engine, files, looking, shuffles
from benchmarks.timing import Claim

FEW_GAMES = 20


def claims() -> Iterator[Claim]:
    """Everything that is claimed, measured one after the other."""
    yield from shuffles.measure()
    yield from looking.measure()
    with TemporaryDirectory() as name:
        game = commands.play_long_game(Path(name))
        yield from commands.applying(game)
        yield from commands.auditing(game)
    yield from (claim for claim, _ in files.measure(FEW_GAMES))


def main() -> int:
    """Print every claim as it is measured; return the exit status."""
    held = True
    for claim in claims():
        print(claim, flush=True)
        held = held and claim.holds
    print(engine.line(engine.measure()))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
