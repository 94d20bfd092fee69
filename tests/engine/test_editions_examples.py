"""The examples that the rulebooks print, played in each edition as its own rulebook prints them.

“French” and “Italian” name the rulebooks of the first edition and of its revision, “English” that
of the second. Where the three tell the same example one test plays it in all three.
"""

from __future__ import annotations

import pytest

from engine import orders
from engine.position import siege_strength, standing_winner
from engine.state import Decision, Settlement, State
from tests.engine.editions import FIRST, REVISED, SECOND, in_every_edition
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    carry_out,
    deal,
    do,
    listed,
    position,
    refusal,
)

# --- settling and developing


@in_every_edition
def test_settling_deerfield(edition: str) -> None:
    """Settle a location, first example: New Haven connects, St. Mary's carries, Boston settles."""
    state = position(Seat("new-haven st-marys boston"), edition=edition)
    assert listed(state, orders.Settle) >= {"settle deerfield: new-haven, st-marys, boston"}
    assert "needs a settler card" in refusal(state, "settle Deerfield: New Haven, St. Mary's")
    do(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    assert state.board["deerfield"] == Settlement(BRITISH)
    player = state.players[BRITISH]
    assert (player.hand, player.discard[-1]) == ([], "deerfield")
    assert "deerfield" not in player.locations


@pytest.mark.parametrize(
    ("edition", "boat"), [(FIRST, "Bateaux"), (REVISED, "Bateaux"), (SECOND, "Trois Rivières")]
)
def test_settling_fort_niagara(edition: str, boat: str) -> None:
    """Settle, second example: Fort Frontenac connects; no settler is needed.

    French and Italian: the French play their Bateaux card. English: Trois-Rivières, for that card
    is no longer in the game.
    """
    hand = f"fort-frontenac quebec {'bateaux' if boat == 'Bateaux' else 'trois-rivieres'}"
    french = Seat(hand, villages="fort-frontenac")
    state = position(french=french, active=FRENCH, edition=edition)
    order = f"settle Fort Niagara: Fort Frontenac, {boat}"
    assert "needs no settler" in refusal(state, f"{order}, Quebec")
    do(state, order)
    assert state.board["fort-niagara"] == Settlement(FRENCH)
    assert state.players[FRENCH].discard[-1] == "fort-niagara"
    assert state.players[FRENCH].hand == ["quebec"]


@in_every_edition
def test_developing_albany(edition: str) -> None:
    """Develop a location, example: Albany's card and St. Mary's; Oswego could be, not Stanwix."""
    hand = "albany st-marys oswego fort-stanwix settlers"
    state = position(Seat(hand, villages="albany fort-stanwix oswego"), edition=edition)
    villages, towns = state.villages_left(BRITISH), state.towns_left(BRITISH)
    assert allowed(state, "develop Oswego: Settlers")
    assert "no victory points" in refusal(state, "develop Fort Stanwix: Settlers")
    do(state, "develop Albany: St. Mary's")
    assert state.board["albany"] == Settlement(BRITISH, town=True)
    assert (state.villages_left(BRITISH), state.towns_left(BRITISH)) == (villages + 1, towns - 1)
    assert state.players[BRITISH].discard[-2:] == ["albany", "st-marys"]


# --- the siege of Louisbourg


@in_every_edition
def test_the_siege_of_louisbourg_from_start_to_loss(edition: str) -> None:
    """Besiege a location, and winning a siege: the example that both passages tell.

    The last British cards and the French ones against them are made up: the books tell only that
    the British get the upper hand and stand at 3.
    """
    state = position(
        Seat(
            "halifax ships siege-artillery regular-infantry military-leader",
            villages="halifax",
            pile="regular-infantry new-york boston norfolk philadelphia",
        ),
        Seat(
            "louisbourg port-royal regular-infantry militia gaspe",
            pile="montreal quebec trader tadoussac trois-rivieres",
        ),
        edition=edition,
    )
    # First the British: the marker starts at 2 for France and moves 3, then 3 more.
    do(state, "besiege Louisbourg: Halifax, Ships, Siege Artillery")
    assert (siege_strength(state, BRITISH), state.players[BRITISH].money) == (-2 + 3, 20 - 3)
    assert state.players[BRITISH].discard[-2:] == ["halifax", "ships"]
    do(state, "reinforce Louisbourg: Regular Infantry", "reinforce Louisbourg: Military Leader")
    assert (siege_strength(state, BRITISH), state.actions_left) == (4, 0)
    assert standing_winner(state, BRITISH) is BRITISH
    carry_out(state, "end")
    # The French save Louisbourg for the moment, without its own card.
    assert "under siege" in refusal(state, "reinforce Louisbourg: Louisbourg")
    do(state, "reinforce Louisbourg: Regular Infantry", "reinforce Louisbourg: Port Royal", "end")
    assert siege_strength(state, BRITISH) == 4 - 3
    deal(state)
    assert (state.active, state.awaiting.decision) == (BRITISH, Decision.TURN)
    carry_out(
        state, "reinforce Louisbourg: Regular Infantry", "reinforce Louisbourg: Norfolk", "end"
    )
    do(state, "reinforce Louisbourg: Militia", "pass", "end")
    assert siege_strength(state, BRITISH) == 3
    # The French give back an empire card of their choice, never Port Royal.
    assert {order.split(": ")[1] for order in listed(state, orders.Lose)} == {
        "militia",
        "regular-infantry",
    }
    carry_out(state, "lose Louisbourg: Regular Infantry")
    infantry = state.players[FRENCH].empire["regular-infantry"]
    do(state, "occupy Louisbourg: New York")
    british, french = state.players[BRITISH], state.players[FRENCH]
    assert state.board["louisbourg"] == Settlement(BRITISH)
    assert british.captured_villages == 1
    assert {"louisbourg", "siege-artillery", "military-leader", "new-york"} <= {*british.discard}
    assert french.empire["regular-infantry"] == infantry + 1
    # The French keep the card of Louisbourg, which is of no use to them.
    assert "louisbourg" in french.hand
    assert (state.sieges, state.actions_left) == ({}, 2)


@in_every_edition
def test_new_york_counts_once_at_a_siege(edition: str) -> None:
    """Use of location cards in sieges, example: its military symbol or its ship."""
    state = position(Seat("new-york", siege="louisbourg: militia"), edition=edition)
    before = siege_strength(state, BRITISH)
    do(state, "reinforce Louisbourg: New York")
    assert siege_strength(state, BRITISH) == before + 1


# --- raids from Kennebec

RAIDERS = ("coureurs-de-bois", "native-americans", "priest")


def raids(edition: str, cards: int, fortified: str = "") -> set[str]:
    """What the French in Kennebec can raid with that many cards, all of them played."""
    state = from_kennebec(edition, cards, fortified)
    played = ", ".join(RAIDERS[:cards])
    found = listed(state, orders.Raid)
    return {raid.split()[1].rstrip(":") for raid in found if raid.endswith(f": {played}")}


def from_kennebec(edition: str, cards: int, fortified: str = "") -> State:
    return position(
        Seat(villages="deerfield fort-halifax", fortified=fortified),
        Seat(" ".join(RAIDERS[:cards]), villages="kennebec"),
        active=FRENCH,
        edition=edition,
    )


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_raids_from_kennebec_in_the_first_edition(edition: str) -> None:
    """French and Italian, raid, first example: Fort Halifax; Deerfield and Pemaquid; Boston.

    They lie one, two and three connections away: Boston takes three cards. New Haven, which the
    example leaves out, lies as far.
    """
    near, further = {"fort-halifax"}, {"deerfield", "pemaquid"}
    assert (raids(edition, 1), raids(edition, 2)) == (near, near | further)
    assert raids(edition, 3) == near | further | {"boston", "new-haven"}


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_raids_past_a_fortified_deerfield_in_the_first_edition(edition: str) -> None:
    """French and Italian, raid, second example: Fort Halifax and Pemaquid are left, not Boston."""
    assert raids(edition, 1, "deerfield") == {"fort-halifax"}
    for cards in (2, 3):
        assert raids(edition, cards, "deerfield") == {"fort-halifax", "pemaquid"}
    state = from_kennebec(edition, 3, "deerfield")
    every = "Coureurs de Bois, Native Americans, Priest"
    assert "is fortified" in refusal(state, f"raid Deerfield: {every}")
    barred = refusal(state, f"raid Boston: {every}")
    assert "The fortification of Deerfield bars the way to Boston" in barred


def test_raids_from_kennebec_in_the_second_edition() -> None:
    """English, raid, both examples: Boston takes two cards, and none where Deerfield is walled."""
    near = {"fort-halifax", "deerfield", "pemaquid"}
    assert (raids(SECOND, 1), raids(SECOND, 2)) == (near, near | {"boston", "new-haven"})
    for cards in (1, 2, 3):
        assert raids(SECOND, cards, "deerfield") == {"fort-halifax", "pemaquid"}


# --- cards


@in_every_edition
def test_a_neutral_fortification_is_drafted_for_three(edition: str) -> None:
    """Draft one empire card, example."""
    state = position(Seat(money=3), edition=edition)
    do(state, "draft Neutral Fortification")
    assert state.players[BRITISH].money == 0
    assert "costs 3" in refusal(position(Seat(money=2), edition=edition), "draft Neutral Fortif")


@in_every_edition
def test_three_discards_cost_two(edition: str) -> None:
    """Discard cards, example."""
    state = position(Seat("boston norfolk new-york", money=2), edition=edition)
    do(state, "discard Boston, New York, Norfolk")
    assert state.players[BRITISH].money == 0


@in_every_edition
def test_home_support_intendant_home_support_in_one_turn(edition: str) -> None:
    """Home Support, the note at its end."""
    pile = "gaspe louisbourg montreal port-royal quebec tadoussac"
    french = Seat("home-support intendant", pile=pile, discard="trader priest militia")
    state = position(french=french, active=FRENCH, edition=edition)
    carry_out(state, "home support", "intendant Home Support", "home support")
    assert (len(state.players[FRENCH].hand), state.actions_left) == (6, 1)
