"""Events of chance: what a state awaits when no player decides."""

from __future__ import annotations

from typing import NamedTuple

from engine.message import Failure
from engine.sides import Side, Slot


class Shuffle(NamedTuple):
    """The discard pile of `side` becomes a draw pile: the slots of a new epoch."""

    side: Side


class Draw(NamedTuple):
    """These slots of the draw pile of `side` come to its hand, face down."""

    side: Side
    slots: tuple[Slot, ...]


class Reveal(NamedTuple):
    """The slot in the hand of `side` is this card. It may come at any time."""

    side: Side
    slot: Slot
    card: str


Chance = Shuffle | Draw | Reveal


class ImpossibleChance(Failure, ValueError):
    """An event of chance that cannot happen in the state it was given to."""
