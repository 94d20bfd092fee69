"""House rules about cards in hand, their money and the reserve, each with it and without it.

The rule meant is named by its id, with what it says in other words.
"""

from __future__ import annotations

import pytest

from engine import orders
from engine.actions.action import IllegalOrder
from engine.events import LocationGivenUp, Received
from engine.game import check
from engine.position import score
from engine.state import Decision, Settlement, State
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
    winner,
)

EDITIONS = ("second", "first", "first-revised")

# --- free-fur-money


def test_a_fur_is_sold_for_one_money_as_a_free_action() -> None:
    """free-fur-money: one location card with a fur symbol, no Trader, no action."""
    french = Seat("gaspe tadoussac quebec trader coureurs-de-bois", money=0)
    plain = position(french=french, active=FRENCH, actions=0)
    assert listed(plain, orders.SellFur) == set()
    assert "is played without it" in refusal(plain, "sell fur Gaspe")
    state = position(french=french, active=FRENCH, actions=0, house_rules=["free-fur-money"])
    assert listed(state, orders.SellFur) == {"sell-fur gaspe", "sell-fur tadoussac"}
    assert "no fur symbol" in refusal(state, "sell fur Quebec")
    assert "no fur symbol" in refusal(state, "sell fur Trader")
    events = do(state, "sell fur Gaspe")
    assert events == [Received(FRENCH, 1)]
    assert state.players[FRENCH].money == 1
    assert "gaspe" in state.players[FRENCH].discard
    do(state, "sell fur Tadoussac")
    assert (state.players[FRENCH].money, state.actions_left) == (2, 0)
    check_invariants(state)


@pytest.mark.parametrize(
    ("french", "text", "reason"),
    [
        (Seat("canso", villages="canso"), "sell fur Canso", None),
        (Seat("tadoussac", lost="tadoussac"), "sell fur Tadoussac", "do not control"),
        (Seat("oswego", villages="oswego"), "sell fur Oswego", "no supply"),
    ],
)
def test_a_fur_is_sold_only_from_a_location_in_use(
    french: Seat, text: str, reason: str | None
) -> None:
    """free-fur-money with ruling 7: to play the card is to use it."""
    state = position(french=french, active=FRENCH, house_rules=["free-fur-money"])
    if reason is None:
        assert allowed(state, text)
    else:
        assert reason in refusal(state, text)


def test_a_fur_of_a_besieged_location_is_not_sold() -> None:
    """free-fur-money with ruling 7: a siege makes the card idle."""
    state = position(
        Seat(siege="gaspe: militia"), Seat("gaspe"), active=FRENCH, house_rules=["free-fur-money"]
    )
    assert "under siege" in refusal(state, "sell fur Gaspe")


def test_furs_pay_for_what_follows() -> None:
    """free-fur-money: a free action comes before an action as well."""
    state = position(
        french=Seat("gaspe tadoussac quebec", money=0),
        active=FRENCH,
        house_rules=["free-fur-money"],
    )
    assert "costs 2" in refusal(state, "draft Militia")
    do(state, "sell fur Gaspe", "sell fur Tadoussac", "draft Militia")
    assert (state.players[FRENCH].money, state.actions_left) == (0, 1)


# --- free-discards


def test_discards_are_free_where_the_rule_is_played() -> None:
    """free-discards: any number of cards in one action, and nothing to pay."""
    seat = Seat("boston norfolk militia", money=1)
    plain = position(seat)
    assert allowed(plain, "discard Boston, Norfolk")
    assert "costs 2" in refusal(plain, "discard Boston, Norfolk, Militia")
    state = position(seat, house_rules=["free-discards"])
    do(state, "discard Boston, Norfolk, Militia")
    assert (state.players[BRITISH].money, state.players[BRITISH].hand) == (1, [])
    assert state.actions_left == 1


# --- drop-lost-locations


def test_cards_of_lost_locations_are_dropped_for_nothing() -> None:
    """drop-lost-locations: a free action, one card each, only of a location not controlled."""
    seat = Seat("pemaquid norfolk boston militia", lost="pemaquid norfolk", money=0)
    french = Seat(villages="pemaquid")
    plain = position(seat, french, actions=0)
    assert listed(plain, orders.Drop) == set()
    assert "is played without it" in refusal(plain, "drop Pemaquid")
    state = position(seat, french, actions=0, house_rules=["drop-lost-locations"])
    assert listed(state, orders.Drop) == {"drop norfolk", "drop pemaquid"}
    assert "You control Boston" in refusal(state, "drop Boston")
    assert "not a location card" in refusal(state, "drop Militia")
    assert "not in your hand" in refusal(state, "drop New Haven")
    do(state, "drop Pemaquid", "drop Norfolk")
    assert sorted(state.players[BRITISH].discard) == ["norfolk", "pemaquid"]
    assert sorted(state.players[BRITISH].hand) == ["boston", "militia"]
    check_invariants(state)


