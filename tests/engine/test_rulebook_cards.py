"""Financial and card management actions by the second-edition rulebook."""

from __future__ import annotations

import pytest

from engine import orders
from engine.chance import Draw, Reveal
from engine.game import apply
from engine.state import Decision, State
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

HOUSE_RULE = "governor-keeps-starting-locations"


def money_from(state: State, order: str) -> int:
    """What an order earns or, below zero, costs the side to move."""
    player = state.players[state.active]
    before = player.money
    do(state, order)
    return player.money - before


# --- take money, Merchant, Trader, Piracy


@pytest.mark.parametrize(("card", "amount"), [("boston", 3), ("new-haven", 2), ("norfolk", 2)])
def test_one_location_card_gives_its_money(card: str, amount: int) -> None:
    """Rulebook, take money; ruling 16: one card, the amount in its circle."""
    state = position(Seat(card))
    assert (money_from(state, f"take {card}"), state.players[BRITISH].discard) == (amount, [card])


def test_a_card_without_money_gives_none() -> None:
    """Rulebook, take money."""
    state = position(Seat("st-marys rangers"))
    assert "no money symbol" in refusal(state, "take St. Mary's")
    assert "no money symbol" in refusal(state, "take Rangers")


def test_a_merchant_carries_one_or_two_gold_cards() -> None:
    """Rulebook, Merchant; ruling 16: the ship card's own gold does not count."""
    hand = "boston new-york philadelphia new-haven"
    assert money_from(position(Seat(hand)), "merchant Boston, Philadelphia") == 3
    assert money_from(position(Seat(hand)), "merchant New Haven, Boston, New York") == 6
    assert money_from(position(Seat(hand + " ships")), "merchant Ships, New Haven, Boston") == 5
    state = position(Seat(hand + " st-marys"))
    assert "gold of at most 2 cards" in refusal(
        state, "merchant New Haven, Boston, New York, Philadelphia"
    )
    assert "no ship symbol" in refusal(state, orders.Merchant(None, ("philadelphia", "boston")))
    assert "no money symbol" in refusal(state, "merchant Boston, St. Mary's")
    assert "no other Boston in your hand" in refusal(state, "merchant Boston, Boston")


def test_a_trader_sells_furs_for_two_money_each() -> None:
    """Rulebook, Trader; ruling 16: any number of location cards with the fur symbol."""
    state = position(french=Seat("trader gaspe montreal tadoussac port-royal"), active=FRENCH)
    assert "no fur symbol" in refusal(state, "trade Port Royal")
    assert money_from(state, "trade Gaspé, Montreal, Tadoussac") == 6
    assert sorted(state.players[FRENCH].discard) == ["gaspe", "montreal", "tadoussac", "trader"]
    state = position(french=Seat("gaspe montreal"), active=FRENCH)
    assert "Trader is not in your hand" in refusal(state, "trade Gaspé")


@pytest.mark.parametrize(("victim", "left"), [(9, 7), (2, 0), (1, 0), (0, 0)])
def test_piracy_takes_two_money_and_the_bank_makes_up_the_rest(victim: int, left: int) -> None:
    """Rulebook, Piracy: a poor victim pays what there is."""
    state = position(Seat(money=victim), Seat("louisbourg quebec montreal", money=5), active=FRENCH)
    assert "no ship symbol" in refusal(state, "piracy Montreal")
    do(state, "piracy Quebec")
    assert (state.players[FRENCH].money, state.players[BRITISH].money) == (7, left)
    assert sorted(state.players[FRENCH].discard) == ["louisbourg", "quebec"]


def test_piracy_needs_louisbourg() -> None:
    """Rulebook, Piracy; ruling 7: the French only, with Louisbourg held, at peace, in hand."""
    state = position(Seat("louisbourg ships", villages="louisbourg"), Seat(lost="louisbourg"))
    assert "British have no card" in refusal(state, "piracy Ships")
    state = position(french=Seat("quebec ships"), active=FRENCH)
    assert "Louisbourg is not in your hand" in refusal(state, "piracy Quebec")
    hand = "louisbourg ships"
    state = position(french=Seat(hand, lost="louisbourg"), active=FRENCH)
    assert "do not control" in refusal(state, "piracy Ships")
    state = position(Seat(siege="louisbourg: militia"), Seat(hand), active=FRENCH)
    assert "under siege" in refusal(state, "piracy Ships")
    # The ship card must be another than Louisbourg.
    assert "no other Louisbourg in your hand" in refusal(
        position(french=Seat(hand), active=FRENCH), "piracy Louisbourg"
    )


# --- draft


def test_a_drafted_card_is_paid_and_lands_on_the_discard_pile() -> None:
    """Rulebook, draft; ruling 17."""
    state = position(Seat(money=7))
    stock = state.players[BRITISH].empire["regular-infantry"]
    assert money_from(state, "draft Regular Infantry") == -7
    assert state.players[BRITISH].discard == ["regular-infantry"]
    assert state.players[BRITISH].empire["regular-infantry"] == stock - 1
    assert "costs 5" in refusal(state, "draft Rangers")


