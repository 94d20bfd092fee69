"""The forecast of a turn's orders, and sequences that need fewer files."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions.action import IllegalOrderError
from engine.game import legal_orders
from engine.order import Order
from engine.orders import Ambush, Convert, End, HomeSupport, Intendant, Pass, Raid, Refill, Take
from engine.sides import Side
from pbem.play.turn import Turn
from tests.play.turns import (
    ATTACKS,
    find_risky_raids,
    find_turn,
    find_wasteful_orders,
    first_legal_order,
    practice_turns,
    sequence_finder,
    take_back,
)

PASS, END = Pass(), End()
INTERRUPTING = (Raid, Ambush, Convert, HomeSupport, Refill, Intendant)


def find_turn_with(*kinds: type[Order], first_seed: int = 0) -> tuple[Turn, list[Order]]:
    """Return a turn with orders of these kinds, and the orders."""
    turn, orders = find_turn(sequence_finder(*kinds), first_seed=first_seed)
    for order in orders:
        turn.answer.order(order)
    return turn.answer, orders


def test_turn_without_attacks_needs_one_file() -> None:
    answer, _ = find_turn_with(Pass, Pass, End)
    assert answer.forecast is not None
    assert (answer.forecast.files, answer.forecast.interruptions) == ((1, 1), ())
    assert answer.better_sequence() is None


@pytest.mark.parametrize(("attack", "first_seed"), ATTACKS)
def test_turn_to_be_answered_needs_another_file(attack: type[Order], first_seed: int) -> None:
    answer, orders = find_turn_with(attack, first_seed=first_seed)
    assert answer.forecast is not None
    assert (answer.forecast.files, answer.forecast.interruptions) == ((2, 2), tuple(orders))
    assert answer.forecast.position.actions_left == 1
    answer.order(PASS)
    assert answer.forecast.files == (2, 2)
    answer.end_turn()
    assert answer.forecast.files == (1, 1)
    assert answer.better_sequence() is None


def test_home_support_is_waited_for_unless_the_turn_is_ended() -> None:
    answer, _ = find_turn_with(Pass, Pass, HomeSupport)
    answer.end_turn()
    assert answer.forecast is not None
    assert answer.forecast.files == (2, 2)
    answer.order(END)
    assert answer.forecast.files == (1, 1)


def test_home_support_ahead_interrupts_nothing_and_its_cards_can_be_played() -> None:
    for answer, _ in practice_turns("ahead"):
        ahead = answer.look.ahead
        support = first_legal_order(answer, HomeSupport)
        hand = answer.view().players[answer.side].hand
        if support is None or len(ahead) < 3:
            continue
        answer.order(support)
        drawn = [o for o in legal_orders(answer.view()) if isinstance(o, Take)]
        drawn = [o for o in drawn if o.cards[0] in ahead and o.cards[0] not in hand]
        if not drawn:
            continue
        for order in (drawn[0], PASS, END):
            answer.order(order)
        assert answer.forecast is not None
        assert (answer.forecast.files, answer.forecast.interruptions) == ((1, 1), ())
        again = answer._forecaster
        assert again is not None
        assert again.forecast([support, drawn[0], PASS, END]).files == (1, 1)
        # The cards of Home Support are not in hand before it.
        with pytest.raises(IllegalOrderError):
            again.forecast([drawn[0], support, PASS, END])
        return
    raise AssertionError("no such turn in these games")


def test_forecast_contains_the_risks() -> None:
    # In earlier games the end of the turn is uncertain too, because it draws cards.
    turn, (one, two) = find_turn(find_risky_raids, first_seed=3)
    answer = turn.answer
    for order in (one, two):
        answer.order(order)
    answer.end_turn()
    assert answer.forecast is not None
    (risk,) = answer.forecast.risks
    assert (risk.order, risk.interruption) == (two, one)
    assert risk.is_likely_safe
    assert not risk.only_cards
    assert answer.forecast.files == (1, 2)
    # The other sequence would make the first raid uncertain, so none is better.
    assert answer.better_sequence() is None


def test_sequence_that_needs_fewer_files_is_found_and_is_legal_throughout() -> None:
    turn, orders = find_turn(find_wasteful_orders, first_seed=8, edition="first")
    answer = turn.answer
    for order in orders:
        answer.order(order)
    answer.end_turn()
    before, better = answer.forecast, answer.better_sequence()
    assert before is not None
    assert better is not None
    assert sorted(map(repr, better)) == sorted(map(repr, answer.orders))
    take_back(answer)
    for order in better:
        answer.order(order)
    assert answer.forecast is not None
    assert (answer.forecast.files, before.files) == ((1, 1), (1, 2))
    assert answer.better_sequence() is None


RULES = [
    ("second", ()),
    ("first", ()),
    ("first-revised", ("blocked-raid-free", "paid-reshuffle", "ambush-reaches-sieges")),
    ("second", ("reshuffle-last", "blocked-ambush-free")),
]
GAMES = [
    pytest.param(edition, house_rules, home_support, marks=marks)
    for number, (edition, house_rules) in enumerate(RULES)
    for home_support, marks in zip(
        ("asked", "ahead") if number % 2 else ("ahead", "asked"),
        ([], [pytest.mark.long]),
        strict=True,
    )
]
"""The games by each rule; the long run adds the other form of Home Support."""


@pytest.mark.slow
@pytest.mark.parametrize("max_turns", [30, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize(("edition", "house_rules", "home_support"), GAMES)
def test_forecasts_of_tried_and_given_orders_agree(
    edition: str, house_rules: tuple[str, ...], home_support: str, max_turns: int
) -> None:
    random = Random(7)
    compared = interrupted = 0
    for answer, _ in practice_turns(home_support, 2, edition, house_rules):
        if compared == max_turns:
            break
        for _ in range(5):
            if answer.is_complete and not answer.may_follow_up:
                break
            legal = legal_orders(answer.view())
            eager = [o for o in legal if isinstance(o, INTERRUPTING)]
            answer.order(random.choice(eager or legal))
        if answer.forecast is None or not answer._forecaster:
            continue
        tried = answer._forecaster.forecast(answer._turn_orders)
        compared += 1
        interrupted += bool(tried.interruptions)
        assert tried.files == answer.forecast.files
        assert (tried.interruptions, tried.risks) == (
            answer.forecast.interruptions,
            answer.forecast.risks,
        )
    assert compared > max_turns - 10
    assert interrupted > max_turns / 6


def test_looking_at_a_follow_up_changes_nothing() -> None:
    answer, _ = find_turn_with(Raid)
    view = answer.view()
    view.actions_left = 0
    view.players[Side.BRITISH].hand.clear()
    assert answer.view().actions_left == 1
