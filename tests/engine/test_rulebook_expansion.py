"""Expansive actions by the second-edition rulebook, and what a location card may be used for."""

from __future__ import annotations

import pytest

from engine import orders
from engine.position import supplied
from engine.sides import Side
from engine.state import Decision, Settlement
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    do,
    listed,
    position,
    refusal,
    winner,
)
from tests.present import present

# --- settle a location


def test_the_british_settle_deerfield() -> None:
    """Rulebook, settle, first example: New Haven connects, St. Mary's carries, Boston settles."""
    state = position(Seat("new-haven st-marys boston"))
    stock = state.villages_left(BRITISH)
    do(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    assert state.board["deerfield"] == Settlement(BRITISH)
    assert state.villages_left(BRITISH) == stock - 1
    player = state.players[BRITISH]
    assert (player.hand, player.discard[-1]) == ([], "deerfield")
    assert set(player.discard[-4:-1]) == {"new-haven", "st-marys", "boston"}
    assert "deerfield" not in player.locations
    assert state.actions_left == 1


def test_the_french_settle_fort_niagara_without_a_settler() -> None:
    """Rulebook, settle, second example: no settler symbol, so no third card."""
    hand = "fort-frontenac trois-rivieres quebec"
    state = position(french=Seat(hand, villages="fort-frontenac"), active=FRENCH)
    assert "needs no settler" in refusal(
        state, "settle Fort Niagara: Fort Frontenac, Trois Rivières, Quebec"
    )
    do(state, "settle Fort Niagara: Fort Frontenac, Trois Rivières")
    assert state.board["fort-niagara"] == Settlement(FRENCH)
    assert "fort-niagara" in state.players[FRENCH].discard


def test_a_settlement_takes_connection_transport_and_settler() -> None:
    """Rulebook, settle: a connecting card, the transport it names, a settler where drawn."""
    state = position(Seat("new-haven st-marys boston norfolk rangers"))
    for cards, why in {
        ("new-haven", "st-marys"): "needs a settler",
        ("boston", "st-marys", "new-haven"): "no connection",
        ("new-haven", "boston", "st-marys"): "no bateaux",
        ("new-haven", "st-marys", "rangers"): "no settler symbol",
        ("new-haven", "new-haven", "boston"): "no other New Haven in your hand",
    }.items():
        assert why in refusal(state, orders.Settle("deerfield", cards))


def test_any_transport_that_is_printed_serves() -> None:
    """Rulebook, settle: Baltimore lies on a river from St. Mary's; by ship from Philadelphia."""
    hand = "philadelphia st-marys boston bateaux"
    assert listed(position(Seat(hand)), orders.Settle) >= {
        "settle baltimore: philadelphia, boston, st-marys",
        "settle baltimore: st-marys, bateaux, boston",
        "settle baltimore: st-marys, bateaux, philadelphia",
    }


def test_only_neutral_locations_are_settled() -> None:
    """Rulebook, settle: the location holds neither cube nor disc."""
    state = position(Seat("pemaquid boston philadelphia new-york"))
    assert "is French" in refusal(state, "settle Port Royal: Pemaquid, Boston, Philadelphia")
    assert "already yours" in refusal(state, "settle New Haven: Pemaquid, Boston, Philadelphia")


def test_a_location_without_a_card_can_be_settled() -> None:
    """Rulebook, settle; ruling 10: the British have no Montreal card, so none is gained."""
    state = position(
        Seat(
            "fort-frontenac bateaux settlers", villages="albany fort-stanwix oswego fort-frontenac"
        ),
        Seat(lost="montreal"),
    )
    before = len(state.players[BRITISH].discard)
    do(state, "settle Montreal: Fort Frontenac, Bateaux, Settlers")
    assert state.board["montreal"] == Settlement(BRITISH)
    assert len(state.players[BRITISH].discard) == before + 3


def test_a_governed_location_card_is_regained_by_settling() -> None:
    """Rulebook, governor; ruling 10: the same cards, no piece, and the card comes back."""
    state = position(Seat("new-york st-marys boston", towns="albany", governed="albany"))
    stock = state.villages_left(BRITISH)
    do(state, "settle Albany: New York, St. Mary's, Boston")
    assert state.board["albany"] == Settlement(BRITISH, town=True)
    assert state.villages_left(BRITISH) == stock
    assert "albany" in state.players[BRITISH].discard


def test_a_governed_location_card_is_regained_under_siege() -> None:
    """Ruling 28: the siege of a location bars the use of its card, not taking it back."""
    state = position(
        Seat("new-york st-marys boston", towns="albany", governed="albany"),
        Seat(siege="albany: militia"),
    )
    do(state, "settle Albany: New York, St. Mary's, Boston")
    assert "albany" in state.players[BRITISH].discard
    assert state.besieger("albany") is FRENCH


def test_a_raided_location_is_settled_again_without_a_second_card() -> None:
    """Rulebook, raid: control of a location whose card is kept is regained by settling."""
    state = position(Seat("boston new-haven philadelphia", lost="pemaquid"))
    do(state, "settle Pemaquid: Boston, New Haven, Philadelphia")
    assert state.board["pemaquid"] == Settlement(BRITISH)
    assert state.players[BRITISH].discard.count("pemaquid") == 0
    assert "pemaquid" in state.players[BRITISH].unseen[0]


def test_villages_run_out() -> None:
    """Rulebook, settle; ruling 22: 18 villages, less those placed and captured."""
    hand = "new-haven st-marys boston new-york"
    state = position(Seat(hand), Seat(captured=(13, 0)))
    assert state.villages_left(BRITISH) == 0
    assert "no villages left" in refusal(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    # No piece is placed to regain a card.
    state = position(Seat(hand, towns="deerfield", governed="deerfield"), Seat(captured=(13, 0)))
    assert allowed(state, "settle Deerfield: New Haven, St. Mary's, Boston")


@pytest.mark.parametrize(
    ("british", "french", "side", "order"),
    [
        (
            Seat(
                "fort-st-john bateaux settlers",
                villages="albany fort-william-henry ticonderoga fort-st-john",
            ),
            Seat(lost="quebec"),
            BRITISH,
            "settle Quebec: Fort St. John, Bateaux, Settlers",
        ),
        (
            Seat(lost="boston pemaquid"),
            Seat("pemaquid louisbourg quebec", villages="pemaquid"),
            FRENCH,
            "settle Boston: Pemaquid, Louisbourg, Quebec",
        ),
        (
            Seat(lost="new-york"),
            Seat(
                "albany tadoussac quebec",
                villages="fort-st-john ticonderoga fort-william-henry albany",
            ),
            FRENCH,
            "settle New York: Albany, Tadoussac, Quebec",
        ),
    ],
)
def test_settling_the_enemy_home_wins_at_once(
    british: Seat, french: Seat, side: Side, order: str
) -> None:
    """Rulebook, ending the game: Quebec for the British, Boston or New York for the French."""
    state = position(british, french, active=side)
    do(state, order)
    assert winner(state) is side
    assert "was settled" in str(present(state.outcome).reason)
    assert state.awaiting.decision is Decision.OVER


# --- develop a location


def test_the_british_develop_albany() -> None:
    """Rulebook, develop, example: Albany's card and St. Mary's as the settler."""
    state = position(Seat("albany st-marys", villages="albany"))
    villages, towns = state.villages_left(BRITISH), state.towns_left(BRITISH)
    do(state, "develop Albany: St. Mary's")
    assert state.board["albany"] == Settlement(BRITISH, town=True)
    assert (state.villages_left(BRITISH), state.towns_left(BRITISH)) == (villages + 1, towns - 1)
    assert state.players[BRITISH].discard[-2:] == ["albany", "st-marys"]


def test_oswego_can_be_developed_and_fort_stanwix_cannot() -> None:
    """Rulebook, develop, example; ruling 11: only a location with victory points."""
    state = position(Seat("oswego fort-stanwix settlers", villages="albany fort-stanwix oswego"))
    assert allowed(state, "develop Oswego: Settlers")
    assert "no victory points" in refusal(state, "develop Fort Stanwix: Settlers")


def test_a_fortified_village_stays_fortified_as_a_town() -> None:
    """Rulebook, fortify: the disc lies under the piece."""
    state = position(Seat("new-haven boston", fortified="new-haven"))
    do(state, "develop New Haven: Boston")
    assert state.board["new-haven"] == Settlement(BRITISH, town=True, fortified=True)


def test_develop_needs_a_village_its_card_and_another_settler() -> None:
    """Rulebook, develop: two cards; a town is not developed again."""
    state = position(Seat("boston new-york st-marys norfolk"))
    assert "already a town" in refusal(state, "develop Boston: New York")
    assert "not in your hand" in refusal(state, "develop Pemaquid: Boston")
    assert "no other St. Mary's in your hand" in refusal(state, "develop St. Mary's: St. Mary's")
    assert "no settler symbol" in refusal(state, "develop St. Mary's: Norfolk")


def test_towns_run_out() -> None:
    """Rulebook, develop; ruling 22: 12 British and 9 French discs, less those captured."""
    british, french = Seat("new-haven boston"), Seat("gaspe quebec")
    state = position(british, Seat(captured=(0, 10)))
    assert "no towns left" in refusal(state, "develop New Haven: Boston")
    state = position(Seat(captured=(0, 8)), french, active=FRENCH)
    assert "no towns left" in refusal(state, "develop Gaspé: Quebec")
    state = position(Seat(captured=(0, 7)), french, active=FRENCH)
    assert allowed(state, "develop Gaspé: Quebec")


# --- fortify a location


def test_fortifying_takes_both_cards_and_three_money() -> None:
    """Rulebook, fortify: the fortification card, the location's own, and 3 money."""
    state = position(Seat("norfolk fortification", money=3))
    do(state, "fortify Norfolk: Fortification")
    assert state.board["norfolk"].fortified
    assert state.players[BRITISH].money == 0
    assert state.players[BRITISH].discard[-2:] == ["norfolk", "fortification"]
    assert state.fortifications_left() == 11


def test_what_cannot_be_fortified() -> None:
    """Rulebook, fortify; ruling 11: one disc a location, a fortification card, the money."""
    hand = "norfolk boston neutral-fortification rangers"
    state = position(Seat(hand, fortified="boston"))
    assert "already fortified" in refusal(state, "fortify Boston: Neutral Fortification")
    assert "not a Fortification card" in refusal(state, "fortify Norfolk: Rangers")
    assert allowed(state, "fortify Norfolk: Neutral Fortification")
    state = position(Seat(hand, lost="norfolk"))
    assert "do not control" in refusal(state, "fortify Norfolk: Neutral Fortification")
    state = position(Seat(hand, money=2))
    assert "costs 3" in refusal(state, "fortify Norfolk: Neutral Fortification")


def test_a_besieged_location_cannot_be_fortified() -> None:
    """Rulebook, reinforce a siege; ruling 11: no disc where a siege is."""
    state = position(Seat("pemaquid fortification"), Seat(siege="pemaquid: militia"))
    assert "under siege" in refusal(state, "fortify Pemaquid: Fortification")


def test_there_are_twelve_fortification_discs() -> None:
    """Ruling 11: twelve in all, for both sides together."""
    british = "boston new-haven new-york norfolk pemaquid philadelphia"
    french = "gaspe louisbourg port-royal tadoussac trois-rivieres montreal"
    state = position(Seat("st-marys fortification", fortified=british), Seat(fortified=french))
    assert state.fortifications_left() == 0
    assert "No fortification disc" in refusal(state, "fortify St. Mary's: Fortification")


def test_a_location_is_fortified_in_the_turn_it_was_settled_again() -> None:
    """Rulebook, fortify: its own note on a location just resettled."""
    hand = "boston new-haven philadelphia pemaquid fortification"
    state = position(Seat(hand, lost="pemaquid"))
    do(state, "settle Pemaquid: Boston, New Haven, Philadelphia", "fortify Pemaquid: Fortification")
    assert state.board["pemaquid"] == Settlement(BRITISH, fortified=True)


# --- restrictions on the use of location cards


def test_a_location_card_needs_control() -> None:
    """Rulebook, restrictions; ruling 7: a lost location's card is idle, but can be discarded."""
    state = position(Seat("norfolk new-york governor boston", lost="norfolk"))
    for order in ("take Norfolk", "merchant Boston, Norfolk", "merchant Norfolk, Boston"):
        assert "do not control" in refusal(state, order)
    assert "do not control" in refusal(state, "settle Baltimore: Norfolk, New York, Boston")
    assert allowed(state, "discard Norfolk")
    assert allowed(state, "govern Norfolk")


def test_a_location_card_needs_supply() -> None:
    """Rulebook, restrictions; rulings 7 and 8: Deerfield joins Boston by trail only."""
    state = position(Seat("deerfield governor boston", villages="deerfield", lost="new-haven"))
    assert "no supply" in refusal(state, "take Deerfield")
    assert "no supply" in refusal(state, "merchant Boston, Deerfield")
    assert "no supply" in refusal(state, "develop Deerfield: Boston")
    assert allowed(state, "discard Deerfield")
    assert allowed(state, "govern Deerfield")
    assert allowed(position(Seat("deerfield", villages="deerfield")), "take Deerfield")


def test_a_location_card_needs_peace() -> None:
    """Rulebook, restrictions; ruling 7: a besieged location's card is idle."""
    state = position(Seat("new-haven st-marys boston governor"), Seat(siege="new-haven: militia"))
    assert "under siege" in refusal(state, "take New Haven")
    assert "under siege" in refusal(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    assert allowed(state, "discard New Haven")
    assert allowed(state, "govern New Haven")


def test_every_part_of_an_order_needs_a_usable_card() -> None:
    """Ruling 7: transport and settler as much as the connecting card."""
    state = position(Seat("new-haven st-marys boston", lost="st-marys"))
    assert "do not control" in refusal(state, "settle Deerfield: New Haven, St. Mary's, Boston")
    state = position(Seat("new-haven bateaux st-marys", lost="st-marys"))
    assert "do not control" in refusal(state, "settle Deerfield: New Haven, Bateaux, St. Mary's")
    assert "do not control" in refusal(state, "develop New Haven: St. Mary's")


def test_supply_passes_a_besieged_location() -> None:
    """Rulebook, restrictions; ruling 8: Albany is supplied through besieged New York."""
    state = position(Seat("albany st-marys", villages="albany"), Seat(siege="new-york: militia"))
    assert allowed(state, "develop Albany: St. Mary's")


def test_supply_does_not_pass_enemy_or_neutral_locations() -> None:
    """Rulebook, restrictions: the trace runs over controlled locations."""
    assert "albany" in supplied(position(Seat(villages="albany")), BRITISH)
    assert "albany" not in supplied(position(Seat(villages="albany", lost="new-york")), BRITISH)


def test_supply_runs_by_river_road_lake_and_sea() -> None:
    """Rulebook, restrictions: one stretch of each kind."""
    state = position(
        Seat(villages="cumberland fort-duquesne halifax"),
        Seat(villages="kennebec fort-frontenac fort-niagara detroit"),
    )
    assert supplied(state, BRITISH) >= {"cumberland", "fort-duquesne", "halifax"}
    assert supplied(state, FRENCH) >= {"kennebec", "fort-frontenac", "fort-niagara", "detroit"}
    # Cumberland also has three trails, which do not supply it.
    state = position(Seat(villages="cumberland baltimore richmond", lost="st-marys"))
    assert "cumberland" not in supplied(state, BRITISH)


def test_home_supplies_even_when_it_is_not_controlled() -> None:
    """Rulebook, restrictions; ruling 8: Quebec raided twice still supplies, and so does Boston."""
    state = position(french=Seat("montreal gaspe trader", lost="quebec"), active=FRENCH)
    assert allowed(state, "trade Montreal, Gaspé")
    assert allowed(position(Seat("norfolk", lost="boston")), "take Norfolk")


def test_settled_by_ship_supplied_by_sea() -> None:
    """Ruling 25: Fort Beausejour is reached by ship and supplied by sea."""
    state = position(Seat("pemaquid boston"))
    do(state, "settle Fort Beausejour: Pemaquid, Boston")
    assert "fort-beausejour" in supplied(state, BRITISH)
