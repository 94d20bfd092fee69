"""Fits the weights with which the searching players evaluate a position, to who won.

`python -m benchmarks.evaluation` plays games of the practice player against itself and against
plans, in every edition, some of them with orders thrown in that nobody would give, so that bad
positions are seen too. It takes positions out of them, finds the weights of a logistic regression
by Newton's method, held towards 0 a little, and prints `weights.toml` of `engine/players/search`.
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
"""In each edition: of the practice player against each plan, on either side, and against itself."""

WHIMS = (0.0, 0.05, 0.12)
"""The shares of orders that are given at random, one after the other in each pair's games."""

KEPT = 0.2
"""The share of turns at whose start a position is taken."""

LAST_TURN = 250
RIDGE = 3.0
STEPS = 8

Vector = list[float]


class Example(NamedTuple):
    """What was seen of a position, and whether the British won."""

    seen: Vector
    won: bool


def seen(state: State) -> Vector:
    """The numbers of both sides, those of the French against the British, and one for the base."""
    british, french = features(state, Side.BRITISH), features(state, Side.FRENCH)
    return [1.0, *british, *(-number for number in french)]


def played(british: Player, french: Player, edition: str, seed: int, whim: float) -> list[Example]:
    """Examples from one game; none if it did not end."""
    random, dealer = Random(f"{seed} whim"), Dealer(Random(f"{seed} chance"))
    state, players = new_game(Ruleset.of(edition)), {Side.BRITISH: british, Side.FRENCH: french}
    dealer.deal(state)
    found, turn = list[Vector](), -1
    while state.outcome is None and state.turn < LAST_TURN:
        if state.turn != turn and random.random() < KEPT:
            found.append(seen(state))
        turn = state.turn
        free = state.awaiting.decision is Decision.TURN
        if free and random.random() < whim:
            order = random.choice(legal_orders(state))
        else:
            order = players[state.awaiting.side].choose(state)
        apply(state, order)
        dealer.deal(state)
    if state.outcome is None:
        return []
    return [Example(each, state.outcome.winner is Side.BRITISH) for each in found]


def examples() -> Iterator[Example]:
    """Examples from all these games."""
    makers = {name: POOL[name] for name in PLANS}
    pairs = [("practice", "practice")]
    pairs += [pair for plan in PLANS for pair in (("practice", plan), (plan, "practice"))]
    for pair, edition in product(pairs, editions()):
        for number in range(AMONG_EQUALS if len({*pair}) == 1 else GAMES):
            name = f"{' '.join(pair)} {edition} {number}"
            british, french = (
                makers.get(each, PracticePlayer)(Random(f"{name} {side}"))
                for each, side in zip(pair, Side, strict=True)
            )
            seed, whim = Random(name).getrandbits(32), WHIMS[number % len(WHIMS)]
            yield from played(british, french, edition, seed, whim)
        print(f"{' against '.join(pair)}, {edition}", file=sys.stderr)


# --- the regression


def fit(found: Iterable[Example]) -> Vector:
    """The weights that make the examples likeliest, held towards 0 by `RIDGE`."""
    found = list(found)
    size = len(found[0].seen)
    weights = [0.0] * size
    for _ in range(STEPS):
        gradient = [-RIDGE * weight for weight in weights]
        curvature = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for numbers, won in found:
            expected = _expected(weights, numbers)
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
        weights = [w + step for w, step in zip(weights, solved(curvature, gradient), strict=True)]
    return weights


def _expected(weights: Vector, numbers: Vector) -> float:
    balance = sum(w * n for w, n in zip(weights, numbers, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, balance))))


def solved(matrix: list[Vector], right: Vector) -> Vector:
    """The solution of a system of linear equations whose matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            share = row[i] / pivot[i]
            if share:
                row[i:] = [a - share * b for a, b in zip(row[i:], pivot[i:], strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        rest = sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - rest) / rows[i][i]
    return found


def hits(weights: Vector, found: Iterable[Example]) -> float:
    """The share of examples in which the side that is felt to win did so."""
    right = [(_expected(weights, numbers) > 0.5) == won for numbers, won in found]
    return sum(right) / len(right)


def written(weights: Vector) -> str:
    """The weights as `weights.toml` has them."""
    names = Features._fields
    lines = [f"base = {weights[0]:.3f}"]
    for number, side in enumerate(Side):
        lines += ["", f"[{side.value}]"]
        part = weights[1 + number * len(names) :]
        lines += [f"{name} = {weight:.3f}" for name, weight in zip(names, part, strict=False)]
    return "\n".join(lines)


def main() -> None:
    found = list(examples())
    weights = fit(found)
    print(f"# Made by benchmarks/evaluation.py, of {len(found)} positions.")
    print(written(weights))
    print(f"{hits(weights, found):.1%} of the winners were seen", file=sys.stderr)


if __name__ == "__main__":
    main()
