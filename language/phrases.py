"""Messages, put into the words of the language that is spoken now.

A message is a whole sentence, or a whole phrase, with names in braces for what differs:
`phrase("{place} is under siege.", place=...)`. A translation may ask for another form of a name,
`{place:genitive}`; `language.forms` finds it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from language.speaking import current, words_spoken
from language.tongues import THOUSANDS


def mark(message: str) -> str:
    """The message itself, which is put into words elsewhere: `phrase(TABLE[what])`."""
    return message


def mark_in(context: str, message: str) -> str:
    """The message itself, which is put into words elsewhere, in that context."""
    return message


def phrase(message: str, /, **values: object) -> str:
    """A message in words.

    >>> phrase("{place} is under siege.", place="Boston")
    'Boston is under siege.'
    """
    words = words_spoken()
    return _filled(message if words is None else words.gettext(message), values)


def phrase_in(context: str, message: str, /, **values: object) -> str:
    """A message in words, where it could mean something else in another context."""
    words = words_spoken()
    told = message if words is None else words.pgettext(context, message)
    return _filled(told, values)


def plural(one: str, many: str, count: int, /, **values: object) -> str:
    """A message about a number of things, which it has as {count}.

    >>> plural("{count} card", "{count} cards", 3), plural("{count} card", "{count} cards", 12500)
    ('3 cards', '12,500 cards')
    """
    words = words_spoken()
    told = words.ngettext(one, many, count) if words else one if count == 1 else many
    return _filled(told, {"count": _grouped(count), **values})


def plural_in(context: str, one: str, many: str, count: int, /, **values: object) -> str:
    """The same, where it could mean something else in another context."""
    words = words_spoken()
    told = words.npgettext(context, one, many, count) if words else one if count == 1 else many
    return _filled(told, {"count": _grouped(count), **values})


def _grouped(number: int) -> str:
    """A number of things as it is written: from five digits on in groups of three."""
    if abs(number) < 10_000:
        return str(number)
    return f"{number:,}".replace(",", THOUSANDS.get(current(), ","))


def joined_with_and(things: Iterable[str]) -> str:
    """Things in a row: `Boston, Militia and Ships`; empty for none."""
    *first, last = [*things] or [""]
    return phrase("{first} and {last}", first=", ".join(first), last=last) if first else last


def joined_with_or(things: Iterable[str]) -> str:
    """Things of which it is one: `Boston, Militia or Ships`; empty for none."""
    *first, last = [*things] or [""]
    return phrase("{first} or {last}", first=", ".join(first), last=last) if first else last


def joined_with_semicolons(things: Iterable[str]) -> str:
    """Things that may have commas in them, in a row: `Boston, Militia; Ships`; empty for none."""
    first, *others = [*things] or [""]
    for thing in others:
        first = phrase("{first}; {second}", first=first, second=thing)
    return first


def with_colon(label: str) -> str:
    """A label before what it is of: `Your reserve:`."""
    # Translators: some languages have a space before the colon.
    return phrase("{label}:", label=label)


def labelled(label: str, value: str) -> str:
    """A value under its label, on one line: `money: 3`."""
    # Translators: a label and what stands behind it, such as "money: 3".
    return phrase("{label}: {value}", label=label, value=value)


def _filled(told: str, values: Mapping[str, object]) -> str:
    if not values:
        return told
    if words_spoken() is None:
        return told.format_map(values)
    from language.forms import Word

    words = {k: Word(v) if isinstance(v, str) else v for k, v in values.items()}
    return told.format_map(words)


def alphabetical(text: str) -> str:
    """What a text is sorted by: accents and capitals make no difference.

    >>> sorted(["Québec", "Gaspé", "québec a", "Port Royal"], key=alphabetical)
    ['Gaspé', 'Port Royal', 'Québec', 'québec a']
    """
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
