"""House rules about raids and ambushes, each with it and without it.

The rule meant is named by its id, with what it says in other words.
"""

from __future__ import annotations

import pytest

from engine import orders
from engine.events import ActionReturned, CardGivenUp, SiegeStands
from engine.position import siege_strength
from engine.state import Decision, State
from tests.engine.invariants import check_invariants
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    awaited,
    carry_out,
    do,
    end_turn,
    listed,
    position,
    refusal,
)

EDITIONS = ("second", "first", "first-revised")
FULL_BRITISH_HAND = "boston new-haven norfolk philadelphia st-marys"

# --- ambush-reaches-sieges


def ambushed_at_halifax(*house_rules: str) -> State:
    """A French ambush; the British hold Halifax with soldiers and besiege Port Royal with more."""
    state = position(
        Seat(
            "boston",
            villages="halifax",
            besieged="siege-artillery rangers",
            siege="port-royal: regular-infantry militia",
        ),
        Seat("coureurs-de-bois", siege="halifax: regular-infantry militia", villages="canso"),
        active=FRENCH,
        house_rules=house_rules,
    )
    do(state, "ambush Coureurs de Bois")
    return state


def test_an_ambush_reaches_siege_cards_where_the_rule_is_played() -> None:
    """ambush-reaches-sieges: cards with the ambush symbol at either siege may be given up."""
    plain = ambushed_at_halifax()
    assert listed(plain, orders.GiveFromSiege) == set()
    assert "is played without it" in refusal(plain, "give from siege Halifax: Siege Artillery")
    assert allowed(plain, "show hand")
    state = ambushed_at_halifax("ambush-reaches-sieges")
    assert listed(state, orders.GiveFromSiege) == {
        "give-from-siege halifax: siege-artillery",
        "give-from-siege port-royal: militia",
        "give-from-siege port-royal: regular-infantry",
    }
    assert "An ambush cannot take" in refusal(state, "give from siege Halifax: Rangers")
    assert "no Militia at the siege of Halifax" in refusal(
        state, "give from siege Halifax: Militia"
    )
    assert "not under siege" in refusal(state, "give from siege Boston: Militia")


def test_the_strength_of_a_siege_changes_with_the_card_ambushed() -> None:
    """ambush-reaches-sieges: in defence as in attack; the card can be drafted again."""
    state = ambushed_at_halifax("ambush-reaches-sieges")
    stock = state.players[BRITISH].empire["siege-artillery"]
    assert siege_strength(state, FRENCH) == 2 + 1 - 1 - 3 - 1
    events = do(state, "give from siege Halifax: Siege Artillery")
    assert siege_strength(state, FRENCH) == 2 + 1 - 1 - 1
    assert state.players[BRITISH].empire["siege-artillery"] == stock + 1
    assert state.sieges[FRENCH].cards[BRITISH] == ["rangers"]
    assert events == [
        CardGivenUp(BRITISH, "halifax", "siege-artillery"),
        SiegeStands(FRENCH, "halifax", siege_strength(state, FRENCH)),
    ]
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.TURN, FRENCH)
    check_invariants(state)
    attack = ambushed_at_halifax("ambush-reaches-sieges")
    before = siege_strength(attack, BRITISH)
    do(attack, "give from siege Port Royal: Regular Infantry")
    assert siege_strength(attack, BRITISH) == before - 2


def test_what_an_ambush_frees_beyond_the_end_of_the_track_is_lost() -> None:
    """ambush-reaches-sieges: the marker moves by the card that goes, and no farther than 7."""
    infantry = "regular-infantry regular-infantry regular-infantry"
    state = position(
        Seat("rangers", siege=f"port-royal: siege-artillery {infantry}"),
        Seat(besieged="regular-infantry regular-infantry"),
        house_rules=["ambush-reaches-sieges"],
    )
    assert siege_strength(state, BRITISH) == 9 - 1 - 4
    for strength in (6, 7):
        do(state, "ambush Rangers", "give from siege Port Royal: Regular Infantry")
        assert siege_strength(state, BRITISH) == strength
        state.players[BRITISH].hand.append("rangers")
    assert state.sieges[BRITISH].beyond == 1


def test_a_siege_that_an_ambush_decides_is_resolved_at_the_next_start() -> None:
    """ambush-reaches-sieges: what then stands won or lost is looked at as ever.

    The French would lose the siege at the end of this turn; after the ambush they do not.
    """
    state = position(
        Seat(FULL_BRITISH_HAND, villages="halifax", besieged="siege-artillery"),
        Seat("coureurs-de-bois", siege="halifax: regular-infantry militia", villages="canso"),
        active=FRENCH,
        house_rules=["ambush-reaches-sieges"],
    )
    without = state.copy()
    do(without, "pass", "pass", "end")
    assert without.awaiting.decision is Decision.LOSERS_CARD
    do(state, "ambush Coureurs de Bois", "give from siege Halifax: Siege Artillery")
    assert siege_strength(state, FRENCH) == 2
    carry_out(state, "pass", "end")
    assert (state.active, state.awaiting.decision) == (BRITISH, Decision.TURN)
    assert state.sieges[FRENCH].cost is None
    end_turn(state)
    assert (state.active, awaited(state)) == (FRENCH, Decision.SIEGE_SPOILS)


