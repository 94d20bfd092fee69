"""Languages: each says messages in its words, and knows the names that may be typed in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

from engine.message import Speaker
from pbem.words.forms import REGULAR, Word, in_form, without_number

NAMES = {"en": "English", "fr": "français", "it": "italiano", "ru": "русский"}
"""Every language by its code, with what it calls itself."""
SOURCE = "en"
"""The language in which messages are written."""
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "acres"
_THOUSANDS = {"en": ",", "fr": "\u00a0", "it": ".", "ru": "\u00a0"}


@dataclass(frozen=True)
class Language(Speaker):
    """A language of `NAMES` by its code, such as `fr`.

    Raises OSError where its catalogue was not compiled.
    """

    code: str

    def __post_init__(self) -> None:
        if not self.is_english:
            _catalogue(self.code)

    @property
    def is_english(self) -> bool:
        """Whether messages are said as they are written."""
        return self.code == SOURCE

    @property
    def thousands(self) -> str:
        """What stands between groups of three digits in a long number."""
        return _THOUSANDS.get(self.code, ",")

    @property
    def lexicon(self) -> dict[str, Any]:
        """What is known of single words: the tables of `lexicon.toml`; none for English.

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
def _lexicon(code: str) -> dict[str, Any]:
    # Imported here because whoever plays in English needs none of it.
    import tomllib

    path = LOCALE / code / "lexicon.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _inflected(code: str) -> frozenset[str]:
    forms = _lexicon(code).get("forms", {})
    return frozenset(
        text.casefold() for name, others in forms.items() for text in (name, *others.values())
    )
