"""Homes by edition: settling the enemy's, holding it, and supplying sieges from New York.

“French” and “Italian” name the rulebooks of the first edition and of its revision, “English” that
of the second.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.position import supplied
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, Settlement, State
from tests.engine.editions import FIRST, REVISED, SECOND, in_every_edition, second_but
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    carry_out,
    do,
    end_turn,
    position,
    refusal,
    winner,
)

# --- homes

HOMES = {
    "quebec": (
        BRITISH,
        Seat(
            "fort-st-john bateaux settlers",
            villages="albany fort-william-henry ticonderoga fort-st-john",
        ),
        Seat("tadoussac", lost="quebec"),
        "settle Quebec: Fort St. John, Bateaux, Settlers",
    ),
    "boston": (
        FRENCH,
        Seat("new-haven", lost="boston pemaquid"),
        Seat("pemaquid louisbourg quebec", villages="pemaquid"),
        "settle Boston: Pemaquid, Louisbourg, Quebec",
    ),
    "new-york": (
        FRENCH,
        Seat("new-haven", lost="new-york"),
        Seat(
            "albany tadoussac quebec", villages="fort-st-john ticonderoga fort-william-henry albany"
        ),
        "settle New York: Albany, Tadoussac, Quebec",
    ),
}


@pytest.mark.parametrize("home", HOMES)
@in_every_edition
def test_whether_settling_the_enemy_home_wins(edition: str, home: str) -> None:
    """French and Italian, end of the game: only a siege wins; English: settling too."""
    side, british, french, order = HOMES[home]
    state = position(british, french, active=side, edition=edition)
    do(state, order)
    assert state.board[home] == Settlement(side)
    if edition == SECOND:
        assert winner(state) is side
        return
    assert (state.outcome, state.awaiting.decision, state.actions_left) == (None, Decision.TURN, 1)
    end_turn(state)
    assert state.outcome is None
    # Ruled here: ruling 8 to the letter; a home supplies its side whoever holds it.
    own = {place for place, piece in state.board.items() if piece.owner is side.opponent}
    assert supplied(state, side.opponent) & own


def test_the_flag_alone_decides_about_settled_homes() -> None:
    side, british, french, order = HOMES["quebec"]
    for wins in (True, False):
        rules = second_but(settling_home_wins=wins)
        state = position(british, french, active=side, ruleset=rules)
        do(state, order)
        assert (state.outcome is not None) == wins


def held_quebec(**more: Any) -> State:
    """The British hold Quebec, which they have settled; the French besiege it."""
    villages = "albany fort-william-henry ticonderoga fort-st-john quebec"
    return position(
        Seat("boston", villages=villages, **more),
        Seat(
            "gaspe montreal trader tadoussac louisbourg",
            siege="quebec: siege-artillery regular-infantry regular-infantry",
            lost="quebec",
        ),
        actions=0,
        edition=FIRST,
    )


def test_a_lost_home_is_won_back_like_any_location() -> None:
    """French, end of the game: the French do not win the game by a siege of Quebec."""
    state = held_quebec()
    carry_out(state, "end")
    assert (state.active, state.outcome) == (FRENCH, None)
    assert state.awaiting[:3] == (Decision.SIEGE_SPOILS, FRENCH, "quebec")


def test_giving_up_a_home_of_the_enemys_is_no_defeat() -> None:
    """Ruling 4 is about one's own home."""
    state = held_quebec()
    do(state, "withdraw Quebec")
    assert state.outcome is None
    assert state.awaiting[:3] == (Decision.WITHDRAWAL_SPOILS, FRENCH, "quebec")


# --- supply of sieges


def at_albany(besieger: Side, edition: str = SECOND, **flags: Any) -> State:
    """A siege of Albany, which is joined to New York alone; New York was raided empty."""
    rules = second_but(**flags) if flags else Ruleset.of(edition)
    british = Seat("regular-infantry albany bateaux", lost="new-york")
    french = Seat("regular-infantry")
    if besieger is FRENCH:
        british = Seat(british.hand, lost="new-york", villages="albany")
    else:
        french = Seat(french.hand, villages="albany")
    return position(british, french, besieging={besieger: "albany"}, ruleset=rules)


@pytest.mark.parametrize("besieger", list(Side))
@pytest.mark.parametrize(("edition", "reached"), [(FIRST, False), (REVISED, True), (SECOND, False)])
def test_from_where_the_british_supply_a_siege(edition: str, reached: bool, besieger: Side) -> None:
    """Italian, reinforcing: from Boston or New York; French and English: from Boston."""
    state = at_albany(besieger, edition)
    assert allowed(state, "reinforce Albany: Regular Infantry") == reached
    flag = at_albany(besieger, new_york_reinforces=reached)
    assert allowed(flag, "reinforce Albany: Regular Infantry") == reached


def test_new_york_supplies_sieges_only() -> None:
    """Italian, limits on location cards: they are used with supply to Boston."""
    state = position(Seat("albany bateaux", villages="albany", lost="new-york"), edition=REVISED)
    assert "no supply" in refusal(state, "settle Fort Stanwix: Albany, Bateaux")
