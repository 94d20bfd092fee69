"""Fit the weights of the features of a position, for the players that search.

`python -m benchmarks.evaluation` plays games of the practice player against itself and against
plans, in every edition, some with random orders, so that bad positions occur too. It samples
positions from the games, fits a logistic regression of the winner by Newton's method with a ridge
penalty, and prints `weights.toml` of `engine/players/search`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import product
from math import exp
from random import Random
from typing import NamedTuple

from engine.game import apply, legal_orders
from engine.players import Player
from engine.players.plans import PLANS, POOL
from engine.players.practice import PracticePlayer
from engine.players.search.playouts import Features, features
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import Decision, State, new_game

GAMES, AMONG_EQUALS = 36, 120
"""The numbers of games per edition of the practice player: against each plan, and itself."""

RANDOM_SHARES = (0.0, 0.05, 0.12)
"""The shares of random orders, which alternate in the games of each pair."""

SAMPLE_SHARE = 0.2
"""The share of turns at whose start a position is sampled."""

LAST_TURN = 250
RIDGE = 3.0
STEPS = 8

Vector = list[float]


class Example(NamedTuple):
    """The feature vector of a position, and True if the British won."""

    vector: Vector
    won: bool


def vector_of(state: State) -> Vector:
    """Return the vector of a position: 1, the British features, the negated French features."""
    british, french = features(state, Side.BRITISH), features(state, Side.FRENCH)
    return [1.0, *british, *(-number for number in french)]


def play(
    british: Player, french: Player, edition: str, seed: int, random_share: float
) -> list[Example]:
    """Play a game and return its examples, or an empty list if the game did not end."""
    random, dealer = Random(f"{seed} whim"), Dealer(Random(f"{seed} chance"))
    state, players = new_game(Ruleset.of(edition)), {Side.BRITISH: british, Side.FRENCH: french}
    dealer.deal(state)
    vectors, turn = list[Vector](), -1
    while state.outcome is None and state.turn < LAST_TURN:
        if state.turn != turn and random.random() < SAMPLE_SHARE:
            vectors.append(vector_of(state))
        turn = state.turn
        is_free = state.awaiting.decision is Decision.TURN
        if is_free and random.random() < random_share:
            order = random.choice(legal_orders(state))
        else:
            order = players[state.awaiting.side].choose(state)
        apply(state, order)
        dealer.deal(state)
    if state.outcome is None:
        return []
    return [Example(vector, state.outcome.winner is Side.BRITISH) for vector in vectors]


def examples() -> Iterator[Example]:
    """Yield the examples of all games."""
    factories = {name: POOL[name] for name in PLANS}
    pairs = [("practice", "practice")]
    pairs += [pair for plan in PLANS for pair in (("practice", plan), (plan, "practice"))]
    for pair, edition in product(pairs, editions()):
        for number in range(AMONG_EQUALS if len({*pair}) == 1 else GAMES):
            name = f"{' '.join(pair)} {edition} {number}"
            british, french = (
                factories.get(player, PracticePlayer)(Random(f"{name} {side}"))
                for player, side in zip(pair, Side, strict=True)
            )
            seed, random_share = (
                Random(name).getrandbits(32),
                RANDOM_SHARES[number % len(RANDOM_SHARES)],
            )
            yield from play(british, french, edition, seed, random_share)
        print(f"{' against '.join(pair)}, {edition}", file=sys.stderr)


# --- the regression


def fit(examples: Iterable[Example]) -> Vector:
    """Return the weights of the ridge regression."""
    examples = list(examples)
    size = len(examples[0].vector)
    weights = [0.0] * size
    for _ in range(STEPS):
        gradient = [-RIDGE * weight for weight in weights]
        curvature = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for numbers, won in examples:
            expected = _win_chance(weights, numbers)
            miss, spread = won - expected, expected * (1 - expected)
            for i, number in enumerate(numbers):
                if number:
                    gradient[i] += miss * number
                    row, scaled = curvature[i], spread * number
                    for j in range(i + 1):
                        row[j] += scaled * numbers[j]
        for i, j in product(range(size), repeat=2):
            if j > i:
                curvature[i][j] = curvature[j][i]
        weights = [w + step for w, step in zip(weights, solve(curvature, gradient), strict=True)]
    return weights


def _win_chance(weights: Vector, numbers: Vector) -> float:
    balance = sum(w * n for w, n in zip(weights, numbers, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, balance))))


def solve(matrix: list[Vector], constants: Vector) -> Vector:
    """Return the solution of a system of linear equations with a positive definite matrix."""
    rows = [[*row, value] for row, value in zip(matrix, constants, strict=True)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            share = row[i] / pivot[i]
            if share:
                row[i:] = [a - share * b for a, b in zip(row[i:], pivot[i:], strict=True)]
    solution = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        remainder = sum(rows[i][j] * solution[j] for j in range(i + 1, len(rows)))
        solution[i] = (rows[i][-1] - remainder) / rows[i][i]
    return solution


def accuracy(weights: Vector, examples: Iterable[Example]) -> float:
    """Return the share of examples whose winner the weights predict."""
    correct = [(_win_chance(weights, numbers) > 0.5) == won for numbers, won in examples]
    return sum(correct) / len(correct)


def to_toml(weights: Vector) -> str:
    """Return the weights in the format of `weights.toml`."""
    names = Features._fields
    lines = [f"base = {weights[0]:.3f}"]
    for number, side in enumerate(Side):
        lines += ["", f"[{side.value}]"]
        part = weights[1 + number * len(names) :]
        lines += [f"{name} = {weight:.3f}" for name, weight in zip(names, part, strict=False)]
    return "\n".join(lines)


def main() -> None:
    sample = list(examples())
    weights = fit(sample)
    print(f"# Made by benchmarks/evaluation.py, of {len(sample)} positions.")
    print(to_toml(weights))
    print(f"{accuracy(weights, sample):.1%} of the winners were seen", file=sys.stderr)


if __name__ == "__main__":
    main()
