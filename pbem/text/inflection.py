"""The forms that a name takes in a sentence, where a translation asks for one by its name.

`{place:genitive}` is looked up in the lexicon of the language, `{place:Genitive}` the same with a
capital letter. Where the lexicon does not know a name, French and Italian prepositions, and the
articles of Italian dates, follow from how it begins, Russian sets in quotes a word that has none,
and other names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_NUMBER = r"\d+(?:[,.\u00a0]\d{3})*"
"""A number, in groups of three digits where it is long."""
_ELIDES = (
    r"(?i)[aeiouâàéèêîôûœ]"
    r"|h(?:[eé]l[eèo]|enri|ubert|ugue|ugo|onor|ortens|ippoly|yacinthe|ervé|ector|ermin|adrien)"
)
"""Where French elides: before a vowel, and before the silent h of French names alone."""
_OTTO_UNDICI = r"(0?8|11)\b"

_FRENCH: dict[str, Callable[[str], str]] = {
    "de": lambda name: f"d’{name}" if re.match(_ELIDES, name) else f"de {name}",
    "que": lambda name: f"qu’{name}" if re.match(_ELIDES, name) else f"que {name}",
    "à": lambda name: f"à {name}",
}
_ITALIAN: dict[str, Callable[[str], str]] = {
    "di": lambda name: f"di {name}",
    "da": lambda name: f"da {name}",
    "a": lambda name: f"ad {name}" if name[:1] in "aA" else f"a {name}",
    "e": lambda name: f"ed {name}" if name[:1] in "eE" else f"e {name}",
    "il": lambda date: f"l’{date}" if re.match(_OTTO_UNDICI, date) else f"il {date}",
    "dal": lambda date: f"dall’{date}" if re.match(_OTTO_UNDICI, date) else f"dal {date}",
}
_RUSSIAN: dict[str, Callable[[str], str]] = {
    "quoted": lambda word: word if word.startswith("«") else f"«{word}»",
}
REGULAR = {"fr": _FRENCH, "it": _ITALIAN, "ru": _RUSSIAN}
"""The forms of a language that follow from the name itself."""


class Word(str):
    """A name, or another text, that is put into a sentence; `form` gives a form of it."""

    __slots__ = ("_form",)

    _form: Callable[[str, str], str]

    def __new__(cls, text: str, form: Callable[[str, str], str]) -> Word:
        """That text, of which `form` gives the forms."""
        word = super().__new__(cls, text)
        word._form = form
        return word

    def __format__(self, form: str) -> str:
        """The text in that form; as it is for an empty one."""
        if not form:
            return str(self)
        wanted = form[0].lower() + form[1:]
        found = self._form(str(self), wanted)
        return found if wanted == form else found[:1].upper() + found[1:]


def in_form(
    text: str,
    form: str,
    forms: Mapping[str, Mapping[str, str]],
    regular: Mapping[str, Callable[[str], str]],
) -> str:
    """A text in that form, of those in a lexicon and those that follow from how names begin."""
    if known := forms.get(text, {}).get(form):
        return known
    if number := re.search(_NUMBER, text):
        counted = forms.get(without_number(text), {}).get(form)
        if counted:
            return counted.replace("#", number[0])
    make = regular.get(form)
    return make(text) if make and text else text


def without_number(text: str) -> str:
    """A text with `#` in the place of its first number, as lexicons have it."""
    return re.sub(_NUMBER, "#", text, count=1)
