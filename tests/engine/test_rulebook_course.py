"""Setup, the course of a turn, endings and points by the second-edition rulebook."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.chance import Draw, ImpossibleChance, Reveal, Shuffle
from engine.game import apply, legal_orders, resign
from engine.position import score, winner_on_points
from engine.sides import Side, Slot
from engine.state import Awaiting, Decision, Settlement, State
from tests.engine.editions import SECOND
from tests.engine.positions import (
    BRITISH,
    FRENCH,
    Seat,
    carry_out,
    deal,
    do,
    end_turn,
    opening,
    position,
    refusal,
    winner,
)
from tests.present import present

BRITISH_FIVE = "boston new-haven norfolk philadelphia new-york"
FRENCH_FIVE = "gaspe quebec montreal tadoussac louisbourg"

# --- setup


def test_the_starting_position(edition_played: str) -> None:
    """Rulebook, starting the game: money, pieces and cards."""
    state = opening()
    assert {side: state.players[side].money for side in Side} == {BRITISH: 12, FRENCH: 5}
    assert {place for place, piece in state.board.items() if piece.town} == {
        "boston",
        "new-york",
        "quebec",
    }
    owners = Counter(piece.owner for piece in state.board.values())
    assert owners == {BRITISH: 7, FRENCH: 7}
    assert (state.villages_left(BRITISH), state.towns_left(BRITISH)) == (18 - 5, 12 - 2)
    assert (state.villages_left(FRENCH), state.towns_left(FRENCH)) == (18 - 6, 9 - 1)
    assert state.fortifications_left() == 12
    cards = 9 if edition_played == SECOND else 10
    assert {side: len(state.players[side].discard) for side in Side} == {BRITISH: 7, FRENCH: cards}


def test_the_box_holds_the_cards_of_the_manifest(edition_played: str) -> None:
    """Rulebook, card manifest; ruling 24: counted line by line, 54, 46 or 47, and 9."""
    state = opening()
    held = {
        side: (len(player.discard), len(player.locations), sum(player.empire.values()))
        for side, player in state.players.items()
    }
    bateaux = edition_played != SECOND
    assert held == {BRITISH: (7, 26, 21), FRENCH: (9 + bateaux, 19, 18)}
    assert state.neutral == {
        "neutral-fortification": 2,
        "neutral-native-americans": 5,
        "neutral-settlers": 2,
    }
    assert ("bateaux" in state.ruleset.catalogue.cards[FRENCH]) is bateaux
    assert "bateaux" in state.ruleset.catalogue.cards[BRITISH]


@pytest.mark.parametrize("first", list(Side))
def test_both_draw_five_and_the_british_begin(first: Side) -> None:
    """Rulebook, starting the game; whoever's deck is shuffled first, the British move first."""
    state = opening(sets_up_first=first)
    for side in (first, first.opponent):
        assert state.awaiting == Awaiting(Decision.SHUFFLE, side)
        apply(state, Shuffle(side))
        assert state.awaiting == Awaiting(Decision.DRAW, side, amount=5)
        apply(state, Draw(side, tuple(state.players[side].draw_pile[:5])))
    assert state.awaiting == Awaiting(Decision.TURN, BRITISH)
    assert [state.players[side].hand_size for side in Side] == [5, 5]


def test_the_first_turn_has_one_action_and_the_others_two() -> None:
    """Rulebook, playing the game: of either player."""
    state = opening()
    deal(state)
    seen = []
    for _ in range(4):
        seen.append((state.active, state.actions_left))
        end_turn(state)
    assert seen == [(BRITISH, 1), (FRENCH, 1), (BRITISH, 2), (FRENCH, 2)]


# --- the course of a turn


def test_a_turn_ends_by_order_once_its_actions_are_used() -> None:
    """Ruled here: `end`, so that free actions can follow the last action."""
    state = position(Seat("boston", reserve="militia", money=9))
    assert "2 actions left" in refusal(state, "end")
    do(state, "pass", "take Boston")
    assert "no actions left" in refusal(state, "draft Trader")
    do(state, "retrieve", "end")
    assert (state.awaiting.side, state.awaiting.decision) == (BRITISH, Decision.DRAW)


def test_free_actions_go_before_between_and_after() -> None:
    """Rulebook, player actions: at any time of the turn, but not after the refill."""
    state = position(
        Seat(
            "home-support boston military-leader",
            reserve="militia",
            siege="port-royal: militia",
            pile="norfolk new-york philadelphia",
        )
    )
    carry_out(
        state, "retrieve", "pass", "reinforce Port Royal: Military Leader", "pass", "home support"
    )
    assert state.actions_left == 0
    carry_out(state, "withdraw Port Royal: Military Leader", "end")
    assert state.active is FRENCH


