"""The course of a turn by edition: draw piles, the refill, free actions at any time, the end.

“French” and “Italian” name the rulebooks of the first edition and of its revision, “English” that
of the second.
"""

from __future__ import annotations

import pytest

from engine import orders
from engine.chance import Draw, Shuffle
from engine.game import apply
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, State, new_game
from tests.engine.editions import FIRST, REVISED, SECOND, in_every_edition, second_but
from tests.engine.invariants import check_cards
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

in_both_first_editions = pytest.mark.parametrize("edition", [FIRST, REVISED])
PILE = ["boston", "new-york", "norfolk", "philadelphia", "pemaquid"]


def without_discards(state: State) -> None:
    """Take the British discard pile out of the game, into the available cards."""
    player = state.players[BRITISH]
    for card in player.discard:
        state.give_back(BRITISH, card)
    player.discard.clear()


def steps(state: State) -> list[str]:
    """What chance is asked for until a player decides: `draw n`, `shuffle`."""
    asked = []
    while state.awaiting.decision.is_chance:
        decision, side, _, amount, *_ = state.awaiting
        if decision is Decision.SHUFFLE:
            asked.append("shuffle")
            apply(state, Shuffle(side))
        else:
            asked.append(f"draw {amount}")
            apply(state, Draw(side, tuple(state.players[side].draw_pile[:amount])))
        check_cards(state)
    return asked


# --- Home Support


@pytest.mark.parametrize(
    ("left", "asked"),
    [
        (5, ["draw 3"]),
        (3, ["draw 3", "shuffle"]),
        (2, ["draw 2", "shuffle", "draw 1"]),
        (1, ["draw 1", "shuffle", "draw 2"]),
        (0, ["shuffle", "draw 3"]),
    ],
)
@in_both_first_editions
def test_home_support_shuffles_and_goes_on(edition: str, left: int, asked: list[str]) -> None:
    """French and Italian, Home Support: three cards in any case, itself not among the shuffled."""
    hand, pile = "home-support", " ".join(PILE[:left])
    state = position(Seat(hand, pile=pile, discard="rangers trader"), edition=edition)
    waiting = list(state.players[BRITISH].discard)
    assert len(waiting) >= 4
    do(state, "home support")
    assert (state.awaiting.card, steps(state)) == ("home-support", asked)
    player = state.players[BRITISH]
    assert player.hand_size == 3
    assert player.discard == (["home-support"] if "shuffle" in asked else [*waiting, hand])
    if "shuffle" in asked:
        assert player.unseen[1] == sorted(waiting)
        assert len(player.draw_pile) == len(waiting) - (3 - left)
    assert (state.awaiting[:2], state.actions_left) == ((Decision.TURN, BRITISH), 2)


@pytest.mark.parametrize(
    ("left", "asked"), [(3, ["draw 3"]), (2, ["draw 2"]), (1, ["draw 1"]), (0, [])]
)
def test_home_support_shuffles_nothing_in_the_second_edition(left: int, asked: list[str]) -> None:
    """English, Home Support: what is left, and the discard pile stays where it is."""
    state = position(Seat("home-support", pile=" ".join(PILE[:left])))
    do(state, "home support")
    assert steps(state) == asked


@pytest.mark.parametrize(
    ("left", "asked"),
    [(3, ["draw 3"]), (2, ["draw 2", "shuffle", "draw 1"]), (0, ["shuffle", "draw 3"])],
)
def test_the_flag_alone_makes_home_support_go_on(left: int, asked: list[str]) -> None:
    """Where the pile is shuffled when needed, three cards that empty it need no shuffle."""
    rules = second_but(home_support_reshuffles=True)
    state = position(Seat("home-support", pile=" ".join(PILE[:left])), ruleset=rules)
    do(state, "home support")
    assert steps(state) == asked


def test_home_support_draws_what_both_piles_hold() -> None:
    """French, Home Support: with fewer than three cards in all, these; then it is discarded."""
    state = position(Seat("home-support trader", pile="boston"), edition=FIRST)
    without_discards(state)
    state.discard(BRITISH, ["norfolk"])
    state.players[BRITISH].locations.discard("norfolk")
    do(state, "home support")
    assert steps(state) == ["draw 1", "shuffle", "draw 1"]
    assert state.players[BRITISH].discard == ["home-support"]
    # Nothing was left to shuffle; the next draw takes it up.
    state.actions_left = 0
    do(state, "end")
    assert (steps(state), state.active) == (["shuffle", "draw 1"], FRENCH)


@in_every_edition
def test_home_support_without_any_card_to_draw(edition: str) -> None:
    """It may be played, and does nothing but lie in the discard pile."""
    state = position(Seat("home-support", pile=""), edition=edition)
    without_discards(state)
    do(state, "home support")
    assert state.awaiting[:2] == (Decision.TURN, BRITISH)
    assert state.players[BRITISH].discard == ["home-support"]


