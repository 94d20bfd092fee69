"""Players that search: they try out the better orders in worlds that may be, and take the best.

What is hidden is dealt by what the seat may know, a few turns are played on from there, and what
comes of them is summed up (`playouts`). All orders are tried in the same worlds, and those that do
best are tried most (`halve`).

The number of tries is fixed, and no clock is looked at: the same `random` gives the same game.

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
from engine.players.practice import judged
from engine.players.practice.judgements import WON
from engine.players.search.opponents import CAMPAIGN, PRACTICE, WAYS, Replies, Sieges, usual
from engine.players.search.playouts import World, play_out, sample_world
from engine.sides import Side
from engine.state import State


def candidates(state: State, most: int, of_a_kind: int) -> list[Order]:
    """The orders that the practice player likes best, the best first.

    At most `most`, and `of_a_kind` of one kind; one alone where no other is legal, or it wins.
    Raises ValueError where no player decides.
    """
    liked: list[Order] = []
    kinds = Counter[type[Order]]()
    for value, order in sorted(judged(state), key=lambda pair: -pair[0]):
        if value > WON / 2:
            return [order]
        if kinds[type(order)] < of_a_kind:
            kinds[type(order)] += 1
            liked.append(order)
    return liked[:most]


# --- sequential halving


Outcome = Callable[[int, int], float]
"""The value of the n-th try of a choice, by its number.

All choices are tried with the same n, so that they can be compared in the same circumstances.
"""


class Trial(NamedTuple):
    """How a choice, by its number, has done: the mean of that many tries."""

    choice: int
    mean: float
    tries: int


def halve(choices: int, tries: int, outcome: Outcome, doubt: float = 0.0) -> list[Trial]:
    """The choices, the best first, after about `tries` in all; each is tried at least once.

    A choice that was left out comes after all those that were not; of equal ones the first comes
    first. Whatever comes before choice 0 is better than it by more than `doubt` standard errors of
    the difference.
    """
    seen: list[list[float]] = [[] for _ in range(choices)]
    left, out = list(range(choices)), list[Trial]()
    rounds, done = max(1, ceil(log2(choices))), 0
    while True:
        each = max(1, tries // (rounds * len(left)))
        for n in range(done, done + each):
            for choice in left:
                seen[choice].append(outcome(choice, n))
        done += each
        left.sort(key=lambda choice: (-fmean(seen[choice]), choice))
        if len(left) <= 2:
            break
        stay = ceil(len(left) / 2)
        # The first choice takes the place of the last that stays, if it would not.
        stays = left[:stay] if 0 in left[:stay] else [*left[: stay - 1], 0]
        out[:0] = [_trial(choice, seen) for choice in left if choice not in stays]
        left = stays
    if left[-1] == 0 and not is_better(seen[left[0]], seen[0], doubt):
        left.reverse()
    return [_trial(choice, seen) for choice in left] + out


def _trial(choice: int, seen: list[list[float]]) -> Trial:
    return Trial(choice, fmean(seen[choice]), len(seen[choice]))


def is_better(ones: Sequence[float], others: Sequence[float], doubt: float) -> bool:
    """Return True if the first of these pairs are higher on average, by some standard errors.

    `doubt` is that number; the n-th of each were tried in the same circumstances.
    """
    # As if one more had come out even: a few that are alike leave doubt, too.
    differences = [0.0, *(one - other for one, other in zip(ones, others, strict=True))]
    error = sqrt(variance(differences) / len(differences))
    return fmean(differences) > doubt * error


# --- the player


__all__ = ["LONG", "SHORT", "Effort", "SearchPlayer", "Thought"]


class Thought(NamedTuple):
    """An order, and the chance to win with it as the player thinks."""

    order: Order
    chance: float


class Effort(NamedTuple):
    """How hard a player thinks about one decision.

    `orders` are tried at most, `of_a_kind` of them alike, besides those of the `plans` that it may
    follow itself; among these may be `PRACTICE`, to go on as the practice player does. There are
    `tries` in all, `of_one` order at most on average, each of which looks that many `turns` ahead
    after the turn that is played. The first time it decides in a turn, the plans share that many
    tries, `ways`, to show what they lead to: after `far` turns, if the game is not over before. The
    opponent goes on in one of the `replies`, each as often as it fits what he has done. What is not
    better by that many standard errors, the `doubt`, than what the player would do anyway is not
    done; `loyalty` is the same for a plan.
    """

    orders: int = 6
    of_a_kind: int = 3
    tries: int = 36
    of_one: int = 36
    turns: int = 1
    plans: tuple[str, ...] = ()
    ways: int = 0
    far: int = 60
    replies: tuple[str, ...] = (PRACTICE,)
    doubt: float = 0.0
    loyalty: float = 0.0


SHORT = Effort(tries=32, of_one=8, turns=3, plans=("army",), doubt=2.0)
"""What strength 2 does: it has soldiers, and looks a few turns ahead for what is better."""

LONG = Effort(
    orders=5,
    tries=48,
    of_one=8,
    turns=6,
    plans=("army", "hammer", "raiders", "blockade", CAMPAIGN),
    ways=45,
    far=50,
    # Of those who buy soldiers the hammer alone: by what lies open they cannot be told apart, it is
    # the gravest danger, and what holds it up is nothing against the others.
    replies=("hammer", "lakes", "raiders", "settlers", CAMPAIGN, PRACTICE),
    doubt=2.0,
    loyalty=2.0,
)
"""What strength 3 does: it follows the plan that does best, and leaves it for a better order.

