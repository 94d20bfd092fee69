"""Worlds: every card in its place, as one side may expect it, and no look at what is hidden."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import comb
from random import Random

import pytest

from engine.game import apply, legal_orders
from engine.players.practice import PracticePlayer
from engine.players.search.worlds import World, sampled
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import State, new_game
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants
from tests.engine.positions import BRITISH, FRENCH, Seat, position


def cards(state: State, side: Side) -> Counter[str]:
    """All that is in hand or draw pile, face up or down."""
    player = state.players[side]
    return Counter(chain(player.hand, *player.unseen))


def fill(world: World) -> list[object]:
    """All that a world says is hidden."""
    return [(side, world.state.players[side].hand, world.piles[side]) for side in Side]


def positions(seed: int, every: int = 9) -> list[State]:
    """Positions of a game between practice players, both hands known."""
    state, dealer = new_game(random_rules(Random(seed))), Dealer(Random(seed))
    player, found = PracticePlayer(Random(seed)), list[State]()
    dealer.deal(state)
    while state.outcome is None and state.turn < 70:
        if Random(f"{seed} {len(found)} {state.turn}").random() < 1 / every:
            found.append(state.copy())
        apply(state, player.choose(state))
        dealer.deal(state)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_world_is_the_position_but_for_what_is_hidden(seed: int) -> None:
    for number, state in enumerate(positions(seed)):
        before, side = state.copy(), list(Side)[number % 2]
        world = sampled(state, side, Random(number))
        assert state.key() == before.key(), "to look changes nothing"
        check_invariants(world.state)
        for each in Side:
            player, was = world.state.players[each], state.players[each]
            assert cards(world.state, each) == cards(state, each)
            assert len(player.hand) == was.hand_size
            assert not player.hidden
            assert player.draw_pile == was.draw_pile
            assert Counter(world.piles[each]) == Counter(chain(*player.unseen))
        assert world.state.players[side].hand == state.players[side].hand
        for open_part in (state, world.state):
            for each in Side:
                open_part.players[each].hand, open_part.players[each].unseen = [], []
        assert world.state.key() == state.key()


@pytest.mark.parametrize("seed", range(3))
def test_nothing_hidden_is_read(seed: int) -> None:
    """The same worlds, whether the state knows the opponent's hand, another one, or none."""
    state, dealer = new_game(), Dealer(Random(seed))
    public, public_dealer = new_game(), Dealer(Random(seed), sees=())
    player, random = PracticePlayer(Random(seed)), Random(seed)
    dealer.deal(state)
    public_dealer.deal(public)
    while state.outcome is None and state.turn < 40:
        side = state.awaiting.side
        if random.random() < 0.1:
            own = public.copy()
            public_dealer.reveal(own, side)
            twin = sampled(state, side, random).state
            views = [state, own, twin]
            assert len({str(fill(sampled(view, side, Random(seed)))) for view in views}) == 1
        order = player.choose(state)
        apply(state, order)
        dealer.deal(state)
        # The whole hand, so that some cards stay known that nobody had to show.
        public_dealer.reveal(public, side)
        apply(public, order)
        public_dealer.deal(public)


def test_a_spectator_deals_both_hands() -> None:
    state = new_game()
    Dealer(Random(1), sees=()).deal(state)
    hands = {
        tuple(sampled(state, BRITISH, Random(n)).state.players[BRITISH].hand) for n in range(9)
    }
    assert len(hands) > 5
    assert all(len(hand) == 5 for hand in hands)


def test_every_deal_is_equally_likely() -> None:
    """Of seven cards two in hand: 21 deals, and each card on top of the pile."""
    state = position(
        Seat(hand="boston"),
        Seat(hand="gaspe quebec", pile="montreal tadoussac louisbourg port-royal trois-rivieres"),
    )
    times, hands, tops = 4200, Counter[frozenset[str]](), Counter[str]()
    for seed in range(times):
        world = sampled(state, BRITISH, Random(seed))
        hands[frozenset(world.state.players[FRENCH].hand)] += 1
        tops[world.piles[FRENCH][0]] += 1
    for found, kinds in ((hands, comb(7, 2)), (tops, 7)):
        expected = times / kinds
        assert len(found) == kinds
        # For so many degrees of freedom one game in a thousand millions is beyond this.
        assert sum((n - expected) ** 2 / expected for n in found.values()) < 90


def test_lines_of_a_world_share_their_chances() -> None:
    """What is drawn does not depend on what was ordered, as long as the piles do not."""
    (state, *_) = positions(2)
    drawn = set()
    for order in legal_orders(state)[:8]:
        line = sampled(state, state.awaiting.side, Random(5)).line()
        before = line.piles[state.active.opponent].copy()
        line.play(order)
        drawn.add((tuple(before), tuple(line.state.players[state.active.opponent].hand)))
    assert len(drawn) == 1


def test_a_shuffle_is_new_in_each_world_and_the_same_in_its_lines() -> None:
    state = position(Seat(hand="boston", discard="militia rangers ships", pile=""))
    world, other = (sampled(state, BRITISH, Random(seed)) for seed in (1, 2))
    discard = state.players[BRITISH].discard
    assert world.shuffled(BRITISH, 1, discard) == world.shuffled(BRITISH, 1, discard[::-1])
    assert world.shuffled(BRITISH, 1, discard) != other.shuffled(BRITISH, 1, discard)
    assert world.shuffled(BRITISH, 1, discard) != world.shuffled(BRITISH, 2, discard)
    without = [card for card in discard if card != "militia"]
    shuffled = [card for card in world.shuffled(BRITISH, 1, discard) if card != "militia"]
    assert world.shuffled(BRITISH, 1, without) == shuffled


@pytest.mark.parametrize("seed", range(3))
def test_lines_go_on_by_the_rules(seed: int) -> None:
    for number, state in enumerate(positions(seed, every=40)):
        line = sampled(state, state.active, Random(number)).line()
        player = PracticePlayer(Random(seed))
        last = state.turn + 30
        while line.state.outcome is None and line.state.turn < last:
            line.play(player.choose(line.state))
            check_invariants(line.state)
            for side in Side:
                left = chain(*line.state.players[side].unseen)
                assert Counter(line.piles[side]) == Counter(left)
