"""What a plan is: data, and a ranking of steps that all plans share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.order import Order
from engine.players.plans.seat import Seat
from engine.value import Value


class Plan(Value):
    """What one side is after; its player takes the first order that a wish comes up with.

    - `wishes`: what is done with an action, the dearest first.
    - `drafts`: the empire cards to own, in the order in which they are bought; one that is named
      twice is wanted twice.
    - `sites`: the locations to settle, the dearest first; `walls`: those to fortify.
    - `targets`: the locations to besiege, the dearest first; `force`: the strength at which a siege
      has to stand at the end of the turn in which it is opened.
    - `purse`: the money that a draft leaves, and `rich`: that at which no more is earned.
    - `towns`: the fewest victory points of a village that is developed.
    """

    wishes: tuple[Wish, ...]
    drafts: tuple[str, ...]
    sites: tuple[str, ...] = ()
    walls: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    force: int = 0
    purse: int = 0
    rich: int = 15
    towns: int = 2


Wish = Callable[[Seat, Plan], Iterator[Order]]
"""A step of a plan: the orders that it would give in a turn with an action left, the best first."""
