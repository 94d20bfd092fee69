"""Play games by their seeds: `python -m tests.soak.digests engine|signed FROM TO`.

It prints a line `seed digest` for each game from FROM up to, but not including, TO. With `--steps`
it prints the steps, each as a JSON string on a line. The first step of an engine game is its rules,
and each other step is an order with its events and the position after it. The steps of a signed
game are its save files. All randomness comes from the seed.

`tests.soak.compare` runs this command in two trees of the program, so its name, arguments and
output must not change.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.engine_worker import LAST_TURN, chooser, rules
from engine.game import apply
from engine.simulation import Dealer
from engine.state import Decision, new_game
from pbem.play.robot import PracticeGame

LISTS = 16
"""K, the lowest number without a warning."""
MEMORY = "/dev/shm"
"""A folder in memory, if available, because a game writes a library a hundred times."""
SPELLING = re.compile(r"<[\w.]+: |[>']")
"""The differences in `repr` between dataclasses and the classes of `engine.value`."""


@lru_cache(maxsize=10_000, typed=True)
def describe(fact: object) -> str:
    """Return a value as text that does not depend on the kind of its class."""
    return SPELLING.sub("", repr(fact))


def engine(seed: int) -> Iterator[str]:
    """Play a game of random orders, which are listed in some games and drawn in others."""
    random, ruleset = Random(seed), rules(seed)
    state, dealer = new_game(ruleset), Dealer(random)
    choose = chooser("drawn" if seed // 4 % 2 else "random", random)
    yield "\n".join([ruleset.edition, *ruleset.house_rules])
    dealer.deal(state)
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        order = choose(state)
        events = apply(state, order)
        dealer.deal(state)
        # The outcome has the winner and the reason, without a sentence.
        ended = (state.outcome.winner, state.outcome.by) if state.outcome else None
        state.outcome = None
        key: tuple[Any, ...] = state.key()
        position = [part for parts in key for part in parts]
        yield "\n".join([order.notation(), *map(describe, [*events, *position, ended])])


def play_signed(seed: int) -> Iterator[str]:
    """Play a game through signing and files between two robots."""
    ruleset = rules(seed)
    with TemporaryDirectory(dir=MEMORY if Path(MEMORY).is_dir() else None) as folder:
        game = PracticeGame(Path(folder), seed, LISTS, ruleset=ruleset)
        for file in game.play():
            yield file.path.read_bytes().decode()


KINDS = {"engine": engine, "signed": play_signed}


def digest(kind: str, seed: int) -> str:
    """Return the digest of all steps of a game, as hexadecimal digits."""
    return sha256("\0".join(KINDS[kind](seed)).encode()).hexdigest()


def main(arguments: list[str]) -> None:
    """Print the digests or the steps of the games that the arguments name."""
    parser = ArgumentParser("python -m tests.soak.digests", description="Play games by seeds.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("first", metavar="FROM", type=int)
    parser.add_argument("end", metavar="TO", type=int)
    parser.add_argument("--steps", action="store_true", help="print the steps, not a digest")
    options = parser.parse_args(arguments)
    for seed in range(options.first, options.end):
        if options.steps:
            for step in KINDS[options.kind](seed):
                print(json.dumps(step))
        else:
            print(seed, digest(options.kind, seed), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
