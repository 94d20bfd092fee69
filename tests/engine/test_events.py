"""What the engine tells of an order, so that nobody has to know the position to report it."""

from __future__ import annotations

import pytest

from engine.chance import Draw
from engine.game import apply
from engine.scoring import score
from engine.sieges import siege_strength
from engine.state import Event, State
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position


def told(events: list[Event], what: str) -> list[Event]:
    return [event for event in events if event.what == what]


def to_expand(hand: str, **more: str) -> State:
    return position(Seat(hand=hand, **more))


@pytest.mark.parametrize(
    ("hand", "order", "what"),
    [
        ("new-haven st-marys boston", "settle Deerfield: New Haven, St. Mary's, Boston", "settled"),
        ("new-haven st-marys", "develop New Haven: St. Mary's", "developed"),
    ],
)
def test_what_a_piece_is_worth(hand: str, order: str, what: str) -> None:
    """A village the points of its location, a town twice as many: what the score shows after it."""
    state = to_expand(hand, villages="new-haven")
    (event,) = told(do(state, order), what)
    assert event.location is not None
    assert event.amount == score(state, BRITISH).locations[event.location] > 0


def test_how_a_siege_stands_is_told_with_every_card() -> None:
    """The marker of the besieger, whoever played the card."""
    state = position(
        Seat(hand="halifax ships siege-artillery regular-infantry", villages="halifax"),
        Seat(hand="louisbourg port-royal militia gaspe"),
    )
    for order in (
        "besiege Louisbourg: Halifax, Ships, Siege Artillery",
        "reinforce Louisbourg: Regular Infantry",
    ):
        (event,) = told(do(state, order), "siege stands")
        assert event[1:4] == (BRITISH, "louisbourg", ())
        assert event.amount == siege_strength(state, BRITISH)
    do(state, "end")
    while state.active is BRITISH:
        slots = tuple(state.players[BRITISH].draw_pile[: state.awaiting.amount])
        apply(state, Draw(BRITISH, slots))
    (event,) = told(do(state, "reinforce Louisbourg: Militia"), "siege stands")
    assert event[1:] == (BRITISH, "louisbourg", (), siege_strength(state, BRITISH))


@pytest.mark.parametrize(("captured", "left"), [(0, True), (13, False)])
def test_whether_a_raided_town_leaves_a_village(captured: int, left: bool) -> None:
    """Ruling 13: where a village is in stock."""
    state = position(
        Seat(towns="deerfield"),
        Seat(hand="coureurs-de-bois", villages="kennebec", captured=(captured, 0)),
        active=FRENCH,
    )
    events = do(state, "raid Deerfield: Coureurs de Bois", "allow")
    assert told(events, "raid succeeded") == [
        Event("raid succeeded", FRENCH, "deerfield", amount=4),
    ]
    assert told(events, "town reduced") == [Event("town reduced", BRITISH, "deerfield")] * left
    assert ("deerfield" in state.board) is left


def test_who_gets_a_card_that_was_given_up() -> None:
    """An ambush makes it available again, a conversion gives it to the other side."""
    natives = "neutral-native-americans"
    state = position(Seat(hand=natives), Seat(hand="priest"), active=FRENCH)
    events = do(state, "convert Priest", "give Neutral Native Americans")
    assert events == [Event("card converted", BRITISH, cards=(natives,))]
    state = position(Seat(hand="militia"), Seat(hand="coureurs-de-bois"), active=FRENCH)
    events = do(state, "ambush Coureurs de Bois", "give Militia")
    assert events == [Event("card given up", BRITISH, cards=("militia",))]


def test_cards_drawn_at_the_end_of_a_turn_refill_the_hand() -> None:
    """Those that Home Support draws do not."""
    state = position(Seat(hand="home-support boston"), actions=0)
    do(state, "home support")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:3]))) == [Event("drew", BRITISH, amount=3)]
    do(state, "end")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:1])))[0] == Event("refilled", BRITISH, amount=1)
