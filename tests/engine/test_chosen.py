"""Clicked in any sequence, the parts of every legal order lead to it, and nothing leads nowhere."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given

from engine.choices import Choices, NextParts, Parts
from engine.foresight import states_after_reply
from engine.game import apply, legal_orders
from engine.order import UnreadableOrder
from engine.orders import (
    Develop,
    Discard,
    End,
    HomeSupport,
    Merchant,
    Pass,
    Raid,
    Settle,
    Take,
    Trade,
    Withdraw,
)
from engine.state import State, new_game
from tests.engine.arbitrary import random_choices
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, position
from tests.engine.recorded import GAMES, Replay, give
from tests.engine.selected import check_clicks
from tests.engine.starts import EIGHTEEN, FIXED, SEEDS, START_NAMES, STARTS, modest, thorough

LEGAL_AT_MOST = 400
"""Where more orders are legal, comparing with all of them takes long."""


def check_position(random: Random, state: State) -> None:
    legal = legal_orders(state)
    if 0 < len(legal) <= LEGAL_AT_MOST:
        check_clicks(random, [state], legal)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_what_is_lit_leads_to_a_legal_order_and_nothing_else_is(seed: int, start: str) -> None:
    random = Random(seed)
    for state, _ in random_choices(random, 25, STARTS[start]()):
        check_position(random, state)


@pytest.mark.long
@thorough
@given(seed=SEEDS)
def test_what_is_lit_by_any_rules(seed: int) -> None:
    random = Random(seed)
    for state, _ in random_choices(random, 100, new_game(random_rules(random))):
        check_position(random, state)


@pytest.mark.parametrize("start", FIXED)
def test_what_is_lit_in_fixed_positions(start: str) -> None:
    state = FIXED[start]()
    deal(state)
    for seed in range(2):
        check_position(Random(seed), state)


@pytest.mark.parametrize(
    ("name", "share"),
    [(GAMES[0], 0.1), *(pytest.param(name, 1, marks=pytest.mark.long) for name in GAMES)],
)
def test_what_is_lit_in_recorded_games(name: str, share: float) -> None:
    begun, random = Replay.of(name), Random(name)
    for given_next in Replay.of(name).run().inputs[len(begun.inputs) :]:
        if random.random() < share:
            check_position(random, begun.state)
        give(begun.state, given_next)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_what_is_legal_after_any_answer_is_lit(seed: int, start: str) -> None:
    random = Random(seed)
    for state, choices in random_choices(random, 40, STARTS[start]()):
        attacks = [o for o in choices if o.verb in ("raid", "ambush", "convert")]
        if not attacks:
            continue
        after = state.copy()
        apply(after, random.choice(attacks))
        worlds = [
            world for world in states_after_reply(after) if not world.awaiting.decision.is_chance
        ]
        legal = list(dict.fromkeys(order for world in worlds for order in legal_orders(world)))
        if 0 < len(legal) <= LEGAL_AT_MOST:
            check_clicks(random, worlds, legal)


# --- by example


def found_by(state: State, keys: str) -> NextParts:
    """What follows these clicks, each of which was lit."""
    choices, chosen = Choices([state]), Parts()
    for key in keys.split():
        assert key in {lit.partition("@")[0] for lit in choices.next_parts(chosen).keys}
        chosen = Parts.of((*chosen.keys, key))
    return choices.next_parts(chosen)


def test_the_card_that_an_order_is_made_with_may_be_clicked_or_left_out() -> None:
    state = position(
        Seat(),
        Seat(hand="trader gaspe home-support", villages="gaspe", discard="priest"),
        active=FRENCH,
    )
    trade = Trade(cards=("gaspe",))
    for keys in ("card:gaspe card:trader", "card:trader card:gaspe", "kind:trade card:gaspe"):
        assert trade in found_by(state, keys).complete
    alone = found_by(state, "card:trader")
    assert trade not in alone.complete
    assert trade in alone.orders
    assert HomeSupport() in found_by(state, "card:home-support").complete
    assert HomeSupport() in found_by(state, "kind:home-support").complete


def test_a_card_that_a_house_rule_protects_hides_no_other() -> None:
    """Clicked alone, the Governor leads on, though one card beside it may not be returned."""
    rules = ["governor-keeps-starting-locations"]
    hand = "governor montreal neutral-fortification"
    state = position(Seat(), Seat(hand=hand), active=FRENCH, house_rules=rules)
    assert {*found_by(state, "card:governor kind:govern").cards} == {"neutral-fortification"}


def test_the_card_of_a_location_may_be_clicked_beside_it() -> None:
    state = position(Seat(hand="pemaquid boston philadelphia"))
    develop = Develop("pemaquid", ("philadelphia",))
    for keys in (
        "card:philadelphia card:pemaquid location:pemaquid",
        "location:pemaquid card:philadelphia",
    ):
        assert develop in found_by(state, keys).complete
    both = found_by(state, "kind:develop card:pemaquid card:philadelphia")
    assert not both.complete
    assert both.locations == ("pemaquid",)
    assert develop in both.orders


def test_where_the_cards_lie_that_an_order_names() -> None:
    state = position(Seat(hand="ships", siege="militia"), besieging={BRITISH: "louisbourg"})
    drafted = found_by(state, "kind:draft").cards
    assert drafted["ships"] == ("british-draft",)
    assert drafted["neutral-native-americans"] == ("neutral",)
    assert found_by(state, "").cards["ships"] == ("british-draft", "british-hand")
    assert found_by(state, "kind:withdraw location:louisbourg").cards == {
        "militia": ("british-siege",)
    }


def test_each_use_of_the_same_cards_is_an_order_of_its_own() -> None:
    """Two ship cards with money: either carries the other's."""
    state = position(Seat(hand="boston new-york"))
    found = found_by(state, "card:new-york kind:merchant card:boston")
    assert {*found.complete} == {
        Merchant(cards=("boston", "new-york")),
        Merchant(cards=("new-york", "boston")),
    }
    assert not found.keys


