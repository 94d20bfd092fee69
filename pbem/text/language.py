"""Languages: each says messages in its words, in lines, and knows what may be typed in it.

A code, the locale of a system and what the terminal can show decide which one is meant.

A translation may ask for a form of a name: `{place:genitive}` is looked up in the lexicon of the
language, `{place:Genitive}` the same with a capital letter. Where the lexicon does not know a name,
French and Italian prepositions, and the articles of Italian dates, follow from how it begins,
Russian sets in quotes a word that has none, and other names stay as they are.
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
    """How a line is meant."""

    PLAIN = "plain"
    HEAD = "head"
    GOOD = "good"
    FINE = "fine"
    BAD = "bad"


class Line(NamedTuple):
    """A paragraph, or an item indented by `indent` columns; one that `is_whole` is not broken.

    An empty one separates two that do not belong together. `label` comes before the text, whose
    further lines do not reach below it; labels that are `in_columns` all have the same width.
    """

    text: Phrase = ""
    tone: Tone = Tone.PLAIN
    indent: int = 0
    is_whole: bool = False
    label: Phrase = ""
    in_columns: bool = False


def item(text: Phrase, tone: Tone = Tone.PLAIN, indent: int = 2) -> Line:
    """Return a line of a list."""
    return Line(text, tone, indent)


def row(label: Phrase, text: Phrase) -> Line:
    """Return a line of a list in which all labels have the same width."""
    return Line(text, label=Concat(("  ", label, "  ")), in_columns=True)


# --- languages


NAMES = {"en": "English", "fr": "français", "it": "italiano", "ru": "русский"}
"""Every language by its code, with what it calls itself."""
SOURCE = "en"
"""The language in which messages are written."""
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "acres"
_THOUSANDS = {"en": ",", "fr": "\u00a0", "it": ".", "ru": "\u00a0"}
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that give the locale; the first that is set counts.

LANGUAGE goes before them and may name several, the best first; but not before a locale that asks
for the words as they are.
"""
_LETTERS = {"fr": "é", "it": "è", "ru": "яё"}
"""Letters that a terminal has to have for a language."""


class Language(Value, Speaker):
    """A language of `NAMES` by its code, such as `fr`.

    Raises OSError where its catalogue was not compiled.
    """

    code: str

    def __init__(self, code: str) -> None:
        super().__init__(code)
        if not self.is_english:
            _catalogue(self.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Language) and self.code == other.code

    def __hash__(self) -> int:
        # Names are looked up by their language, and a typed one is compared with all there are.
        return hash(self.code)

    @property
    def is_english(self) -> bool:
        """True if messages are said as they are written."""
        return self.code == SOURCE

    @property
    def thousands(self) -> str:
        """The separator between groups of three digits in a long number."""
        return _THOUSANDS.get(self.code, ",")

    @property
    def lexicon(self) -> Mapping[str, Any]:
        """The knowledge of single words: the tables of `lexicon.toml`; of English what is typed.

        `forms` are those that a name takes in a sentence, by the name (`#` stands for a number in
        it); `cards` the translations of printed names; `verbs` and `words` what may be typed.
        """
        return _lexicon(self.code)

    def translate(self, text: str, context: str | None, many: str | None, count: int | None) -> str:
        """Return the text of a message; in English where nobody has translated it."""
        if self.is_english:
            return super().translate(text, context, many, count)
        words = _catalogue(self.code)
        if many is None or count is None:
            return words.gettext(text) if context is None else words.pgettext(context, text)
        if context is None:
            return words.ngettext(text, many, count)
        return words.npgettext(context, text, many, count)

    def fact(self, text: str) -> str:
        """Return a fact, of which a message may ask for another form: `{place:genitive}`."""
        return text if self.is_english else InflectedName(text, self.form)

    def form(self, text: str, form: str) -> str:
        """Return a text in that form; as it is if nobody knows another one.

        Forms are in the lexicon, or follow from how names begin.
        """
        forms = self.lexicon.get("forms", {})
        if known := forms.get(text, {}).get(form):
            return str(known)
        if number := re.search(_NUMBER, text):
            counted = forms.get(without_number(text), {}).get(form)
            if counted:
                return str(counted).replace("#", number[0])
        make = REGULAR.get(self.code, {}).get(form)
        return make(text) if make and text else text

    def is_inflected(self, text: str) -> bool:
        """Return True if the language has forms of that text, or the text is one of such forms."""
        return without_number(text).casefold() in _inflected(self.code)


@cache
def _catalogue(code: str) -> NullTranslations:
    return translation(DOMAIN, LOCALE, [code])


