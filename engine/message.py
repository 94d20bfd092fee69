"""Something to say, as a value in no language.

A `Message` is a kind and its facts. The kind is its plain English, with the names of the facts in
braces; `str` puts them in. A `Speaker` says it in its own language: it looks up the kind and asks
the facts for their forms. Engine, proofs and files make messages; only code that faces a player
says them.

>>> siege = Message("{place} is under siege.", place=Message.within("location", "Boston"))
>>> str(siege)
'Boston is under siege.'
>>> siege == Message("{place} is under siege.", place=Message.within("location", "Boston"))
True
>>> str(Message.counted("{count} card", "{count} cards", 3))
'3 cards'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Never, Self, TypeAlias


class Speaker:
    """Says messages in one language: this class in English, the others derive from it."""

    @property
    def thousands(self) -> str:
        """The separator between groups of three digits in a long number."""
        return ","

    def translate(self, text: str, context: str | None, many: str | None, count: int | None) -> str:
        """The text of a message, in this language; of the two forms the one for that `count`."""
        return text if many is None or count == 1 else many

    def fact(self, text: str) -> str:
        """A fact, as it goes into the braces of a message."""
        return text

    def is_inflected(self, text: str) -> bool:
        """Whether the language has forms of that text, or the text is one of such forms.

        A person's name of that kind would change in a sentence, or read as the thing it names.
        """
        return False

    def say(self, what: Phrase) -> str:
        """A message in words; a text as it is."""
        return what if isinstance(what, str) else what.render(self)

    def number(self, number: int) -> str:
        """A number as it is written: from five digits on, in groups of three."""
        return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", self.thousands)


class Message:
    """Something to say: a kind, which is its English, and the facts in it.

    Facts are texts, numbers, or other messages. Messages of one kind with equal facts are equal.
    """

    __slots__ = ("_count", "_many", "context", "facts", "text")

    text: str
    facts: Mapping[str, object]
    context: str | None

    def __init__(self, text: str, /, **facts: object) -> None:
        self.text = text
        self.facts = facts
        self.context: str | None = None
        self._many: str | None = None
        self._count: int | None = None

    @classmethod
    def within(cls, context: str, text: str, /, **facts: object) -> Self:
        """A message that could mean something else in another context."""
        message = cls(text, **facts)
        message.context = context
        return message

    @classmethod
    def counted(cls, one: str, many: str, count: int, /, **facts: object) -> Self:
        """A message about a number of things, given as {count}."""
        message = cls(one, **{"count": count, **facts})
        message._many, message._count = many, count
        return message

    def about(self, **facts: object) -> Message:
        """The same kind with these facts, for messages that a table has without them."""
        message = Message(self.text, **{**self.facts, **facts})
        message.context, message._many, message._count = self.context, self._many, self._count
        return message

    def render(self, speaker: Speaker) -> str:
        """The message in the words of a speaker."""
        told = speaker.translate(self.text, self.context, self._many, self._count)
        if not self.facts:
            return told
        facts: dict[str, object] = {}
        for name, fact in self.facts.items():
            if isinstance(fact, Message):
                facts[name] = speaker.fact(fact.render(speaker))
            elif isinstance(fact, str):
                facts[name] = speaker.fact(fact)
            elif name == "count" and isinstance(fact, int):
                facts[name] = speaker.number(fact)
            elif isinstance(fact, BaseException):
                facts[name] = speaker.fact(speaker.say(message_of(fact)))
            else:
                facts[name] = fact
        return told.format_map(facts)

    def __str__(self) -> str:
        return self.render(ENGLISH)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self.text)

    def __format__(self, form: str) -> Never:
        # Put into an f-string it would be English, whatever the reader speaks.
        raise TypeError("a message is said before it is formatted, or is a fact of another one")

    def _kind(self) -> tuple[object, ...]:
        return (self.text, self.context, self._many, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (type(self), self._kind(), self.facts) == (type(other), other._kind(), other.facts)

    def __hash__(self) -> int:
        return hash(self._kind())

    def __add__(self, other: Phrase) -> Message:
        return Concat((self, other))

    def __radd__(self, other: str) -> Message:
        return Concat((other, self))


Phrase: TypeAlias = "Message | str"
"""What can be said: a message, or a text that is the same in every language."""


class Concat(Message):
    """Things said one after another, with `separator` between them; empty ones are skipped."""

    __slots__ = ("parts", "separator")

    def __init__(self, parts: Iterable[Phrase], separator: str = "") -> None:
        super().__init__("")
        self.parts = tuple(part for part in parts if part)
        self.separator = separator

    def render(self, speaker: Speaker) -> str:
        """All parts in the words of a speaker."""
        return self.separator.join(self.arranged([speaker.say(part) for part in self.parts]))

    def arranged(self, told: list[str]) -> list[str]:
        """The parts, in words, in the order in which they are said."""
        return told

    def __bool__(self) -> bool:
        return bool(self.parts)

    def _kind(self) -> tuple[object, ...]:
        return (*self.parts, self.separator)


class AlphabeticalList(Concat):
    """Things said in alphabetical order, which differs from language to language."""

    __slots__ = ()

    def arranged(self, told: list[str]) -> list[str]:
        """The parts in that order."""
        return sorted(told, key=sort_key)


class Rewording(Message):
    """Something made from the words of a message: `make` gets them."""

    __slots__ = ("make", "of")

    def __init__(self, make: Callable[[str], str], of: Phrase) -> None:
        super().__init__("")
        self.make = make
        self.of = of

    def render(self, speaker: Speaker) -> str:
        """What is made of it in the words of a speaker."""
        return self.make(speaker.say(self.of))

    def __bool__(self) -> bool:
        return bool(self.of)

    def _kind(self) -> tuple[object, ...]:
        return (self.make, self.of)


ENGLISH = Speaker()
NOTHING = Concat(())
"""The message that says nothing."""


class Failure(Exception):
    """What went wrong: a message, or the text of one and its facts.

    `IllegalOrder("{card} cannot ambush.", card=name)` is raised; `str` is plain English.
    """

    def __init__(self, what: Phrase, /, **facts: object) -> None:
        super().__init__(what if isinstance(what, Message) or not what else Message(what, **facts))

    @property
    def message(self) -> Phrase:
        """What it says, as a message."""
        return message_of(self)

    def __format__(self, form: str) -> str:
        # Put into an f-string it would be English, whatever the reader speaks.
        return format(self.message, form)


def message_of(error: BaseException) -> Phrase:
    """What an error says: the message it was raised with, if it was raised with one."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else str(error)


