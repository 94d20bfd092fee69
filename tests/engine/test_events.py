"""What the engine tells of an order, so that nobody has to know the position to report it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import TypeVar

import pytest

from engine.chance import Draw
from engine.events import (
    CardConverted,
    CardGivenUp,
    CardLost,
    CardsCameBack,
    Developed,
    Drew,
    Event,
    RaidSucceeded,
    Refilled,
    Settled,
    SiegeStands,
    TownReduced,
)
from engine.game import apply, legal_orders
from engine.order import Order
from engine.orders import ORDERS, Keep, Refill
from engine.position import score, siege_strength
from engine.sides import Side
from engine.state import State, new_game
from tests.engine.arbitrary import lively
from tests.engine.house_rule_positions import HOUSE_POSITIONS, random_rules
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, do, position, two_sieges_won

EventT = TypeVar("EventT", bound=Event)


def told(events: list[Event], kind: type[EventT]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]


def to_expand(hand: str, villages: str = "") -> State:
    return position(Seat(hand, villages=villages))


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
        Seat("halifax ships siege-artillery regular-infantry", villages="halifax"),
        Seat("louisbourg port-royal militia gaspe"),
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
        Seat("coureurs-de-bois", villages="kennebec", captured=(captured, 0)),
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
    state = position(Seat(natives), Seat("priest"), active=FRENCH)
    events = do(state, "convert Priest", "give Neutral Native Americans")
    assert events == [CardConverted(BRITISH, natives)]
    state = position(Seat("militia"), Seat("coureurs-de-bois"), active=FRENCH)
    events = do(state, "ambush Coureurs de Bois", "give Militia")
    assert events == [CardGivenUp(BRITISH, None, "militia")]


def test_cards_drawn_at_the_end_of_a_turn_refill_the_hand() -> None:
    """Those that Home Support draws do not."""
    state = position(Seat("home-support boston"), actions=0)
    do(state, "home support")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:3]))) == [Drew(BRITISH, 3)]
    do(state, "end")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:1])))[0] == Refilled(BRITISH, 1)


# --- nothing goes untold


Given = tuple[State, Order, State, list[Event]]
"""The position before an order, the order, the position after it, and what was told of it."""


@cache
def given() -> list[Given]:
    """What was ordered in games of lively play, under all kinds of rules."""
    starts = [new_game(random_rules(Random(seed), seed / 24)) for seed in range(13)]
    rare = [*[two_sieges_won] * 6, *HOUSE_POSITIONS.values()]
    starts += [position_of() for position_of in rare]
    return [one for seed, start in enumerate(starts) for one in _given(Random(seed), start)]


def _given(random: Random, state: State) -> Iterator[Given]:
    for _ in range(120):
        deal(state, random)
        choices = legal_orders(state)
        if not choices:
            return
        before, order = state.copy(), lively(random, choices)
        events = apply(state, order)
        yield before, order, state.copy(), events


def test_every_order_is_followed_by_something_that_happened() -> None:
    """But for keeping what one has, and for a refill of a hand that is full."""
    silent = {type(order) for _, order, _, events in given() if not events}
    assert silent <= {Keep, Refill}
    assert len({type(order) for _, order, _, _ in given()}) > len(ORDERS) - 3


def test_each_card_of_a_siege_that_ended_is_told_with_where_it_went() -> None:
    """To the discard pile of whoever had sent it, or, as the price, to the available cards."""
    ended = 0
    for before, _, _, events in given():
        places = {e.location for e in told(events, CardLost)}
        places |= {e.location for e in told(events, CardsCameBack)}
        assert all(before.besieger(place) is not None for place in places)
        for siege in before.sieges.values():
            place = siege.location
            if not any(getattr(e, "location", "") == place for e in told(events, CardsCameBack)):
                continue
            ended += 1
            for side in Side:
                here = [e for e in events if e.side is side and getattr(e, "location", "") == place]
                paid = Counter(e.card for e in told(here, CardLost))
                back = Counter(c for e in told(here, CardsCameBack) for c in e.cards)
                assert back + paid == Counter(siege.cards[side])
    assert ended > 10


def test_the_piles_grow_by_the_cards_that_are_told_to_come_back() -> None:
    for before, _, after, events in given():
        for event in told(events, CardsCameBack):
            grown = Counter(after.players[event.side].discard)
            grown -= Counter(before.players[event.side].discard)
            assert Counter(event.cards) <= grown


def test_a_siege_without_a_card_left_gives_none_back() -> None:
    assert all(e.cards for _, _, _, events in given() for e in told(events, CardsCameBack))
