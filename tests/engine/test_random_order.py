"""`random_order` draws exactly the legal orders, and all kinds equally often."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.game import legal_orders, random_order
from engine.state import new_game
from tests.engine.starts import FIXED

DRAWS = 900
SHORT = [name for name, start in FIXED.items() if len(legal_orders(start())) <= 40]
"""The positions in which that many draws hit every order."""


@pytest.mark.parametrize("name", SHORT)
def test_random_order_draws_exactly_the_legal_orders(name: str) -> None:
    state, random = FIXED[name](), Random(4)
    before = state.key()
    legal = legal_orders(state)
    drawn = Counter(random_order(state, random) for _ in range(DRAWS))
    assert set(drawn) == set(legal)
    assert state.key() == before
    kinds = Counter(type(order) for order in drawn.elements())
    expected = DRAWS / len(kinds)
    assert all(0.6 * expected < count < 1.5 * expected for count in kinds.values())


def test_no_order_is_drawn_while_chance_is_awaited() -> None:
    """Chance is awaited before the first hand."""
    with pytest.raises(ValueError, match="no player decides"):
        random_order(new_game(), Random(1))
