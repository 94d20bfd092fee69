"""A robot as an opponent: it gives the orders of a turn, and chooses its start card.

It signs nothing itself: a session does, as for people. It knows what a player in its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeAlias

from engine.order import Order
from engine.players import Player, player_of
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.play.answer import Answer
from pbem.protocol.identity import Identity

Choose: TypeAlias = Callable[[State], Order]
"""Gives one legal order for a position."""


Players: TypeAlias = Callable[[bytes, bytes], Choose]
"""Gives the player of a game, by its id: what that has planned and seen stays with the game.

The second argument is a seed, from which its whims follow.
"""
REMEMBERED = 200
"""How many games at once keep their player; the one unused the longest starts again."""


def one_for_each_game(strength: int) -> Players:
    """Players of a strength, each of one game; raises KeyError as `player_of` where one is made."""

    @lru_cache(maxsize=REMEMBERED)
    def remembered(game: bytes) -> tuple[Random, Player]:
        random = Random(game)
        return random, player_of(strength, random)

    def player(game: bytes, seed: bytes) -> Choose:
        random, player = remembered(game)

        def choose(state: State) -> Order:
            # Each order anew: here or in a process of its own, it chooses the same.
            random.seed(seed)
            return player.choose(state)

        return choose

    return player


def usually_follows_up(answer: Answer) -> bool:
    """The habit of a player who orders on where the other side has to answer first.

    With actions left that player waits for the cards of Home Support.
    """
    return not answer.waits_for_cards or answer.is_turn_used_up


@dataclass(frozen=True)
class Robot:
    """A player that needs nobody at the table: `choose` gives one legal order for a position.

    `follows_up` is asked before each order that is given ahead of the other side's answer. Nothing
    is random here but what they do.
    """

    identity: Identity
    choose: Choose
    follows_up: Callable[[Answer], bool] = usually_follows_up

    def start_card(self, ruleset: Ruleset, side: Side | None) -> str | None:
        """The card that it begins with as `side`, where the rules let it choose one."""
        if not ruleset.chooses_start_card(side):
            return None
        return self.choose(new_game(ruleset)).cards[0]

    def play(self, answer: Answer) -> None:
        """Give the orders of an answer."""
        while not answer.is_complete or (answer.may_follow_up and self.follows_up(answer)):
            answer.order(self.choose(answer.view()))
