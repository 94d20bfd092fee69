"""Sieges by the second-edition rulebook: opening, reinforcing, strength, and one to its end."""

from __future__ import annotations

import pytest

from engine import orders
from engine.position import can_reinforce, siege_strength, standing_winner
from engine.sides import Side
from engine.state import Decision, Settlement, State
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    carry_out,
    do,
    listed,
    position,
    refusal,
)


def at_louisbourg(british: str, french: str = "", *, walls: bool = False) -> State:
    """The British siege of Louisbourg, with these cards in it; the British to move."""
    return position(
        Seat(siege=f"louisbourg: {british}"),
        Seat(besieged=french, fortified="louisbourg" if walls else ""),
    )


# --- the rulebook's siege of Louisbourg


def test_the_siege_of_louisbourg() -> None:
    """Rulebook, besiege and winning a siege: both examples, played from the start to the loss."""
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
    )
    do(state, "besiege Louisbourg: Halifax, Ships, Siege Artillery")
    siege = state.sieges[BRITISH]
    assert (siege.location, siege.cards[BRITISH]) == ("louisbourg", ["siege-artillery"])
    assert state.players[BRITISH].discard[-2:] == ["halifax", "ships"]
    assert state.players[BRITISH].money == 20 - 3
    # The marker starts 2 in favour of France (1, and 1 for Louisbourg) and moves 3.
    assert siege_strength(state, BRITISH) == 1
    do(state, "reinforce Louisbourg: Regular Infantry")
    assert state.actions_left == 0
    do(state, "reinforce Louisbourg: Military Leader")
    assert siege_strength(state, BRITISH) == 4
    carry_out(state, "end")

    assert "under siege" in refusal(state, "reinforce Louisbourg: Louisbourg")
    do(state, "reinforce Louisbourg: Regular Infantry", "reinforce Louisbourg: Port Royal")
    assert (siege_strength(state, BRITISH), standing_winner(state, BRITISH)) == (1, None)
    carry_out(state, "end")

    assert state.active is BRITISH
    do(state, "reinforce Louisbourg: Regular Infantry", "reinforce Louisbourg: Norfolk")
    assert siege_strength(state, BRITISH) == 4
    carry_out(state, "end")

    do(state, "reinforce Louisbourg: Militia", "pass", "end")
    assert (siege_strength(state, BRITISH), state.awaiting.decision) == (3, Decision.LOSERS_CARD)
    assert listed(state, orders.Lose) == {
        "lose louisbourg: militia",
        "lose louisbourg: regular-infantry",
    }
    carry_out(state, "lose Louisbourg: Regular Infantry")

    assert (state.active, state.awaiting.decision) == (BRITISH, Decision.SIEGE_SPOILS)
    infantry = state.players[FRENCH].empire["regular-infantry"]
    do(state, "occupy Louisbourg: New York")
    assert state.board["louisbourg"] == Settlement(BRITISH)
    assert state.players[BRITISH].captured_villages == 1
    assert "louisbourg" in state.players[BRITISH].discard
    assert {"siege-artillery", "military-leader", "new-york"} <= set(state.players[BRITISH].discard)
    assert state.players[FRENCH].empire["regular-infantry"] == infantry + 1
    assert {"militia", "port-royal"} <= set(state.players[FRENCH].discard)
    assert "louisbourg" in state.players[FRENCH].hand + state.players[FRENCH].discard
    assert (state.sieges, state.awaiting.decision, state.actions_left) == ({}, Decision.TURN, 2)


# --- opening a siege


def test_a_siege_is_opened_with_strength() -> None:
    """Rulebook, besiege: connection, transport, and a card with a military symbol."""
    state = position(Seat("halifax ships settlers boston fortification", villages="halifax"))
    assert "no military strength" in refusal(state, "besiege Louisbourg: Halifax, Ships, Settlers")
    assert "helps only the defender" in refusal(
        state, "besiege Louisbourg: Halifax, Ships, Fortification"
    )
    assert "no ship symbol" in refusal(state, "besiege Louisbourg: Halifax, Settlers, Boston")
    assert "no connection" in refusal(state, "besiege Louisbourg: Boston, Ships, Halifax")
    assert allowed(state, "besiege Louisbourg: Halifax, Ships, Boston")


