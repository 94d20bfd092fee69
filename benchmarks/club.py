"""The audit of a club's games: `python -m benchmarks.club FOLDER [--games N] [--make-only]`.

Robots play the games into FOLDER, each with 1,024 lists; that is not timed, and goes on where it was
stopped. One game in a hundred has a fork, one a damaged file, and one a file of somebody else beside
it. Then their audit is measured, as ratios: two processes against one, all games against the audits
of some of them inside a process, a second run against the first, a Dask cluster of two workers
against two processes, and an audit against the hashing and signatures in it. The exit status is 1
if a bound is missed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from benchmarks.timing import Claim, elapsed_time, run
from engine.sides import Side
from pbem.club.games import ClubGame, Row
from pbem.club.reading import read_games
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.protocol import deck, identity, record
from pbem.protocol.match import Match
from pbem.savefile.document import clear_parse_cache
from pbem.savefile.save_file import SaveFile
from tests.play.correspondents import Correspondents

GAMES = 100
LISTS = 1024
EVERY = 100
"""The number of games with one fork, one damaged and one foreign file among them."""
SAMPLE = 20
"""The number of games that are audited inside a process, for comparison."""


def make_games(folder: Path, games: int) -> None:
    """Let robots play the missing games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(games):
        path = folder / f"{seed:05}.toml"
        if not path.exists():
            files = {path.name: b""} | dict(_play(seed))
            for name, data in reversed(files.items()):
                part = folder / f".{name}"
                part.write_bytes(data)
                part.replace(folder / name)


def _play(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a game of robots by name, the newest first."""
    pair = Correspondents(Random(seed))
    game = pair.join(pair.invite(Side.BRITISH, lists=LISTS))
    middle = game
    while game.match.next_side is not None:
        game = pair.answer(game)
        if len(game.match.records) == 20:
            middle = game
    yield f"{seed:05}.toml", game.save.write()
    match seed % EVERY:
        case 11:
            yield f"{seed:05}-fork.toml", pair.answer(middle).save.write()
        case 22:
            yield f"{seed:05}-damaged.toml", game.save.write()[:-3000]
        case 33:
            yield f"{seed:05}-foreign.toml", b'title = "Recipes"\n'


if __name__ == "__main__":
    make_games(Path(sys.argv[1]), int(sys.argv[2]))
