"""The orders of the practice player in positions in which it once played badly."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from tests.engine.cases import position_of

POSITIONS = tomllib.loads(Path(__file__).with_name("practice_orders.toml").read_text("utf-8"))
PATTERNS = {"always", "never", "usual", "unusual"}


@pytest.mark.parametrize("title", POSITIONS)
def test_practice_player_gives_sensible_orders(title: str) -> None:
    table = POSITIONS[title]
    state = position_of(table)
    orders = [PracticePlayer(Random(seed)).choose(state).notation() for seed in range(15)]
    ((usual, _),) = Counter(orders).most_common(1)
    assert PATTERNS & table.keys(), "it has no pattern"
    assert all(re.match(table.get("always", ""), order) for order in orders)
    assert not any(re.match(table["never"], order) for order in orders if "never" in table)
    assert re.match(table.get("usual", ""), usual), usual
    assert "unusual" not in table or not re.match(table["unusual"], usual), usual
