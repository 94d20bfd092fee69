"""What the engine tells of an order, so that nobody has to know the position to report it."""

from __future__ import annotations

from typing import TypeVar

import pytest

from engine.chance import Draw
from engine.events import (
    CardConverted,
    CardGivenUp,
    Developed,
    Drew,
    Event,
    RaidSucceeded,
    Refilled,
    Settled,
    SiegeStands,
    TownReduced,
)
from engine.game import apply
from engine.scoring import score
from engine.siege import siege_strength
from engine.state import State
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position

EventT = TypeVar("EventT", bound=Event)


def told(events: list[Event], kind: type[EventT]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]


def to_expand(hand: str, villages: str = "") -> State:
    return position(Seat(hand=hand, villages=villages))


@pytest.mark.parametrize(
    ("hand", "order", "kind"),
    [
        ("new-haven st-marys boston", "settle Deerfield: New Haven, St. Mary's, Boston", Settled),
        ("new-haven st-marys", "develop New Haven: St. Mary's", Developed),
    ],
)
def test_what_a_piece_is_worth(hand: str, order: str, kind: type[Settled | Developed]) -> None:
    """A village the points of its location, a town twice as many: what the score shows after it."""
    state = to_expand(hand, villages="new-haven")
    (event,) = told(do(state, order), kind)
    assert event.points == score(state, BRITISH).locations[event.location] > 0


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
        events = do(state, order)
        stands = SiegeStands(BRITISH, "louisbourg", siege_strength(state, BRITISH))
        assert told(events, SiegeStands) == [stands]
    do(state, "end")
    while state.active is BRITISH:
        slots = tuple(state.players[BRITISH].draw_pile[: state.awaiting.amount])
        apply(state, Draw(BRITISH, slots))
    events = do(state, "reinforce Louisbourg: Militia")
    stands = SiegeStands(BRITISH, "louisbourg", siege_strength(state, BRITISH))
    assert told(events, SiegeStands) == [stands]


@pytest.mark.parametrize(("captured", "left"), [(0, True), (13, False)])
def test_whether_a_raided_town_leaves_a_village(captured: int, left: bool) -> None:
    """Ruling 13: where a village is in stock."""
    state = position(
        Seat(towns="deerfield"),
        Seat(hand="coureurs-de-bois", villages="kennebec", captured=(captured, 0)),
        active=FRENCH,
    )
    events = do(state, "raid Deerfield: Coureurs de Bois", "allow")
    raided = RaidSucceeded(FRENCH, "deerfield", is_town=True, points=4)
    assert told(events, RaidSucceeded) == [raided]
    assert told(events, TownReduced) == [TownReduced(BRITISH, "deerfield")] * left
    assert ("deerfield" in state.board) is left


def test_who_gets_a_card_that_was_given_up() -> None:
    """An ambush makes it available again, a conversion gives it to the other side."""
    natives = "neutral-native-americans"
    state = position(Seat(hand=natives), Seat(hand="priest"), active=FRENCH)
    events = do(state, "convert Priest", "give Neutral Native Americans")
    assert events == [CardConverted(BRITISH, natives)]
    state = position(Seat(hand="militia"), Seat(hand="coureurs-de-bois"), active=FRENCH)
    events = do(state, "ambush Coureurs de Bois", "give Militia")
    assert events == [CardGivenUp(BRITISH, None, "militia")]


def test_cards_drawn_at_the_end_of_a_turn_refill_the_hand() -> None:
    """Those that Home Support draws do not."""
    state = position(Seat(hand="home-support boston"), actions=0)
    do(state, "home support")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:3]))) == [Drew(BRITISH, 3)]
    do(state, "end")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:1])))[0] == Refilled(BRITISH, 1)
