"""A state machine over games by any rules, with legal, illegal and random orders.

A game begins with random rules or with a fixed position. In every position no card, piece or money
is lost, `legal_orders` lists exactly the orders that are accepted, a refused order changes nothing,
and caches hold correct values. In the end the inputs are replayed from the start.
"""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.actions.action import IllegalOrderError
from engine.chance import Chance
from engine.game import apply, cost, is_legal, legal_orders, objections, priced_orders, random_order
from engine.order import Order
from engine.players.plans.plan import PlanView
from engine.players.practice.viewpoint import Viewpoint
from engine.position import can_use, raid_distances, supplied_locations
from engine.sides import Side
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import arbitrary_order, choose_lively
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants
from tests.engine.positions import deal
from tests.engine.starts import SEEDS, START_NAMES, STARTS
from tests.sample import few_or_many

ARBITRARY = 12
"""The orders, legal or not, that are tried in a step."""
LISTED = 5
"""The legal orders that are carried out on a copy in a step."""


class GameMachine(RuleBasedStateMachine):
    """A game and the inputs that led to its position."""

    @initialize(name=START_NAMES)
    def start(self, name: str) -> None:
        self.begin(STARTS[name]())

    def begin(self, state: State) -> None:
        self.state, self.first = state, state.copy()
        self.inputs: list[Order | Chance] = []
        self.take_chances(Random(0))

    def take_chances(self, random: Random) -> None:
        self.inputs += deal(self.state, random)
        self.has_moved = True
        self.orders = legal_orders(self.state)

    @property
    def is_over(self) -> bool:
        return self.state.awaiting.decision is Decision.OVER

    @precondition(lambda self: not self.is_over)
    @rule(seed=SEEDS)
    def play(self, seed: int) -> None:
        random = Random(seed)
        assert random_order(self.state, random) in self.orders
        self.inputs.append(choose_lively(random, self.orders))
        apply(self.state, self.inputs[-1])
        self.take_chances(random)

    @precondition(lambda self: not self.is_over)
    @rule(seed=SEEDS)
    def carry_out_on_copies(self, seed: int) -> None:
        before, random, self.has_moved = self.state.key(), Random(seed), False
        arrived = pickle.loads(pickle.dumps(self.state))
        assert arrived == self.state
        assert arrived.ruleset is self.state.ruleset
        assert pickle.loads(pickle.dumps(self.orders)) == self.orders
        for order in random.sample(self.orders, min(LISTED, len(self.orders))):
            copy, unchecked = self.state.copy(), self.state.copy()
            assert copy.key() == before
            events = apply(copy, order)
            check_invariants(copy)
            assert apply(unchecked, order, known_legal=True) == events
            assert unchecked.key() == copy.key()
            assert order.can_draw or not (copy.is_interrupted and copy.awaiting.decision.is_chance)
        assert self.state.key() == before

    @rule(seed=SEEDS)
    def try_arbitrary_orders(self, seed: int) -> None:
        before, random, legal = self.state.key(), Random(seed), {*self.orders}
        self.has_moved = False
        for _ in range(ARBITRARY):
            order = arbitrary_order(random, self.state)
            reasons = [str(objection.reason) for objection in objections(self.state, order)]
            assert (order in legal) is (not reasons), order.notation()
            assert len({*reasons}) == len(reasons)
            assert all(is_sentence(reason) for reason in reasons)
            if reasons:
                with pytest.raises(IllegalOrderError) as refused:
                    apply(self.state, order)
                assert str(refused.value) == reasons[0]
        assert self.state.key() == before

    @precondition(lambda self: self.has_moved)
    @invariant()
    def nothing_is_lost(self) -> None:
        check_invariants(self.state)

    @precondition(lambda self: self.has_moved)
    @invariant()
    def every_listed_order_is_accepted(self) -> None:
        assert self.is_over or self.orders, "a player is asked and has no answer"
        assert len({*self.orders}) == len(self.orders)
        assert [order for order in self.orders if not is_legal(self.state, order)] == []
        assert priced_orders(self.state) == [
            (order, cost(self.state, order)) for order in self.orders
        ]

    @precondition(lambda self: self.has_moved)
    @invariant()
    def caches_hold_what_is_computed_anew(self) -> None:
        fresh = self.state.copy()
        for cached in (fresh.pieces, fresh.supplied_locations, fresh.raid_distances):
            cached.clear()
        for side in Side:
            assert supplied_locations(self.state, side) == supplied_locations(fresh, side)
            assert raid_distances(self.state, side) == raid_distances(fresh, side)
            assert self.state.villages_left(side) == fresh.villages_left(side)
            assert self.state.towns_left(side) == fresh.towns_left(side)
        side = self.state.awaiting.side
        if self.state.can_decide(side):
            viewpoint, plan_view = Viewpoint(self.state), PlanView(self.state)
            for card in self.state.ruleset.catalogue.cards[side]:
                uses = viewpoint.is_usable(card), plan_view.is_usable(card)
                assert {*uses} == {can_use(fresh, side, card)}

    def teardown(self) -> None:
        if hasattr(self, "inputs"):
            for step in self.inputs:
                apply(self.first, step)
            assert self.first.key() == self.state.key()


class AnyRulesMachine(GameMachine):
    """A new game under random rules."""

    @initialize(seed=SEEDS)
    def start(self, seed: int) -> None:
        self.begin(new_game(random_rules(Random(seed))))


def is_sentence(text: str) -> bool:
    """Return True if a text begins with a capital or a quotation, and ends with a full stop."""
    return text.endswith(".") and (text[0].isupper() or text[0] == "“") and "None" not in text


@few_or_many(12, 800)
@pytest.mark.parametrize("machine", [GameMachine, AnyRulesMachine])
def test_any_game_keeps_the_invariants(machine: type[GameMachine], examples: int) -> None:
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=50)
    )