@in_both_first_editions
def test_home_support_intendant_home_support_shuffled(edition: str) -> None:
    """French, Home Support: it lies in the discard pile afterwards, so the Intendant fetches it."""
    state = position(
        french=Seat("home-support intendant", pile="gaspe", discard="priest militia trader"),
        active=FRENCH,
        edition=edition,
    )
    carry_out(state, "home support")
    assert state.players[FRENCH].discard == ["home-support"]
    carry_out(state, "intendant Home Support", "home support")
    assert state.actions_left == 1


# --- the refill


@pytest.mark.parametrize(
    ("edition", "left", "asked"),
    [
        (SECOND, 4, ["draw 3"]),
        (SECOND, 3, ["draw 3"]),
        (SECOND, 2, ["draw 2", "shuffle", "draw 1"]),
        (SECOND, 0, ["shuffle", "draw 3"]),
        *[
            case
            for edition in (FIRST, REVISED)
            for case in (
                (edition, 4, ["draw 3"]),
                (edition, 3, ["draw 3", "shuffle"]),
                (edition, 2, ["draw 2", "shuffle", "draw 1"]),
                (edition, 0, ["shuffle", "draw 3"]),
            )
        ],
    ],
)
def test_when_the_discard_pile_is_shuffled(edition: str, left: int, asked: list[str]) -> None:
    """French and Italian, turn sequence: as soon as the pile is empty; English: for a card."""
    pile = " ".join(PILE[:left])
    state = position(
        Seat("st-marys new-haven", pile=pile, discard="militia militia militia"),
        actions=0,
        edition=edition,
    )
    do(state, "end")
    assert (steps(state), state.active, state.players[BRITISH].hand_size) == (asked, FRENCH, 5)


def test_the_flag_alone_shuffles_at_once() -> None:
    for reshuffle, asked in (("at-once", ["draw 3", "shuffle"]), ("when-needed", ["draw 3"])):
        hand, pile = "st-marys new-haven", " ".join(PILE[:3])
        rules = second_but(reshuffle=reshuffle)
        state = position(Seat(hand, pile=pile), actions=0, ruleset=rules)
        do(state, "end")
        assert steps(state) == asked


def test_nothing_is_shuffled_where_nothing_was_discarded() -> None:
    """An emptied pile waits; once a card lies on the other, the next draw or refill shuffles it."""
    state = position(Seat("st-marys new-haven", pile=" ".join(PILE[:3])), actions=0, edition=FIRST)
    without_discards(state)
    end_turn(state)
    player = state.players[BRITISH]
    assert (len(player.unseen), player.draw_pile, player.hand_size) == (1, [], 5)
    end_turn(state)
    do(state, "take Boston", "pass", "end")
    assert steps(state) == ["shuffle", "draw 1"]


@in_both_first_editions
def test_the_setup_shuffles_each_deck_once(edition: str) -> None:
    """French and Italian, setup: shuffle, draw five; the French have ten cards."""
    state = new_game(Ruleset.of(edition))
    assert steps(state) == ["shuffle", "draw 5"] * 2
    assert [len(state.players[side].draw_pile) for side in (BRITISH, FRENCH)] == [2, 5]


# --- the refill before the end of the turn


def free_refill(edition: str = FIRST, **british: str) -> State:
    """The end of a British turn of an older edition, with a hand of two."""
    defaults = {"hand": "st-marys new-haven", "pile": " ".join(PILE)}
    return position(Seat(**defaults | british), actions=0, edition=edition)  # type: ignore[arg-type]


@in_both_first_editions
def test_free_actions_follow_the_refill(edition: str) -> None:
    """French, player actions: at any time of the turn; ruled here: by an order, refill."""
    state = free_refill(
        edition, pile="home-support boston norfolk pemaquid philadelphia", discard="rangers trader"
    )
    do(state, "refill")
    assert state.awaiting[:4] == (Decision.DRAW, BRITISH, None, 3)
    state.players[BRITISH].unseen[0].sort(key=lambda card: card != "home-support")
    deal(state)
    assert (state.awaiting[:2], state.players[BRITISH].hand_size) == ((Decision.TURN, BRITISH), 5)
    carry_out(state, "home support")
    assert state.players[BRITISH].hand_size == 7
    do(state, "end")
    assert (state.active, state.players[BRITISH].hand_size) == (FRENCH, 7)


def test_the_refill_comes_once_and_after_the_actions() -> None:
    """French, course of the game: two actions, then the hand is filled up."""
    state = free_refill()
    state.actions_left = 1
    assert "1 action left" in refusal(state, "refill")
    carry_out(state, "pass", "refill")
    assert "has been refilled" in refusal(state, "refill")
    assert "no actions left" in refusal(state, "pass")
    carry_out(state, "end")
    end_turn(state)
    # In the next turn there is one again.
    do(state, "pass", "pass", "refill")