def test_a_card_without_supply_is_no_card_of_a_lost_location() -> None:
    """drop-lost-locations: control is what counts, not whether the card can be used."""
    state = position(
        Seat("fort-halifax", villages="fort-halifax", lost="pemaquid"),
        house_rules=["drop-lost-locations"],
    )
    assert "You control Fort Halifax" in refusal(state, "drop Fort Halifax")


@pytest.mark.parametrize("edition", ["first", "first-revised"])
def test_new_free_actions_come_at_any_time_where_free_actions_do(edition: str) -> None:
    """free-fur-money, drop-lost-locations: also while a siege is resolved, and after the refill."""
    rules = ["free-fur-money", "drop-lost-locations"]

    def at_spoils(edition: str) -> State:
        state = position(
            Seat("boston new-haven norfolk new-york militia"),
            Seat(
                "gaspe quebec montreal tadoussac louisbourg",
                siege="pemaquid: siege-artillery regular-infantry",
                lost="gaspe",
                villages="canso",
            ),
            actions=0,
            house_rules=rules,
            edition=edition,
        )
        end_turn(state)
        assert state.awaiting.decision is Decision.SIEGE_SPOILS
        return state

    assert "does not answer" in refusal(at_spoils("second"), "sell fur Tadoussac")
    assert "does not answer" in refusal(at_spoils("second"), "drop Gaspe")
    state = at_spoils(edition)
    money = state.players[FRENCH].money
    do(state, "sell fur Tadoussac", "drop Gaspe")
    assert state.awaiting.decision is Decision.SIEGE_SPOILS
    assert state.players[FRENCH].money == money + 1
    carry_out(state, "leave Pemaquid", "pass", "pass", "refill")
    assert state.players[FRENCH].hand_size == 5
    do(state, "sell fur Montreal")
    assert awaited(state) is Decision.TURN
    carry_out(state, "end")
    assert (state.active, state.players[FRENCH].hand_size) == (BRITISH, 4)


# --- govern-loses-location


def governing(*house_rules: str) -> State:
    return position(
        Seat(
            "governor deerfield new-haven pemaquid militia",
            towns="deerfield",
            villages="deerfield",
            fortified="deerfield",
            lost="pemaquid",
        ),
        Seat(villages="pemaquid"),
        house_rules=house_rules,
    )


def test_who_returns_a_location_card_gives_up_the_location() -> None:
    """govern-loses-location: town and fortification disc go to stock, the location is neutral."""
    plain = governing()
    do(plain, "govern Deerfield, New Haven")
    assert plain.board["deerfield"].town
    state = governing("govern-loses-location")
    towns, points = state.towns_left(BRITISH), score(state, BRITISH).total
    events = do(state, "govern Deerfield, New Haven")
    assert "deerfield" not in state.board
    assert "new-haven" not in state.board
    assert (state.towns_left(BRITISH), state.fortifications_left()) == (towns + 1, 12)
    assert score(state, BRITISH).total == points - 8 - 2
    assert score(state, FRENCH).villages_captured == 0
    assert {"deerfield", "new-haven"} <= state.players[BRITISH].locations
    assert [e.location for e in events if isinstance(e, LocationGivenUp)] == [
        "deerfield",
        "new-haven",
    ]
    assert state.players[FRENCH].captured_towns == 0
    check_invariants(state)


def test_other_cards_are_returned_without_loss() -> None:
    """govern-loses-location: empire cards, and cards of locations that somebody else controls."""
    state = governing("govern-loses-location")
    board = state.board.copy()
    do(state, "govern Pemaquid, Militia")
    assert state.board == board
    assert "pemaquid" in state.players[BRITISH].locations


def test_what_was_given_up_is_settled_like_any_other_location() -> None:
    """govern-loses-location: the village has to be placed again, by either side."""
    state = position(
        Seat("governor new-haven norfolk st-marys philadelphia", villages="richmond"),
        house_rules=["govern-loses-location"],
    )
    richmond = state.players[BRITISH]
    richmond.hand.append("richmond")
    richmond.discard.remove("richmond")
    villages = state.villages_left(BRITISH)
    do(state, "govern Richmond")
    assert state.villages_left(BRITISH) == villages + 1
    do(state, "settle Richmond: Norfolk, St. Mary's, Philadelphia")
    assert state.board["richmond"] == Settlement(BRITISH)
    assert state.villages_left(BRITISH) == villages


