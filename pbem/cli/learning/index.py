"""Finding a topic, a card or a location by what a player calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.message import Message, alphabetical
from engine.sides import Side
from pbem.cli.learning.topics import Topic, topics
from pbem.words.language import Language
from pbem.words.naming import meanings, nearest, nearest_named

if TYPE_CHECKING:
    from engine.catalogue import Card, Catalogue, Location


class OwnedCard(NamedTuple):
    """A card as it is printed for the sides that can own it: both of them for a neutral one."""

    card: Card
    sides: tuple[Side, ...]


def find_topics(language: Language, text: str) -> list[Topic]:
    """The topics that a text may mean; empty where it means none."""
    by_name = _topics_by_name(language)
    found = meanings(language, text, {name: name for name in by_name})
    return list(dict.fromkeys(topic for name in found for topic in by_name[name]))


def topics_near(language: Language, text: str) -> list[Message]:
    """The words for the topics that a mistyped text may mean."""
    by_name = _topics_by_name(language)
    found = (topic.word for name in nearest(language, text, by_name) for topic in by_name[name])
    return list(dict.fromkeys(found))


def _topics_by_name(language: Language) -> dict[str, list[Topic]]:
    """The topics by each word to ask for them, in English and in another language.

    In one language a word is that of a topic rather than another one for a second; what is a word
    for two topics in two languages stands for both.
    """
    every = list(topics().values())
    by_name: dict[str, list[Topic]] = {}
    english = {name: topic for topic in every for name in reversed(topic.names)}
    english |= {topic.id: topic for topic in every}
    say = language.say
    spoken = {say(name): topic for topic in every for name in reversed(topic.spoken_names)}
    spoken |= {say(topic.word): topic for topic in every}
    for names in (english,) if language.is_english else (english, spoken):
        for name, topic in names.items():
            by_name.setdefault(name, []).append(topic)
    return by_name


def find_cards(language: Language, text: str, catalogue: Catalogue) -> list[OwnedCard]:
    """The cards that a text may mean; those of one name for both sides are all among them.

    What the rulebook in that language calls a card serves as well as its printed name.
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
    """The names of the cards that a mistyped text may mean."""
    printed, translated = _printed_cards(catalogue), language.lexicon.get("cards", {})
    names = {language.say(catalogue.name_of(id)) for id in printed}
    names |= {translated[name] for name in printed.values() if name in translated}
    return nearest(language, text, sorted(names, key=alphabetical))


def find_locations(language: Language, text: str, catalogue: Catalogue) -> list[Location]:
    """The locations that a text may mean."""
    found = meanings(language, text, _locations(language, catalogue))
    return [catalogue.locations[id] for id in found]


def locations_near(language: Language, text: str, catalogue: Catalogue) -> list[str]:
    """The names of the locations that a mistyped text may mean."""
    return nearest_named(language, text, _locations(language, catalogue))


def _locations(language: Language, catalogue: Catalogue) -> dict[str, str]:
    return {place.id: language.say(place.label) for place in catalogue.locations.values()}
