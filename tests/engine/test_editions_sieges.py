"""Sieges by edition: free actions while one is resolved, and the end by pieces.

“French” and “Italian” name the rulebooks of the first edition and of its revision, “English” that
of the second.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import orders
from engine.actions.action import IllegalOrder
from engine.game import check
from engine.position import siege_strength
from engine.ruleset import Ruleset
from engine.state import Decision, Settlement, State
from tests.engine.editions import FIRST, REVISED, SECOND, in_every_edition, second_but
from tests.engine.invariants import check_cards
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

in_both_first_editions = pytest.mark.parametrize("edition", [FIRST, REVISED])

# --- free actions while a siege is resolved


def port_royal_won(
    edition: str = FIRST, *, pemaquid: str = "", defence: str = "", french: str = "", **british: Any
) -> State:
    """The start of a British turn that has won Port Royal; the French may besiege Pemaquid.

    `pemaquid` are the French cards there, `defence` the British ones.
    """
    hand = "new-haven norfolk st-marys militia rangers"
    besieging = {BRITISH: "port-royal"} | ({FRENCH: "pemaquid"} if pemaquid else {})
    seat = Seat(**{"hand": hand} | british, siege="siege-artillery", besieged=defence)
    state = position(
        seat,
        Seat(french or "gaspe quebec montreal tadoussac louisbourg", siege=pemaquid),
        active=FRENCH,
        actions=0,
        besieging=besieging,
        edition=edition,
    )
    end_turn(state)
    assert state.awaiting[:3] == (Decision.SIEGE_SPOILS, BRITISH, "port-royal")
    return state


@in_both_first_editions
def test_a_settler_from_the_reserve_settles_what_was_won(edition: str) -> None:
    """French and Italian, player actions: free actions at any time of the turn."""
    hand = "new-haven norfolk ships militia rangers"
    state = port_royal_won(edition, hand=hand, reserve="settlers")
    assert listed(state, orders.Occupy) == set()
    do(state, "retrieve", "occupy Port Royal: Settlers")
    assert state.board["port-royal"] == Settlement(BRITISH)
    assert (state.awaiting[:2], state.actions_left) == ((Decision.TURN, BRITISH), 2)


@in_both_first_editions
def test_home_support_finds_a_settler_for_what_was_won(edition: str) -> None:
    """French and Italian, player actions: Home Support too, and the spoils come after it."""
    hand = "new-haven norfolk home-support militia rangers"
    state = port_royal_won(edition, hand=hand, pile="boston", discard="ships trader")
    carry_out(state, "home support")
    assert state.awaiting[:3] == (Decision.SIEGE_SPOILS, BRITISH, "port-royal")
    assert len(state.players[BRITISH].hand) == 7
    do(state, "occupy Port Royal: Boston")
    assert state.actions_left == 2


def test_the_flag_alone_allows_them() -> None:
    for free in (True, False):
        state = position(
            Seat("home-support boston", reserve="settlers", siege="port-royal: siege-artillery"),
            Seat("gaspe quebec montreal tadoussac louisbourg"),
            active=FRENCH,
            actions=0,
            ruleset=second_but(free_actions_any_time=free),
        )
        end_turn(state)
        assert (allowed(state, "retrieve"), allowed(state, "home support")) == (free, free)


def test_only_free_actions_are_taken_while_a_siege_is_resolved() -> None:
    """French, course of the game: first the sieges, then the two actions."""
    state = port_royal_won(pemaquid="militia")
    assert "Only free actions" in refusal(state, "reinforce Pemaquid: Militia")
    for order in ("pass", "end", "refill", "take Norfolk", "draft Trader"):
        assert "does not answer" in refusal(state, order)
    with pytest.raises(IllegalOrder, match="no card called “priest”"):
        check(state, orders.Reinforce("pemaquid", ("priest",)))


@in_both_first_editions
def test_the_defender_of_another_siege_withdraws_first(edition: str) -> None:
    """French, withdrawing: the French answer, and the British go on with their spoils."""
    state = port_royal_won(
        edition, pemaquid="regular-infantry", defence="militia", hand="boston rangers"
    )
    do(state, "withdraw Pemaquid: Militia")
    assert state.awaiting[:3] == (Decision.WITHDRAWAL_SPOILS, FRENCH, "pemaquid")
    do(state, "occupy Pemaquid: Quebec")
    assert state.board["pemaquid"] == Settlement(FRENCH)
    assert state.awaiting[:3] == (Decision.SIEGE_SPOILS, BRITISH, "port-royal")
    do(state, "leave Port Royal")
    assert (state.awaiting.decision, state.actions_left) == (Decision.TURN, 2)
    check_cards(state)


def test_withdrawing_from_ones_own_home_loses_even_with_a_siege_won() -> None:
    """Ruling 4."""
    state = position(
        Seat("boston militia", siege="port-royal: siege-artillery"),
        Seat("gaspe quebec montreal tadoussac louisbourg", siege="new-york: regular-infantry"),
        active=FRENCH,
        actions=0,
        edition=FIRST,
    )
    end_turn(state)
    do(state, "withdraw New York")
    assert winner(state) is FRENCH


def test_a_siege_that_is_won_is_over() -> None:
    """Ruled here: it is won at once, so nobody withdraws from it or adds to it any more."""
    state = port_royal_won(
        pemaquid="militia",
        defence="regular-infantry",
        hand="boston military-leader norfolk militia rangers",
    )
    # The British have won both: as besiegers of Port Royal, as defenders of Pemaquid.
    assert listed(state, orders.Relieve) == {"relieve pemaquid"}
    for place, order in (
        ("Port Royal", "withdraw Port Royal: Siege Artillery"),
        ("Port Royal", "reinforce Port Royal: Military Leader"),
        ("Pemaquid", "withdraw Pemaquid: Regular Infantry"),
        ("Pemaquid", "reinforce Pemaquid: Military Leader"),
    ):
        assert f"You have won the siege of {place};" in refusal(state, order)
    do(state, "relieve Pemaquid", "leave Port Royal")
    assert state.sieges == {}


@pytest.mark.parametrize("edition", [FIRST, REVISED])
def test_a_leader_joins_another_siege_while_one_is_resolved(edition: str) -> None:
    """French, Military Leader: a free action. Ruled here: it wins nothing before the next turn.

    Who has won is looked at when a turn begins; only then has the loser chosen a card (ruling 3).
    """
    state = port_royal_won(
        edition,
        pemaquid="regular-infantry",
        defence="militia",
        hand="boston military-leader norfolk militia rangers",
        french="gaspe quebec montreal tadoussac militia",
    )
    assert siege_strength(state, FRENCH) == 0
    do(state, "reinforce Pemaquid: Military Leader")
    assert (siege_strength(state, FRENCH), listed(state, orders.Relieve)) == (-1, set())
    do(state, "occupy Port Royal: Boston")
    assert state.awaiting.decision is Decision.TURN
    assert state.sieges[FRENCH].cards[BRITISH] == ["militia", "military-leader"]
    end_turn(state)
    # The French let it go, and choose what it costs at the end of their turn.
    infantry = state.players[FRENCH].empire["regular-infantry"]
    carry_out(state, "pass", "pass", "end")
    assert (state.active, state.sieges) == (BRITISH, {})
    assert state.players[FRENCH].empire["regular-infantry"] == infantry + 1


def test_a_siege_saved_after_the_leader_came_goes_on() -> None:
    """The same, and the French reinforce: nothing was won in between."""
    state = port_royal_won(
        pemaquid="regular-infantry",
        defence="militia",
        hand="boston military-leader norfolk militia rangers",
        french="gaspe quebec montreal tadoussac militia",
    )
    do(state, "reinforce Pemaquid: Military Leader", "leave Port Royal")
    end_turn(state)
    carry_out(state, "reinforce Pemaquid: Militia", "pass", "end")
    assert (state.active, siege_strength(state, FRENCH)) == (BRITISH, 0)


@in_every_edition
def test_who_has_won_a_place_without_a_settler_symbol_need_not_settle_it(edition: str) -> None:
    """Ruling 26: the Italian and the Russian text place a village; it costs nothing either way."""
    state = position(
        Seat("militia", siege="fort-beausejour: siege-artillery regular-infantry"),
        Seat("gaspe quebec montreal tadoussac louisbourg", villages="fort-beausejour"),
        active=FRENCH,
        actions=0,
        edition=edition,
    )
    end_turn(state)
    assert state.awaiting[:2] == (Decision.SIEGE_SPOILS, BRITISH)
    assert allowed(state, "occupy Fort Beausejour")
    assert allowed(state, "leave Fort Beausejour")


# --- the end of the track


def louisbourg_nearly_taken(ruleset: Ruleset) -> State:
    """Siege Artillery and three Regular Infantry before Louisbourg, which has 2: strength 7."""
    infantry = "regular-infantry regular-infantry regular-infantry"
    return position(
        Seat("regular-infantry militia halifax", siege=f"louisbourg: siege-artillery {infantry}"),
        Seat("regular-infantry", pile="quebec"),
        ruleset=ruleset,
    )


@pytest.mark.parametrize(("edition", "ends"), [(FIRST, False), (REVISED, False), (SECOND, True)])
def test_whether_the_track_of_a_siege_ends(edition: str, ends: bool) -> None:
    """English, besiege; ruling 5: what goes beyond 7 is lost, and the defender starts from 7."""
    state = louisbourg_nearly_taken(Ruleset.of(edition))
    do(state, "reinforce Louisbourg: Regular Infantry")
    assert siege_strength(state, BRITISH) == (7 if ends else 9)
    do(state, "reinforce Louisbourg: Militia")
    assert siege_strength(state, BRITISH) == (7 if ends else 10)
    end_turn(state)
    assert state.awaiting.side is FRENCH
    do(state, "reinforce Louisbourg: Regular Infantry")
    assert siege_strength(state, BRITISH) == (5 if ends else 8)


@pytest.mark.parametrize("end", [0, 6, 7, 8, 9, 12])
def test_the_flag_alone_ends_the_track(end: int) -> None:
    state = louisbourg_nearly_taken(second_but(siege_track=end))
    do(state, "reinforce Louisbourg: Regular Infantry")
    assert siege_strength(state, BRITISH) == min(9, end or 9)
    assert state.sieges[BRITISH].beyond == 9 - min(9, end or 9)
    # What was lost there tells two positions apart, and nothing else does.
    forgetful = state.copy()
    forgetful.sieges[BRITISH].beyond = 0
    assert (forgetful.key() == state.key()) is (siege_strength(forgetful, BRITISH) <= (end or 9))


def test_a_flag_that_came_later_leaves_the_digest_of_an_edition_as_it_was() -> None:
    """Games by an older program are read: the id of the edition says it; else the flag does."""
    for edition in (FIRST, REVISED, SECOND):
        assert "siege_track" not in Ruleset.of(edition).canonical()["flags"]
    assert second_but(siege_track=0).canonical()["flags"] == {"siege_track": 0}


# --- the end by pieces

NINE_TOWNS = "gaspe louisbourg port-royal tadoussac trois-rivieres montreal fort-st-john kennebec"


def all_placed(french: Seat, **rules: Any) -> State:
    """The end of a British turn; a siege runs that stands undecided."""
    return position(
        Seat(
            "boston new-haven norfolk philadelphia new-york", siege="port-royal: regular-infantry"
        ),
        french,
        actions=0,
        **rules,
    )


@pytest.mark.parametrize(("edition", "waits"), [(FIRST, True), (REVISED, False), (SECOND, True)])
def test_whether_a_siege_keeps_off_the_end_by_pieces(edition: str, waits: bool) -> None:
    """French and English, end of the game: no siege may be under way; Italian: it may."""
    hand = "gaspe quebec montreal tadoussac louisbourg"
    villages = (
        "fort-duquesne detroit kennebec oswego fort-venango fort-presquile albany "
        "fort-niagara fort-frontenac fort-stanwix ticonderoga fort-st-john"
    )
    for seat in (Seat(hand, towns=NINE_TOWNS), Seat(hand, villages=villages)):
        state = all_placed(seat, edition=edition)
        end_turn(state)
        assert (state.outcome is None) == waits
        alone = second_but(pieces_end_waits_for_sieges=waits)
        state = all_placed(seat, ruleset=alone)
        end_turn(state)
        assert (state.outcome is None) == waits


@in_every_edition
def test_a_siege_keeps_off_the_end_by_captures(edition: str) -> None:
    """All rulebooks, end of the game: twelve points count with no siege under way."""
    hand = "gaspe quebec montreal tadoussac louisbourg"
    state = all_placed(Seat(hand, captured=(6, 0)), edition=edition)
    end_turn(state)
    assert state.outcome is None
    carry_out(state, "withdraw Port Royal", "leave Port Royal", "pass", "pass", "end")
    assert state.outcome is None
    end_turn(state)
    assert state.outcome is not None


def test_a_home_that_falls_comes_before_the_end_by_pieces() -> None:
    """Ruling 2, where the two coincide: the siege decides, not the points."""
    towns = NINE_TOWNS.replace("port-royal", "halifax")
    french = Seat(
        "gaspe quebec montreal tadoussac louisbourg",
        siege="siege-artillery regular-infantry regular-infantry",
        towns=towns,
    )
    state = position(
        Seat("new-haven norfolk philadelphia st-marys pemaquid"),
        french,
        actions=0,
        besieging={FRENCH: "boston"},
        edition=REVISED,
    )
    assert state.towns_left(FRENCH) == 0
    end_turn(state)
    assert state.outcome is not None
    assert str(state.outcome.reason) == "Boston fell to a siege"