def test_only_enemy_locations_are_besieged_one_at_a_time() -> None:
    """Rulebook, besiege: one siege as the attacker, whatever one defends."""
    hand = "pemaquid ships boston rangers"
    state = position(Seat(hand))
    assert "not belong to the enemy" in refusal(state, "besiege Halifax: Pemaquid, Ships, Rangers")
    state = position(Seat(hand, siege="louisbourg: militia"), Seat(siege="norfolk: militia"))
    assert "only one location" in refusal(state, "besiege Port Royal: Pemaquid, Ships, Rangers")
    state = position(Seat(hand), Seat(siege="norfolk: militia"))
    assert allowed(state, "besiege Port Royal: Pemaquid, Ships, Rangers")


def test_ships_open_a_siege_where_ships_count() -> None:
    """Rulebook, reinforce, ship symbols: also as the first military card."""
    state = position(Seat("boston new-york ships"))
    do(state, "besiege Port Royal: Boston, New York, Ships")
    assert siege_strength(state, BRITISH) == 0


@pytest.mark.parametrize("target", ["trois-rivieres", "fort-beausejour"])
def test_ships_are_worth_nothing_away_from_the_ship_symbol(target: str) -> None:
    """Rulebook, ship symbols; ruling 25: no ship strength at Trois Rivières or Beausejour."""
    state = position(
        Seat("ships new-haven militia", siege="militia", villages="canso"),
        Seat(villages="fort-beausejour"),
        besieging={BRITISH: target},
    )
    assert "Ships have no strength" in refusal(state, f"reinforce {target}: Ships")
    assert "Ships have no strength" in refusal(state, f"reinforce {target}: New Haven")
    assert allowed(state, f"reinforce {target}: Militia")


def test_a_military_leader_opens_a_siege_for_an_action_and_joins_one_for_none() -> None:
    """Rulebook, military leader; ruling 6."""
    state = position(Seat("boston new-york military-leader"))
    do(state, "besiege Port Royal: Boston, New York, Military Leader")
    assert state.actions_left == 1
    state = position(Seat("military-leader", siege="port-royal: militia"), actions=0)
    do(state, "reinforce Port Royal: Military Leader")
    assert (state.actions_left, siege_strength(state, BRITISH)) == (0, 1)


def test_siege_artillery_costs_three_every_time_it_is_played() -> None:
    """Ruling 6: to open a siege as much as to join one, on either side."""
    opening = "besiege Port Royal: Boston, New York, Siege Artillery"
    hand = "boston new-york siege-artillery"
    state = position(Seat(hand, money=3))
    do(state, opening)
    assert state.players[BRITISH].money == 0
    assert "costs 3" in refusal(position(Seat(hand, money=2)), opening)
    for money, enough in ((3, True), (2, False)):
        state = position(
            Seat(siege="port-royal: militia"), Seat("siege-artillery", money=money), active=FRENCH
        )
        assert allowed(state, "reinforce Port Royal: Siege Artillery") == enough


# --- strength


@pytest.mark.parametrize(
    ("location", "walls", "start"),
    [
        ("port-royal", False, -1),
        ("port-royal", True, -3),
        ("louisbourg", False, -2),
        ("montreal", True, -4),
        ("quebec", False, -3),
        ("quebec", True, -5),
    ],
)
def test_a_location_defends_itself(location: str, walls: bool, start: int) -> None:
    """Rulebook, besiege; ruling 5: 1, its modifier, and 2 for a fortification disc."""
    state = position(
        Seat(siege="militia"),
        Seat(fortified=location if walls else ""),
        besieging={BRITISH: location},
    )
    assert siege_strength(state, BRITISH) == start + 1


@pytest.mark.parametrize(
    ("besieging", "defending", "strength", "winner"),
    [
        ("siege-artillery regular-infantry", "", 3, BRITISH),
        ("siege-artillery militia", "", 2, BRITISH),
        ("siege-artillery militia", "militia", 1, None),
        ("siege-artillery", "militia", 0, None),
        ("siege-artillery", "regular-infantry", -1, FRENCH),
        ("new-york", "regular-infantry fortification", -4, FRENCH),
    ],
)
def test_who_wins_at_which_strength(
    besieging: str, defending: str, strength: int, winner: Side | None
) -> None:
    """Rulebook, winning a siege; ruling 5: the besieger with 2 or more, the defender with 1."""
    state = at_louisbourg(besieging, defending)
    assert siege_strength(state, BRITISH) == strength
    assert standing_winner(state, BRITISH) is winner


def test_a_card_counts_its_military_or_its_ship_symbol() -> None:
    """Rulebook, use of location cards in sieges; ruling 6: New York adds 1, never 2."""
    assert siege_strength(at_louisbourg("new-york"), BRITISH) == -2 + 1
    assert siege_strength(at_louisbourg("new-haven"), BRITISH) == -2 + 1
    assert siege_strength(at_louisbourg("militia", "quebec"), BRITISH) == -2 + 1 - 1


