"""Languages: each translates messages, prints numbers, and knows the words that may be typed.

The language is chosen by a code or by the locale, if the terminal can show its letters.

A translation may ask for a form of a name: `{place:genitive}` is looked up in the lexicon of the
language; `{place:Genitive}` is the same with a capital letter. If the lexicon does not have the
name, French and Italian prepositions, and the articles of Italian dates, follow from its first
letters; Russian puts a name without forms in quotes; other names stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any, NamedTuple

from engine.message import Concat, Message, Phrase, Speaker
from engine.value import Value
from pbem.foreign import clean

# --- lines


class Tone(Enum):
    """The purpose of a line, which decides its colour."""

    PLAIN = "plain"
    HEAD = "head"
    GOOD = "good"
    FINE = "fine"
    BAD = "bad"


class Line(NamedTuple):
    """A paragraph, or an item indented by `indent` columns; if `is_whole`, it is never wrapped.

    An empty line separates groups. `label` comes before the text, and wrapped text is indented by
    its width; labels with `in_columns` are padded to the same width.
    """

    text: Phrase = ""
    tone: Tone = Tone.PLAIN
    indent: int = 0
    is_whole: bool = False
    label: Phrase = ""
    in_columns: bool = False


def item(text: Phrase, tone: Tone = Tone.PLAIN, indent: int = 2) -> Line:
    """Return a list item."""
    return Line(text, tone, indent)


def row(label: Phrase, text: Phrase) -> Line:
    """Return a list item whose label is padded to the width of the others."""
    return Line(text, label=Concat(("  ", label, "  ")), in_columns=True)


# --- languages


NAMES = {"en": "English", "fr": "français", "it": "italiano", "ru": "русский"}
"""The name of every language in the language itself, by code."""
SOURCE = "en"
"""The language in which messages are written."""
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "acres"
_THOUSANDS_SEPARATORS = {"en": ",", "fr": "\u00a0", "it": ".", "ru": "\u00a0"}
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables of the locale; the first one that is set is used.

LANGUAGE comes before them and may name several languages, the best first, unless the locale is C or
POSIX.
"""
_REQUIRED_LETTERS = {"fr": "é", "it": "è", "ru": "яё"}
"""Letters that a terminal must be able to show for a language."""


class Language(Value, Speaker):
    """A language of `NAMES` by its code, such as `fr`.

    Raises OSError if its catalogue was not compiled.
    """

    code: str

    def __init__(self, code: str) -> None:
        super().__init__(code)
        if not self.is_english:
            _catalogue(self.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Language) and self.code == other.code

    def __hash__(self) -> int:
        # The default hash is slow, and each typed name is compared with all names of a language.
        return hash(self.code)

    @property
    def is_english(self) -> bool:
        """True if messages need no translation."""
        return self.code == SOURCE

    @property
    def thousands(self) -> str:
        """The separator between groups of three digits in a long number."""
        return _THOUSANDS_SEPARATORS.get(self.code, ",")

    @property
    def lexicon(self) -> Mapping[str, Any]:
        """The tables of the language's `lexicon.toml`; for English, only words that may be typed.

        `forms` has the inflected forms of names (with `#` in place of a number); `cards` the
        translations of printed names; `verbs` and `words` the words that may be typed.
        """
        return _lexicon(self.code)

    def translate(self, text: str, context: str | None, many: str | None, count: int | None) -> str:
        """Return the translation of a message; the English text if there is none."""
        if self.is_english:
            return super().translate(text, context, many, count)
        words = _catalogue(self.code)
        if many is None or count is None:
            return words.gettext(text) if context is None else words.pgettext(context, text)
        if context is None:
            return words.ngettext(text, many, count)
        return words.npgettext(context, text, many, count)

    def fact(self, text: str) -> str:
        """Return a fact as a text that has forms: a message may ask for `{place:genitive}`."""
        return text if self.is_english else InflectedName(text, self.form)

    def form(self, text: str, form: str) -> str:
        """Return the inflected form `form` of a text, or the text unchanged if there is none."""
        forms = self.lexicon.get("forms", {})
        if irregular := forms.get(text, {}).get(form):
            return str(irregular)
        if number := re.search(_NUMBER, text):
            counted = forms.get(without_number(text), {}).get(form)
            if counted:
                return str(counted).replace("#", number[0])
        make = FORM_RULES.get(self.code, {}).get(form)
        return make(text) if make and text else text

    def is_inflected(self, text: str) -> bool:
        """Return True if the lexicon has the text, as a name with forms or as an inflected form."""
        return without_number(text).casefold() in _inflected(self.code)


@cache
def _catalogue(code: str) -> NullTranslations:
    return translation(DOMAIN, LOCALE, [code])


@cache
def _lexicon(code: str) -> Mapping[str, Any]:
    # Imported lazily: most commands need no lexicon.
    import tomllib

    path = LOCALE / code / "lexicon.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _inflected(code: str) -> frozenset[str]:
    forms = _lexicon(code).get("forms", {})
    return frozenset(
        text.casefold() for name, others in forms.items() for text in (name, *others.values())
    )


# --- the choice of a language


def language_of(name: str) -> str:
    """Return the language of a code or locale name, or an empty text for an unknown language.

    >>> language_of("fr"), language_of(" FR"), language_of("ru_RU.UTF-8"), language_of("french")
    ('fr', 'fr', 'ru', '')
    """
    # After the code, a locale's name may have a territory, an encoding and a modifier.
    code = re.split("[-_.@]", name.strip().lower(), maxsplit=1)[0]
    return code if code in NAMES else ""


