"""What the engine remembers of a position is what it would find out anew, in games by any rules."""

from __future__ import annotations

from random import Random

from hypothesis import given

from engine.geography import raid_distances, supplied
from engine.sides import Side
from engine.state import State
from tests.engine.arbitrary import random_game
from tests.engine.starts import ORDERS_A_GAME, SEEDS, START_NAMES, STARTS, modest


def forgetful(state: State) -> State:
    """The same position with nothing found out about it."""
    copy = state.copy()
    copy.supplied.clear()
    copy.raids.clear()
    return copy


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_supply_and_raids_are_those_of_the_position(seed: int, start: str) -> None:
    for state in random_game(Random(seed), ORDERS_A_GAME, STARTS[start]()):
        fresh = forgetful(state)
        for side in Side:
            assert supplied(state, side) == supplied(fresh, side)
            assert raid_distances(state, side) == raid_distances(fresh, side)
