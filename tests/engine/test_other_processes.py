"""What goes to a process that thinks over a position: the position, and orders."""

import pickle
from random import Random

import pytest

from engine.game import apply, legal_orders
from engine.ruleset import Ruleset
from engine.simulation import Dealer
from engine.state import new_game


@pytest.mark.parametrize("rules", [("first", ()), ("second", ("french-start-choice",))])
def test_positions_and_orders_arrive_as_they_were(rules: tuple[str, tuple[str, ...]]) -> None:
    random, state = Random(8), new_game(Ruleset.of(*rules))
    dealer = Dealer(random)
    for _ in range(60):
        dealer.deal(state)
        arrived = pickle.loads(pickle.dumps(state))
        assert arrived == state
        assert arrived.ruleset is state.ruleset
        orders = [*legal_orders(state)]
        assert pickle.loads(pickle.dumps(orders)) == orders
        apply(state, random.choice(orders))
        if state.outcome is not None:
            break
