"""What is clicked, told: what is chosen, what can follow, and why something else cannot."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from engine.choices import Choices, Following, Parts
from engine.foresight import after_answer
from engine.game import apply, legal_orders
from engine.orders import ORDERS, Discard, Raid, Settle
from engine.sides import Side
from engine.state import State, new_game
from pbem.text.facts.why_not import MOST_KINDS, why_not, with_every_card
from pbem.text.language import Language
from pbem.text.ordering.explanation import why_not_told
from pbem.text.ordering.menu import (
    chosen_told,
    following_told,
    kind_label,
    orders_heading,
)
from pbem.text.phrases import names
from tests.engine.arbitrary import random_choices
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.engine.selected import clicked
from tests.engine.starts import SEEDS, START_NAMES, STARTS, modest, thorough

ENGLISH = Language("en")


def dark(state: State, side: Side, found: Following) -> list[str]:
    """The keys of all that a player could click and that is not lit."""
    catalogue, lit = state.ruleset.catalogue, {key.partition("@")[0] for key in found.keys}
    of = {"kind": ORDERS, "location": catalogue.locations, "card": catalogue.cards[side]}
    return [key for part in of for id in of[part] if (key := f"{part}:{id}") not in lit]


def reasons(state: State, side: Side, keys: str, key: str) -> list[str]:
    """What is said to a click on what is not lit."""
    chosen, asked = Parts.of(keys.split()), Parts.of([key])
    told = why_not_told(ENGLISH, Choices([state]), side, chosen, asked)
    return [ENGLISH.say(line.text) for line in told]


def check_reasons(random: Random, state: State, asked: int) -> None:
    """Of some of the parts that are not lit it is said why."""
    side, legal = state.awaiting.side, legal_orders(state)
    keys = clicked(random, state, random.choice(legal))
    chosen = Parts.of(keys[: random.randint(0, len(keys))])
    choices = Choices([state])
    following = choices.following(chosen)
    unlit = dark(state, side, following)
    for key in random.sample(unlit, min(asked, len(unlit))):
        question = choices, side, chosen, Parts.of([key])
        found = why_not(*question)
        assert 0 < len(found) <= MOST_KINDS
        assert not any(one.is_legal for one in found), (chosen, key)
        for one in found:
            blames_cards = any("the cards that you hold" in str(o.reason) for o in one.objections)
            with_all = Choices([with_every_card(one.state, side)])
            assert not blames_cards or one.said.kind in with_all.kinds(), (chosen, key)
        told = [ENGLISH.say(line.text) for line in why_not_told(ENGLISH, *question)]
        assert told, (chosen, key)
        assert all(told)
    name = names(state)
    assert ENGLISH.say(following_told(chosen, following, name)).endswith(".")


@settings(modest, max_examples=4)
@given(seed=SEEDS, start=START_NAMES)
def test_what_is_not_lit_is_told_why(seed: int, start: str) -> None:
    random = Random(seed)
    for state, choices in random_choices(random, 12, STARTS[start]()):
        if choices and random.random() < 0.4:
            check_reasons(random, state, 3)


@pytest.mark.long
@settings(thorough, max_examples=60)
@given(seed=SEEDS)
def test_what_is_not_lit_is_told_why_by_any_rules(seed: int) -> None:
    random = Random(seed)
    for state, choices in random_choices(random, 100, new_game(random_rules(random))):
        if choices:
            check_reasons(random, state, 3)


def test_what_is_not_lit_is_told_why_whatever_is_answered_first() -> None:
    """Several positions: a raid may be blocked or not, and orders are given for both."""
    state = position(
        Seat(villages="deerfield"),
        Seat(hand="native-americans quebec montreal", villages="kennebec"),
        active=FRENCH,
    )
    apply(state, next(order for order in legal_orders(state) if isinstance(order, Raid)))
    worlds = after_answer(state)
    assert len(worlds) > 1
    choices = Choices(worlds)
    for key in dark(state, FRENCH, choices.following(Parts()))[::3]:
        assert [*why_not_told(ENGLISH, choices, FRENCH, Parts(), Parts.of([key]))], key


# --- by example


SETTLE = "For “settle” your hand lacks at least:"
CHOICE = Seat(hand="boston new-york philadelphia st-marys")
POOR = Seat(hand="boston", reserve="militia", money=1)
REASONS: list[tuple[Seat, str, str, list[str]]] = [
    (
        Seat(hand="boston ships"), "", "location:detroit",
        ["None of the location cards that you can use leads to Detroit."],
    ),
    # St. Mary's leads to Cumberland by bateaux and is the only bateaux in hand.
    (
        Seat(hand="st-marys boston new-york"), "kind:settle", "location:cumberland",
        [SETTLE, "Cumberland: a bateaux card"],
    ),
    # What is chosen already stands in the way.
    (CHOICE, "kind:pass", "kind:discard", ["“pass” is already chosen; an order does one thing."]),
    (
        CHOICE, "kind:settle location:halifax", "location:baltimore",
        ["Halifax is already chosen; an order has one location."],
    ),
    # What would not be possible in its place either is told as if it were asked for there.
    (
        CHOICE, "kind:settle location:halifax", "kind:besiege",
        ["Halifax does not belong to the enemy."],
    ),
    (
        POOR, "kind:discard", "card:militia",
        ["Militia is not in your hand. It is in the reserve."],
    ),
    (POOR, "kind:draft", "location:boston", ["“draft” names no location."]),
    # No more cards are tried than there are: what stands in the way is neither of these.
    (
        Seat("boston militia rangers"), "kind:raid location:quebec", "card:rangers",
        ["Quebec is too far away: these cards reach 2 connections."],
    ),
    (
        Seat("boston pemaquid siege-artillery", money=0), "kind:besiege", "location:port-royal",
        ["“besiege Port Royal: Pemaquid, Boston, Siege Artillery” is not possible:",
         "That costs 3 money, and you have 0."],
    ),
    (POOR, "kind:pass", "card:boston", ["“pass” takes no cards."]),
    (POOR, "", "kind:block", ["“block” is an answer, and no such answer is asked for now."]),
]  # fmt: skip
"""Of a British hand: what was clicked, what is clicked then, and what is said to that."""


@pytest.mark.parametrize(("seat", "keys", "key", "told"), REASONS)
def test_why_it_cannot_be_chosen(seat: Seat, keys: str, key: str, told: list[str]) -> None:
    assert reasons(position(seat), BRITISH, keys, key) == told


def test_a_location_for_which_a_card_is_missing() -> None:
    state = position(Seat(hand="new-york ships settlers"))
    heading, halifax = reasons(state, BRITISH, "", "location:halifax")
    assert heading == SETTLE
    assert halifax.startswith("Halifax: Boston, which leads there, ")


def test_without_an_action_left_nothing_else_is_said() -> None:
    state = position(Seat(hand="boston ships"), actions=0)
    for key in ("card:boston", "location:detroit", "kind:raid", "card:rangers"):
        assert reasons(state, BRITISH, "", key) == ["You have no actions left this turn."]


def test_a_card_that_is_too_dear_and_a_turn_of_the_other_side() -> None:
    (too_dear,) = reasons(position(POOR), BRITISH, "kind:draft", "card:siege-artillery")
    assert too_dear.endswith("and you have 1.")
    assert reasons(position(POOR), FRENCH, "", "kind:settle")


def test_what_is_chosen_and_what_can_follow_is_told() -> None:
    state = position(Seat(hand="boston new-york st-marys militia", money=5))
    ways, name = Choices([state]), names(state)

    def told(*keys: str) -> str:
        chosen = Parts.of(keys)
        return ENGLISH.say(following_told(chosen, ways.following(chosen), name))

    assert told() == "Choose an action, a location or a card."
    assert told("kind:pass") == "Chosen: pass. Nothing more is needed."
    assert told("kind:settle") == "Chosen: settle. Add a location or a card."
    assert told("kind:discard", "card:militia") == (
        "Chosen: discard Militia. This will do; or add a card."
    )
    assert told("kind:pass", "card:boston") == "Chosen: pass Boston. No order has all of this."
    both = Parts.of(["location:halifax", "card:militia", "card:militia"])
    assert ENGLISH.say(chosen_told(both, name)) == "Halifax: Militia x2"
    assert ENGLISH.say(chosen_told(Parts(Settle, "halifax"), name)) == "settle Halifax"
    assert ENGLISH.say(kind_label(Discard)) == "Discard"
    one = Parts.of(["kind:discard", "card:boston"])
    assert ENGLISH.say(orders_heading(one, ways.following(one))) == "All that you can do with it:"
