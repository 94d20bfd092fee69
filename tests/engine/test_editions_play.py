"""Random play in every edition: what is listed is what is accepted, the box stays whole, games end.

The properties are those of `test_legality.py`, here with the editions and their own positions.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from engine.game import ACTIONS, legal_orders
from engine.orders import End, Refill
from engine.ruleset import Ruleset
from engine.state import Decision, new_game
from tests.engine.arbitrary import every_order, random_game
from tests.engine.edition_positions import EDITION_POSITIONS
from tests.engine.editions import FIRST, REVISED, in_every_edition
from tests.engine.invariants import check_invariants
from tests.engine.positions import FRENCH
from tests.engine.test_legality import (
    SEEDS,
    accepted,
    check_arbitrary_orders,
    check_listed_orders,
    check_notation,
    modest,
    thorough,
)

OTHER_STARTS = ["new game of first", "new game of first-revised", *EDITION_POSITIONS]
few = settings(modest, max_examples=2)
in_every_start = pytest.mark.parametrize("start", OTHER_STARTS)


@in_every_start
@few
@given(seed=SEEDS)
def test_an_order_of_an_edition_is_accepted_exactly_when_it_is_listed(
    seed: int, start: str
) -> None:
    check_arbitrary_orders(seed, start)


@in_every_start
@few
@given(seed=SEEDS)
def test_every_listed_order_of_an_edition_can_be_applied(seed: int, start: str) -> None:
    check_listed_orders(seed, start)


@pytest.mark.long
@in_every_start
@settings(thorough, max_examples=60)
@given(seed=SEEDS)
def test_many_games_of_an_edition_long(seed: int, start: str) -> None:
    check_arbitrary_orders(seed, start)
    check_listed_orders(seed, start)
    check_notation(seed, start)


@pytest.mark.parametrize("name", EDITION_POSITIONS)
def test_of_all_orders_there_are_exactly_the_listed_ones_are_accepted(name: str) -> None:
    """Nothing is left to chance here: every order of up to three cards is tried."""
    state = EDITION_POSITIONS[name]()
    listed = {order for order in legal_orders(state) if len(order.cards) <= 3}
    assert listed
    assert {order for order in every_order(state) if accepted(state, order)} == listed


@pytest.mark.parametrize("name", EDITION_POSITIONS)
def test_without_an_action_left_exactly_the_free_orders_are_listed(name: str) -> None:
    state = EDITION_POSITIONS[name]()
    if state.awaiting.decision is not Decision.TURN:
        return
    state.actions_left = 0
    listed = set(legal_orders(state))
    assert {order for order in every_order(state) if accepted(state, order)} == listed
    assert all(ACTIONS[type(order)].may_be_free for order in listed)
    assert End() in listed
    assert (Refill() in listed) == (state.ruleset.free_actions_any_time and not state.refilled)


@pytest.mark.parametrize("seed", range(3))
@in_every_edition
def test_random_games_come_to_an_end(edition: str, seed: int) -> None:
    """Nobody is ever left without an answer, and every card stays in exactly one place."""
    state = new_game(Ruleset.of(edition))
    for position in random_game(Random(seed), 4000, state):
        check_invariants(position)
        over = position.awaiting.decision is Decision.OVER
        assert over or legal_orders(position), "a player is asked and has no answer"
    assert state.outcome is not None


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_random_play_comes_upon_what_only_the_first_editions_have(edition: str) -> None:
    """The properties above are worth something: what differs happens in random games.

    The first of them in which all of it does is number 11.
    """
    wanted = {
        "refill",
        "free action after a refill",
        "location in reserve",
        "French Bateaux in hand",
        "free action at a siege's end",
    }
    seen: set[str] = set()
    for seed in range(11, 40):
        for state in random_game(Random(seed), 600, new_game(Ruleset.of(edition))):
            if seen == wanted:
                return
            verbs = {order.verb for order in legal_orders(state)}
            if "refill" in verbs:
                seen.add("refill")
            if state.refilled and verbs - {"end"}:
                seen.add("free action after a refill")
            spoils = state.awaiting.decision is Decision.SIEGE_SPOILS
            if spoils and verbs & {"retrieve", "home-support", "reinforce", "withdraw"}:
                seen.add("free action at a siege's end")
            for side, player in state.players.items():
                if any(state.ruleset.card(side, card).location for card in player.reserve):
                    seen.add("location in reserve")
            if "bateaux" in state.players[FRENCH].hand:
                seen.add("French Bateaux in hand")
    assert seen == wanted
