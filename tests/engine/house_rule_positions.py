"""Rulesets and fixed positions with house rules, for properties of any play with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import Ruleset, editions
from engine.state import State, new_game
from tests.draws import choose_name, shuffle_names
from tests.engine.cases import load_positions

A_FEW = 0.3
"""The largest share of the house rules, about eight, in games with few of them."""


def random_rules(random: Random, share: float = 1) -> Ruleset:
    """Return a random edition with `share` of the compatible house rules.

    Each rule is drawn by its id, and left out only if it contradicts an earlier rule.
    """
    edition = choose_name(random, editions())
    rules: list[str] = []
    for rule in shuffle_names(random, house_rules(), share):
        try:
            Ruleset.of(edition, [*rules, rule])
        except InvalidRulesError:
            continue
        rules.append(rule)
    return Ruleset.of(edition, rules)


def start_card() -> State:
    """Return a game in which the French choose a start card, with Bateaux, without Governors."""
    rules = ["french-start-choice", "french-bateaux-available", "no-governors"]
    return new_game(Ruleset.of("second", rules))


_FROM_TABLE = load_positions(Path(__file__).with_suffix(".toml"))
HOUSE_POSITIONS: dict[str, Callable[[], State]] = {**_FROM_TABLE, "start card": start_card}


def _new(seed: int) -> Callable[[], State]:
    return lambda: new_game(random_rules(Random(seed)))


HOUSE_STARTS = {f"new game with house rules {seed}": _new(seed) for seed in range(6)}
