"""Worlds: positions that are possible for a side, sampled without a look at hidden cards."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import comb
from random import Random

import pytest

from engine.foresight import deduce_hand
from engine.game import apply, legal_orders
from engine.orders import ShowHand
from engine.players.practice import PracticePlayer
from engine.players.search.playouts import sample_world
from engine.position import cards_outside_sieges, owned_cards
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import State, new_game
from tests.engine.house_rule_positions import random_rules
from tests.engine.invariants import check_invariants
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position
from tests.sample import sample


def positions(seed: int, every: int = 9, share: float = 1) -> list[State]:
    """Return positions of a game between practice players, as seen by the player to decide.

    It is played with that share of the house rules.
    """
    state, dealer = (
        new_game(random_rules(Random(seed), share)),
        Dealer(Random(seed), visible_sides=()),
    )
    player, views = PracticePlayer(Random(seed)), list[State]()
    dealer.deal(state)
    while state.outcome is None and state.turn < 70:
        side = state.awaiting.side
        view = dealer.view_of(state, side)
        if Random(f"{seed} {len(views)} {state.turn}").random() < 1 / every:
            views.append(view.copy())
        order = player.choose(view)
        dealer.show(state, side, order)
        apply(state, order)
        dealer.deal(state)
    return views


def shown_hand_position() -> State:
    """Return a position of the French, to whom the British have shown three cards of four."""
    state = position(
        Seat(pile="albany boston new-york norfolk"), Seat("coureurs-de-bois"), active=FRENCH
    )
    player, dealer = state.players[BRITISH], Dealer(Random(1), visible_sides=())
    dealer.cards = {
        (BRITISH, slot): card for slot, card in zip(player.draw_pile, player.unseen[0], strict=True)
    }
    player.hidden, player.draw_pile = player.draw_pile[:3], player.draw_pile[3:]
    do(state, "ambush Coureurs de Bois")
    dealer.show(state, BRITISH, ShowHand())
    do(state, "show hand")
    return dealer.view_of(state, FRENCH)


@pytest.mark.parametrize("seed", range(4))
def test_world_differs_from_the_position_in_hidden_cards_only(seed: int) -> None:
    for number, state in enumerate(positions(seed)):
        before = state.key()
        world = sample_world(state, Random(number))
        assert state.key() == before, "to look changes nothing"
        check_invariants(world.state)
        for side in Side:
            player, was = world.state.players[side], state.players[side]
            assert len(player.hand) == was.hand_size
            assert not player.hidden
            assert player.draw_pile == was.draw_pile
            assert Counter(world.piles[side]) == Counter(chain(*player.unseen))
        for open_part in (state, world.state):
            for player in open_part.players.values():
                player.hand, player.hidden, player.unseen = [], [], []
        assert world.state.key() == state.key()


def test_world_has_the_cards_of_each_side() -> None:
    """The cards may be face down, in hand, in the reserve or at sieges."""
    for number, state in enumerate(positions(2)):
        world = sample_world(state, Random(number))
        for side in Side:
            player, sieges = world.state.players[side], world.state.sieges.values()
            lying = Counter(player.hand + player.discard + player.reserve + world.piles[side])
            assert Counter(cards_outside_sieges(state.players[side])) == lying
            lying.update(chain.from_iterable(siege.cards[side] for siege in sieges))
            assert owned_cards(state, side) == lying


def test_slots_hold_cards_of_their_shuffle_and_revealed_cards_stay() -> None:
    sure = revealed = 0
    games = (
        positions(3, share=0),
        positions(4),
        positions(5),
        positions(6),
        [shown_hand_position()],
    )
    for number, state in enumerate(chain(*games)):
        world = sample_world(state, Random(number))
        for side in Side:
            knowledge, player = deduce_hand(state, side), world.state.players[side]
            hand = Counter(knowledge.known_cards)
            for pool in knowledge.pools:
                in_pile = Counter(player.unseen[pool.epoch])
                assert in_pile <= Counter(pool.cards)
                assert in_pile.total() == pool.in_pile
                hand += Counter(pool.cards) - in_pile
            assert Counter(player.hand) == hand
            assert knowledge.surely_in_hand <= hand
            sure += knowledge.surely_in_hand.total()
            revealed += side is not state.awaiting.side and len(knowledge.known_cards)
    # Positions were met in which that is more than anybody's guess.
    assert sure > 9
    assert revealed > 0


def test_spectator_deals_both_hands() -> None:
    state = new_game()
    Dealer(Random(1), visible_sides=()).deal(state)
    hands = {tuple(sample_world(state, Random(n)).state.players[BRITISH].hand) for n in range(9)}
    assert len(hands) > 5
    assert all(len(hand) == 5 for hand in hands)


def test_every_deal_is_equally_likely() -> None:
    """Two of seven cards in hand make 21 deals; each other card may be on top of the pile."""
    pile = "gaspe quebec montreal tadoussac louisbourg port-royal trois-rivieres"
    state = position(Seat("boston"), Seat(pile=pile))
    player = state.players[FRENCH]
    player.hidden, player.draw_pile = player.draw_pile[:2], player.draw_pile[2:]
    times, hands, tops = 4200, Counter[frozenset[str]](), Counter[str]()
    for seed in range(times):
        world = sample_world(state, Random(seed))
        hands[frozenset(world.state.players[FRENCH].hand)] += 1
        tops[world.piles[FRENCH][0]] += 1
    for counts, kinds in ((hands, comb(7, 2)), (tops, 7)):
        expected = times / kinds
        assert len(counts) == kinds
        # For that many degrees of freedom one game in a thousand millions is beyond this.
        assert sum((n - expected) ** 2 / expected for n in counts.values()) < 90


def test_lines_of_a_world_share_their_chances() -> None:
    """Orders that leave the piles alone do not change the cards drawn."""
    (state, *_) = positions(2)
    drawn = set()
    for order in legal_orders(state)[:8]:
        line = sample_world(state, Random(5)).playout()
        before = line.piles[state.active.opponent].copy()
        line.play(order)
        drawn.add((tuple(before), tuple(line.state.players[state.active.opponent].hand)))
    assert len(drawn) == 1


def test_shuffles_differ_between_worlds_and_agree_within_lines() -> None:
    state = position(Seat("boston", discard="militia rangers ships", pile=""))
    world, other = (sample_world(state, Random(seed)) for seed in (1, 2))
    discard = state.players[BRITISH].discard
    assert world.draw_pile(BRITISH, 1, discard) == world.draw_pile(BRITISH, 1, discard[::-1])
    assert world.draw_pile(BRITISH, 1, discard) != other.draw_pile(BRITISH, 1, discard)
    assert world.draw_pile(BRITISH, 1, discard) != world.draw_pile(BRITISH, 2, discard)
    without = [card for card in discard if card != "militia"]
    shuffled = [card for card in world.draw_pile(BRITISH, 1, discard) if card != "militia"]
    assert world.draw_pile(BRITISH, 1, without) == shuffled


@pytest.mark.parametrize("seed", sample(range(3), first=1))
def test_playouts_continue_by_the_rules(seed: int) -> None:
    for number, state in enumerate(positions(seed, every=40)):
        line = sample_world(state, Random(number)).playout()
        player = PracticePlayer(Random(seed))
        last = state.turn + 30
        while line.state.outcome is None and line.state.turn < last:
            line.play(player.choose(line.state))
            check_invariants(line.state)
            for side in Side:
                remaining = chain(*line.state.players[side].unseen)
                assert Counter(line.piles[side]) == Counter(remaining)
