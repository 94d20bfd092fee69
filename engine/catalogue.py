"""The box: locations, connections and cards as printed, read from `engine/data`.

Nothing here changes during a game.

>>> catalogue = load("second")
>>> catalogue.locations["quebec"].victory_points
6
>>> catalogue.cards[Side.BRITISH]["rangers"].cost
5
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.message import Message, Phrase, mark_in
from engine.sides import Side
from engine.value import Value

TRANSPORTS = ("bateaux", "ship", "wagon")

_SYMBOLS = {
    "bateaux": mark_in("symbol", "bateaux"),
    "ship": mark_in("symbol", "ship"),
    "wagon": mark_in("symbol", "wagon"),
    "settler": mark_in("symbol", "settler"),
    "fur": mark_in("symbol", "fur"),
}


def symbol_name(symbol: str) -> Message:
    """Return the name of a card symbol, an element of `Card.symbols`.

    >>> symbol_name("fur")
    Message('fur')
    """
    return Message.within("symbol", _SYMBOLS[symbol])


class Location(Value):
    """A location on the board.

    A town doubles its `victory_points`; `defence` adds to the intrinsic siege defence of 1;
    `settler` is true if a village there requires a settler symbol, `sea` if ships reach and supply
    it, and `ships_in_siege` if a ship symbol counts 1 in a siege there. `position` is the place on
    a map of 1500 by 1000 units, x to the east and y to the south.

    >>> deerfield = load("second").locations["deerfield"]
    >>> deerfield.label, deerfield.settler, deerfield.sea
    (Message('Deerfield'), True, False)
    """

    id: str
    name: str
    victory_points: int
    defence: int
    settler: bool
    sea: bool
    ships_in_siege: bool
    position: tuple[int, int]
    start_owner: Side | None = None
    start_town: bool = False
    start_fortified: bool = False

    @property
    def label(self) -> Message:
        """The name for players."""
        return Message.within("location", self.name)


class Card(Value):
    """A location card, with the id of its location, or an empire card.

    `side` is None for a neutral card. `reaches` maps each transport symbol to the destinations
    printed for it on a location card. Costs and values are in money, `military` in siege strength.

    >>> boston = load("second").cards[Side.BRITISH]["boston"]
    >>> sorted(boston.symbols), boston.money
    (['settler', 'ship'], 3)
    """

    id: str
    name: str
    side: Side | None
    location: str | None = None
    symbols: frozenset[str] = frozenset()
    reaches: Mapping[str, frozenset[str]] = MappingProxyType({})
    action: str | None = None
    count: int = 1
    initial_copies: int = 0
    cost: int = 0
    play_cost: int = 0
    money: int = 0
    military: int = 0
    military_defending: int = 0
    siege_cost: int = 0
    free_action: bool = False
    raid: bool = False
    raid_cost: int = 0
    extends_raid: bool = False
    ambush: bool = False
    ambush_cost: int = 0
    ambushable: bool = False
    blocks_raid: bool = False
    blocks_ambush: bool = False
    convertible: bool = False

    @property
    def label(self) -> Phrase:
        """The name for players: the location's name in their language, or the printed name."""
        return Message.within("location", self.name) if self.location else self.name

    def transports_to(self, destination: str) -> frozenset[str]:
        """Return the transport symbols that lead from this card to a destination.

        >>> load("second").cards[Side.BRITISH]["new-haven"].transports_to("deerfield")
        frozenset({'bateaux'})
        """
        return self.ways.get(destination, frozenset())

    @cached_property
    def ways(self) -> Mapping[str, frozenset[str]]:
        """The transport symbols by destination, sorted: the inverse of `reaches`."""
        return {
            end: frozenset(symbol for symbol, ends in self.reaches.items() if end in ends)
            for end in sorted({*chain(*self.reaches.values())})
        }


class Change(Value):
    """A change that a house rule makes to the facts of the box.

    `kind` is "card" or "location"; `side` is the side of a card, "neutral" for a neutral card, and
    empty for a location; `facts` are the new values by name. A changed card is in the box unless
    its count becomes 0.

    >>> Change("location", "", "quebec", (("start_fortified", True),)).id
    'quebec'
    """

    kind: str
    side: str
    id: str
    facts: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, kind: str, row: Mapping[str, Any]) -> Change:
        """Return the change described by a row of the data.

        >>> Change.of("location", {"id": "boston", "defence": 2}).facts
        (('defence', 2),)
        """
        facts = tuple((k, v) for k, v in row.items() if k not in ("side", "id"))
        return cls(kind, row.get("side", ""), row["id"], facts)


