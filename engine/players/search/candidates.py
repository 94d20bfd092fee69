"""What is worth a search: orders, each with a way to go on after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from engine.order import Order
from engine.players.plans import planner_of
from engine.players.practice import PracticePlayer, judged
from engine.players.practice.judgements import WON
from engine.state import State

if TYPE_CHECKING:
    from engine.players import Player

PRACTICE = "practice"
"""What the practice player is called among those who go on in play-outs."""


class Candidate(NamedTuple):
    """An order, and the name of the player who goes on after it."""

    order: Order
    then: str = PRACTICE


def going_on(name: str, random: Random) -> Player:
    """Who goes on in play-outs: a plan by its name, or the practice player."""
    return PracticePlayer(random) if name == PRACTICE else planner_of(name)


def candidates(state: State, most: int, of_a_kind: int, plans: Iterable[str]) -> list[Candidate]:
    """The orders that the practice player likes best, and those with which plans would go on.

    Of the former at most so many, and so many of one kind; the best first. One alone where it is
    the only order, or wins at once. Raises ValueError where no player decides.
    """
    found: list[Candidate] = []
    kinds = Counter[type[Order]]()
    by_value = sorted(judged(state), key=lambda pair: -pair[0])
    for value, order in by_value:
        if value > WON / 2:
            return [Candidate(order)]
        if kinds[type(order)] < of_a_kind:
            kinds[type(order)] += 1
            found.append(Candidate(order))
    if len(by_value) == 1:
        return found
    planned = [Candidate(planner_of(name).choose(state), name) for name in plans]
    return found[:most] + planned
