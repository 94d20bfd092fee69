"""Pages about the rules: topics, house rules, editions, cards and locations.

A page is found by a name; an ambiguous name gets a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from engine.catalogue import Location
from engine.house_rules import HouseRule, house_rules
from engine.message import (
    Concat,
    Message,
    Phrase,
    comma_list,
    mark,
    semicolon_list,
    sentences,
    sort_key,
    with_label,
)
from engine.ruleset import Ruleset, editions
from pbem.errors import UsageError
from pbem.foreign import clean
from pbem.text.language import Language, Line, Tone, item, row
from pbem.text.naming import (
    OwnedCard,
    card_facts,
    card_kind,
    find_cards,
    find_exact,
    find_locations,
    find_names,
    location_facts,
    location_names,
    nearest_names,
    similar_cards,
    suggestions,
)
from pbem.text.phrases import row_text, with_translation
from pbem.text.rules.editions import (
    differences,
    edition_name,
    edition_rows,
    edition_text,
    exclusions,
    house_rule_names,
    redundant_in,
    rules_name,
)
from pbem.text.rules.in_position import View, card_text, examples, location_text, topic_text
from pbem.text.rules.topic import Topic, find_list, find_topics, similar_topics, topics


def look_up_page(
    language: Language, words: str, subject: Subject, *, search_all: bool = False
) -> Iterator[Line]:
    """Return the page for a text: a topic, a house rule, all editions or house rules, or the index.

    If `search_all` is true, cards and locations are searched too. Raises UsageError if nothing has
    that name.
    """
    list_name, hits = find_list(language, words), topics_or_rule(language, words)
    if not words:
        return index_page(subject.command)
    if list_name == "editions":
        return chain(differences_text(), edition_list(subject.command))
    if list_name == "house":
        return house_rules_page(subject.command)
    if isinstance(hits, HouseRule):
        return rule_page(hits, subject.command)
    if len(hits) == 1:
        return topic_page(language, hits[0], subject)
    if search_all and not hits and find_cards(language, words, subject.ruleset.catalogue):
        return look_up_card(language, words, subject)
    if search_all and not hits and find_locations(language, words, subject.ruleset.catalogue):
        return look_up_location(language, words, subject)
    names, similar = [topic.word for topic in hits], similar_topics(language, words)
    hint = _page_hint(language, words, subject)
    if not hint and not similar:
        hint = Message("All topics: {command} rules", command=subject.command)
    return _list_page("topic", words, names, similar, hint)


def topics_or_rule(language: Language, words: str) -> list[Topic] | HouseRule:
    """Return the topics that a text may mean, or the house rule that it means."""
    rules = {rule.id: language.say(rule.title) for rule in house_rules().values()}
    fitting = [] if find_exact(language, words, rules) else find_topics(language, words)
    if not fitting and len(hits := find_names(language, words, rules)) == 1:
        return house_rules()[next(iter(hits))]
    return fitting


def look_up_card(language: Language, words: str, subject: Subject) -> Iterator[Line]:
    """Yield the page of a card; if both sides have it, the viewer's comes first.

    Raises UsageError if there is none.
    """
    catalogue = subject.ruleset.catalogue
    cards = find_cards(language, words, catalogue)
    names = {language.say(catalogue.name_of(owned.card.id)) for owned in cards}
    if not names and (other := _find_in_other_editions(language, words)):
        raise UsageError(
            "There is no {card} by these rules: {rules}.", card=other, rules=subject.label
        )
    if len(names) != 1:
        labels = [with_translation(language, name) for name in sorted(names, key=sort_key)]
        yield from _list_page("card", words, labels, similar_cards(language, words, catalogue))
        return
    viewer = subject.view.viewer if subject.view else None
    for number, owned in enumerate(sorted(cards, key=lambda owned: viewer not in owned.sides)):
        if number:
            yield Line()
        yield from card_page(language, owned, subject)


def look_up_location(language: Language, words: str, subject: Subject) -> Iterator[Line]:
    """Return the page of a location. Raises UsageError if there is none."""
    catalogue = subject.ruleset.catalogue
    places = find_locations(language, words, catalogue)
    if len(places) == 1:
        return location_page(places[0], subject)
    names = sorted((language.say(place.label) for place in places), key=sort_key)
    similar = nearest_names(language, words, location_names(language, catalogue))
    return _list_page("location", words, names, similar)


def _find_in_other_editions(language: Language, words: str) -> Phrase:
    """Return the name of a card of another edition that a text means, if there is one."""
    for edition in editions():
        box = Ruleset.of(edition).catalogue
        if cards := find_cards(language, words, box):
            return box.name_of(cards[0].card.id)
    return ""


def _page_hint(language: Language, words: str, subject: Subject) -> Phrase:
    """Return the command for the card or location that a text names, if it names one."""
    catalogue = subject.ruleset.catalogue
    if len(places := find_locations(language, words, catalogue)) == 1:
        name, kind = catalogue.name_of(places[0].id), "location"
    elif cards := find_cards(language, words, catalogue):
        name, kind = catalogue.name_of(cards[0].card.id), "card"
    else:
        return ""
    command = f"{subject.command} {kind} {words}"
    return Message("To read about {thing}: {command}", thing=name, command=command)


def _list_page(
    kind: str, words: str, names: Sequence[Phrase], similar: Sequence[Phrase], hint: Phrase = ""
) -> Iterator[Line]:
    """Yield the things that a name may mean.

    Raises UsageError, with similar names, if there is none.
    """
    if names:
        return iter([Line(row_text("several", kind, words=clean(words))), *map(item, names)])
    refusal = row_text("unknown", kind, words=words, name=words)
    if hint:
        raise UsageError(sentences(refusal, hint))
    raise UsageError(refusal + suggestions(similar))


# --- pages


class Subject(NamedTuple):
    """The subject of a page: the rules of a game or edition, and a position if there is one.

    `spectator` explains why the viewer is a spectator; `command` calls the program.
    """

    ruleset: Ruleset
    view: View | None = None
    spectator: Phrase = ""
    command: str = "acres"

    @property
    def label(self) -> Phrase:
        """The name of the rules."""
        return rules_name(self.ruleset.edition, self.ruleset.house_rules)


def _heading(text: Phrase) -> Iterator[Line]:
    yield Line()
    yield Line(text, Tone.HEAD)


def _bullets(texts: Iterable[Phrase]) -> Iterator[Line]:
    return (Line(text, label="  - ") for text in texts)


def _labelled(label: Phrase, text: Phrase, *, in_columns: bool = False) -> Line:
    return Line(text, label=Concat((label, " ")), in_columns=in_columns)


# --- topics


def index_page(command: str) -> Iterator[Line]:
    """Yield all topics by their groups."""
    group = ""
    for topic in topics().values():
        if topic.group != group:
            group = topic.group
            yield from _heading(Message(group))
        yield row(topic.word, Message(topic.title))
    yield from _heading(Message("Rules to choose from"))
    yield row(Message.within("topic", "editions"), Message("The printed editions side by side"))
    yield row(Message.within("topic", "house"), Message("The house rules"))
    yield Line()
    yield Line(
        Message(
            "To read one: {program} rules TOPIC. With a file after it, also what it means in that "
            "game. About a card: {program} card NAME; about a location: {program} location NAME.",
            program=command,
        )
    )


def topic_page(language: Language, topic: Topic, subject: Subject) -> Iterator[Line]:
    """Yield a topic by the rules, and in the position, of `subject`."""
    ruleset = subject.ruleset
    yield Line(Message(topic.title), Tone.HEAD)
    for paragraph in topic.text:
        yield Line()
        yield Line(Message(paragraph))
    if topic.examples:
        yield Line()
        typed = semicolon_list(examples(topic, ruleset))
        yield _labelled(Message("Typed like this:"), typed)
    if rows := differences(topic.flags, ruleset):
        yield from _heading(_differences_heading(ruleset))
        yield from _bullets(rows)
    game_rules = [rule for rule in topic.house_rules if rule in ruleset.house_rules]
    others = [rule for rule in topic.house_rules if rule not in game_rules]
    if game_rules:
        yield from _heading(Message("House rules of this game"))
        yield from _bullets(Message(house_rules()[rule].summary) for rule in game_rules)
    if others:
        yield Line()
        names = comma_list(house_rules()[rule].title_with_id for rule in others)
        yield _labelled(Message("House rules that change it:"), names)
    yield from _in_this_game(partial(topic_text, language, topic), subject)
    yield Line()
    related = _topics_command((topics()[id] for id in topic.related), subject.command)
    yield _labelled(Message("See also:"), related, in_columns=True)
    yield _labelled(Message("Rulings:"), f"docs/rules.md, {topic.section}", in_columns=True)


def _differences_heading(ruleset: Ruleset) -> Message:
    """Return the heading of the differences between the ruleset and others."""
    edition, rules = edition_name(ruleset.edition), house_rule_names(ruleset.house_rules)
    if rules:
        return Message("In the {edition} with {rules}", edition=edition, rules=rules)
    return Message("In the {edition}", edition=edition)


def _topics_command(others: Iterable[Topic], command: str) -> Message:
    """Return the command for pages on other topics."""
    words = comma_list(topic.word for topic in others)
    return Message("{program} rules TOPIC, with {topics}", program=command, topics=words)


def _in_this_game(describe: Callable[[View], list[Phrase]], subject: Subject) -> Iterator[Line]:
    """Yield the lines about a position, if there is one."""
    lines = describe(subject.view) if subject.view else []
    if not lines:
        return
    yield from _heading(Message("In this game"))
    if reason := subject.spectator:
        yield item(Message("You see only what is public, because {reason}.", reason=reason))
    yield from map(item, lines)


# --- editions and house rules


def rule_page(rule: HouseRule, command: str) -> Iterator[Line]:
    """Yield a house rule, and the topics that it changes."""
    yield from _house_rule(rule)
    changed_topics = (topic for topic in topics().values() if topic.id in rule.topics)
    yield Line()
    yield _labelled(Message("See also:"), _topics_command(changed_topics, command))


def house_rules_page(command: str) -> Iterator[Line]:
    """Yield all house rules, with their effects and exclusions."""
    for rule in house_rules().values():
        yield from _house_rule(rule)
    yield Line()
    hint = mark("To play with some: {program} new --house-rule ID, once for each.")
    yield Line(Message(hint, program=command))


def _house_rule(rule: HouseRule) -> Iterator[Line]:
    """Yield the effect of a house rule, its exclusions, and the editions that contain it."""
    yield Line(rule.title_with_id, Tone.HEAD)
    yield item(Message(rule.summary))
    if excluded := exclusions(rule):
        yield item(Message("Cannot be combined with: {rules}.", rules=house_rule_names(excluded)))
    if containing := redundant_in(rule.id):
        names = comma_list(map(edition_name, containing))
        yield item(Message("Already part of: {editions}.", editions=names))


def differences_text() -> Iterator[Line]:
    """Yield the differences between editions, as sentences instead of a table."""
    rulesets = [Ruleset.of(edition) for edition in editions()]
    for difference in edition_rows():
        values = (with_label(ruleset.edition, difference.value(ruleset)) for ruleset in rulesets)
        yield Line(Concat((difference.title, ". ", semicolon_list(values), ".")))


def edition_list(command: str) -> Iterator[Line]:
    """Yield all editions, below their differences."""
    yield Line()
    yield from (item(with_label(id, edition_text(id))) for id in editions())
    yield Line(
        Message(
            "Everything else is the same. To play one: {program} new --side any --edition EDITION",
            program=command,
        )
    )


# --- cards and locations


def card_page(language: Language, owned: OwnedCard, subject: Subject) -> Iterator[Line]:
    """Yield everything printed on a card, and the places of its copies."""
    name = with_translation(language, subject.ruleset.catalogue.name_of(owned.card.id))
    facts = card_facts(owned.card, subject.ruleset.catalogue)
    yield Line(Concat((name, card_kind(owned), subject.label), ", "), Tone.HEAD)
    yield from map(item, facts)
    yield from _in_this_game(partial(card_text, owned), subject)


def location_page(place: Location, subject: Subject) -> Iterator[Line]:
    """Yield everything printed about a location, and its state."""
    facts = location_facts(place, subject.ruleset.catalogue)
    yield Line(Concat((place.label, subject.label), ", "), Tone.HEAD)
    yield from map(item, facts)
    yield from _in_this_game(partial(location_text, place), subject)