class Catalogue(Value):
    """All locations and cards, and the graph of the connections.

    `cards[side]` contains every card that the side can own: its location and empire cards and the
    neutral cards. `by_land` connects locations by river, road and lake, and `trails` by Indian
    trail. Both omit the sea, which connects every `sea` location to every other.

    >>> catalogue = load("second")
    >>> sorted(catalogue.by_land["albany"])
    ['fort-stanwix', 'fort-william-henry', 'new-york']
    >>> sorted(catalogue.trails["boston"])
    ['deerfield']
    """

    locations: Mapping[str, Location]
    cards: Mapping[Side, Mapping[str, Card]]
    by_land: Mapping[str, frozenset[str]]
    trails: Mapping[str, frozenset[str]]
    connections: tuple[tuple[str, str, str], ...]

    def __repr__(self) -> str:
        # The whole content would flood every output.
        return "Catalogue()"

    def location_cards(self, side: Side) -> Iterable[Card]:
        """Yield the location cards of a side.

        >>> sum(1 for card in load("second").location_cards(Side.FRENCH))
        26
        """
        return (card for card in self.cards[side].values() if card.location)

    def empire_cards(self, side: Side) -> Iterable[Card]:
        """Yield the empire cards in the colour of a side, without the neutral cards.

        >>> sum(card.count for card in load("second").empire_cards(Side.BRITISH))
        21
        """
        return (c for c in self.cards[side].values() if not c.location and c.side is side)

    def neutral_cards(self) -> Iterable[Card]:
        """Yield the neutral empire cards, which both sides can own.

        >>> [card.id for card in load("second").neutral_cards()]
        ['neutral-fortification', 'neutral-native-americans', 'neutral-settlers']
        """
        return (card for card in self.cards[Side.BRITISH].values() if card.side is None)

    def card_for(self, side: Side, action: str) -> Card | None:
        """Return the card of `side` that carries out `action`, or None if it has no such card.

        >>> load("second").card_for(Side.FRENCH, "piracy").id
        'louisbourg'
        >>> load("second").card_for(Side.BRITISH, "piracy") is None
        True
        """
        return self._by_action.get((side, action))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The printed name of every location and card by id."""
        names = {place.id: place.name for place in self.locations.values()}
        for cards in self.cards.values():
            names.update((card.id, card.name) for card in cards.values())
        return names

    def name_of(self, id: str) -> Phrase:
        """Return the name of a location or card for players.

        >>> load("second").name_of("st-marys"), load("second").name_of("rangers")
        (Message("St. Mary's"), 'Rangers')
        """
        name = self.names[id]
        return Message.within("location", name) if id in self.locations else name

    @cached_property
    def ports(self) -> frozenset[str]:
        """The locations on the sea, each connected to every other."""
        return frozenset(place for place, location in self.locations.items() if location.sea)

    @cached_property
    def raid_paths(self) -> Mapping[str, frozenset[str]]:
        """The locations that a raid can enter from each location: by land or by trail."""
        return {place: self.by_land[place] | self.trails[place] for place in self.locations}

    def bateaux_on_cards(self, place: str) -> frozenset[str]:
        """Return the locations that only bateaux on cards connect to a place, in either direction.

        Such connections serve to settle and to besiege; neither supply nor a raid follows them.

        >>> sorted(load("second").bateaux_on_cards("quebec"))
        ['fort-st-john', 'tadoussac']
        """
        ends = {
            (card.id, to)
            for side in Side
            for card in self.location_cards(side)
            for to in card.reaches.get("bateaux", ())
        }
        on_cards = {to if start == place else start for start, to in ends if place in (start, to)}
        waters = [set(pair) for kind, *pair in self.connections if kind in ("river", "lake")]
        return frozenset(to for to in on_cards if not any({place, to} <= w for w in waters))

    @cached_property
    def siege_strengths(self) -> Mapping[tuple[Side, bool, bool], Mapping[str, int]]:
        """The strength that each card adds in a siege (ruling 6).

        Keyed by (side, defends, ships_count), then by card.
        """
        return {
            (side, defends, ships): {
                id: max(
                    card.military + (card.military_defending if defends else 0),
                    1 if ships and "ship" in card.symbols else 0,
                )
                for id, card in self.cards[side].items()
            }
            for side in Side
            for defends in (False, True)
            for ships in (False, True)
        }

    @cached_property
    def _by_action(self) -> Mapping[tuple[Side, str], Card]:
        cards = ((side, card) for side in Side for card in self.cards[side].values())
        return {(side, card.action): card for side, card in cards if card.action}


@cache
def read_data(name: str) -> Mapping[str, Any]:
    """Return the content of a file of `engine/data`, which is cached and must not be changed.

    >>> [row["id"] for row in read_data("editions.toml")["edition"]]
    ['second', 'first', 'first-revised']
    """
    # Not importlib.resources: importing it would take as long as reading the files.
    text = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
    try:
        return _read_rows(text)
    except ValueError:
        return tomllib.loads(text)


def _read_rows(text: str) -> Mapping[str, list[dict[str, Any]]]:
    """Return the rows of a TOML file that has only tables of one-line values, by table.

    Such lines are JSON except for the keys, and JSON is read in a third of the time. Raises
    ValueError for any other file.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    *texts, last = text.split(" = ")
    # If this changes a quoted string, the result is no longer JSON.
    for row in "".join([*map(_quote_key, texts), last]).split("\n[[")[1:]:
        table, _, lines = row.partition("]]\n")
        facts = ",".join(line for line in lines.split("\n") if line and line[0] != "#")
        rows.setdefault(table, []).append(json.loads(f"{{{facts}}}"))
    return rows


