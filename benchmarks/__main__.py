"""All speed claims in one command: `python -m benchmarks`.

Every claim is a ratio of two things measured in turn in one run; figures in seconds are there to
see what the ratio is of. Takes about a minute.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import commands, engine, shuffles


def main() -> None:
    for what, ratio in shuffles.measure().items():
        print(ratio.line(what, 2.0), flush=True)
    with TemporaryDirectory() as name:
        game = commands.play_long_game(Path(name))
        for what, ratio, limit in commands.applying(game):
            print(ratio.line(what, limit), flush=True)
        for line in commands.auditing(game):
            print(line, flush=True)
    print(engine.line(engine.measure()))


if __name__ == "__main__":
    main()
