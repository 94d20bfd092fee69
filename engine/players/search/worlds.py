"""Worlds: positions in which every card has its place, as far as one side can know.

What lies face down is dealt again: each shuffle's unseen cards to the slots of that shuffle, in
hand and in the draw pile, as `engine.unseen` counts them. What a position knows, its player may
know: cards that were shown stay where they are. So the position given should be as the side
sees it (`Dealer.seen_by`); where it knows both hands, neither is dealt again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply
from engine.order import Order
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, Player, State

Pile = list[str]
"""The cards of a draw pile, that which is drawn next first."""


class World:
    """One way in which the hidden cards can lie, and what chance will do from there on.

    In all `lines` of play that begin here the same cards come from a pile in the same sequence,
    and a shuffle puts the cards that it has in the same sequence too: what differs between two
    lines comes of their orders.
    """

    def __init__(self, state: State, piles: Mapping[Side, Pile], seed: int) -> None:
        self.state = state
        self.piles = piles
        self.seed = seed
        self._ranks: dict[tuple[Side, int], dict[tuple[str, int], float]] = {}

    def line(self) -> Line:
        """A line of play that begins here."""
        return Line(self)

    def shuffled(self, side: Side, epoch: int, cards: list[str]) -> Pile:
        """The cards of a shuffle still to come in the sequence in which they will be drawn."""
        ranks = self._ranks.get((side, epoch))
        if ranks is None:
            random = Random(f"{self.seed} {side} {epoch}")
            ruleset = self.state.ruleset
            copies = _copies(ruleset.edition, ruleset.house_rules, side)
            ranks = {copy: random.random() for copy in copies}
            self._ranks[side, epoch] = ranks
        ranked, before, copy = [], "", 0
        for card in sorted(cards):
            copy = copy + 1 if card == before else 0
            ranked.append((ranks[card, copy], card))
            before = card
        return [card for _, card in sorted(ranked)]


class Line:
    """A line of play in a world: its position, which goes on with orders, and the draw piles."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.state = world.state.copy()
        self.piles = {side: pile.copy() for side, pile in world.piles.items()}

    def play(self, order: Order) -> None:
        """Carry out a legal order, which is not checked, and what chance does after it."""
        apply(self.state, order, known_legal=True)
        self.deal()

    def deal(self) -> None:
        """Carry out events of chance until a player must decide, or the game is over."""
        state = self.state
        while state.awaiting.decision.is_chance:
            side, player = state.awaiting.side, state.players[state.awaiting.side]
            if state.awaiting.decision is Decision.SHUFFLE:
                epoch = len(player.unseen)
                self.piles[side] = self.world.shuffled(side, epoch, player.discard)
                apply(state, Shuffle(side))
                continue
            pile, count = self.piles[side], state.awaiting.amount
            # Any slots will do: which card lies in which the pile says.
            slots = tuple(player.draw_pile[:count])
            apply(state, Draw(side, slots))
            for slot, card in zip(slots, pile[:count], strict=True):
                apply(state, Reveal(side, slot, card))
            del pile[:count]


@cache
def _copies(edition: str, house_rules: tuple[str, ...], side: Side) -> list[tuple[str, int]]:
    """Every card that a side can ever own, each copy for itself."""
    cards = sorted(Ruleset.of(edition, house_rules).catalogue.cards[side].items())
    return [(id, copy) for id, card in cards for copy in range(card.count)]


def sampled(state: State, random: Random) -> World:
    """A world as the position allows it; every deal of the hidden cards is equally likely.

    A hand that is not known is dealt as well, whosesoever it is.
    """
    dealt = state.copy()
    dealt.events.clear()
    piles = {side: _deal(dealt.players[side], random) for side in Side}
    return World(dealt, piles, random.getrandbits(64))


def _deal(player: Player, random: Random) -> Pile:
    """Give every slot of a player one of the unseen cards of its shuffle; the draw pile then."""
    for epoch, cards in enumerate(player.unseen):
        cards.sort()
        random.shuffle(cards)
        in_hand = sum(slot.epoch == epoch for slot in player.hidden)
        player.hand += cards[:in_hand]
        del cards[:in_hand]
    player.hidden = []
    left = [iter(cards) for cards in player.unseen]
    return [next(left[slot.epoch]) for slot in player.draw_pile]
