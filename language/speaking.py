"""The language that is spoken now: the one thing about words that this process remembers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from language.tongues import SOURCE, catalogue

if TYPE_CHECKING:
    from gettext import NullTranslations

_language = SOURCE
_catalogue: NullTranslations | None = None
"""That of the language that is spoken; None for English, which needs none."""


def speak(language: str) -> None:
    """From now on, say everything in this language of `LANGUAGES`.

    Raises OSError where its catalogue was not compiled.
    """
    global _language, _catalogue
    _catalogue = None if language == SOURCE else catalogue(language)
    _language = language


def words_spoken() -> NullTranslations | None:
    """The catalogue of the language that is spoken now; None for English."""
    return _catalogue


def current() -> str:
    """The language that is spoken now, such as `fr`."""
    return _language


@contextmanager
def spoken(language: str) -> Iterator[None]:
    """Speak this language for a while; raises OSError as `speak` does."""
    before = _language
    speak(language)
    try:
        yield
    finally:
        speak(before)
