"""The time from a click to the next parts, in practice games and recorded games.

At each decision the parts of a legal order are clicked in random sequence, as in the tests. The
first step lists all possible parts. Recorded games are included if they are next to the checkout.
Run it alone with `python -m benchmarks.clicks`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from random import Random
from statistics import median
from time import process_time

from benchmarks.timing import Claim
from engine.choices import Choices, Parts
from engine.game import apply
from engine.players.practice import PracticePlayer
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.clicks import random_keys
from tests.engine.house_rule_positions import random_rules
from tests.engine.replay import FOLDER, GAMES, Replay, give

PRACTICE_GAMES, SHARE_OF_RULES = 6, 0.25
CLICKED_SHARE = 0.3
"""The share of positions in which parts are clicked."""
MAX_STEP_MS, MAX_MEDIAN_MS = 50.0, 10.0
"""The bounds in milliseconds of the slowest step and of the median."""


def practice_positions() -> Iterator[State]:
    """Yield the position at each decision of practice games, with random rules."""
    for seed in range(PRACTICE_GAMES):
        random = Random(seed)
        dealer, player = Dealer(random), PracticePlayer(random)
        state = new_game(random_rules(random, SHARE_OF_RULES))
        dealer.deal(state)
        while state.awaiting.decision is not Decision.OVER:
            yield state
            apply(state, player.choose(state))
            dealer.deal(state)


def recorded_positions() -> Iterator[State]:
    """Yield the position at each decision of the recorded games."""
    for name in GAMES if FOLDER.is_dir() else ():
        state, start = Replay.of(name).state, len(Replay.of(name).inputs)
        for move in Replay.of(name).run().inputs[start:]:
            if not state.awaiting.decision.is_chance:
                yield state
            give(state, move)


def steps(positions: Iterable[State]) -> Iterator[float]:
    """Yield the milliseconds of processor time of each step."""
    random = Random(0)
    for state in positions:
        possible = list(Choices([state]).some_orders()) if random.random() < CLICKED_SHARE else []
        if not possible:
            continue
        verb = random.choice(sorted({order.verb for order in possible}))
        order = random.choice([order for order in possible if order.verb == verb])
        keys = random_keys(random, state, order)
        start = process_time()
        choices, parts = Choices([state]), Parts()
        choices.next_parts(parts)
        yield 1000 * (process_time() - start)
        for key in keys:
            start = process_time()
            parts = Parts.of((*parts.keys, key))
            choices.next_parts(parts)
            yield 1000 * (process_time() - start)


def measure() -> Iterator[Claim]:
    """Yield the slowest and the median step of each kind of game."""
    games = {"practice": practice_positions(), "recorded": recorded_positions()}
    for sort, positions in games.items():
        gc.collect()
        times = sorted(steps(positions))
        if not times:
            continue
        detail = f"{len(times)} steps, 99 of 100 in {times[-len(times) // 100]:.1f} ms"
        yield Claim(f"click in {sort} games, the slowest", times[-1], " ms", MAX_STEP_MS, detail)
        yield Claim(f"click in {sort} games, the median", median(times), " ms", MAX_MEDIAN_MS)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)
