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


def supplied_locations(state: State, side: Side) -> frozenset[str]:
    """Return the locations of `side` with a supply trace to its home (ruling 8).

    The trace runs through controlled locations by river, road, lake and sea, but never by Indian
    trail. It can pass besieged locations, and the home itself need not be controlled.

    >>> from engine.state import Settlement, new_game
    >>> state = new_game()
    >>> state.place("detroit", Settlement(Side.BRITISH))
    >>> sorted({"detroit", "pemaquid"} & supplied_locations(state, Side.BRITISH))
    ['pemaquid']
    """
    cached = state.supplied_locations.get(side)
    if cached is None:
        cached = state.supplied_locations[side] = _trace(state, side, {SUPPLY_HOME[side]})
    return cached


def _trace(state: State, side: Side, homes: Collection[str]) -> frozenset[str]:
    by_land, ports = state.ruleset.catalogue.by_land, state.ruleset.catalogue.ports
    own = {place for place, settlement in state.board.items() if settlement.owner is side}
    cut_off, frontier, by_sea = own.difference(homes), [*homes], False
    while frontier:
        place = frontier.pop()
        neighbours = cut_off & by_land[place]
        if not by_sea and place in ports:
            # The first port reaches all others.
            by_sea = True
            neighbours |= cut_off & ports
        cut_off -= neighbours
        frontier.extend(neighbours)
    return frozenset(own - cut_off)


def can_reinforce(state: State, side: Side, location: str) -> bool:
    """Return True if `side` can trace supply to the siege at `location` (ruling 9).

    The defender's trace ends in the location itself, and the besieger's in a neighbouring location.
    By the flag `new_york_reinforces` it can start in any home. Homes count even if they are not
    controlled.

    >>> from engine.state import new_game
    >>> [can_reinforce(new_game(), Side.FRENCH, place) for place in ("quebec", "detroit")]
    [True, False]
    """
    homes, in_supply = {SUPPLY_HOME[side]}, supplied_locations(state, side)
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


def usable_locations(state: State, side: Side) -> frozenset[str]:
    """Return the locations whose cards `side` can use: supplied and not besieged (ruling 7).

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.FRENCH] = Siege("pemaquid")
    >>> [place in usable_locations(state, Side.BRITISH) for place in ("boston", "pemaquid")]
    [True, False]
    """
    places = supplied_locations(state, side)
    if state.sieges:
        places = places.difference([siege.location for siege in state.sieges.values()])
    return places


def is_usable(card: Card, places: Collection[str]) -> bool:
    """Return True if a card can be used, given the `usable_locations`; empire cards always can be.

    >>> is_usable(rules.Ruleset.of().card(Side.BRITISH, "boston"), {"boston"})
    True
    """
    return card.location is None or card.location in places


def can_use(state: State, side: Side, card: str) -> bool:
    """Return True if `side` can use a card (ruling 7).

    >>> from engine.state import new_game
    >>> can_use(new_game(), Side.BRITISH, "boston"), can_use(new_game(), Side.BRITISH, "albany")
    (True, False)
    """
    return is_usable(state.ruleset.card(side, card), usable_locations(state, side))


def usable_cards(state: State, side: Side, cards: Iterable[Card]) -> list[Card]:
    """Return the cards that `side` can use.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> cards = [state.ruleset.card(Side.BRITISH, card) for card in ("albany", "boston")]
    >>> [card.id for card in usable_cards(state, Side.BRITISH, cards)]
    ['boston']
    """
    places = usable_locations(state, side)
    return [card for card in cards if is_usable(card, places)]


def idle_reasons(state: State, side: Side, card: str) -> list[str]:
    """Return the reasons why a card cannot be used: "lost", or "besieged" and "without supply".

    The list is empty if the card can be used.

    >>> from engine.state import new_game
    >>> [idle_reasons(new_game(), Side.BRITISH, card) for card in ("albany", "boston")]
    [['lost'], []]
    """
    place = state.ruleset.card(side, card).location
    if place is None or can_use(state, side, card):
        return []
    if state.owner(place) is not side:
        return ["lost"]
    besieged = ["besieged"] if state.besieger(place) is not None else []
    return besieged + ([] if place in supplied_locations(state, side) else ["without supply"])


