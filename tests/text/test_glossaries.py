"""The program uses the words of the glossaries."""

from __future__ import annotations

import re

import pytest

from engine.catalogue import load
from engine.orders import ORDERS
from pbem.text.language import Language
from tests.cli.commands import ROOT
from tests.text.test_catalogues import OTHERS


def rows(language: str) -> list[tuple[list[str], str]]:
    """Yield the rows of a glossary: English terms and their translations."""
    page = (ROOT / "docs" / f"glossary-{language}.md").read_text(encoding="utf-8")
    matches = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", page, re.M)
    return [(normalize(english).split(", "), normalize(words)) for english, words in matches]


def normalize(text: str) -> str:
    return text.replace("’", "'").casefold()


def is_in_glossary(word: str, english: str, language: str) -> bool:
    """Return True if the glossary has that word for a term, or the word is the term."""
    matches = [words for terms, words in rows(language) if normalize(english) in terms]
    return normalize(word) == normalize(english) or any(
        normalize(word) in words for words in matches
    )


@pytest.mark.parametrize("language", OTHERS)
def test_verbs_locations_and_cards_are_those_of_the_glossary(language: str) -> None:
    """Variants of a card, with words before or after its name, have no rows of their own."""
    spoken = Language(language)
    terms = [(kind.english_verb(), spoken.say(kind.verb_label())) for kind in ORDERS.values()]
    places = load("second").locations.values()
    terms += [(place.name, spoken.say(place.label)) for place in places]
    cards = spoken.lexicon["cards"].items()
    terms += [card for card in cards if not re.search(r"(?i)neutral|\(", card[0])]
    assert [term for term in terms if not is_in_glossary(term[1], term[0], language)] == []
