"""Which language is meant: by its code, by the locale of a system, by what can be written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.message import Message
from pbem.foreign import clean
from pbem.words.language import NAMES, SOURCE

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What says the locale, the first that is set.

LANGUAGE goes before them and may name several, the best first; but not before a locale that asks
for the words as they are.
"""
_NO_LOCALES = ("C", "POSIX")
_BEHIND_CODE = re.compile("[-_.@]")
"""What may follow the code of a language in the name of a locale begins so."""
_LETTERS = {"fr": "é", "it": "è", "ru": "яё"}
"""Letters that a terminal has to have for a language."""


def language_of(said: str) -> str:
    """The language that a code means, or the name of a locale; empty for none that is spoken here.

    >>> language_of("fr"), language_of(" FR"), language_of("ru_RU.UTF-8"), language_of("french")
    ('fr', 'fr', 'ru', '')
    """
    code = _BEHIND_CODE.split(said.strip().lower(), maxsplit=1)[0]
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
    """That language, which nobody asked for with every command; English without its letters."""
    try:
        _LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return SOURCE
    return language


def not_spoken(said: str) -> Message:
    """That nobody here speaks what was said, but which languages, as a sentence."""
    return Message(
        "“{language}” is not spoken here, but {languages}.",
        language=clean(said),
        languages=", ".join(f"{code} ({name})" for code, name in NAMES.items()),
    )
