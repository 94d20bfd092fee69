"""Which languages there are, and what each needs beside its catalogue: `locale/LANGUAGE`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = {"en": "English", "fr": "français", "it": "italiano", "ru": "русский"}
"""Every language by its code, with what it calls itself."""
THOUSANDS = {"en": ",", "fr": "\u00a0", "it": ".", "ru": "\u00a0"}
"""What stands between groups of three digits in a long number."""
SOURCE = "en"
"""The language in which the messages are written."""
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "acres"


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language other than English; raises OSError where it was not compiled."""
    # Imported here: who plays in English needs none of it.
    from gettext import translation

    return translation(DOMAIN, LOCALE, [language])


@cache
def lexicon(language: str) -> dict[str, Any]:
    """What is known of single words: the tables of `lexicon.toml`; none for English.

    `forms` are those that a name takes in a sentence, by the name (`#` stands for a number in it);
    `cards` the translations of printed names; `verbs` and `words` what may be typed.
    """
    import tomllib

    path = LOCALE / language / "lexicon.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