def language_of_locale(variables: Mapping[str, str]) -> str:
    """Return the language of the environment's locale; English for an unknown language.

    >>> language_of_locale({"LANG": "fr_CA.UTF-8"})
    'fr'
    >>> language_of_locale({"LC_ALL": "C", "LANG": "ru_RU"})
    'en'
    """
    locale = next((variables[name] for name in LOCALE_VARIABLES if variables.get(name)), "")
    list_of_languages = "" if locale in ("C", "POSIX") else variables.get("LANGUAGE", "")
    names = list_of_languages.split(":") if list_of_languages.strip(":") else [locale]
    return next(filter(None, map(language_of, names)), SOURCE)


def encodable_language(language: str, encoding: str) -> str:
    """Return the language if the encoding has its letters; else English.

    >>> encodable_language("ru", "koi8-r"), encodable_language("ru", "latin-1")
    ('ru', 'en')
    """
    try:
        _REQUIRED_LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return SOURCE
    return language


def unknown_language_notice(text: str) -> Message:
    """Return a notice that a language is unknown, with a list of the known languages."""
    return Message(
        "acres does not speak “{language}”; it speaks: {languages}.",
        language=clean(text),
        languages=", ".join(f"{code} ({name})" for code, name in NAMES.items()),
    )


# --- inflected names

_NUMBER = r"\d+(?:[,.\u00a0]\d{3})*"
"""A pattern for a number; long ones have groups of three digits."""
_ELIDED_NAME = (
    r"(?i)[aeiouâàéèêîôûœ]"
    r"|h(?:[eé]l[eèo]|enri|ubert|ugue|ugo|onor|ortens|ippoly|yacinthe|ervé|ector|ermin|adrien)"
)
"""A pattern for the beginning of names before which French elides: a vowel or a silent h."""
_ELIDED_DATE = r"(0?8|11)\b"

_FRENCH: dict[str, Callable[[str], str]] = {
    "de": lambda name: f"d’{name}" if re.match(_ELIDED_NAME, name) else f"de {name}",
    "que": lambda name: f"qu’{name}" if re.match(_ELIDED_NAME, name) else f"que {name}",
    "à": lambda name: f"à {name}",
}
_ITALIAN: dict[str, Callable[[str], str]] = {
    "di": lambda name: f"di {name}",
    "da": lambda name: f"da {name}",
    "a": lambda name: f"ad {name}" if name[:1] in "aA" else f"a {name}",
    "e": lambda name: f"ed {name}" if name[:1] in "eE" else f"e {name}",
    "il": lambda date: f"l’{date}" if re.match(_ELIDED_DATE, date) else f"il {date}",
    "dal": lambda date: f"dall’{date}" if re.match(_ELIDED_DATE, date) else f"dal {date}",
}
_RUSSIAN: dict[str, Callable[[str], str]] = {
    "quoted": lambda word: word if word.startswith("«") else f"«{word}»"
}
FORM_RULES = {"fr": _FRENCH, "it": _ITALIAN, "ru": _RUSSIAN}
"""The forms of a language that can be made from the name itself."""


class InflectedName(str):
    """A name, or another text, in a sentence; a format specification selects a form of it."""

    __slots__ = ("_form",)

    _form: Callable[[str, str], str]

    def __new__(cls, text: str, form: Callable[[str, str], str]) -> InflectedName:
        """Return `text` as a name, whose inflected forms the function `form` returns."""
        word = super().__new__(cls, text)
        word._form = form
        return word

    def __format__(self, form: str) -> str:
        """Return the inflected form `form` of the text; unchanged if `form` is empty."""
        if not form:
            return str(self)
        name = form[0].lower() + form[1:]
        result = self._form(str(self), name)
        return result if name == form else result[:1].upper() + result[1:]


def without_number(text: str) -> str:
    """Return a text with `#` in place of its first number, as in lexicons."""
    return re.sub(_NUMBER, "#", text, count=1)


# --- comparison of typed texts


def has_prefix(text: str, typed: str) -> bool:
    """Return True if a text begins with the typed one, regardless of case and accents.

    >>> has_prefix("take Québec", "TAKE que"), has_prefix("take Québec", "quebec")
    (True, False)
    """
    return fold(text).startswith(fold(typed))


def adapt_prefix(text: str, typed: str) -> str:
    """Return a completion that begins exactly as typed, since shells discard all others.

    >>> adapt_prefix("take Québec", "TAKE que")
    'TAKE quebec'
    """
    return typed + text[len(unicodedata.normalize("NFC", typed)) :]


def fold(text: str) -> str:
    """Return a text without case and accents; its length is the length of the composed text."""
    return "".join(map(_fold, unicodedata.normalize("NFC", text)))


@cache
def _fold(character: str) -> str:
    if character == "’":
        return "'"
    plain = unicodedata.normalize("NFD", character)[0].casefold()
    return plain if len(plain) == 1 else character


def endings(names: Mapping[str, str], words: Iterable[str], typed: str) -> list[tuple[str, str]]:
    """Return the endings of names that begin with `words` and the typed text, with their remarks.

    >>> endings({"Fort Presqu'île": "", "Fort Duquesne": ""}, ["fort"], "P")
    [("Presqu'île", '')]
    """
    beginning = "".join(f"{word} " for word in words)
    matches = {
        name[len(beginning) :]: remark
        for name, remark in sorted(names.items())
        if has_prefix(name, beginning + typed)
    }
    return [(adapt_prefix(rest, typed), remark) for rest, remark in matches.items() if rest]
