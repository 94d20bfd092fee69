"""What the board connects: supply, and how far a raid reaches."""

from __future__ import annotations

from engine.ruleset import SUPPLY_HOME
from engine.sides import Side
from engine.state import State


def supplied(state: State, side: Side) -> frozenset[str]:
    """The locations that `side` controls and can trace to its home (ruling 8).

    The trace runs over controlled locations by river, road, lake and sea, never by Indian trail; it
    may pass besieged ones, and home itself need not be controlled.
    """
    known = state.supplied.get(side)
    if known is None:
        known = state.supplied[side] = _trace(state, side)
    return known


def _trace(state: State, side: Side) -> frozenset[str]:
    catalogue = state.ruleset.catalogue
    home = SUPPLY_HOME[side]
    own = {place for place, settlement in state.board.items() if settlement.owner is side}
    own_ports = {place for place in own if catalogue.locations[place].sea}
    reached, frontier = {home}, [home]
    while frontier:
        place = frontier.pop()
        new = catalogue.by_land[place] & own
        if catalogue.locations[place].sea:
            new |= own_ports
        new -= reached
        reached |= new
        frontier.extend(new)
    return frozenset(reached & own)


def can_reinforce(state: State, side: Side, location: str) -> bool:
    """Whether `side` can trace supply to the siege at `location` (ruling 9).

    The defender's trace ends in the location itself; the besieger's in one next to it.
    """
    in_supply = supplied(state, side)
    if state.owner(location) is side:
        return location in in_supply
    catalogue = state.ruleset.catalogue
    # Home counts as a start of the line even where it is not controlled.
    ends = in_supply | {SUPPLY_HOME[side]}
    if catalogue.by_land[location] & ends:
        return True
    locations = catalogue.locations
    return locations[location].sea and any(locations[place].sea for place in ends)


def usable(state: State, side: Side, card: str) -> bool:
    """Whether a card may be used: always an empire card; a location card as ruling 7 says."""
    place = state.ruleset.card(side, card).location
    if place is None:
        return True
    return place in supplied(state, side) and state.besieger(place) is None


def raid_distances(state: State, side: Side) -> dict[str, int]:
    """How many connections each location is from the nearest one that `side` can raid from.

    Only locations that a raid can reach are listed (ruling 12): the way leads by river, road, lake
    and trail, starts at a controlled location not under siege, and passes neither a fortification
    disc nor a siege, unless it is the raider's own siege of an unfortified location.
    """
    distances = {
        place: 0
        for place, settlement in state.board.items()
        if settlement.owner is side and state.besieger(place) is None
    }
    paths = state.ruleset.catalogue.raid_paths
    closed = {place for place in state.board if closed_to_raids(state, side, place)}
    frontier = list(distances)
    while frontier:
        reached = []
        for place in frontier:
            for neighbour in paths[place]:
                if neighbour not in distances and neighbour not in closed:
                    distances[neighbour] = distances[place] + 1
                    reached.append(neighbour)
        frontier = reached
    return distances


def closed_to_raids(state: State, side: Side, location: str) -> bool:
    """Whether raids of `side` can neither enter nor pass a location."""
    settlement = state.board.get(location)
    if settlement is None:
        return False
    return settlement.fortified or state.besieger(location) not in (None, side)
