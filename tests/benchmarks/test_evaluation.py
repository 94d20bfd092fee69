"""The regression of the evaluation's weights, on examples with known weights."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

from benchmarks.evaluation import Example, accuracy, fit, play, solve, vector_of
from engine.players.plans import planner_of
from engine.players.search.playouts import Features, chance
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import new_game


def test_solve_finds_the_solution_of_a_linear_system() -> None:
    matrix, expected = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]], [1.0, -2.0, 3.0]
    right = [sum(a * x for a, x in zip(row, expected, strict=True)) for row in matrix]
    assert solve(matrix, right) == pytest.approx(expected)


def test_fit_recovers_the_weights_of_the_examples() -> None:
    random, weights = Random(1), [0.5, 2.0, -1.0]
    examples = []
    for _ in range(4000):
        numbers = [1.0, random.uniform(-1, 1), random.uniform(-1, 1)]
        balance = sum(w * n for w, n in zip(weights, numbers, strict=True))
        examples.append(Example(numbers, random.random() < 1 / (1 + exp(-balance))))
    result = fit(examples)
    assert result == pytest.approx(weights, abs=0.2)
    assert accuracy(result, examples) > 0.6


def test_examples_come_from_a_game_that_ended() -> None:
    result = play(planner_of("settlers"), planner_of("settlers"), "second", 3, 0.05)
    assert len(result) > 3
    assert {len(example.vector) for example in result} == {1 + 2 * len(Features._fields)}
    assert len({example.won for example in result}) == 1


def test_chances_of_both_sides_add_up_to_one() -> None:
    state = new_game()
    Dealer(Random(1)).deal(state)
    assert len(vector_of(state)) == 1 + 2 * len(Features._fields)
    assert chance(state, Side.BRITISH) + chance(state, Side.FRENCH) == pytest.approx(1)
    assert 0.25 < chance(state, Side.BRITISH) < 0.75
