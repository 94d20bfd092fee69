"""Positions foreseen after an answer: every possible answer leads to a foreseen position."""

from __future__ import annotations

from random import Random

import pytest

from engine.foresight import states_after_reply
from engine.game import apply, legal_orders
from engine.orders import End, GiveFromSiege
from engine.sides import Slot
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.arbitrary import choose_lively
from tests.engine.house_rule_positions import HOUSE_POSITIONS, random_rules
from tests.engine.positions import FRENCH, Seat, do, position
from tests.sample import sample

REPLIES = (
    Decision.RAID_REPLY,
    Decision.AMBUSH_REPLY,
    Decision.CONVERSION_REPLY,
    Decision.WITHDRAWAL_SPOILS,
)


def public_facts(state: State) -> tuple[object, ...]:
    """Return the facts that decide about the orders of the active side, without the other hand."""
    side = state.active
    other, own = state.players[side.opponent], state.players[side]
    return (
        tuple(sorted(state.board.items())),
        own.money,
        tuple(sorted(own.discard)),
        tuple(sorted(own.hand)),
        tuple(sorted(own.reserve)),
        own.captured_villages,
        own.captured_towns,
        other.captured_villages,
        other.captured_towns,
        tuple(sorted((s, siege.location) for s, siege in state.sieges.items())),
        state.awaiting,
        state.actions_left,
        state.turn,
    )


def hide_hand(state: State) -> State:
    """Return the position as the active side sees it, without the hand that replies."""
    view = state.copy()
    player = view.players[state.active.opponent]
    epoch = len(player.unseen)
    # The hand could as well have come from one more shuffle, of these cards.
    player.unseen.append(sorted(player.hand))
    player.hidden += [Slot(epoch, position) for position in range(len(player.hand))]
    player.hand = []
    return view


def waiting_positions(games: int) -> dict[Decision, list[State]]:
    """Return positions of random games with an awaited answer, by decision."""
    positions_by_decision: dict[Decision, list[State]] = {
        decision: [] for decision in (*REPLIES, Decision.DRAW)
    }
    for seed in range(games):
        random = Random(seed)
        state, dealer = new_game(), Dealer(random)
        for _ in range(300):
            if state.is_interrupted:
                positions_by_decision[state.awaiting.decision].append(state.copy())
            dealer.deal(state)
            if state.outcome:
                break
            if state.is_interrupted:
                positions_by_decision[state.awaiting.decision].append(state.copy())
            legal = legal_orders(state)
            verb = random.choice(sorted({order.verb for order in legal}))
            apply(state, random.choice([order for order in legal if order.verb == verb]))
    return positions_by_decision