def test_the_hand_is_refilled_to_five() -> None:
    """Rulebook, playing the game: and a hand of five or more draws nothing."""
    state = position(Seat("boston norfolk"), actions=0)
    do(state, "end")
    assert state.awaiting == Awaiting(Decision.DRAW, BRITISH, amount=3)
    state = position(Seat(BRITISH_FIVE + " rangers"), actions=0)
    do(state, "end")
    assert state.awaiting == Awaiting(Decision.TURN, FRENCH)


def test_the_discard_pile_is_shuffled_only_when_a_card_must_be_drawn() -> None:
    """Rulebook, playing the game: what is left is drawn first, an emptied pile stays empty."""
    hand = "norfolk philadelphia"
    state = position(Seat(hand, pile="boston new-york", discard="rangers"), actions=0)
    do(state, "end")
    assert state.awaiting == Awaiting(Decision.DRAW, BRITISH, amount=2)
    apply(state, Draw(BRITISH, (Slot(0, 0), Slot(0, 1))))
    assert state.awaiting == Awaiting(Decision.SHUFFLE, BRITISH)
    apply(state, Shuffle(BRITISH))
    assert state.awaiting == Awaiting(Decision.DRAW, BRITISH, amount=1)
    state = position(Seat(hand, pile="boston new-york st-marys", discard="rangers"), actions=0)
    do(state, "end")
    apply(state, Draw(BRITISH, tuple(state.players[BRITISH].draw_pile)))
    assert state.awaiting == Awaiting(Decision.TURN, FRENCH)
    assert state.players[BRITISH].draw_pile == []


def test_a_side_without_cards_goes_on_with_fewer() -> None:
    """Rulebook, playing the game: where neither pile has a card, there is none to draw."""
    state = position(Seat("boston", pile=""), actions=0)
    state.players[BRITISH].locations |= set(state.players[BRITISH].discard)
    state.players[BRITISH].discard.clear()
    do(state, "end")
    assert state.active is FRENCH


def test_chance_cannot_cheat() -> None:
    """Only what is awaited can happen, with slots of the pile and cards that are unseen."""
    state = position(Seat(BRITISH_FIVE))
    for event in (Shuffle(BRITISH), Draw(BRITISH, ()), Reveal(BRITISH, Slot(0, 0), "boston")):
        before = state.key()
        with pytest.raises(ImpossibleChance):
            apply(state, event)
        assert state.key() == before
    state = position(Seat("boston norfolk new-york philadelphia"), actions=0)
    do(state, "end")
    assert legal_orders(state) == []
    assert "Cards are being drawn" in refusal(state, "pass")
    for slots in ((), (Slot(0, 0), Slot(0, 1)), (Slot(7, 0),)):
        with pytest.raises(ImpossibleChance):
            apply(state, Draw(BRITISH, slots))
    with pytest.raises(ImpossibleChance):
        apply(state, Draw(FRENCH, (Slot(0, 0),)))
    apply(state, Draw(BRITISH, (Slot(0, 0),)))
    with pytest.raises(ImpossibleChance):
        apply(state, Reveal(BRITISH, Slot(0, 0), "boston"))
    with pytest.raises(ImpossibleChance):
        apply(state, Reveal(BRITISH, Slot(0, 1), "pemaquid"))


# --- endings

NINE_TOWNS = "gaspe louisbourg port-royal tadoussac trois-rivieres montreal fort-st-john kennebec"


def before_the_turn_of(
    side: Side, british: Seat | None = None, french: Seat | None = None
) -> State:
    """The end of the turn before one of `side`; both hands full."""
    return position(
        british or Seat(hand=BRITISH_FIVE),
        french or Seat(hand=FRENCH_FIVE),
        active=side.opponent,
        actions=0,
    )


def test_all_towns_placed_ends_the_game_at_the_start_of_the_players_turn() -> None:
    """Rulebook, ending the game; ruling 23: of the player whose turn starts, and only then."""
    french = Seat(FRENCH_FIVE, towns=NINE_TOWNS)
    state = before_the_turn_of(BRITISH, french=french)
    assert state.towns_left(FRENCH) == 0
    end_turn(state)
    assert state.outcome is None
    end_turn(state)
    assert state.outcome is not None
    assert str(present(state.outcome).reason) == "the French have no towns left to place"
    assert (state.awaiting.decision, legal_orders(state)) == (Decision.OVER, [])
    assert "The game is over" in refusal(state, "pass")


def test_all_villages_placed_ends_the_game() -> None:
    """Rulebook, ending the game: villages as well as towns."""
    villages = (
        "albany baltimore canso cumberland deerfield detroit fort-beausejour fort-duquesne "
        "fort-frontenac fort-halifax fort-niagara fort-presquile halifax"
    )
    state = before_the_turn_of(BRITISH, Seat(BRITISH_FIVE, villages=villages))
    assert state.villages_left(BRITISH) == 0
    end_turn(state)
    assert state.outcome is not None
    assert str(present(state.outcome).reason) == "the British have no villages left to place"


