"""Values that follow from a position: supply, reach, sieges, victory points, cards owned.

The orders that open, reinforce and give up sieges are in `engine.actions.sieges`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from engine import ruleset as rules
from engine.catalogue import Card
from engine.events import Captured, CardLost, CardsCameBack, SiegeRelieved, SiegeStands, SiegeWon
from engine.ruleset import HOMES, SUPPLY_HOME
from engine.sides import Side
from engine.state import PlayerState, State

# --- supply and reach


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


def can_use(state: State, side: Side, card: str) -> bool:
    """Whether a card of `side` may be used (ruling 7)."""
    return is_usable(state.ruleset.card(side, card), usable_places(state, side))


def usable_cards(state: State, side: Side, cards: Iterable[Card]) -> list[Card]:
    """Those cards of `side` that may be used."""
    places = usable_places(state, side)
    return [card for card in cards if is_usable(card, places)]


def why_idle(state: State, side: Side, card: str) -> list[str]:
    """Why a location card may not be used: it is "lost", or "besieged", "without supply" or both.

    Empty for a card that may be used.
    """
    place = state.ruleset.card(side, card).location
    if place is None or can_use(state, side, card):
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


# --- sieges


BESIEGER_WINS_AT = 2
DEFENDER_WINS_AT = -1


# --- strength


def defence(state: State, location: str) -> int:
    """The strength a location has without any card: 1, its own defence, 2 if fortified."""
    settlement = state.board.get(location)
    walls = 2 if settlement and settlement.fortified else 0
    return 1 + state.ruleset.catalogue.locations[location].defence + walls


def card_strengths(state: State, side: Side, location: str) -> Mapping[str, int]:
    """Return what each card of a side adds in a siege there: military or ship symbol (ruling 6)."""
    catalogue = state.ruleset.catalogue
    defends, ships = state.owner(location) is side, catalogue.locations[location].ships_in_siege
    return catalogue.siege_strengths[side, defends, ships]


def card_strength(state: State, side: Side, card: str, location: str) -> int:
    """Return what a card adds in a siege: military or ship symbol, never both (ruling 6)."""
    return card_strengths(state, side, location)[card]


def siege_strength(state: State, besieger: Side) -> int:
    """The siege marker: positive for the besieger, negative for the defender (ruling 5).

    All cards there count, except what went beyond the end of the track.
    """
    siege = state.sieges[besieger]
    strength = -defence(state, siege.location) - siege.beyond
    for side, sign in ((besieger, 1), (besieger.opponent, -1)):
        if cards := siege.cards[side]:
            added = card_strengths(state, side, siege.location)
            strength += sign * sum([added[card] for card in cards])
    return strength


def standing_winner(state: State, besieger: Side) -> Side | None:
    """Return the side that would win a siege if it were checked now; None while it is undecided."""
    strength = siege_strength(state, besieger)
    if strength >= BESIEGER_WINS_AT:
        return besieger
    return besieger.opponent if strength <= DEFENDER_WINS_AT else None


def move_marker(state: State, besieger: Side) -> None:
    """Keep the marker on its track after the cards of a siege have changed, and report it."""
    siege, end = state.sieges[besieger], state.ruleset.siege_track
    if end:
        siege.beyond += max(0, siege_strength(state, besieger) - end)
    state.report(SiegeStands(besieger, siege.location, siege_strength(state, besieger)))


# --- the end of a siege


def losable_cards(state: State, side: Side, besieger: Side) -> list[str]:
    """The kinds of card that `side` could give back for losing a siege (ruling 3)."""
    cards = set(state.sieges[besieger].cards[side])
    return sorted(card for card in cards if not state.ruleset.card(side, card).location)


def end_siege(state: State, besieger: Side, loser: Side | None, cost: str | None) -> None:
    """Remove a siege: `cost` goes back to the loser's available cards, the rest are discarded."""
    siege = state.sieges.pop(besieger)
    if cost is not None and loser is not None:
        siege.cards[loser].remove(cost)
        state.give_back(loser, cost)
        state.report(CardLost(loser, siege.location, cost))
    for side, cards in siege.cards.items():
        if cards:
            state.discard(side, cards)
            state.report(CardsCameBack(side, siege.location, tuple(sorted(cards))))


def capture(state: State, side: Side, location: str) -> None:
    """Take the piece of a location that was won; any fortification disc goes back to stock."""
    is_town = state.board[location].town
    points = state.keep_captured(side, town=is_town)
    state.place(location, None)
    state.report(Captured(side, location, is_town, points))


def win_siege(state: State, besieger: Side) -> None:
    """End a siege that its besieger has won: the piece is captured, the location neutral."""
    siege = state.sieges[besieger]
    state.report(SiegeWon(besieger, siege.location))
    capture(state, besieger, siege.location)
    end_siege(state, besieger, besieger.opponent, siege.cost)
    state.siege_resolved = True


def relieve(state: State, defender: Side) -> None:
    """End a siege that its defender has won."""
    besieger = defender.opponent
    siege = state.sieges[besieger]
    state.report(SiegeRelieved(defender, siege.location))
    end_siege(state, besieger, besieger, siege.cost)
    state.siege_resolved = True


# --- victory points


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
    """Return the side that has more points; the French in a tie."""
    british, french = score(state, Side.BRITISH), score(state, Side.FRENCH)
    return Side.BRITISH if british.total > french.total else Side.FRENCH


# --- cards owned


def uncommitted(player: PlayerState) -> Iterator[str]:
    """All cards of a player but those at sieges."""
    return chain(player.hand, player.discard, player.reserve, *player.unseen)


def owned_cards(state: State, side: Side) -> Counter[str]:
    """All cards of a side."""
    sieges = chain.from_iterable(siege.cards[side] for siege in state.sieges.values())
    return Counter(chain(uncommitted(state.players[side]), sieges))
