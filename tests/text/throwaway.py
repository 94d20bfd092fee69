"""Made-up languages for tests: every message in brackets, or longer; other texts stand out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from unittest.mock import patch

from babel.messages.mofile import read_mo

# Imported before the language exists, because the help of the command lists all languages.
import pbem.cli.main  # noqa: F401
from pbem.cli.console import language, set_language
from pbem.text import language as languages
from pbem.text.language import DOMAIN, LOCALE, NAMES
from tests.text.made_up import forget_verbs

CODE = "xx"
OPEN, CLOSE = "⟦", "⟧"


def bracketed(message: str) -> str:
    """Mark a message with brackets, to distinguish it from untranslated text."""
    return f"{OPEN}{message}{CLOSE}"


def longer(message: str) -> str:
    """Make a message two fifths longer, as a translation may be."""
    return f"{message}{'o' * (len(message) * 2 // 5)}" if message.strip() else message


@cache
def translated_texts() -> frozenset[tuple[str | None, str]]:
    """Return every translated message: most of those known."""
    with (LOCALE / "fr" / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return frozenset(
            # The reader returns contexts as bytes.
            (one.context.decode() if isinstance(one.context, bytes) else one.context, text)
            for one in read_mo(file)
            for text in ((one.id,) if isinstance(one.id, str) else one.id)
        )


@cache
def all_texts() -> frozenset[tuple[str | None, str]]:
    """Return all messages of the catalogue, with their contexts."""
    from tools.catalogues import all_messages

    return frozenset(
        (one.context, text)
        for one in all_messages()
        for text in ((one.message,) if isinstance(one.message, str) else one.message)
    )


class Throwaway(NullTranslations):
    """A catalogue that words every message by a function; `unknown` are those in no catalogue."""

    def __init__(self, wording: Callable[[str], str]) -> None:
        super().__init__()
        self.wording = wording
        self._asked: set[tuple[str | None, str]] = set()

    @property
    def unknown(self) -> set[tuple[str | None, str]]:
        """The messages used that are in no template."""
        missing = self._asked - translated_texts()
        # Extraction takes seconds.
        return missing and missing - all_texts()

    def gettext(self, message: str) -> str:
        return self._worded(None, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._worded(None, msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self._worded(context, message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self._worded(context, msgid1 if n == 1 else msgid2)

    def _worded(self, context: str | None, message: str) -> str:
        self._asked.add((context, message))
        return self.wording(message)


@contextmanager
def throwaway(wording: Callable[[str], str] = bracketed) -> Iterator[Throwaway]:
    """Speak a language in which every message is worded so; `acres --lang xx` speaks it too."""
    built, original, before = Throwaway(wording), languages._catalogue, language().code
    NAMES[CODE] = "made up"
    try:
        with patch.object(languages, "_catalogue", lambda c: built if c == CODE else original(c)):
            set_language(CODE)
            yield built
    finally:
        set_language(before)
        del NAMES[CODE]
        languages._lexicon.cache_clear()
        forget_verbs()
