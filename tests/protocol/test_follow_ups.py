"""Follow-ups: signed with an order that needs an answer, and carried out after the answer.

docs/protocol.md, Follow-ups. Positions come from games of random legal orders.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import strategies as st

from engine import game as rules
from engine.actions.action import IllegalOrderError
from engine.foresight import states_after_reply
from engine.order import Order
from engine.orders import (
    Allow,
    Ambush,
    Block,
    Convert,
    End,
    Give,
    HomeSupport,
    Pass,
    Raid,
    ShowHand,
    Take,
)
from engine.sides import Side
from engine.state import Decision, State
from pbem.protocol import steps
from pbem.protocol.deck import Deck
from pbem.protocol.match import Match
from tests.play.matches import any_order, begin, identities, play
from tests.play.rule_games import give_order, next_proved_draft, replay_from_file
from tests.play.turns import (
    GAMES,
    begin_record,
    can_order,
    find_draft,
    find_turn,
    legal_orders_of,
    practice_chooser,
    sequence_finder,
)
from tests.sample import check_each, few_or_many
from tests.seats import NextRecord, Seat
from tests.signing import end

PASS, END = Pass(), End()


def draft_with(
    condition: Callable[[NextRecord], bool], home_support: str = "asked", first_seed: int = 0
) -> tuple[NextRecord, int]:
    """Return the first draft in practice games from `first_seed` on that fulfils a condition."""
    return find_draft(condition, home_support, practice_chooser, lists=4, first_seed=first_seed)


@pytest.mark.parametrize(("attack", "first_seed"), [(Raid, 0), (Ambush, 0), (Convert, 60)])
def test_answer_and_next_turn_share_a_record(attack: type[Order], first_seed: int) -> None:
    draft, game = draft_with(can_order(attack), first_seed=first_seed)
    side, turn = draft.seat.side, draft.match.state.turn
    draft.order(legal_orders_of(draft, attack)[0])
    assert draft.is_complete
    assert draft.may_follow_up
    draft.order(PASS)
    draft.order(END)
    assert not draft.may_follow_up
    before = draft.match.state.key()
    end(draft)
    announced = replay_from_file(draft.match)
    assert announced.follow_ups == (PASS, END)
    assert announced.state.key() == before
    answer = begin_record(announced, game)
    give_order(answer, Block, Allow, Give, ShowHand)
    # The announced turn is over, with its refill, and the defender's turn follows.
    assert (answer.match.state.active, answer.match.state.turn) == (side.opponent, turn + 1)
    assert answer.match.state.players[side].hand_size >= 5
    assert not answer.is_complete
    assert not answer.match.follow_ups
    carried_out = [d for d in answer.match.moves if d.record == announced.last.index + 1]
    assert [d.order for d in carried_out if d.side is side][:2] == [PASS, END]
    answer.order(PASS)
    answer.order(PASS)
    answer.order(END)
    end(answer)
    replay_from_file(answer.match)


def test_turn_can_have_several_interruptions() -> None:
    """One record has two attacks and the end of the turn, and the next answers both."""
    turn, orders = find_turn(sequence_finder(Raid, Ambush))
    draft, game = begin_record(turn.match, turn.seed), turn.seed
    side = draft.seat.side
    for order in (*orders, END):
        draft.order(order)
    answer = next_proved_draft(draft, game)
    for _ in range(2):
        assert answer.match.state.awaiting.decision in (
            Decision.RAID_REPLY,
            Decision.AMBUSH_REPLY,
            Decision.CONVERSION_REPLY,
        )
        give_order(answer, Block, Allow, Give, ShowHand)
    assert answer.match.state.active is side.opponent
    replies = [d.order for d in answer.match.moves if d.record == len(answer.match.records)]
    assert len([order for order in replies if order]) == 4


def test_order_made_illegal_by_the_answer_is_dropped_with_the_rest() -> None:
    """A village is raided twice, and the second raid is illegal if the first succeeds."""

    def raid_twice(draft: NextRecord) -> list[Order]:
        view = draft.view()
        hand = view.players[draft.seat.side].hand
        for one in legal_orders_of(draft, Raid):
            for two in legal_orders_of(draft, Raid):
                cards = [*one.cards, *two.cards]
                fits = all(cards.count(card) <= hand.count(card) for card in cards)
                village = not view.board[one.target].town
                if one.target == two.target and fits and village and _may_follow(view, one, two):
                    return [one, two]
        return []

    draft, seed = draft_with(lambda d: can_order(Raid)(d) and bool(raid_twice(d)))
    side, orders = draft.seat.side, raid_twice(draft)
    for order in orders:
        draft.order(order)
    assert draft.foresight is not None
    assert [risk.order for risk in draft.foresight.risks] == [orders[1]]
    draft.order(END)
    end(draft)
    opened_cards = {step.card for step in draft.match.last.steps if isinstance(step, steps.Open)}
    answer = begin_record(replay_from_file(draft.match), seed)
    answer.order(Allow())
    (dropped,) = answer.match.dropped
    assert (dropped.side, dropped.orders) == (side, (orders[1], END))
    assert "not belong to the enemy" in str(dropped.reason)
    # The turn continues with its second action, and the shown cards are still in hand.
    state = answer.match.state
    assert (state.active, state.awaiting.side, state.actions_left) == (side, side, 1)
    assert set(orders[1].cards) & opened_cards <= set(state.players[side].hand)
    assert answer.is_complete
    again = next_proved_draft(answer, seed)
    assert again.seat.side is side
    again.order(PASS)
    again.order(END)
    end(again)
    replay_from_file(again.match)


def _may_follow(view: State, one: Order, two: Order) -> bool:
    """Return whether an answer to the first order leaves the second legal."""
    position = view.copy()
    rules.apply(position, one)
    return any(two in rules.legal_orders(world) for world in states_after_reply(position))


@pytest.mark.parametrize("order", [Allow(), Block(cards=("militia",)), ShowHand()])
def test_reply_cannot_be_a_follow_up(order: Order) -> None:
    draft, _ = draft_with(can_order(Raid, Ambush, Convert))
    draft.order(legal_orders_of(draft, Raid, Ambush, Convert)[0])
    with pytest.raises(IllegalOrderError, match=r"does not answer|not in your hand"):
        draft.order(order)


def test_orders_without_its_cards_may_follow_home_support() -> None:
    draft, game = draft_with(
        lambda d: (
            can_order(HomeSupport)(d)
            and bool(legal_orders_of(d, Take))
            and len(_deck(d).undrawn) > 3
        )
    )
    side = draft.seat.side
    draft.order(HomeSupport())
    assert draft.may_follow_up
    draft.order(legal_orders_of(draft, Take)[0])
    draft.order(PASS)
    draft.order(END)
    answer = next_proved_draft(draft, game)
    granted = [step for step in answer.steps if isinstance(step, steps.Grant)]
    assert len(granted) in (1, 2)
    assert len(granted[0].slots) <= 3
    assert answer.match.state.active is side.opponent


def test_shuffle_of_unforeseen_cards_is_repeated() -> None:
    """A converted card comes to the discard pile whose shuffle was already announced."""

    def converts(draft: NextRecord) -> bool:
        # With a short pile the turn ends with a shuffle, which a lost card changes.
        held = draft.view().players[draft.seat.side].hand_size - 1
        if not can_order(Convert)(draft) or held + len(_deck(draft).undrawn) >= 5:
            return False
        enemy = draft.match.next_side
        assert enemy is not None
        return "neutral-native-americans" in _whole_hand(draft.match, enemy.opponent)

    draft, game = draft_with(converts, first_seed=73)
    side = draft.seat.side
    for order in (legal_orders_of(draft, Convert)[0], PASS, END):
        draft.order(order)
    assert draft.foresight is not None
    assert [risk.order for risk in draft.foresight.risks] == [END]
    end(draft)
    announced = next(s for s in draft.match.last.steps if isinstance(s, steps.ShuffleStep))
    answer = begin_record(replay_from_file(draft.match), game)
    give_order(answer, Give)
    (dropped,) = answer.match.dropped
    assert dropped.orders == ()
    assert answer.match.state.awaiting[:2] == (Decision.SHUFFLE, side)
    again = next_proved_draft(answer, game)
    end(again)
    shuffle = next(s for s in again.match.last.steps if isinstance(s, steps.ShuffleStep))
    assert shuffle.epoch == announced.epoch
    assert sorted(shuffle.cards) == sorted([*announced.cards, "neutral-native-americans"])
    assert again.match.state.awaiting[:2] == (Decision.DRAW, side)
    replay_from_file(again.match)


def _whole_hand(match: Match, side: Side) -> list[str]:
    """Return the whole hand of a player, including hidden cards."""
    for game in range(GAMES):
        for who in identities(game):
            if who.public_key == match.entrants[side].key:
                return Seat(match, who).view().players[side].hand
    raise AssertionError("nobody here plays that match")


def _deck(draft: NextRecord) -> Deck:
    return draft.match.decks[draft.seat.side]


def check_read_again(seed: int, side: Side | None, home_support: str, eagerness: float) -> None:
    random, guest = Random(seed), None if side else Side.FRENCH
    match = begin(seed, side=side, guest=guest, lists=4, home_support=home_support)
    match = play(
        match,
        any_order(random),
        turns=40,
        seed=seed,
        follows_up=lambda: random.random() < eagerness,
    )
    replay_from_file(match)


@few_or_many(4, 100)
def test_random_matches_round_trip(examples: int) -> None:
    check_each(
        check_read_again,
        examples,
        seed=st.integers(0, 10**6),
        side=st.sampled_from([None, *Side]),
        home_support=st.sampled_from(["asked", "ahead"]),
        eagerness=st.sampled_from([0.0, 0.3, 0.9]),
    )
