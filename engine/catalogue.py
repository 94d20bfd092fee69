"""The printed material: locations, connections and cards, read from `engine/data`.

Everything here is a fact of the box and never changes during a game.
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
    """The name of a card symbol, one of `Card.symbols`."""
    return Message.within("symbol", _SYMBOLS[symbol])


class Location(Value):
    """A place on the board.

    `victory_points` count double for a town; `defence` adds to the intrinsic siege defence of 1;
    `settler` says that a village there takes a settler symbol; `sea` that it is reached by ship
    and supplied by sea; `ships_in_siege` that a ship symbol is worth 1 in a siege there.
    `position` is the place on the map, in units of a 1500 by 1000 sheet, x to the east, y to the
    south.
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
        """The name, as players see it."""
        return Message.within("location", self.name)


class Card(Value):
    """A card: a location card (its id is that of its location) or an empire card.

    `side` is None for a neutral card. `reaches` gives the destinations printed on a location card
    by the transport symbol each needs. Costs and values are in money, `military` in siege strength.
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
        """What it is called: the location in the current language, or the name printed on it."""
        return Message.within("location", self.name) if self.location else self.name

    def transports_to(self, destination: str) -> frozenset[str]:
        """The transport symbols, any one of which takes this card to `destination`."""
        return self.ways.get(destination, frozenset())

    @cached_property
    def ways(self) -> Mapping[str, frozenset[str]]:
        """`reaches` the other way round: each destination, sorted, by which symbols."""
        return {
            end: frozenset(symbol for symbol, ends in self.reaches.items() if end in ends)
            for end in sorted({*chain(*self.reaches.values())})
        }


class Change(Value):
    """A change that a house rule makes to the facts of the box.

    `kind` is "card" or "location", `side` a card's ("neutral" for a neutral one) or empty; `facts`
    are the new values by name. A card that is changed is in the box, unless its count becomes 0.
    """

    kind: str
    side: str
    id: str
    facts: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, kind: str, row: Mapping[str, Any]) -> Change:
        """The change that a row of the data describes."""
        facts = tuple((k, v) for k, v in row.items() if k not in ("side", "id"))
        return cls(kind, row.get("side", ""), row["id"], facts)


class Catalogue(Value):
    """All locations and cards, and the graph that the connections make.

    `cards[side]` holds what that side can ever own: its location and empire cards and the neutral
    ones. `by_land` joins locations by river, road and lake; `trails` by Indian trail. The sea joins
    every `sea` location to every other and is kept out of both.
    """

    locations: Mapping[str, Location]
    cards: Mapping[Side, Mapping[str, Card]]
    by_land: Mapping[str, frozenset[str]]
    trails: Mapping[str, frozenset[str]]
    connections: tuple[tuple[str, str, str], ...]

    def __repr__(self) -> str:
        # Showing all its contents would hide everything else.
        return "Catalogue()"

    def location_cards(self, side: Side) -> Iterable[Card]:
        """The location cards of `side`."""
        return (card for card in self.cards[side].values() if card.location)

    def empire_cards(self, side: Side) -> Iterable[Card]:
        """The empire cards in the colour of `side`, without the neutral ones."""
        return (c for c in self.cards[side].values() if not c.location and c.side is side)

    def neutral_cards(self) -> Iterable[Card]:
        """The neutral empire cards, the same for both sides."""
        return (card for card in self.cards[Side.BRITISH].values() if card.side is None)

    def card_for(self, side: Side, action: str) -> Card | None:
        """The card of `side` that carries out `action`, as printed; None where it has none."""
        return self._by_action.get((side, action))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The printed name of every location and card, by id."""
        names = {place.id: place.name for place in self.locations.values()}
        for cards in self.cards.values():
            names.update((card.id, card.name) for card in cards.values())
        return names

    def name_of(self, id: str) -> Phrase:
        """What a location or card is called, by id: its `label`."""
        printed = self.names[id]
        return Message.within("location", printed) if id in self.locations else printed

    @cached_property
    def ports(self) -> frozenset[str]:
        """The locations that the sea joins, each to every other."""
        return frozenset(place for place, location in self.locations.items() if location.sea)

    @cached_property
    def raid_paths(self) -> Mapping[str, frozenset[str]]:
        """The locations that raids go to from each: those joined to it by land or by trail."""
        return {place: self.by_land[place] | self.trails[place] for place in self.locations}

    def bateaux_on_cards(self, place: str) -> frozenset[str]:
        """The locations that only bateaux on cards connect to one, in either direction.

        Such connections serve to settle and to besiege; neither supply nor a raid follows them.
        """
        ends = {
            (card.id, to)
            for side in Side
            for card in self.location_cards(side)
            for to in card.reaches.get("bateaux", ())
        }
        on_cards = {to if start == place else start for start, to in ends if place in (start, to)}
        waters = [set(joined) for kind, *joined in self.connections if kind in ("river", "lake")]
        return frozenset(to for to in on_cards if not any({place, to} <= w for w in waters))

    @cached_property
    def siege_strengths(self) -> Mapping[tuple[Side, bool, bool], Mapping[str, int]]:
        """What each card adds in a siege (ruling 6).

        By its side, by whether that side defends, and by whether ships count at the location.
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
    """The content of a file of `engine/data`; not to be changed."""
    # Not importlib.resources: importing it would take as long as the reading itself.
    text = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
    try:
        return _read_rows(text)
    except ValueError:
        return tomllib.loads(text)


def _read_rows(text: str) -> Mapping[str, list[dict[str, Any]]]:
    """TOML that is nothing but rows of facts, one per line; ValueError for any other.

    Such lines are JSON but for the keys, and JSON is read in a third of the time.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    *before, last = text.split(" = ")
    # If this changes a quoted text, the result is not JSON.
    for row in "".join([*map(_with_key, before), last]).split("\n[[")[1:]:
        table, _, lines = row.partition("]]\n")
        facts = ",".join(line for line in lines.split("\n") if line and line[0] != "#")
        rows.setdefault(table, []).append(json.loads(f"{{{facts}}}"))
    return rows


def _with_key(text: str) -> str:
    """A text whose last word is a key, with that as in JSON; a key in parts becomes no JSON."""
    at = max(text.rfind(sign) for sign in "\n {.") + 1
    return f'{text[:at]}"{text[at:]}": '


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
    """The catalogue of what is in the box of `edition`, as house rules change it."""
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
