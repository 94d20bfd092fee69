"""Chance for both sides: a dealer who knows every pile, for simulations and tests."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply, plays
from engine.order import Order
from engine.orders import ShowHand
from engine.sides import Side, Slot
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

    def view_of(self, state: State, side: Side) -> State:
        """A position as `side` sees it: with its own cards, and those of the other that were shown.

        This requires a dealer who `sees` nothing, and orders shown before they were applied.
        """
        view = state.copy()
        self.reveal(view, side)
        return view

    def show(self, state: State, side: Side, order: Order) -> None:
        """Reveal what an order of `side` shows: the cards that it plays, or the whole hand."""
        if isinstance(order, ShowHand):
            self.reveal(state, side)
            return
        player = state.players[side]
        missing = Counter(plays(state, order)) - Counter(player.hand)
        for slot in tuple(player.hidden):
            card = self.cards[side, slot]
            if missing[card] > 0:
                missing[card] -= 1
                apply(state, Reveal(side, slot, card))

    def reveal(self, state: State, side: Side) -> None:
        """Reveal every hidden card in the hand of `side`."""
        for slot in tuple(state.players[side].hidden):
            apply(state, Reveal(side, slot, self.cards[side, slot]))
