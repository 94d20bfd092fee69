"""The forms that a name takes in a sentence, where a translation asks for one by its name.

`{place:genitive}` is looked up in the lexicon of the language, `{place:Genitive}` the same with a
capital letter. Where the lexicon does not know a name, French and Italian prepositions, and the
articles of Italian dates, follow from how it begins, Russian sets in quotes a word that has none,
and other names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from language.speaking import current
from language.tongues import lexicon

_NUMBER = re.compile(r"\d+(?:[,.\u00a0]\d{3})*")
"""A number, in groups of three digits where it is long."""
_VOWEL = re.compile(r"[aeiouhâàéèêîôûœ]", re.IGNORECASE)
_OTTO_UNDICI = re.compile(r"(0?8|11)\b")

_FRENCH: dict[str, Callable[[str], str]] = {
    "de": lambda name: f"d’{name}" if _VOWEL.match(name) else f"de {name}",
    "que": lambda name: f"qu’{name}" if _VOWEL.match(name) else f"que {name}",
    "à": lambda name: f"à {name}",
}
_ITALIAN: dict[str, Callable[[str], str]] = {
    "di": lambda name: f"di {name}",
    "da": lambda name: f"da {name}",
    "a": lambda name: f"ad {name}" if name[:1] in "aA" else f"a {name}",
    "e": lambda name: f"ed {name}" if name[:1] in "eE" else f"e {name}",
    "il": lambda date: f"l’{date}" if _OTTO_UNDICI.match(date) else f"il {date}",
    "dal": lambda date: f"dall’{date}" if _OTTO_UNDICI.match(date) else f"dal {date}",
}
_RUSSIAN: dict[str, Callable[[str], str]] = {
    "quoted": lambda word: word if word.startswith("«") else f"«{word}»",
}
_REGULAR = {"fr": _FRENCH, "it": _ITALIAN, "ru": _RUSSIAN}


class Word(str):
    """A name, or another text, that is put into a sentence."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        """The text in a form that the language spoken now has for it; empty for the usual one."""
        if not form:
            return str(self)
        wanted = form[0].lower() + form[1:]
        found = in_form(str(self), wanted, current())
        return found if wanted == form else found[:1].upper() + found[1:]


def is_inflected(text: str) -> bool:
    """Whether the language spoken now has forms of that text, or it is one of such forms.

    A name of somebody that is so would change in a sentence, or read as what is meant by it.
    """
    return _without_number(text).casefold() in _inflected(current())


@cache
def _inflected(language: str) -> frozenset[str]:
    forms = lexicon(language).get("forms", {})
    return frozenset(
        text.casefold() for name, others in forms.items() for text in (name, *others.values())
    )


def _without_number(text: str) -> str:
    return _NUMBER.sub("#", text, count=1)


def in_form(text: str, form: str, language: str) -> str:
    """A text in that form; as it is where nobody knows another one."""
    forms = lexicon(language).get("forms", {})
    if known := forms.get(text, {}).get(form):
        return str(known)
    if number := _NUMBER.search(text):
        counted = forms.get(_without_number(text), {}).get(form)
        if counted:
            return str(counted).replace("#", number[0])
    regular = _REGULAR.get(language, {}).get(form)
    return regular(text) if regular and text else text
