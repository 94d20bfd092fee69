"""What is printed: the facts of cards and locations, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from engine.sides import Side

if TYPE_CHECKING:
    from engine.catalogue import Card, Catalogue, Location
    from pbem.cli.learning.index import OwnedCard

KINDS = ("river", "road", "lake", "sea", "indian-trail")
"""The kinds of connection, in the order in which they are told."""
_ON = {"river": "by river", "road": "by road", "lake": "over the lake", "sea": "by sea",
       "indian-trail": "by Indian trail"}  # fmt: skip
_ACTIONS = {
    "convert": "converts Native Americans",
    "govern": "returns other cards",
    "home-support": "draws three cards",
    "intendant": "fetches a discarded card",
    "piracy": "piracy, with another ship card",
    "trade": "sells furs",
}


class Fact(NamedTuple):
    """One thing that is printed: what it is, and how it is there."""

    label: str
    value: str

    def __str__(self) -> str:
        return f"{self.label}: {self.value}"


def names_of(ids: Iterable[str], catalogue: Catalogue) -> str:
    """The printed names of cards or locations, in alphabetical order."""
    return ", ".join(sorted(catalogue.names[id] for id in ids))


# --- cards


def whose(owned: OwnedCard) -> str:
    """Whose card it is, and of which kind, in a phrase."""
    kind = "location card" if owned.card.location else "empire card"
    colour = owned.card.side.label if owned.card.side else "neutral"
    return f"{colour} {kind}"


def card_facts(card: Card, catalogue: Catalogue) -> list[Fact]:
    """All that is printed on a card, and how many of it there are.

    What a card does not have is not mentioned.
    """
    return [*_uses(card, catalogue), *_deeds(card), *_copies(card)]


def _uses(card: Card, catalogue: Catalogue) -> Iterator[Fact]:
    if card.symbols:
        yield Fact("symbols", ", ".join(sorted(card.symbols)))
    for transport, places in card.reaches.items():
        yield Fact(f"leads by {transport} to", names_of(places, catalogue))
    if card.money:
        yield Fact("money", str(card.money))
    if card.military:
        yield Fact("strength in a siege", str(card.military))
    if card.military_defending:
        yield Fact("strength in a siege, for the defender", str(card.military_defending))
    if card.siege_cost:
        yield Fact("each time it is played to a siege", f"costs {card.siege_cost} money")


def _deeds(card: Card) -> Iterator[Fact]:
    if card.action:
        price = f", for {card.play_cost} money" if card.play_cost else ""
        yield Fact("action of its own", _ACTIONS[card.action] + price)
    if card.free_action:
        way = "" if card.action else ", when it joins a siege under way"
        yield Fact("costs no action", f"yes{way}")
    for label, can, cost in (
        ("raids", card.raid, card.raid_cost),
        ("adds reach to a raid", card.extends_raid, 0),
        ("ambushes", card.ambush, card.ambush_cost),
        ("blocks raids", card.blocks_raid, 0),
        ("blocks ambushes", card.blocks_ambush, 0),
        ("can be lost to an ambush", card.ambushable, 0),
        ("can be converted", card.convertible, 0),
    ):
        if can:
            yield Fact(label, f"yes, for {cost} money" if cost else "yes")


def _copies(card: Card) -> Iterator[Fact]:
    if card.location is None:
        yield Fact("price", f"{card.cost} money" if card.cost else "nothing")
        yield Fact("copies", str(card.count))
        if card.initial_copies:
            yield Fact("in the first deck", str(card.initial_copies))
    else:
        yield Fact("in the first deck", "yes" if card.initial_copies else "no, gained by settling")


# --- locations


def location_facts(place: Location, catalogue: Catalogue) -> list[Fact]:
    """All that is printed of a location, its connections, and the cards that lead to it."""
    points = place.victory_points
    facts = [
        Fact("victory points", f"{points}, as a town {2 * points}" if points else "none"),
        Fact("defence in a siege", _defence(place.defence)),
        Fact("settling it takes a settler card", _yes(place.settler)),
        Fact("ships count in a siege of it", _yes(place.ships_in_siege)),
        Fact("at the start", _start(place)),
    ]
    for kind in KINDS:
        others = neighbours(place.id, kind, catalogue)
        if kind == "sea" and place.sea:
            facts.append(Fact("on the sea", "yes, next to all other locations on it"))
        elif others:
            facts.append(Fact(_ON[kind], names_of(others, catalogue)))
    for side in Side:
        facts.append(Fact(f"{side.label} cards that lead here", _leading(place, side, catalogue)))
    cards = [side.label for side in Side if place.id in catalogue.cards[side]]
    return [*facts, Fact("has a card for", " and ".join(f"the {side}" for side in cards))]


def neighbours(place: str, kind: str, catalogue: Catalogue) -> set[str]:
    """The locations that a kind of connection joins to one, but for the sea."""
    joined = (ends for of_kind, *ends in catalogue.connections if of_kind == kind)
    return {end for ends in joined if place in ends for end in ends if end != place}


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _defence(own: int) -> str:
    """The strength of a location by itself: 1, and its own where it has any."""
    return f"{1 + own}, of which {own} is its own" if own else "1"


def _start(place: Location) -> str:
    if place.start_owner is None:
        return "nobody's"
    fort = ", fortified" if place.start_fortified else ""
    return f"{place.start_owner.label} {'town' if place.start_town else 'village'}{fort}"


def _leading(place: Location, side: Side, catalogue: Catalogue) -> str:
    found = [
        f"{card.name} by {' or '.join(sorted(means))}"
        for card in catalogue.location_cards(side)
        if (means := card.transports_to(place.id))
    ]
    return ", ".join(sorted(found)) or "none"
