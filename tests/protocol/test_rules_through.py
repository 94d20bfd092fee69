"""Editions and house rules in records and files: their demands on the blind deck.

Every record is written, read and proved, also by the implementation that knows no rules. Positions
come from games in which many orders are any legal ones. docs/protocol.md, The exchange.
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
from tests.play.playing import Chooser
from tests.play.rule_games import (
    REPLIES,
    GrantRequest,
    find,
    gives,
    grants,
    in_turn,
    kinds,
    passes,
    pile,
    proved,
    tail,
)
from tests.play.turns import begun, legal
from tests.seats import NextRecord
from tests.signing import end

FIRST, REVISED, SECOND = "first", "first-revised", "second"
PASS, END, HOME_SUPPORT = Pass(), End(), HomeSupport()


def orders(wanted: Callable[[NextRecord], bool], *orders_to_give: Order) -> GrantRequest:
    """Return a record with a whole turn of these orders that fulfils a condition."""

    def has(draft: NextRecord, _: int) -> bool:
        if in_turn(draft, 2) is None or orders_to_give[0] not in legal(
            draft, type(orders_to_give[0])
        ):
            return False
        for order in orders_to_give:
            draft.order(order)
        return wanted(draft)

    return has


# --- a pile that is made anew although no card is due


def shuffles_last(draft: NextRecord) -> bool:
    return kinds(draft)[-1] == "shuffle" and draft.match.state.active is not draft.seat.side


@pytest.mark.parametrize(
    ("edition", "rules", "first"),
    [
        (FIRST, (), 12),
        pytest.param(REVISED, (), 4, marks=pytest.mark.long),
        (SECOND, ("reshuffle-last",), 4),
        pytest.param(FIRST, ("reshuffle-last",), 3, marks=pytest.mark.long),
    ],
)
def test_shuffle_alone_requests_no_grant(edition: str, rules: tuple[str, ...], first: int) -> None:
    """The list is granted with the first cards that are drawn, whenever that is."""
    draft, seed = find(orders(shuffles_last, PASS, PASS, END), edition, *rules, first=first)
    side = draft.seat.side
    if not rules:
        assert draft.match.state.players[side].hand_size >= 5
    answer = proved(draft, seed)
    assert not grants(answer)
    deck = answer.match.decks[side]
    assert (deck.wants_list, deck.wants_slots, deck.owes_opening) == (True, 0, None)
    drawing = proved(passes(answer), seed)
    assert drawing.seat.side is side
    # No list was granted, so that none has to be opened.
    assert "open-lists" not in kinds(drawing)
    if drawing.view().players[side].hand_size == 5:
        drawing.order(legal(drawing, Discard)[0])
    granting = proved(passes(drawing), seed)
    (grant,) = grants(granting)
    assert grant.list is not None
    assert kinds(proved(passes(granting), seed))[0] == "open-lists"


def test_pile_used_up_in_a_turn_is_shuffled_at_once() -> None:
    """Home Support takes the last three cards, and the turn goes on in the same record."""
    draft, seed = find(
        lambda draft, _: in_turn(draft, 2) and pile(draft) == 3 and legal(draft, HomeSupport),
        FIRST,
        first=5,
    )
    draft.order(HOME_SUPPORT)
    assert tail(draft, "home-support") == ["home-support", "draw", "shuffle"]
    assert in_turn(draft, 2)
    passes(draft)
    assert tail(draft, "home-support") == [
        *("home-support", "draw", "shuffle", "pass", "pass", "end")
    ] + ["draw"] * (draft.match.state.awaiting.decision is Decision.DRAW)
    proved(draft, seed)


# --- Home Support beyond the end of the pile


def find_support(short: range, with_attack: bool = False) -> GrantRequest:
    """Return a turn in which Home Support draws from a pile of that length, then shuffles."""

    def has(draft: NextRecord, _: int) -> bool:
        state = in_turn(draft, 2)
        if state is None or pile(draft) not in short or not legal(draft, HomeSupport):
            return False
        can_attack = bool(legal(draft, Raid, Ambush, Convert)) or not with_attack
        return can_attack and len(state.players[draft.seat.side].discard) > 5

    return has


@pytest.mark.parametrize(("home_support", "first"), [("asked", 0), ("ahead", 5)])
@pytest.mark.parametrize(
    ("edition", "rules"), [(FIRST, ()), (SECOND, ("home-support-reshuffles",))]
)
def test_home_support_draws_on_from_the_new_pile(
    edition: str, rules: tuple[str, ...], home_support: str, first: int
) -> None:
    """Also with cards named ahead: none of the new pile are."""
    short = find_support(range(1, 3))
    draft, seed = find(short, edition, *rules, home_support=home_support, first=first)
    side, rest = draft.seat.side, pile(draft)
    hand = draft.view().players[side].hand_size
    draft.order(HOME_SUPPORT)
    assert tail(draft, "home-support") == ["home-support", "draw", "shuffle", "draw"]
    assert [s.count for s in draft.steps if isinstance(s, steps.DrawStep)] == [rest, 3 - rest]
    assert draft.may_follow_up
    answer = proved(draft, seed)
    (grant,) = grants(answer)
    assert grant.list is not None
    assert len(grant.slots) == 3 - rest
    again = proved(answer, seed)
    state = in_turn(again, 2)
    assert state is not None
    assert state.players[side].hand_size == hand + 2
    assert "home-support" in state.players[side].discard
    proved(passes(again), seed)


@pytest.mark.parametrize(("home_support", "first"), [("asked", 0), ("ahead", 5)])
def test_turn_is_ended_with_home_support_that_shuffles(home_support: str, first: int) -> None:
    """Its follow-ups are carried out in the answer, which grants twice."""
    draft, seed = find(find_support(range(1, 3)), FIRST, home_support=home_support, first=first)
    side = draft.seat.side
    draft.order(HOME_SUPPORT)
    draft.order(Discard(cards=(legal(draft, Discard)[0].cards[0],)))
    answer = proved(passes(draft), seed)
    assert answer.match.state.active is side.opponent
    assert not answer.match.dropped
    assert [grant.list is not None for grant in grants(answer)][:1] == [True]
    assert proved(passes(answer), seed).seat.side is side


def test_home_support_that_shuffles_can_wait_for_another_answer() -> None:
    """Attack, Home Support and the end of the turn in one record; one record answers all."""
    draft, seed = find(find_support(range(4), with_attack=True), FIRST, first=13)
    side = draft.seat.side
    attack = gives(draft, Raid, Ambush, Convert)
    draft.order(HOME_SUPPORT)
    assert "shuffle" in tail(draft, "home-support")
    draft.order(PASS)
    draft.order(END)
    answer = proved(draft, seed)
    gives(answer, *REPLIES)
    orders = [move.order for move in answer.match.moves if move.side is side]
    assert [order for order in orders if order][-4:] == [attack, HOME_SUPPORT, PASS, END]
    assert not answer.match.dropped
    assert answer.match.state.active is side.opponent


def miser(random: Random) -> Chooser:
    """Reserve nearly everything but Home Support, so that few cards are shuffled."""
    drafted = Draft(cards=("home-support",))

    def choose(state: State) -> Order:
        if drafted in legal_orders(state):
            return drafted
        orders = [o for o in legal_orders(state) if "home-support" not in o.cards]
        verb = random.choice(["reserve", "reserve", "discard", "pass"])
        likely = [o for o in orders if o.verb in (verb, "end") and len(o.cards) < 2]
        return random.choice(likely or orders)

    return choose


def used_up() -> tuple[NextRecord, int]:
    """Return a record in which Home Support draws more than a pile without a granted list has."""

    def is_short(draft: NextRecord, _: int) -> bool:
        if in_turn(draft, 2) is None or not legal(draft, HomeSupport):
            return False
        return draft.match.decks[draft.seat.side].wants_list and 0 < pile(draft) < 3

    draft, seed = find(is_short, FIRST, players=miser)
    # There is something to shuffle then.
    draft.order(next(o for o in legal(draft, Discard) if "home-support" not in o.cards))
    draft.order(HOME_SUPPORT)
    assert tail(draft, "home-support") == ["home-support", "draw"]
    return draft, seed


def test_home_support_uses_up_a_pile_of_which_no_list_is_granted_yet() -> None:
    """The lists have to be opened before the next shuffle: it waits for one's own next record."""
    draft, seed = used_up()
    rest = pile(draft)
    assert not draft.may_follow_up
    answer = proved(draft, seed)
    assert len(grants(answer)[0].slots) == rest
    again = proved(answer, seed)
    assert kinds(again) == ["open-lists", "shuffle", "draw"]
    proved(passes(again), seed)


