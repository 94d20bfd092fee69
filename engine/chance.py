"""Events of chance: what a state awaits when no player decides."""

from __future__ import annotations

from dataclasses import dataclass

from engine.sides import Side
from engine.state import Slot


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile of `side` becomes a draw pile: the slots of a new epoch."""

    side: Side


@dataclass(frozen=True, slots=True)
class Draw:
    """These slots of the draw pile of `side` come to its hand, face down."""

    side: Side
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """The slot in the hand of `side` is this card. It may come at any time."""

    side: Side
    slot: Slot
    card: str


Chance = Shuffle | Draw | Reveal


class ImpossibleChance(ValueError):
    """An event of chance that cannot happen in the state it was given to."""
