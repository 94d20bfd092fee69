"""Deductions about unknown facts: face-down cards and replies that were not given yet.

Every observer knows the cards that were shuffled and the cards seen since then; only the division
of the others between hand and draw pile is hidden. All results follow from the position as an
observer sees it and from the dealing of cards; nothing is inferred from the decisions of a player.
Orders given before the other side has replied are orders for every position that a reply can cause.
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
    """The unseen cards of one shuffle: `in_hand` are in hand, and `in_pile` in the draw pile.

    Every choice of `in_hand` cards of the pool is equally likely.

    >>> pool = Pool(0, ("boston", "militia", "rangers"), in_hand=2, in_pile=1)
    >>> pool.deals(), pool.deals(without=("rangers",))
    (3, 1)
    """

    epoch: int
    cards: tuple[str, ...]
    in_hand: int
    in_pile: int

    def deals(self, without: Collection[str] = ()) -> int:
        """Return the number of ways to deal the hand from the pool without some cards."""
        return comb(sum(card not in without for card in self.cards), self.in_hand)


class HandKnowledge(Value):
    """An observer's knowledge of the cards of `side`: the known cards in hand, and the pools.

    >>> pool = Pool(0, ("boston", "militia", "rangers"), in_hand=2, in_pile=1)
    >>> hand = HandKnowledge(Side.BRITISH, ("ships",), (pool,))
    >>> hand.possible_cards, hand.chance("ships"), round(hand.chance("rangers"), 2)
    (['boston', 'militia', 'rangers'], 1.0, 0.67)
    """

    side: Side
    known_cards: tuple[str, ...]
    pools: tuple[Pool, ...]

    @property
    def possible_cards(self) -> list[str]:
        """The kinds of card that can be face down in hand."""
        return sorted({card for pool in self.pools if pool.in_hand for card in pool.cards})

    def chance(self, *cards: str) -> float:
        """Return the exact chance that at least one of `cards` is in hand.

        >>> pool = Pool(0, ("boston", "militia", "rangers", "ships"), in_hand=2, in_pile=2)
        >>> HandKnowledge(Side.BRITISH, (), (pool,)).chance("rangers")
        0.5
        """
        if set(self.known_cards) & set(cards):
            return 1.0
        deals = prod(pool.deals() for pool in self.pools)
        return (deals - prod(pool.deals(cards) for pool in self.pools)) / deals

    @property
    def surely_in_hand(self) -> Counter[str]:
        """The face-down cards that must be in hand, because the pile is too small for them."""
        cards: Counter[str] = Counter()
        for pool in self.pools:
            cards += _certain_copies(pool.cards, pool.in_pile)
        return cards

    @property
    def surely_in_pile(self) -> Counter[str]:
        """The cards that are certainly in the draw pile, because the hand is too small."""
        cards: Counter[str] = Counter()
        for pool in self.pools:
            cards += _certain_copies(pool.cards, pool.in_hand)
        return cards


def deduce_hand(state: State, side: Side) -> HandKnowledge:
    """Return an observer's knowledge of the cards of `side`; `state` is the observer's view.

    >>> from random import Random
    >>> from engine.simulation import Dealer
    >>> from engine.state import new_game
    >>> state = new_game()
    >>> Dealer(Random(1759), visible_sides=(Side.BRITISH,)).deal(state)
    >>> round(deduce_hand(state, Side.FRENCH).chance("trader"), 2)
    0.56
    """
    player = state.players[side]
    in_hand = Counter(slot.epoch for slot in player.hidden)
    in_pile = Counter(slot.epoch for slot in player.draw_pile)
    pools = tuple(
        Pool(epoch, tuple(cards), in_hand[epoch], in_pile[epoch])
        for epoch, cards in enumerate(player.unseen)
        if cards
    )
    return HandKnowledge(side, tuple(sorted(player.hand)), pools)


def _certain_copies(cards: tuple[str, ...], elsewhere: int) -> Counter[str]:
    """Return the copies of each card that remain even if all cards elsewhere are of its kind."""
    return Counter(
        {card: count - elsewhere for card, count in Counter(cards).items() if count > elsewhere}
    )


# --- future replies


def states_after_reply(state: State) -> list[State]:
    """Return the positions after each reply to an interrupted turn, equal ones once.

    The positions differ in the cards and pieces that the active side can see and use, not in the
    cards that the other side gives from its hand. A reply counts as possible if common knowledge
    allows it: the other side may hold each card that has not been seen since it was shuffled. The
    reply that changes least comes first: a raid is blocked, no card is given up, or a location is
    left neutral. The cards of a draw are face down, and a shuffle may follow. A reply that ends the
    game yields no position.

    >>> from engine.orders import Raid
    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> state = new_game()
    >>> state.active = Side.FRENCH
    >>> begin_turn(state)
    >>> state.players[Side.FRENCH].hand = ["native-americans", "priest"]
    >>> events = apply(state, Raid("pemaquid", ("native-americans", "priest")))
    >>> [world.owner("pemaquid") for world in states_after_reply(state)]
    [<Side.BRITISH: 'british'>, None]
    """
    decision, side, *_ = state.awaiting
    assert decision is not Decision.SHUFFLE, "a shuffle needs no answer"
    if decision is Decision.DRAW:
        world = state.copy()
        apply(world, Draw(side, tuple(world.players[side].draw_pile[: state.awaiting.amount])))
        return [world]
    if decision is Decision.WITHDRAWAL_SPOILS:
        return _states_after_withdrawal(state, side)
    blocked, unchanged = state.copy(), state.copy()
    return_action(blocked)
    for world in (blocked, unchanged):
        assert world.awaiting.resume is not None
        resume_turn(world, world.awaiting.resume)
    if decision is Decision.RAID_REPLY:
        return [blocked, _state_after(state, Allow())]
    if decision is Decision.CONVERSION_REPLY:
        return [unchanged, *(_convert(unchanged, card) for card in _convertible_cards(state, side))]
    at_sieges = [
        _state_after(state, GiveFromSiege(location, (card,)))
        for location, card in ambushed_at_sieges(state, side)
    ]
    has_changed = blocked.actions_left != unchanged.actions_left
    return [unchanged, *([blocked] if has_changed else []), *at_sieges]


def _state_after(state: State, order: Order) -> State:
    world = state.copy()
    apply(world, order)
    return world


def _states_after_withdrawal(state: State, side: Side) -> list[State]:
    """Return the positions in which `side` leaves the location neutral or settles it."""
    location, resume = state.awaiting.location, state.awaiting.resume
    assert location is not None
    assert resume is not None
    worlds = [_state_after(state, Leave(location))]
    if _may_occupy(state, side, location):
        occupied = state.copy()
        settle(occupied, side, location)
        if occupied.outcome is None:
            resume_turn(occupied, resume)
            worlds.append(occupied)
    return worlds


def _may_occupy(state: State, side: Side, location: str) -> bool:
    """Return True if `side` may hold the cards that a village there requires."""
    if state.villages_left(side) < 1:
        return False
    return not state.ruleset.catalogue.locations[location].settler or any(
        "settler" in find_card(state, side, card).symbols and can_use(state, side, card)
        for card in _possible_hand(state, side)
    )


def _convert(unchanged: State, card: str) -> State:
    world = unchanged.copy()
    world.discard(world.active, (card,))
    return world


def _convertible_cards(state: State, side: Side) -> list[str]:
    """Return the kinds of card that a conversion may cost `side`."""
    cards = _possible_hand(state, side) | {*state.players[side].reserve}
    return sorted(card for card in cards if find_card(state, side, card).convertible)


def _possible_hand(state: State, side: Side) -> set[str]:
    """Return the kinds of card that may be in the hand of `side`."""
    player = state.players[side]
    return {*player.hand, *(card for slot in player.hidden for card in player.unseen[slot.epoch])}
