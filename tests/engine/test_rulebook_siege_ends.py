"""The end of a siege by the second-edition rulebook: spoils, the loser's card, withdrawal."""

from __future__ import annotations

import pytest

from engine import orders
from engine.events import Captured, CardLost, CardPledged, CardsCameBack, GameOver, SiegeWon
from engine.position import score
from engine.sides import Side
from engine.state import Decision, Settlement, State
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
    two_sieges_won,
    winner,
)
from tests.present import present

# --- winning


def won_by_the_british(
    location: str = "port-royal", british: Seat | None = None, french: Seat | None = None
) -> State:
    """The start of a British turn with a siege won; the French lose a militia."""
    cards = "siege-artillery regular-infantry regular-infantry regular-infantry"
    british = british or Seat("boston new-haven norfolk philadelphia st-marys", siege=cards)
    french = french or Seat("gaspe quebec montreal tadoussac louisbourg", besieged="militia")
    state = position(british, french, active=FRENCH, actions=0, besieging={BRITISH: location})
    end_turn(state)
    return state


def test_a_won_town_falls_with_its_fortification() -> None:
    """Rulebook, winning a siege: the piece is captured, the disc goes back to stock."""
    french = Seat(
        "gaspe quebec montreal tadoussac louisbourg",
        besieged="militia",
        towns="port-royal",
        fortified="port-royal",
    )
    state = won_by_the_british(french=french)
    do(state, "occupy Port Royal: Boston")
    assert (state.board["port-royal"], state.fortifications_left()) == (Settlement(BRITISH), 12)
    assert (state.players[BRITISH].captured_villages, state.players[BRITISH].captured_towns) == (
        0,
        1,
    )
    assert state.towns_left(FRENCH) == 9 - 1 - 1


def test_a_won_location_may_be_left_neutral() -> None:
    """Rulebook, winning a siege: settling it is a choice, and needs a settler where drawn."""
    state = won_by_the_british()
    assert listed(state, orders.Occupy) == {
        "occupy port-royal: boston",
        "occupy port-royal: philadelphia",
        "occupy port-royal: st-marys",
    }
    assert "needs a settler" in refusal(state, "occupy Port Royal")
    assert "not just won" in refusal(state, "leave Louisbourg")
    do(state, "leave Port Royal")
    assert "port-royal" not in state.board
    assert "port-royal" in state.players[BRITISH].locations
    assert (state.players[BRITISH].captured_villages, state.actions_left) == (1, 2)


def test_a_won_location_without_a_settler_symbol_takes_no_card() -> None:
    """Rulebook, winning a siege: no settler symbol, no settler card."""
    british = Seat(
        "boston norfolk philadelphia st-marys new-york", siege="siege-artillery", villages="oswego"
    )
    french = Seat(
        "gaspe quebec montreal tadoussac louisbourg", villages="fort-frontenac fort-niagara"
    )
    state = won_by_the_british("fort-niagara", british, french)
    assert "needs no settler" in refusal(state, "occupy Fort Niagara: Boston")
    do(state, "occupy Fort Niagara")
    assert "fort-niagara" in state.players[BRITISH].discard


def test_a_won_location_is_left_when_no_village_is_in_stock() -> None:
    """Ruling 22: with the stock empty a piece cannot be placed; the capture stands."""
    french = Seat(
        "gaspe quebec montreal tadoussac louisbourg", besieged="militia", captured=(13, 0)
    )
    state = won_by_the_british(french=french)
    assert state.villages_left(BRITISH) == 0
    assert "no villages left" in refusal(state, "occupy Port Royal: Boston")
    do(state, "leave Port Royal")


def test_the_last_village_in_stock_settles_what_was_won() -> None:
    """Ruling 22: a piece that is there can be placed."""
    french = Seat(
        "gaspe quebec montreal tadoussac louisbourg", besieged="militia", captured=(12, 0)
    )
    state = won_by_the_british(french=french)
    assert state.villages_left(BRITISH) == 1
    do(state, "occupy Port Royal: Boston")
    assert state.villages_left(BRITISH) == 0