def test_shuffle_that_another_program_announces_too_early_is_dropped() -> None:
    draft, seed = used_up()
    draft.shuffle(draft.match.state.players[draft.seat.side].discard)
    answer = proved(draft, seed)
    assert [dropped.orders for dropped in answer.match.dropped] == [()]
    again = proved(answer, seed)
    assert kinds(again) == ["open-lists", "shuffle", "draw"]
    proved(passes(again), seed)


# --- the refill before the end of the turn


def find_refill(wanted: Callable[[NextRecord], bool]) -> GrantRequest:
    """Return a record with a turn of two passes and a refill that fulfils a condition."""
    return orders(wanted, PASS, PASS, Refill())


def test_free_action_may_follow_a_refill_in_the_next_record() -> None:
    draft, seed = find(find_refill(lambda draft: kinds(draft)[-1] == "draw"), FIRST)
    side = draft.seat.side
    assert draft.may_follow_up
    answer = proved(draft, seed)
    assert answer.match.state.active is side
    again = proved(answer, seed)
    state = in_turn(again, 0)
    assert state is not None
    assert state.players[side].hand_size >= 5
    again.order(END)
    # It is refilled once.
    assert kinds(again)[-1] == "order"
    proved(again, seed)


def test_refill_and_the_end_of_the_turn_share_a_record() -> None:
    draft, seed = find(find_refill(lambda draft: kinds(draft)[-1] == "draw"), REVISED)
    draft.order(END)
    answer = proved(draft, seed)
    assert answer.match.state.active is answer.side
    assert len(grants(answer)) == 1


