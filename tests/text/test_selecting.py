"""What is clicked, told: what is chosen, what can follow, and why something else cannot."""

from __future__ import annotations

import pytest

from engine.choices import Choices, Parts
from engine.orders import Settle
from engine.sides import Side
from engine.state import State
from pbem.text.language import Language
from pbem.text.ordering.explanation import why_not_text
from pbem.text.ordering.menu import Menus, chosen_text
from pbem.text.phrases import names
from tests.engine.positions import BRITISH, FRENCH, Seat, position

ENGLISH = Language("en")


def reasons(state: State, side: Side, keys: str, key: str) -> list[str]:
    """What is said to a click on what is not lit."""
    chosen, asked = Parts.of(keys.split()), Parts.of([key])
    told = why_not_text(ENGLISH, Choices([state]), side, chosen, asked)
    return [ENGLISH.say(line.text) for line in told]


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
    # Rangers are there: what is lacking is reach. Of a card that nobody chose nothing is said.
    *(
        (Seat("boston rangers"), chosen, key,
         ["“raid Quebec: Rangers” is not possible:",
          "Quebec is too far away: these cards reach 2 connections."])
        for chosen, key in (("", "kind:raid"), ("kind:raid", "location:quebec"))
    ),
    *(
        (Seat("boston"), chosen, key, ["No “raid” is possible with the cards that you hold."])
        for chosen, key in (("", "kind:raid"), ("kind:raid", "location:quebec"))
    ),
    # It is money that is short, and no card.
    (
        Seat("pemaquid fortification", money=0), "", "kind:fortify",
        ["That costs 3 money, and you have 0."],
    ),
    # A card is clicked where it lies.
    (POOR, "kind:draft", "card:boston@british-hand", ["No such order takes a card from there."]),
    (
        POOR, "card:boston@british-hand", "card:siege-artillery@british-draft",
        ["Siege Artillery is not in your hand. It can be drafted."],
    ),
    (
        Seat("boston siege-artillery"), "kind:take", "card:siege-artillery@british-draft",
        ["No such order takes a card from there."],
    ),
    (
        Seat("boston", discard="militia"), "", "card:militia@british-discard",
        ["Militia is not in your hand. It is in the discard pile."],
    ),
    (
        POOR, "", "card:militia@british-reserve",
        ["Militia is not in your hand. It is in the reserve."],
    ),
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
    able = position(Seat(), Seat("montreal fortification", money=3), active=BRITISH)
    (would,) = reasons(able, FRENCH, "", "kind:fortify")
    assert would == "“fortify” would be possible in a turn of yours, with these cards."
    able.players[FRENCH].money = 2
    would_not, too_dear = reasons(able, FRENCH, "", "kind:fortify")
    assert would_not == "“fortify” would not be possible in a turn of yours either:"
    assert too_dear.endswith("and you have 2.")


def test_what_is_chosen_and_what_can_follow_is_told() -> None:
    state = position(Seat(hand="boston new-york st-marys militia", money=5))
    menus, name = Menus(ENGLISH, Choices([state])), names(state)

    def told(*keys: str) -> str:
        return ENGLISH.say(menus.with_parts(Parts.of(keys)).summary)

    assert told() == "Choose an action, a location or a card."
    assert told("kind:pass") == "Chosen: pass. Nothing more is needed."
    assert told("kind:settle") == "Chosen: settle. Add a location or a card."
    assert told("kind:discard", "card:militia") == (
        "Chosen: discard Militia. This will do; or add a card."
    )
    assert told("kind:pass", "card:boston") == "Chosen: pass Boston. No order has all of this."
    both = Parts.of(["location:halifax", "card:militia", "card:militia"])
    assert ENGLISH.say(chosen_text(both, name)) == "Halifax: Militia x2"
    assert ENGLISH.say(chosen_text(Parts(Settle, "halifax"), name)) == "settle Halifax"
    one = Parts.of(["kind:discard", "card:boston"])
    assert ENGLISH.say(menus.with_parts(one).heading) == "All that you can do with it:"
