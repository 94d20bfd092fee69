"""Finding a topic, a card or a location by what a player calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.naming import meanings, nearest
from engine.sides import Side
from pbem.cli.learning.topics import Topic, topics

if TYPE_CHECKING:
    from engine.catalogue import Card, Catalogue, Location


class OwnedCard(NamedTuple):
    """A card as it is printed for the sides that can own it: both of them for a neutral one."""

    card: Card
    sides: tuple[Side, ...]


def find_topics(text: str) -> list[Topic]:
    """The topics that a text may mean; empty where it means none."""
    by_name = {name: topic for topic in topics().values() for name in reversed(topic.names)}
    by_name |= {topic.id: topic for topic in topics().values()}
    found = meanings(text, {name: name for name in by_name})
    return list(dict.fromkeys(by_name[name] for name in found))


def topics_near(text: str) -> list[str]:
    """The ids of the topics that a mistyped text may mean."""
    by_name = {name: topic.id for topic in topics().values() for name in topic.names}
    return list(dict.fromkeys(by_name[name] for name in nearest(text, by_name)))


def find_cards(text: str, catalogue: Catalogue) -> list[OwnedCard]:
    """The cards that a text may mean; those of one name for both sides are all among them."""
    names = {card.id: card.name for cards in catalogue.cards.values() for card in cards.values()}
    return [owned for id in meanings(text, names) for owned in _owned(id, catalogue)]


def _owned(id: str, catalogue: Catalogue) -> list[OwnedCard]:
    """The cards with an id: one of each side that has it in its own colour, or a neutral one."""
    cards = {side: catalogue.cards[side][id] for side in Side if id in catalogue.cards[side]}
    neutral = next((card for card in cards.values() if card.side is None), None)
    if neutral is not None:
        return [OwnedCard(neutral, tuple(cards))]
    return [OwnedCard(card, (side,)) for side, card in cards.items()]


def cards_near(text: str, catalogue: Catalogue) -> list[str]:
    """The names of the cards that a mistyped text may mean."""
    names = {card.name for cards in catalogue.cards.values() for card in cards.values()}
    return nearest(text, sorted(names))


def find_locations(text: str, catalogue: Catalogue) -> list[Location]:
    """The locations that a text may mean."""
    names = {place.id: place.name for place in catalogue.locations.values()}
    return [catalogue.locations[id] for id in meanings(text, names)]


def locations_near(text: str, catalogue: Catalogue) -> list[str]:
    """The names of the locations that a mistyped text may mean."""
    return nearest(text, (place.name for place in catalogue.locations.values()))