def test_captured_pieces_count_as_placed() -> None:
    """Ruling 23: they are gone from the stock. One less, and the game goes on."""
    for placed, over in ((NINE_TOWNS, True), (NINE_TOWNS.replace(" kennebec", ""), False)):
        towns = placed.replace("gaspe ", "")
        state = before_the_turn_of(
            FRENCH, Seat(BRITISH_FIVE, captured=(0, 1)), Seat(FRENCH_FIVE, towns=towns)
        )
        end_turn(state)
        assert (state.outcome is not None) == over


@pytest.mark.parametrize(
    ("captured", "over"), [((6, 0), True), ((0, 3), True), ((2, 2), True), ((5, 0), False)]
)
def test_twelve_captured_points_end_the_game(captured: tuple[int, int], over: bool) -> None:
    """Rulebook, ending the game: 2 for a village, 4 for a town, at the captor's turn."""
    british = Seat(BRITISH_FIVE, captured=captured)
    state = before_the_turn_of(FRENCH, british)
    end_turn(state)
    assert state.outcome is None
    end_turn(state)
    assert (state.outcome is not None) == over


@pytest.mark.parametrize("end", ["towns", "captures"])
def test_a_siege_under_way_keeps_the_game_going(end: str) -> None:
    """Rulebook, ending the game; ruling 1: even a siege that this very turn start resolves."""
    french = Seat(
        FRENCH_FIVE,
        besieged="regular-infantry militia",
        towns=NINE_TOWNS if end == "towns" else "",
        captured=(6, 0) if end == "captures" else (0, 0),
    )
    state = position(Seat(BRITISH_FIVE, siege="port-royal: militia"), french, actions=0)
    end_turn(state)
    assert (state.active, state.sieges, state.outcome) == (FRENCH, {}, None)
    end_turn(state)
    assert state.outcome is None
    end_turn(state)
    assert state.outcome is not None


def test_a_home_falls_even_while_another_siege_runs() -> None:
    """Rulebook, ending the game; ruling 2: nothing else is looked at first."""
    state = position(
        Seat(BRITISH_FIVE, siege="quebec: siege-artillery regular-infantry regular-infantry"),
        Seat(FRENCH_FIVE, siege="pemaquid: militia"),
        active=FRENCH,
        actions=0,
    )
    end_turn(state)
    assert winner(state) is BRITISH
    assert "Quebec fell" in str(present(state.outcome).reason)


def test_a_player_may_resign() -> None:
    """The opponent wins, whatever the points, and only once."""
    state = position()
    resign(state, BRITISH)
    assert winner(state) is FRENCH
    with pytest.raises(ValueError, match="over"):
        resign(state, FRENCH)


# --- points


def test_points_of_the_starting_position() -> None:
    """Rulebook, ending the game: a village its points, a town twice its points."""
    state = opening()
    british, french = score(state, BRITISH), score(state, FRENCH)
    assert british.locations == {
        "boston": 4,
        "new-haven": 2,
        "new-york": 4,
        "norfolk": 2,
        "pemaquid": 2,
        "philadelphia": 2,
        "st-marys": 1,
    }
    assert british.total == 17
    assert french.locations == {
        "gaspe": 1,
        "louisbourg": 4,
        "montreal": 4,
        "port-royal": 3,
        "quebec": 12,
        "tadoussac": 2,
        "trois-rivieres": 3,
    }
    assert french.total == 29


def test_captured_pieces_score() -> None:
    """Rulebook, ending the game: 2 a village, 4 a town; fortifications nothing."""
    state = position(Seat(captured=(2, 1), villages="fort-stanwix", fortified="boston"))
    points = score(state, BRITISH)
    assert (points.villages_captured, points.towns_captured, points.captured) == (2, 1, 8)
    assert (points.locations["fort-stanwix"], points.total) == (0, 17 + 8)


def test_the_higher_total_wins_and_the_french_win_ties() -> None:
    """Rulebook, ending the game."""
    for captured, better in (((6, 0), FRENCH), ((4, 1), FRENCH), ((5, 1), BRITISH)):
        state = position(Seat(captured=captured))
        assert winner_on_points(state) is better
    state = before_the_turn_of(BRITISH, Seat(BRITISH_FIVE, captured=(6, 0)))
    end_turn(state)
    assert score(state, BRITISH).total == score(state, FRENCH).total == 29
    assert winner(state) is FRENCH


def test_a_location_is_worth_what_its_controller_makes_of_it() -> None:
    """Rulebook, ending the game: the points of Quebec are its holder's."""
    state = opening()
    state.board["quebec"] = Settlement(BRITISH)
    assert score(state, BRITISH).locations["quebec"] == 6
    assert "quebec" not in score(state, FRENCH).locations
