"""Games between two players that are programs, and how sure their results are."""

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
"""The turn of both sides together at which a game is stopped, and counted by points."""

NORMAL_95 = 1.959963984540054
"""How many standard deviations either way hold 95 % of a normal distribution."""

NAMES = (*map(str, sorted(STRENGTHS)), *POOL)
"""The players that there are: the strengths, and those of the pool."""


def player(name: str, random: Random) -> Player:
    """The player of that name; raises KeyError where there is none."""
    return player_of(int(name), random) if name.isdecimal() else POOL[name](random)


@dataclass(frozen=True)
class Game:
    """How a game went; `seconds` of processor time each side took to choose, in its `turns`.

    It `ended_by` what the rules know, or by nothing of it: then it was stopped. `points` are those
    at its end.
    """

    winner: Side
    ended_by: EndReason | None
    points: Mapping[Side, int]
    turns: Mapping[Side, int]
    seconds: Mapping[Side, float]

    @property
    def is_stopped(self) -> bool:
        """Whether it reached no end, and was counted by points."""
        return self.ended_by is None


def play(names: Mapping[Side, str], seed: int, ruleset: Ruleset) -> Game:
    """A game between the players of these names; all its chance comes from the seed.

    Games of one seed begin with the same deals, whoever plays.
    """
    players = {side: player(names[side], Random(f"{seed} {side.value}")) for side in Side}
    dealer, state, seconds = (
        Dealer(Random(f"{seed} cards"), sees=()),
        new_game(ruleset),
        dict.fromkeys(Side, 0.0),
    )
    dealer.deal(state)
    while state.awaiting.decision is not Decision.OVER and state.turn < LAST_TURN:
        side = state.awaiting.side
        view = dealer.view_of(state, side)
        before = process_time()
        order = players[side].choose(view)
        seconds[side] += process_time() - before
        dealer.show(state, side, order)
        apply(state, order)
        dealer.deal(state)
    turns = {Side.BRITISH: (state.turn + 2) // 2, Side.FRENCH: (state.turn + 1) // 2}
    points = {side: score(state, side).total for side in Side}
    if state.outcome is None:
        return Game(winner_on_points(state), None, points, turns, seconds)
    return Game(state.outcome.winner, state.outcome.by, points, turns, seconds)


def interval(won: int, of: int) -> tuple[float, float]:
    """Between which shares the true one lies with 95 %, after that many won (Wilson's score).

    >>> [round(end, 3) for end in interval(8, 10)]
    [0.49, 0.943]
    """
    if not of:
        return 0.0, 1.0
    share, square = won / of, NORMAL_95**2
    middle = share + square / (2 * of)
    spread = NORMAL_95 * sqrt(share * (1 - share) / of + square / (4 * of**2))
    return (middle - spread) / (1 + square / of), (middle + spread) / (1 + square / of)