@pytest.mark.parametrize(("free", "first"), [(SellFur, 10), (Retrieve, 17), (HomeSupport, 10)])
def test_free_action_follows_a_refill_that_needs_no_answer(free: type[Order], first: int) -> None:
    """The rest of a pile comes at once, and the new pile lies there before the free action."""

    def goes_on(draft: NextRecord) -> bool:
        is_made_anew = kinds(draft)[-2:] == ["draw", "shuffle"]
        return is_made_anew and bool(in_turn(draft, 0) and legal(draft, free))

    draft, seed = find(find_refill(goes_on), FIRST, "free-fur-money", first=first)
    gives(draft, free)
    draft.order(END)
    proved(draft, seed)


# --- follow-ups and what an answer gives back


@pytest.mark.parametrize(("rules", "ends"), [((), True), (("blocked-raid-free",), False)])
def test_announced_end_is_dropped_if_a_blocked_raid_returns_its_action(
    rules: tuple[str, ...], ends: bool
) -> None:
    def is_blocked(draft: NextRecord, seed: int) -> bool:
        if in_turn(draft, 2) is None or not (raids := legal(draft, Raid)):
            return False
        for order in (raids[0], PASS, END):
            draft.order(order)
        end(draft)
        return bool(legal(begun(draft.match, seed), Block))

    draft, seed = find(is_blocked, SECOND, *rules)
    side = draft.seat.side
    answer = begun(draft.match, seed)
    gives(answer, *REPLIES)
    state = answer.match.state
    if ends:
        assert state.active is side.opponent
        return
    (dropped,) = answer.match.dropped
    assert dropped.orders == (END,)
    assert (state.active, state.actions_left) == (side, 1)
    again = proved(answer, seed)
    proved(passes(again), seed)
    # Where it succeeds the action is spent.
    allowed = begun(draft.match, seed)
    allowed.order(legal(allowed, *REPLIES)[-1])
    assert allowed.match.state.active is side.opponent
    assert not allowed.match.dropped


def keeps_home_support(random: Random) -> Chooser:
    """Return a practice player who drafts Home Support and holds it back."""
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
    """Home Support before a won siege is resolved: nothing else can be said in that record."""

    def has_won(draft: NextRecord, _: int) -> bool:
        spoils = draft.match.state.awaiting.decision is Decision.SIEGE_SPOILS
        return spoils and pile(draft) > 3 and bool(legal(draft, HomeSupport))

    draft, seed = find(has_won, FIRST, players=keeps_home_support, first=35)
    draft.order(HOME_SUPPORT)
    assert not draft.may_follow_up
    again = proved(proved(draft, seed), seed)
    assert again.match.state.awaiting[:2] == (Decision.SIEGE_SPOILS, again.seat.side)
    gives(again, Drop, *[type(order) for order in legal(again, Order)])