def test_who_has_a_card_at_a_siege_does_not_show_the_hand() -> None:
    """ambush-reaches-sieges: the proof that there is none takes in the sieges as well."""
    state = ambushed_at_halifax("ambush-reaches-sieges")
    assert "at the siege of Halifax" in refusal(state, "show hand")
    state = position(
        Seat("boston", besieged="rangers", villages="halifax"),
        Seat("coureurs-de-bois", siege="halifax: militia", villages="canso"),
        active=FRENCH,
        house_rules=["ambush-reaches-sieges"],
    )
    do(state, "ambush Coureurs de Bois")
    assert listed(state, orders.GiveFromSiege) == set()
    assert allowed(state, "show hand")


def test_the_victim_chooses_between_hand_reserve_and_siege_and_may_block() -> None:
    """ambush-reaches-sieges: the card is the victim's choice, as ruling 14 has it."""
    state = position(
        Seat("militia rangers", reserve="militia", besieged="regular-infantry", villages="canso"),
        Seat("coureurs-de-bois", siege="canso: militia", villages="halifax"),
        active=FRENCH,
        house_rules=["ambush-reaches-sieges"],
    )
    do(state, "ambush Coureurs de Bois")
    for text in (
        "give Militia",
        "give from reserve Militia",
        "give from siege Canso: Regular Infantry",
        "block Rangers",
    ):
        assert allowed(state, text)


def test_a_conversion_does_not_reach_sieges() -> None:
    """ambush-reaches-sieges speaks of ambushes; natives at a siege are safe from a Priest."""
    state = position(
        Seat("boston", besieged="neutral-native-americans militia", villages="halifax"),
        Seat("priest", siege="halifax: militia", villages="canso"),
        active=FRENCH,
        house_rules=["ambush-reaches-sieges", "natives-fight-in-sieges"],
    )
    do(state, "convert Priest")
    assert listed(state, orders.GiveFromSiege) == set()
    assert "does not answer" in refusal(state, "give from siege Halifax: Militia")
    assert allowed(state, "show hand")


# --- blocked-ambush-free, blocked-raid-free

BLOCKED = {
    "blocked-ambush-free": "ambush Coureurs de Bois",
    "blocked-raid-free": "raid Pemaquid: Coureurs de Bois",
}


def attacked(*house_rules: str, edition: str = "second") -> State:
    return position(
        Seat("rangers militia"),
        Seat("coureurs-de-bois militia", villages="kennebec fort-halifax"),
        active=FRENCH,
        house_rules=house_rules,
        edition=edition,
    )


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rule", BLOCKED)
def test_a_blocked_attack_costs_no_action_by_its_own_rule_only(rule: str, edition: str) -> None:
    """blocked-ambush-free, blocked-raid-free: the action comes back once it is blocked."""
    for played, text in BLOCKED.items():
        state = attacked(rule, edition=edition)
        do(state, text)
        assert state.actions_left == 1
        events = do(state, "block Rangers")
        assert state.actions_left == (2 if played == rule else 1)
        assert (ActionReturned(FRENCH) in events) == (played == rule)
        assert state.players[FRENCH].discard.count("coureurs-de-bois") == 1
        check_invariants(state)


def test_an_attack_that_is_not_blocked_costs_its_action() -> None:
    """blocked-ambush-free, blocked-raid-free: only a block is free."""
    for text, reply in zip(BLOCKED.values(), ("give Militia", "allow"), strict=True):
        state = attacked(*BLOCKED)
        do(state, text, reply)
        assert state.actions_left == 1


def test_the_action_that_comes_back_may_be_the_last() -> None:
    """blocked-raid-free: with no actions left before the answer, there is one after it."""
    state = position(
        Seat("rangers"),
        Seat("coureurs-de-bois militia", villages="kennebec fort-halifax"),
        active=FRENCH,
        actions=1,
        house_rules=["blocked-raid-free"],
    )
    do(state, "raid Pemaquid: Coureurs de Bois")
    assert state.actions_left == 0
    do(state, "block Rangers")
    assert "1 action left" in refusal(state, "end")
    assert allowed(state, "pass")


# --- short-raids


def test_short_raids_reach_one_connection_a_card() -> None:
    """short-raids: Deerfield is two connections from Kennebec, by road and by trail."""
    seats = (Seat(villages="deerfield"), Seat("coureurs-de-bois priest", villages="kennebec"))
    one, two = (f"raid Deerfield: Coureurs de Bois{more}" for more in ("", ", Priest"))
    assert allowed(position(*seats, active=FRENCH), one)
    state = position(*seats, active=FRENCH, house_rules=["short-raids"])
    assert "too far away: these cards reach 1 connection." in refusal(state, one)
    assert allowed(state, two)
