"""Players that search: they try out the better orders in worlds that may be, and take the best.

What is hidden is dealt by what the seat may know (`worlds`), a few turns are played on from there
(`playouts`), and what comes of them is summed up (`evaluation`). All orders are tried in the same
worlds, and those that do best are tried most (`halving`).

The number of tries is fixed, and no clock is looked at: the same `random` gives the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.players.search.candidates import candidates
from engine.players.search.halving import halved
from engine.players.search.playouts import play_out
from engine.players.search.worlds import World, sampled
from engine.sides import Side
from engine.state import State

__all__ = ["SearchPlayer", "Thought"]


class Thought(NamedTuple):
    """An order, and the chance to win with it as the player thinks."""

    order: Order
    chance: float


class Effort(NamedTuple):
    """How hard a player thinks about one decision.

    `orders` are tried at most, `of_a_kind` of them alike; `tries` in all, each of which looks so
    many `turns` ahead, after the turn that is played.
    """

    orders: int = 8
    of_a_kind: int = 3
    tries: int = 24
    turns: int = 1


SHORT = Effort()
"""What strength 2 does."""


class SearchPlayer:
    """Chooses orders for whichever side is awaited; the same `random` gives the same game."""

    def __init__(self, random: Random, effort: Effort = SHORT) -> None:
        self.random = random
        self.effort = effort

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        found = self._candidates(state)
        return found[0] if len(found) == 1 else self._tried(state, found)[0].order

    def judge(self, state: State) -> list[Thought]:
        """The orders that the awaited player thinks about, the best first.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        return self._tried(state, self._candidates(state))

    def compare(self, state: State, orders: Sequence[Order]) -> list[Thought]:
        """These legal orders, the best first, each tried equally often, in the same worlds."""
        each = max(1, self.effort.tries // len(orders))
        worlds = [self._world(state, state.awaiting.side) for _ in range(each)]
        outcomes = [
            [self._try(world, state.awaiting.side, order) for world in worlds] for order in orders
        ]
        thoughts = [
            Thought(order, sum(all) / each) for order, all in zip(orders, outcomes, strict=True)
        ]
        return sorted(thoughts, key=lambda thought: -thought.chance)

    def chance(self, state: State, side: Side | None = None) -> float:
        """The chance of `side` to win, by what it may know; of the side awaited, if None.

        Any state will do: one that awaits chance, and one that knows no hand, too.
        """
        side = side or state.awaiting.side
        worlds = [self._world(state, side) for _ in range(self.effort.tries)]
        outcomes = [self._try(world, side, None) for world in worlds]
        return sum(outcomes) / len(outcomes)

    def _candidates(self, state: State) -> list[Order]:
        return candidates(state, self.effort.orders, self.effort.of_a_kind)

    def _tried(self, state: State, found: list[Order]) -> list[Thought]:
        side, worlds = state.awaiting.side, list[World]()

        def outcome(choice: int, n: int) -> float:
            while len(worlds) <= n:
                worlds.append(self._world(state, side))
            return self._try(worlds[n], side, found[choice])

        trials = halved(len(found), self.effort.tries, outcome)
        return [Thought(found[trial.choice], trial.mean) for trial in trials]

    def _world(self, state: State, side: Side) -> World:
        return sampled(state, side, Random(self.random.getrandbits(64)))

    def _try(self, world: World, side: Side, first: Order | None) -> float:
        players = {each: PracticePlayer(Random(world.seed)) for each in Side}
        return play_out(world, side, first, players, self.effort.turns)
