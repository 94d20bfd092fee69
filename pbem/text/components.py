"""The contents of the box: cards and locations, found by name, and all that is printed on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.catalogue import Card, Catalogue, Location, symbol_name
from engine.message import (
    Alphabetical,
    Message,
    Said,
    alphabetical,
    commas,
    joined_with_and,
    joined_with_or,
    labelled,
    mark,
)
from engine.sides import Side
from pbem.text.language import Language
from pbem.text.naming import meanings, nearest, nearest_named
from pbem.text.phrases import money_counted
from pbem.text.tables import entry, keys, piece_key


class OwnedCard(NamedTuple):
    """A card as it is printed for the sides that can own it: both of them for a neutral one."""

    card: Card
    sides: tuple[Side, ...]


class Fact(NamedTuple):
    """One printed fact: its label and its value."""

    label: Said
    value: Said

    @property
    def line(self) -> Message:
        """Both, on one line."""
        return labelled(self.label, self.value)


def names_of(ids: Iterable[str], catalogue: Catalogue) -> Message:
    """Return the names of cards or locations, in alphabetical order."""
    return Alphabetical(map(catalogue.name_of, ids), ", ")


# --- cards


def whose(owned: OwnedCard) -> Message:
    """Whose card it is, and of which kind, in a phrase."""
    key = [owned.card.side or "neutral", *(["location"] if owned.card.location else [])]
    return entry("card-kinds", "-".join(key))


def card_facts(card: Card, catalogue: Catalogue) -> list[Fact]:
    """Return everything printed on a card, and how many copies there are.

    What a card does not have is not mentioned.
    """
    return [*_uses(card, catalogue), *_deeds(card), *_copies(card)]


def _uses(card: Card, catalogue: Catalogue) -> Iterator[Fact]:
    if card.symbols:
        yield Fact(Message("symbols"), commas(map(symbol_name, sorted(card.symbols))))
    for transport, places in card.reaches.items():
        yield Fact(entry("transports", transport), names_of(places, catalogue))
    if card.money:
        yield Fact(Message.within("label", "money"), str(card.money))
    if card.military:
        yield Fact(Message("strength in a siege"), str(card.military))
    if card.military_defending:
        yield Fact(Message("strength in a siege, for the defender"), str(card.military_defending))
    if card.siege_cost:
        costs = Message.counted("costs {count} money", "costs {count} money", card.siege_cost)
        yield Fact(Message("each time it is played to a siege"), costs)


def _deeds(card: Card) -> Iterator[Fact]:
    if card.action:
        action = entry("card-actions", card.action)
        if card.play_cost:
            price = money_counted(card.play_cost)
            action = Message("{action}, for {price}", action=action, price=price)
        yield Fact(Message("action of its own"), action)
    if card.free_action and card.action:
        yield Fact(Message("costs no action"), _yes(True))
    elif card.free_action:
        yield Fact(Message("costs no action"), Message("yes, when it joins a siege under way"))
    for label, can, cost in (
        (mark("raids"), card.raid, card.raid_cost),
        (mark("adds reach to a raid"), card.extends_raid, 0),
        (mark("ambushes"), card.ambush, card.ambush_cost),
        (mark("blocks raids"), card.blocks_raid, 0),
        (mark("blocks ambushes"), card.blocks_ambush, 0),
        (mark("can be lost to an ambush"), card.ambushable, 0),
        (mark("can be converted"), card.convertible, 0),
    ):
        if can:
            price = Message("yes, for {price}", price=money_counted(cost))
            yield Fact(Message(label), price if cost else _yes(True))


def _copies(card: Card) -> Iterator[Fact]:
    if card.location is None:
        price = money_counted(card.cost) if card.cost else Message("nothing")
        yield Fact(Message.within("label", "price"), price)
        yield Fact(Message.within("label", "copies"), str(card.count))
        if card.initial_copies:
            yield Fact(Message("in the initial deck"), str(card.initial_copies))
    elif card.initial_copies:
        yield Fact(Message("in the initial deck"), _yes(True))
    else:
        yield Fact(Message("in the initial deck"), Message("no, gained by settling"))


# --- locations


def location_facts(place: Location, catalogue: Catalogue) -> list[Fact]:
    """Return all that is printed about a location, its connections, and the cards leading to it."""
    facts = [
        Fact(Message("victory points"), _points(place.victory_points)),
        Fact(Message("defence in a siege"), _defence(place.defence)),
        Fact(Message("settling it takes a settler card"), _yes(place.settler)),
        Fact(Message("ships count in a siege of it"), _yes(place.ships_in_siege)),
        Fact(Message("at the start"), _start(place)),
    ]
    for kind in keys("connections"):
        others = neighbours(place.id, kind, catalogue)
        if kind == "sea" and place.sea:
            by_sea = Message("yes, next to all other locations on it")
            facts.append(Fact(Message("on the sea"), by_sea))
        elif others:
            facts.append(Fact(entry("connections", kind), names_of(others, catalogue)))
    if by_bateaux := catalogue.bateaux_on_cards(place.id):
        label = Message("by bateaux on cards only, not for supply or raids")
        facts.append(Fact(label, names_of(by_bateaux, catalogue)))
    for side in Side:
        label = Message("{side} cards that lead here", side=side.label)
        facts.append(Fact(label, _leading(place, side, catalogue)))
    cards = [side for side in Side if place.id in catalogue.cards[side]]
    owners = joined_with_and(
        Message.within("owner", "the {side}", side=side.label) for side in cards
    )
    return [*facts, Fact(Message("has a card for"), owners)]


def neighbours(place: str, kind: str, catalogue: Catalogue) -> set[str]:
    """Return the locations that a kind of connection joins to one, except by sea."""
    joined = (ends for of_kind, *ends in catalogue.connections if of_kind == kind)
    return {end for ends in joined if place in ends for end in ends if end != place}


def _yes(fact: bool) -> Message:
    # Translators: behind a label, such as "on the sea: yes".
    return Message.within("fact", "yes") if fact else Message.within("fact", "no")


def _points(points: int) -> Message:
    if not points:
        return Message.within("points", "none")
    return Message("{points}, as a town {doubled}", points=points, doubled=2 * points)


def _defence(own: int) -> Said:
    """Return the strength of a location by itself: 1, plus its own if it has any."""
    return (
        Message("{strength}, including {own} of its own", strength=1 + own, own=own) if own else "1"
    )


def _start(place: Location) -> Message:
    if place.start_owner is None:
        return Message.within("fact", "neutral")
    piece = piece_key(place.start_town, place.start_fortified)
    return entry("start", piece, side=place.start_owner.label)


def _leading(place: Location, side: Side, catalogue: Catalogue) -> Said:
    found = [
        Message(
            "{card} by {symbols}",
            card=catalogue.name_of(card.id),
            symbols=joined_with_or(map(symbol_name, sorted(means))),
        )
        for card in catalogue.location_cards(side)
        if (means := card.transports_to(place.id))
    ]
    return Alphabetical(found, ", ") or Message.within("cards", "none")


# --- finding them


def find_cards(language: Language, text: str, catalogue: Catalogue) -> list[OwnedCard]:
    """Return the cards that a text may mean; all cards of one name for both sides are included.

    The name of a card in that language's rulebook serves as well as its printed name.
    """
    names = {id: language.say(catalogue.name_of(id)) for id in _printed_cards(catalogue)}
    return [owned for id in meanings(language, text, names) for owned in _owned(id, catalogue)]


def _printed_cards(catalogue: Catalogue) -> dict[str, str]:
    return {card.id: card.name for cards in catalogue.cards.values() for card in cards.values()}


def _owned(id: str, catalogue: Catalogue) -> list[OwnedCard]:
    """The cards with an id: one of each side that has it in its own colour, or a neutral one."""
    cards = {side: catalogue.cards[side][id] for side in Side if id in catalogue.cards[side]}
    neutral = next((card for card in cards.values() if card.side is None), None)
    if neutral is not None:
        return [OwnedCard(neutral, tuple(cards))]
    return [OwnedCard(card, (side,)) for side, card in cards.items()]


def cards_near(language: Language, text: str, catalogue: Catalogue) -> list[str]:
    """Return the names of the cards that a mistyped text may mean."""
    printed, translated = _printed_cards(catalogue), language.lexicon.get("cards", {})
    names = {language.say(catalogue.name_of(id)) for id in printed}
    names |= {translated[name] for name in printed.values() if name in translated}
    return nearest(language, text, sorted(names, key=alphabetical))


def find_locations(language: Language, text: str, catalogue: Catalogue) -> list[Location]:
    """Return the locations that a text may mean."""
    found = meanings(language, text, location_names(language, catalogue))
    return [catalogue.locations[id] for id in found]


def locations_near(language: Language, text: str, catalogue: Catalogue) -> list[str]:
    """Return the names of the locations that a mistyped text may mean."""
    return nearest_named(language, text, location_names(language, catalogue))


def location_names(language: Language, catalogue: Catalogue) -> dict[str, str]:
    """Return what each location is called, by its id."""
    return {place.id: language.say(place.label) for place in catalogue.locations.values()}
