"""The orders worth a search."""

from __future__ import annotations

from collections import Counter

from engine.order import Order
from engine.players.practice import judged
from engine.players.practice.judgements import WON
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
