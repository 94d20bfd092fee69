"""How wide letters are taken to be, of any writing."""

from __future__ import annotations

import pytest

from pbem.board.lettering import fitted, width


@pytest.mark.parametrize("text", ["日本太郎", "カナ", "한글", "Ａ"])
def test_letters_that_are_square_are_as_wide_as_they_are_high(text: str) -> None:
    assert width(text, 10) == 10 * len(text)


def test_a_mark_upon_a_letter_takes_no_room() -> None:
    assert width("e\N{COMBINING ACUTE ACCENT}", 10) == width("e", 10)
    assert width("שָׁלוֹם", 10) == width("שלום", 10)
    assert width("a\N{ZERO WIDTH JOINER}b", 10) == width("ab", 10)


def test_a_name_of_square_letters_is_pressed_into_its_room() -> None:
    assert fitted("日" * 10, (20.0,), 200).narrower is None
    assert fitted("日" * 11, (20.0,), 200).narrower == 200
