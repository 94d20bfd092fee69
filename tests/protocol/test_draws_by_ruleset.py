"""Editions and house rules in records and files: their draws and shuffles.

Every record is written, read and verified, also by the implementation that knows no rules. The
positions come from games with many random orders. docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import (
    Ambush,
    Block,
    Convert,
    Discard,
    Draft,
    Drop,
    End,
    HomeSupport,
    Pass,
    Raid,
    Refill,
    Retrieve,
    SellFur,
)
from engine.players.practice import PracticePlayer
from engine.state import Decision, State
from pbem.protocol import steps
from tests.play.matches import Chooser
from tests.play.rule_games import (
    REPLIES,
    Condition,
    find_draft,
    give_order,
    grants_of,
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

FIRST, REVISED, SECOND = "first", "first-revised", "second"
PASS, END, HOME_SUPPORT = Pass(), End(), HomeSupport()


def turn_of(condition: Callable[[NextRecord], bool], *orders_to_give: Order) -> Condition:
    """Return a condition for a whole turn of these orders."""

    def matches(draft: NextRecord, _: int) -> bool:
        if turn_state(draft, 2) is None or orders_to_give[0] not in legal_orders_of(
            draft, type(orders_to_give[0])
        ):
            return False
        for order in orders_to_give:
            draft.order(order)
        return condition(draft)

    return matches


# --- shuffles without a draw


def shuffles_last(draft: NextRecord) -> bool:
    return step_kinds(draft)[-1] == "shuffle" and draft.match.state.active is not draft.seat.side


@pytest.mark.parametrize(
    ("edition", "rules", "first_seed"),
    [
        (FIRST, (), 12),
        pytest.param(REVISED, (), 4, marks=pytest.mark.long),
        (SECOND, ("reshuffle-last",), 4),
        pytest.param(FIRST, ("reshuffle-last",), 3, marks=pytest.mark.long),
    ],
)
def test_shuffle_alone_requests_no_grant(
    edition: str, rules: tuple[str, ...], first_seed: int
) -> None:
    """The list is granted with the next drawn cards."""
    draft, seed = find_draft(
        turn_of(shuffles_last, PASS, PASS, END), edition, *rules, first_seed=first_seed
    )
    side = draft.seat.side
    if not rules:
        assert draft.match.state.players[side].hand_size >= 5
    answer = next_proved_draft(draft, seed)
    assert not grants_of(answer)
    deck = answer.match.decks[side]
    assert (deck.wanted_slot_count, deck.epoch_to_open) == (0, None)
    assert deck.wants_list
    drawing = next_proved_draft(pass_turn(answer), seed)
    assert drawing.seat.side is side
    # No list was granted, so none has to be opened.
    assert "open-lists" not in step_kinds(drawing)
    if drawing.view().players[side].hand_size == 5:
        drawing.order(legal_orders_of(drawing, Discard)[0])
    granting = next_proved_draft(pass_turn(drawing), seed)
    (grant,) = grants_of(granting)
    assert grant.list is not None
    assert step_kinds(next_proved_draft(pass_turn(granting), seed))[0] == "open-lists"


def test_pile_used_up_in_a_turn_is_shuffled_at_once() -> None:
    """Home Support draws the last three cards, and the turn continues in the same record."""
    draft, seed = find_draft(
        lambda draft, _: (
            turn_state(draft, 2) and pile_size(draft) == 3 and legal_orders_of(draft, HomeSupport)
        ),
        FIRST,
        first_seed=5,
    )
    draft.order(HOME_SUPPORT)
    assert steps_from(draft, "home-support") == ["home-support", "draw", "shuffle"]
    assert turn_state(draft, 2)
    pass_turn(draft)
    assert steps_from(draft, "home-support") == [
        *("home-support", "draw", "shuffle", "pass", "pass", "end")
    ] + ["draw"] * (draft.match.state.awaiting.decision is Decision.DRAW)
    next_proved_draft(draft, seed)


# --- Home Support beyond the end of the pile


def find_support(short: range, with_attack: bool = False) -> Condition:
    """Return a condition for a turn in which Home Support uses up a pile of such a length."""

    def matches(draft: NextRecord, _: int) -> bool:
        state = turn_state(draft, 2)
        if (
            state is None
            or pile_size(draft) not in short
            or not legal_orders_of(draft, HomeSupport)
        ):
            return False
        can_attack = bool(legal_orders_of(draft, Raid, Ambush, Convert)) or not with_attack
        return can_attack and len(state.players[draft.seat.side].discard) > 5

    return matches


@pytest.mark.slow
@pytest.mark.parametrize(("home_support", "first_seed"), [("asked", 0), ("ahead", 5)])
@pytest.mark.parametrize(
    ("edition", "rules"), [(FIRST, ()), (SECOND, ("home-support-reshuffles",))]
)
def test_home_support_draws_on_from_the_new_pile(
    edition: str, rules: tuple[str, ...], home_support: str, first_seed: int
) -> None:
    """No card of the new pile is named ahead."""
    short = find_support(range(1, 3))
    draft, seed = find_draft(
        short, edition, *rules, home_support=home_support, first_seed=first_seed
    )
    side, rest = draft.seat.side, pile_size(draft)
    hand = draft.view().players[side].hand_size
    draft.order(HOME_SUPPORT)
    assert steps_from(draft, "home-support") == ["home-support", "draw", "shuffle", "draw"]
    assert [s.count for s in draft.steps if isinstance(s, steps.DrawStep)] == [rest, 3 - rest]
    assert draft.may_follow_up
    answer = next_proved_draft(draft, seed)
    (grant,) = grants_of(answer)
    assert grant.list is not None
    assert len(grant.slots) == 3 - rest
    again = next_proved_draft(answer, seed)
    state = turn_state(again, 2)
    assert state is not None
    assert state.players[side].hand_size == hand + 2
    assert "home-support" in state.players[side].discard
    next_proved_draft(pass_turn(again), seed)


@pytest.mark.parametrize(("home_support", "first_seed"), [("asked", 0), ("ahead", 5)])
def test_turn_is_ended_with_home_support_that_shuffles(home_support: str, first_seed: int) -> None:
    """The answer carries out the follow-ups and grants twice."""
    draft, seed = find_draft(
        find_support(range(1, 3)), FIRST, home_support=home_support, first_seed=first_seed
    )
    side = draft.seat.side
    draft.order(HOME_SUPPORT)
    draft.order(Discard(cards=(legal_orders_of(draft, Discard)[0].cards[0],)))
    answer = next_proved_draft(pass_turn(draft), seed)
    assert answer.match.state.active is side.opponent
    assert not answer.match.dropped
    assert [grant.list is not None for grant in grants_of(answer)][:1] == [True]
    assert next_proved_draft(pass_turn(answer), seed).seat.side is side


def test_home_support_that_shuffles_can_wait_for_another_answer() -> None:
    """One record has the attack, Home Support and the end of the turn, and one answers all."""
    draft, seed = find_draft(find_support(range(4), with_attack=True), FIRST, first_seed=13)
    side = draft.seat.side
    attack = give_order(draft, Raid, Ambush, Convert)
    draft.order(HOME_SUPPORT)
    assert "shuffle" in steps_from(draft, "home-support")
    draft.order(PASS)
    draft.order(END)
    answer = next_proved_draft(draft, seed)
    give_order(answer, *REPLIES)
    orders = [move.order for move in answer.match.moves if move.side is side]
    assert [order for order in orders if order][-4:] == [attack, HOME_SUPPORT, PASS, END]
    assert not answer.match.dropped
    assert answer.match.state.active is side.opponent


def miser(random: Random) -> Chooser:
    """Return a chooser that reserves most cards, so that few are shuffled."""
    drafted = Draft(cards=("home-support",))

    def choose(state: State) -> Order:
        if drafted in legal_orders(state):
            return drafted
        orders = [o for o in legal_orders(state) if "home-support" not in o.cards]
        verb = random.choice(["reserve", "reserve", "discard", "pass"])
        likely = [o for o in orders if o.verb in (verb, "end") and len(o.cards) < 2]
        return random.choice(likely or orders)

    return choose


def find_used_up_pile() -> tuple[NextRecord, int]:
    """Return a draft in which Home Support draws more than an ungranted pile has."""

    def is_short(draft: NextRecord, _: int) -> bool:
        if turn_state(draft, 2) is None or not legal_orders_of(draft, HomeSupport):
            return False
        return draft.match.decks[draft.seat.side].wants_list and 0 < pile_size(draft) < 3

    draft, seed = find_draft(is_short, FIRST, players=miser)
    # This leaves a card to shuffle.
    draft.order(next(o for o in legal_orders_of(draft, Discard) if "home-support" not in o.cards))
    draft.order(HOME_SUPPORT)
    assert steps_from(draft, "home-support") == ["home-support", "draw"]
    return draft, seed


def test_home_support_uses_up_a_pile_of_which_no_list_is_granted_yet() -> None:
    """The next shuffle waits for the author's next record, after the lists are opened."""
    draft, seed = find_used_up_pile()
    rest = pile_size(draft)
    assert not draft.may_follow_up
    answer = next_proved_draft(draft, seed)
    assert len(grants_of(answer)[0].slots) == rest
    again = next_proved_draft(answer, seed)
    assert step_kinds(again) == ["open-lists", "shuffle", "draw"]
    next_proved_draft(pass_turn(again), seed)


