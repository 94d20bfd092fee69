"""Languages: each says messages in its words, and knows the names that may be typed in it.

A code, the locale of a system and what the terminal can show decide which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

from engine.message import Message, Speaker
from engine.value import Value
from pbem.foreign import clean
from pbem.text.inflection import REGULAR, Word, in_form, without_number

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
_NO_LOCALES = ("C", "POSIX")
_BEHIND_CODE = "[-_.@]"
"""What may follow the code of a language in the name of a locale begins so."""
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
        """Whether messages are said as they are written."""
        return self.code == SOURCE

    @property
    def thousands(self) -> str:
        """What stands between groups of three digits in a long number."""
        return _THOUSANDS.get(self.code, ",")

    @property
    def lexicon(self) -> Mapping[str, Any]:
        """What is known of single words: the tables of `lexicon.toml`; of English what is typed.

        `forms` are those that a name takes in a sentence, by the name (`#` stands for a number in
        it); `cards` the translations of printed names; `verbs` and `words` what may be typed.
        """
        return _lexicon(self.code)

    def translated(
        self, text: str, context: str | None, many: str | None, count: int | None
    ) -> str:
        """The text of a message; in English where nobody has translated it."""
        if self.is_english:
            return super().translated(text, context, many, count)
        words = _catalogue(self.code)
        if many is None or count is None:
            return words.gettext(text) if context is None else words.pgettext(context, text)
        if context is None:
            return words.ngettext(text, many, count)
        return words.npgettext(context, text, many, count)

    def fact(self, text: str) -> str:
        """A fact, of which a message may ask for another form: `{place:genitive}`."""
        return text if self.is_english else Word(text, self.form)

    def form(self, text: str, form: str) -> str:
        """A text in that form; as it is where nobody knows another one."""
        return in_form(text, form, self.lexicon.get("forms", {}), REGULAR.get(self.code, {}))

    def is_inflected(self, text: str) -> bool:
        """Whether the language has forms of that text, or the text is one of such forms."""
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
    code = re.split(_BEHIND_CODE, said.strip().lower(), maxsplit=1)[0]
    return code if code in NAMES else ""


def of_locale(variables: Mapping[str, str]) -> str:
    """The language of the locale; English for one that is not spoken here.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LC_ALL": "C", "LANG": "ru_RU"})
    ('fr', 'en')
    """
    locale = next((variables[name] for name in LOCALE_VARIABLES if variables.get(name)), "")
    several = "" if locale in _NO_LOCALES else variables.get("LANGUAGE", "")
    said = several.split(":") if several.strip(":") else [locale]
    return next(filter(None, map(language_of, said)), SOURCE)


def as_far_as_written(language: str, encoding: str) -> str:
    """That language, if it was not asked for explicitly; English if its letters are missing."""
    try:
        _LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return SOURCE
    return language


def not_spoken(said: str) -> Message:
    """That this is not a known language, and which ones are, as a sentence."""
    return Message(
        "acres does not speak “{language}”; it speaks: {languages}.",
        language=clean(said),
        languages=", ".join(f"{code} ({name})" for code, name in NAMES.items()),
    )
