"""What can follow a click: how long a step takes, in positions of practice and recorded games.

At each decision the parts of a legal order are clicked in any sequence, as in the tests. The first
step finds out what can be done at all. Recorded games count where they lie beside the checkout.
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
from tests.engine.house_rule_positions import random_rules
from tests.engine.recorded import FOLDER, GAMES, Replay, give
from tests.engine.selected import clicked

PRACTICE_GAMES, SHARE_OF_RULES = 6, 0.25
SHARE = 0.3
"""Of the positions, as many are clicked in."""
SLOWEST, USUAL = 50.0, 10.0
"""Milliseconds that a step may take in any position, and in half of them."""


def practice_positions() -> Iterator[State]:
    """The position at each decision of practice games, by the rules of any edition or house."""
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
    """The position at each decision of the recorded games."""
    for name in GAMES if FOLDER.is_dir() else ():
        state, begun = Replay.of(name).state, len(Replay.of(name).inputs)
        for given in Replay.of(name).run().inputs[begun:]:
            if not state.awaiting.decision.is_chance:
                yield state
            give(state, given)


def steps(positions: Iterable[State]) -> Iterator[float]:
    """The milliseconds of processor time of each step."""
    random = Random(0)
    for state in positions:
        possible = list(Choices([state]).some_orders()) if random.random() < SHARE else []
        if not possible:
            continue
        verb = random.choice(sorted({order.verb for order in possible}))
        order = random.choice([order for order in possible if order.verb == verb])
        keys = clicked(random, state, order)
        began = process_time()
        choices, chosen = Choices([state]), Parts()
        choices.next_parts(chosen)
        yield 1000 * (process_time() - began)
        for key in keys:
            began = process_time()
            chosen = Parts.of((*chosen.keys, key))
            choices.next_parts(chosen)
            yield 1000 * (process_time() - began)


def measure() -> Iterator[Claim]:
    """The slowest step and the usual one, for each sort of game."""
    games = {"practice": practice_positions(), "recorded": recorded_positions()}
    for sort, positions in games.items():
        gc.collect()
        taken = sorted(steps(positions))
        if not taken:
            continue
        detail = f"{len(taken)} steps, 99 of 100 in {taken[-len(taken) // 100]:.1f} ms"
        yield Claim(f"click in {sort} games, the slowest", taken[-1], " ms", SLOWEST, detail)
        yield Claim(f"click in {sort} games, the median", median(taken), " ms", USUAL)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)
