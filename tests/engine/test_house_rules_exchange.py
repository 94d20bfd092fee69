"""House rules about the exchange after a siege and the card to begin with, with and without.

The rule meant is named by its id, with what it says in other words.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import orders
from engine.game import apply, legal_orders
from engine.orders import Start
from engine.ruleset import Ruleset
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.invariants import check_invariants
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    allowed,
    awaited,
    carry_out,
    deal,
    do,
    end_turn,
    listed,
    position,
    refusal,
)

FRENCH_HAND = "gaspe quebec montreal tadoussac"
BRITISH_HAND = "boston new-haven norfolk philadelphia st-marys"

# --- french-siege-exchange


def french_start(
    *house_rules: str,
    pile: str | None = "louisbourg",
    money: int = 5,
    edition: str = "second",
    hand: str = f"{FRENCH_HAND} trader",
) -> State:
    """The start of a French turn in which a siege of Port Royal was won as its defender."""
    state = position(
        Seat(BRITISH_HAND, siege="port-royal: regular-infantry"),
        Seat(
            hand,
            besieged="regular-infantry militia",
            pile=pile,
            discard="trois-rivieres governor",
            money=money,
        ),
        actions=0,
        house_rules=house_rules,
        edition=edition,
    )
    end_turn(state)
    assert state.active is FRENCH
    return state


@pytest.mark.parametrize("edition", ["second", "first", "first-revised"])
def test_after_a_siege_the_french_may_exchange_a_card(edition: str) -> None:
    """french-siege-exchange: one card discarded, one drawn, then the actions as ever."""
    assert french_start(edition=edition).awaiting.decision is Decision.TURN
    state = french_start("french-siege-exchange", edition=edition, pile="louisbourg port-royal")
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.EXCHANGE, FRENCH)
    assert not state.is_interrupted
    assert len(listed(state, orders.Exchange)) == 5
    assert "does not answer" in refusal(state, "pass")
    carry_out(state, "exchange Trader")
    french = state.players[FRENCH]
    assert sorted(french.hand) == sorted([*FRENCH_HAND.split(), "louisbourg"])
    assert "trader" in french.discard
    assert (state.awaiting.decision, state.actions_left) == (Decision.TURN, 2)
    check_invariants(state)


def test_the_exchange_can_be_left() -> None:
    """french-siege-exchange: it is a choice."""
    state = french_start("french-siege-exchange")
    hand = sorted(state.players[FRENCH].hand)
    do(state, "keep")
    assert (state.awaiting.decision, state.actions_left) == (Decision.TURN, 2)
    assert sorted(state.players[FRENCH].hand) == hand
    assert "does not answer" in refusal(state, "keep")


def test_the_card_discarded_may_be_the_card_drawn() -> None:
    """french-siege-exchange, ruled here: first the discard, then the draw with its shuffle."""
    state = french_start("french-siege-exchange", pile="")
    do(state, "exchange Trader")
    assert state.awaiting.decision is Decision.SHUFFLE
    deal(state)
    assert "trader" in state.players[FRENCH].hand + state.players[FRENCH].unseen[-1]
    assert state.players[FRENCH].hand_size == 5


def test_with_an_empty_hand_there_is_no_exchange() -> None:
    """french-siege-exchange: there is nothing to discard."""
    state = french_start("french-siege-exchange", hand="")
    assert state.awaiting.decision is Decision.TURN


def after_a_french_siege(*house_rules: str) -> State:
    """The start of a French turn: as besieger they have won Pemaquid."""
    state = position(
        Seat(BRITISH_HAND),
        Seat(f"{FRENCH_HAND} trader", siege="pemaquid: siege-artillery", villages="canso"),
        actions=0,
        house_rules=house_rules,
    )
    end_turn(state)
    assert state.awaiting.decision is Decision.SIEGE_SPOILS
    return state


def test_the_exchange_comes_after_the_spoils() -> None:
    """french-siege-exchange: before acting, but after the siege is resolved."""
    state = after_a_french_siege("french-siege-exchange")
    do(state, "leave Pemaquid")
    assert state.awaiting.decision is Decision.EXCHANGE
    plain = after_a_french_siege()
    do(plain, "leave Pemaquid")
    assert plain.awaiting.decision is Decision.TURN


def test_two_sieges_in_one_turn_give_one_exchange() -> None:
    """french-siege-exchange, ruled here: once in a turn, after all sieges are resolved."""
    state = position(
        Seat(BRITISH_HAND, siege="port-royal: militia"),
        Seat(
            f"{FRENCH_HAND} trader",
            siege="pemaquid: siege-artillery",
            besieged="regular-infantry",
            villages="canso",
            pile="louisbourg port-royal",
        ),
        actions=0,
        house_rules=["french-siege-exchange"],
    )
    end_turn(state)
    first = state.copy()
    do(state, "leave Pemaquid")
    assert state.sieges == {}
    do(first, "relieve Port Royal")
    assert first.awaiting.decision is Decision.SIEGE_SPOILS
    do(first, "leave Pemaquid")
    for each in (state, first):
        assert each.awaiting.decision is Decision.EXCHANGE
        carry_out(each, "exchange Trader")
        assert awaited(each) is Decision.TURN


def test_the_exchange_is_for_the_french_and_after_a_siege_only() -> None:
    """french-siege-exchange: not for the British, not in other turns, not after a withdrawal."""
    state = position(
        Seat(BRITISH_HAND, besieged="siege-artillery"),
        Seat(FRENCH_HAND, siege="pemaquid: militia", villages="canso"),
        active=FRENCH,
        actions=0,
        house_rules=["french-siege-exchange"],
    )
    withdrawn = state.copy()
    end_turn(state)
    assert (state.sieges, state.active, state.awaiting.decision) == ({}, BRITISH, Decision.TURN)
    end_turn(state)
    assert (state.active, state.awaiting.decision) == (FRENCH, Decision.TURN)
    do(withdrawn, "withdraw Pemaquid: Militia")
    assert withdrawn.awaiting.decision is Decision.TURN


def test_free_actions_come_before_the_exchange_where_they_come_at_any_time() -> None:
    """french-siege-exchange in the first edition: free actions at any time in the turn."""
    hand = f"{FRENCH_HAND} home-support"
    pile = "louisbourg port-royal trader native-americans"
    late = french_start("french-siege-exchange", hand=hand, pile=pile)
    assert "does not answer" in refusal(late, "home support")
    state = french_start("french-siege-exchange", hand=hand, pile=pile, edition="first")
    carry_out(state, "home support")
    assert (state.awaiting.decision, state.players[FRENCH].hand_size) == (Decision.EXCHANGE, 7)
    assert "does not answer" in refusal(state, "end")
    carry_out(state, "exchange Gaspe")
    assert awaited(state) is Decision.TURN


def test_an_exchange_is_no_refill() -> None:
    """french-siege-exchange beside paid-reshuffle: the shuffle it takes costs nothing."""
    state = french_start("paid-reshuffle", "french-siege-exchange", pile="", money=1)
    carry_out(state, "exchange Gaspe")
    assert (state.players[FRENCH].hand_size, state.players[FRENCH].money) == (5, 1)
    assert state.awaiting.decision is Decision.TURN


def test_an_exchange_draws_nothing_beyond_the_pile() -> None:
    """reshuffle-last beside french-siege-exchange: with no pile the card is only discarded."""
    state = french_start("reshuffle-last", "french-siege-exchange", pile="")
    do(state, "exchange Trader")
    assert (state.awaiting.decision, state.players[FRENCH].hand_size) == (Decision.TURN, 4)


# --- french-start-choice


def test_the_french_add_a_card_to_their_deck_and_set_up_first() -> None:
    """french-start-choice: one available French empire card, before anything is shuffled."""
    plain = new_game()
    assert (plain.awaiting.decision, plain.awaiting.side) == (Decision.SHUFFLE, BRITISH)
    for asked in (BRITISH, FRENCH):
        state = new_game(Ruleset.of("second", ["french-start-choice"]), sets_up_first=asked)
        assert (state.awaiting.decision, state.awaiting.side) == (Decision.START_CARD, FRENCH)
    available = {card for card, left in state.players[FRENCH].empire.items() if left}
    assert listed(state, Start) == {f"start {card}" for card in available}
    assert "home-support" in available
    for text in ("start Neutral Settlers", "start Canso", "start Regular Infantry (initial)"):
        assert not allowed(state, text)
    deck = len(plain.players[FRENCH].discard)
    do(state, "start Home Support")
    assert state.players[FRENCH].empire["home-support"] == 0
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.SHUFFLE, FRENCH)
    dealer = Dealer(Random(5))
    dealer.deal(state)
    french = state.players[FRENCH]
    assert len(french.draw_pile) + french.hand_size == deck + 1
    assert "home-support" in french.hand + french.unseen[0]
    assert (state.active, state.awaiting.decision, state.turn) == (BRITISH, Decision.TURN, 0)
    assert french.money == 5
    check_invariants(state)


def test_the_start_card_may_be_bateaux_where_they_can_be_drafted() -> None:
    """french-start-choice beside french-bateaux-available."""
    rules = ["french-start-choice", "french-bateaux-available"]
    assert allowed(new_game(Ruleset.of("second", rules)), "start Bateaux")
    assert "start bateaux" not in listed(new_game(Ruleset.of("second", rules[:1])), Start)


def test_orders_around_chance_are_listed_for_their_decisions_only() -> None:
    """No exchange, forfeit or start card is offered in a turn, with or without the rules."""
    rules = ["french-siege-exchange", "paid-reshuffle", "french-start-choice"]
    state = position(Seat("boston norfolk"), house_rules=rules)
    verbs = {order.verb for order in legal_orders(state)}
    assert not verbs & {"exchange", "keep", "forfeit", "start"}
    apply(state, orders.Pass())
    assert state.actions_left == 1
