"""Reading what players type: the forms of the design, abbreviations, and what is unreadable."""

from __future__ import annotations

import pytest

from engine.notation import UnreadableOrder, from_notation, read
from tests.engine.positions import FRENCH, Seat, position, refusal

BRITISH_TURN = position(
    Seat(hand="boston new-haven st-marys rangers home-support", villages="deerfield")
)
FRENCH_TURN = position(french=Seat(hand="gaspe tadoussac trader regular-infantry"), active=FRENCH)


@pytest.mark.parametrize(
    "typed",
    [
        "settle Deerfield: New Haven, St. Mary's, Boston",
        "SETTLE deerfield:new haven,st marys,boston",
        "settle deer: new h, st m, bos",
    ],
)
def test_a_settlement_is_read_in_many_forms(typed: str) -> None:
    assert read(typed, BRITISH_TURN).notation() == "settle deerfield: new-haven, st-marys, boston"


@pytest.mark.parametrize(
    ("typed", "notation"),
    [
        ("discard Boston, New Haven", "discard boston, new-haven"),
        ("discard boston,st marys", "discard boston, st-marys"),
        ("discard: Boston, St. Mary's, Rangers", "discard boston, rangers, st-marys"),
        ("disc bos", "discard boston"),
        ("merchant Boston, New Haven", "merchant boston, new-haven"),
        ("home support", "home-support"),
        ("home-support", "home-support"),
        ("home", "home-support"),
        ("give from reserve Rangers", "give-from-reserve rangers"),
        ("give-from-reserve rangers", "give-from-reserve rangers"),
        ("give Rangers", "give rangers"),
        ("show hand", "show-hand"),
        ("PASS", "pass"),
        ("draft neutral nat", "draft neutral-native-americans"),
        ("draft ships", "draft ships"),
    ],
)
def test_british_orders_are_read(typed: str, notation: str) -> None:
    assert read(typed, BRITISH_TURN).notation() == notation


@pytest.mark.parametrize(
    ("typed", "notation"),
    [
        ("trade Gaspé, Tadoussac", "trade gaspe, tadoussac"),
        ("trade: gaspe, tad", "trade gaspe, tadoussac"),
        ("draft Native Americans", "draft native-americans"),
        ("reserve Regular Infantry", "reserve regular-infantry"),
        ("draft Regular Infantry (initial)", "draft regular-infantry-initial"),
    ],
)
def test_french_orders_are_read(typed: str, notation: str) -> None:
    assert read(typed, FRENCH_TURN).notation() == notation


def test_a_name_in_full_is_never_taken_for_another_card() -> None:
    """The own Fortification is in hand and cannot be drafted; the neutral one costs 3 money."""
    state = position(Seat(hand="fortification boston"))
    assert read("draft Fortification", state).notation() == "draft fortification"
    assert "No Fortification card is available" in refusal(state, "draft Fortification")
    assert read("draft fort", state).notation() == "draft neutral-fortification"
    state = position(french=Seat(hand="neutral-native-americans"), active=FRENCH)
    assert read("raid Deerfield: Native Americans", state).notation() == (
        "raid deerfield: native-americans"
    )
    assert read("raid Deerfield: nat", state).notation() == (
        "raid deerfield: neutral-native-americans"
    )


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "begins with what to do"),
        (" ,: ", "begins with what to do"),
        ("conquer Quebec", "no order “conquer”"),
        ("re Louisbourg", "could be"),
        ("settle", "needs a location"),
        ("settle : Boston", "needs a location"),
        ("settle Fort: Boston, Boston", "could be"),
        ("settle Atlantis: Boston, Boston", "no location “Atlantis”"),
        ("settle Deerfeild: Boston, Boston", "Do you mean Deerfield"),
        ("take Bostn", "Do you mean Boston"),
        ("take Montreal", "no card “Montreal”"),
        ("draft fort", "could be"),
        ("take", "“take” takes"),
        ("pass Boston", "“pass” takes"),
    ],
)
def test_an_unreadable_order_is_named_with_what_is_wrong(typed: str, complaint: str) -> None:
    with pytest.raises(UnreadableOrder, match=complaint):
        read(typed, BRITISH_TURN)


@pytest.mark.parametrize(
    "written",
    ["", "Pass", "pass ", "settle deerfield", "discard b, a", "settle: a, b", "end: "],
)
def test_a_record_has_one_form_only(written: str) -> None:
    with pytest.raises(UnreadableOrder):
        from_notation(written)
