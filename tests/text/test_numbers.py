"""Numbers as each language writes them by CLDR."""

import pytest

from engine.message import Message
from pbem.text.language import NAMES, Language
from pbem.text.phrases import money_amount

BETWEEN_GROUPS = {"en": ",", "fr": "\u00a0", "it": ".", "ru": "\u00a0"}
"""CLDR has a narrow space for French, which many terminals cannot display."""


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("groups", ["0", "1", "7", "365", "10 000", "129 000", "4 000 000"])
def test_digits_are_grouped_as_in_each_language(language: str, groups: str) -> None:
    number = int(groups.replace(" ", ""))
    output = Language(language).say(Message.counted("{count}", "{count}", number))
    assert output == groups.replace(" ", BETWEEN_GROUPS[language])


def test_long_number_is_inflected_like_a_short_one() -> None:
    russian = Language("ru")
    for number in (21, 12_521, 1_012_521):
        paid = russian.say(money_amount(number))
        output = f"{russian.fact(paid):accusative}"
        assert output == paid.replace("монета", "монету") != paid