def test_the_second_edition_has_no_refill_before_the_end() -> None:
    """English, player actions: no free action after drawing cards at the end of the turn."""
    state = position(Seat("boston"), actions=0)
    assert "nothing follows the refill" in refusal(state, "refill")
    assert listed(state, orders.Refill) == set()
    assert "1 action left" in refusal(position(Seat("boston"), actions=1), "refill")
    state = position(actions=0, ruleset=second_but(free_actions_any_time=True))
    assert listed(state, orders.Refill) == {"refill"}


def test_what_free_actions_take_after_the_refill_is_not_made_up_for() -> None:
    """Ruled here: the end of the turn fills the hand no second time."""
    state = position(
        Seat(
            "military-leader new-haven norfolk boston",
            siege="port-royal: regular-infantry",
            pile="new-york philadelphia pemaquid",
        ),
        actions=0,
        edition=FIRST,
    )
    carry_out(state, "refill")
    do(state, "reinforce Port Royal: Military Leader", "end")
    assert (state.active, state.players[BRITISH].hand_size) == (FRENCH, 4)
    assert state.sieges[BRITISH].cards[BRITISH] == ["regular-infantry", "military-leader"]


def test_a_refill_with_more_than_five_cards_draws_none() -> None:
    """Ruled here: six cards stay six, and the one refill of the turn is used up."""
    state = free_refill(hand="st-marys new-haven boston norfolk trader rangers", pile="pemaquid")
    do(state, "refill")
    assert (steps(state), state.awaiting[:2]) == ([], (Decision.TURN, BRITISH))
    assert (state.players[BRITISH].hand_size, len(state.players[BRITISH].draw_pile)) == (6, 1)
    assert "has been refilled" in refusal(state, "refill")
    do(state, "end")
    assert (state.active, state.players[BRITISH].hand_size) == (FRENCH, 6)


@pytest.mark.parametrize("side", [BRITISH, FRENCH])
def test_a_siege_is_given_up_after_the_refill(side: Side) -> None:
    """French, withdrawing: a free action of the besieger or the defender."""
    if side is BRITISH:
        seat = Seat("boston norfolk", siege="militia")
    else:
        seat = Seat("quebec montreal", besieged="militia")
    state = position(
        seat if side is BRITISH else Seat(siege="militia"),
        seat if side is FRENCH else Seat(besieged="militia"),
        active=side,
        besieging={BRITISH: "port-royal"},
        actions=0,
        edition=FIRST,
    )
    carry_out(state, "refill")
    do(state, "withdraw Port Royal: Militia")
    if side is FRENCH:
        assert state.awaiting[:2] == (Decision.WITHDRAWAL_SPOILS, BRITISH)
        do(state, "leave Port Royal")
    assert (state.awaiting[:2], state.sieges) == ((Decision.TURN, side), {})
    do(state, "end")
    assert state.active is not side


def test_the_losers_card_is_chosen_after_the_refill() -> None:
    """Ruling 3: at the end of the turn; nothing is drawn after it where the hand was refilled."""
    state = position(
        Seat(
            siege="port-royal: siege-artillery regular-infantry regular-infantry regular-infantry"
        ),
        Seat("military-leader", besieged="regular-infantry militia"),
        active=FRENCH,
        actions=0,
        edition=FIRST,
    )
    carry_out(state, "refill")
    # What a free action adds to the siege can be the card that is lost.
    do(state, "reinforce Port Royal: Military Leader", "end")
    assert state.awaiting[:3] == (Decision.LOSERS_CARD, FRENCH, "port-royal")
    assert listed(state, orders.Lose) == {
        "lose port-royal: militia",
        "lose port-royal: military-leader",
        "lose port-royal: regular-infantry",
    }
    before = state.players[FRENCH].hand_size
    do(state, "lose Port Royal: Military Leader")
    assert state.awaiting[:2] == (Decision.SIEGE_SPOILS, BRITISH)
    assert state.players[FRENCH].hand_size == before == 4
    do(state, "leave Port Royal")
    assert state.players[FRENCH].empire["military-leader"] == 1


def test_a_refill_that_empties_the_pile_shuffles_before_free_actions() -> None:
    """French, course of the game: at once, so Home Support draws from the new pile."""
    state = free_refill(hand="home-support new-haven", pile=" ".join(PILE[:3]), discard="rangers")
    do(state, "refill")
    assert steps(state) == ["draw 3", "shuffle"]
    do(state, "home support")
    assert steps(state) == ["draw 3"]
    do(state, "end")
    assert (steps(state), state.active) == ([], FRENCH)


def test_the_shuffle_at_the_very_end_comes_after_the_free_actions() -> None:
    """House rule reshuffle-last in the first edition: a refill before the end does not skip it."""
    state = position(
        Seat("st-marys new-haven trader", pile="boston norfolk"),
        actions=0,
        edition=FIRST,
        house_rules=["reshuffle-last"],
    )
    do(state, "refill")
    assert (steps(state), state.awaiting[:2]) == (["draw 2"], (Decision.TURN, BRITISH))
    do(state, "end")
    assert (steps(state), state.active) == (["shuffle"], FRENCH)
    assert state.players[BRITISH].hand_size == 5
