"""What the engine remembers of a position is what it would find out again, under any rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

from hypothesis import given

from engine.players.plans.plan import Seat
from engine.players.practice.viewpoint import Viewpoint
from engine.position import can_use, raid_distances, supplied
from engine.sides import Side
from engine.state import State
from tests.engine.arbitrary import random_game
from tests.engine.starts import ORDERS_A_GAME, SEEDS, START_NAMES, STARTS, modest


def forgetful(state: State) -> State:
    """The same position with nothing found out about it."""
    copy = state.copy()
    for found in (copy.placed, copy.supplied, copy.raids):
        found.clear()
    return copy


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_supply_and_raids_are_those_of_the_position(seed: int, start: str) -> None:
    for state in random_game(Random(seed), ORDERS_A_GAME, STARTS[start]()):
        fresh = forgetful(state)
        for side in Side:
            assert supplied(state, side) == supplied(fresh, side)
            assert raid_distances(state, side) == raid_distances(fresh, side)
            assert state.villages_left(side) == fresh.villages_left(side)
            assert state.towns_left(side) == fresh.towns_left(side)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_a_seat_remembers_what_it_would_feel_anew(seed: int, start: str) -> None:
    for number, state in enumerate(random_game(Random(seed), ORDERS_A_GAME, STARTS[start]())):
        if number % 4 or not state.decides(state.awaiting.side):
            continue
        seat = Viewpoint(state)
        asked: list[tuple[Callable[[Viewpoint, str], float], str]] = [
            *product((Viewpoint.worth, Viewpoint.need, Viewpoint.opens_up), sorted(seat.deck)),
            *product((Viewpoint.stake, Viewpoint.means, Viewpoint.relief), sorted(state.board)),
            *((Viewpoint.spoils, p) for p, s in state.board.items() if s.owner is seat.enemy),
            *product(
                (Viewpoint.siege_is_lost, Viewpoint.could_leave, Viewpoint.is_hopeless),
                sorted(siege.location for siege in state.sieges.values()),
            ),
        ]
        for feel, about in asked * 2:
            assert feel(seat, about) == feel(Viewpoint(state), about)


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_both_seats_know_which_cards_may_be_used(seed: int, start: str) -> None:
    for state in random_game(Random(seed), ORDERS_A_GAME, STARTS[start]()):
        if not state.decides(side := state.awaiting.side):
            continue
        seat, planned = Viewpoint(state), Seat(state)
        for card in state.ruleset.catalogue.cards[side]:
            assert seat.usable(card) == planned.usable(card) == can_use(state, side, card)