def test_a_card_is_lit_as_often_as_it_lies_there() -> None:
    state = position(Seat(hand="militia militia", money=5))
    once, twice = (found_by(state, " ".join(["card:militia"] * n)) for n in (1, 2))
    assert "militia" in once.cards
    assert "militia" not in twice.cards
    assert Discard(cards=("militia", "militia")) in twice.complete


def test_all_kinds_stay_lit_that_a_selection_fits() -> None:
    state = position(Seat(hand="boston militia ships", money=5))
    with_a_card = found_by(state, "card:boston")
    assert {Discard, Take, Merchant} <= {*with_a_card.kinds}
    assert Pass not in with_a_card.kinds
    assert Raid not in found_by(state, "kind:discard").kinds


def test_where_little_is_possible_all_of_it_is_listed() -> None:
    found = found_by(position(Seat(hand="boston"), actions=0), "")
    assert found.is_all
    assert End() in found.complete
    assert not found_by(position(Seat(hand="boston militia ships", money=5)), "").is_all


def test_a_large_hand_is_quickly_looked_through() -> None:
    state = position(
        Seat(villages="halifax deerfield", siege="militia"),
        Seat(hand=EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
        besieging={BRITISH: "louisbourg"},
    )
    began = time.process_time()
    choices, chosen = Choices([state]), Parts.of(["kind:discard"])
    while choices.next_parts(chosen).cards:
        found = choices.next_parts(chosen)
        chosen = Parts.of((*chosen.keys, f"card:{next(iter(found.cards))}"))
    assert sorted(chosen.cards) == sorted(EIGHTEEN.split())
    assert choices.next_parts(chosen).complete == (Discard(cards=chosen.cards),)
    # Some hundredths of a second each; legal_orders takes seconds here.
    assert time.process_time() - began < 2


# --- keys


def test_a_selection_is_read_from_its_keys_in_any_sequence() -> None:
    keys = ("kind:settle", "location:deerfield", "card:boston", "card:boston", "card:st-marys")
    chosen = Parts(Settle, "deerfield", ("boston", "boston", "st-marys"))
    assert chosen.keys == keys
    assert Parts.of(keys) == chosen
    assert Parts.of(reversed(keys)) == chosen._replace(cards=("st-marys", "boston", "boston"))
    assert Parts.of(()) == Parts()
    where = ("card:ships@british-draft", "card:boston@british-hand", "card:militia")
    assert Parts.of(where).keys == where


@pytest.mark.parametrize(
    "keys",
    [
        ["settle"],
        ["kind:"],
        ["kind:sail"],
        ["side:british"],
        [""],
        ["kind:settle", "kind:raid"],
        ["location:boston", "location:halifax"],
    ],
)
def test_what_is_no_selection_is_refused(keys: list[str]) -> None:
    with pytest.raises(UnreadableOrder, match=f"“{keys[0]}”" if len(keys) == 1 else "one thing"):
        Parts.of(keys)


def test_of_some_cards_it_may_be_unsaid_where_they_lie() -> None:
    choices = Choices([position(Seat(hand="boston militia ships", money=5))])
    for keys in ("card:boston card:militia@british-hand", "card:militia@british-hand card:boston"):
        found = choices.next_parts(Parts.of(["kind:discard", *keys.split()]))
        assert found.complete == (Discard(cards=("boston", "militia")),)
        assert found.cards == {"ships": ("british-hand",)}
    one_to_draft = Parts.of(["card:boston", "card:ships@british-draft"])
    assert choices.next_parts(one_to_draft).keys == ()
    taken = Parts.of(["location:louisbourg", "card:militia@british-siege"])
    besieging = position(Seat(hand="ships", siege="militia"), besieging={BRITISH: "louisbourg"})
    assert Choices([besieging]).next_parts(taken).kinds == (Withdraw,)
