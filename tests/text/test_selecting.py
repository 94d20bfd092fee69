"""Clicks on a page: the chosen parts, the possible next ones, and why others are not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.choices import Choices, Parts
from engine.game import apply
from engine.order import Order
from engine.orders import Settle, Withdraw
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import Language
from pbem.text.ordering.explanation import missing_order_text
from pbem.text.ordering.menu import Menus, selection_text
from pbem.text.phrases import names
from tests.engine.arbitrary import random_game
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.starts import FIXED

ENGLISH = Language("en")


def reasons(state: State, side: Side, keys: str, key: str) -> list[str]:
    """Return the answer to a click on a part that is not highlighted."""
    chosen, wanted = Parts.of(keys.split()), Parts.of([key])
    output = missing_order_text(ENGLISH, Choices([state]), side, chosen, wanted)
    return [ENGLISH.say(line.text) for line in output]


# --- by example


SETTLE = "Missing in your hand for “settle”, at least:"
POOR = Seat(hand="boston", reserve="militia", money=1)
REASONS = tomllib.loads(Path(__file__).with_name("selecting.toml").read_text("utf-8"))["reason"]


@pytest.mark.parametrize("case", REASONS, ids=lambda case: f"{case['chosen']} {case['clicked']}")
def test_reasons_against_a_part_match_the_table(case: dict[str, Any]) -> None:
    state = position(Seat(**case["seat"]))
    assert reasons(state, BRITISH, case["chosen"], case["clicked"]) == case["said"]


def test_equal_reasons_for_different_locations_are_given_once() -> None:
    state = position(Seat(hand="boston new-york philadelphia st-marys", money=9))
    heading, *lines = reasons(state, BRITISH, "", "kind:fortify")
    assert heading == "Missing in your hand for “fortify”, at least:"
    assert len(lines) == len({line.partition(": ")[2] for line in lines})
    assert "New York" in lines[0] and "Boston" in lines[0]


def test_missing_card_for_a_location_is_named() -> None:
    state = position(Seat(hand="new-york ships settlers"))
    heading, halifax = reasons(state, BRITISH, "", "location:halifax")
    assert heading == SETTLE
    assert halifax.startswith("for Halifax: Boston, which leads there, ")


def test_missing_action_is_the_only_reason() -> None:
    state = position(Seat(hand="boston ships"), actions=0)
    for key in ("card:boston", "location:detroit", "kind:raid", "card:rangers"):
        assert reasons(state, BRITISH, "", key) == ["You have no actions left this turn."]


def test_price_is_the_reason_in_both_sides_turns() -> None:
    (too_dear,) = reasons(position(POOR), BRITISH, "kind:draft", "card:siege-artillery")
    assert too_dear.endswith("and you have 1.")
    able = position(Seat(), Seat("montreal fortification", money=3), active=BRITISH)
    (would,) = reasons(able, FRENCH, "", "kind:fortify")
    assert would == "“fortify” would be possible in a turn of yours, with these cards."
    able.players[FRENCH].money = 2
    would_not, too_dear = reasons(able, FRENCH, "", "kind:fortify")
    assert would_not == "“fortify” would not be possible in a turn of yours either:"
    assert too_dear.endswith("and you have 2.")


def test_summary_describes_chosen_and_next_parts() -> None:
    state = position(Seat(hand="boston new-york st-marys militia", money=5))
    menus, name = Menus(ENGLISH, Choices([state])), names(state)

    def output(*keys: str) -> str:
        return ENGLISH.say(menus.with_parts(Parts.of(keys)).summary)

    assert output() == "Choose an action, a location or a card."
    assert output("kind:pass") == "Chosen: pass. Nothing more is needed."
    assert output("kind:settle") == "Chosen: settle. Add a location or a card."
    assert output("location:port-royal") == "Chosen: Port Royal. Nothing more is needed."
    assert output("kind:discard", "card:militia") == (
        "Chosen: discard Militia. This will do; or add a card."
    )
    assert output("kind:pass", "card:boston") == "Chosen: pass Boston. No order has all of this."
    both = Parts.of(["location:halifax", "card:militia", "card:militia"])
    assert ENGLISH.say(selection_text(both, name)) == "Halifax: Militia x2"
    assert ENGLISH.say(selection_text(Parts(Settle, "halifax"), name)) == "settle Halifax"
    one = Parts.of(["kind:discard", "card:boston"])
    assert ENGLISH.say(menus.with_parts(one).heading) == "All that you can do with it:"


@pytest.mark.parametrize("name", FIXED)
def test_orders_with_the_same_cards_and_result_are_offered_once(name: str) -> None:
    state = FIXED[name]()
    choices = Choices([state])
    menus = Menus(ENGLISH, choices)

    def result(order: Order | None) -> tuple[object, ...]:
        assert order is not None
        after = state.copy()
        apply(after, order)
        return type(order), order.location, after.key()

    for place in choices.next_parts(Parts()).locations:
        selection = Parts(None, place)
        all_results = {result(order) for order in choices.next_parts(selection).orders}
        results = [result(item.order) for item in menus.with_parts(selection).items]
        assert set(results) == all_results
        assert len(results) == len(all_results)


@pytest.mark.parametrize("seed", range(4))
def test_besieged_location_alone_never_offers_to_give_up_at_once(seed: int) -> None:
    """Reinforcements come before it in the list, and it is not previewed."""
    found = set()
    for state in random_game(Random(seed), 300):
        if state.outcome or state.awaiting.decision is not Decision.TURN:
            continue
        for siege in state.sieges.values():
            menu = Menus(ENGLISH, Choices([state])).with_parts(Parts(None, siege.location))
            verbs = [item.order.verb for item in menu.items if item.order]
            assert verbs == sorted(verbs) and not isinstance(menu.single_order, Withdraw)
            found |= set(verbs)
    assert found == {"reinforce", "withdraw"}
