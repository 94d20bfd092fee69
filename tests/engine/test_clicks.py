"""The parts of every legal order lead to it in any sequence of clicks, and others are not lit."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given

from engine.choices import Choices, NextParts, Parts
from engine.foresight import states_after_reply
from engine.game import apply, legal_orders
from engine.order import UnreadableOrderError
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
from tests.engine.clicks import check_clicks
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, position
from tests.engine.replay import GAMES, Replay, give
from tests.engine.starts import EIGHTEEN, FIXED, SEEDS, START_NAMES, STARTS, modest, thorough

LEGAL_AT_MOST = 400
"""Positions with more legal orders are left out: each click is compared with all of them."""


def check_position(random: Random, state: State) -> None:
    legal = legal_orders(state)
    if 0 < len(legal) <= LEGAL_AT_MOST:
        check_clicks(random, [state], legal)


@pytest.mark.slow
@modest
@given(seed=SEEDS, start=START_NAMES)
def test_lit_parts_are_those_that_lead_to_legal_orders(seed: int, start: str) -> None:
    random = Random(seed)
    for state, _ in random_choices(random, 25, STARTS[start]()):
        check_position(random, state)


@pytest.mark.long
@thorough
@given(seed=SEEDS)
def test_lit_parts_by_any_rules(seed: int) -> None:
    random = Random(seed)
    for state, _ in random_choices(random, 100, new_game(random_rules(random))):
        check_position(random, state)


@pytest.mark.parametrize("start", FIXED)
def test_lit_parts_in_fixed_positions(start: str) -> None:
    state = FIXED[start]()
    deal(state)
    for seed in range(2):
        check_position(Random(seed), state)


@pytest.mark.parametrize(
    ("name", "share"),
    [(GAMES[0], 0.1), *(pytest.param(name, 1, marks=pytest.mark.long) for name in GAMES)],
)
def test_lit_parts_in_recorded_games(name: str, share: float) -> None:
    begun, random = Replay.of(name), Random(name)
    for step in Replay.of(name).run().inputs[len(begun.inputs) :]:
        if random.random() < share:
            check_position(random, begun.state)
        give(begun.state, step)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_orders_legal_after_any_answer_have_lit_parts(seed: int, start: str) -> None:
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


def click(state: State, keys: str) -> NextParts:
    """Return the parts that may follow the clicks `keys`, each of which must be lit."""
    choices, selection = Choices([state]), Parts()
    for key in keys.split():
        assert key in {lit.partition("@")[0] for lit in choices.next_parts(selection).keys}
        selection = Parts.of((*selection.keys, key))
    return choices.next_parts(selection)


def test_card_of_an_order_may_be_clicked_or_omitted() -> None:
    state = position(
        Seat(),
        Seat(hand="trader gaspe home-support", villages="gaspe", discard="priest"),
        active=FRENCH,
    )
    trade = Trade(cards=("gaspe",))
    for keys in ("card:gaspe card:trader", "card:trader card:gaspe", "kind:trade card:gaspe"):
        assert trade in click(state, keys).complete
    alone = click(state, "card:trader")
    assert trade not in alone.complete
    assert trade in alone.orders
    assert HomeSupport() in click(state, "card:home-support").complete
    assert HomeSupport() in click(state, "kind:home-support").complete


def test_protected_card_does_not_hide_the_others() -> None:
    """With the Governor clicked, only the card that may be returned is lit."""
    rules = ["governor-keeps-starting-locations"]
    hand = "governor montreal neutral-fortification"
    state = position(Seat(), Seat(hand=hand), active=FRENCH, house_rules=rules)
    assert {*click(state, "card:governor kind:govern").cards} == {"neutral-fortification"}


def test_location_card_may_be_clicked_with_its_location() -> None:
    state = position(Seat(hand="pemaquid boston philadelphia"))
    develop = Develop("pemaquid", ("philadelphia",))
    for keys in (
        "card:philadelphia card:pemaquid location:pemaquid",
        "location:pemaquid card:philadelphia",
    ):
        assert develop in click(state, keys).complete
    both = click(state, "kind:develop card:pemaquid card:philadelphia")
    assert not both.complete
    assert both.locations == ("pemaquid",)
    assert develop in both.orders


def test_cards_are_lit_in_their_piles() -> None:
    state = position(Seat(hand="ships", siege="militia"), besieging={BRITISH: "louisbourg"})
    drafted = click(state, "kind:draft").cards
    assert drafted["ships"] == ("british-draft",)
    assert drafted["neutral-native-americans"] == ("neutral",)
    assert click(state, "").cards["ships"] == ("british-draft", "british-hand")
    assert click(state, "kind:withdraw location:louisbourg").cards == {
        "militia": ("british-siege",)
    }


def test_each_use_of_the_same_cards_is_a_separate_order() -> None:
    """Two ship cards with money can each carry the other's."""
    state = position(Seat(hand="boston new-york"))
    parts = click(state, "card:new-york kind:merchant card:boston")
    assert {*parts.complete} == {
        Merchant(cards=("boston", "new-york")),
        Merchant(cards=("new-york", "boston")),
    }
    assert not parts.keys