def test_a_defender_wins_by_itself_and_keeps_the_location() -> None:
    """Rulebook, winning a siege: the besieger's card goes back, all others are discarded."""
    state = position(
        Seat(
            "boston new-haven norfolk philadelphia new-york", siege="port-royal: regular-infantry"
        ),
        Seat("gaspe quebec montreal tadoussac louisbourg", besieged="regular-infantry militia"),
        actions=0,
    )
    stock = state.players[BRITISH].empire["regular-infantry"]
    end_turn(state)
    assert (state.active, state.awaiting.decision, state.sieges) == (FRENCH, Decision.TURN, {})
    assert state.board["port-royal"] == Settlement(FRENCH)
    assert state.players[BRITISH].empire["regular-infantry"] == stock + 1
    assert {"regular-infantry", "militia"} <= set(state.players[FRENCH].discard)
    assert state.players[FRENCH].captured_villages == 0


def test_an_undecided_siege_goes_on() -> None:
    """Rulebook, besiege: for as long as it takes, and a winner is looked for at each start."""
    state = position(
        Seat(
            "boston new-haven norfolk philadelphia new-york", siege="port-royal: regular-infantry"
        ),
        Seat("gaspe quebec montreal tadoussac louisbourg"),
        actions=0,
    )
    end_turn(state)
    assert state.awaiting.decision is Decision.TURN
    end_turn(state)
    assert state.awaiting.decision is Decision.TURN
    assert state.sieges[BRITISH].location == "port-royal"


def test_ones_own_card_in_another_siege_is_no_settler() -> None:
    """Rulings 1 and 7: the mover's order matters; relieved first, St. Mary's settles Port Royal."""
    state = two_sieges_won()
    assert state.awaiting.decision is Decision.SIEGE_SPOILS
    assert "under siege" in refusal(state, "occupy Port Royal: St. Mary's")
    assert "not won a siege of Boston as its defender" in refusal(state, "relieve Boston")
    do(state, "relieve St. Mary's")
    assert state.awaiting.decision is Decision.SIEGE_SPOILS
    do(state, "occupy Port Royal: St. Mary's")
    assert (state.awaiting.decision, state.sieges) == (Decision.TURN, {})


def test_spoils_first_then_the_relief_by_itself() -> None:
    """Ruling 1: the other order of the two; what is left to resolve needs no decision."""
    state = two_sieges_won("boston new-haven norfolk militia rangers")
    do(state, "leave Port Royal")
    assert (state.awaiting.decision, state.sieges) == (Decision.TURN, {})
    assert "does not answer" in refusal(state, "relieve St. Mary's")


def test_no_free_action_while_a_siege_is_resolved() -> None:
    """Rulebook, player actions: not during the resolution of a siege."""
    british = Seat(
        "home-support boston norfolk philadelphia st-marys",
        reserve="militia",
        siege="siege-artillery",
    )
    state = won_by_the_british(
        british=british, french=Seat("gaspe quebec montreal tadoussac louisbourg")
    )
    for order in ("home support", "retrieve", "withdraw Port Royal: Siege Artillery", "pass"):
        assert "does not answer" in refusal(state, order)


# --- the loser's card


def test_the_loser_chooses_an_empire_card_at_the_end_of_their_turn() -> None:
    """Rulebook, winning a siege; ruling 3: never a location card; the initial infantry may go."""
    state = position(
        Seat(
            siege="louisbourg: siege-artillery regular-infantry regular-infantry regular-infantry"
        ),
        Seat(
            "gaspe",
            besieged="regular-infantry-initial neutral-fortification port-royal fortification",
        ),
        active=FRENCH,
        actions=0,
    )
    do(state, "end")
    assert listed(state, orders.Lose) == {
        "lose louisbourg: fortification",
        "lose louisbourg: neutral-fortification",
        "lose louisbourg: regular-infantry-initial",
    }
    refused = refusal(state, "lose Louisbourg: Port Royal")
    assert "is not one of your empire cards in the siege of Louisbourg." in refused
    assert "not the one of Port Royal" in refusal(state, "lose Port Royal: Fortification")


