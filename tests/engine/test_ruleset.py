"""Rulesets: facts that all editions share, and facts of a position that its digest has to hold."""

from __future__ import annotations

import pytest

from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import new_game
from tests.engine.editions import EDITIONS, FIRST, REVISED, SECOND, in_every_edition, second_with
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position


@in_every_edition
def test_editions_differ_in_flags_and_in_the_french_bateaux_only(edition: str) -> None:
    plain, other = Ruleset.of(SECOND).catalogue, Ruleset.of(edition).catalogue
    assert (other.locations, other.connections) == (plain.locations, plain.connections)
    assert other.cards[BRITISH] == plain.cards[BRITISH]
    without = {id: card for id, card in other.cards[FRENCH].items() if id != "bateaux"}
    assert without == plain.cards[FRENCH]
    assert new_game(Ruleset.of(edition)).board == new_game().board


@pytest.mark.parametrize(("edition", "french"), [(FIRST, 10), (REVISED, 10), (SECOND, 9)])
def test_box_holds_the_cards_of_the_manifest(edition: str, french: int) -> None:
    """Ruling 24: 54 British cards, 46 or 47 French ones, and 9 neutral ones."""
    state = new_game(Ruleset.of(edition))
    held = {
        side: (len(player.discard), len(player.locations), sum(player.empire.values()))
        for side, player in state.players.items()
    }
    assert held == {BRITISH: (7, 26, 21), FRENCH: (french, 19, 18)}
    assert sum(state.neutral.values()) == 9


@pytest.mark.parametrize("first", Side)
def test_deck_is_shuffled_by_either_side_first(first: Side) -> None:
    state = new_game(sets_up_first=first)
    assert (state.awaiting.side, state.active) == (first, BRITISH)


@pytest.mark.parametrize("edition", EDITIONS)
def test_later_flag_keeps_the_digest_of_an_edition(edition: str) -> None:
    """The id of the edition implies the flag, so games by older programs stay readable."""
    assert "siege_track" not in Ruleset.of(edition).canonical()["flags"]
    assert second_with(siege_track=0).canonical()["flags"] == {"siege_track": 0}


def test_strength_beyond_the_track_is_part_of_the_key() -> None:
    infantry = "regular-infantry regular-infantry regular-infantry"
    state = position(Seat("regular-infantry", siege=f"louisbourg: siege-artillery {infantry}"))
    do(state, "reinforce Louisbourg: Regular Infantry")
    other = state.copy()
    assert other.key() == state.key()
    other.sieges[BRITISH].beyond = 0
    assert other.key() != state.key()


def test_past_french_siege_is_part_of_the_key() -> None:
    """House rule british-siege-delay depends on it."""
    state = position(house_rules=["british-siege-delay"])
    other = state.copy()
    other.french_besieged = True
    assert other.key() != state.key()
