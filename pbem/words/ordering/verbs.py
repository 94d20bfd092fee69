"""The verbs with which orders begin, as players type them: in their language, or in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice

from engine.message import Message, Run, Said, joined_with_or
from engine.order import Order, UnreadableOrder
from engine.orders import ORDERS, Draft, Settle, Take
from engine.value import Value
from pbem.words.language import Language
from pbem.words.naming import (
    ALIKE,
    Matches,
    begins_word,
    inflects_in_russian,
    meant_by,
    nearest_named,
    normal,
    runs_together,
)


class Verb(Value):
    """A verb that a text may begin with: its kind of order, and what then follows the verb.

    `is_whole` says that every word of it is written out, `is_english` that it is not a verb in the
    player's language.
    """

    kind: type[Order]
    text: str
    words_used: int
    is_whole: bool
    is_english: bool = False

    @property
    def rest(self) -> str:
        """What follows the verb, as it was typed."""
        words = re.finditer(r"[^\s_-]+", self.text)
        ends = (word.end() for word in words if normal(word[0]))
        end = next(islice(ends, self.words_used - 1, None), len(self.text))
        return self.text[end:].strip(" \t-_")


class _Way(Value):
    """One way to say a verb, as it is compared."""

    kind: type[Order]
    said: str
    is_english: bool


def begins_with_verb(language: Language, text: str) -> bool:
    """Whether a text may be an order, for all that its beginning tells.

    >>> english = Language("en")
    >>> [begins_with_verb(english, text) for text in ("pass", "Sett", "Bela")]
    [True, True, False]
    """
    try:
        return bool(verbs_of(language, text))
    except UnreadableOrder:
        return False


def verbs_of(language: Language, head: str) -> list[Verb]:
    """The verbs that a text may begin with: one, or several that it abbreviates.

    One that is written out comes first, and then such as go on where it ends: `give`, but perhaps
    `give from reserve`. Two come first where one text is a verb in each of two languages. Raises
    UnreadableOrder for a text that begins with none.
    """
    words = normal(head).split()
    if not words:
        raise UnreadableOrder(
            "An order begins with what to do, such as {verb}, {other} or {another}.",
            verb=Settle.words(),
            other=Draft.words(),
            another=Take.words(),
        )
    verbs = _verbs(language)
    said = [_said(verb, head, words) for verb in verbs if verb.said.startswith(words[0])]
    most = max((verb.words_used for verb in said if verb.is_whole), default=0)
    whole = _each_kind(verb for verb in said if verb.is_whole and verb.words_used == most)
    found = whole + _each_kind(verb for verb in said if verb.words_used > most)
    if not found:
        together = (verb for verb in verbs if runs_together(words[0], verb.said))
        found = _each_kind(Verb(v.kind, head, 1, False, v.is_english) for v in together)
    if not found:
        inflected = [_said(verb, head, words, inflects_in_russian) for verb in verbs]
        found = _each_kind(said for said in inflected if said.words_used)
    if not found:
        raise no_order(first_word(head), _near(language, words[0], verbs))
    return found


# Every order that is typed is compared with all of them.
@cache
def _verbs(language: Language) -> tuple[_Way, ...]:
    """Every way to say each verb; those of the player's language first."""
    found = []
    further = {normal(verb): forms for verb, forms in language.lexicon.get("verbs", {}).items()}
    for kind in ORDERS.values():
        english = kind.english()
        spoken = dict.fromkeys(map(normal, (language.say(kind.words()), *further.get(english, ()))))
        found += [_Way(kind, said, False) for said in spoken]
        if english not in spoken:
            found.append(_Way(kind, english, True))
    return tuple(found)


def ways_to_say(language: Language, kind: type[Order]) -> list[str]:
    """Every way to say a verb, as it is compared; that in which it is told first."""
    return [verb.said for verb in _verbs(language) if verb.kind is kind]


def _said(verb: _Way, head: str, words: list[str], fits: Matches = begins_word) -> Verb:
    """How far the words of a text say a verb."""
    parts = verb.said.split()
    used = 0
    for word, part in zip(words, parts, strict=False):
        if not fits(word, part):
            break
        used += 1
    return Verb(verb.kind, head, used, words[: len(parts)] == parts, verb.is_english)


def _each_kind(found: Iterable[Verb]) -> list[Verb]:
    """Of each kind of order the verb that uses most words, and of those the first."""
    longest: dict[type[Order], Verb] = {}
    for said in found:
        if said.kind not in longest or said.words_used > longest[said.kind].words_used:
            longest[said.kind] = said
    return list(longest.values())


def no_order(word: str, meant: Sequence[Said]) -> UnreadableOrder:
    """That a word is no order, and what is offered for it: an error that is to be raised."""
    return UnreadableOrder(Message("There is no order “{word}”.", word=word) + meant_by(meant))


def _near(language: Language, word: str, verbs: Sequence[_Way]) -> list[Said]:
    """The verbs that are offered for a word which is none."""
    if len(word) < _FEWEST:
        return []
    # `takeboston` lacks a blank, but `trader` and `settlers` are mistyped.
    glued = [v for v in verbs if word.startswith(v.said) and len(word) >= len(v.said) + _FEWEST]
    if glued:
        return [Run((verb.kind.words(), word[len(verb.said) :]), " ") for verb in glued]
    # Different verbs have similar endings, but not similar beginnings.
    begins = (word[0], word[1::-1])
    kinds = {verb.said: verb.kind for verb in verbs if verb.said.startswith(begins)}
    least = ALIKE if len(word) == _FEWEST else _VERBS_ALIKE
    near = nearest_named(language, word, {said: said for said in kinds}, least)
    return list(dict.fromkeys(kinds[said].words() for said in near))


_FEWEST = 3
"""How many letters a word has at least that is mistyped, or follows a verb without a blank."""
_VERBS_ALIKE = 0.74
"""How similar they are, 1 for the same: one wrong letter in four."""


def first_word(text: str) -> str:
    """The first word of a text, as it was typed, in small letters and without other signs."""
    words = ("".join(c for c in word if c.isalnum()) for word in re.split(r"[\s_-]+", text))
    return next(filter(None, words), "").casefold()


def several(language: Language, said: Sequence[Verb]) -> UnreadableOrder:
    """That a text could begin with each of several verbs: an error that is to be raised."""
    # What is a verb in full in each of two languages, only both names of it make plain.
    told = [
        in_both(
            language.say(verb.kind.words()),
            verb.kind.english() if verb.is_whole or verb.is_english else "",
        )
        for verb in said
    ]
    return UnreadableOrder(could_be(first_word(said[0].text), joined_with_or(told)))


def could_be(text: str, meant: Said) -> Message:
    """That a text could be one thing or another, as a sentence."""
    return Message("“{word}” could be {names}.", word=text, names=meant)


def in_both(name: str, english: str) -> Said:
    """A name in the player's language, and what it is in English where that is told too."""
    if english in ("", name):
        return name
    # Translators: what a word can mean that is English; {english} is the English word.
    return Message("{name} (in English: {english})", name=name, english=english)
