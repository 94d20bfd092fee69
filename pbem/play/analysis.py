"""Analysis of a game: the chances of both sides turn by turn, and the decisive mistakes.

The strongest computer player judges the position after each turn, and compares each order with its
own choice. It knows only the hand and the public information of the side that gave the order, so
that a mistake is reported only if the player could have avoided it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from engine.message import Message
from engine.order import Order
from engine.players import MAX_STRENGTH, strongest_player
from engine.players.search import SHORT, SearchPlayer
from engine.sides import Side
from engine.state import EndReason, State
from engine.turn import side_of_turn
from pbem.errors import UsageError
from pbem.play.helper import Helper, HelperEndedError
from pbem.play.look import Look
from pbem.protocol.hand import HiddenCards, is_direct_order, is_setup, positions, start_position
from pbem.protocol.match import Match

TURN_TRIES, ORDER_TRIES, QUICK_TRIES = 36, 96, 24
"""The numbers of tries per position after a turn, per suspected mistake, and per order.

A quick player first finds the suspected mistakes. A game of a hundred turns takes two processors
half a minute.
"""
MAX_SUSPECTS, MAX_PER_TURN = 12, 2
"""The maximum numbers of suspected mistakes in the game, and in each of the decisive turns."""
MAX_RESULTS = 3
"""The maximum number of turns, and of mistakes, in the result."""
MIN_LOSS, MIN_SWING = 0.05, 0.1
"""The minimum loss, and the minimum change of the chances, in the result."""
MIN_LEAD = 2.0
"""The number of standard errors by which a better order must lead."""
MAX_PROCESSES = 4
"""The maximum number of processes for an analysis."""

_Q = TypeVar("_Q")
_A = TypeVar("_A")


def quick_player(random: Random) -> SearchPlayer:
    """Return a player that looks no further than its next turn."""
    return SearchPlayer(random, SHORT._replace(tries=QUICK_TRIES))


class Judges(NamedTuple):
    """The players that judge positions after turns, all orders, and suspected mistakes.

    Each function makes a player from its random numbers, even in another process.
    """

    turns: Callable[[Random], SearchPlayer] = partial(strongest_player, tries=TURN_TRIES)
    quick: Callable[[Random], SearchPlayer] = quick_player
    orders: Callable[[Random], SearchPlayer] = partial(strongest_player, tries=ORDER_TRIES)


ProgressCallback: TypeAlias = Callable[[Sequence[Any]], Iterable[Any]]
"""A function that yields items and reports progress: requesting an item ends the one before."""
Shared: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
"""A function like `map` that may run in parallel; it yields the results in order."""


class DecidedOrder(NamedTuple):
    """An order of `side`, and the position as that side saw it when it gave the order.

    `number` is its number in the record, from 1. Follow-ups are not counted, because their results
    were unknown.
    """

    turn: int
    record: int
    number: int
    side: Side
    order: Order
    state: State


class PlayedTurn(NamedTuple):
    """A turn: the position after it as each side saw it, and the orders decided in it.

    The setup is turn 0. Both sides may give orders in a turn, because an attack is answered in it.
    `orders` are all orders of the side whose turn it was.
    """

    number: int
    orders: tuple[Order, ...]
    views: tuple[State, ...]
    decided: tuple[DecidedOrder, ...]


class Mistake(NamedTuple):
    """An order that reduced the chance to win, and a better order, with the chances of both.

    `turn`, `record` and `number` are fields of the `DecidedOrder`.
    """

    turn: int
    record: int
    number: int
    side: Side
    order: Order
    chance: float
    better: Order
    chance_of_better: float

    @property
    def loss(self) -> float:
        """The chance to win that was lost.

        >>> from engine.orders import End, Pass
        >>> Mistake(7, 12, 1, Side.BRITISH, Pass(), 0.25, End(), 0.75).loss
        0.5
        """
        return self.chance_of_better - self.chance


class Swing(NamedTuple):
    """A turn that changed the chances much: the chance of the British before and after it.

    `mistake` is the greatest mistake in the turn, or None. `orders` are the orders of the side
    whose turn it was.
    """

    turn: int
    before: float
    after: float
    mistake: Mistake | None
    side: Side
    orders: tuple[Order, ...]


class Analysis(NamedTuple):
    """The result of an analysis by the computer player of a `strength`.

    `chances` are the chances of the British to win after each turn, from the setup on, averaged
    over the views of `sides`. `swings` are the turns that changed them most, except a turn with a
    resignation. `mistakes` are the greatest mistakes of these sides, each in a different turn. The
    greatest swings and mistakes come first.
    """

    strength: int
    sides: tuple[Side, ...]
    chances: tuple[float, ...]
    swings: tuple[Swing, ...]
    mistakes: tuple[Mistake, ...]


# --- games that may be analysed


def check_may_be_analysed(match: Match, *, with_robot: bool) -> None:
    """Raise UsageError for an unfinished game, unless it is `with_robot`."""
    if not match.is_joined:
        raise UsageError("This is an invitation: there is nothing to analyse yet.")
    if not match.is_over and not with_robot:
        raise UsageError(
            "A running game can be analysed only against the robot of “acres play robot”."
        )


def known_hands(look: Look) -> list[HiddenCards]:
    """Return the hands that are visible in a look. Raises UsageError if there is none."""
    if not look.visible_cards:
        raise UsageError(
            "Nobody knows yet what the players held: this game can be analysed as soon as one of "
            "them has closed it."
        )
    return [look.visible_cards[side] for side in sorted(look.visible_cards)]


def turns_played(match: Match, known: Sequence[HiddenCards]) -> list[PlayedTurn]:
    """Return the turns of a match from the setup on, with the orders of known hands."""
    seats = {cards.side: cards for cards in known}
    turns: list[PlayedTurn] = []
    decided: list[DecidedOrder] = []
    ordered: list[Order] = []
    orders_so_far = Counter[int]()
    before = start_position(match)

    def end(state: State) -> None:
        views = tuple(_view_of(state, cards) for cards in known)
        turns.append(PlayedTurn(len(turns), tuple(ordered), views, tuple(decided)))
        ordered.clear()
        decided.clear()

    for move, state in positions(match):
        if move.turn >= len(turns) and (turns or not is_setup(move)):
            end(before)
        order, in_setup = move.order, not turns
        if order is not None and not in_setup and move.side is side_of_turn(move.turn):
            ordered.append(order)
        if order is not None and is_direct_order(match, move):
            orders_so_far[move.record] += 1
            if not in_setup and move.side in seats:
                view = _view_of(before, seats[move.side])
                at = len(turns), move.record, orders_so_far[move.record]
                decided.append(DecidedOrder(*at, move.side, order, view))
        before = state.copy()
    end(match.state)
    return turns


def _view_of(state: State, cards: HiddenCards) -> State:
    """Return a position as the player of `cards` saw it."""
    view = state.copy()
    view.events.clear()
    cards.reveal(view)
    return view


# --- the analysis


def new_helper() -> Helper:
    """Return a helper with as many processes as `review` keeps busy."""
    return Helper(min(MAX_PROCESSES, os.cpu_count() or 1))


def review(
    match: Match, known: Sequence[HiddenCards], helper: Helper, progress: ProgressCallback = iter
) -> Analysis:
    """Analyse a game in the processes of a helper, with the `known` hands, and end the processes.

    Raises UsageError if they end before, for example because another thread stops the helper.
    """
    try:
        return analyse(match, known, share=helper.share, progress=progress)
    except HelperEndedError as error:
        if error.is_stopped:
            why = Message("The analysis stopped before it was finished: start it again.")
        else:
            why = Message("The analysis was stopped by the system; perhaps memory ran out.")
        raise UsageError(why) from None
    finally:
        helper.end()


class TurnEvaluation(NamedTuple):
    """The chance of the British after a turn, and the loss with each decision in it."""

    british: float
    losses: tuple[float, ...]


def analyse(
    match: Match,
    known: Sequence[HiddenCards],
    *,
    share: Shared = map,
    progress: ProgressCallback = iter,
    judges: Judges | None = None,
) -> Analysis:
    """Analyse a whole game with the `known` hands; the same game gives the same analysis.

    - `share`: a `map` that may divide the work among processes.
    - `progress`: yields its items and reports them: first the turns, then the suspected mistakes.
    - `judges`: the players that evaluate; tests use quicker ones.
    """
    known, judges = sorted(known, key=lambda cards: cards.side), judges or Judges()
    sides = tuple(cards.side for cards in known)
    turns, game = turns_played(match, known), match.id.hex()
    courses = _all(partial(_course, judges, game, sides), turns, share, progress)
    looked_at = [
        (loss, decided)
        for turn, course in zip(turns, courses, strict=True)
        for loss, decided in zip(course.losses, turn.decided, strict=True)
        if loss > 0
    ]
    looked_at.sort(key=lambda pair: -pair[0])
    chances = tuple(course.british for course in courses)
    outcome = match.state.outcome
    was_resigned = outcome is not None and outcome.by is EndReason.RESIGNING
    swings = _greatest_swings(chances[:-1] if was_resigned else chances)
    suspects = [decided for _, decided in looked_at[:MAX_SUSPECTS]]
    for turn in swings:
        in_turn = [decided for _, decided in looked_at if decided.turn == turn]
        suspects += [decided for decided in in_turn[:MAX_PER_TURN] if decided not in suspects]
    found_mistakes = _all(partial(_mistake, judges, game), suspects, share, progress)
    mistakes = _greatest_mistakes(filter(None, found_mistakes))
    return Analysis(
        MAX_STRENGTH,
        sides,
        chances,
        tuple(
            Swing(
                t, chances[t - 1], chances[t], mistakes.get(t), side_of_turn(t - 1), turns[t].orders
            )
            for t in swings
        ),
        tuple(mistakes.values())[:MAX_RESULTS],
    )


def _greatest_swings(chances: Sequence[float]) -> list[int]:
    """Return the turns that changed the chances most, the greatest change first."""
    change = {t: abs(after - before) for t, (before, after) in enumerate(pairwise(chances), 1)}
    swings = [turn for turn in change if change[turn] >= MIN_SWING]
    return sorted(swings, key=lambda turn: -change[turn])[:MAX_RESULTS]


def _greatest_mistakes(mistakes: Iterable[Mistake]) -> dict[int, Mistake]:
    """Return the greatest mistake of each turn, the greatest of all first."""
    by_turn: dict[int, Mistake] = {}
    for mistake in sorted(mistakes, key=lambda mistake: -mistake.loss):
        if mistake.loss >= MIN_LOSS:
            by_turn.setdefault(mistake.turn, mistake)
    return by_turn


def _all(
    function: Callable[[_Q], _A], things: Sequence[_Q], share: Shared, progress: ProgressCallback
) -> list[_A]:
    return [result for _, result in zip(progress(things), share(function, things), strict=True)]


# --- functions for other processes


def _course(judges: Judges, game: str, sides: Sequence[Side], turn: PlayedTurn) -> TurnEvaluation:
    random = Random(f"{game} {turn.number}")
    judge = judges.turns(random)
    chances = [judge.chance(v, side) for v, side in zip(turn.views, sides, strict=True)]
    british = [
        chance if side is Side.BRITISH else 1 - chance
        for side, chance in zip(sides, chances, strict=True)
    ]
    quick = judges.quick(random)
    losses = tuple(_loss(quick, decided) for decided in turn.decided)
    return TurnEvaluation(sum(british) / len(british), losses)


def _loss(judge: SearchPlayer, decided: DecidedOrder) -> float:
    """Return a quick estimate of the chance that an order lost."""
    best = judge.judge(decided.state)[0].order
    if best == decided.order:
        return 0.0
    chances = dict(judge.compare(decided.state, [best, decided.order]))
    return chances[best] - chances[decided.order]


def _mistake(judges: Judges, game: str, decided: DecidedOrder) -> Mistake | None:
    random = Random(f"{game} {decided.record} {decided.order.notation()}")
    judge = judges.orders(random)
    better = judge.judge(decided.state)[0].order
    if better == decided.order:
        return None
    # Compared again, because the best of many candidates is overestimated.
    comparison = judge.compare(decided.state, [decided.order, better], MIN_LEAD)
    if comparison[0].order == decided.order:
        return None
    chances = dict(comparison)
    place_and_order = decided[:5]
    return Mistake(*place_and_order, chances[decided.order], better, chances[better])