def raid_reach(state: State, cards: int) -> int:
    """Return the number of connections that a raid with a number of cards reaches.

    >>> from engine.state import new_game
    >>> raid_reach(new_game(), 1)
    2
    """
    return cards + state.ruleset.raid_bonus


def raid_distances(state: State, side: Side) -> Mapping[str, int]:
    """Return each location's distance, in connections, from the nearest start of a raid.

    Lists only locations that a raid of `side` can reach (ruling 12). The distances are those of
    `raid_path_lengths`; if sieges restrict raids, no raid ends at a siege, not even at the raider's
    own.

    >>> from engine.state import new_game
    >>> raid_distances(new_game(), Side.FRENCH)["kennebec"]
    1
    """
    key = side, *[(besieger, siege.location) for besieger, siege in state.sieges.items()]
    cached = state.raid_distances.get(key)
    if cached is None:
        cached = state.raid_distances[key] = raid_path_lengths(state, side)
        for place in blocking_siege_locations(state, side):
            cached.pop(place, None)
    return cached


def raid_path_lengths(state: State, side: Side, ignoring: str | None = None) -> dict[str, int]:
    """Return the length, in connections, of the shortest raid path of `side` to each location.

    The path follows rivers, roads, lakes and trails, starts at a controlled location, and passes no
    fortification disc. If sieges restrict raids, it also starts at no siege and passes none but the
    raider's own. A disc or a siege in the location `ignoring` does not count.

    >>> from engine.state import new_game
    >>> raid_path_lengths(new_game(), Side.FRENCH)["boston"]
    4
    """
    # A raid passes the raider's own siege, but none starts there: the opponent holds the location.
    besieged = blocking_siege_locations(state, side.opponent) - {ignoring}
    board, paths = state.board.items(), state.ruleset.catalogue.raid_paths
    frontier = {p for p, settlement in board if settlement.owner is side and p not in besieged}
    walls = {place for place, settlement in board if settlement.fortified} - {ignoring}
    closed = walls | besieged | frontier
    distances = dict.fromkeys(frontier, 0)
    distance = 0
    while frontier:
        distance += 1
        frontier = set().union(*[paths[place] for place in frontier]) - closed
        closed |= frontier
        distances |= dict.fromkeys(frontier, distance)
    return distances


def raid_obstacles(state: State, side: Side, target: str, reach: int) -> list[tuple[str, bool]]:
    """Return the (location, is_siege) pairs of the obstacles between a raid of `side` and a target.

    Removing any one of them opens a path of at most `reach` connections. An obstacle that is not a
    siege is a fortification disc.

    >>> from engine.state import Settlement, new_game
    >>> state = new_game()
    >>> state.place("kennebec", Settlement(Side.BRITISH, fortified=True))
    >>> raid_obstacles(state, Side.FRENCH, "boston", 4)
    [('kennebec', False)]
    """
    besieged = sorted(blocking_siege_locations(state, side.opponent))
    walls = sorted(place for place, settlement in state.board.items() if settlement.fortified)
    obstacles = [(place, True) for place in besieged]
    obstacles += [(place, False) for place in walls if place not in (target, *besieged)]
    lengths = ((pair, raid_path_lengths(state, side, pair[0]).get(target)) for pair in obstacles)
    return [pair for pair, length in lengths if length is not None and length <= reach]


def blocking_siege_locations(state: State, besieger: Side) -> set[str]:
    """Return the location that `besieger` besieges, as a set, if sieges restrict raids.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.FRENCH] = Siege("boston")
    >>> blocking_siege_locations(state, Side.FRENCH)
    {'boston'}
    """
    siege = state.sieges.get(besieger) if state.ruleset.sieges_restrict_raids else None
    return {siege.location} if siege else set()


# --- sieges


