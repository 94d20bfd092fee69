"""A short game that one known blunder decides, and quick judges that analyse it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import NamedTuple

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Discard, Trade, Withdraw
from engine.players.plans import planner_of
from engine.players.search import SHORT, SearchPlayer
from engine.position import siege_strength
from engine.ruleset import HOMES
from engine.sides import Side
from engine.state import State
from pbem.play.analysis import Judges
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.text.facts.chronicle import Chronicle
from tests.play.correspondents import Correspondents

MAX_TURNS = 24
"""The maximum number of turns; longer games are given up."""


def quick_player(random: Random) -> SearchPlayer:
    """Return a player that tries a few orders once or twice each."""
    return SearchPlayer(random, SHORT._replace(orders=3, per_kind=1, tries=4, turns=0))


def careful_player(random: Random) -> SearchPlayer:
    """Return a player that tries orders more often and looks a turn ahead."""
    return SearchPlayer(random, SHORT._replace(orders=3, per_kind=1, tries=24))


JUDGES = Judges(quick_player, quick_player, careful_player)


class BlunderingPlayer:
    """A player that besieges the opponent's home, and withdraws when it is about to win."""

    def __init__(self, choose: Callable[[State], Order]) -> None:
        self.choose = choose
        self.blunder: Order | None = None

    def __call__(self, state: State) -> Order:
        side = state.awaiting.side
        for order in legal_orders(state, ignoring=(Discard, Trade)) if self.blunder is None else ():
            is_home = isinstance(order, Withdraw) and order.target in HOMES[side.opponent]
            if is_home and siege_strength(state, side) > 0:
                self.blunder = order
                return order
        return self.choose(state)


class BlunderGame(NamedTuple):
    """The file before the blunder, the last file, and the order that decided the game."""

    pair: Correspondents
    before: GameFile
    last: GameFile
    order: Order

    @property
    def turn(self) -> int:
        """The number of the turn with the blunder."""
        turns = Chronicle(Look(self.last.match)).turns
        (match,) = (
            turn.number for turn in turns if self.order in [move.order for move in turn.moves]
        )
        return match


def play_blunder_game() -> BlunderGame:
    """Play a game of some twenty turns, closed by both sides."""
    # No earlier seed leads to such a blunder.
    for seed in count(27):
        pair = Correspondents(Random(seed))
        british = pair.players[Side.BRITISH] = BlunderingPlayer(planner_of("hammer").choose)
        before = game = pair.join(pair.invite(Side.BRITISH, lists=2))
        while not game.match.is_over and game.match.turn <= MAX_TURNS and british.blunder is None:
            before, game = game, pair.answer(game)
        if british.blunder is not None:
            while game.match.next_side is not Side.BRITISH:
                game = pair.answer(game)
            game = pair.answer(game, resigns=True)
            while game.match.next_side is not None:
                game = pair.answer(game)
            return BlunderGame(pair, before, game, british.blunder)
    raise AssertionError
