"""A robot as an opponent: it joins, answers and closes games, a file at a time.

It takes the same path as the command line, with an identity of its own, and knows what a player in
its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import SystemRandom
from typing import TypeAlias

from engine.order import Order
from engine.players import player_of
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.play.answer import Answer
from pbem.play.entry import accept, chooses_start_card
from pbem.play.game_file import GameFile
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.identity import Identity

Choose: TypeAlias = Callable[[State], Order]
"""Gives one legal order for a position."""


def unpredictable(strength: int) -> Choose:
    """The player of a strength, whose whims nobody can foresee; raises KeyError as `player_of`."""
    return player_of(strength, SystemRandom()).choose


Players: TypeAlias = Callable[[bytes], Choose]
"""Gives the player of a game, by its id: what that has planned and seen stays with the game."""
REMEMBERED = 200
"""How many games at once keep their player; the one unused the longest starts again."""


def one_for_each_game(strength: int) -> Players:
    """Players of a strength, each of one game; raises KeyError as `player_of` where one is made."""

    @lru_cache(maxsize=REMEMBERED)
    def player(game: bytes) -> Choose:
        return unpredictable(strength)

    return player


def usually_follows_up(answer: Answer) -> bool:
    """The habit of a player who orders on where the other side has to answer first.

    With actions left that player waits for the cards of Home Support.
    """
    return not answer.waits_for_cards or answer.is_turn_used_up


def never_follows_up(answer: Answer) -> bool:
    """The habit of a player who always waits for the answer."""
    return False


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
        if not chooses_start_card(ruleset, side):
            return None
        return self.choose(new_game(ruleset)).cards[0]

    def join(self, game: GameFile, *, nonce: bytes, time: str, side: Side) -> GameFile:
        """The file with which it accepts an invitation.

        `side` is the free one, or its choice; `nonce` and what it raises as for `entry.accept`.
        """
        card = self.start_card(ruleset_of(game.match.invite), side)
        match = accept(
            game.match, self.identity, nonce=nonce, time=time, side=side, start_card=card
        )
        return game.followed_by(match, self.identity)

    def play(self, answer: Answer) -> None:
        """Give the orders of an answer."""
        while not answer.is_complete or (answer.may_follow_up and self.follows_up(answer)):
            answer.order(self.choose(answer.view()))

    def answer(
        self, game: GameFile, time: str, *, notes: str | None = None, resigns: bool = False
    ) -> GameFile:
        """Its answer to a file, signed at `time`; raises what `Answer` raises."""
        answer = Answer(game, self.identity, time, resigns=resigns)
        self.play(answer)
        finished = answer.finish(notes)
        return GameFile(finished.save, finished.match)
