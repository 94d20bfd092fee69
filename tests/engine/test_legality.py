"""`legal_orders` is complete and right, over random games and over every order of fixed positions.

What is listed is accepted and can be applied; what is not listed is refused and changes nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import IllegalOrder, apply, check, legal_orders
from engine.notation import card_name, from_notation, read
from engine.orders import ORDERS, Order
from engine.ruleset import Ruleset
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import arbitrary_order, every_order, random_game
from tests.engine.counted import POSITIONS
from tests.engine.invariants import check_invariants

SEEDS = st.integers(min_value=0, max_value=2**32)
HOUSE_RULE = "governor-keeps-starting-locations"
STARTS: dict[str, Callable[[], State]] = {
    "new game": new_game,
    "new game with a house rule": lambda: new_game(Ruleset.of("second", [HOUSE_RULE])),
    **POSITIONS,
}
START_NAMES = st.sampled_from(list(STARTS))
ORDERS_A_GAME = 100
RARE = {"relieve"}  # Two sieges won in one turn: among the fixed positions only.
modest = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
thorough = settings(modest, max_examples=300)


def accepted(state: State, order: Order) -> bool:
    try:
        check(state, order)
    except IllegalOrder:
        return False
    return True


def check_arbitrary_orders(seed: int, start: str) -> None:
    """Any order is accepted exactly when it is listed; a refused one leaves the state alone."""
    random = Random(seed)
    for state in random_game(random, ORDERS_A_GAME, STARTS[start]()):
        choices = legal_orders(state)
        listed = set(choices)
        assert len(listed) == len(choices), "an order is listed twice"
        refused = []
        for _ in range(30):
            order = arbitrary_order(random, state)
            assert accepted(state, order) == (order in listed), order.notation()
            if order not in listed:
                refused.append(order)
        before = state.key()
        for order in refused[:3]:
            with pytest.raises(IllegalOrder, match=r"\.$"):
                apply(state, order)
        assert state.key() == before


def check_listed_orders(seed: int, start: str) -> None:
    """Every listed order can be applied, and leaves a whole box; a copy is independent."""
    random = Random(seed)
    for state in random_game(random, ORDERS_A_GAME, STARTS[start]()):
        check_invariants(state)
        choices = legal_orders(state)
        if state.awaiting.decision is not Decision.OVER:
            assert choices, "a player is asked and has no answer"
        before = state.key()
        for order in random.sample(choices, min(6, len(choices))):
            copy = state.copy()
            assert copy.key() == before
            events = apply(copy, order)
            assert all(event.what for event in events)
            check_invariants(copy)
        assert state.key() == before


def plain(text: str) -> str:
    """A text as a lazy player types it: lower case, no accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def check_notation(seed: int, start: str) -> None:
    """What is written for an order is read as that order, however it is typed."""
    random = Random(seed)
    for state in random_game(random, ORDERS_A_GAME, STARTS[start]()):
        choices = legal_orders(state)
        name = card_name(state.ruleset.catalogue)
        for order in random.sample(choices, min(20, len(choices))):
            assert from_notation(order.notation()) == order
            text = order.text(name)
            assert read(text, state) == order
            assert read(plain(text), state) == order
            assert read(f"  {text.upper()} ", state) == order
            assert read(order.notation(), state) == order


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_an_order_is_accepted_exactly_when_it_is_listed(seed: int, start: str) -> None:
    check_arbitrary_orders(seed, start)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_every_listed_order_can_be_applied(seed: int, start: str) -> None:
    check_listed_orders(seed, start)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_orders_read_back_as_they_were_written(seed: int, start: str) -> None:
    check_notation(seed, start)


@pytest.mark.long
@thorough
@given(seed=SEEDS, start=START_NAMES)
def test_many_games_long(seed: int, start: str) -> None:
    check_arbitrary_orders(seed, start)
    check_listed_orders(seed, start)
    check_notation(seed, start)


@pytest.mark.parametrize("name", POSITIONS)
def test_of_all_orders_there_are_exactly_the_listed_ones_are_accepted(name: str) -> None:
    """Nothing is left to chance here: every order of up to three cards is tried."""
    state = POSITIONS[name]()
    listed = {order for order in legal_orders(state) if len(order.cards) <= 3}
    assert {order for order in every_order(state) if accepted(state, order)} == listed


def test_random_play_gives_every_kind_of_order() -> None:
    """The properties above are worth something: over a few games every kind of order is given."""
    listed: set[str] = set()
    for seed in range(60):
        for state in random_game(Random(seed), 250):
            listed |= {order.verb for order in legal_orders(state)}
        if listed >= set(ORDERS) - RARE:
            return
    assert listed >= set(ORDERS) - RARE
