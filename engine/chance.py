"""Events of chance, which a state waits for if no player decides.

>>> from engine.game import apply
>>> from engine.state import new_game
>>> state = new_game()
>>> apply(state, Shuffle(Side.BRITISH))
[Shuffled(side=british, count=7)]
>>> apply(state, Draw(Side.BRITISH, tuple(Slot(0, position) for position in range(5))))
[Drew(side=british, count=5)]
>>> apply(state, Reveal(Side.BRITISH, Slot(0, 3), "boston"))
[]
>>> state.players[Side.BRITISH].hand
['boston']
"""

from __future__ import annotations

from typing import NamedTuple

from engine.message import TranslatableError
from engine.sides import Side, Slot


class Shuffle(NamedTuple):
    """The discard pile of `side` is shuffled into a draw pile: the slots of a new epoch.

    >>> Shuffle(Side.BRITISH).side.opponent
    <Side.FRENCH: 'french'>
    """

    side: Side


class Draw(NamedTuple):
    """The cards in `slots` of the draw pile of `side` come to its hand, face down.

    >>> len(Draw(Side.BRITISH, (Slot(0, 2), Slot(0, 5))).slots)
    2
    """

    side: Side
    slots: tuple[Slot, ...]


class Reveal(NamedTuple):
    """The face-down card in this slot in the hand of `side` is `card`; possible at any time.

    >>> str(Reveal(Side.BRITISH, Slot(0, 2), "boston").slot)
    '0:2'
    """

    side: Side
    slot: Slot
    card: str


Chance = Shuffle | Draw | Reveal


class ImpossibleChanceError(TranslatableError, ValueError):
    """Raised if an event of chance cannot happen in the state of the game.

    >>> from engine.game import apply
    >>> from engine.state import new_game
    >>> apply(new_game(), Shuffle(Side.FRENCH))
    Traceback (most recent call last):
    engine.chance.ImpossibleChanceError: the French have nothing to shuffle now.
    """
