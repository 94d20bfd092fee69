"""What is asked about, found by its name: its page, or which things the name may mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.house_rules import HouseRule, house_rules
from engine.message import Message, Said, alphabetical, sentences
from engine.ruleset import Ruleset, editions
from pbem.errors import WrongUse
from pbem.foreign import clean
from pbem.text.components import cards_near, find_cards, find_locations, locations_near
from pbem.text.language import Language
from pbem.text.lines import Line, item
from pbem.text.naming import meanings, meant_by, named
from pbem.text.phrases import with_beside
from pbem.text.rules.pages import (
    Ground,
    card_page,
    differences_told,
    editions_named,
    house_rules_page,
    index_page,
    location_page,
    rule_page,
    topic_page,
)
from pbem.text.rules.topic import Topic, find_topics, list_named, topics_near
from pbem.text.tables import entry


def page(language: Language, words: str, ground: Ground) -> Iterator[Line]:
    """What a text asks for: a topic, a house rule, all editions or house rules; or all topics.

    WrongUse where there is none of that name.
    """
    if not words:
        return index_page(ground.command)
    which = list_named(language, words)
    if which == "editions":
        return chain(differences_told(), editions_named(ground.command))
    if which == "house":
        return house_rules_page(ground.command)
    return explained(language, words, ground)


def anything(language: Language, words: str, ground: Ground) -> Iterator[Line]:
    """What there is to know of a name: a topic or house rule, else a card, else a location.

    WrongUse where it is none of these.
    """
    catalogue = ground.ruleset.catalogue
    if not list_named(language, words) and not topics_or_rule(language, words):
        if find_cards(language, words, catalogue):
            return card(language, words, ground)
        if find_locations(language, words, catalogue):
            return location(language, words, ground)
    return page(language, words, ground)


def explained(language: Language, words: str, ground: Ground) -> Iterator[Line]:
    """The page of a topic or house rule; WrongUse where there is none of that name."""
    found = topics_or_rule(language, words)
    if isinstance(found, HouseRule):
        return rule_page(found, ground.command)
    if len(found) == 1:
        return topic_page(language, found[0], ground)
    names, near = [topic.word for topic in found], topics_near(language, words)
    return _several("topic", words, names, near, _elsewhere(language, words, ground))


def topics_or_rule(language: Language, words: str) -> list[Topic] | HouseRule:
    """The topics that a text may mean, or the house rule that it means."""
    known = {rule.id: language.say(rule.named) for rule in house_rules().values()}
    found = [] if named(language, words, known) else find_topics(language, words)
    if not found and len(chosen := meanings(language, words, known)) == 1:
        return house_rules()[next(iter(chosen))]
    return found


def card(language: Language, words: str, ground: Ground) -> Iterator[Line]:
    """The page of a card, that of the viewer first where both sides have one of that name.

    WrongUse where there is none.
    """
    catalogue = ground.ruleset.catalogue
    found = find_cards(language, words, catalogue)
    names = {language.say(catalogue.name_of(owned.card.id)) for owned in found}
    if not names and (other := _not_in_the_game(language, words)):
        raise WrongUse(
            "There is no {card} by these rules: {rules}.", card=other, rules=ground.label
        )
    if len(names) != 1:
        several = [with_beside(language, name) for name in sorted(names, key=alphabetical)]
        yield from _several("card", words, several, cards_near(language, words, catalogue))
        return
    viewer = ground.present.viewer if ground.present else None
    for number, owned in enumerate(sorted(found, key=lambda one: viewer not in one.sides)):
        if number:
            yield Line()
        yield from card_page(language, owned, ground)


def location(language: Language, words: str, ground: Ground) -> Iterator[Line]:
    """The page of a location; WrongUse where there is none of that name."""
    catalogue = ground.ruleset.catalogue
    found = find_locations(language, words, catalogue)
    if len(found) == 1:
        return location_page(found[0], ground)
    names = sorted((language.say(place.label) for place in found), key=alphabetical)
    return _several("location", words, names, locations_near(language, words, catalogue))


def _not_in_the_game(language: Language, words: str) -> Said:
    """The name of the card that a text means in another edition or without house rules, if any."""
    for edition in editions():
        box = Ruleset.of(edition).catalogue
        if found := find_cards(language, words, box):
            return box.name_of(found[0].card.id)
    return ""


def _elsewhere(language: Language, words: str, ground: Ground) -> Said:
    """That what is no topic is the name of a card or a location, as a sentence."""
    catalogue = ground.ruleset.catalogue
    if len(places := find_locations(language, words, catalogue)) == 1:
        name, kind = catalogue.name_of(places[0].id), "location"
    elif cards := find_cards(language, words, catalogue):
        name, kind = catalogue.name_of(cards[0].card.id), "card"
    else:
        return ""
    command = f"{ground.command} {kind} {words}"
    return Message("To read about {thing}: {command}", thing=name, command=command)


def _several(
    kind: str, words: str, names: Sequence[Said], near: Sequence[Said], elsewhere: Said = ""
) -> Iterator[Line]:
    """What a name may mean; raises WrongUse, with what is near, where it means nothing."""
    if names:
        return iter([Line(entry("several", kind, words=clean(words))), *map(item, names)])
    refusal = entry("unknown", kind, words=words)
    if elsewhere:
        raise WrongUse(sentences(refusal, elsewhere))
    if kind == "topic" and not near:
        raise WrongUse(sentences(refusal, Message("All topics: acres rules")))
    raise WrongUse(refusal + meant_by(near))
