"""Starts of the games that properties play: new games under all rules, and fixed positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.ruleset import Ruleset
from engine.state import State, new_game
from tests.engine.cases import load_positions
from tests.engine.counting import POSITIONS
from tests.engine.house_rule_positions import HOUSE_POSITIONS, HOUSE_STARTS

SEEDS = st.integers(min_value=0, max_value=2**32)
HOUSE_RULE = "governor-keeps-starting-locations"
EDITION_POSITIONS = load_positions(Path(__file__).with_name("edition_positions.toml"))
FIXED = {**POSITIONS, **EDITION_POSITIONS, **HOUSE_POSITIONS}
STARTS: dict[str, Callable[[], State]] = {
    "new game": new_game,
    "new game with a house rule": lambda: new_game(Ruleset.of("second", [HOUSE_RULE])),
    "new game of first": lambda: new_game(Ruleset.of("first")),
    "new game of first-revised": lambda: new_game(Ruleset.of("first-revised")),
    **HOUSE_STARTS,
    **FIXED,
}
LARGEST = "furs and lost cards"
"""The position with thousands of legal orders."""
EACH_START = [
    pytest.param(name, marks=pytest.mark.long) if name == LARGEST else name for name in STARTS
]
START_NAMES = st.sampled_from(list(STARTS))
ORDERS_A_GAME, ORDERS_A_LONG_GAME = 40, 150
modest = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
thorough = settings(modest, max_examples=300, derandomize=False)

EIGHTEEN = (
    "montreal quebec louisbourg gaspe port-royal tadoussac trois-rivieres trader governor "
    "intendant priest native-americans militia regular-infantry regular-infantry-initial "
    "fortification neutral-native-americans home-support"
)
"""More cards than any hand holds."""
