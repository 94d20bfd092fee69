"""The cards that a side owns, wherever they lie: everybody can count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from engine.sides import Side
from engine.state import Player, State


def uncommitted(player: Player) -> Iterator[str]:
    """All cards of a player but those at sieges."""
    return chain(player.hand, player.discard, player.reserve, *player.unseen)


def owned(state: State, side: Side) -> Counter[str]:
    """All cards of a side."""
    sieges = chain.from_iterable(siege.cards[side] for siege in state.sieges.values())
    return Counter(chain(uncommitted(state.players[side]), sieges))