@pytest.fixture(scope="module", params=[15, pytest.param(30, marks=pytest.mark.long)])
def positions(request: pytest.FixtureRequest) -> dict[Decision, list[State]]:
    return waiting_positions(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("decision", REPLIES)
def test_every_reply_leads_to_a_world(
    positions: dict[Decision, list[State]], decision: Decision
) -> None:
    """The replying hand may be known or face down."""
    assert positions[decision]
    for state in positions[decision][::2]:
        for view in (state, hide_hand(state)):
            worlds = [public_facts(world) for world in states_after_reply(view)]
            for order in legal_orders(state):
                after = state.copy()
                apply(after, order)
                if after.outcome is None:
                    assert public_facts(after) in worlds


def test_place_given_up_is_occupied_only_in_worlds_with_a_settler(
    positions: dict[Decision, list[State]],
) -> None:
    """Some of these places need a settler card, which the hand that replies may have or not."""
    numbers = set()
    for state in positions[Decision.WITHDRAWAL_SPOILS]:
        outcomes = set()
        for order in legal_orders(state):
            after = state.copy()
            apply(after, order)
            outcomes.add(public_facts(after))
        needed = state.ruleset.catalogue.locations[state.awaiting.location or ""].settler
        numbers.add((needed, len(outcomes)))
        for view in (state, hide_hand(state)):
            first, *others = states_after_reply(view)
            assert first.owner(state.awaiting.location or "") is None
            assert {public_facts(world) for world in (first, *others)} == outcomes
    assert numbers >= {(True, 1), (True, 2), (False, 2)}


@pytest.mark.parametrize("decision", REPLIES)
def test_worlds_after_a_reply_are_distinct_and_reachable(
    positions: dict[Decision, list[State]], decision: Decision
) -> None:
    for state in positions[decision]:
        worlds = states_after_reply(state)
        assert len({world.key() for world in worlds}) == len(worlds)
        for world in worlds:
            assert (world.active, world.turn) == (state.active, state.turn)
            assert world.awaiting[:5] == (Decision.TURN, state.active, None, 0, None)


@pytest.mark.parametrize(("rules", "lefts"), [((), {1}), (("blocked-ambush-free",), {1, 2})])
def test_free_blocked_ambush_is_a_separate_world(rules: tuple[str, ...], lefts: set[int]) -> None:
    """House rule blocked-ambush-free: a blocked ambush leaves one action more."""
    state = position(
        Seat("rangers militia"), Seat("coureurs-de-bois militia"), active=FRENCH, house_rules=rules
    )
    do(state, "ambush Coureurs de Bois")
    for view in (state, hide_hand(state)):
        worlds = states_after_reply(view)
        assert len(worlds) == len(lefts)
        assert {world.actions_left for world in worlds} == lefts
        assert worlds[0].actions_left == 1
        for order in legal_orders(state):
            after = state.copy()
            apply(after, order)
            assert public_facts(after) in [public_facts(world) for world in worlds]


def test_home_support_draws_hidden_cards(positions: dict[Decision, list[State]]) -> None:
    assert positions[Decision.DRAW]
    for state in positions[Decision.DRAW]:
        (world,) = states_after_reply(state)
        before, after = (s.players[state.active] for s in (state, world))
        assert after.hand == before.hand
        assert len(after.hidden) - len(before.hidden) == state.awaiting.amount
        assert world.awaiting.decision is Decision.TURN


def test_turn_without_a_reply_is_not_interrupted() -> None:
    state, dealer = new_game(), Dealer(Random(1))
    assert not state.is_interrupted
    dealer.deal(state)
    assert not state.is_interrupted
    while state.actions_left:
        apply(state, next(o for o in legal_orders(state) if o.verb == "pass"))
    apply(state, End())
    assert not state.is_interrupted


# --- by any rules


def waiting_positions_by_random_rules(seed: int) -> list[State]:
    """Return positions of a game by random rules with an awaited answer."""
    random = Random(seed)
    state, dealer = new_game(random_rules(random)), Dealer(random)
    positions = []
    for _ in range(200):
        dealer.deal(state)
        if state.outcome:
            break
        if state.is_interrupted:
            positions.append(state.copy())
        apply(state, choose_lively(random, legal_orders(state)))
    return positions


def siege_cards(state: State) -> list[object]:
    return [
        sorted((side, tuple(sorted(cards))) for side, cards in siege.cards.items())
        for _, siege in sorted(state.sieges.items())
    ]


def check_foresight(state: State) -> None:
    """Raise AssertionError if an answer leads to no world, or a world is there twice.

    With the hand that replies known or face down; answers that end the game have no world.
    """
    for view in (state, hide_hand(state)):
        worlds = states_after_reply(view)
        assert worlds
        assert all(world.outcome is None for world in worlds)
        assert len({world.key() for world in worlds}) == len(worlds)
        foreseen = [(public_facts(world), siege_cards(world)) for world in worlds]
        for order in legal_orders(state):
            after = state.copy()
            apply(after, order)
            if after.outcome is None:
                assert (public_facts(after), siege_cards(after)) in foreseen


@pytest.mark.parametrize("seed", sample(range(12), first=4))
def test_every_answer_leads_to_a_position_foreseen(seed: int) -> None:
    """The rules are random, and include those by which an action comes back."""
    for state in waiting_positions_by_random_rules(seed):
        check_foresight(state)


def test_siege_card_given_up_is_foreseen() -> None:
    """House rule ambush-reaches-sieges: each card that may go leads to a position."""
    state = HOUSE_POSITIONS["ambush at sieges"]()
    check_foresight(state)
    at_sieges = [order for order in legal_orders(state) if isinstance(order, GiveFromSiege)]
    assert len(at_sieges) == 3
    assert len(states_after_reply(state)) == 2 + len(at_sieges)


def test_answer_that_ends_the_game_yields_no_position() -> None:
    """House rule duquesne-wins: orders ahead assume an answer that does not end the game."""
    state = HOUSE_POSITIONS["Fort Duquesne given up"]()
    check_foresight(state)
    (world,) = states_after_reply(state)
    assert world.owner("fort-duquesne") is None
