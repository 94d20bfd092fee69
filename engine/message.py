"""Messages to players, as values that are independent of any language.

A `Message` has a text, which is plain English with names in braces, and facts for these names;
`str` returns the English sentence. A `Speaker` renders it in its own language: it looks up the text
and inflects the facts. The engine, the protocol and files only create messages; front ends render
them.

>>> siege = Message("{place} is under siege.", place=Message.within("location", "Boston"))
>>> str(siege)
'Boston is under siege.'
>>> siege == Message("{place} is under siege.", place=Message.within("location", "Boston"))
True
>>> str(Message.counted("{count} card", "{count} cards", 3))
'3 cards'
"""

from __future__ import annotations

import copyreg
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Never, Self, TypeAlias


class Speaker:
    """A language in which messages are rendered: English here, others in subclasses.

    >>> Speaker().say(Message("{side} win", side="The French"))
    'The French win'
    >>> Speaker().number(12345)
    '12,345'
    """

    @property
    def thousands(self) -> str:
        """The separator between groups of three digits in a long number."""
        return ","

    def translate(self, text: str, context: str | None, many: str | None, count: int | None) -> str:
        """Return a text in this language, in the form for `count` if it has a plural `many`.

        >>> ENGLISH.translate("{count} card", None, "{count} cards", 2)
        '{count} cards'
        """
        return text if many is None or count == 1 else many

    def fact(self, text: str) -> str:
        """Return a fact as it is inserted into a message."""
        return text

    def is_inflected(self, text: str) -> bool:
        """Return True if the language inflects the text, or if the text is an inflected form.

        A player's name that is also the name of a thing would be ambiguous.
        """
        return False

    def say(self, message: Phrase) -> str:
        """Return a message in words, and a string unchanged.

        >>> ENGLISH.say(Message("Boston")), ENGLISH.say("boston")
        ('Boston', 'boston')
        """
        return message if isinstance(message, str) else message.render(self)

    def number(self, number: int) -> str:
        """Return a number in digits, with groups if it has at least five digits."""
        return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", self.thousands)