Where no plan helps any more it plays on for points, as the practice player does.
"""


class SearchPlayer:
    """Chooses orders for whichever side is awaited; the same `random` gives the same game.

    What it is about to do in a turn, a plan, it keeps to the end of the turn; in the next it goes
    on with that unless another is better beyond doubt.
    """

    def __init__(self, random: Random, effort: Effort = SHORT) -> None:
        self.random = random
        self.effort = effort
        self._sieges = Sieges()
        self._turn: tuple[int, Side] | None = None
        self._ways = effort.plans or (PRACTICE,)

    def choose(self, state: State) -> Order:
        """One legal order for the awaited player, whose own hand must be known.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        found = self._candidates(state)
        return found[0] if len(found) == 1 else self._judged(state, found)[0].order

    def judge(self, state: State) -> list[Thought]:
        """The orders that the awaited player thinks about, the best first.

        Raises ValueError where no player is awaited: chance is, or the game is over.
        """
        return self._judged(state, self._candidates(state))

    def compare(self, state: State, orders: Sequence[Order], doubt: float = 0.0) -> list[Thought]:
        """These orders, the best first, each tried equally often, in the same worlds.

        They have to be legal, which is not checked.
        What comes before the first of them is better by more than `doubt` standard errors.
        """
        trials = self._trials(state)
        return trials.compared(orders, self._preferred(trials)[0], doubt)

    def chance(self, state: State, side: Side | None = None) -> float:
        """The chance of `side` to win, by what it may know; of the side awaited, if None.

        Any state will do: one that awaits chance, and one that knows no hand, too.
        """
        trials = self._trials(state, side)
        return trials.ways(self._ways, self.effort.tries, self.effort.turns)[0][1]

    def _candidates(self, state: State) -> list[Order]:
        return candidates(state, self.effort.orders, self.effort.of_a_kind)

    def _judged(self, state: State, liked: list[Order]) -> list[Thought]:
        trials = self._trials(state)
        return trials.orders(liked, self._preferred(trials))

    def _trials(self, state: State, side: Side | None = None) -> _Trials:
        side = side or state.awaiting.side
        replies = Replies(
            state, side.opponent, self.effort.replies, self._sieges.look(state, side.opponent)
        )
        return _Trials(state, side, replies, self.random, self.effort)

    def _preferred(self, trials: _Trials) -> tuple[str, ...]:
        """The ways to go on in this turn, the best first."""
        turn = (trials.state.turn, trials.side)
        if len(self._ways) > 1 and turn != self._turn:
            found = trials.ways(self._ways, self.effort.ways, self.effort.far)
            self._turn, self._ways = turn, tuple(way for way, _ in found)
        return self._ways


class _Trials:
    """What is tried out about one position: the same worlds for all."""

    def __init__(
        self, state: State, side: Side, replies: Replies, random: Random, effort: Effort
    ) -> None:
        self.state, self.side, self.effort, self.random = state, side, effort, random
        self.replies = replies
        self.worlds: list[World] = []

    def ways(self, names: Sequence[str], tries: int, turns: int) -> list[tuple[str, float]]:
        """Choices to go on, with the chance to win by each, the best first."""
        trials = halve(
            len(names), tries, lambda way, n: self._try(n, names[way], turns), self.effort.loyalty
        )
        return [(names[trial.choice], trial.mean) for trial in trials]

    def orders(self, liked: list[Order], ways: Sequence[str]) -> list[Thought]:
        """Orders that are liked, and those of the ways, with the chance to win by each.

        The best comes first. After it one goes on in the first of the ways, whose own order has the
        benefit of the doubt.
        """
        own = [usual(way, self.state, liked[0]) for way in ways]
        found = list(dict.fromkeys([*own, *liked]))
        trials = halve(
            len(found),
            min(self.effort.tries, self.effort.of_one * len(found)),
            lambda choice, n: self._try(n, ways[0], self.effort.turns, found[choice]),
            self.effort.doubt,
        )
        return [Thought(found[trial.choice], trial.mean) for trial in trials]

    def compared(self, orders: Sequence[Order], way: str, doubt: float) -> list[Thought]:
        """Orders with the chance to win by each, all tried equally often, the best first.

        What is not better beyond doubt than the first of them comes behind it.
        """
        each = range(max(1, self.effort.tries // len(orders)))
        tried = [[self._try(n, way, self.effort.turns, order) for n in each] for order in orders]
        ranked = sorted(range(len(orders)), key=lambda at: -fmean(tried[at]))
        ranked.sort(key=lambda at: 0 if is_better(tried[at], tried[0], doubt) else 1 + (at > 0))
        return [Thought(orders[at], fmean(tried[at])) for at in ranked]

    def _try(self, n: int, way: str, turns: int, first: Order | None = None) -> float:
        while len(self.worlds) <= n:
            self.worlds.append(sample_world(self.state, Random(self.random.getrandbits(64))))
        world = self.worlds[n]
        players = {
            self.side: WAYS[way](Random(world.seed)),
            self.side.opponent: WAYS[self.replies.of(n)](Random(world.seed + 1)),
        }
        return play_out(world, self.side, first, players, turns)
