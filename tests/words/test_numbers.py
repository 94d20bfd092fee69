"""Numbers as each language writes them, against the data of CLDR."""

import pytest
from babel.numbers import format_decimal

from engine.message import Message
from pbem.words.language import NAMES, Language
from pbem.words.phrases import money_counted


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("number", [0, 1, 7, 365, 10_000, 129_000, 4_000_000])
def test_a_number_of_things_is_grouped_as_its_language_does_it(language: str, number: int) -> None:
    told = Language(language).say(Message.counted("{count}", "{count}", number))
    # CLDR has a narrow space for the French, which many terminals lack.
    assert told == format_decimal(number, locale=language).replace("\u202f", "\u00a0")


def test_a_long_number_is_found_in_the_lexicon_as_a_short_one_is() -> None:
    russian = Language("ru")
    for number in (21, 12_521, 1_012_521):
        paid = russian.say(money_counted(number))
        told = f"{russian.fact(paid):accusative}"
        assert told == paid.replace("монета", "монету") != paid
