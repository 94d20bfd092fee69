"""The events of an order, which are enough to report it without the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import TypeVar

import pytest

from engine.chance import Draw
from engine.events import CardLost, CardsCameBack, Drew, Event, Refilled
from engine.game import apply, legal_orders
from engine.order import Order
from engine.orders import ORDERS, Keep, Refill
from engine.sides import Side
from engine.state import State, new_game
from tests.engine.arbitrary import choose_lively
from tests.engine.house_rule_positions import HOUSE_POSITIONS, random_rules
from tests.engine.positions import BRITISH, Seat, deal, do, position, two_sieges_won

EventT = TypeVar("EventT", bound=Event)


def events_of_kind(events: list[Event], kind: type[EventT]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]


def test_cards_drawn_at_the_end_of_a_turn_refill_the_hand() -> None:
    """Cards drawn by Home Support do not count as a refill."""
    state = position(Seat("home-support boston"), actions=0)
    do(state, "home support")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:3]))) == [Drew(BRITISH, 3)]
    do(state, "end")
    pile = state.players[BRITISH].draw_pile
    assert apply(state, Draw(BRITISH, tuple(pile[:1])))[0] == Refilled(BRITISH, 1)


# --- all orders of random games


Step = tuple[State, Order, State, list[Event]]
"""The position before an order, the order, the position after it, and the events."""


@cache
def steps() -> list[Step]:
    """Return the orders of games of lively play, under all kinds of rules."""
    starts = [new_game(random_rules(Random(seed), seed / 24)) for seed in range(13)]
    rare = [*[two_sieges_won] * 6, *HOUSE_POSITIONS.values()]
    starts += [position_of() for position_of in rare]
    return [step for seed, start in enumerate(starts) for step in _steps(Random(seed), start)]


def _steps(random: Random, state: State) -> Iterator[Step]:
    for _ in range(120):
        deal(state, random)
        choices = legal_orders(state)
        if not choices:
            return
        before, order = state.copy(), choose_lively(random, choices)
        events = apply(state, order)
        yield before, order, state.copy(), events


@pytest.mark.slow
def test_every_order_has_an_event() -> None:
    """`keep` and a refill of a full hand cause no event."""
    silent = {type(order) for _, order, _, events in steps() if not events}
    assert silent <= {Keep, Refill}
    assert len({type(order) for _, order, _, _ in steps()}) > len(ORDERS) - 3


def test_each_card_of_a_finished_siege_has_an_event() -> None:
    """Cards go to the discard pile of their side, or the loser's card to the available cards."""
    ended = 0
    for before, _, _, events in steps():
        places = {e.location for e in events_of_kind(events, CardLost)}
        places |= {e.location for e in events_of_kind(events, CardsCameBack)}
        assert all(before.besieger(place) is not None for place in places)
        for siege in before.sieges.values():
            place = siege.location
            if not any(
                getattr(e, "location", "") == place for e in events_of_kind(events, CardsCameBack)
            ):
                continue
            ended += 1
            for side in Side:
                here = [e for e in events if e.side is side and getattr(e, "location", "") == place]
                paid = Counter(e.card for e in events_of_kind(here, CardLost))
                back = Counter(c for e in events_of_kind(here, CardsCameBack) for c in e.cards)
                assert back + paid == Counter(siege.cards[side])
    assert ended > 10


def test_piles_grow_by_the_cards_that_come_back() -> None:
    for before, _, after, events in steps():
        for event in events_of_kind(events, CardsCameBack):
            grown = Counter(after.players[event.side].discard)
            grown -= Counter(before.players[event.side].discard)
            assert Counter(event.cards) <= grown


def test_siege_without_a_card_left_gives_none_back() -> None:
    assert all(
        e.cards for _, _, _, events in steps() for e in events_of_kind(events, CardsCameBack)
    )
