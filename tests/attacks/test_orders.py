"""Orders: against the rules of the game, out of turn, too many, too few.

docs/protocol.md, The exchange. tests/engine tests the rules themselves.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Allow, Ambush, Besiege, Convert, Draft, End, Raid, Settle, Withdraw
from engine.sides import Side
from engine.state import State
from pbem.protocol import steps
from tests.attacks.cheats import (
    add_record,
    change_step,
    check_refused,
    drop_step,
    find_step,
    forge,
    run_program,
)
from tests.attacks.positions import find_attacked, find_owed_steps, find_record_with, play_passes
from tests.play.matches import Chooser, answer, begin

BARRING = ("position", "actions.raids")
RAIDERS = {"coureurs-de-bois", "native-americans", "neutral-native-americans", "rangers"}


def no_siege(state: State, besieger: Side) -> set[str]:
    """Replace `blocking_siege_locations` by rules in which sieges bar no raid."""
    return set()


def test_unknown_card_is_refused() -> None:
    match = find_record_with(2, steps.OrderStep, steps.DrawStep)
    records = forge(match, change_step(steps.OrderStep, order="draft rangers-and-more"))
    check_refused(records, "rules of the game", "no card called")


def test_money_and_cards_that_a_player_lacks_cannot_be_spent() -> None:
    match = find_record_with(2, steps.OrderStep, steps.DrawStep)
    owed = [s for s in match.last.steps if isinstance(s, (steps.OpenLists, steps.Grant))]
    twice = [steps.OrderStep("draft siege-artillery")] * 2
    check_refused(forge(match, lambda _: [*owed, *twice]), "rules of the game", "not legal")


def test_order_for_a_card_of_the_other_side_is_refused() -> None:
    """Only the other side has this card."""
    match = play_passes()
    british = match.next_side is Side.BRITISH
    order = steps.OrderStep("draft bateaux" if british else "draft pemaquid")
    check_refused(add_record(match, [order]), "rules of the game", "not legal")


def test_order_in_another_spelling_is_refused() -> None:
    """Two forms of one turn would have two hashes, and allow a choice of draws."""
    match = find_record_with(2, steps.OrderStep)
    check_refused(
        forge(match, change_step(steps.OrderStep, order="PASS")), "rules of the game", "no order"
    )


def test_turn_of_three_actions_is_refused() -> None:
    three = forge(play_passes(), lambda honest: [steps.OrderStep("pass"), *honest])
    check_refused(three, "rules of the game", "no actions left")


def test_incomplete_turn_is_refused() -> None:
    check_refused(
        forge(play_passes(), lambda honest: honest[:1]), "order of steps", "still owes: turn"
    )


def raids_into_a_siege(order: Order, state: State) -> bool:
    return isinstance(order, Raid) and state.besieger(order.target) is not None


def keen_to_raid_a_siege(random: Random) -> Chooser:
    """Return a chooser that prefers raids and sieges at besieged places."""

    def keenness(order: Order, state: State) -> int:
        preferences = (
            raids_into_a_siege(order, state),
            isinstance(order, Besiege),
            isinstance(order, Draft) and order.card in RAIDERS,
            isinstance(order, End | Allow),
            not isinstance(order, Withdraw | Settle),
        )
        return preferences.index(True) if any(preferences) else len(preferences)

    def choose(state: State) -> Order:
        legal = legal_orders(state)
        most = min(keenness(order, state) for order in legal)
        return random.choice([order for order in legal if keenness(order, state) == most])

    return choose


def test_raid_into_a_siege_is_refused_since_ruling_12() -> None:
    """An old game with such a raid is refused, with a sentence about raids into sieges."""
    match, orders_given = begin(35, lists=2), list[bool]()
    keen = keen_to_raid_a_siege(Random(35))

    def choose(state: State) -> Order:
        order = keen(state)
        orders_given.append(raids_into_a_siege(order, state))
        return order

    with run_program({f"engine.{room}.blocking_siege_locations": no_siege for room in BARRING}):
        while not any(orders_given):
            assert match.state.turn < 10
            match = answer(match, choose, 35)
    check_refused(
        list(match.records), "rules of the game", "nobody raids into a siege, not even the besieger"
    )


def test_order_in_the_opponents_turn_is_refused() -> None:
    """One record contains two turns."""
    extra = forge(play_passes(), lambda honest: [*honest, *honest])
    check_refused(extra, "order of steps", "not its author's")


@pytest.mark.parametrize("order", ["allow", "block militia", "show-hand", "give ships"])
def test_answer_without_an_attack_is_refused(order: str) -> None:
    check_refused(
        add_record(play_passes(), [steps.OrderStep(order)]), "rules of the game", "does not answer"
    )


@pytest.mark.parametrize("kind", [Raid, Ambush, Convert])
def test_turn_instead_of_the_answer_is_refused(kind: type) -> None:
    match, seed = find_attacked(kind)
    own_turn = [*find_owed_steps(match, seed), steps.OrderStep("pass")]
    check_refused(
        add_record(match, own_turn, seed=seed), "rules of the game", "does not answer what is asked"
    )


def test_second_answer_to_one_attack_is_refused() -> None:
    match, seed = find_attacked(Raid)
    twice = [*find_owed_steps(match, seed), *[steps.OrderStep("allow")] * 2]
    check_refused(add_record(match, twice, seed=seed), "order of steps", "not its author's")


# --- draws and shuffles


def test_skipped_refill_is_refused() -> None:
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    check_refused(forge(match, drop_step(steps.DrawStep)), "order of steps", "still owes: draw")


@pytest.mark.parametrize("extra", [-1, 1])
def test_refill_to_six_or_four_is_refused(extra: int) -> None:
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    _, draw = find_step(steps.DrawStep, match.last.steps)
    count = draw.count + extra
    if count:
        records = forge(match, change_step(steps.DrawStep, count=count))
        check_refused(records, "order of steps", "are due")


def test_draw_that_is_not_due_is_refused() -> None:
    check_refused(
        forge(play_passes(), lambda honest: [*honest, steps.DrawStep(1)]),
        "order of steps",
        "not due",
    )
    check_refused(
        forge(play_passes(), lambda honest: [steps.DrawStep(1), *honest]),
        "order of steps",
        "not due",
    )


def test_steps_after_a_draw_that_awaits_its_grant_are_refused() -> None:
    """Two draws in one record would be granted together, which fits no game."""
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    _, draw = find_step(steps.DrawStep, match.last.steps)
    assert match.decks[Side(match.last.side)].wanted_slot_count
    shuffle = steps.ShuffleStep(1, ("a",), bytes(32))
    for extra in (draw, steps.OrderStep("pass"), steps.OrderStep("end"), shuffle):
        records = forge(match, lambda t, m=extra: [*t, m])  # type: ignore[misc]
        check_refused(records, "order of steps", "nothing follows")


def test_shuffling_cards_outside_the_pile_is_refused() -> None:
    match = find_record_with(5, steps.ShuffleStep, steps.OrderStep)
    _, shuffle = find_step(steps.ShuffleStep, match.last.steps)
    better = tuple(sorted([*shuffle.cards[1:], "siege-artillery"]))
    for cards in (better, shuffle.cards[1:], (shuffle.cards[0], *shuffle.cards)):
        records = forge(match, change_step(steps.ShuffleStep, cards=cards))
        check_refused(records, "shuffled cards", "discard pile")


def test_shuffle_with_a_wrong_number_is_refused() -> None:
    match = find_record_with(5, steps.ShuffleStep, steps.OrderStep)
    check_refused(forge(match, change_step(steps.ShuffleStep, epoch=99)), "blind deck", "shuffle")


def test_shuffle_before_the_pile_has_run_out_is_refused() -> None:
    """A player who dislikes the rest of the pile shuffles early."""
    match = find_record_with(4, steps.DrawStep, absent=(steps.ShuffleStep,))
    assert match.decks[Side(match.last.side)].undrawn
    index, _ = find_step(steps.DrawStep, match.last.steps)
    cards = tuple(sorted(match.state.players[Side(match.last.side)].discard)) or ("boston",)
    again = steps.ShuffleStep(1, cards, bytes(32))
    records = forge(match, lambda t: [*t[:index], again, *t[index:]])
    check_refused(records, "blind deck", "only when the draw pile has run out")