def test_ones_own_fortification_is_free_and_a_neutral_one_costs_three() -> None:
    """Rulebook, draft, example; ruling 17."""
    state = position()
    assert money_from(state, "draft Neutral Fortification") == -3
    assert money_from(state, "draft Fortification") == 0
    assert state.neutral["neutral-fortification"] == 1


def test_what_cannot_be_drafted() -> None:
    """Rulebook, draft: location cards, the opponent's colour, and what has run out."""
    state = position(Seat(discard="rangers"), Seat(discard="neutral-settlers neutral-settlers"))
    assert "cannot be drafted" in refusal(state, "draft Halifax")
    assert "No Rangers" in refusal(state, "draft Rangers")
    assert "No Neutral Settlers" in refusal(state, "draft Neutral Settlers")
    french = {"draft coureurs-de-bois", "draft intendant", "draft priest"}
    assert not french & listed(state, orders.Draft)


# --- discard


@pytest.mark.parametrize(("cards", "price"), [(1, 0), (2, 1), (3, 2), (5, 4)])
def test_the_first_discard_is_free(cards: int, price: int) -> None:
    """Rulebook, discard, example; ruling 18: each further card costs 1."""
    hand = ["boston", "norfolk", "rangers", "militia", "militia"]
    order = "discard " + ", ".join(hand[:cards])
    state = position(Seat(" ".join(hand), money=price))
    assert money_from(state, order) == -price
    assert sorted(state.players[BRITISH].discard) == sorted(hand[:cards])
    if price:
        state = position(Seat(" ".join(hand), money=price - 1))
        assert f"costs {price}" in refusal(state, order)


# --- the reserve


def test_the_reserve_takes_one_empire_card_an_action() -> None:
    """Rulebook, reserve, second edition: no location cards."""
    state = position(Seat("militia boston"))
    assert "Location cards cannot" in refusal(state, "reserve Boston")
    do(state, "reserve Militia")
    assert (state.players[BRITISH].reserve, state.actions_left) == (["militia"], 1)


def test_the_reserve_lies_open() -> None:
    """Rulebook, reserve: face up, where what is drawn into the hand is known to its side only."""
    state = position(Seat("militia", pile="boston norfolk"), actions=1)
    do(state, "reserve Militia", "end")
    player = state.players[BRITISH]
    drawn = tuple(player.draw_pile)
    apply(state, Draw(BRITISH, drawn))
    assert (player.reserve, player.hand, player.hidden) == (["militia"], [], list(drawn))


def test_the_reserve_holds_five() -> None:
    """Rulebook, reserve; ruling 21: a sixth card is refused."""
    four = "militia militia militia rangers"
    state = position(Seat("governor trader", reserve=four))
    do(state, "reserve Governor")
    assert "holds 5 cards" in refusal(state, "reserve Trader")


def test_the_whole_reserve_is_retrieved_for_one_money_a_card() -> None:
    """Rulebook, retrieve: a free action; hands grow beyond five."""
    reserve = "militia militia rangers"
    hand = "boston norfolk new-york philadelphia pemaquid"
    state = position(Seat(hand, reserve=reserve, money=3), actions=0)
    do(state, "retrieve")
    player = state.players[BRITISH]
    assert (len(player.hand), player.reserve, player.money) == (8, [], 0)
    assert state.actions_left == 0
    assert "is empty" in refusal(state, "retrieve")
    state = position(Seat(reserve=reserve, money=2))
    assert "costs 3" in refusal(state, "retrieve")


# --- Governor


def test_the_governor_returns_cards_to_where_they_come_from() -> None:
    """Rulebook, Governor; ruling 19: location, own and neutral cards; it is discarded itself."""
    for card, where in (
        ("deerfield", "locations"),
        ("militia", "empire"),
        ("neutral-settlers", "neutral"),
    ):
        state = position(Seat(f"governor {card} boston", villages="deerfield"))
        player = state.players[BRITISH]
        stocks = {"empire": player.empire, "neutral": state.neutral}
        before = stocks[where][card] if where in stocks else 0
        do(state, f"govern {card}")
        if where == "locations":
            assert card in player.locations
        else:
            assert stocks[where][card] == before + 1
        assert "governor" in player.discard
        assert player.hand == ["boston"]


def test_the_governor_returns_one_or_two_other_cards() -> None:
    """Rulebook, Governor; ruling 19."""
    state = position(Seat("governor boston norfolk pemaquid"))
    assert len(listed(state, orders.Govern)) == 3 + 3
    assert "no other Governor in your hand" in refusal(state, "govern Governor")
    with pytest.raises(ValueError, match="takes"):
        orders.Govern(cards=("boston", "norfolk", "pemaquid"))
    do(state, "govern Boston, Norfolk")
    assert state.players[BRITISH].locations >= {"boston", "norfolk"}
    state = position(Seat("boston norfolk"))
    assert "Governor is not in your hand" in refusal(state, "govern Boston")


