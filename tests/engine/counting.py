"""The fixed positions whose orders and states are counted in `docs/counting.md`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from engine.game import apply, legal_orders
from engine.state import State
from tests.engine.cases import load_positions

POSITIONS = load_positions(Path(__file__).with_suffix(".toml"))


class Count(NamedTuple):
    """Numbers of orders and of distinct states after a first and a second order."""

    orders: int
    states: int
    pairs: int
    states_after_two: int


def count(state: State) -> Count:
    """Count the orders and states after a first and a second order; chance is not played."""
    orders = legal_orders(state)
    pairs = 0
    after_one, after_two = set(), set()
    for order in orders:
        first = state.copy()
        apply(first, order)
        after_one.add(first.key())
        for following in legal_orders(first):
            second = first.copy()
            apply(second, following)
            after_two.add(second.key())
            pairs += 1
    return Count(len(orders), len(after_one), pairs, len(after_two))


def orders_by_verb(state: State) -> dict[str, int]:
    """Return the number of legal orders of each kind."""
    return dict(Counter(order.verb for order in legal_orders(state)))
