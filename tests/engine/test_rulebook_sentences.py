"""Every sentence of the rulebooks leads to a rule, and every rule to a case or a test.

See `sentences.py` for the way of counting. If the rulebooks are beside the checkout, the count is
made again from their texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import chain

import pytest

from engine import catalogue
from engine.sides import Side
from tests.engine.cases import cases
from tests.engine.sentences import (
    HERE,
    TEXTS,
    editions_by_case,
    editions_by_rule,
    lines_of,
    no_rules,
    rulebooks,
    rules,
    split,
)

PAGE = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
WITH_LISTS = {
    name: book
    for name, book in rulebooks().items()
    if "manifest" in book.sections and book.sections["manifest"].lists
}
BOOKS = pytest.mark.parametrize("name", rulebooks())


# --- the rules


@pytest.mark.parametrize("name", rules())
def test_every_rule_has_a_sentence_and_a_case_or_test(name: str) -> None:
    rule = rules()[name]
    assert editions_by_rule()[name], "no rulebook says it"
    assert ("shown" in rule) != ("play" in rule)
    assert rule["says"].endswith(".")


@pytest.mark.parametrize(("family", "name"), editions_by_case())
def test_cases_and_tests_play_every_edition_with_their_rule(family: str, name: str) -> None:
    if name.startswith("test_"):
        test = getattr(import_module(f"tests.engine.test_{family}"), name)
        assert any("edition" in mark.args[0] for mark in test.pytestmark), "it plays one edition"
        return
    editions = [case.editions for case in cases() if (case.family, case.title) == (family, name)]
    assert editions, f"rules/{family}.toml has no case “{name}”"
    assert not all(editions) or editions_by_case()[family, name] <= frozenset().union(*editions)


# --- the sentences


@BOOKS
def test_sentences_have_a_rule_or_a_reason_for_none(name: str) -> None:
    for title, section in rulebooks()[name].sections.items():
        assert sorted(section.says) == list(range(1, section.sentences + 1)), title
        for number, names in section.says.items():
            assert names, (title, number)
            assert set(names) <= rules().keys() | no_rules(), (title, number)


@cache
def _here(name: str) -> str | None:
    """Return the text of a rulebook if its counted version is beside the checkout."""
    path = TEXTS / rulebooks()[name].text
    if not path.is_file() or sha256(path.read_bytes()).hexdigest() != rulebooks()[name].sha256:
        return None
    return path.read_text(encoding="utf-8")


def test_texts_have_as_many_sentences_as_numbers() -> None:
    here = [name for name in rulebooks() if _here(name)]
    if not here:
        pytest.skip("the rulebooks are not here")
    for name in here:
        for title, section in rulebooks()[name].sections.items():
            sentences = list(split(lines_of(_here(name) or "", section.lines)))
            assert len(sentences) == section.sentences, (name, title)


def test_lists_of_cards_in_the_texts_are_the_catalogue() -> None:
    lists = {name: book.sections["manifest"].lists for name, book in WITH_LISTS.items()}
    here = [name for name in lists if _here(name)]
    if not here:
        pytest.skip("the rulebooks are not here")
    for name in here:
        printed = [
            dict(_listed(line) for line in lines_of(_here(name) or "", numbers))
            for numbers in lists[name].split(", ")
        ]
        assert printed == _groups(catalogue.load(WITH_LISTS[name].edition)), name


def _listed(line: str) -> tuple[str, int]:
    """Return the card and the number of a line such as `Militia x 3`."""
    name, _, number = line.strip().partition(" x ")
    return _plain(name), int(number or 1)


def _plain(name: str) -> str:
    """Return a name without accents, marks, additions of this project and a misprint."""
    plain = unicodedata.normalize("NFD", name).replace("Isle", "ile")
    plain = "".join(c for c in plain.lower() if c.isalpha())
    plain = plain.removeprefix("neutral").removesuffix("initial")
    return plain.replace("coueurs", "coureurs")


def _groups(box: catalogue.Catalogue) -> list[dict[str, int]]:
    groups: list[dict[str, int]] = []
    for side in Side:
        locations, empire = list(box.location_cards(side)), list(box.empire_cards(side))
        available: Counter[str] = Counter()
        for card in empire:
            available[_plain(card.name)] += card.count - card.initial_copies
        deck = [card for card in (*locations, *empire) if card.initial_copies]
        groups.append({_plain(card.name): card.initial_copies for card in deck})
        groups.append({_plain(card.name): 1 for card in locations if card not in deck})
        groups.append(dict(+available))
    return [*groups, {_plain(card.name): card.count for card in box.neutral_cards()}]


def test_sentences_are_counted_by_the_rule_that_is_stated() -> None:
    lines = ["- He plays St. Mary's, e.g. with", "Boston. Then", "- One (two", "three)! **No**"]
    assert [text.split()[0] for text in split(lines)] == ["He", "Then", "One", "No"]
    assert lines_of("a\nb\nc\nd", "1, 3-4") == ["a", "c", "d"]


# --- the page


def test_page_counts_the_sentences_of_every_rulebook() -> None:
    rows = re.findall(r"`([a-z-]+)\.toml` \| (\d+) \| (\d+) \| none \|", PAGE)
    counted = []
    for name, book in rulebooks().items():
        sentences = [names for section in book.sections.values() for names in section.says.values()]
        ruling = [names for names in sentences if not set(names) <= no_rules()]
        counted.append((name, str(len(sentences)), str(len(ruling))))
    assert sorted(rows) == sorted(counted)


def test_page_has_the_count_of_every_section() -> None:
    titles = dict.fromkeys(chain.from_iterable(b.sections for b in rulebooks().values()))
    for title in titles:
        sections = [book.sections.get(title) for book in rulebooks().values()]
        counts = " | ".join(str(s.sentences) if s else "–" for s in sections)
        assert f"| {title} | {counts} |" in PAGE
