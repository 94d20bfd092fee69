"""Victory points, with where each comes from."""

from __future__ import annotations

from typing import NamedTuple

from engine import ruleset as rules
from engine.sides import Side
from engine.state import State


class Score(NamedTuple):
    """The victory points of one side: of each location it controls, and of what it captured."""

    side: Side
    locations: dict[str, int]
    villages_captured: int
    towns_captured: int

    @property
    def captured(self) -> int:
        """The points of the pieces captured."""
        villages = self.villages_captured * rules.VILLAGE_CAPTURED
        return villages + self.towns_captured * rules.TOWN_CAPTURED

    @property
    def total(self) -> int:
        """All points together."""
        return sum(self.locations.values()) + self.captured


def score(state: State, side: Side) -> Score:
    """The score of `side` now: a location counts its points, twice for a town."""
    places = state.ruleset.catalogue.locations
    points = {
        place: places[place].victory_points * (2 if settlement.town else 1)
        for place, settlement in sorted(state.board.items())
        if settlement.owner is side
    }
    player = state.players[side]
    return Score(side, points, player.captured_villages, player.captured_towns)


def winner_on_points(state: State) -> Side:
    """Who has more points; the French in a tie."""
    british, french = score(state, Side.BRITISH), score(state, Side.FRENCH)
    return Side.BRITISH if british.total > french.total else Side.FRENCH
