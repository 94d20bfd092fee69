"""Players that search: they try the best candidate orders in sampled worlds and take the best.

A world deals the hidden cards as the player's information allows it; a few turns are played out
there, and the final position is evaluated (`playouts`). All orders are tried in the same worlds,
and the better ones are tried more often (`halve`).

The number of tries is fixed and no clock is read: equal `random` gives equal games.

Called by `players`, and by `pbem` for analyses; calls `practice`, `plans`, modules of `players` and
the rest of `engine`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

from engine.order import Order
from engine.players.practice import judge_orders
from engine.players.practice.judgements import WIN_VALUE
from engine.players.search.opponents import CAMPAIGN, PRACTICE, STYLES, Opponent, SiegeLog, follow
from engine.players.search.playouts import World, play_out, sample_world
from engine.sides import Side
from engine.state import State


def candidates(state: State, limit: int, per_kind: int) -> list[Order]:
    """Return the orders that the practice player prefers, best first.

    Returns at most `limit` orders, with at most `per_kind` of one kind, or only a winning order.
    Raises ValueError if no player decides.
    """
    favourites: list[Order] = []
    kinds = Counter[type[Order]]()
    for value, order in sorted(judge_orders(state), key=lambda pair: -pair[0]):
        if value > WIN_VALUE / 2:
            return [order]
        if kinds[type(order)] < per_kind:
            kinds[type(order)] += 1
            favourites.append(order)
    return favourites[:limit]


# --- sequential halving


TryFunction = Callable[[int, int], float]
"""A function that returns the value of the n-th try of a choice, which happens in world n."""


class Trial(NamedTuple):
    """The result of a choice, by its index: the mean of its tries and their number."""

    choice: int
    mean: float
    tries: int


def halve(choices: int, tries: int, outcome: TryFunction, margin: float = 0.0) -> list[Trial]:
    """Return the choices ranked by sequential halving, after about `tries` tries in all.

    Each is tried at least once. A choice ranks after all choices that were dropped later; among
    equal choices the first ranks first. Choice 0 is never dropped, and another choice ranks before
    it only if it is better by more than `margin` standard errors of the difference.

    >>> [trial.choice for trial in halve(4, 16, lambda choice, n: float(choice))]
    [3, 0, 2, 1]
    """
    values: list[list[float]] = [[] for _ in range(choices)]
    remaining, dropped = list(range(choices)), list[Trial]()
    rounds, count = max(1, ceil(log2(choices))), 0
    while True:
        share = max(1, tries // (rounds * len(remaining)))
        for n in range(count, count + share):
            for choice in remaining:
                values[choice].append(outcome(choice, n))
        count += share
        remaining.sort(key=lambda choice: (-fmean(values[choice]), choice))
        if len(remaining) <= 2:
            break
        half = ceil(len(remaining) / 2)
        # Choice 0 always stays, if necessary in place of the last choice.
        better = remaining[:half] if 0 in remaining[:half] else [*remaining[: half - 1], 0]
        dropped[:0] = [_trial(choice, values) for choice in remaining if choice not in better]
        remaining = better
    if remaining[-1] == 0 and not is_better(values[remaining[0]], values[0], margin):
        remaining.reverse()
    return [_trial(choice, values) for choice in remaining] + dropped


def _trial(choice: int, values: list[list[float]]) -> Trial:
    return Trial(choice, fmean(values[choice]), len(values[choice]))


def is_better(values: Sequence[float], baseline: Sequence[float], margin: float) -> bool:
    """Return True if `values` exceed `baseline` on average by more than `margin` standard errors.

    The n-th values of both come from the same circumstances.

    >>> is_better([3.0, 3.0], [1.0, 1.0], 1.0), is_better([3.0, 0.0], [1.0, 1.0], 1.0)
    (True, False)
    """
    # A difference of 0 is added, because a few equal differences are no certain proof.
    differences = [0.0, *(value - other for value, other in zip(values, baseline, strict=True))]
    error = sqrt(variance(differences) / len(differences))
    return fmean(differences) > margin * error


# --- the player


__all__ = ["LONG", "SHORT", "Budget", "Estimate", "SearchPlayer"]


class Estimate(NamedTuple):
    """An order, and the chance to win with it in the estimate of the player."""

    order: Order
    chance: float


class Budget(NamedTuple):
    """The computation that a player spends on one decision.

    - `orders`: the maximum number of candidate orders in addition to those of the plans;
      `per_kind`: the maximum of one kind.
    - `tries`: the number of play-outs in all; `per_order`: the maximum per order on average.
    - `turns`: the number of turns of a play-out after the current turn.
    - `plans`: the styles that the player may follow itself. It compares them at its first decision
      in a turn, in `plan_tries` play-outs of `plan_turns` turns.
    - `replies`: the styles of the opponent, each played as often as it fits the game so far.
    - `margin`: the standard errors by which an order must be better than the order of the plan;
      `plan_margin`: the same for plans.
    """

    orders: int = 6
    per_kind: int = 3
    tries: int = 36
    per_order: int = 36
    turns: int = 1
    plans: tuple[str, ...] = ()
    plan_tries: int = 0
    plan_turns: int = 60
    replies: tuple[str, ...] = (PRACTICE,)
    margin: float = 0.0
    plan_margin: float = 0.0


SHORT = Budget(tries=32, per_order=8, turns=3, plans=("army",), margin=2.0)
"""The budget of strength 2: the army plan, and a search a few turns ahead for better orders."""

LONG = Budget(
    orders=5,
    tries=48,
    per_order=8,
    turns=6,
    plans=("army", "hammer", "raiders", "blockade", CAMPAIGN),
    plan_tries=45,
    plan_turns=50,
    # The hammer stands for all plans with soldiers: open cards do not distinguish them, and it is
    # the most dangerous.
    replies=("hammer", "lakes", "raiders", "settlers", CAMPAIGN, PRACTICE),
    margin=2.0,
    plan_margin=2.0,
)
"""The budget of strength 3: it follows the best plan, and deviates for a better order.

