"""The orders worth a search: those that the practice player feels are good, of several kinds."""

from __future__ import annotations

from collections import Counter

from engine.order import Order
from engine.players.practice import judged
from engine.players.practice.judgements import WON
from engine.state import State


def candidates(state: State, most: int, of_a_kind: int) -> list[Order]:
    """The best orders, the best first: at most so many, and so many of one kind.

    One alone where it wins at once. Raises ValueError where no player decides.
    """
    found: list[Order] = []
    kinds = Counter[type[Order]]()
    for value, order in sorted(judged(state), key=lambda pair: -pair[0]):
        if value > WON / 2:
            return [order]
        if kinds[type(order)] < of_a_kind:
            kinds[type(order)] += 1
            found.append(order)
    return found[:most]