def test_a_house_rule_protects_starting_locations_from_the_governor() -> None:
    """House rule: not the card of a starting location that its owner still controls."""
    seat = Seat("governor boston norfolk militia deerfield", villages="deerfield")
    state = position(seat, house_rules=[HOUSE_RULE])
    assert "House rule" in refusal(state, "govern Boston")
    assert "House rule" in refusal(state, "govern Boston, Militia")
    assert allowed(state, "govern Militia, Deerfield")
    lost = Seat("governor boston norfolk militia", lost="norfolk")
    assert allowed(position(lost, house_rules=[HOUSE_RULE]), "govern Norfolk")
    assert allowed(position(seat), "govern Boston, Norfolk")


def test_the_house_rule_knows_whose_starting_location_it_is() -> None:
    """House rule: a starting location of the enemy, captured, is nobody's to protect."""
    state = position(
        Seat("governor gaspe", villages="gaspe"), Seat(lost="gaspe"), house_rules=[HOUSE_RULE]
    )
    assert allowed(state, "govern Gaspé")


# --- Intendant and Home Support


def test_the_intendant_fetches_a_card_for_two_money() -> None:
    """Rulebook, Intendant; ruling 20: from one's own discard pile; itself discarded afterwards."""
    seat = Seat("intendant", discard="priest militia", money=2)
    state = position(french=seat, active=FRENCH)
    assert "not in your discard pile" in refusal(state, "intendant Trader")
    assert "not in your discard pile" in refusal(state, "intendant Intendant")
    assert (money_from(state, "intendant Priest"), state.players[FRENCH].hand) == (-2, ["priest"])
    assert sorted(state.players[FRENCH].discard) == ["intendant", "militia"]
    state = position(french=Seat("intendant", discard="priest", money=1), active=FRENCH)
    assert "costs 2" in refusal(state, "intendant Priest")
    assert "British have no card" in refusal(position(Seat(discard="rangers")), "intendant Rangers")


@pytest.mark.parametrize("left", [5, 3, 2, 1])
def test_home_support_draws_three_or_what_is_left(left: int) -> None:
    """Rulebook, Home Support, second edition: no reshuffle."""
    pile = " ".join(["boston", "norfolk", "new-york", "philadelphia", "pemaquid"][:left])
    state = position(Seat("home-support", pile=pile), actions=0)
    discard = list(state.players[BRITISH].discard)
    do(state, "home support")
    drawn = min(3, left)
    assert state.awaiting[:5] == (Decision.DRAW, BRITISH, None, drawn, "home-support")
    player = state.players[BRITISH]
    slots = tuple(player.draw_pile[:drawn])
    apply(state, Draw(BRITISH, slots))
    assert state.awaiting[:2] == (Decision.TURN, BRITISH)
    assert (player.hidden, player.discard) == (list(slots), [*discard, "home-support"])
    assert len(player.draw_pile) == left - drawn
    assert state.actions_left == 0


def test_home_support_with_an_empty_draw_pile_draws_nothing() -> None:
    """Ruled here: it may be played, and does nothing."""
    state = position(Seat("home-support", pile=""))
    do(state, "home support")
    assert (state.awaiting[:2], state.players[BRITISH].hand) == ((Decision.TURN, BRITISH), [])
    assert "home-support" in state.players[BRITISH].discard


def test_a_card_drawn_by_home_support_can_be_played_in_the_same_turn() -> None:
    """Rulebook, Home Support."""
    state = position(Seat("home-support", pile="boston norfolk new-york"))
    carry_out(state, "home support")
    assert sorted(state.players[BRITISH].hand) == ["boston", "new-york", "norfolk"]
    do(state, "take Boston")


def test_home_support_intendant_home_support() -> None:
    """Rulebook, Home Support: fetched again by the Intendant and played twice in one turn."""
    pile = "gaspe louisbourg montreal port-royal quebec tadoussac"
    state = position(french=Seat("home-support intendant", pile=pile), active=FRENCH)
    carry_out(state, "home support", "intendant Home Support", "home support")
    assert (len(state.players[FRENCH].hand), state.actions_left) == (6, 1)


def test_a_hidden_card_must_be_revealed_before_it_is_played() -> None:
    """What makes one engine serve every seat: an order needs known cards."""
    state = position(Seat("home-support", pile="boston norfolk new-york"))
    do(state, "home support")
    slots = tuple(state.players[BRITISH].draw_pile)
    apply(state, Draw(BRITISH, slots))
    assert "not in your hand" in refusal(state, "take Boston")
    apply(state, Reveal(BRITISH, slots[1], "boston"))
    do(state, "take Boston")
    assert state.players[BRITISH].hidden == [slots[0], slots[2]]


def test_pass_uses_an_action_for_nothing() -> None:
    """Rulebook, pass: and does not stop later turns."""
    state = position()
    do(state, "pass")
    assert state.actions_left == 1
    do(state, "pass")
    assert "no actions left" in refusal(state, "pass")