If no plan helps, it plays for points like the practice player.
"""


class SearchPlayer:
    """Chooses orders for either side; equal `random` gives equal games.

    It keeps its plan until the end of a turn, and changes it in the next turn only for a plan that
    is clearly better.
    """

    def __init__(self, random: Random, budget: Budget = SHORT) -> None:
        self.random = random
        self.budget = budget
        self._sieges = SiegeLog()
        self._turn: tuple[int, Side] | None = None
        self._styles = budget.plans or (PRACTICE,)

    def choose(self, state: State) -> Order:
        """Return a legal order for the awaited player; see `Player.choose`."""
        options = self._candidates(state)
        return options[0] if len(options) == 1 else self._judge(state, options)[0].order

    def judge(self, state: State) -> list[Estimate]:
        """Return the candidate orders of the awaited player, best first.

        Raises ValueError if no player decides, because chance is awaited or the game is over.
        """
        return self._judge(state, self._candidates(state))

    def compare(self, state: State, orders: Sequence[Order], margin: float = 0.0) -> list[Estimate]:
        """Return the orders, best first, each tried equally often in the same worlds.

        They must be legal, which is not checked. An order ranks before the first one only if it is
        better by more than `margin` standard errors.
        """
        trials = self._trials(state)
        return trials.compare_orders(orders, self._preferred(trials)[0], margin)

    def chance(self, state: State, side: Side | None = None) -> float:
        """Return the chance of `side`, by default the awaited side, to win with its information.

        Works in any state, even if chance is awaited or no hand is known.
        """
        trials = self._trials(state, side)
        return trials.rank_styles(self._styles, self.budget.tries, self.budget.turns)[0][1]

    def _candidates(self, state: State) -> list[Order]:
        return candidates(state, self.budget.orders, self.budget.per_kind)

    def _judge(self, state: State, options: list[Order]) -> list[Estimate]:
        trials = self._trials(state)
        return trials.rank_orders(options, self._preferred(trials))

    def _trials(self, state: State, side: Side | None = None) -> _Trials:
        side = side or state.awaiting.side
        sieges = self._sieges.count_turns(state, side.opponent)
        opponent = Opponent(state, side.opponent, self.budget.replies, sieges)
        return _Trials(state, side, opponent, self.random, self.budget)

    def _preferred(self, trials: _Trials) -> tuple[str, ...]:
        """Return the styles for this turn, best first."""
        turn = (trials.state.turn, trials.side)
        if len(self._styles) > 1 and turn != self._turn:
            best = trials.rank_styles(self._styles, self.budget.plan_tries, self.budget.plan_turns)
            self._turn, self._styles = turn, tuple(style for style, _ in best)
        return self._styles


class _Trials:
    """The tries in one position, all in the same worlds."""

    def __init__(
        self, state: State, side: Side, opponent: Opponent, random: Random, budget: Budget
    ) -> None:
        self.state, self.side, self.budget, self.random = state, side, budget, random
        self.opponent = opponent
        self.worlds: list[World] = []

    def rank_styles(self, names: Sequence[str], tries: int, turns: int) -> list[tuple[str, float]]:
        """Return each style with the chance to win by it, best first."""
        trials = halve(
            len(names), tries, lambda i, n: self._try(n, names[i], turns), self.budget.plan_margin
        )
        return [(names[trial.choice], trial.mean) for trial in trials]

    def rank_orders(self, favourites: list[Order], styles: Sequence[str]) -> list[Estimate]:
        """Return the favourite orders and those of the styles, with the chance to win by each.

        The best comes first. The player plays on in the first style after each order, and the
        order of this style ranks first unless another is clearly better.
        """
        by_style = [follow(style, self.state, favourites[0]) for style in styles]
        options = list(dict.fromkeys([*by_style, *favourites]))
        trials = halve(
            len(options),
            min(self.budget.tries, self.budget.per_order * len(options)),
            lambda choice, n: self._try(n, styles[0], self.budget.turns, options[choice]),
            self.budget.margin,
        )
        return [Estimate(options[trial.choice], trial.mean) for trial in trials]

    def compare_orders(self, orders: Sequence[Order], style: str, margin: float) -> list[Estimate]:
        """Return orders with the chance to win by each, all tried equally often, best first.

        Orders that are not clearly better than the first one rank after it.
        """
        ns = range(max(1, self.budget.tries // len(orders)))
        values = [[self._try(n, style, self.budget.turns, order) for n in ns] for order in orders]
        ranked = sorted(range(len(orders)), key=lambda index: -fmean(values[index]))
        ranked.sort(key=lambda i: 0 if is_better(values[i], values[0], margin) else 1 + (i > 0))
        return [Estimate(orders[index], fmean(values[index])) for index in ranked]

    def _try(self, n: int, style: str, turns: int, order: Order | None = None) -> float:
        while len(self.worlds) <= n:
            self.worlds.append(sample_world(self.state, Random(self.random.getrandbits(64))))
        world = self.worlds[n]
        players = {
            self.side: STYLES[style](Random(world.seed)),
            self.side.opponent: STYLES[self.opponent.style_for_playout(n)](Random(world.seed + 1)),
        }
        return play_out(world, self.side, order, players, turns)
