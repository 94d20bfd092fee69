"""Games in which a state knows of either hand only what was shown."""

from __future__ import annotations

from collections import Counter

from engine.chance import Reveal
from engine.game import apply, plays
from engine.order import Order
from engine.sides import Side
from engine.simulation import Dealer
from engine.state import State


def show(state: State, dealer: Dealer, side: Side, order: Order) -> None:
    """Reveal in the public state what an order shows: the cards it plays, or the whole hand."""
    if order.verb == "show-hand":
        dealer.reveal(state, side)
        return
    player = state.players[side]
    missing = Counter(plays(state, order)) - Counter(player.hand)
    for slot in tuple(player.hidden):
        card = dealer.cards[side, slot]
        if missing[card] > 0:
            missing[card] -= 1
            apply(state, Reveal(side, slot, card))
    assert not +missing
