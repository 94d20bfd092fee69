"""The widths of letters in all scripts."""

from __future__ import annotations

import pytest

from pbem.board.typography import fit, text_width


@pytest.mark.parametrize("text", ["日本太郎", "カナ", "한글", "Ａ"])
def test_full_width_letters_are_square(text: str) -> None:
    assert text_width(text, 10) == 10 * len(text)


def test_combining_marks_have_no_width() -> None:
    assert text_width("e\N{COMBINING ACUTE ACCENT}", 10) == text_width("e", 10)
    assert text_width("שָׁלוֹם", 10) == text_width("שלום", 10)
    assert text_width("a\N{ZERO WIDTH JOINER}b", 10) == text_width("ab", 10)


def test_long_full_width_name_is_compressed() -> None:
    assert fit("日" * 10, (20.0,), 200).text_length is None
    assert fit("日" * 11, (20.0,), 200).text_length == 200
