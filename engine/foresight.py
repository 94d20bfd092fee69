"""Deductions about what is not known: the cards that lie face down, and answers still to come.

Everybody knows which cards were shuffled and which of them have been seen since: only where the
others are, in hand or in the draw pile, is hidden. All numbers here follow from a position as
somebody sees it, and from how cards are dealt; they infer nothing from what a player did or did not
do. Orders given before the other side has answered are orders for each position to which an answer
may lead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import comb, prod

from engine.actions.action import find_card
from engine.actions.economy import settle
from engine.actions.raids import ambushed_at_sieges, return_action
from engine.chance import Draw
from engine.game import apply
from engine.order import Order
from engine.orders import Allow, GiveFromSiege, Leave
from engine.position import can_use
from engine.sides import Side
from engine.state import Decision, State
from engine.turn import resume_turn
from engine.value import Value

# --- face-down cards


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


class HandKnowledge(Value):
    """The cards of `side` as somebody sees them: those `known` to be in hand, and the pools."""

    side: Side
    known_cards: tuple[str, ...]
    pools: tuple[Pool, ...]

    @property
    def possible_cards(self) -> list[str]:
        """The kinds of card that may be face down in hand."""
        return sorted({card for pool in self.pools if pool.in_hand for card in pool.cards})

    def chance(self, *wanted: str) -> float:
        """The exact chance that at least one card of the wanted kinds is in hand."""
        if set(self.known_cards) & set(wanted):
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


def deduce_hand(state: State, side: Side) -> HandKnowledge:
    """Return what somebody with this view of the game can deduce about the cards of `side`."""
    player = state.players[side]
    in_hand = Counter(slot.epoch for slot in player.hidden)
    in_pile = Counter(slot.epoch for slot in player.draw_pile)
    pools = tuple(
        Pool(epoch, tuple(cards), in_hand[epoch], in_pile[epoch])
        for epoch, cards in enumerate(player.unseen)
        if cards
    )
    return HandKnowledge(side, tuple(sorted(player.hand)), pools)


def _at_least(cards: tuple[str, ...], elsewhere: int) -> Counter[str]:
    """The copies of each card that are here even if all those `elsewhere` are of its kind."""
    return Counter(
        {card: count - elsewhere for card, count in Counter(cards).items() if count > elsewhere}
    )


# --- answers still to come


def states_after_reply(state: State) -> list[State]:
    """The positions to which the answers to an interrupted turn lead, equal ones once.

    They differ in what the active side can see and use; what the other side gives from its hand
    does not show. They are what is possible as far as everybody knows: the other side may hold each
    card that has not been seen since it was shuffled. The first is that in which the answer changes
    least: a raid is blocked, no card is given up, a place given up is left neutral. The cards of a
    draw come face down; a shuffle may be due then. An answer that ends the game leads to none.
    """
    decision, side, *_ = state.awaiting
    assert decision is not Decision.SHUFFLE, "a shuffle needs no answer"
    if decision is Decision.DRAW:
        drawn = state.copy()
        apply(drawn, Draw(side, tuple(drawn.players[side].draw_pile[: state.awaiting.amount])))
        return [drawn]
    if decision is Decision.WITHDRAWAL_SPOILS:
        return _after_withdrawal(state, side)
    blocked, unchanged = state.copy(), state.copy()
    return_action(blocked)
    for world in (blocked, unchanged):
        assert world.awaiting.resume is not None
        resume_turn(world, world.awaiting.resume)
    if decision is Decision.RAID_REPLY:
        return [blocked, _after(state, Allow())]
    if decision is Decision.CONVERSION_REPLY:
        return [unchanged, *(_converted(unchanged, card) for card in _convertible(state, side))]
    given = [
        _after(state, GiveFromSiege(location, (card,)))
        for location, card in ambushed_at_sieges(state, side)
    ]
    has_changed = blocked.actions_left != unchanged.actions_left
    return [unchanged, *([blocked] if has_changed else []), *given]


def _after(state: State, order: Order) -> State:
    after = state.copy()
    apply(after, order)
    return after


def _after_withdrawal(state: State, side: Side) -> list[State]:
    """What `side` may do with a place that was given up: leave it neutral, or place a village."""
    location, resume = state.awaiting.location, state.awaiting.resume
    assert location is not None
    assert resume is not None
    worlds = [_after(state, Leave(location))]
    if _may_occupy(state, side, location):
        occupied = state.copy()
        settle(occupied, side, location)
        if occupied.outcome is None:
            resume_turn(occupied, resume)
            worlds.append(occupied)
    return worlds


def _may_occupy(state: State, side: Side, location: str) -> bool:
    """Whether `side` may have the cards that a village there takes."""
    if state.villages_left(side) < 1:
        return False
    return not state.ruleset.catalogue.locations[location].settler or any(
        "settler" in find_card(state, side, card).symbols and can_use(state, side, card)
        for card in _may_hold(state, side)
    )


def _converted(unchanged: State, card: str) -> State:
    after = unchanged.copy()
    after.discard(after.active, (card,))
    return after


def _convertible(state: State, side: Side) -> list[str]:
    """The kinds of card that a conversion may cost `side`."""
    held = _may_hold(state, side) | {*state.players[side].reserve}
    return sorted(card for card in held if find_card(state, side, card).convertible)


def _may_hold(state: State, side: Side) -> set[str]:
    """The kinds of card that may be in the hand of `side`."""
    player = state.players[side]
    return {*player.hand, *(card for slot in player.hidden for card in player.unseen[slot.epoch])}
