"""The examples in docs/library.md run and print the results shown."""

from __future__ import annotations

from doctest import DocTestParser, DocTestRunner
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_examples_of_the_library_page_hold() -> None:
    # The printed result of an example ends at the end of its block.
    text = PAGE.read_text(encoding="utf-8").replace("\n```\n", "\n\n```\n")
    examples = DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    failed, tried = DocTestRunner().run(examples)
    assert tried > 20
    assert failed == 0