def _quote_key(text: str) -> str:
    """Return a text with its last word, a key, quoted as in JSON; dotted keys are not supported."""
    start = max(text.rfind(sign) for sign in "\n {.") + 1
    return f'{text[:start]}"{text[start:]}": '


def _location(row: Mapping[str, Any]) -> Location:
    start: Mapping[str, str] = row.get("start", {})
    return Location(
        id=row["id"],
        name=row["name"],
        victory_points=row["victory_points"],
        defence=row["defence"],
        settler=row.get("settler", False),
        sea=row.get("sea", False),
        ships_in_siege=row.get("ships_in_siege", False),
        position=(row["map"]["x"], row["map"]["y"]),
        start_owner=Side(start["owner"]) if start else None,
        start_town=start.get("piece") == "town",
    )


def _location_card(row: Mapping[str, Any], locations: Mapping[str, Location]) -> Card:
    reaches = {t: frozenset(row[f"{t}_to"]) for t in TRANSPORTS if f"{t}_to" in row}
    return Card(
        id=row["location"],
        name=locations[row["location"]].name,
        side=Side(row["side"]),
        location=row["location"],
        symbols=frozenset(row["symbols"]),
        reaches=reaches,
        action=row.get("action"),
        initial_copies=int(row.get("initial_deck", False)),
        money=row.get("money", 0),
        military=row.get("military", 0),
    )


def _empire_card(row: Mapping[str, Any]) -> Card:
    facts = {key: value for key, value in row.items() if key != "editions"}
    facts["side"] = None if row["side"] == "neutral" else Side(row["side"])
    facts["symbols"] = frozenset(row.get("symbols", ()))
    return Card(**facts)


def _graph(edges: Iterable[tuple[str, str]], nodes: Iterable[str]) -> dict[str, frozenset[str]]:
    neighbours: dict[str, set[str]] = {node: set() for node in nodes}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    return {node: frozenset(others) for node, others in neighbours.items()}


@cache
def load(edition: str, changes: tuple[Change, ...] = ()) -> Catalogue:
    """Return the catalogue of an edition with the changes of house rules, cached.

    >>> ["bateaux" in load(edition).cards[Side.FRENCH] for edition in ("first", "second")]
    [True, False]
    """
    board, places, empire = (
        read_data(name) for name in ("board.toml", "location-cards.toml", "empire-cards.toml")
    )
    facts = {(change.kind, change.side, change.id): dict(change.facts) for change in changes}
    locations = {row["id"]: _location(row) for row in board["location"]}
    for kind, _, id in facts:
        if kind == "location":
            locations[id] = locations[id]._replace(**facts[kind, "", id])
    cards: dict[Side, dict[str, Card]] = {side: {} for side in Side}
    for row in places["card"]:
        card = _location_card(row, locations)
        cards[Side(row["side"])][card.id] = card
    for row in empire["card"]:
        changed = facts.get(("card", row["side"], row["id"]))
        if changed is None and edition not in row.get("editions", (edition,)):
            continue
        card = _empire_card(row | (changed or {}))
        for side in Side if card.count else ():
            if card.side in (side, None):
                cards[side][card.id] = card
    connections = [(row["kind"], *row["between"]) for row in board["connection"]]
    for lake in board["lake"]:
        shore = lake["shore"]
        connections += [("lake", a, b) for i, a in enumerate(shore) for b in shore[i + 1 :]]
    trails = [(a, b) for kind, a, b in connections if kind == "indian-trail"]
    by_land = [(a, b) for kind, a, b in connections if kind != "indian-trail"]
    return Catalogue(
        locations=locations,
        cards=cards,
        by_land=_graph(by_land, locations),
        trails=_graph(trails, locations),
        connections=tuple(connections),
    )
