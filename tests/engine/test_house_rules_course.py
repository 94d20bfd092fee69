"""House rules about shuffling and drawing, each with it and without it.

The rule meant is named by its id, with what it says in other words.
"""

from __future__ import annotations

import pytest

from engine import orders
from engine.ruleset import Ruleset
from engine.state import Decision, State, new_game
from tests.engine.invariants import check_invariants
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    carry_out,
    deal,
    do,
    end_turn,
    listed,
    position,
    refusal,
)

# --- paid-reshuffle


def about_to_shuffle(
    *house_rules: str, money: int = 3, pile: str = "boston", edition: str = "second"
) -> State:
    """The end of a British turn: two cards in hand, three discarded, and what the pile holds."""
    return position(
        Seat(
            "norfolk militia",
            pile=pile,
            discard="philadelphia st-marys pemaquid",
            money=money,
            lost="new-york new-haven",
            governed="new-york new-haven",
        ),
        actions=0,
        house_rules=house_rules,
        edition=edition,
    )


def test_a_shuffle_at_the_refill_costs_one_money() -> None:
    """paid-reshuffle: paid without asking by who can."""
    plain = about_to_shuffle()
    end_turn(plain)
    assert plain.players[BRITISH].money == 3
    state = about_to_shuffle("paid-reshuffle")
    end_turn(state)
    assert (state.players[BRITISH].money, state.players[BRITISH].hand_size) == (2, 5)
    assert (state.active, state.awaiting.decision) == (FRENCH, Decision.TURN)


def test_who_cannot_pay_the_shuffle_discards_two_cards_after_the_refill() -> None:
    """paid-reshuffle: the player's choice of the full hand; then the turn is over."""
    state = about_to_shuffle("paid-reshuffle", money=0)
    carry_out(state, "end")
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.FORFEIT, BRITISH)
    assert state.players[BRITISH].hand_size == 5
    assert not state.is_interrupted
    assert len(listed(state, orders.Forfeit)) == 5 * 4 // 2
    assert "costs 2 cards" in refusal(state, "forfeit Militia")
    assert "does not answer" in refusal(state, "end")
    do(state, "forfeit Norfolk, Militia")
    assert sorted(state.players[BRITISH].discard) == ["militia", "norfolk"]
    assert state.players[BRITISH].hand_size == 3
    assert (state.active, state.awaiting.decision) == (FRENCH, Decision.TURN)
    assert not state.shuffle_unpaid
    check_invariants(state)


def test_who_has_fewer_cards_than_that_discards_all() -> None:
    """paid-reshuffle, ruled here: nobody discards what is not there."""
    state = position(
        Seat("", pile="norfolk", discard="militia", money=0),
        actions=0,
        house_rules=["paid-reshuffle"],
    )
    british = state.players[BRITISH]
    british.draw_pile.clear()
    british.discard = british.unseen.pop()
    carry_out(state, "end")
    assert (british.hand, british.draw_pile) == (["norfolk"], [])
    assert listed(state, orders.Forfeit) == {"forfeit norfolk"}
    do(state, "forfeit Norfolk")
    assert state.active is FRENCH


def test_without_a_shuffle_nothing_is_paid() -> None:
    """paid-reshuffle: a draw pile that just suffices is not shuffled, so nothing is due."""
    state = about_to_shuffle("paid-reshuffle", pile="boston rangers trader")
    end_turn(state)
    assert state.players[BRITISH].money == 3
    early = about_to_shuffle("paid-reshuffle", pile="boston rangers trader", edition="first")
    end_turn(early)
    assert early.players[BRITISH].money == 2


def test_the_first_shuffle_of_a_game_is_free() -> None:
    """paid-reshuffle: the setup is no refill."""
    for edition in ("second", "first"):
        state = new_game(Ruleset.of(edition, ["paid-reshuffle"]))
        deal(state)
        assert (state.players[BRITISH].money, state.players[FRENCH].money) == (12, 5)


def test_only_the_refill_is_paid_for() -> None:
    """paid-reshuffle: Home Support is no refill."""
    state = position(
        Seat("home-support", pile="", discard="boston norfolk pemaquid militia", money=1),
        house_rules=["paid-reshuffle", "home-support-reshuffles"],
    )
    carry_out(state, "home support")
    assert (state.players[BRITISH].hand_size, state.players[BRITISH].money) == (3, 1)


def test_a_refill_in_the_turn_is_paid_for_then_and_once() -> None:
    """paid-reshuffle where free actions follow the refill: what is due is due right after it."""
    state = about_to_shuffle("paid-reshuffle", money=0, edition="first")
    carry_out(state, "refill")
    assert state.awaiting.decision is Decision.FORFEIT
    do(state, "forfeit Norfolk, Militia")
    assert (state.active, state.awaiting.decision) == (BRITISH, Decision.TURN)
    assert state.players[BRITISH].hand_size == 3
    do(state, "end")
    assert (state.active, state.awaiting.decision) == (FRENCH, Decision.TURN)
    assert state.players[BRITISH].hand_size == 3
    paid = about_to_shuffle("paid-reshuffle", money=5, edition="first")
    carry_out(paid, "refill")
    assert (paid.awaiting.decision, paid.players[BRITISH].money) == (Decision.TURN, 4)
    do(paid, "end")
    assert paid.players[BRITISH].money == 4