BESIEGER_WINS_AT, DEFENDER_WINS_AT = 2, -1
"""The siege strengths from which the besieger and the defender win."""


# --- strength


def defence(state: State, location: str) -> int:
    """Return the strength of a location without cards: 1, plus its defence, plus 2 for a disc.

    >>> from engine.state import new_game
    >>> defence(new_game(), "quebec"), defence(new_game(), "gaspe")
    (3, 1)
    """
    settlement = state.board.get(location)
    walls = 2 if settlement and settlement.fortified else 0
    return 1 + state.ruleset.catalogue.locations[location].defence + walls


def card_strengths(state: State, side: Side, location: str) -> Mapping[str, int]:
    """Return the strength that each card of a side adds in a siege of a location (ruling 6).

    >>> from engine.state import new_game
    >>> card_strengths(new_game(), Side.BRITISH, "louisbourg")["regular-infantry"]
    2
    """
    catalogue = state.ruleset.catalogue
    defends, ships = state.owner(location) is side, catalogue.locations[location].ships_in_siege
    return catalogue.siege_strengths[side, defends, ships]


def card_strength(state: State, side: Side, card: str, location: str) -> int:
    """Return the strength of a card in a siege: its military or its ship symbol (ruling 6).

    >>> from engine.state import new_game
    >>> card_strength(new_game(), Side.BRITISH, "ships", "louisbourg")
    1
    """
    return card_strengths(state, side, location)[card]


def siege_strength(state: State, besieger: Side) -> int:
    """Return the strength on the siege track, positive for the besieger (ruling 5).

    All cards at the siege count, less the strength lost beyond the end of the track.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe")
    >>> state.sieges[Side.BRITISH].cards[Side.BRITISH] += ["regular-infantry", "ships"]
    >>> siege_strength(state, Side.BRITISH)
    2
    """
    siege = state.sieges[besieger]
    strength = -defence(state, siege.location) - siege.beyond
    for side, sign in ((besieger, 1), (besieger.opponent, -1)):
        if cards := siege.cards[side]:
            added = card_strengths(state, side, siege.location)
            strength += sign * sum([added[card] for card in cards])
    return strength


def current_winner(state: State, besieger: Side) -> Side | None:
    """Return the side that would win a siege if it were checked now, or None.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe")
    >>> current_winner(state, Side.BRITISH)
    <Side.FRENCH: 'french'>
    """
    strength = siege_strength(state, besieger)
    if strength >= BESIEGER_WINS_AT:
        return besieger
    return besieger.opponent if strength <= DEFENDER_WINS_AT else None


def move_marker(state: State, besieger: Side) -> None:
    """Limit the strength of a siege to the end of the track, and report the strength.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe")
    >>> state.sieges[Side.BRITISH].cards[Side.BRITISH] += ["regular-infantry"] * 5
    >>> move_marker(state, Side.BRITISH)
    >>> siege_strength(state, Side.BRITISH), state.sieges[Side.BRITISH].beyond
    (7, 2)
    """
    siege, end = state.sieges[besieger], state.ruleset.siege_track
    if end:
        siege.beyond += max(0, siege_strength(state, besieger) - end)
    state.report(SiegeStands(besieger, siege.location, siege_strength(state, besieger)))


# --- the end of a siege


def losable_cards(state: State, side: Side, besieger: Side) -> list[str]:
    """Return the kinds of card that `side` can give back for losing a siege (ruling 3).

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe")
    >>> state.sieges[Side.BRITISH].cards[Side.BRITISH] += ["boston", "ships"]
    >>> losable_cards(state, Side.BRITISH, Side.BRITISH)
    ['ships']
    """
    cards = set(state.sieges[besieger].cards[side])
    return sorted(card for card in cards if not state.ruleset.card(side, card).location)


