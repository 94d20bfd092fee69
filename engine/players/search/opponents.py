"""What the opponent may be up to: plans, likelier the better they fit what was bought and settled.

All of that lies open: which cards a side owns everybody can count, only where they lie is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain

from engine.players.plans import PLANS
from engine.players.search.candidates import PRACTICE
from engine.sides import Side
from engine.state import State

UNPLANNED = 0.2
"""How well it fits everything that somebody follows no plan."""

GOLDEN = (5**0.5 - 1) / 2
"""The multiples of this, without what stands before the point, are spread evenly."""


class Replies:
    """Who answers in play-outs: ways of the opponent, each as often as it fits the position."""

    def __init__(self, state: State, side: Side, ways: Sequence[str]) -> None:
        self.ways = ways
        self.shares = list(accumulate(fits(state, side, way) for way in ways))

    def of(self, n: int) -> str:
        """The way of the opponent in the n-th try."""
        place = (n + 0.5) * GOLDEN % 1 * self.shares[-1]
        return next(way for way, share in zip(self.ways, self.shares, strict=True) if place < share)


def fits(state: State, side: Side, way: str) -> float:
    """How well what `side` has bought and settled fits a way to play, from 0 to 1."""
    if way == PRACTICE:
        return UNPLANNED
    plan = PLANS[way][side]
    bought, settled = _bought(state, side), _settled(state, side)
    wanted, sought = bought & Counter(plan.drafts), settled & {*plan.sites, *plan.targets}
    return _share(wanted.total(), bought.total()) * _share(len(sought), len(settled))


def _share(hits: int, of: int) -> float:
    """A share that begins at a half, while there is nothing to go by."""
    return (1 + hits) / (2 + of)


def _bought(state: State, side: Side) -> Counter[str]:
    """The empire cards that a side owns and did not begin with."""
    player, cards = state.players[side], state.ruleset.catalogue.cards[side]
    at_sieges = chain.from_iterable(siege.cards[side] for siege in state.sieges.values())
    owned = Counter(chain(player.hand, player.discard, player.reserve, at_sieges, *player.unseen))
    return Counter(
        {
            card: count - cards[card].initial_copies
            for card, count in owned.items()
            if not cards[card].location and count > cards[card].initial_copies
        }
    )


def _settled(state: State, side: Side) -> set[str]:
    """The locations that a side controls and did not begin with."""
    places = state.ruleset.catalogue.locations
    return {
        place
        for place, piece in state.board.items()
        if piece.owner is side and places[place].start_owner is not side
    }
