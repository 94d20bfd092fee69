"""A teller: deeds of a game in sentences, as one viewer may hear of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine import game, orders
from engine.events import Event, GameOver
from engine.message import NOTHING, Message, sentences
from pbem.cli.telling.events import RESIGNED, tell_event
from pbem.cli.telling.orders import tell_order
from pbem.words.deeds import Words
from pbem.words.phrases import names

if TYPE_CHECKING:
    from engine.order import Order
    from engine.sides import Side
    from engine.state import State
    from pbem.protocol.hand import HiddenCards
    from pbem.protocol.table import Deed

_DRAWS = (orders.End, orders.Lose, orders.Refill, orders.HomeSupport, orders.Exchange)
"""The orders after which cards are drawn."""


class Teller:
    """Tells what was done in a game, of which `state` is any position.

    `viewer` is called you; `known` knows the cards that some sides drew. Every sentence is a whole
    one. `they` is the side that the reader has before the eyes, such as the one in a heading, so
    that a pronoun will do for it; without it, that is whoever does the deed.
    """

    def __init__(
        self, state: State, viewer: Side | None = None, known: Iterable[HiddenCards] = ()
    ) -> None:
        self._state = state
        self._viewer = viewer
        self._known = {cards.side: cards for cards in known}

    def lines(self, deeds: Sequence[Deed], they: Side | None = None) -> list[Message]:
        """Deeds, a line each; cards that were drawn at the end of a line that is about that.

        The end of the game is a line of its own.
        """
        lines: list[list[Message]] = []
        before: Deed | None = None
        for deed in deeds:
            if before is not None and _goes_on(before, deed):
                lines[-1] += self.deed(deed, deed.side)
            else:
                lines.append(self.deed(deed, they))
            before = deed
            end = self.end(deed)
            if end:
                lines.append([end])
        return [sentences(*line) for line in lines]

    def deed(self, deed: Deed, they: Side | None = None) -> list[Message]:
        """The sentences of a deed, but for the end of the game."""
        cards = self._known.get(deed.side)
        drawn = sorted(cards.names(deed.drawn)) if cards else []
        return self.tell(deed.side, deed.order, deed.events, drawn, they)

    def tell(
        self,
        side: Side,
        order: Order | None,
        events: Iterable[Event],
        drawn: Sequence[str] = (),
        they: Side | None = None,
    ) -> list[Message]:
        """The sentences of an order of `side`, or of what chance did for it, and of its events.

        `order` is None for chance and for a resignation; `drawn` are the cards drawn, where they
        may be known.
        """
        last = they or side
        told: list[Message] = []
        left = [event for event in events if not isinstance(event, GameOver)]
        if order is not None:
            played = game.plays(self._state, order, side)
            told, left = tell_order(self._words(last), side, order, played, left)
            last = side
        elif not left:
            told = [self._words(last).deed(side, RESIGNED)]
        for event in left:
            told.append(tell_event(self._words(last), event, drawn))
            last = event.side
        return told

    def end(self, deed: Deed) -> Message:
        """That the game ended by a deed, as a sentence; empty where it did not."""
        for event in deed.events:
            if isinstance(event, GameOver):
                return tell_event(self._words(event.side), event)
        return NOTHING

    def _words(self, they: Side) -> Words:
        return Words(names(self._state), self._viewer, they)


def _goes_on(before: Deed, deed: Deed) -> bool:
    """Whether a deed is what chance did for a side right after its order, or more of that."""
    is_chance = deed.order is None and not all(isinstance(event, GameOver) for event in deed.events)
    draws = before.order is None or isinstance(before.order, _DRAWS)
    return is_chance and draws and before.side is deed.side and before.turn == deed.turn