def test_the_card_of_a_besieged_location_is_not_returned() -> None:
    """govern-loses-location: nobody runs away from a siege."""

    def besieged(*house_rules: str) -> State:
        return position(
            Seat(siege="port-royal: militia"),
            Seat("governor port-royal militia"),
            active=FRENCH,
            house_rules=house_rules,
        )

    assert allowed(besieged(), "govern Port Royal")
    state = besieged("govern-loses-location")
    assert "under siege" in refusal(state, "govern Port Royal")
    assert "under siege" in refusal(state, "govern Militia, Port Royal")
    assert allowed(state, "govern Militia")


def test_a_home_given_up_still_supplies_and_can_be_settled_by_the_enemy() -> None:
    """govern-loses-location, ruled here: as if raided empty, which loses nothing by itself."""
    state = position(
        Seat("boston ships", villages="kennebec louisbourg"),
        Seat("governor quebec trois-rivieres tadoussac", lost="louisbourg"),
        active=FRENCH,
        house_rules=["govern-loses-location"],
    )
    do(state, "govern Quebec")
    assert (state.outcome, state.owner("quebec")) == (None, None)
    assert allowed(state, "take Trois-Rivieres")
    british = state.players[BRITISH]
    british.discard.remove("louisbourg")
    british.hand.append("louisbourg")
    do(state, "pass")
    end_turn(state)
    do(state, "settle Quebec: Louisbourg, Ships, Boston")
    assert winner(state) is BRITISH


def test_the_governor_keeps_starting_locations_and_loses_others() -> None:
    """governor-keeps-starting-locations beside govern-loses-location: both hold."""
    state = governing("govern-loses-location", "governor-keeps-starting-locations")
    assert "starting location New Haven" in refusal(state, "govern New Haven")
    do(state, "govern Deerfield, Pemaquid")
    assert "deerfield" not in state.board


# --- lost-locations-in-reserve, locations-in-reserve


@pytest.mark.parametrize(
    ("rules", "lost", "own"),
    [
        ((), False, False),
        (("lost-locations-in-reserve",), True, False),
        (("locations-in-reserve",), True, True),
    ],
)
def test_which_location_cards_the_reserve_takes(
    rules: tuple[str, ...], lost: bool, own: bool
) -> None:
    """locations-in-reserve, lost-locations-in-reserve: all of them, or of locations not held."""
    state = position(Seat("pemaquid boston", lost="pemaquid"), house_rules=rules)
    assert allowed(state, "reserve Pemaquid") is lost
    assert allowed(state, "reserve Boston") is own
    assert state.ruleset.reserve_limit == 5


# --- cards in the box


def test_three_british_regulars_fewer() -> None:
    """fewer-british-regulars: three to draft instead of six; the French ones stay."""
    plain, state = position(), position(house_rules=["fewer-british-regulars"])
    assert plain.players[BRITISH].empire["regular-infantry"] == 6
    assert state.players[BRITISH].empire["regular-infantry"] == 3
    assert state.players[FRENCH].empire == plain.players[FRENCH].empire


def test_no_governors() -> None:
    """no-governors: there is none to draft, and nothing else is missing."""
    plain, state = position(), position(house_rules=["no-governors"])
    for side in state.players:
        rest = dict(plain.players[side].empire)
        assert rest.pop("governor") == 1
        assert state.players[side].empire == rest
    assert "draft governor" in listed(plain, orders.Draft)
    with pytest.raises(IllegalOrder, match="no card called “governor”"):
        check(state, orders.Draft(cards=("governor",)))
    hand = position(Seat("boston"), house_rules=["no-governors"])
    assert refusal(hand, "govern Boston") == "There is no Governor in this game."


@pytest.mark.parametrize(
    ("edition", "rules", "initial", "available"),
    [
        ("second", (), 0, None),
        ("second", ("french-bateaux-available",), 0, 1),
        ("second", ("french-bateaux-initial",), 1, 0),
        ("first", (), 1, 0),
        ("first", ("french-bateaux-available",), 0, 1),
        ("first-revised", ("french-bateaux-available",), 0, 1),
    ],
)
def test_where_the_french_bateaux_are(
    edition: str, rules: tuple[str, ...], initial: int, available: int | None
) -> None:
    """french-bateaux-available, french-bateaux-initial: drafted for nothing, or in the deck."""
    state = position(french=Seat(money=0), edition=edition, house_rules=rules, active=FRENCH)
    french = state.players[FRENCH]
    assert (french.unseen[0].count("bateaux"), french.empire.get("bateaux")) == (initial, available)
    if available:
        do(state, "draft Bateaux")
        assert "bateaux" in french.discard


def test_the_british_begin_with_bateaux() -> None:
    """british-start-bateaux: in the deck, and so no longer to be drafted."""
    plain, state = position(), position(house_rules=["british-start-bateaux"])
    assert plain.players[BRITISH].empire["bateaux"] == 1
    assert state.players[BRITISH].empire["bateaux"] == 0
    assert state.players[BRITISH].unseen[0].count("bateaux") == 1
    assert not allowed(state, "draft Bateaux")