def test_card_is_lit_as_often_as_the_hand_holds_it() -> None:
    state = position(Seat(hand="militia militia", money=5))
    once, twice = (click(state, " ".join(["card:militia"] * n)) for n in (1, 2))
    assert "militia" in once.cards
    assert "militia" not in twice.cards
    assert Discard(cards=("militia", "militia")) in twice.complete


def test_kinds_that_fit_a_selection_stay_lit() -> None:
    state = position(Seat(hand="boston militia ships", money=5))
    with_a_card = click(state, "card:boston")
    assert {Discard, Take, Merchant} <= {*with_a_card.kinds}
    assert Pass not in with_a_card.kinds
    assert Raid not in click(state, "kind:discard").kinds


def test_parts_have_all_orders_only_if_there_are_few() -> None:
    parts = click(position(Seat(hand="boston"), actions=0), "")
    assert parts.is_all
    assert End() in parts.complete
    assert not click(position(Seat(hand="boston militia ships", money=5)), "").is_all


def test_large_hand_takes_little_time() -> None:
    state = position(
        Seat(villages="halifax deerfield", siege="militia"),
        Seat(hand=EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
        besieging={BRITISH: "louisbourg"},
    )
    began = time.process_time()
    choices, selection = Choices([state]), Parts.of(["kind:discard"])
    while choices.next_parts(selection).cards:
        parts = choices.next_parts(selection)
        selection = Parts.of((*selection.keys, f"card:{next(iter(parts.cards))}"))
    assert sorted(selection.cards) == sorted(EIGHTEEN.split())
    assert choices.next_parts(selection).complete == (Discard(cards=selection.cards),)
    # Some hundredths of a second each; legal_orders takes seconds here.
    assert time.process_time() - began < 2


# --- keys


def test_selection_is_parsed_from_keys_in_any_sequence() -> None:
    keys = ("kind:settle", "location:deerfield", "card:boston", "card:boston", "card:st-marys")
    selection = Parts(Settle, "deerfield", ("boston", "boston", "st-marys"))
    assert selection.keys == keys
    assert Parts.of(keys) == selection
    assert Parts.of(reversed(keys)) == selection._replace(cards=("st-marys", "boston", "boston"))
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
def test_invalid_selection_keys_are_refused(keys: list[str]) -> None:
    with pytest.raises(
        UnreadableOrderError, match=f"“{keys[0]}”" if len(keys) == 1 else "one thing"
    ):
        Parts.of(keys)


def test_pile_of_a_card_may_be_omitted() -> None:
    choices = Choices([position(Seat(hand="boston militia ships", money=5))])
    for keys in ("card:boston card:militia@british-hand", "card:militia@british-hand card:boston"):
        parts = choices.next_parts(Parts.of(["kind:discard", *keys.split()]))
        assert parts.complete == (Discard(cards=("boston", "militia")),)
        assert parts.cards == {"ships": ("british-hand",)}
    one_to_draft = Parts.of(["card:boston", "card:ships@british-draft"])
    assert choices.next_parts(one_to_draft).keys == ()
    withdrawn = Parts.of(["location:louisbourg", "card:militia@british-siege"])
    besieging = position(Seat(hand="ships", siege="militia"), besieging={BRITISH: "louisbourg"})
    assert Choices([besieging]).next_parts(withdrawn).kinds == (Withdraw,)
