"""The verbs with which orders begin, and the words that stand for them, from a table a language.

A lexicon lists the further forms of each verb (`verbs`), the words that speak of one or several
kinds of order (`words`), and those that say nothing (`small`): docs/languages.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from engine.message import Message, Run, Said, joined_with_or
from engine.order import Order, UnreadableOrder
from engine.orders import ORDERS
from pbem.text.language import SOURCE, Language
from pbem.text.naming import (
    ALIKE,
    inflects,
    inflects_in_russian,
    meant_by,
    nearest_named,
    normal,
    runs_together,
)


class Verb(NamedTuple):
    """A verb that a text may begin with: its kind of order, and how many of the words it uses.

    `is_whole` says that every word of it is written out.
    """

    kind: type[Order]
    used: int
    is_whole: bool


def verbs_of(language: Language, words: Sequence[str]) -> list[Verb]:
    """Return the verbs that normalized words begin with, in the language or in English.

    One that is written out comes first, and then such as go on where it ends: `give`, but perhaps
    `give from reserve`. Else they are those that the words abbreviate.

    >>> [verb.kind.verb for verb in verbs_of(Language("en"), ["re", "militia"])]
    ['reinforce', 'reserve', 'retrieve', 'relieve', 'refill']
    """
    if not words:
        return []
    ways = [(kind, way) for kind in ORDERS.values() for way in ways_to_say(language, kind)]
    said = [_said(kind, way, words, str.startswith) for kind, way in ways]
    most = max((verb.used for verb in said if verb.is_whole), default=0)
    whole = [verb for verb in said if verb.is_whole and verb.used == most]
    if found := _longest([*whole, *(verb for verb in said if verb.used > most)]):
        return found
    if found := _longest(Verb(k, 1, False) for k, way in ways if runs_together(words[0], way)):
        return found
    inflected = (
        _said(*way, words, lambda way, word: inflects_in_russian(word, way)) for way in ways
    )
    return _longest(verb for verb in inflected if verb.used)


def begins_with_verb(language: Language, text: str) -> bool:
    """Return True if a text may be an order, for all that its beginning tells.

    >>> english = Language("en")
    >>> [begins_with_verb(english, text) for text in ("pass", "Sett", "Bela")]
    [True, True, False]
    """
    return bool(verbs_of(language, normal(text).split()))


def ways_to_say(language: Language, kind: type[Order]) -> list[str]:
    """Return every way to say a verb, normalized; that in which it is told first."""
    return _ways(language)[kind.verb]


# Every order that is typed is compared with all of them.
@cache
def _ways(language: Language) -> dict[str, list[str]]:
    further = language.lexicon.get("verbs", {})
    said = {
        kind: (language.say(kind.words()), *further.get(verb, ()), kind.english())
        for verb, kind in ORDERS.items()
    }
    return {kind.verb: [*dict.fromkeys(map(normal, ways))] for kind, ways in said.items()}


def _said(
    kind: type[Order], way: str, words: Sequence[str], fits: Callable[[str, str], bool]
) -> Verb:
    """Return how far words say a verb."""
    parts, used = way.split(), 0
    for part, word in zip(parts, words, strict=False):
        if not fits(part, word):
            break
        used += 1
    return Verb(kind, used, [*words[: len(parts)]] == parts)


def _longest(found: Iterable[Verb]) -> list[Verb]:
    """Return, of each kind of order, the verb that uses most words."""
    longest: dict[type[Order], Verb] = {}
    for verb in found:
        if verb.kind not in longest or verb.used > longest[verb.kind].used:
            longest[verb.kind] = verb
    return [*longest.values()]


# --- the words of the tables


class SmallWords(NamedTuple):
    """The words that say nothing in an order: in the language, and in English.

    Those in `joining` stand between names. A `number` says nothing before a word that is `counted`.
    """

    small: frozenset[str]
    joining: frozenset[str]
    number: frozenset[str]
    counted: frozenset[str]


@cache
def small_words(language: Language) -> SmallWords:
    """Return those of a language."""
    tables = [spoken.lexicon.get("small", {}) for spoken in (language, Language(SOURCE))]
    return SmallWords(
        *(
            frozenset(normal(word) for table in tables for word in table.get(what, "").split())
            for what in ("left-out", "joining", "number", "counted")
        )
    )


@cache
def kinds_meant(language: Language, word: str) -> frozenset[type[Order]]:
    """Return the kinds of order of which a normalized word speaks, with whatever ending.

    >>> sorted(kind.verb for kind in kinds_meant(Language("en"), "attack"))
    ['besiege', 'raid']
    """
    own, english = _spoken_of(language), _spoken_of(Language(SOURCE))
    found = own.get(word, frozenset()) | english.get(word, frozenset())
    if language.is_english or len(word) < _FEWEST:
        return found
    return found.union(*(own[known] for known in own if inflects(word, known)))


@cache
def _spoken_of(language: Language) -> dict[str, frozenset[type[Order]]]:
    """Return the kinds of which each word of a language speaks, in verbs and in the table."""
    found: defaultdict[str, set[type[Order]]] = defaultdict(set)
    for words, verbs in language.lexicon.get("words", {}).items():
        for word in words.split():
            found[normal(word)].update(ORDERS[verb] for verb in verbs.split())
    small = small_words(language)
    for kind in ORDERS.values():
        for word in {word for way in ways_to_say(language, kind) for word in way.split()}:
            if word not in small.small | small.joining:
                found[word].add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


# --- what is said of others


def no_order(word: str, meant: Sequence[Said]) -> UnreadableOrder:
    """Return the error that a word is no order, with what is offered for it."""
    return UnreadableOrder(Message("There is no order “{word}”.", word=word) + meant_by(meant))


def unknown_verb(language: Language, text: str) -> UnreadableOrder:
    """Return the error that a text begins with no verb, with those that are like its beginning."""
    word = first_word(text)
    ways = {way: kind for kind in ORDERS.values() for way in ways_to_say(language, kind)}
    if len(word) < _FEWEST:
        return no_order(word, [])
    # `takeboston` lacks a blank, but `trader` and `settlers` are mistyped.
    glued = [way for way in ways if word.startswith(way) and len(word) >= len(way) + _FEWEST]
    if glued:
        return no_order(word, [Run((ways[w].words(), word[len(w) :]), " ") for w in glued])
    # Different verbs have similar endings, but not similar beginnings.
    alike = {way: way for way in ways if way.startswith((word[0], word[1::-1]))}
    near = nearest_named(language, word, alike, ALIKE if len(word) == _FEWEST else _VERBS_ALIKE)
    return no_order(word, [*dict.fromkeys(ways[way].words() for way in near)])


_FEWEST = 3
"""How many letters a word has at least that is mistyped, or follows a verb without a blank."""
_VERBS_ALIKE = 0.74
"""How similar they are, 1 for the same: one wrong letter in four."""


def first_word(text: str) -> str:
    """Return the first word of a text as it was typed, in small letters, without other signs."""
    words = ("".join(c for c in word if c.isalnum()) for word in re.split(r"[\s_-]+", text))
    return next(filter(None, words), "").casefold()


def could_be(text: str, meant: Iterable[Said]) -> Message:
    """Return the sentence that a text could be one thing or another."""
    return Message("“{word}” could be {names}.", word=text, names=joined_with_or([*meant]))
