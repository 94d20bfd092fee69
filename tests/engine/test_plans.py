"""Players that follow a plan finish games by legal orders, and see only their own cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.game import apply
from engine.order import Order
from engine.orders import Besiege, Pass, Settle
from engine.players.plans import PLANS, POOL, planner_of
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import random_choices
from tests.engine.positions import winner
from tests.requirements import require
from tests.sample import sample

LAST_TURN = 200
EDITIONS = sorted(editions())
ASKED = ("french-start-choice", "paid-reshuffle", "french-siege-exchange", "ambush-reaches-sieges")
HOUSE_RULES = (ASKED, ("drop-lost-locations", "free-fur-money"), ASKED)
"""Rules with decisions and orders that no edition has."""


def start(
    seed: int, visible_sides: tuple[Side, ...] = tuple(Side), ruleset: Ruleset | None = None
) -> tuple[State, Dealer]:
    state, dealer = new_game(ruleset), Dealer(Random(f"{seed} chance"), visible_sides)
    dealer.deal(state)
    return state, dealer


def is_over(state: State) -> bool:
    return state.awaiting.decision is Decision.OVER or state.turn >= LAST_TURN


def play(
    names: Mapping[Side, str], seed: int, ruleset: Ruleset | None = None
) -> tuple[State, list[tuple[Side, Order]]]:
    """Play a whole game between two of the pool, and return its end and its orders."""
    players: dict[Side, Any] = {side: POOL[names[side]](Random(seed)) for side in Side}
    state, dealer = start(seed, ruleset=ruleset)
    orders_given = []
    while not is_over(state):
        order = players[state.awaiting.side].choose(state)
        orders_given.append((state.awaiting.side, order))
        apply(state, order)
        dealer.deal(state)
    return state, orders_given


def opponents(name: str, other: str, side: Side) -> dict[Side, str]:
    return {side: name, side.opponent: other}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "edition"),
    # Each by one of the editions in every run.
    [
        pytest.param(name, edition, marks=() if at % len(EDITIONS) == of else pytest.mark.long)
        for at, name in enumerate(POOL)
        for of, edition in enumerate(EDITIONS)
    ],
)
def test_whole_games_are_played_by_legal_orders(name: str, edition: str) -> None:
    for side in Side:
        state, orders_given = play(opponents(name, "hammer", side), 3, Ruleset.of(edition))
        assert state.outcome is not None or state.turn == LAST_TURN
        assert {side for side, _ in orders_given} == {*Side}


@pytest.mark.parametrize("name", PLANS)
def test_plans_name_existing_cards_and_places(name: str) -> None:
    """A misspelt name would be a step that never becomes possible."""
    catalogue = Ruleset.of("first").catalogue  # the second edition has one card less
    for side in Side:
        plan = PLANS[name][side]
        for card, expected in Counter(plan.drafts).items():
            assert expected <= catalogue.cards[side][card].count
            assert not catalogue.cards[side][card].location
        for place in (*plan.sites, *plan.to_fortify, *plan.targets):
            assert place in catalogue.locations
        reached = {
            end
            for card in catalogue.location_cards(side)
            for ends in card.reaches.values()
            for end in ends
        }
        assert reached.issuperset(plan.sites + plan.targets)


def test_hammer_takes_louisbourg_before_quebec() -> None:
    """Halifax or Port Royal, then Louisbourg, then Quebec, whose siege ends the game."""
    state, orders_given = play({Side.BRITISH: "hammer", Side.FRENCH: "greedy"}, 1)
    places = [
        order.target
        for side, order in orders_given
        if side is Side.BRITISH and isinstance(order, Settle | Besiege)
    ]
    assert places.index("louisbourg") < places.index("quebec")
    assert {"halifax", "port-royal"}.intersection(places[: places.index("louisbourg")])
    assert (winner(state), require(state.outcome).location) == (Side.BRITISH, "quebec")


def test_same_seed_plays_the_same_game() -> None:
    for name in ("greedy", "raiders"):
        names = opponents(name, "hammer", Side.FRENCH)
        assert play(names, 7)[1] == play(names, 7)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(POOL, every=4))
def test_no_sight_of_the_opponents_hand_is_needed(name: str) -> None:
    """A state that knows both hands all the time changes no order."""
    public, dealer = start(11, visible_sides=())
    open_state, open_dealer = start(11)
    blind, seeing = POOL[name](Random(4)), POOL[name](Random(4))
    while not is_over(public):
        side = public.awaiting.side
        own = public.copy()
        dealer.reveal(own, side)
        order = blind.choose(own)
        assert seeing.choose(open_state) == order
        dealer.show(public, side, order)
        apply(public, order)
        apply(open_state, order)
        dealer.deal(public)
        open_dealer.deal(open_state)


@pytest.mark.slow
def test_plan_can_take_over_in_any_position() -> None:
    """The positions come from random play with all rules, and need every kind of decision."""
    random, decisions = Random(1), Counter[Decision]()
    for ruleset in (Ruleset.of(), Ruleset.of("first"), *map(Ruleset.of, EDITIONS, HOUSE_RULES)):
        for state, legal in random_choices(random, 500, new_game(ruleset)):
            decisions[state.awaiting.decision] += 1
            if legal:
                before, name = state.key(), random.choice([*PLANS])
                assert planner_of(name).choose(state) in legal
                assert state.key() == before
    assert set(decisions) >= {decision for decision in Decision if not decision.is_chance}


@pytest.mark.parametrize("name", ["greedy", "hammer"])
def test_plan_players_refuse_to_choose_for_chance(name: str) -> None:
    with pytest.raises(ValueError, match="no player decides"):
        POOL[name](Random(0)).choose(new_game())


@pytest.mark.parametrize("name", ["greedy", "hammer"])
def test_player_without_other_orders_passes(name: str) -> None:
    """The player has no card and no money for a draft."""
    state, _ = start(1)
    player = state.players[state.awaiting.side]
    player.hand.clear()
    player.money = 0
    player.empire.clear()
    state.neutral.clear()
    assert POOL[name](Random(0)).choose(state) == Pass()