def end_siege(state: State, besieger: Side, loser: Side | None, cost: str | None) -> None:
    """Remove a siege: return the card `cost` to the loser's available cards, discard the others.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe")
    >>> state.sieges[Side.BRITISH].cards[Side.BRITISH] += ["rangers", "militia"]
    >>> end_siege(state, Side.BRITISH, Side.BRITISH, "rangers")
    >>> state.players[Side.BRITISH].discard[-1], state.players[Side.BRITISH].empire["rangers"]
    ('militia', 2)
    """
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
    """Capture the piece in a location just won, and return its fortification disc to stock.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> capture(state, Side.BRITISH, "gaspe")
    >>> state.events
    [Captured(side=british, location=gaspe, is_town=False, points=2)]
    """
    is_town = state.board[location].town
    points = state.keep_captured(side, town=is_town)
    state.place(location, None)
    state.report(Captured(side, location, is_town, points))


def win_siege(state: State, besieger: Side) -> None:
    """End a siege that its besieger has won: the piece is captured, the location neutral.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("quebec")
    >>> win_siege(state, Side.BRITISH)
    >>> state.owner("quebec"), state.captured_points(Side.BRITISH)
    (None, 4)
    """
    siege = state.sieges[besieger]
    state.report(SiegeWon(besieger, siege.location))
    capture(state, besieger, siege.location)
    end_siege(state, besieger, besieger.opponent, siege.cost)
    state.siege_resolved = True


def relieve(state: State, defender: Side) -> None:
    """End a siege that its defender has won.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("quebec")
    >>> relieve(state, Side.FRENCH)
    >>> state.sieges, state.owner("quebec")
    ({}, <Side.FRENCH: 'french'>)
    """
    besieger = defender.opponent
    siege = state.sieges[besieger]
    state.report(SiegeRelieved(defender, siege.location))
    end_siege(state, besieger, besieger, siege.cost)
    state.siege_resolved = True


# --- victory points


class Score(NamedTuple):
    """The victory points of one side, by location, and its captured pieces.

    >>> Score(Side.FRENCH, {"quebec": 12}, 1, 1).total
    18
    """

    side: Side
    locations: dict[str, int]
    villages_captured: int
    towns_captured: int

    @property
    def captured_points(self) -> int:
        """The points of the captured pieces."""
        villages = self.villages_captured * rules.VILLAGE_CAPTURED
        return villages + self.towns_captured * rules.TOWN_CAPTURED

    @property
    def total(self) -> int:
        """The sum of all points."""
        return sum(self.locations.values()) + self.captured_points


def score(state: State, side: Side) -> Score:
    """Return the current score of `side`: the points of each location, doubled for a town.

    >>> from engine.state import new_game
    >>> score(new_game(), Side.FRENCH).total
    29
    """
    places = state.ruleset.catalogue.locations
    points = {
        place: places[place].victory_points * (2 if settlement.town else 1)
        for place, settlement in sorted(state.board.items())
        if settlement.owner is side
    }
    player = state.players[side]
    return Score(side, points, player.captured_villages, player.captured_towns)


def winner_on_points(state: State) -> Side:
    """Return the side with more points, or the French in a tie.

    >>> from engine.state import new_game
    >>> winner_on_points(new_game())
    <Side.FRENCH: 'french'>
    """
    british, french = score(state, Side.BRITISH), score(state, Side.FRENCH)
    return Side.BRITISH if british.total > french.total else Side.FRENCH


# --- cards owned


def cards_outside_sieges(player: PlayerState) -> Iterator[str]:
    """Yield all cards of a player except those at sieges.

    >>> from engine.state import new_game
    >>> sum(1 for card in cards_outside_sieges(new_game().players[Side.BRITISH]))
    7
    """
    return chain(player.hand, player.discard, player.reserve, *player.unseen)


def owned_cards(state: State, side: Side) -> Counter[str]:
    """Return all cards of a side, including the cards at sieges.

    >>> from engine.state import new_game
    >>> owned_cards(new_game(), Side.FRENCH)["trader"]
    1
    """
    sieges = chain.from_iterable(siege.cards[side] for siege in state.sieges.values())
    return Counter(chain(cards_outside_sieges(state.players[side]), sieges))
