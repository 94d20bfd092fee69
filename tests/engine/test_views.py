"""Games with both hands, one hand or no hand open have the same course.

A hidden card is revealed only when an order needs it (rulebook: cards are played face up; a hand is
shown to prove that a card is not in it).
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Reveal
from engine.game import apply, cards_played, legal_orders
from engine.order import Order
from engine.orders import ShowHand
from engine.position import score
from engine.sides import Side, Slot
from engine.simulation import Dealer
from engine.state import State, new_game
from tests.engine.arbitrary import choose_lively
from tests.engine.replay import GAMES, Input, Replay, give
from tests.sample import sample

VIEWS: tuple[tuple[Side, ...], ...] = ((Side.BRITISH,), (Side.FRENCH,), ())


class View:
    """A state with the hands of some sides open, fed with the inputs of a state with both open."""

    def __init__(
        self, state: State, visible_sides: tuple[Side, ...], dealer: Dealer | None = None
    ) -> None:
        self.state = state
        self.visible_sides = visible_sides
        self.dealer = dealer or Dealer(Random(0), visible_sides)
        self.faces: dict[tuple[Side, Slot], str] = self.dealer.cards

    def give(self, step: Input) -> list[Any]:
        """Apply an input, with only those hidden cards revealed that an order needs."""
        if isinstance(step, Reveal):
            self.faces[step.side, step.slot] = step.card
            return give(self.state, step) if step.side in self.visible_sides else []
        if isinstance(step, Order):
            self._reveal_for(step)
            assert step in legal_orders(self.state)
        return give(self.state, step)

    def _reveal_for(self, order: Order) -> None:
        side = self.state.awaiting.side
        player = self.state.players[side]
        if isinstance(order, ShowHand):
            for slot in tuple(player.hidden):
                self._reveal(side, slot)
            return
        held = list(player.hand)
        for card in cards_played(self.state, order):
            if card in held:
                held.remove(card)
                continue
            faces = self.faces
            self._reveal(side, next(s for s in player.hidden if faces[side, s] == card))

    def _reveal(self, side: Side, slot: Slot) -> None:
        apply(self.state, Reveal(side, slot, self.faces[side, slot]))


def public_facts(state: State) -> dict[str, Any]:
    """Return the facts that both players can see."""
    return {
        "board": state.board,
        "turn": (state.turn, state.active, state.actions_left, state.awaiting, state.outcome),
        "neutral": state.neutral,
        "sieges": state.sieges,
        "scores": [score(state, side) for side in Side],
        "pieces": [(state.villages_left(s), state.towns_left(s)) for s in Side],
        **{side: _public_side(state, side) for side in Side},
    }


def _public_side(state: State, side: Side) -> dict[str, Any]:
    player = state.players[side]
    return {
        "money": player.money,
        "discard": sorted(player.discard),
        "reserve": sorted(player.reserve),
        "hand size": player.hand_size,
        "draw pile": player.draw_pile,
        "available": (player.locations, player.empire),
        "captured": (player.captured_villages, player.captured_towns),
        "epochs": len(player.unseen),
    }


def player_facts(state: State, side: Side) -> dict[str, Any]:
    """Return the facts that a side sees of its own cards."""
    player = state.players[side]
    return {"hand": sorted(player.hand), "hidden": player.hidden, "unseen": player.unseen}


def compare(full: State, view: View) -> None:
    assert public_facts(full) == public_facts(view.state)
    for side in view.visible_sides:
        assert player_facts(full, side) == player_facts(view.state, side)
    awaited = full.awaiting.side
    if awaited in view.visible_sides:
        assert legal_orders(full) == legal_orders(view.state)
    else:
        assert set(legal_orders(view.state)) <= set(legal_orders(full))


@pytest.mark.parametrize("name", sample(GAMES, first=2))
def test_recorded_game_is_the_same_three_ways(name: str) -> None:
    replay = Replay.of(name).run()
    rules = replay.state.ruleset
    full, views = new_game(rules), [View(new_game(rules), sides) for sides in VIEWS]
    for step in replay.inputs:
        happened = give(full, step)
        for view in views:
            assert view.give(step) == happened
            assert public_facts(full) == public_facts(view.state)
            for side in view.visible_sides:
                assert player_facts(full, side) == player_facts(view.state, side)
    assert full.outcome == replay.state.outcome is not None


@pytest.mark.parametrize("seed", sample(range(5), first=2))
def test_random_game_is_the_same_three_ways(seed: int) -> None:
    """Orders listed for a hidden hand are listed for the open hand too."""
    play_three_ways(seed, 120)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_random_games_are_the_same_three_ways(seed: int) -> None:
    play_three_ways(seed, 600)


def play_three_ways(seed: int, max_turns: int) -> None:
    random = Random(seed)
    full, dealer = new_game(), Dealer(Random(seed))
    views = []
    for visible_sides in VIEWS:
        # Dealers with the same seed deal the same cards, whatever they show.
        view = View(new_game(), visible_sides, Dealer(Random(seed), visible_sides))
        views.append(view)
    for _ in range(max_turns):
        dealer.deal(full)
        for view in views:
            view.dealer.deal(view.state)
            compare(full, view)
        choices = legal_orders(full)
        if not choices:
            return
        order = choose_lively(random, choices)
        happened = apply(full, order)
        for view in views:
            assert view.give(order) == happened
            compare(full, view)
