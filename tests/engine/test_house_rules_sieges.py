"""House rules about sieges and about Fort Duquesne, each with it and without it.

The rule meant is named by its id, with what it says in other words.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import orders
from engine.events import GameOver
from engine.position import defence as siege_defence
from engine.position import score, siege_strength
from engine.state import Decision, Settlement, State, new_game
from tests.engine.arbitrary import random_game
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    carry_out,
    do,
    end_turn,
    listed,
    position,
    refusal,
    winner,
)

EDITIONS = ("second", "first", "first-revised")
FULL_BRITISH_HAND = "boston new-haven norfolk philadelphia st-marys"

# --- duquesne-wins


def near_duquesne(*house_rules: str, edition: str = "second") -> State:
    """The French at Fort Venango, the British at Cumberland; Fort Duquesne lies open."""
    return position(
        Seat("cumberland philadelphia", villages="cumberland"),
        Seat(
            "fort-venango montreal",
            villages="fort-frontenac fort-niagara fort-presquile fort-venango",
        ),
        active=FRENCH,
        house_rules=house_rules,
        edition=edition,
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_settling_fort_duquesne_wins_for_the_french_at_once(edition: str) -> None:
    """duquesne-wins: taking it by settling ends the game, whatever the edition says of homes."""
    plain = near_duquesne(edition=edition)
    do(plain, "settle Fort Duquesne: Fort Venango, Montreal")
    assert (plain.outcome, plain.actions_left) == (None, 1)
    state = near_duquesne("duquesne-wins", edition=edition)
    events = do(state, "settle Fort Duquesne: Fort Venango, Montreal")
    assert (winner(state), state.board["fort-duquesne"]) == (FRENCH, Settlement(FRENCH))
    assert events[-1] == GameOver(FRENCH)


def test_fort_duquesne_wins_nothing_for_the_british() -> None:
    """duquesne-wins: it is a French goal."""
    state = near_duquesne("duquesne-wins")
    do(state, "pass")
    end_turn(state)
    do(state, "settle Fort Duquesne: Cumberland, Philadelphia")
    assert state.outcome is None


def besieged_duquesne(*house_rules: str) -> State:
    """The start of a French turn in which they have won a siege of a British Fort Duquesne."""
    state = position(
        Seat(FULL_BRITISH_HAND, villages="cumberland fort-duquesne"),
        Seat(
            "gaspe quebec montreal tadoussac louisbourg",
            siege="fort-duquesne: siege-artillery",
            villages="fort-frontenac fort-niagara fort-presquile fort-venango",
        ),
        actions=0,
        house_rules=house_rules,
    )
    end_turn(state)
    assert state.awaiting.decision is Decision.SIEGE_SPOILS
    return state


def test_a_village_in_fort_duquesne_after_a_siege_wins() -> None:
    """duquesne-wins: a won siege alone does not end the game; the village placed there does."""
    plain = besieged_duquesne()
    do(plain, "occupy Fort Duquesne")
    assert plain.outcome is None
    left = besieged_duquesne("duquesne-wins")
    do(left, "leave Fort Duquesne")
    assert left.outcome is None
    state = besieged_duquesne("duquesne-wins")
    do(state, "occupy Fort Duquesne")
    assert (winner(state), state.players[FRENCH].captured_villages) == (FRENCH, 1)
    check_invariants(state)


def test_a_defender_who_withdraws_from_fort_duquesne_can_lose_by_it() -> None:
    """duquesne-wins with ruling 4: withdrawing counts as losing, so the village wins as well."""
    state = position(
        Seat("boston", villages="cumberland fort-duquesne"),
        Seat(siege="fort-duquesne: militia", villages="fort-venango"),
        house_rules=["duquesne-wins"],
    )
    do(state, "withdraw Fort Duquesne")
    assert state.outcome is None
    do(state, "occupy Fort Duquesne")
    assert winner(state) is FRENCH


# --- british-siege-delay


def ready_to_besiege(*house_rules: str, towns: str = "") -> State:
    return position(
        Seat("boston new-york regular-infantry militia", towns=towns),
        Seat("port-royal louisbourg militia", villages="canso"),
        house_rules=house_rules,
    )


SIEGE = "besiege Port Royal: Boston, New York, Regular Infantry"


def test_the_british_wait_for_the_first_french_siege() -> None:
    """british-siege-delay: the British cannot be the first to besiege."""
    assert allowed(ready_to_besiege(), SIEGE)
    state = ready_to_besiege("british-siege-delay")
    assert "the French have opened one" in refusal(state, SIEGE)
    assert listed(state, orders.Besiege) == set()


def test_once_the_french_have_besieged_the_british_may_for_good() -> None:
    """british-siege-delay: a French siege that is over has been started all the same."""
    state = position(
        Seat(f"{FULL_BRITISH_HAND} regular-infantry new-york", villages="halifax"),
        Seat("port-royal louisbourg militia quebec"),
        active=FRENCH,
        actions=1,
        house_rules=["british-siege-delay"],
    )
    do(state, "besiege Halifax: Port Royal, Louisbourg, Militia", "withdraw Halifax: Militia")
    assert state.sieges == {}
    forgetful = state.copy()
    forgetful.french_besieged = False
    assert forgetful.key() != state.key()
    end_turn(state)
    assert allowed(state, SIEGE)


def test_with_25_points_the_british_wait_for_nobody() -> None:
    """british-siege-delay: 25 victory points when the siege is to be opened, and not 24."""
    towns = "new-haven norfolk pemaquid"
    state = ready_to_besiege("british-siege-delay", towns=f"{towns} philadelphia")
    assert score(state, BRITISH).total == 25
    assert allowed(state, SIEGE)
    one_less = ready_to_besiege("british-siege-delay", towns=f"{towns} st-marys")
    assert score(one_less, BRITISH).total == 24
    assert "25 victory points" in refusal(one_less, SIEGE)


def test_only_a_french_siege_lifts_the_delay() -> None:
    """british-siege-delay: the siege that 25 points allowed is no reason for a second with 24."""
    again = "besiege Port Royal: Pemaquid, Norfolk, Militia"
    hand = "boston new-york regular-infantry pemaquid norfolk militia"
    state = position(
        Seat(hand, towns="new-haven norfolk pemaquid philadelphia"),
        house_rules=["british-siege-delay"],
    )
    do(state, SIEGE, "withdraw Port Royal: Regular Infantry")
    assert score(state, BRITISH).total == 25
    assert allowed(state, again)
    state.place("st-marys", None)
    assert score(state, BRITISH).total == 24
    assert "the French have opened one" in refusal(state, again)


@pytest.mark.parametrize("lost", ["", "montreal port-royal"])
def test_the_french_need_no_points_for_a_siege(lost: str) -> None:
    """british-siege-delay: the 25 points are asked of the British alone."""
    state = position(
        Seat("boston", villages="halifax"),
        Seat("louisbourg quebec militia", lost=lost),
        active=FRENCH,
        house_rules=["british-siege-delay"],
    )
    assert (score(state, FRENCH).total < 25) == bool(lost)
    assert allowed(state, "besiege Halifax: Louisbourg, Quebec, Militia")


def test_the_delay_binds_only_the_british_and_only_the_opening() -> None:
    """british-siege-delay: the French besiege, and the British defend, as ever."""
    state = position(
        Seat("boston militia", villages="halifax"),
        Seat("port-royal louisbourg militia"),
        active=FRENCH,
        house_rules=["british-siege-delay"],
    )
    do(state, "besiege Halifax: Port Royal, Louisbourg, Militia")
    end_turn(state)
    assert allowed(state, "reinforce Halifax: Militia")


# --- natives-fight-in-sieges


def test_natives_open_and_reinforce_sieges_for_nothing() -> None:
    """natives-fight-in-sieges: strength 1 each; only raids and ambushes cost money."""
    british = Seat("boston new-york neutral-native-americans", money=0)
    text = "besiege Port Royal: Boston, New York, Neutral Native Americans"
    assert "no military strength" in refusal(position(british), text)
    state = position(british, house_rules=["natives-fight-in-sieges"])
    do(state, text)
    assert siege_strength(state, BRITISH) == 1 - 1
    end_turn(state)
    french = state.players[FRENCH]
    french.hand.append("native-americans")
    french.empire["native-americans"] -= 1
    french.money = 0
    do(state, "reinforce Port Royal: Native Americans")
    assert siege_strength(state, BRITISH) == 1 - 1 - 1
    check_invariants(state)


def test_natives_at_a_lost_siege_are_given_back_and_no_ambush_hits_them() -> None:
    """natives-fight-in-sieges: an empire card like others to lose; it has no ambush symbol."""
    state = position(
        Seat(FULL_BRITISH_HAND, siege="port-royal: neutral-native-americans militia"),
        Seat("coureurs-de-bois quebec montreal tadoussac", besieged="regular-infantry"),
        actions=0,
        house_rules=["natives-fight-in-sieges", "ambush-reaches-sieges"],
    )
    stock = state.neutral["neutral-native-americans"]
    ambush = state.copy()
    carry_out(state, "end", "lose Port Royal: Neutral Native Americans")
    assert state.neutral["neutral-native-americans"] == stock + 1
    ambush.active = FRENCH
    ambush.awaiting = ambush.awaiting._replace(side=FRENCH)
    ambush.actions_left = 1
    do(ambush, "ambush Coureurs de Bois")
    assert listed(ambush, orders.GiveFromSiege) == {"give-from-siege port-royal: militia"}


def test_natives_still_pay_for_raids() -> None:
    """natives-fight-in-sieges changes nothing but sieges."""
    state = position(
        french=Seat("native-americans", villages="kennebec fort-halifax", money=0),
        active=FRENCH,
        house_rules=["natives-fight-in-sieges"],
    )
    assert "costs 1" in refusal(state, "raid Pemaquid: Native Americans")


# --- quebec-fortified, louisbourg-fortified


@pytest.mark.parametrize(
    ("rule", "location", "walls"),
    [("quebec-fortified", "quebec", 3), ("louisbourg-fortified", "louisbourg", 2)],
)
def test_a_location_that_starts_fortified(rule: str, location: str, walls: int) -> None:
    """quebec-fortified, louisbourg-fortified: a disc of the stock; no raid, two more to besiege."""
    hand, villages = "boston rangers halifax regular-infantry", "halifax kennebec canso"
    plain = position(Seat(hand, villages=villages))
    state = position(Seat(hand, villages=villages), house_rules=[rule])
    assert state.board[location] == plain.board[location]._replace(fortified=True)
    assert (plain.fortifications_left(), state.fortifications_left()) == (12, 11)
    assert (siege_defence(plain, location), siege_defence(state, location)) == (walls, walls + 2)
    if location == "quebec":
        assert allowed(plain, "raid Quebec: Rangers")
        assert "fortified" in refusal(state, "raid Quebec: Rangers")


@pytest.mark.parametrize("seed", range(8))
def test_no_card_is_marked_for_a_siege_while_an_ambush_can_take_it(seed: int) -> None:
    """A siege that stands lost is resolved before the winner acts, so no mark can go stale."""
    random = Random(seed)
    start = new_game(random_rules(random))
    for state in random_game(random, 250, start):
        if state.awaiting.decision in (Decision.TURN, Decision.AMBUSH_REPLY):
            assert all(siege.cost is None for siege in state.sieges.values())
