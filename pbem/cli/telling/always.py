"""The orders that are always told in the same sentence; what came of the others says which."""

from __future__ import annotations

from typing import NamedTuple

from engine import events, orders
from engine.events import Event
from engine.order import Order
from pbem.words.deeds import deed


class Always(NamedTuple):
    """How an order is told that always says the same; `paid` is its sentence where it cost money.

    `tells` is the event that is told with it.
    """

    sentence: str
    paid: str = ""
    tells: type[Event] | None = None


ALWAYS: dict[type[Order], Always] = {
    orders.Fortify: Always(
        deed("{They} fortified {place} with its own card and {cards}."),
        deed("{They} fortified {place} with its own card and {cards}, for {price}."),
        tells=events.Fortified,
    ),
    orders.Raid: Always(
        deed("{They} raided {place} with {cards}."),
        deed("{They} raided {place} with {cards}, for {price}."),
        tells=events.Raided,
    ),
    orders.Ambush: Always(
        deed("{They} ambushed {foe} with {cards}."),
        deed("{They} ambushed {foe} with {cards}, for {price}."),
        tells=events.Ambushed,
    ),
    orders.Convert: Always(
        deed("{They} played {cards} to convert Native Americans who fight for {foe}."),
        deed("{They} played {cards} to convert Native Americans who fight for {foe}, for {price}."),
        tells=events.ConversionTried,
    ),
    orders.Draft: Always(
        deed("{They} drafted {cards} for nothing."),
        deed("{They} drafted {cards} for {price}."),
    ),
    orders.Discard: Always(
        deed("{They} discarded {cards} for nothing."),
        deed("{They} discarded {cards} for {price}."),
    ),
    orders.Drop: Always(deed("{They} dropped the card of {cards}, which {they} do not control.")),
    orders.Reserve: Always(deed("{They} put {cards} into {their} reserve.")),
    orders.Govern: Always(
        deed("{They} played {special} to return {cards}."), tells=events.CardsReturned
    ),
    orders.Intendant: Always(
        deed("{They} played {special} to fetch {cards} from {their} discard pile."),
        deed("{They} played {special} to fetch {cards} from {their} discard pile, for {price}."),
        tells=events.CardFetched,
    ),
    orders.HomeSupport: Always(deed("{They} played {special}.")),
    orders.Pass: Always(deed("{They} let an action pass.")),
    orders.End: Always(deed("{They} ended {their} turn."), tells=events.TurnEnded),
    orders.Refill: Always(
        deed("{They} refilled {their} hand before the end of {their} turn."),
    ),
    orders.Relieve: Always(
        deed("{They} first ended the siege of {place}, which {they} had withstood."),
        tells=events.SiegeRelieved,
    ),
    orders.Lose: Always(deed("{They} chose {cards} to be lost with the siege of {place}.")),
    orders.Exchange: Always(deed("{They} discarded {cards} to draw another card.")),
    orders.Keep: Always(deed("{They} exchanged no card.")),
    orders.Forfeit: Always(
        deed("{They} discarded {cards}, as {they} could not pay for the shuffle.")
    ),
    orders.Start: Always(deed("{They} put {cards} into {their} first deck.")),
}
"""The sentences of orders that always say the same."""
