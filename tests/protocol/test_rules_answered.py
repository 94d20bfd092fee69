"""House rules in records and files: required answers, forfeits and choices."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import (
    Ambush,
    Block,
    End,
    Exchange,
    Forfeit,
    Give,
    GiveFromReserve,
    GiveFromSiege,
    Keep,
    Pass,
    Refill,
    ShowHand,
)
from engine.ruleset import HAND_SIZE
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import StepError
from pbem.protocol import steps
from tests.play.matches import Chooser, any_order
from tests.play.rule_games import (
    REPLIES,
    Condition,
    find_draft,
    give_order,
    grants_of,
    half_reckless,
    next_proved_draft,
    pass_turn,
    pile_size,
    step_kinds,
    steps_from,
    turn_state,
)
from tests.play.turns import begin_record, legal_orders_of
from tests.seats import NextRecord
from tests.signing import end

FIRST, SECOND = "first", "second"
PASS, END = Pass(), End()


def awaits(draft: NextRecord, decision: Decision) -> bool:
    """Return whether the author has to make that decision now."""
    return draft.match.state.awaiting[:2] == (decision, draft.seat.side)


# --- ambushes on open cards


def locations(state: State, cards: list[str]) -> list[str]:
    return [card for card in cards if card in state.ruleset.catalogue.locations]


def ambushed_with_locations(draft: NextRecord) -> bool:
    """Return whether the record answers an ambush on a side with locations in its reserve."""
    reserve = draft.match.state.players[draft.seat.side].reserve
    return awaits(draft, Decision.AMBUSH_REPLY) and bool(locations(draft.match.state, reserve))


@pytest.mark.parametrize(("edition", "rules"), [(FIRST, ()), (SECOND, ("locations-in-reserve",))])
def test_ambush_takes_from_reserves_with_locations(edition: str, rules: tuple[str, ...]) -> None:
    """A card in the reserve needs no showing, and a location card is never lost."""
    draft, seed = find_draft(
        lambda draft, _: ambushed_with_locations(draft) and legal_orders_of(draft, GiveFromReserve),
        edition,
        *rules,
        first_seed=6 if rules else 5,
    )
    side = draft.seat.side
    before = draft.match.state.players[side].reserve.copy()
    order = give_order(draft, GiveFromReserve)
    assert "open" not in step_kinds(draft)
    assert not locations(draft.match.state, list(order.cards))
    after = draft.match.state.players[side].reserve
    assert sorted([*after, *order.cards]) == sorted(before)
    next_proved_draft(pass_turn(draft), seed)


def test_hand_is_shown_if_the_reserve_has_only_locations() -> None:
    def shows(draft: NextRecord, _: int) -> bool:
        is_ambushed = ambushed_with_locations(draft) and len(draft.seat.hidden_cards()) > 1
        return is_ambushed and not legal_orders_of(draft, Block, Give, GiveFromReserve)

    draft, seed = find_draft(shows, FIRST, first_seed=86)
    hidden = len(draft.seat.hidden_cards())
    draft.order(ShowHand())
    assert step_kinds(draft).count("open") == hidden
    next_proved_draft(pass_turn(draft), seed)


def ambushed_at_a_siege(draft: NextRecord, _: int) -> bool:
    """Return whether a card at a siege can answer an ambush, with hidden cards in hand."""
    is_ambushed = awaits(draft, Decision.AMBUSH_REPLY) and bool(draft.seat.hidden_cards())
    return is_ambushed and bool(legal_orders_of(draft, GiveFromSiege))


def test_ambush_takes_a_card_from_a_siege() -> None:
    draft, seed = find_draft(ambushed_at_a_siege, SECOND, "ambush-reaches-sieges", first_seed=4)
    before = sieges(draft.match.state)
    order = give_order(draft, GiveFromSiege)
    assert "open" not in step_kinds(draft)
    assert sorted([*sieges(draft.match.state), *order.cards]) == before
    next_proved_draft(pass_turn(draft), seed)


def sieges(state: State) -> list[str]:
    return sorted(c for s in state.sieges.values() for side in Side for c in s.cards[side])


def test_card_at_a_siege_is_not_shown_from_the_hand() -> None:
    draft, _ = find_draft(ambushed_at_a_siege, SECOND, "ambush-reaches-sieges", first_seed=4)
    order = legal_orders_of(draft, GiveFromSiege)[0]
    slot, (card, nonce) = next(iter(draft.seat.hidden_cards().items()))
    draft.take(steps.Open(slot, card, nonce))
    with pytest.raises(StepError, match="does not need"):
        draft.take(steps.OrderStep(order.notation()))


def test_announced_turn_goes_on_without_the_card_from_the_siege() -> None:
    """The ambush is answered with a card of a siege, after the rest of the turn was announced."""

    def announces(draft: NextRecord, seed: int) -> bool:
        if turn_state(draft, 2) is None or not (ambushes := legal_orders_of(draft, Ambush)):
            return False
        for order in (ambushes[0], PASS, END):
            draft.order(order)
        end(draft)
        return "open" in step_kinds(draft) and bool(
            legal_orders_of(begin_record(draft.match, seed), GiveFromSiege)
        )

    draft, seed = find_draft(announces, SECOND, "ambush-reaches-sieges")
    answer = begin_record(draft.match, seed)
    give_order(answer, GiveFromSiege)
    assert not answer.match.dropped
    assert answer.match.state.active is answer.side
    next_proved_draft(pass_turn(answer), seed)


# --- shuffles that cost money


def test_unpaid_shuffle_is_paid_by_discards_after_the_grant() -> None:
    """The record after the grant discards cards to pay for the shuffle."""
    draft, seed = find_draft(
        lambda draft, _: awaits(draft, Decision.FORFEIT) and "open-lists" in step_kinds(draft),
        SECOND,
        "paid-reshuffle",
        players=any_order,
    )
    side = draft.seat.side
    assert draft.match.state.players[side].hand_size == 5
    order = give_order(draft, Forfeit)
    assert len(order.cards) == 2
    assert step_kinds(draft)[-1] == "order"
    assert step_kinds(draft).count("open") <= 2
    answer = next_proved_draft(draft, seed)
    assert answer.match.state.active is side.opponent
    assert answer.match.state.players[side].hand_size == 3
    next_proved_draft(pass_turn(answer), seed)


def find_unpaid(*orders: Order) -> Condition:
    """Return a condition for a turn whose shuffle cannot be paid."""

    def condition(draft: NextRecord, _: int) -> bool:
        if turn_state(draft, 2) is None or draft.match.state.players[draft.seat.side].money:
            return False
        for order in orders:
            draft.order(order)
        return awaits(draft, Decision.FORFEIT)

    return condition


def test_immediate_shuffle_is_paid_in_one_record() -> None:
    draft, seed = find_draft(
        find_unpaid(PASS, PASS, END), FIRST, "paid-reshuffle", players=any_order
    )
    assert step_kinds(draft)[-1] == "shuffle"
    give_order(draft, Forfeit)
    assert draft.match.state.active is draft.seat.side.opponent
    next_proved_draft(draft, seed)


def test_after_an_attack_an_unpaid_shuffle_waits_for_the_next_record() -> None:
    """The choice of the cards to pay cannot be a follow-up."""

    def shuffles(draft: NextRecord, _: int) -> bool:
        view = turn_state(draft, 2)
        if view is None or not (ambushes := legal_orders_of(draft, Ambush)):
            return False
        player = view.players[draft.seat.side]
        if player.hand_size - 1 + pile_size(draft) != 5 or player.money:
            return False
        for order in (ambushes[0], PASS, END):
            draft.order(order)
        return step_kinds(draft)[-1] == "shuffle"

    draft, seed = find_draft(shuffles, FIRST, "paid-reshuffle", players=any_order, first_seed=25)
    side = draft.seat.side
    assert not draft.may_follow_up
    answer = next_proved_draft(draft, seed)
    give_order(answer, *REPLIES)
    assert answer.match.state.awaiting[:2] == (Decision.FORFEIT, side)
    again = next_proved_draft(answer, seed)
    give_order(again, Forfeit)
    assert again.match.state.active is side.opponent
    next_proved_draft(again, seed)


def test_turn_goes_on_after_a_paid_refill() -> None:
    draft, seed = find_draft(
        find_unpaid(PASS, PASS, Refill()), FIRST, "paid-reshuffle", players=any_order
    )
    give_order(draft, Forfeit)
    assert turn_state(draft, 0)
    draft.order(END)
    next_proved_draft(draft, seed)


# --- cards exchanged after a siege


def may_exchange(draft: NextRecord, _: int) -> bool:
    """Return whether the French may exchange a card after a siege, with the next answer."""
    return awaits(draft, Decision.EXCHANGE) and pile_size(draft) > 1


@pytest.mark.parametrize(("edition", "first_seed"), [(FIRST, 11), (SECOND, 23)])
def test_card_is_exchanged_and_the_turn_waits_for_it(edition: str, first_seed: int) -> None:
    draft, seed = find_draft(may_exchange, edition, "french-siege-exchange", first_seed=first_seed)
    order = give_order(draft, Exchange)
    assert steps_from(draft, order.notation())[-1] == "draw"
    answer = next_proved_draft(draft, seed)
    (grant,) = grants_of(answer)
    assert len(grant.slots) == 1
    again = next_proved_draft(answer, seed)
    assert turn_state(again)
    next_proved_draft(pass_turn(again), seed)


def test_turn_that_needs_no_exchanged_card_is_announced_behind_it() -> None:
    draft, seed = find_draft(may_exchange, SECOND, "french-siege-exchange", first_seed=23)
    give_order(draft, Exchange)
    answer = next_proved_draft(pass_turn(draft), seed)
    assert not answer.match.dropped
    assert answer.match.state.active is Side.BRITISH


def down_to_one(random: Random) -> Chooser:
    """Return a chooser that discards French cards during sieges until one is left to draw."""
    usual = half_reckless(random)

    def choose(state: State) -> Order:
        awaiting, player = state.awaiting, state.players[Side.FRENCH]
        surplus = len(player.draw_pile) - 1 + player.hand_size - HAND_SIZE
        acts = awaiting[:2] == (Decision.TURN, Side.FRENCH) and state.actions_left
        if not state.sieges or not acts:
            return usual(state)
        if surplus == 0:
            return PASS
        fitting = [
            o for o in legal_orders(state) if o.verb == "discard" and len(o.cards) == surplus
        ]
        return fitting[0] if fitting else usual(state)

    return choose


def test_last_card_of_a_pile_is_exchanged_at_once() -> None:
    draft, seed = find_draft(
        lambda draft, _: awaits(draft, Decision.EXCHANGE) and pile_size(draft) == 1,
        FIRST,
        "french-siege-exchange",
        players=down_to_one,
        first_seed=271,
    )
    order = give_order(draft, Exchange)
    assert steps_from(draft, order.notation())[1:] == ["draw", "shuffle"]
    assert turn_state(draft)
    next_proved_draft(pass_turn(draft), seed)


def test_keeping_all_cards_requests_no_grant() -> None:
    draft, seed = find_draft(may_exchange, SECOND, "french-siege-exchange", first_seed=23)
    draft.order(Keep())
    assert steps_from(draft, "keep") == ["keep"]
    next_proved_draft(pass_turn(draft), seed)
