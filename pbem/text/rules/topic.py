"""The topics of the rules, read from the folder `topics` and found by name."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from engine.house_rules import HouseRule, house_rules
from engine.message import Message, mark_in
from engine.orders import ORDERS
from pbem.text.language import Language
from pbem.text.naming import (
    CLOSE_MATCH,
    MIN_SIMILARITY,
    find_names,
    find_verbs,
    nearest_names,
    normalize,
    verb_kinds,
)
from pbem.text.phrases import keys, row_text

DATA = Path(__file__).parent / "topics"
_FILES = ("course", "expansion", "sieges", "attacks", "money", "cards", "playing")
"""The files of topics, one for each group, in display order."""
LISTS = {
    mark_in("topic", "editions"): "editions",
    mark_in("topic", "edition"): "editions",
    mark_in("topic", "house"): "house",
    mark_in("topic", "house rules"): "house",
}
"""The lists that can be looked up in addition to topics, by their words."""


class Topic(NamedTuple):
    """A topic that can be read about: `acres rules ID`.

    `group`, `title`, `text` and `also` are English, to be translated when printed. `text` is common
    to all editions, in paragraphs. `verbs` are the orders that the topic explains, `examples` some
    of them in notation, `also` other words for it. `flags` are the flags of its rules in which
    editions differ, `related` the ids of topics to read next, and `section` the heading in
    docs/rules.md.
    """

    id: str
    title: str
    group: str
    text: tuple[str, ...]
    section: str
    verbs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def house_rules(self) -> tuple[str, ...]:
        """The ids of the house rules that change the topic."""
        return tuple(rule.id for rule in house_rules().values() if self.id in rule.topics)

    @property
    def heading(self) -> Message:
        """The title."""
        return Message(self.title)

    @property
    def paragraphs(self) -> list[Message]:
        """The paragraphs of the text."""
        return [*map(Message, self.text)]

    @property
    def action_rules(self) -> list[tuple[Message, list[str]]]:
        """The rule of each of its orders in a sentence or two, with the verbs that it is about."""

        def rule_of(verb: str) -> Message:
            has_own = verb in keys("action-rules")
            return row_text("action-rules", verb) if has_own else self.paragraphs[0]

        return [(rule, [*verbs]) for rule, verbs in groupby(self.verbs, rule_of)]

    @property
    def word(self) -> Message:
        """The word for the topic."""
        return Message.within("topic", self.id)

    @property
    def names(self) -> tuple[Message, ...]:
        """All words for the topic."""
        verbs = (ORDERS[verb].verb_label() for verb in self.verbs)
        others = (Message.within("topic", word) for word in self.also)
        return (self.word, Message(self.title), *verbs, *others)


@cache
def topics() -> dict[str, Topic]:
    """Return all topics by id, in the order of their groups."""
    read = (tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8")) for name in _FILES)
    return {row["id"]: _topic(row, group["group"]) for group in read for row in group["topic"]}


def _topic(row: dict[str, Any], group: str) -> Topic:
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    return Topic(**row | lists, group=group)


def house_rules_by_group() -> dict[str, list[HouseRule]]:
    """Return the house rules by the group of the last topic that each changes."""
    groups = dict[str, list[HouseRule]]()
    order = list(topics())
    for rule in sorted(house_rules().values(), key=lambda rule: order.index(rule.topics[-1])):
        groups.setdefault(topics()[rule.topics[-1]].group, []).append(rule)
    return groups


def index_facts() -> list[dict[str, str]]:
    """Return the ids, titles and groups of all topics."""
    return [{"id": t.id, "title": t.title, "group": t.group} for t in topics().values()]


def titles_by_word(language: Language) -> tuple[dict[str, str], dict[str, str]]:
    """Return the titles of all topics and lists, by word in a language and by word in English."""
    english = {topic.id: language.say(Message(topic.title)) for topic in topics().values()}
    english |= dict.fromkeys(LISTS, "")
    spoken = {language.say(Message.within("topic", id)): title for id, title in english.items()}
    return spoken, english


# --- search


def find_list(language: Language, text: str) -> str:
    """Return the list that a text asks for, in the language or in English, if any."""
    normalized = normalize(text)
    forms = ((word, normalize(language.say(Message.within("topic", word)))) for word in LISTS)
    return next((LISTS[word] for word, spoken in forms if normalized in (word, spoken)), "")


def find_topics(language: Language, text: str) -> list[Topic]:
    """Return the topics that a text may mean."""
    by_name = _topics_by_name(language)
    hits = find_names(language, text, {name: name for name in by_name})
    if not hits:
        verbs = find_verbs(language, normalize(text).split())
        kinds = {verb.kind.verb for verb in verbs if verb.is_whole}
        return [topic for topic in topics().values() if kinds & {*topic.verbs}]
    return list(dict.fromkeys(topic for name in hits for topic in by_name[name]))


def similar_topics(language: Language, text: str) -> list[Message]:
    """Return the words for topics that a mistyped text, or another word for an order, may mean."""
    kinds = {kind.verb for kind in verb_kinds(language, normalize(text))}
    suggested = [topic.word for topic in topics().values() if kinds & {*topic.verbs}]
    by_name = _topics_by_name(language)
    # Many short words are similar to a text of three letters by chance.
    minimum = MIN_SIMILARITY if len(normalize(text)) > 3 else CLOSE_MATCH
    similar = nearest_names(language, text, {name: name for name in by_name}, minimum)
    words = (topic.word for name in similar for topic in by_name[name])
    return list(dict.fromkeys((*words, *suggested)))


def _topics_by_name(language: Language) -> dict[str, list[Topic]]:
    """Return the topics by each of their names, in English and in another language.

    Within a language, the main word of a topic takes precedence over other names of other topics. A
    name with different meanings in two languages has both topics.
    """
    all_topics = list(topics().values())
    by_name: dict[str, list[Topic]] = {}
    for say in (str,) if language.is_english else (str, language.say):
        names = {say(name): topic for topic in all_topics for name in reversed(topic.names)}
        names |= {say(topic.word): topic for topic in all_topics}
        for name, topic in names.items():
            by_name.setdefault(name, []).append(topic)
    return by_name
