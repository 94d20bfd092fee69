"""The rules of the game: no files, no clock, no randomness of its own, no cryptography.

Called by `pbem`; calls nothing.

A state waits for one input, an order or an event of chance; `apply` applies it and returns the
events that it caused. A `Dealer` carries out chance in programs that may know all cards:

>>> from random import Random
>>> from engine import Ruleset, Side, apply, check, from_notation, legal_orders, new_game, score
>>> from engine.simulation import Dealer
>>> state = new_game(Ruleset.of("second"))
>>> dealer = Dealer(Random(1759))
>>> dealer.deal(state)
>>> str(state.awaiting.side.label), state.awaiting.decision.value, state.actions_left
('British', 'turn', 1)

`legal_orders` is complete: every order in the list can be applied, and no other order. Orders
contain ids, and have a text with names for players:

>>> order = from_notation("draft rangers")
>>> str(order.text(state.ruleset.catalogue.name_of)), order in legal_orders(state)
('draft Rangers', True)
>>> apply(state, order)
[Paid(side=british, money=5), Drafted(side=british, card=rangers)]
>>> check(state, from_notation("draft ships"))
Traceback (most recent call last):
engine.actions.action.IllegalOrderError: You have no actions left this turn.

The order `end` ends the turn; the refill is chance again, and then the other side decides:

>>> events = apply(state, from_notation("end"))
>>> dealer.deal(state)
>>> str(state.awaiting.side.label), len(legal_orders(state))
('French', 51)
>>> score(state, Side.BRITISH).total, score(state, Side.FRENCH).total
(17, 29)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.actions.action import IllegalOrderError, Objection
    from engine.chance import Draw, ImpossibleChanceError, Reveal, Shuffle
    from engine.events import Event
    from engine.game import apply, check, legal_orders, objections, resign
    from engine.house_rules import InvalidRulesError
    from engine.order import Order, UnreadableOrderError
    from engine.orders import from_notation
    from engine.position import score
    from engine.ruleset import Ruleset
    from engine.sides import Side, Slot
    from engine.state import Decision, State, new_game

__all__ = [
    "Decision",
    "Draw",
    "Event",
    "IllegalOrderError",
    "ImpossibleChanceError",
    "InvalidRulesError",
    "Objection",
    "Order",
    "Reveal",
    "Ruleset",
    "Shuffle",
    "Side",
    "Slot",
    "State",
    "UnreadableOrderError",
    "apply",
    "check",
    "from_notation",
    "legal_orders",
    "new_game",
    "objections",
    "resign",
    "score",
]

_MODULES = "sides state events order orders ruleset house_rules chance position actions.action game"
"""The modules that define the public names; each is imported when a name is first used."""


def __getattr__(name: str) -> Any:
    for module in _MODULES.split() if name in __all__ else ():
        value = vars(import_module(f"engine.{module}")).get(name)
        if value is not None:
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
