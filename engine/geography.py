"""What the board connects: supply, and how far a raid reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine.catalogue import Card
from engine.ruleset import HOMES, SUPPLY_HOME
from engine.sides import Side
from engine.state import State


def supplied(state: State, side: Side) -> frozenset[str]:
    """The locations that `side` controls and can trace to its home (ruling 8).

    The trace runs over controlled locations by river, road, lake and sea, never by Indian trail; it
    may pass besieged ones, and home itself need not be controlled.
    """
    known = state.supplied.get(side)
    if known is None:
        known = state.supplied[side] = _trace(state, side, {SUPPLY_HOME[side]})
    return known


def _trace(state: State, side: Side, homes: Collection[str]) -> frozenset[str]:
    by_land, ports = state.ruleset.catalogue.by_land, state.ruleset.catalogue.ports
    own = {place for place, settlement in state.board.items() if settlement.owner is side}
    left, frontier, by_sea = own.difference(homes), [*homes], False
    while frontier:
        place = frontier.pop()
        new = left & by_land[place]
        if not by_sea and place in ports:
            # The first port reaches all others.
            by_sea = True
            new |= left & ports
        left -= new
        frontier.extend(new)
    return frozenset(own - left)


def can_reinforce(state: State, side: Side, location: str) -> bool:
    """Whether `side` can trace supply to the siege at `location` (ruling 9).

    The defender's trace ends in the location itself; the besieger's in one next to it. By the flag
    `new_york_reinforces` it may start in any home; each counts even where it is not controlled.
    """
    homes, in_supply = {SUPPLY_HOME[side]}, supplied(state, side)
    if state.ruleset.new_york_reinforces and not HOMES[side] <= homes | in_supply:
        homes |= HOMES[side]
        in_supply = _trace(state, side, homes)
    if state.owner(location) is side:
        return location in in_supply
    catalogue = state.ruleset.catalogue
    ends = in_supply | homes
    if catalogue.by_land[location] & ends:
        return True
    return location in catalogue.ports and not catalogue.ports.isdisjoint(ends)


def usable_places(state: State, side: Side) -> frozenset[str]:
    """The locations whose cards `side` may use: in supply, and not besieged (ruling 7)."""
    places = supplied(state, side)
    if state.sieges:
        places = places.difference([siege.location for siege in state.sieges.values()])
    return places


def is_usable(card: Card, places: Collection[str]) -> bool:
    """Whether a card may be used where these are the `usable_places`: always an empire card."""
    return card.location is None or card.location in places


def usable(state: State, side: Side, card: str) -> bool:
    """Whether a card of `side` may be used (ruling 7)."""
    return is_usable(state.ruleset.card(side, card), usable_places(state, side))


def usable_ones(state: State, side: Side, cards: Iterable[Card]) -> list[Card]:
    """Those cards of `side` that may be used."""
    places = usable_places(state, side)
    return [card for card in cards if is_usable(card, places)]


def why_idle(state: State, side: Side, card: str) -> list[str]:
    """Why a location card may not be used: it is "lost", or "besieged", "without supply" or both.

    Empty for a card that may be used.
    """
    place = state.ruleset.card(side, card).location
    if place is None or usable(state, side, card):
        return []
    if state.owner(place) is not side:
        return ["lost"]
    besieged = ["besieged"] if state.besieger(place) is not None else []
    return besieged + ([] if place in supplied(state, side) else ["without supply"])


def raid_reach(state: State, cards: int) -> int:
    """How many connections a raid of that many cards reaches."""
    return cards + state.ruleset.raid_bonus


def raid_distances(state: State, side: Side) -> Mapping[str, int]:
    """How many connections each location is from the nearest one that `side` can raid from.

    Only locations that a raid can reach are listed (ruling 12): the way is one of `raid_ways`, and
    where sieges restrict raids, it ends at no siege, not even the raider's own.
    """
    asked = side, *[(besieger, siege.location) for besieger, siege in state.sieges.items()]
    known = state.raids.get(asked)
    if known is None:
        known = state.raids[asked] = raid_ways(state, side)
        for place in barring_siege(state, side):
            known.pop(place, None)
    return known


def raid_ways(state: State, side: Side, but: str | None = None) -> dict[str, int]:
    """How many connections a raid of `side` has gone where it comes to a location or through it.

    The way follows rivers, roads, lakes and trails, starts at a controlled location, and passes no
    fortification disc. Where sieges restrict raids, it starts at no siege either, and passes none
    but the raider's own. All this as if the location `but` had neither.
    """
    # The enemy stands at the raider's own siege: no raid starts there, but one passes.
    barred = barring_siege(state, side.opponent) - {but}
    board, paths = state.board.items(), state.ruleset.catalogue.raid_paths
    frontier = {place for place, s in board if s.owner is side and place not in barred}
    walls = {place for place, s in board if s.fortified} - {but}
    closed = walls | barred | frontier
    distances = dict.fromkeys(frontier, 0)
    distance = 0
    while frontier:
        distance += 1
        frontier = set().union(*[paths[place] for place in frontier]) - closed
        closed |= frontier
        distances |= dict.fromkeys(frontier, distance)
    return distances


def raid_bars(state: State, side: Side, target: str, reach: int) -> list[tuple[str, bool]]:
    """What keeps a raid of `side` from a target: a location, and whether it is a siege there.

    Any one of them: without it the raid would find a way of at most `reach` connections. What is
    not a siege is a fortification.
    """
    besieged = sorted(barring_siege(state, side.opponent))
    fortified = sorted(place for place, s in state.board.items() if s.fortified)
    bars = [(place, True) for place in besieged]
    bars += [(place, False) for place in fortified if place not in (target, *besieged)]
    without = ((bar, raid_ways(state, side, bar[0]).get(target)) for bar in bars)
    return [bar for bar, distance in without if distance is not None and distance <= reach]


def barring_siege(state: State, besieger: Side) -> set[str]:
    """The location that `besieger` besieges, if sieges restrict raids; otherwise nothing."""
    siege = state.sieges.get(besieger) if state.ruleset.sieges_restrict_raids else None
    return {siege.location} if siege else set()