def test_shuffle_that_another_program_announces_too_early_is_dropped() -> None:
    draft, seed = find_used_up_pile()
    draft.shuffle(draft.match.state.players[draft.seat.side].discard)
    answer = next_proved_draft(draft, seed)
    assert [dropped.orders for dropped in answer.match.dropped] == [()]
    again = next_proved_draft(answer, seed)
    assert step_kinds(again) == ["open-lists", "shuffle", "draw"]
    next_proved_draft(pass_turn(again), seed)


# --- refills before the end of the turn


def find_refill(condition: Callable[[NextRecord], bool]) -> Condition:
    """Return a condition for a turn of two passes and a refill."""
    return turn_of(condition, PASS, PASS, Refill())


def test_free_action_may_follow_a_refill_in_the_next_record() -> None:
    draft, seed = find_draft(find_refill(lambda draft: step_kinds(draft)[-1] == "draw"), FIRST)
    side = draft.seat.side
    assert draft.may_follow_up
    answer = next_proved_draft(draft, seed)
    assert answer.match.state.active is side
    again = next_proved_draft(answer, seed)
    state = turn_state(again, 0)
    assert state is not None
    assert state.players[side].hand_size >= 5
    again.order(END)
    # The hand is refilled once.
    assert step_kinds(again)[-1] == "order"
    next_proved_draft(again, seed)


