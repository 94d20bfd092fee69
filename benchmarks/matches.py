"""Games between two programs, and the confidence intervals of their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import process_time

from engine.game import apply
from engine.players import STRENGTHS, Player, player_of
from engine.players.plans import POOL
from engine.position import score, winner_on_points
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import Decision, EndReason, new_game

LAST_TURN = 200
"""The turn of both sides together at which a game is stopped and decided by points."""

NORMAL_95 = 1.959963984540054
"""The half-width in standard deviations of the central 95 % of a normal distribution."""

NAMES = (*map(str, sorted(STRENGTHS)), *POOL)
"""The names of all players: the strengths and the simple players."""


def player(name: str, random: Random) -> Player:
    """Return the player of a name. Raises KeyError if there is none."""
    return player_of(int(name), random) if name.isdecimal() else POOL[name](random)


@dataclass(frozen=True)
class Game:
    """The result of a game; `seconds` is the processor time of each side in its `turns`.

    `ended_by` is the kind of end, or None for a stopped game. `points` are the points at the end.
    """

    winner: Side
    ended_by: EndReason | None
    points: Mapping[Side, int]
    turns: Mapping[Side, int]
    seconds: Mapping[Side, float]

    @property
    def is_stopped(self) -> bool:
        """True if the game was stopped and decided by points."""
        return self.ended_by is None


def play(names: Mapping[Side, str], seed: int, ruleset: Ruleset) -> Game:
    """Play a game between the players of `names`, with all chance from the seed.

    Games with the same seed begin with the same deals for all players.
    """
    players = {side: player(names[side], Random(f"{seed} {side.value}")) for side in Side}
    dealer, state, seconds = (
        Dealer(Random(f"{seed} cards"), visible_sides=()),
        new_game(ruleset),
        dict.fromkeys(Side, 0.0),
    )
    dealer.deal(state)
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        side = state.awaiting.side
        view = dealer.view_of(state, side)
        start = process_time()
        order = players[side].choose(view)
        seconds[side] += process_time() - start
        dealer.show(state, side, order)
        apply(state, order)
        dealer.deal(state)
    turns = {Side.BRITISH: (state.turn + 2) // 2, Side.FRENCH: (state.turn + 1) // 2}
    points = {side: score(state, side).total for side in Side}
    if state.outcome is None:
        return Game(winner_on_points(state), None, points, turns, seconds)
    return Game(state.outcome.winner, state.outcome.by, points, turns, seconds)


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share after `won` of `games` (Wilson's score).

    >>> [round(end, 3) for end in interval(8, 10)]
    [0.49, 0.943]
    """
    if not games:
        return 0.0, 1.0
    share, square = won / games, NORMAL_95**2
    middle = share + square / (2 * games)
    spread = NORMAL_95 * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return (middle - spread) / (1 + square / games), (middle + spread) / (1 + square / games)