def test_the_losers_card_is_chosen_before_the_hand_is_refilled() -> None:
    """Ruling 3: the winner's file comes next, and what was drawn must not tell which to lose."""
    state = position(
        Seat(siege="port-royal: siege-artillery regular-infantry regular-infantry"),
        Seat("gaspe", besieged="regular-infantry-initial fortification", pile="quebec"),
        active=FRENCH,
        actions=0,
    )
    do(state, "end")
    assert state.awaiting[:2] == (Decision.LOSERS_CARD, FRENCH)
    assert state.players[FRENCH].hand == ["gaspe"]
    do(state, "lose Port Royal: Fortification")
    assert state.awaiting[:2] == (Decision.DRAW, FRENCH)


@pytest.mark.parametrize(
    ("lost", "neutral"), [("neutral-fortification", True), ("regular-infantry-initial", False)]
)
def test_a_lost_card_goes_where_it_can_be_drafted_again(lost: str, neutral: bool) -> None:
    """Ruling 3: own cards to one's own available cards, neutral ones to the neutral display."""
    state = position(
        Seat(
            "boston new-haven norfolk philadelphia new-york",
            siege="louisbourg: siege-artillery regular-infantry regular-infantry regular-infantry",
        ),
        Seat(
            "gaspe quebec montreal tadoussac trader",
            besieged="regular-infantry-initial neutral-fortification",
        ),
        active=FRENCH,
        actions=0,
    )
    stock = state.neutral if neutral else state.players[FRENCH].empire
    before = stock[lost]
    carry_out(state, "end", f"lose Louisbourg: {lost}")
    assert stock[lost] == before  # The siege stands until the British turn resolves it.
    do(state, "leave Louisbourg")
    assert stock[lost] == before + 1
    end_turn(state)
    assert allowed(state, f"draft {lost}")


def test_a_card_that_is_the_only_choice_chooses_itself() -> None:
    """Ruling 3: with one kind of empire card it goes; with none nothing does."""
    state = won_by_the_british()
    assert state.sieges[BRITISH].cost == "militia"
    # Nobody chose it, and yet both are to know of it, and once.
    assert [e for e in state.events if isinstance(e, CardPledged)] == [
        CardPledged(FRENCH, "port-royal", "militia")
    ]
    militia = state.players[FRENCH].empire["militia"]
    do(state, "leave Port Royal")
    assert state.players[FRENCH].empire["militia"] == militia + 1
    french = Seat("gaspe quebec montreal tadoussac trader", besieged="louisbourg")
    state = won_by_the_british(french=french)
    assert state.sieges[BRITISH].cost is None
    do(state, "leave Port Royal")
    assert "louisbourg" in state.players[FRENCH].discard


def test_two_sieges_lost_cost_two_cards() -> None:
    """Ruling 3: each siege that stands lost asks for its own card."""
    state = position(
        Seat(
            "boston",
            siege="port-royal: siege-artillery regular-infantry regular-infantry",
            besieged="regular-infantry regular-infantry",
        ),
        Seat("gaspe", besieged="militia fortification", siege="pemaquid: militia military-leader"),
        active=FRENCH,
        actions=0,
    )
    do(state, "end")
    asked = {state.awaiting.location}
    do(state, f"lose {state.awaiting.location}: Militia")
    asked.add(state.awaiting.location)
    do(state, f"lose {state.awaiting.location}: Militia")
    assert asked == {"port-royal", "pemaquid"}
    assert state.awaiting.decision is Decision.DRAW


# --- the homes


@pytest.mark.parametrize(
    ("home", "besieger"), [("quebec", BRITISH), ("boston", FRENCH), ("new-york", FRENCH)]
)
def test_a_won_home_siege_ends_the_game_at_the_start_of_the_winners_turn(
    home: str, besieger: Side
) -> None:
    """Rulebook, ending the game; ruling 2: no village is needed, nothing is chosen before."""
    cards = "siege-artillery regular-infantry regular-infantry"
    hands = {
        BRITISH: "boston new-haven norfolk philadelphia new-york",
        FRENCH: "gaspe quebec montreal tadoussac trader",
    }
    seats = {side: Seat(hands[side], siege=cards if side is besieger else "") for side in Side}
    state = position(
        seats[BRITISH], seats[FRENCH], active=besieger, actions=0, besieging={besieger: home}
    )
    end_turn(state)
    assert state.outcome is None
    end_turn(state)
    assert winner(state) is besieger
    assert "fell to a siege" in str(present(state.outcome).reason)