@pytest.mark.parametrize("edition", ["first", "first-revised"])
def test_home_support_after_a_refill_shuffles_for_nothing(edition: str) -> None:
    """paid-reshuffle: it comes after the refill and is none, as before it."""
    state = position(
        Seat("home-support militia boston", pile="norfolk trader rangers", money=1),
        actions=0,
        house_rules=["paid-reshuffle"],
        edition=edition,
    )
    british = state.players[BRITISH]
    carry_out(state, "refill")
    piles = len(british.unseen)
    carry_out(state, "home support")
    assert (len(british.unseen), british.hand_size) == (piles + 1, 7)
    assert (british.money, state.shuffle_unpaid) == (1, False)


@pytest.mark.parametrize("edition", ["first", "first-revised"])
@pytest.mark.parametrize("money", [0, 1])
def test_a_shuffle_put_off_past_the_refill_is_free(edition: str, money: int) -> None:
    """paid-reshuffle, ruled here: the refill found nothing to shuffle, so the end does it free."""
    state = position(
        Seat("home-support militia boston", pile="norfolk trader", money=money),
        actions=0,
        house_rules=["paid-reshuffle"],
        edition=edition,
    )
    british = state.players[BRITISH]
    for card in british.discard:
        state.give_back(BRITISH, card)
    british.discard.clear()
    carry_out(state, "refill")
    assert (british.draw_pile, british.discard) == ([], [])
    do(state, "home support", "end")
    assert state.awaiting[:2] == (Decision.SHUFFLE, BRITISH)
    deal(state)
    assert (state.active, state.awaiting.decision) == (FRENCH, Decision.TURN)
    assert (british.money, british.hand_size, len(british.draw_pile)) == (money, 4, 1)


# --- reshuffle-last, home-support-reshuffles


def test_no_card_is_drawn_beyond_the_pile_and_the_shuffle_comes_last() -> None:
    """reshuffle-last: the hand stays short; all that was discarded makes the new pile."""
    state = about_to_shuffle("reshuffle-last")
    do(state, "end")
    assert (state.awaiting.decision, state.awaiting.amount) == (Decision.DRAW, 1)
    deal(state)
    british = state.players[BRITISH]
    assert state.active is FRENCH
    assert sorted(british.hand) == ["boston", "militia", "norfolk"]
    assert (len(british.draw_pile), british.discard) == (3, [])
    check_invariants(state)


def test_a_pile_that_just_suffices_is_made_anew_at_the_end_too() -> None:
    """reshuffle-last: the pile has run out, so the discard pile is shuffled, with a full hand."""
    pile = "boston rangers trader"
    for rules, left in (((), 0), (("reshuffle-last",), 3)):
        state = about_to_shuffle(*rules, pile=pile)
        end_turn(state)
        assert state.players[BRITISH].hand_size == 5
        assert len(state.players[BRITISH].draw_pile) == left


def test_a_pile_that_has_not_run_out_is_left_alone() -> None:
    """reshuffle-last: no shuffle without need."""
    state = about_to_shuffle("reshuffle-last", pile="boston rangers trader governor")
    end_turn(state)
    assert (len(state.players[BRITISH].draw_pile), len(state.players[BRITISH].discard)) == (1, 3)


@pytest.mark.parametrize("edition", ["second", "first", "first-revised"])
def test_home_support_empties_the_pile_and_nothing_is_drawn_at_the_end(edition: str) -> None:
    """reshuffle-last: whatever empties it; what Home Support leaves undone stays so."""
    state = position(
        Seat("home-support boston", pile="norfolk", discard="pemaquid new-haven"),
        actions=1,
        house_rules=["reshuffle-last"],
        edition=edition,
    )
    carry_out(state, "home support")
    british = state.players[BRITISH]
    assert (state.awaiting.decision, british.hand_size) == (Decision.TURN, 2)
    assert british.draw_pile == []
    do(state, "discard Boston", "end")
    assert state.awaiting.decision is Decision.SHUFFLE
    whole = sorted(british.discard)
    assert {"boston", "home-support"} <= set(whole)
    deal(state)
    assert (state.active, british.hand) == (FRENCH, ["norfolk"])
    assert (len(british.draw_pile), british.unseen[-1]) == (len(whole), whole)
    check_invariants(state)


@pytest.mark.parametrize("edition", ["first", "first-revised"])
def test_a_refill_in_the_turn_waits_for_its_shuffle_as_well(edition: str) -> None:
    """reshuffle-last where free actions follow the refill: the shuffle comes after them."""
    state = about_to_shuffle("reshuffle-last", edition=edition)
    carry_out(state, "refill")
    british = state.players[BRITISH]
    assert (state.awaiting.decision, british.hand_size, british.draw_pile) == (Decision.TURN, 3, [])
    carry_out(state, "end")
    assert state.active is FRENCH
    assert (british.hand_size, len(british.draw_pile)) == (3, 3)


def test_the_first_shuffle_is_none_of_the_rules_business() -> None:
    """reshuffle-last: in the setup a pile is made and drawn from."""
    state = new_game(Ruleset.of("second", ["reshuffle-last"]))
    deal(state)
    assert all(player.hand_size == 5 for player in state.players.values())


def test_home_support_goes_on_with_a_new_pile() -> None:
    """home-support-reshuffles: three cards, though the pile holds one; the card itself is out."""
    hands = {}
    for rules in ((), ("home-support-reshuffles",)):
        state = position(
            Seat("home-support", pile="norfolk", discard="pemaquid new-haven militia"),
            house_rules=rules,
        )
        carry_out(state, "home support")
        british = state.players[BRITISH]
        hands[rules] = british.hand_size
        assert "home-support" in british.discard
        assert state.awaiting.decision is Decision.TURN
        check_invariants(state)
    assert list(hands.values()) == [1, 3]
