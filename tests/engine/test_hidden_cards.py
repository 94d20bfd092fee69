"""Counting up hidden cards, against every deal that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from engine.chance import Draw, Reveal, Shuffle
from engine.foresight import HandKnowledge, Pool, deduce_hand
from engine.game import apply, cards_played, legal_orders
from engine.order import Order
from engine.sides import Side, Slot
from engine.simulation import Dealer
from engine.state import Decision, State, new_game
from tests.engine.positions import BRITISH, FRENCH, Seat, position

KINDS = "abcd"


def some_cards(random: Random) -> HandKnowledge:
    """Return a few pools of a few kinds of card, some of them wholly in hand, and known cards."""
    pools = []
    for epoch in range(random.randint(1, 3)):
        cards = tuple(sorted(random.choices(KINDS, k=random.randint(1, 5))))
        in_hand = random.choice((len(cards), random.randint(0, len(cards))))
        pools.append(Pool(epoch, cards, in_hand, len(cards) - in_hand))
    known_cards = tuple(random.choices(KINDS, k=random.choice((0, 0, 1))))
    return HandKnowledge(BRITISH, known_cards, tuple(pools))


def every_deal(cards: HandKnowledge) -> Iterator[Counter[str]]:
    """Yield the cards face down in hand for every choice of slots in each pool."""
    hands = [
        [[pool.cards[place] for place in places] for places in choices]
        for pool in cards.pools
        for choices in [combinations(range(len(pool.cards)), pool.in_hand)]
    ]
    for parts in product(*hands):
        yield Counter(card for part in parts for card in part)


@pytest.mark.parametrize("seed", range(60))
def test_chances_are_shares_of_all_deals(seed: int) -> None:
    cards = some_cards(Random(seed))
    deals = list(every_deal(cards))
    for expected in [*KINDS, "ab", "bcd"]:
        held = sum(
            any(deal[card] or card in cards.known_cards for card in expected) for deal in deals
        )
        assert cards.chance(*expected) == held / len(deals)
    assert cards.possible_cards == sorted({card for deal in deals for card in deal})


@pytest.mark.parametrize("seed", range(60))
def test_sure_cards_occur_in_every_deal(seed: int) -> None:
    cards = some_cards(Random(seed))
    deals = list(every_deal(cards))
    pooled = Counter(card for pool in cards.pools for card in pool.cards)
    for card in KINDS:
        held = [deal[card] for deal in deals]
        assert cards.surely_in_hand[card] == min(held)
        assert cards.surely_in_pile[card] == pooled[card] - max(held)


def test_known_card_is_certain() -> None:
    state = position(Seat("rangers"), Seat("priest"))
    for side, card in ((BRITISH, "rangers"), (FRENCH, "priest")):
        counted = deduce_hand(state, side)
        assert (counted.known_cards, counted.chance(card)) == ((card,), 1)
        # The starting cards are all in the draw pile, none of them in hand.
        assert counted.chance(*counted.pools[0].cards) == 0
        assert sum(counted.surely_in_pile.values()) == len(counted.pools[0].cards)


def test_cards_left_from_an_older_shuffle_are_all_in_hand() -> None:
    """A reshuffled draw pile holds no card of the old pile."""
    state = position(Seat(pile="boston rangers", discard="militia militia"))
    player = state.players[BRITISH]
    old, other = player.draw_pile
    player.draw_pile, player.hidden = [], [old, other]
    player.unseen.append(["militia", "militia"])
    player.discard = [card for card in player.discard if card != "militia"]
    player.draw_pile = [Slot(1, 0), Slot(1, 1)]
    counted = deduce_hand(state, BRITISH)
    assert counted.surely_in_hand == {"boston": 1, "rangers": 1}
    assert (counted.surely_in_pile, counted.possible_cards) == (
        {"militia": 2},
        ["boston", "rangers"],
    )


def turns(state: State, dealer: Dealer, random: Random, count: int) -> Iterator[State]:
    """Yield the states of random play, with cards hidden until an order plays them."""
    for _ in range(count):
        dealer.deal(state)
        if state.awaiting.decision is Decision.OVER:
            return
        yield state
        apply(state, _any_order(state, dealer, random))


def _any_order(state: State, dealer: Dealer, random: Random) -> Order:
    """Return an order of the side that decides, and reveal the hidden cards that it plays."""
    side, seeing = state.awaiting.side, state.copy()
    dealer.reveal(seeing, side)
    order = random.choice(legal_orders(seeing))
    shows_all = order.verb == "show-hand"
    for slot in tuple(state.players[side].hidden):
        card = dealer.cards[side, slot]
        if shows_all or card in cards_played(seeing, order):
            apply(state, Reveal(side, slot, card))
    return order


def test_pools_hold_the_hidden_cards_during_play() -> None:
    sure = hidden = 0
    for seed in range(8):
        random, state = Random(seed), new_game()
        dealer = Dealer(random, visible_sides=())
        for now in turns(state, dealer, random, 150):
            for side in Side:
                player, counted = now.players[side], deduce_hand(now, side)
                in_hand = Counter(dealer.cards[side, slot] for slot in player.hidden)
                in_pile = Counter(dealer.cards[side, slot] for slot in player.draw_pile)
                pooled = Counter(card for pool in counted.pools for card in pool.cards)
                assert pooled == in_hand + in_pile
                assert sum(pool.in_hand for pool in counted.pools) == len(player.hidden)
                assert sum(pool.in_pile for pool in counted.pools) == len(player.draw_pile)
                assert counted.surely_in_hand <= in_hand
                assert counted.surely_in_pile <= in_pile
                assert all(counted.chance(card) > 0 for card in in_hand)
                sure += sum(counted.surely_in_hand.values())
                hidden += len(player.hidden)
    assert 0 < sure < hidden


def test_known_hand_determines_the_draw_pile() -> None:
    random, state = Random(3), new_game()
    dealer = Dealer(random, visible_sides=(FRENCH,))
    dealer.deal(state)
    own, other = deduce_hand(state, FRENCH), deduce_hand(state, BRITISH)
    assert (len(own.known_cards), sum(own.surely_in_pile.values()), own.possible_cards) == (
        5,
        4,
        [],
    )
    assert (other.known_cards, len(other.possible_cards)) == ((), 7)
    # Seven cards, five of them in hand.
    assert other.chance("boston") == 5 / 7


def test_counting_waits_for_the_draw_and_the_shuffle() -> None:
    state = position(Seat("boston", pile="rangers", discard="militia"), active=BRITISH)
    for order in ("pass", "pass", "end"):
        apply(state, next(o for o in legal_orders(state) if o.verb == order))
    assert (state.awaiting.decision, deduce_hand(state, BRITISH).chance("rangers")) == (
        Decision.DRAW,
        0,
    )
    apply(state, Draw(BRITISH, tuple(state.players[BRITISH].draw_pile)))
    assert deduce_hand(state, BRITISH).chance("rangers") == 1
    apply(state, Shuffle(BRITISH))
    assert deduce_hand(state, BRITISH).surely_in_pile["militia"] == 1