HANDS = {
    BRITISH: "boston new-haven norfolk philadelphia new-york",
    FRENCH: "gaspe montreal louisbourg tadoussac trader",
}
HOMES = [("quebec", BRITISH), ("boston", FRENCH), ("new-york", FRENCH)]


def about_to_lose(home: str, besieger: Side, *, town: bool = True, other: bool = False) -> State:
    """A home stands lost after the last action of its owner, hands full; maybe a siege besides."""
    loser = besieger.opponent
    seats = {
        besieger: Seat(
            HANDS[besieger],
            siege="siege-artillery regular-infantry regular-infantry regular-infantry",
            besieged="militia" * other,
        ),
        loser: Seat(
            HANDS[loser],
            besieged="militia fortification",
            siege="military-leader" * other,
            fortified=home,
            villages="" if town else home,
        ),
    }
    second = {loser: {BRITISH: "port-royal", FRENCH: "pemaquid"}[loser]} if other else {}
    return position(
        seats[BRITISH], seats[FRENCH], active=loser, actions=0, besieging={besieger: home} | second
    )


@pytest.mark.parametrize("town", [True, False])
@pytest.mark.parametrize(("home", "besieger"), HOMES)
def test_a_home_is_captured_when_it_falls(home: str, besieger: Side, town: bool) -> None:
    """Rulebook, winning a siege: piece, disc, cards and the card lost go where they always go."""
    state = about_to_lose(home, besieger, town=town)
    loser = besieger.opponent
    played = {side: sorted(state.sieges[besieger].cards[side]) for side in Side}
    stock = state.players[loser].empire["militia"]
    fortifications, points = state.fortifications_left(), score(state, besieger).total
    do(state, "end", f"lose {home}: Militia")
    place = state.ruleset.catalogue.locations[home].name
    assert (present(state.outcome).winner, str(present(state.outcome).reason)) == (
        besieger,
        f"{place} fell to a siege",
    )
    assert (state.sieges, state.owner(home)) == ({}, None)
    captured = (state.players[besieger].captured_villages, state.players[besieger].captured_towns)
    assert captured == ((0, 1) if town else (1, 0))
    assert score(state, besieger).total == points + (4 if town else 2)
    assert home not in score(state, loser).locations
    assert state.fortifications_left() == fortifications + 1
    assert sorted(state.players[besieger].discard) == played[besieger]
    assert sorted(state.players[loser].discard) == ["fortification"]
    assert state.players[loser].empire["militia"] == stock + 1
    check_invariants(state)


@pytest.mark.parametrize("other", [False, True])
@pytest.mark.parametrize(("home", "besieger"), HOMES)
def test_a_home_lost_to_a_siege_is_as_lost_as_one_given_up(
    home: str, besieger: Side, other: bool
) -> None:
    """Rulings 2 and 4: it counts as the same; only the reason and whose turn it is differ."""
    fallen = about_to_lose(home, besieger, other=other)
    given_up = fallen.copy()
    do(fallen, "end", f"lose {home}: Fortification")
    do(given_up, f"withdraw {home}: Fortification")
    for state in (fallen, given_up):
        assert winner(state) is besieger
        assert state.awaiting[:5] == (Decision.OVER, besieger, None, 0, None)
        check_invariants(state)
    # The other siege, which the winner has won as well, is resolved by neither.
    assert list(fallen.sieges) == [besieger.opponent] * other
    for part in ("board", "neutral", "players"):
        found, wanted = getattr(fallen, part), getattr(given_up, part)
        assert found == wanted, part
    for side in Side:
        assert score(fallen, side) == score(given_up, side)


def test_a_fallen_home_is_reported() -> None:
    """What happened is told in order: the siege won, the capture, where its cards went, the end."""
    state = about_to_lose("quebec", BRITISH)
    events = do(state, "end", "lose Quebec: Militia")
    first, *rest, last = [(type(event), event.side) for event in events]
    assert first == (CardPledged, FRENCH)
    assert rest[:3] == [(SiegeWon, BRITISH), (Captured, BRITISH), (CardLost, FRENCH)]
    assert rest[3:] == [(CardsCameBack, BRITISH), (CardsCameBack, FRENCH)]
    assert last == (GameOver, BRITISH)