@cache
def _lexicon(code: str) -> Mapping[str, Any]:
    # Imported lazily: a help needs no lexicon.
    import tomllib

    path = LOCALE / code / "lexicon.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _inflected(code: str) -> frozenset[str]:
    forms = _lexicon(code).get("forms", {})
    return frozenset(
        text.casefold() for name, others in forms.items() for text in (name, *others.values())
    )


# --- which one is meant


def language_of(said: str) -> str:
    """The language that a code means, or the name of a locale; empty for none that is spoken here.

    >>> language_of("fr"), language_of(" FR"), language_of("ru_RU.UTF-8"), language_of("french")
    ('fr', 'fr', 'ru', '')
    """
    # Behind the code, the name of a locale may have a territory, an encoding and a modifier.
    code = re.split("[-_.@]", said.strip().lower(), maxsplit=1)[0]
    return code if code in NAMES else ""


def language_of_locale(variables: Mapping[str, str]) -> str:
    """Return the language of the locale; English for one that is not spoken here.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LC_ALL": "C", "LANG": "ru_RU"})
    ('fr', 'en')
    """
    locale = next((variables[name] for name in LOCALE_VARIABLES if variables.get(name)), "")
    several = "" if locale in ("C", "POSIX") else variables.get("LANGUAGE", "")
    said = several.split(":") if several.strip(":") else [locale]
    return next(filter(None, map(language_of, said)), SOURCE)


def if_encodable(language: str, encoding: str) -> str:
    """That language, if it was not asked for explicitly; English if its letters are missing."""
    try:
        _LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return SOURCE
    return language


def unknown_language(said: str) -> Message:
    """Return that this is not a known language, and which ones are, as a sentence."""
    return Message(
        "acres does not speak “{language}”; it speaks: {languages}.",
        language=clean(said),
        languages=", ".join(f"{code} ({name})" for code, name in NAMES.items()),
    )


# --- the forms that a name takes in a sentence

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
    "quoted": lambda word: word if word.startswith("«") else f"«{word}»"
}
REGULAR = {"fr": _FRENCH, "it": _ITALIAN, "ru": _RUSSIAN}
"""The forms of a language that follow from the name itself."""


class InflectedName(str):
    """A name, or another text, that is put into a sentence; `form` gives a form of it."""

    __slots__ = ("_form",)

    _form: Callable[[str, str], str]

    def __new__(cls, text: str, form: Callable[[str, str], str]) -> InflectedName:
        """Return that text, of which `form` gives the forms."""
        word = super().__new__(cls, text)
        word._form = form
        return word

    def __format__(self, form: str) -> str:
        """Return the text in that form; as it is for an empty one."""
        if not form:
            return str(self)
        wanted = form[0].lower() + form[1:]
        found = self._form(str(self), wanted)
        return found if wanted == form else found[:1].upper() + found[1:]


def without_number(text: str) -> str:
    """Return a text with `#` in the place of its first number, as lexicons have it."""
    return re.sub(_NUMBER, "#", text, count=1)


# --- what was typed against what is offered


def extends(text: str, typed: str) -> bool:
    """Return True if a text begins as what was typed does.

    >>> begins("take Québec", "TAKE que"), begins("take Québec", "quebec")
    (True, False)
    """
    return fold(text).startswith(fold(typed))


def as_typed(text: str, typed: str) -> str:
    """Return the text with its beginning as it was typed: shells keep only what begins so.

    >>> as_typed("take Québec", "TAKE que")
    'TAKE quebec'
    """
    return typed + text[len(unicodedata.normalize("NFC", typed)) :]


def fold(text: str) -> str:
    """Return a text without case and accents, with as many characters as the composed text has."""
    return "".join(map(_fold, unicodedata.normalize("NFC", text)))


@cache
def _fold(character: str) -> str:
    if character == "’":
        return "'"
    plain = unicodedata.normalize("NFD", character)[0].casefold()
    return plain if len(plain) == 1 else character


def endings(named: Mapping[str, str], words: Iterable[str], typed: str) -> list[tuple[str, str]]:
    """Return how these names, each with a remark, go on after the words before and what is typed.

    >>> rests({"Fort Presqu'île": "", "Fort Duquesne": ""}, ["fort"], "P")
    [("Presqu'île", '')]
    """
    before = "".join(f"{word} " for word in words)
    found = {
        name[len(before) :]: remark
        for name, remark in sorted(named.items())
        if extends(name, before + typed)
    }
    return [(as_typed(rest, typed), remark) for rest, remark in found.items() if rest]
