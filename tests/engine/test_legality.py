"""`legal_orders` in fixed positions, and the kinds of orders that random play comes upon.

Random games by any rules are played in `test_game_machine.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import orders
from engine.actions import ACTIONS
from engine.actions.action import Action, Hand, IllegalOrderError
from engine.game import apply, check, legal_orders
from engine.order import Order
from engine.orders import ORDERS
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import every_order, random_choices
from tests.engine.cases import position_for
from tests.engine.editions import FIRST, REVISED, in_every_edition
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants
from tests.engine.positions import FRENCH, Seat, deal, end_turn, position
from tests.engine.starts import EIGHTEEN, FIXED
from tests.sample import sample

RARE = {"relieve"}  # Two sieges won in one turn: among the fixed positions only.


def is_accepted(state: State, order: Order) -> bool:
    try:
        check(state, order)
    except IllegalOrderError:
        return False
    return True


@pytest.mark.parametrize("name", sample(FIXED, every=4))
def test_exactly_the_listed_orders_are_accepted(name: str) -> None:
    """Every order of up to three cards is tried."""
    state = FIXED[name]()
    legal = {order for order in legal_orders(state) if len(order.cards) <= 3}
    assert legal
    assert {order for order in every_order(state) if is_accepted(state, order)} == legal


def test_kinds_that_draw_are_followed_by_a_draw_in_the_turn() -> None:
    drawing = set()
    for state in (*map(position_for, ORDERS.values()), *(start() for start in FIXED.values())):
        for kind, order in {type(order): order for order in legal_orders(state)}.items():
            after = state.copy()
            apply(after, order)
            if after.is_interrupted and after.awaiting.decision.is_chance:
                drawing.add(kind)
    assert drawing == {kind for kind in ORDERS.values() if kind.can_draw}


TURNS = [name for name, start in FIXED.items() if start().awaiting.decision is Decision.TURN]


@pytest.mark.parametrize("name", sample(TURNS, every=4))
def test_exactly_the_free_orders_are_listed_without_actions(name: str) -> None:
    state = FIXED[name]()
    state.actions_left = 0
    legal = set(legal_orders(state))
    assert {order for order in every_order(state) if is_accepted(state, order)} == legal
    assert all(ACTIONS[type(order)].may_be_free for order in legal)
    assert orders.End() in legal
    assert (orders.Refill() in legal) == (
        state.ruleset.free_actions_any_time and not state.refilled
    )


def test_large_hand_without_actions_is_listed_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only kinds that can be free are listed, so 2 ** 18 discards are not computed."""
    state = position(
        Seat(siege="louisbourg: militia"),
        Seat(EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
        actions=0,
    )
    verbs_asked: set[str] = set()
    proposed: list[Order] = []

    def spy(kind: type[Order], action: Action[Any]) -> Action[Any]:
        class Spy(type(action)):  # type: ignore[misc]
            def candidates(self, hand: Hand) -> Iterator[Order]:
                verbs_asked.add(kind.verb)
                for order in super().candidates(hand):
                    proposed.append(order)
                    yield order

        return Spy()

    for kind, action in ACTIONS.items():
        monkeypatch.setitem(ACTIONS, kind, spy(kind, action))
    legal = legal_orders(state)
    assert {order.verb for order in legal} == {"end", "home-support", "retrieve", "withdraw"}
    assert verbs_asked == {verb for verb, kind in ORDERS.items() if ACTIONS[kind].may_be_free}
    assert len(verbs_asked) < 10
    assert len(proposed) < 2 * len(EIGHTEEN.split())


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("action", ["govern", "intendant", "trade", "home-support", "convert"])
def test_box_without_an_acting_card_can_be_played(side: Side, action: str) -> None:
    """The box lacks a Governor, an Intendant or a Trader, and orders of that card are refused."""
    catalogue = Ruleset.of().catalogue
    cards = {
        owner: {card.id: card for card in catalogue.cards[owner].values() if card.action != action}
        for owner in Side
    }
    state = new_game(Ruleset.of()._replace(catalogue=catalogue._replace(cards=cards)))
    deal(state)
    if side is FRENCH:
        end_turn(state)
    assert state.active is side
    legal = legal_orders(state)
    assert legal
    refused = {
        orders.Govern(cards=("boston",)),
        orders.Govern(cards=("quebec",)),
        orders.Intendant(cards=("boston",)),
        orders.Intendant(cards=("quebec",)),
        orders.Trade(cards=("boston",)),
        orders.Trade(cards=("quebec",)),
        orders.HomeSupport(),
    }
    for order in refused:
        with pytest.raises(IllegalOrderError):
            apply(state, order)
    assert not refused & set(legal)


def test_random_play_gives_every_kind_of_order() -> None:
    """The properties above cover every kind of order within a few games."""
    missing = set(ORDERS) - RARE
    for seed in range(120):
        random = Random(seed)
        rules = new_game(random_rules(random, 0.5)) if seed % 2 else None
        for _, choices in random_choices(random, 250, rules):
            missing -= {order.verb for order in choices}
        if not missing:
            return
    pytest.fail(f"random play never has {missing}: put a position of it into STARTS")


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(3), first=1))
@in_every_edition
def test_random_games_come_to_an_end(edition: str, seed: int) -> None:
    """The deciding player always has an answer, and every card stays in exactly one place."""
    state = new_game(Ruleset.of(edition))
    for reached, choices in random_choices(Random(seed), 4000, state):
        check_invariants(reached)
        over = reached.awaiting.decision is Decision.OVER
        assert over or choices, "a player must decide and has no answer"
    assert state.outcome is not None


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_random_play_meets_the_features_of_the_first_editions(edition: str) -> None:
    """The game with seed 11 and the following ones show all of them."""
    expected = {
        "refill",
        "free action after a refill",
        "location in reserve",
        "French Bateaux in hand",
        "free action at a siege's end",
    }
    observed: set[str] = set()
    for seed in range(11, 40):
        for state, choices in random_choices(Random(seed), 600, new_game(Ruleset.of(edition))):
            if observed == expected:
                return
            verbs = {order.verb for order in choices}
            if "refill" in verbs:
                observed.add("refill")
            if state.refilled and verbs - {"end"}:
                observed.add("free action after a refill")
            spoils = state.awaiting.decision is Decision.SIEGE_SPOILS
            if spoils and verbs & {"retrieve", "home-support", "reinforce", "withdraw"}:
                observed.add("free action at a siege's end")
            for side, player in state.players.items():
                if any(state.ruleset.card(side, card).location for card in player.reserve):
                    observed.add("location in reserve")
            if "bateaux" in state.players[FRENCH].hand:
                observed.add("French Bateaux in hand")
    assert observed == expected
