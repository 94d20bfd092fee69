"""What anybody can deduce about face-down cards.

Everybody knows which cards were shuffled and which of them have been seen since: only where the
others are, in hand or in the draw pile, is hidden. All numbers here follow from a position as
somebody sees it, and from how cards are dealt; they infer nothing from what a player did or did not
do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import comb, prod

from engine.sides import Side
from engine.state import State
from engine.value import Value


class Pool(Value):
    """The unseen cards of one shuffle: how many of them are in hand, the others in the draw pile.

    Every choice of `in_hand` cards of the pool is equally likely.
    """

    epoch: int
    cards: tuple[str, ...]
    in_hand: int
    in_pile: int

    def deals(self, without: Collection[str] = ()) -> int:
        """In how many ways the hand can have its part of the pool, and none of these cards."""
        return comb(sum(card not in without for card in self.cards), self.in_hand)


class Unseen(Value):
    """The cards of `side` as somebody sees them: those `known` to be in hand, and the pools."""

    side: Side
    known: tuple[str, ...]
    pools: tuple[Pool, ...]

    @property
    def kinds(self) -> list[str]:
        """The kinds of card that may be face down in hand."""
        return sorted({card for pool in self.pools if pool.in_hand for card in pool.cards})

    def chance(self, *wanted: str) -> float:
        """The exact chance that at least one card of the wanted kinds is in hand."""
        if set(self.known) & set(wanted):
            return 1.0
        deals = prod(pool.deals() for pool in self.pools)
        return (deals - prod(pool.deals(wanted) for pool in self.pools)) / deals

    @property
    def surely_in_hand(self) -> Counter[str]:
        """The cards that have to be in hand, besides those known: the pile cannot hold them all."""
        found: Counter[str] = Counter()
        for pool in self.pools:
            found += _at_least(pool.cards, pool.in_pile)
        return found

    @property
    def surely_in_pile(self) -> Counter[str]:
        """The cards that have to be in the draw pile: the hand cannot hold them all."""
        found: Counter[str] = Counter()
        for pool in self.pools:
            found += _at_least(pool.cards, pool.in_hand)
        return found


def unseen(state: State, side: Side) -> Unseen:
    """What somebody with this view of the game can deduce about the cards of `side`."""
    player = state.players[side]
    in_hand = Counter(slot.epoch for slot in player.hidden)
    in_pile = Counter(slot.epoch for slot in player.draw_pile)
    pools = tuple(
        Pool(epoch, tuple(cards), in_hand[epoch], in_pile[epoch])
        for epoch, cards in enumerate(player.unseen)
        if cards
    )
    return Unseen(side, tuple(sorted(player.hand)), pools)


def _at_least(cards: tuple[str, ...], elsewhere: int) -> Counter[str]:
    """The copies of each card that are here even if all those `elsewhere` are of its kind."""
    return Counter(
        {card: count - elsewhere for card, count in Counter(cards).items() if count > elsewhere}
    )
