"""The topics of the rules, in the project's own words: read from `topics`, found by their names."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.house_rules import house_rules
from engine.message import Message, mark_in
from engine.orders import ORDERS
from pbem.text.language import Language
from pbem.text.naming import ALIKE, VERY_ALIKE, meanings, nearest_names, normal

DATA = Path(__file__).parent / "topics"
_FILES = ("course", "expansion", "sieges", "attacks", "money", "cards", "playing")
"""A file for each group of topics, in their order."""
LISTS = {
    mark_in("topic", "editions"): "editions",
    mark_in("topic", "edition"): "editions",
    mark_in("topic", "house"): "house",
    mark_in("topic", "house rules"): "house",
}
"""What can be asked for beside the topics, by its words."""


class Topic(NamedTuple):
    """One thing that can be read about: `acres rules ID`.

    `group`, `title`, `text` and `also` are English, and put into words where they are told. `text`
    is what all editions have in common, in paragraphs. `verbs` are the orders that it explains,
    `examples` some of them in their notation, `also` other words to find it by. `flags` are those
    in which editions differ about it; `related` the ids of topics to read next; `section` the
    heading in docs/rules.md.
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
        """The ids of the house rules that change it: they name it in their data."""
        return tuple(rule.id for rule in house_rules().values() if self.id in rule.topics)

    @property
    def word(self) -> Message:
        """The word to ask for it by."""
        return Message.within("topic", self.id)

    @property
    def names(self) -> tuple[Message, ...]:
        """All words that it can be asked for by."""
        verbs = (ORDERS[verb].words() for verb in self.verbs)
        others = (Message.within("topic", word) for word in self.also)
        return (self.word, Message(self.title), *verbs, *others)


@cache
def topics() -> dict[str, Topic]:
    """Return all topics by id, in the order of their groups."""
    read = (tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8")) for name in _FILES)
    return {
        row["id"]: _topic(row | {"group": group["group"]})
        for group in read
        for row in group["topic"]
    }


def _topic(row: dict[str, Any]) -> Topic:
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    return Topic(**row | lists)


def index_facts() -> list[dict[str, str]]:
    """Return the titles of all topics."""
    return [{"id": each.id, "title": each.title, "group": each.group} for each in topics().values()]


def titles_by_word(language: Language) -> tuple[dict[str, str], dict[str, str]]:
    """Return the titles of all that can be asked for: by its word in a language, and in English."""
    english = {topic.id: language.say(Message(topic.title)) for topic in topics().values()}
    english |= dict.fromkeys(LISTS, "")
    spoken = {language.say(Message.within("topic", id)): title for id, title in english.items()}
    return spoken, english


# --- finding one


def find_list(language: Language, text: str) -> str:
    """Return which of the lists a text asks for, in English or not; empty for none."""
    wanted = normal(text)
    forms = ((word, normal(language.say(Message.within("topic", word)))) for word in LISTS)
    return next((LISTS[word] for word, spoken in forms if wanted in (word, spoken)), "")


def find_topics(language: Language, text: str) -> list[Topic]:
    """Return the topics that a text may mean; empty where it means none."""
    by_name = _topics_by_name(language)
    found = meanings(language, text, {name: name for name in by_name})
    return list(dict.fromkeys(topic for name in found for topic in by_name[name]))


def topics_near(language: Language, text: str) -> list[Message]:
    """Return the words for the topics that a mistyped text may mean."""
    by_name = _topics_by_name(language)
    # Half of all short words are as near to one of three letters as a slip.
    least = ALIKE if len(normal(text)) > 3 else VERY_ALIKE
    near = nearest_names(language, text, {name: name for name in by_name}, least)
    found = (topic.word for name in near for topic in by_name[name])
    return list(dict.fromkeys(found))


def _topics_by_name(language: Language) -> dict[str, list[Topic]]:
    """Return the topics by each word to ask for them, in English and in another language.

    In one language a word is that of a topic rather than another one for a second; what is a word
    for two topics in two languages stands for both.
    """
    every = list(topics().values())
    by_name: dict[str, list[Topic]] = {}
    for say in (str,) if language.is_english else (str, language.say):
        names = {say(name): topic for topic in every for name in reversed(topic.names)}
        names |= {say(topic.word): topic for topic in every}
        for name, topic in names.items():
            by_name.setdefault(name, []).append(topic)
    return by_name