def mark(text: str) -> str:
    """The kind of a message that is made elsewhere, from a table: `Message(TABLE[what])`."""
    return text


def mark_in(context: str, text: str) -> str:
    """The same in that context."""
    return text


def sentences(*each: Phrase) -> Message:
    """Sentences in a row; empty ones are left out."""
    return Concat(each, " ")


def comma_list(things: Iterable[Phrase]) -> Message:
    """Things in a row, with commas between them; empty for none."""
    return Concat(things, ", ")


def and_list(things: Iterable[Phrase]) -> Message:
    """Things in a row: `Boston, Militia and Ships`; empty for none."""
    *first, last = [*things] or [""]
    if first:
        return Message("{first} and {last}", first=comma_list(first), last=last)
    return Concat((last,))


def or_list(things: Iterable[Phrase]) -> Message:
    """Alternatives: `Boston, Militia or Ships`; empty for none."""
    *first, last = [*things] or [""]
    if first:
        return Message("{first} or {last}", first=comma_list(first), last=last)
    return Concat((last,))


def semicolon_list(things: Iterable[Phrase]) -> Message:
    """Things that may have commas in them, in a row: `Boston, Militia; Ships`; empty for none."""
    first, *others = [*things] or [""]
    found: Message = Concat((first,))
    for thing in others:
        found = Message("{first}; {second}", first=found, second=thing)
    return found


def with_colon(label: Phrase) -> Message:
    """A label before what it names: `Your reserve:`."""
    # Translators: some languages have a space before the colon.
    return Message("{label}:", label=label)


def with_label(label: Phrase, value: Phrase) -> Message:
    """A value under its label, on one line: `money: 3`."""
    # Translators: a label and what stands behind it, such as "money: 3".
    return Message("{label}: {value}", label=label, value=value)


def sort_key(text: str) -> str:
    """What a text is sorted by: accents and capitals make no difference.

    >>> sorted(["Québec", "Gaspé", "québec a", "Port Royal"], key=sort_key)
    ['Gaspé', 'Port Royal', 'Québec', 'québec a']
    """
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
