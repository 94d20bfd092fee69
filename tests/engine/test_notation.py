"""Reading what players type: the forms of the design, abbreviations, and what is unreadable."""

from __future__ import annotations

import pytest

from engine.notation import UnreadableOrder, from_notation, read, verb_alone
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


# --- several readings: the legal one is meant, and nobody guesses between two


def test_a_card_is_the_one_that_can_be_had_now() -> None:
    """A Military Leader costs more than a Militia."""
    able = position(Seat(hand="boston", money=2))
    assert read("draft mil", able).notation() == "draft militia"
    for money in (20, 0):
        state = position(Seat(hand="boston", money=money))
        with pytest.raises(UnreadableOrder, match="“mil” could be Military Leader, Militia"):
            read("draft mil", state)
    # After one of the answers that are still to come it may be possible.
    assert read("draft mil", position(Seat(money=0)), able).notation() == "draft militia"


def test_a_place_is_the_one_where_it_can_be_done_now() -> None:
    state = position(
        Seat(villages="halifax", besieged="fortification", hand="boston"),
        french=Seat(siege="regular-infantry"),
        besieging={FRENCH: "halifax"},
    )
    assert read("withdraw hal: fort", state).notation() == "withdraw halifax: fortification"
    with pytest.raises(UnreadableOrder, match=r"“hal” could be .*Halifax"):
        read("develop hal: boston", state)


def test_nobody_guesses_between_two_that_are_legal() -> None:
    state = position(Seat(hand="militia military-leader boston"))
    with pytest.raises(UnreadableOrder, match=r"“mil” could be Mil[a-z ]*, Mil[a-z ]*"):
        read("discard mil", state)
    # Here there is only one way to have it.
    assert read("discard mil, mil", state).notation() == "discard military-leader, militia"


def test_a_verb_cut_short_is_the_one_that_can_be_done_now() -> None:
    hand = "militia boston new-haven"
    assert read("re mil", position(Seat(hand=hand))).notation() == "reserve militia"
    assert read("re", position(Seat(hand=hand, reserve="rangers"))).notation() == "retrieve"
    with pytest.raises(UnreadableOrder, match="“d” could be draft or discard"):
        read("d mil", position(Seat(hand=hand)))


def test_how_many_cards_it_takes_is_told_with_the_place_that_was_understood() -> None:
    with pytest.raises(UnreadableOrder, match=r"^Deerfield: settle takes 2 to 3 cards\.$"):
        read("settle deer: boston", BRITISH_TURN)


@pytest.mark.parametrize(
    ("typed", "verb"),
    [
        ("raid", "raid"),
        ("SETTLE ", "settle"),
        ("sett", "settle"),
        ("GIVE from-reserve", "give from reserve"),
    ],
)
def test_a_verb_alone_is_known(typed: str, verb: str) -> None:
    assert verb_alone(typed) == verb


@pytest.mark.parametrize(
    "typed", ["", "fly", "re", "raid Boston", "take Boston", "pass", "retrieve"]
)
def test_anything_else_is_no_verb_alone(typed: str) -> None:
    assert verb_alone(typed) == ""


@pytest.mark.parametrize(
    "written",
    ["", "Pass", "pass ", "settle deerfield", "discard b, a", "settle: a, b", "end: "],
)
def test_a_record_has_one_form_only(written: str) -> None:
    with pytest.raises(UnreadableOrder):
        from_notation(written)