class Message:
    """A sentence or phrase for players: an English text and the facts in it.

    Facts are strings, numbers or other messages. Messages with the same text and equal facts are
    equal.

    >>> Message("{place} was settled", place="Albany")
    Message('Albany was settled')
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
        """Return a message whose translation depends on a context.

        >>> Message.within("symbol", "ship")
        Message('ship')
        """
        message = cls(text, **facts)
        message.context = context
        return message

    @classmethod
    def counted(cls, one: str, many: str, count: int, /, **facts: object) -> Self:
        """Return a message about a number of things, with singular and plural texts.

        >>> [str(Message.counted("{count} town", "{count} towns", number)) for number in (1, 2)]
        ['1 town', '2 towns']
        """
        message = cls(one, **{"count": count, **facts})
        message._many, message._count = many, count
        return message

    def with_facts(self, **facts: object) -> Message:
        """Return a copy with `facts` added, for messages that come from a table.

        >>> Message("{side} win").with_facts(side="The French")
        Message('The French win')
        """
        message = Message(self.text, **{**self.facts, **facts})
        message.context, message._many, message._count = self.context, self._many, self._count
        return message

    def render(self, speaker: Speaker) -> str:
        """Return the message in the words of a speaker.

        >>> Message("Boston").render(ENGLISH)
        'Boston'
        """
        text = speaker.translate(self.text, self.context, self._many, self._count)
        if not self.facts:
            return text
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
        return text.format_map(facts)

    def __str__(self) -> str:
        return self.render(ENGLISH)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self.text)

    def __format__(self, form: str) -> Never:
        # An f-string would render it in English regardless of the reader's language.
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
"""A message, or a string that is not translated."""


class Concat(Message):
    """Messages joined into one, with `separator` between them; empty parts are skipped.

    >>> str(Concat(("Boston", "", "Quebec"), " or "))
    'Boston or Quebec'
    """

    __slots__ = ("parts", "separator")

    def __init__(self, parts: Iterable[Phrase], separator: str = "") -> None:
        super().__init__("")
        self.parts = tuple(part for part in parts if part)
        self.separator = separator

    def render(self, speaker: Speaker) -> str:
        """Return all parts in the words of a speaker."""
        return self.separator.join(self.arrange([speaker.say(part) for part in self.parts]))

    def arrange(self, texts: list[str]) -> list[str]:
        """Return the rendered parts, in the order of joining."""
        return texts

    def __bool__(self) -> bool:
        return bool(self.parts)

    def _kind(self) -> tuple[object, ...]:
        return (*self.parts, self.separator)


class AlphabeticalList(Concat):
    """Messages joined in alphabetical order, which differs between languages.

    >>> str(AlphabeticalList(["Ships", "Militia"], ", "))
    'Militia, Ships'
    """

    __slots__ = ()

    def arrange(self, texts: list[str]) -> list[str]:
        """Return the rendered parts sorted."""
        return sorted(texts, key=sort_key)


class Rewording(Message):
    """A message whose rendered text is passed through a function.

    >>> str(Rewording(str.upper, Message("boston")))
    'BOSTON'
    """

    __slots__ = ("phrase", "reword")

    def __init__(self, reword: Callable[[str], str], phrase: Phrase) -> None:
        super().__init__("")
        self.reword = reword
        self.phrase = phrase

    def render(self, speaker: Speaker) -> str:
        """Return the reworded text in the words of a speaker."""
        return self.reword(speaker.say(self.phrase))

    def __bool__(self) -> bool:
        return bool(self.phrase)

    def _kind(self) -> tuple[object, ...]:
        return (self.reword, self.phrase)


ENGLISH = Speaker()
NOTHING = Concat(())
"""The empty message."""


class TranslatableError(Exception):
    """The base of errors whose message, a `Message` or a text with its facts, is translated.

    >>> str(TranslatableError("{card} cannot ambush.", card="Militia"))
    'Militia cannot ambush.'
    """

    def __init__(self, text: Phrase, /, **facts: object) -> None:
        super().__init__(text if isinstance(text, Message) or not text else Message(text, **facts))

    def __reduce__(self) -> tuple[object, ...]:
        # The constructors of derived classes take other arguments.
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]

    @property
    def message(self) -> Phrase:
        """The message of the error."""
        return message_of(self)

    def __format__(self, form: str) -> str:
        # Raises TypeError, as `Message` does.
        return format(self.message, form)


def message_of(error: BaseException) -> Phrase:
    """Return the message of an error, or its text if it has none.

    >>> message_of(TranslatableError("The game is over."))
    Message('The game is over.')
    >>> message_of(OSError("disk full"))
    'disk full'
    """
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Message) else str(error)


def mark(text: str) -> str:
    """Return a text unchanged; the call marks it for translation: `Message(TABLE[key])`.

    >>> mark("{place} was settled")
    '{place} was settled'
    """
    return text


def mark_in(context: str, text: str) -> str:
    """Return a text like `mark`, for messages within a context.

    >>> mark_in("decision", "turn")
    'turn'
    """
    return text


def sentences(*parts: Phrase) -> Message:
    """Return sentences joined by spaces; empty sentences are skipped.

    >>> str(sentences("The game is over.", "", "The French won."))
    'The game is over. The French won.'
    """
    return Concat(parts, " ")


def comma_list(things: Iterable[Phrase]) -> Message:
    """Return things separated by commas, or an empty message.

    >>> str(comma_list(["Boston", "Militia", "Ships"]))
    'Boston, Militia, Ships'
    """
    return Concat(things, ", ")


def and_list(things: Iterable[Phrase]) -> Message:
    """Return things as a list with “and”, or an empty message.

    >>> str(and_list(["Boston", "Militia", "Ships"]))
    'Boston, Militia and Ships'
    """
    *first, last = [*things] or [""]
    if first:
        return Message("{first} and {last}", first=comma_list(first), last=last)
    return Concat((last,))


def or_list(things: Iterable[Phrase]) -> Message:
    """Return alternatives as a list with “or”, or an empty message.

    >>> str(or_list(["Boston", "Militia", "Ships"]))
    'Boston, Militia or Ships'
    """
    *first, last = [*things] or [""]
    if first:
        return Message("{first} or {last}", first=comma_list(first), last=last)
    return Concat((last,))


def semicolon_list(things: Iterable[Phrase]) -> Message:
    """Return things, which may contain commas, separated by semicolons, or an empty message.

    >>> str(semicolon_list(["Boston, Militia", "Ships"]))
    'Boston, Militia; Ships'
    """
    first, *others = [*things] or [""]
    series: Message = Concat((first,))
    for thing in others:
        series = Message("{first}; {second}", first=series, second=thing)
    return series


def with_colon(label: Phrase) -> Message:
    """Return a label followed by a colon.

    >>> str(with_colon("Your reserve"))
    'Your reserve:'
    """
    # Translators: some languages have a space before the colon.
    return Message("{label}:", label=label)


def with_label(label: Phrase, value: Phrase) -> Message:
    """Return a value after its label, on one line.

    >>> str(with_label("money", "3"))
    'money: 3'
    """
    # Translators: a label and its value, for example "money: 3".
    return Message("{label}: {value}", label=label, value=value)


def sort_key(text: str) -> str:
    """Return the key for sorting texts, which ignores accents and case.

    >>> sorted(["Québec", "Gaspé", "québec a", "Port Royal"], key=sort_key)
    ['Gaspé', 'Port Royal', 'Québec', 'québec a']
    """
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
