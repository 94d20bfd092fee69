"""Objections to an order: all of them, not only the first."""

from __future__ import annotations

import pytest

from engine.game import objections
from engine.state import State
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.engine.positions import FRENCH, Seat, do, end_turn, position

ENGLISH = Language("en")


def reasons(state: State, text: str) -> list[str]:
    return [str(objection.reason) for objection in objections(state, read(ENGLISH, text, state))]


@pytest.mark.parametrize("mended", [(), ("card",), ("idle",), ("card", "idle")])
def test_objections_name_every_fault_until_it_is_mended(mended: tuple[str, ...]) -> None:
    """The settlement lacks a card and a settler, and another card is idle."""
    hand = "new-haven st-marys" + " boston" * ("card" in mended)
    lost = "" if "idle" in mended else "boston new-york st-marys norfolk philadelphia"
    state = position(Seat(hand, lost=lost))
    texts = reasons(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    assert any("Boston is not in your hand" in reason for reason in texts) != ("card" in mended)
    assert any("St. Mary's, so its card is idle" in r for r in texts) != ("idle" in mended)
    assert bool(texts) != (len(mended) == 2)


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        (
            "New York, Settlers",
            "reaches Albany by bateaux; the transport comes second, and Settlers",
        ),
        ("New York, Philadelphia", "Philadelphia, which has no bateaux symbol, third"),
        ("Norfolk, Settlers", "The transport comes second, and Settlers, which carries nothing"),
    ],
)
def test_settler_in_the_place_of_the_transport_is_not_missing(cards: str, text: str) -> None:
    state = position(Seat("new-york settlers philadelphia norfolk bateaux", villages=""))
    texts = reasons(state, f"settle Albany: {cards}")
    assert text in texts[-1]
    assert not any("needs a settler" in reason for reason in texts)
    assert reasons(state, "settle Albany: New York, Bateaux") == [
        "Albany needs a settler card too."
    ]
    assert not reasons(state, "settle Albany: New York, Bateaux, Settlers")


def test_price_is_named_with_other_objections() -> None:
    state = position(Seat("boston fortification rangers", money=1))
    assert reasons(state, "fortify Boston: Rangers") == [
        "Rangers is not a Fortification card.",
        "That costs 3 money, and you have 1.",
    ]
    assert reasons(state, "fortify Boston: Fortification") == [
        "That costs 3 money, and you have 1."
    ]


def test_siege_can_have_four_objections() -> None:
    state = position(
        Seat("pemaquid boston ships", siege="louisbourg: militia"),
        Seat(villages="fort-beausejour"),
        actions=0,
    )
    texts = reasons(state, "besiege Fort Beausejour: Pemaquid, Rangers, Fortification")
    for part in (
        "no actions left",
        "Fortification is not in your hand",
        "Rangers is not in your hand",
        "only one location at a time",
        "Rangers has no ship symbol",
        "helps only the defender",
    ):
        assert sum(part in reason for reason in texts) == 1, texts


def test_besieged_location_without_supply_has_both_objections() -> None:
    state = position(
        Seat("deerfield", villages="deerfield", lost="new-haven"), Seat(siege="deerfield:")
    )
    assert reasons(state, "take Deerfield") == [
        "Deerfield is under siege, so its card is idle.",
        "Deerfield has no supply from home, so its card is idle.",
    ]


def test_fundamental_objection_excludes_the_others() -> None:
    state = position(Seat("boston"), house_rules=["no-governors"])
    assert reasons(state, "govern Boston") == ["There is no Governor in this game."]
    assert reasons(state, "intendant Boston") == ["The British have no card for that."]
    assert len(reasons(state, "allow")) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("take Louisbourg", "supply"),
        ("draft Siege Artillery", "money"),
        ("take Tadoussac", "hand"),
        ("settle Fort Duquesne: Montreal, Gaspe", "connections"),
        ("sell fur Gaspe", "free-fur-money"),
    ],
)
def test_objections_name_their_part_of_the_rules(text: str, about: str) -> None:
    state = position(
        french=Seat("montreal gaspe louisbourg", money=1, lost="louisbourg"), active=FRENCH
    )
    assert about in {objection.topic for objection in objections(state, read(ENGLISH, text, state))}


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("besiege Fort Beausejour: Pemaquid, Boston, Fortification", "strength"),
        ("besiege Fort Beausejour: Pemaquid, Boston, Ships", "strength"),
        ("besiege Fort Beausejour: Pemaquid, Boston, Settlers", "strength"),
        ("besiege Fort Beausejour: Pemaquid, Boston, Militia", "british-siege-delay"),
        ("reinforce Detroit: Militia", "supply"),
    ],
)
def test_objections_to_sieges_name_their_rule(text: str, about: str) -> None:
    state = position(
        Seat("pemaquid boston fortification ships settlers militia", villages="detroit"),
        Seat(villages="fort-beausejour", siege="detroit:"),
        house_rules=["british-siege-delay"],
    )
    assert about in {objection.topic for objection in objections(state, read(ENGLISH, text, state))}


def test_spoils_of_a_siege_need_a_piece() -> None:
    state = position(
        Seat("boston new-haven norfolk philadelphia st-marys", siege="port-royal: siege-artillery"),
        Seat("gaspe quebec montreal tadoussac louisbourg", captured=(13, 0)),
        active=FRENCH,
        actions=0,
    )
    end_turn(state)
    obstacles = objections(state, read(ENGLISH, "occupy Port Royal: Boston", state))
    assert [(str(objection.reason), objection.topic) for objection in obstacles] == [
        ("You have no villages left to place.", "pieces")
    ]


def test_objection_to_an_order_of_a_house_rule_names_the_rule() -> None:
    state = position(Seat("militia"), Seat("coureurs-de-bois"), active=FRENCH)
    do(state, "ambush Coureurs de Bois")
    first, *_ = objections(state, read(ENGLISH, "give from siege Boston: Militia", state))
    assert first.topic == "ambush-reaches-sieges"
