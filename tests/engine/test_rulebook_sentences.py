"""Every rule sentence of a rulebook, by section and number, with the engine's answer to it.

`tests/engine/rulebooks` holds them in words of our own, a file for each rulebook. Beside a sentence
stands the test that plays it, or a position with an order and its answer.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.order import UnreadableOrder
from engine.sides import Side
from tests.engine.positions import Seat, allowed, do, position, refusal

HERE = Path(__file__).parent
Sentence = dict[str, Any]


def sentences(rulebook: Path) -> dict[str, Sentence]:
    """The sentences of a rulebook, by section and number: `raid 4`."""
    sections = tomllib.loads(rulebook.read_text(encoding="utf-8"))
    return {
        f"{section} {number}": sentence
        for section, numbered in sections.items()
        for number, sentence in numbered.items()
    }


BOOKS = {path.stem: sentences(path) for path in sorted(HERE.glob("rulebooks/*.toml"))}
PLAYED = [
    pytest.param(book, sentence, id=f"{book} {number}")
    for book, numbered in BOOKS.items()
    for number, sentence in numbered.items()
    if "answer" in sentence
]
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py")}


@pytest.mark.parametrize(("book", "sentence"), PLAYED)
def test_the_engine_answers_as_the_sentence_says(book: str, sentence: Sentence) -> None:
    edition = book.rpartition("-")[0]
    state = position(
        Seat(**sentence.get("british", {})),
        Seat(**sentence.get("french", {})),
        active=Side(sentence.get("active", "british")),
        besieging={Side(s): place for s, place in sentence.get("besieging", {}).items()},
        actions=sentence.get("actions", 2),
        edition=edition,
    )
    do(state, *sentence.get("orders", ()))
    answer = sentence["answer"]
    if answer is True:
        assert allowed(state, sentence["order"])
        return
    try:
        reason = refusal(state, sentence["order"])
    except UnreadableOrder as error:
        reason = str(error)
    assert answer in reason


def test_every_sentence_is_shown_or_played() -> None:
    for numbered in BOOKS.values():
        for number, sentence in numbered.items():
            assert ("shown" in sentence) != ("answer" in sentence), number
            assert sentence["says"].endswith("."), number


def test_every_test_that_shows_a_sentence_is_there() -> None:
    for numbered in BOOKS.values():
        for number, sentence in numbered.items():
            if "shown" in sentence:
                family, _, test = sentence["shown"].partition(": ")
                (source,) = [source for path, source in SOURCES.items() if path in _files(family)]
                assert f"def {test}(" in source, number


def _files(family: str) -> tuple[str, ...]:
    return f"test_rulebook_{family}.py", f"test_{family}.py"


def test_every_rulebook_is_on_the_page() -> None:
    """With none of its sentences left without an answer."""
    page = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([a-z-]+)\.toml` \| .* \| none \|", page)
    assert sorted(listed) == sorted(BOOKS)


@pytest.mark.parametrize("book", BOOKS)
def test_sections_are_numbered_without_a_gap(book: str) -> None:
    sections: dict[str, list[int]] = {}
    for number in BOOKS[book]:
        section, _, n = number.rpartition(" ")
        sections.setdefault(section, []).append(int(n))
    for numbers in sections.values():
        assert numbers == list(range(1, len(numbers) + 1))
