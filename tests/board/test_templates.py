"""The templates of the board: each is used, and negative numbers have a minus sign."""

from __future__ import annotations

from pathlib import Path

import pbem.board
from pbem.board.templates import Templates
from pbem.text.language import Language

BOARD = Path(pbem.board.__file__).parent


def test_negative_numbers_have_a_minus_sign() -> None:
    def render(number: int) -> str:
        counted = {"value": 5, "change": number}
        return Templates(Language("en")).render("number.html", name="money", number=counted)

    assert '<ins class="less">−3</ins>' in render(-3)
    assert '<ins class="more">+3</ins>' in render(3)
    assert "<ins" not in render(0)
