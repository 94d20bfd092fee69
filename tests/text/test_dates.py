"""Days and months, as each language writes them by CLDR."""

from __future__ import annotations

import pytest

from pbem.cli.console import language as language_now
from pbem.cli.console import translate, use_language
from pbem.text.language import NAMES, SOURCE
from pbem.text.phrases import day, day_in_numbers, instant, moment

MONTHS = range(1, 13)
NAMES_OF_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "ru": "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
}
AFTER_THE_YEAR = {"ru": " г."}


def with_plain_spaces(text: str) -> str:
    """Return a text with ordinary spaces."""
    return " ".join(text.split())


def time_in(month: int) -> str:
    """Return a time in a month, in the format of records."""
    return f"2026-{month:02}-03T04:09:00Z"


@pytest.mark.parametrize("language", NAMES)
def test_day_is_written_as_the_language_writes_it(language: str) -> None:
    """English as in Europe, because a month before the day is not understood everywhere."""
    with use_language(language):
        written = [with_plain_spaces(translate(day(time_in(month)))) for month in MONTHS]
        moments = [with_plain_spaces(translate(moment(time_in(month)))) for month in MONTHS]
    end = AFTER_THE_YEAR.get(language, "")
    names = NAMES_OF_MONTHS[language].split()
    assert written == [f"3 {name} 2026{end}" for name in names]
    for text, name in zip(moments, names, strict=True):
        assert text.startswith(f"3 {name} ") and "04:09" in text and "UTC" in text


@pytest.mark.parametrize("language", NAMES)
def test_day_in_numbers_has_nothing_else(language: str) -> None:
    with use_language(language):
        written = translate(day_in_numbers(time_in(9)))
    assert "".join(c for c in written if c.isdigit()) in ("20260903", "03092026")
    assert not any(c.isalpha() for c in written)


@pytest.mark.parametrize("day_of_month", range(1, 32))
def test_only_the_first_of_a_month_is_an_ordinal_in_french(day_of_month: int) -> None:
    time = f"2026-10-{day_of_month:02}T04:09:00Z"
    expected = "1er" if day_of_month == 1 else str(day_of_month)
    with use_language("fr"):
        assert [translate(one(time)).split()[0] for one in (day, moment)] == [expected, expected]


@pytest.mark.parametrize("day_of_month", range(1, 32))
def test_italian_elides_the_article_before_the_eighth_and_the_eleventh(day_of_month: int) -> None:
    """The spoken dates are “l’otto”, “l’undici”, and “il diciotto”."""
    time = f"2026-10-{day_of_month:02}T04:09:00Z"
    elided = day_of_month in (8, 11)
    with use_language("it"):
        for write in (day, moment, day_in_numbers):
            date = translate(write(time))
            on, since = (language_now().form(date, form) for form in ("il", "dal"))
            assert on == (f"l’{date}" if elided else f"il {date}")
            assert since == (f"dall’{date}" if elided else f"dal {date}")


@pytest.mark.parametrize("language", NAMES)
def test_time_to_the_second_begins_with_the_day_in_numbers(language: str) -> None:
    """ISO 8601 is used in English, which has no order of day and month clear to everyone."""
    with use_language(language):
        second, its_day = (
            translate(write("2026-10-03T04:09:07Z")) for write in (instant, day_in_numbers)
        )
    assert second.startswith(its_day)
    assert "04:09:07" in second
    assert ("T" in second.replace("UTC", "")) == (language == SOURCE)
