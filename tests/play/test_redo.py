"""Orders taken back and given again lead to the position of the orders alone."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions.action import IllegalOrderError
from engine.order import Order
from engine.orders import Settle
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from tests.cli.positions import random_match
from tests.play.matches import begin
from tests.play.turns import begin_record
from tests.signing import finish


def replay_orders(match: Match, seed: int, orders: list[Order]) -> Turn:
    answer = begin_record(match, seed)
    for order in orders:
        answer.order(order)
    return answer


@pytest.mark.parametrize("seed", range(6))
def test_random_undo_and_redo_round_trip(seed: int) -> None:
    random = Random(seed)
    match = random_match(random, seed)
    for _ in range(4):
        answer = begin_record(match, seed)
        done: list[Order] = []
        taken_back: list[Order] = []
        for _ in range(20):
            chosen = random.random()
            if chosen < 0.5 and not answer.takes_no_order:
                done.append(random.choice(answer.legal_orders()))
                taken_back.clear()
                answer.order(done[-1])
            elif chosen < 0.75:
                undone = answer.undo()
                assert undone == (done[-1] if done else None)
                taken_back += [done.pop()] if done else []
            else:
                order = answer.redo()
                assert order == (taken_back[-1] if taken_back else None)
                done += [taken_back.pop()] if taken_back else []
            assert (answer.undo_stack, answer.redo_stack) == (tuple(done), tuple(taken_back))
        assert answer.view() == replay_orders(match, seed, done).view()
        while not answer.is_complete:
            answer.order(random.choice(answer.legal_orders()))
        alone = replay_orders(match, seed, [*answer.orders])
        assert answer.finish().hash == alone.finish().hash
        match, _ = finish(answer, answer.identity)


def test_illegal_order_changes_nothing() -> None:
    answer, wrong = begin_record(begin(1, lists=2), 1), Settle("quebec", ("boston", "boston"))
    before, order = answer.view(), answer.legal_orders()[0]
    answer.order(order)
    answer.undo()
    with pytest.raises(IllegalOrderError):
        answer.order(wrong)
    assert (answer.undo_stack, answer.redo_stack, answer.view()) == ((), (order,), before)
    answer.redo_stack = (wrong,)
    with pytest.raises(IllegalOrderError):
        answer.redo()
    assert (answer.undo_stack, answer.redo_stack, answer.view()) == ((), (wrong,), before)