# --- withdrawing


def test_the_besieger_withdraws() -> None:
    """Rulebook, withdraw; ruling 4: free, it costs a card of the besieger's, and takes nothing."""
    state = position(
        Seat(siege="louisbourg: militia regular-infantry new-york"),
        Seat(besieged="regular-infantry port-royal"),
        actions=0,
    )
    assert "costs an empire card" in refusal(state, "withdraw Louisbourg")
    assert "is not one of your empire cards" in refusal(state, "withdraw Louisbourg: New York")
    stock = state.players[BRITISH].empire["militia"]
    do(state, "withdraw Louisbourg: Militia")
    assert (state.sieges, state.actions_left) == ({}, 0)
    assert state.awaiting[:5] == (Decision.TURN, BRITISH, None, 0, None)
    assert state.players[BRITISH].empire["militia"] == stock + 1
    assert sorted(state.players[BRITISH].discard) == ["new-york", "regular-infantry"]
    assert sorted(state.players[FRENCH].discard) == ["port-royal", "regular-infantry"]
    assert state.board["louisbourg"] == Settlement(FRENCH)


def given_up(location: str, british: Seat, french: Seat | None = None) -> State:
    """The French have given up a location that the British besiege."""
    state = position(
        british, french or Seat(hand="gaspe"), active=FRENCH, besieging={BRITISH: location}
    )
    do(state, f"withdraw {location}")
    return state


def test_the_defender_withdraws_and_the_besieger_settles() -> None:
    """Ruling 4: the piece is captured; the besieger answers, in the middle of the turn."""
    state = given_up("port-royal", Seat("boston new-haven", siege="militia"))
    assert state.awaiting[:3] == (Decision.WITHDRAWAL_SPOILS, BRITISH, "port-royal")
    assert state.players[BRITISH].captured_villages == 1
    assert "port-royal" not in state.board
    do(state, "occupy Port Royal: Boston")
    assert state.board["port-royal"] == Settlement(BRITISH)
    assert {"port-royal", "boston"} <= set(state.players[BRITISH].discard)
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.TURN, FRENCH)
    assert state.actions_left == 2


def test_the_defender_withdraws_and_the_besieger_does_not_settle() -> None:
    """Ruling 4: without a settler card, or by choice, the location is left neutral."""
    state = given_up("port-royal", Seat("new-haven", siege="militia"))
    assert listed(state, orders.Occupy) == set()
    do(state, "leave Port Royal")
    assert "port-royal" not in state.board
    assert state.players[BRITISH].captured_villages == 1
    assert (state.awaiting.decision, state.awaiting.side) == (Decision.TURN, FRENCH)


def test_a_withdrawal_without_a_settler_symbol_leaves_the_choice_free() -> None:
    """Ruling 4: no settler symbol on the location, so no card is needed."""
    state = given_up(
        "fort-niagara",
        Seat(siege="militia", villages="oswego"),
        Seat("gaspe", villages="fort-frontenac fort-niagara"),
    )
    assert {
        o.notation() for o in (orders.Occupy("fort-niagara"), orders.Leave("fort-niagara"))
    } == (listed(state, orders.Occupy) | listed(state, orders.Leave))


@pytest.mark.parametrize("home", ["boston", "new-york"])
def test_withdrawing_from_ones_own_home_loses(home: str) -> None:
    """Ruling 4: it counts as a siege lost, and so as the game lost."""
    state = position(Seat("norfolk"), Seat(siege="militia"), besieging={FRENCH: home})
    do(state, f"withdraw {home}")
    assert winner(state) is FRENCH
    state = position(Seat(siege="quebec: militia"), active=FRENCH)
    do(state, "withdraw Quebec")
    assert winner(state) is BRITISH


def test_only_a_siege_can_be_withdrawn_from() -> None:
    """Rulebook, withdraw: either player, from either siege."""
    state = position(
        Seat(siege="louisbourg: militia", besieged="rangers"), Seat(siege="norfolk: militia")
    )
    assert "not under siege" in refusal(state, "withdraw Boston")
    assert listed(state, orders.Withdraw) == {
        "withdraw louisbourg: militia",
        "withdraw norfolk: rangers",
    }