def test_refill_and_the_end_of_the_turn_share_a_record() -> None:
    draft, seed = find_draft(find_refill(lambda draft: step_kinds(draft)[-1] == "draw"), REVISED)
    draft.order(END)
    answer = next_proved_draft(draft, seed)
    assert answer.match.state.active is answer.side
    assert len(grants_of(answer)) == 1


@pytest.mark.parametrize(("free", "first_seed"), [(SellFur, 10), (Retrieve, 17), (HomeSupport, 10)])
def test_free_action_follows_a_refill_that_needs_no_answer(
    free: type[Order], first_seed: int
) -> None:
    """The rest of a pile is drawn at once, and the new pile is shuffled before the free action."""

    def may_continue(draft: NextRecord) -> bool:
        is_made_anew = step_kinds(draft)[-2:] == ["draw", "shuffle"]
        return is_made_anew and bool(turn_state(draft, 0) and legal_orders_of(draft, free))

    draft, seed = find_draft(
        find_refill(may_continue), FIRST, "free-fur-money", first_seed=first_seed
    )
    give_order(draft, free)
    draft.order(END)
    next_proved_draft(draft, seed)


# --- follow-ups after a blocked raid


@pytest.mark.parametrize(("rules", "ends"), [((), True), (("blocked-raid-free",), False)])
def test_announced_end_is_dropped_if_a_blocked_raid_returns_its_action(
    rules: tuple[str, ...], ends: bool
) -> None:
    def is_blocked(draft: NextRecord, seed: int) -> bool:
        if turn_state(draft, 2) is None or not (raids := legal_orders_of(draft, Raid)):
            return False
        for order in (raids[0], PASS, END):
            draft.order(order)
        end(draft)
        return bool(legal_orders_of(begin_record(draft.match, seed), Block))

    draft, seed = find_draft(is_blocked, SECOND, *rules)
    side = draft.seat.side
    answer = begin_record(draft.match, seed)
    give_order(answer, *REPLIES)
    state = answer.match.state
    if ends:
        assert state.active is side.opponent
        return
    (dropped,) = answer.match.dropped
    assert dropped.orders == (END,)
    assert (state.active, state.actions_left) == (side, 1)
    again = next_proved_draft(answer, seed)
    next_proved_draft(pass_turn(again), seed)
    # If the raid succeeds, the action is spent.
    allowed = begin_record(draft.match, seed)
    allowed.order(legal_orders_of(allowed, *REPLIES)[-1])
    assert allowed.match.state.active is side.opponent
    assert not allowed.match.dropped


def keeps_home_support(random: Random) -> Chooser:
    """Return a practice player who drafts Home Support and keeps it."""
    usual, drafted = PracticePlayer(random).choose, Draft(cards=("home-support",))

    def choose(state: State) -> Order:
        legal = legal_orders(state)
        if drafted in legal:
            return drafted
        order = usual(state)
        if order != HOME_SUPPORT:
            return order
        return PASS if PASS in legal else END if END in legal else order

    return choose


def test_free_action_before_a_siege_is_resolved_waits_only_for_its_cards() -> None:
    """Home Support is played before a won siege is resolved, and ends the record."""

    def has_won(draft: NextRecord, _: int) -> bool:
        spoils = draft.match.state.awaiting.decision is Decision.SIEGE_SPOILS
        return spoils and pile_size(draft) > 3 and bool(legal_orders_of(draft, HomeSupport))

    draft, seed = find_draft(has_won, FIRST, players=keeps_home_support, first_seed=35)
    draft.order(HOME_SUPPORT)
    assert not draft.may_follow_up
    again = next_proved_draft(next_proved_draft(draft, seed), seed)
    assert again.match.state.awaiting[:2] == (Decision.SIEGE_SPOILS, again.seat.side)
    give_order(again, Drop, *[type(order) for order in legal_orders_of(again, Order)])
