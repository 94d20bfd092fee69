"""Sequential halving: it finds the best, tries that most, and compares like with like."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.players.search import halve


@pytest.mark.parametrize("choices", range(1, 12))
@pytest.mark.parametrize("tries", [0, 1, 24, 100])
def test_halving_tries_every_choice_and_puts_the_best_first(choices: int, tries: int) -> None:
    values = Random(choices).sample(range(100), choices)
    trials = halve(choices, tries, lambda choice, n: values[choice])
    assert sorted(trial.choice for trial in trials) == list(range(choices))
    assert trials[0].choice == values.index(max(values))
    assert [trial.mean for trial in trials] == [values[trial.choice] for trial in trials]
    assert all(trial.tries for trial in trials)


@pytest.mark.parametrize("choices", range(2, 12))
def test_halving_spends_most_tries_on_similar_choices(choices: int) -> None:
    tries_by_choice = Counter[int]()

    def outcome(choice: int, n: int) -> float:
        tries_by_choice[choice] += 1
        return choice

    trials = halve(choices, 240, outcome)
    assert {trial.choice: trial.tries for trial in trials} == tries_by_choice
    tries = [trial.tries for trial in trials]
    assert tries == sorted(tries, reverse=True)
    assert 120 <= sum(tries) <= 240
    assert choices == 2 or tries[0] > tries[-1]
    # The usual choice, which comes first, is tried to the end.
    assert tries_by_choice[0] == tries_by_choice[choices - 1]


def test_choices_are_tried_with_the_same_numbers() -> None:
    """The n-th try of each choice has number n, and no number comes twice."""
    tries_by_choice: dict[int, list[int]] = {choice: [] for choice in range(6)}

    def outcome(choice: int, n: int) -> float:
        tries_by_choice[choice].append(n)
        return choice

    for trial in halve(6, 90, outcome):
        assert tries_by_choice[trial.choice] == list(range(trial.tries))


def test_halving_finds_the_best_of_noisy_choices() -> None:
    """A single try is wrong in half of the cases; hundreds find the choice better by 0.1."""
    winners = Counter[int]()
    for seed in range(60):
        random = Random(seed)

        def outcome(choice: int, n: int, random: Random = random) -> float:
            return float(random.random() < 0.4 + 0.1 * (choice == 3))

        winners[halve(5, 1200, outcome)[0].choice] += 1
    assert winners[3] > 45


@pytest.mark.parametrize(("margin", "first"), [(0.0, 1), (1.0, 1), (9.0, 0)])
def test_first_choice_wins_within_the_margin(margin: float, first: int) -> None:
    """The second choice is better by 0.2 on average, and worse in one try of three."""

    def outcome(choice: int, n: int) -> float:
        return choice * (0.8 if n % 3 else -1.0)

    trials = halve(2, 90, outcome, margin)
    assert trials[0].choice == first
    assert sorted(trial.mean for trial in trials) == pytest.approx([0.0, 0.2])


def test_choice_that_always_wins_beats_any_margin() -> None:
    trials = halve(3, 30, lambda choice, n: choice == 1, margin=9.0)
    assert trials[0].choice == 1


@pytest.mark.parametrize("tries", [2, 4])
def test_two_tries_do_not_overcome_a_margin(tries: int) -> None:
    """Two tries say nothing about the variance."""
    assert halve(2, tries, lambda choice, n: choice, margin=2.0)[0].choice == 0
    assert halve(2, tries, lambda choice, n: choice, margin=0.0)[0].choice == 1
