"""Ratings with their uncertainty: TrueSkill Through Time, on the scale of Elo.

Each side of each ruleset is a constant player, added to the player who has that side: the model
estimates how much the British are worth there, and how sure that is, from the same games as the
strengths. A strength may drift from week to week; all games together decide its whole curve, so
that the order of games within a week does not matter, and later games correct earlier estimates.

See Landfried and Mocskos, TrueSkill Through Time, doi:10.18637/jss.v112.i06 (2025).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from math import erf
from typing import Any, NamedTuple, TypeAlias

from engine.sides import Side
from pbem.club import import_extra

MEAN, SCALE = 1500, 200
"""The mean of all strengths, and the deviation of a single performance, as in Elo's own model."""
DEVIATION, SIDE_DEVIATION = 1.75, 0.75
"""The deviations of a newcomer's strength and of the worth of a side, in performances."""
DRIFT = 0.1
"""The deviation by which a strength may change in a week, in performances."""
EPSILON, ITERATIONS = 1e-4, 100
"""Estimates are exact to `EPSILON`, unless that needs more iterations."""
DAYS = 7

Rules: TypeAlias = tuple[str, tuple[str, ...]]
"""An edition and house rules."""


class RatedGame(NamedTuple):
    """A game by the names of its players, and the day of its end."""

    british: str
    french: str
    winner: Side
    rules: Rules
    day: date


class Rating(NamedTuple):
    """An estimate in points from a number of `games`; 95 % are within two deviations."""

    points: int
    deviation: int
    games: int

    def expected(self, deviations: int = 0) -> float:
        """Return the expected share of victories for these points and some `deviations` more."""
        return (1 + erf((self.points + deviations * self.deviation) / SCALE / 2)) / 2


class CurvePoint(NamedTuple):
    """The estimate of a strength in the week that begins on a day, after all games of a club."""

    week: str
    points: int
    deviation: int


class Ratings(NamedTuple):
    """The present ratings and the curves of players by name, and the worth of the British side.

    The worth of the side is by rules: the points that they add to the strength of a player.
    """

    players: dict[str, Rating]
    curves: dict[str, list[CurvePoint]]
    sides: dict[Rules, Rating]


def rate(games: Sequence[RatedGame]) -> Ratings:
    """Return the ratings after games. Raises UsageError if the library is not installed."""
    if not games:
        return Ratings({}, {}, {})
    ttt = import_extra("trueskillthroughtime")
    # The estimates do not depend on the order, but their last digits do.
    games = sorted(games, key=lambda game: (game.day, game))
    weeks = [game.day.toordinal() // DAYS for game in games]
    history = ttt.History(
        [[[game.british, game.rules], [game.french]] for game in games],
        [[game.winner is Side.BRITISH, game.winner is Side.FRENCH] for game in games],
        weeks,
        {game.rules: ttt.Player(ttt.Gaussian(0, SIDE_DEVIATION), 0, 0) for game in games},
        sigma=DEVIATION,
        gamma=DRIFT,
    )
    history.convergence(EPSILON, ITERATIONS, verbose=False)
    curves: dict[Any, list[tuple[int, Any]]] = history.learning_curves()
    count = Counter(name for game in games for name in (game.british, game.french, game.rules))
    ratings = Ratings({}, {}, {})
    for name, curve in sorted(
        curves.items(), key=lambda row: (-round(SCALE * row[1][-1][1].mu), str(row[0]))
    ):
        week, last = curve[-1]
        if isinstance(name, tuple):
            ratings.sides[name] = _estimate(last, 0, count[name])
            continue
        now = last.forget(DRIFT, weeks[-1] - week)
        ratings.players[name] = _estimate(now, MEAN, count[name])
        ratings.curves[name] = [
            CurvePoint(date.fromordinal(week * DAYS).isoformat(), *_estimate(at, MEAN, 0)[:2])
            for week, at in curve
        ]
    return ratings


def _estimate(at: Any, mean: int, games: int) -> Rating:
    return Rating(round(mean + SCALE * at.mu), round(SCALE * at.sigma), games)
