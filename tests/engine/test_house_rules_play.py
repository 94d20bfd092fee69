"""Random play with house rules: what is listed is what is accepted, and the box stays whole.

The properties are those of `test_legality.py`, here with rulesets and positions of their own.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from engine.foresight import after_answer
from engine.game import ACTIONS, apply, legal_orders
from engine.orders import End, GiveFromSiege
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import every_order, lively, random_game
from tests.engine.house_rule_positions import HOUSE_POSITIONS, HOUSE_STARTS, random_rules
from tests.engine.test_foresight import face_down, public
from tests.engine.test_legality import (
    HOUSE_ORDERS,
    SEEDS,
    accepted,
    check_arbitrary_orders,
    check_listed_orders,
    check_notation,
    modest,
    thorough,
)

few = settings(modest, max_examples=2)
in_every_start = pytest.mark.parametrize("start", [*HOUSE_STARTS, *HOUSE_POSITIONS])


@in_every_start
@few
@given(seed=SEEDS)
def test_an_order_is_accepted_exactly_when_it_is_listed(seed: int, start: str) -> None:
    check_arbitrary_orders(seed, start)


@in_every_start
@few
@given(seed=SEEDS)
def test_every_listed_order_can_be_applied(seed: int, start: str) -> None:
    check_listed_orders(seed, start)


@in_every_start
@settings(few, max_examples=1)
@given(seed=SEEDS)
def test_orders_read_back_as_they_were_written(seed: int, start: str) -> None:
    check_notation(seed, start)


@pytest.mark.long
@in_every_start
@settings(thorough, max_examples=40)
@given(seed=SEEDS)
def test_many_games_with_house_rules_long(seed: int, start: str) -> None:
    check_arbitrary_orders(seed, start)
    check_listed_orders(seed, start)
    check_notation(seed, start)


@pytest.mark.parametrize("name", HOUSE_POSITIONS)
def test_of_all_orders_there_are_exactly_the_listed_ones_are_accepted(name: str) -> None:
    """Nothing is left to chance here: every order of up to three cards is tried."""
    state = HOUSE_POSITIONS[name]()
    listed = {order for order in legal_orders(state) if len(order.cards) <= 3}
    assert listed
    assert {order for order in every_order(state) if accepted(state, order)} == listed


@pytest.mark.parametrize("name", ["furs and lost cards", "siege too early"])
def test_without_an_action_left_exactly_the_free_orders_are_listed(name: str) -> None:
    state = HOUSE_POSITIONS[name]()
    state.actions_left = 0
    listed = set(legal_orders(state))
    assert {order for order in every_order(state) if accepted(state, order)} == listed
    assert all(ACTIONS[type(order)].may_be_free for order in listed)
    assert End() in listed


def test_random_play_gives_every_order_that_house_rules_know() -> None:
    """The properties above are worth something."""
    missing = set(HOUSE_ORDERS)
    for seed in range(120):
        random = Random(seed)
        for state in random_game(random, 250, new_game(random_rules(random, 12))):
            missing -= {order.verb for order in legal_orders(state)}
        if not missing:
            return
    assert not missing


def interrupted(seed: int) -> list[State]:
    """Positions of a random game, under any rules, in which a turn waits for an answer."""
    random = Random(seed)
    state, dealer = new_game(random_rules(random)), Dealer(random)
    found = []
    for _ in range(200):
        dealer.deal(state)
        if state.outcome:
            break
        if state.is_interrupted:
            found.append(state.copy())
        apply(state, lively(random, legal_orders(state)))
    return found


def check_foresight(state: State) -> None:
    """Every answer that does not end the game leads to a world, and no world is there twice.

    Whether the hand that replies is seen or not.
    """
    for view in (state, face_down(state)):
        worlds = after_answer(view)
        assert worlds
        assert all(world.outcome is None for world in worlds)
        assert len({world.key() for world in worlds}) == len(worlds)
        foreseen = [(public(world), siege_cards(world)) for world in worlds]
        for order in legal_orders(state):
            after = state.copy()
            apply(after, order)
            if after.outcome is None:
                assert (public(after), siege_cards(after)) in foreseen


@pytest.mark.parametrize("seed", range(12))
def test_every_answer_leads_to_a_position_foreseen(seed: int) -> None:
    """What follows an answer is foreseen, whatever the rules: an action that comes back, too."""
    for state in interrupted(seed):
        check_foresight(state)


def test_a_siege_card_given_up_is_foreseen() -> None:
    """ambush-reaches-sieges: one position for each card that may go, beside those without."""
    state = HOUSE_POSITIONS["ambush at sieges"]()
    check_foresight(state)
    at_sieges = [order for order in legal_orders(state) if isinstance(order, GiveFromSiege)]
    assert len(at_sieges) == 3
    assert len(after_answer(state)) == 2 + len(at_sieges)


def test_an_answer_that_ends_the_game_leads_nowhere() -> None:
    """duquesne-wins: what is ordered ahead is ordered for the answer that leaves a game to play."""
    state = HOUSE_POSITIONS["Fort Duquesne given up"]()
    check_foresight(state)
    (world,) = after_answer(state)
    assert world.owner("fort-duquesne") is None


def siege_cards(state: State) -> list[object]:
    return [
        sorted((side, tuple(sorted(cards))) for side, cards in siege.cards.items())
        for _, siege in sorted(state.sieges.items())
    ]


@pytest.mark.parametrize("seed", range(8))
def test_no_card_is_marked_for_a_siege_while_an_ambush_can_take_it(seed: int) -> None:
    """A siege that stands lost is resolved before the winner acts, so no mark can go stale."""
    random = Random(seed)
    start = new_game(random_rules(random))
    for state in random_game(random, 250, start):
        if state.awaiting.decision in (Decision.TURN, Decision.AMBUSH_REPLY):
            assert all(siege.cost is None for siege in state.sieges.values())
