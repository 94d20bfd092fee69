"""The glossaries say what the program says: one thing, one word."""

from __future__ import annotations

import re

import pytest

from engine.catalogue import load
from engine.orders import ORDERS
from pbem.text.language import Language
from tests.cli.using import ROOT
from tests.text.test_catalogues import OTHERS


def rows(language: str) -> list[tuple[list[str], str]]:
    """Every row of the glossary: English terms, and the words for them."""
    page = (ROOT / "docs" / f"glossary-{language}.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", page, re.M)
    return [(alike(english).split(", "), alike(words)) for english, words in found]


def alike(text: str) -> str:
    return text.replace("’", "'").casefold()


def is_in_glossary(word: str, english: str, language: str) -> bool:
    """Whether the glossary has that word for a term; what is called the same, it need not list."""
    found = [words for terms, words in rows(language) if alike(english) in terms]
    return alike(word) == alike(english) or any(alike(word) in words for words in found)


@pytest.mark.parametrize("language", OTHERS)
def test_the_verbs_of_orders_are_those_of_the_glossary(language: str) -> None:
    for kind in ORDERS.values():
        word = Language(language).say(kind.words())
        assert is_in_glossary(word, kind.english(), language), word


@pytest.mark.parametrize("language", OTHERS)
def test_the_locations_are_those_of_the_glossary(language: str) -> None:
    for place in load("second").locations.values():
        word = Language(language).say(place.label)
        assert is_in_glossary(word, place.name, language), word


@pytest.mark.parametrize("language", OTHERS)
def test_the_cards_have_the_translations_of_the_glossary(language: str) -> None:
    """Cards of one name with something before or behind it are not listed again."""
    for printed, translated in Language(language).lexicon["cards"].items():
        if "neutral" not in printed.casefold() and "(" not in printed:
            assert is_in_glossary(translated, printed, language), translated
