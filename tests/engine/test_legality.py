"""`legal_orders` is complete and right, over random games and over every order of fixed positions.

What is listed is accepted and can be applied; what is not listed is refused and changes nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import game, orders
from engine.actions.action import Action
from engine.game import ACTIONS, IllegalOrder, apply, check, legal_orders
from engine.orders import ORDERS, Order, from_notation
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, State, new_game
from pbem.words.language import Language
from pbem.words.orders.reading import read
from tests.engine.arbitrary import arbitrary_order, every_order, random_game
from tests.engine.counted import POSITIONS
from tests.engine.edition_positions import EDITION_POSITIONS
from tests.engine.house_rule_positions import HOUSE_POSITIONS, HOUSE_STARTS
from tests.engine.invariants import check_invariants
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, end_turn, position

ENGLISH = Language("en")

SEEDS = st.integers(min_value=0, max_value=2**32)
HOUSE_RULE = "governor-keeps-starting-locations"
STARTS: dict[str, Callable[[], State]] = {
    "new game": new_game,
    "new game with a house rule": lambda: new_game(Ruleset.of("second", [HOUSE_RULE])),
    "new game of first": lambda: new_game(Ruleset.of("first")),
    "new game of first-revised": lambda: new_game(Ruleset.of("first-revised")),
    **POSITIONS,
    **EDITION_POSITIONS,
    **HOUSE_STARTS,
    **HOUSE_POSITIONS,
}
START_NAMES = st.sampled_from(list(STARTS))
ORDERS_A_GAME = 100
RARE = {"relieve"}  # Two sieges won in one turn: among the fixed positions only.
HOUSE_ORDERS = {"exchange", "keep", "forfeit", "start", "sell-fur", "drop", "give-from-siege"}
OTHER_RULES = {"refill", *HOUSE_ORDERS}
"""Orders that the second edition without house rules does not have."""
modest = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
            apply(copy, order)
            check_invariants(copy)
        assert state.key() == before


def plain(text: str) -> str:
    """A text as a lazy player types it: lower case, no accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def sayable(order: Order, state: State) -> bool:
    """Whether an order names only places there are and cards the awaited side can ever own."""
    catalogue = state.ruleset.catalogue
    known = catalogue.cards[state.awaiting.side]
    place = order.location is None or order.location in catalogue.locations
    return place and all(card in known for card in order.cards)


def check_notation(seed: int, start: str) -> None:
    """What is written for an order is read as that order, however it is typed."""
    random = Random(seed)
    for state in random_game(random, ORDERS_A_GAME, STARTS[start]()):
        choices = legal_orders(state)
        name = state.ruleset.catalogue.name_of
        for order in random.sample(choices, min(8, len(choices))):
            assert from_notation(order.notation()) == order
            text = str(order.text(name))
            assert read(ENGLISH, text, state) == order
            assert read(ENGLISH, plain(text), state) == order
            assert read(ENGLISH, f"  {text.upper()} ", state) == order
            assert read(ENGLISH, order.notation(), state) == order
        for order in (arbitrary_order(random, state) for _ in range(12)):
            if sayable(order, state):
                # What the order means does not hang on its being legal, or on what is in hand.
                assert read(ENGLISH, str(order.text(name)), state) == order
                assert read(ENGLISH, order.notation(), state) == order


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


TURNS = [name for name in POSITIONS if POSITIONS[name]().awaiting.decision is Decision.TURN]


@pytest.mark.parametrize("name", TURNS)
def test_without_an_action_left_exactly_the_free_orders_are_listed(name: str) -> None:
    """No kind of order is left out that could still be given."""
    state = POSITIONS[name]()
    state.actions_left = 0
    listed = set(legal_orders(state))
    assert {order for order in every_order(state) if accepted(state, order)} == listed
    assert all(ACTIONS[type(order)].may_be_free for order in listed)
    assert orders.End() in listed


EIGHTEEN = (
    "montreal quebec louisbourg gaspe port-royal tadoussac trois-rivieres trader governor "
    "intendant priest native-americans militia regular-infantry regular-infantry-initial "
    "fortification neutral-native-americans home-support"
)


def test_a_large_hand_is_no_work_once_the_actions_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only kinds that can be free are asked for orders: no choice among 2 ** 18 discards."""
    state = position(
        Seat(siege="militia"),
        Seat(hand=EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
        actions=0,
        besieging={BRITISH: "louisbourg"},
    )
    asked: set[str] = set()
    checked: list[Order] = []

    def spy(kind: type[Order], action: Action[Any]) -> Action[Any]:
        class Spy(type(action)):  # type: ignore[misc]
            def candidates(self, state: State, side: Side) -> Iterator[Order]:
                asked.add(kind.verb)
                yield from super().candidates(state, side)

        return Spy()

    def counted(state: State, order: Order) -> None:
        checked.append(order)
        check(state, order)

    for kind, action in ACTIONS.items():
        monkeypatch.setitem(ACTIONS, kind, spy(kind, action))
    monkeypatch.setattr(game, "check", counted)
    listed = legal_orders(state)
    assert {order.verb for order in listed} == {"end", "home-support", "retrieve", "withdraw"}
    assert asked == {verb for verb, kind in ORDERS.items() if ACTIONS[kind].may_be_free}
    assert len(asked) < 10
    assert len(checked) < 2 * len(EIGHTEEN.split())


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("action", ["govern", "intendant", "trade", "home-support", "convert"])
def test_a_box_without_one_of_the_acting_cards_can_be_played(side: Side, action: str) -> None:
    """Another edition may lack a Governor, an Intendant or a Trader: nobody gives such an order."""
    catalogue = Ruleset.of().catalogue
    cards = {
        owner: {card.id: card for card in catalogue.cards[owner].values() if card.action != action}
        for owner in Side
    }
    state = new_game(replace(Ruleset.of(), catalogue=replace(catalogue, cards=cards)))
    deal(state)
    if side is FRENCH:
        end_turn(state)
    assert state.active is side
    listed = legal_orders(state)
    assert listed
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
        with pytest.raises(IllegalOrder):
            apply(state, order)
    assert not refused & set(listed)


def test_random_play_gives_every_kind_of_order() -> None:
    """The properties above are worth something: over a few games every kind of order is given."""
    listed: set[str] = set()
    for seed in range(60):
        for state in random_game(Random(seed), 250):
            listed |= {order.verb for order in legal_orders(state)}
        if listed >= set(ORDERS) - RARE - OTHER_RULES:
            return
    assert listed >= set(ORDERS) - RARE - OTHER_RULES
