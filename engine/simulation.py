"""Both sides of chance in one hand: a dealer who knows every pile, for simulations and tests."""

from __future__ import annotations

from random import Random

from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply
from engine.sides import Side
from engine.slot import Slot
from engine.state import Decision, State


class Dealer:
    """Answers whatever chance a state awaits, with cards shuffled by `random`.

    `sees` says whose cards the state is to know: drawn slots of these sides are revealed at once.
    """

    def __init__(self, random: Random, sees: tuple[Side, ...] = tuple(Side)) -> None:
        self.random = random
        self.sees = sees
        self.cards: dict[tuple[Side, Slot], str] = {}

    def deal(self, state: State) -> None:
        """Carry out events of chance until a player must decide, or the game is over."""
        while state.awaiting.decision.is_chance:
            side = state.awaiting.side
            player = state.players[side]
            if state.awaiting.decision is Decision.SHUFFLE:
                epoch, cards = len(player.unseen), sorted(player.discard)
                self.random.shuffle(cards)
                for position, card in enumerate(cards):
                    self.cards[side, Slot(epoch, position)] = card
                apply(state, Shuffle(side))
                continue
            slots = tuple(self.random.sample(player.draw_pile, state.awaiting.amount))
            apply(state, Draw(side, slots))
            if side in self.sees:
                self.reveal(state, side)

    def reveal(self, state: State, side: Side) -> None:
        """Reveal every hidden card in the hand of `side`."""
        for slot in tuple(state.players[side].hidden):
            apply(state, Reveal(side, slot, self.cards[side, slot]))