def test_a_fortification_card_serves_the_defender_only() -> None:
    """Rulebook, reinforce, fortification card: worth 1, played by the defender."""
    state = position(Seat("fortification neutral-fortification", siege="port-royal: militia"))
    assert "helps only the defender" in refusal(state, "reinforce Port Royal: Fortification")
    assert listed(state, orders.Reinforce) == set()
    state = position(
        Seat(siege="port-royal: militia"),
        Seat("fortification neutral-fortification"),
        active=FRENCH,
    )
    do(state, "reinforce Port Royal: Fortification", "reinforce Port Royal: Neutral Fortification")
    assert siege_strength(state, BRITISH) == -1 + 1 - 2
    assert not state.board["port-royal"].fortified


# --- reinforcing


def test_a_card_goes_to_the_siege_of_ones_choice() -> None:
    """Rulebook, reinforce: with two sieges under way the player says which."""
    state = position(
        Seat("regular-infantry rangers", siege="port-royal: militia"),
        Seat(siege="norfolk: militia"),
    )
    do(state, "reinforce Norfolk: Regular Infantry", "reinforce Port Royal: Rangers")
    assert state.sieges[FRENCH].cards[BRITISH] == ["regular-infantry"]
    assert state.sieges[BRITISH].cards[BRITISH] == ["militia", "rangers"]
    assert state.players[BRITISH].discard == []


def test_only_a_siege_is_reinforced() -> None:
    """Rulebook, reinforce: there has to be one, and the card needs strength and peace."""
    state = position(
        Seat("regular-infantry settlers norfolk", siege="port-royal: militia", lost="norfolk")
    )
    assert "not under siege" in refusal(state, "reinforce Louisbourg: Regular Infantry")
    assert "no military strength" in refusal(state, "reinforce Port Royal: Settlers")
    assert "do not control" in refusal(state, "reinforce Port Royal: Norfolk")


def test_the_defender_needs_supply_to_the_siege() -> None:
    """Rulebook, reinforce; ruling 9: through controlled locations from home."""
    besieging = {BRITISH: "fort-niagara"}
    for villages, reached in (("fort-niagara fort-frontenac", True), ("fort-niagara", False)):
        state = position(
            Seat(siege="militia", villages="oswego"),
            Seat("regular-infantry", villages=villages),
            active=FRENCH,
            besieging=besieging,
        )
        order = "reinforce Fort Niagara: Regular Infantry"
        assert allowed(state, order) == reached
        if not reached:
            assert "no supply" in refusal(state, order)


@pytest.mark.parametrize(
    ("villages", "reached"),
    [
        ("albany fort-william-henry ticonderoga", True),
        ("fort-william-henry ticonderoga", False),
        ("albany ticonderoga", False),
        ("albany fort-william-henry", False),
    ],
)
def test_the_besieger_needs_supply_up_to_the_siege(villages: str, reached: bool) -> None:
    """Ruling 9: for the besieger the besieged location itself is the end of the line."""
    state = position(
        Seat("regular-infantry", siege="fort-st-john: militia", villages=villages),
        Seat(villages="fort-st-john"),
    )
    assert allowed(state, "reinforce Fort St. John: Regular Infantry") == reached


def test_a_besieger_cut_off_by_trail_only() -> None:
    """Rulebook, reinforce: trails do not count; the sea does, and home need not be held."""
    state = position(
        Seat(siege="fort-william-henry: militia", villages="deerfield"),
        Seat(villages="fort-william-henry"),
    )
    assert not can_reinforce(state, BRITISH, "fort-william-henry")
    state = position(Seat(siege="louisbourg: militia", lost="boston"))
    assert can_reinforce(state, BRITISH, "louisbourg")


def test_a_besieger_is_supplied_from_a_home_it_no_longer_controls() -> None:
    """Rulings 8 and 9: Quebec raided empty still supplies the siege next to it."""
    state = position(
        Seat(villages="kennebec"),
        Seat("regular-infantry", siege="kennebec: militia", lost="quebec"),
        active=FRENCH,
    )
    assert allowed(state, "reinforce Kennebec: Regular Infantry")


def test_a_besieged_home_defends_itself() -> None:
    """Ruling 9: the trace from Boston to Boston is no trace at all."""
    state = position(Seat("regular-infantry"), Seat(siege="boston: militia"))
    assert allowed(state, "reinforce Boston: Regular Infantry")
