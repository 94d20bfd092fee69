"""What a topic of the rules is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.message import Message
from engine.orders import ORDERS


class Group(StrEnum):
    """The parts into which the topics are sorted, by their headings."""

    COURSE = "The course of the game"
    EXPANSION = "Expansion"
    SIEGES = "Sieges"
    ATTACKS = "Raids and ambushes"
    MONEY = "Money"
    CARDS = "Cards"
    PLAYING = "Playing by e-mail"


@dataclass(frozen=True)
class Topic:
    """One thing that can be read about: `acres rules ID`.

    `title`, `text` and `also` are English, and put into words where they are told. `text` is what
    all editions have in common, in paragraphs. `verbs` are the orders that it explains, `examples`
    some of them in their notation, `also` other words to find it by. `flags` are those of
    a ruleset that change it, `house_rules` the ids of the rules that do; `related` the ids of
    topics to read next; `section` the heading in docs/rules.md.
    """

    id: str
    title: str
    group: Group
    text: tuple[str, ...]
    section: str
    verbs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    house_rules: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def word(self) -> Message:
        """The word to ask for it by."""
        return Message.within("topic", self.id)

    @property
    def names(self) -> tuple[str, ...]:
        """All words that it can be asked for by, in English."""
        verbs = (verb.replace("-", " ") for verb in self.verbs)
        return (self.id, self.title, *verbs, *self.also)

    @property
    def spoken_names(self) -> tuple[Message, ...]:
        """The same in any language."""
        verbs = (ORDERS[verb].words() for verb in self.verbs)
        others = (Message.within("topic", word) for word in self.also)
        return (self.word, Message(self.title), *verbs, *others)
