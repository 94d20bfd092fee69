"""Days and months, as each language writes them by CLDR."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from engine.message import Phrase
from pbem.cli.console import language as language_now
from pbem.cli.console import translate, use_language
from pbem.text.games import state_text, statistics
from pbem.text.language import NAMES, SOURCE
from pbem.text.phrases import day, day_in_numbers, instant, local_date, moment
from tests.text.games.test_statistics import ID, game

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
        assert text.startswith(f"3 {name} ") and "04:09" in text


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


# --- the player's days


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the test in the time zone of its parameter."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def in_english(phrase: Phrase) -> str:
    """Return a text without the signs that prevent breaks."""
    return with_plain_spaces(str(phrase))


EVENING = "2026-11-21T22:30:00Z"


@pytest.mark.parametrize(
    ("zone", "its_day", "clock", "ago", "duration"),
    [
        ("UTC", "21", "22:30", "yesterday", 1),
        ("XST-9", "22", "07:30", "today", 0),
        ("XST8", "21", "14:30", "today", 0),
        ("no such zone", "21", "22:30", "yesterday", 1),
    ],
    indirect=["zone"],
)
def test_days_are_those_of_the_player(
    zone: None, its_day: str, clock: str, ago: str, duration: int
) -> None:
    """A turn that came in the evening in London came in the morning in Tokyo."""
    assert in_english(moment(EVENING)) == f"{its_day} Nov {clock}"
    assert in_english(day(EVENING)) == f"{its_day} Nov 2026"
    assert in_english(day_in_numbers(EVENING)) == f"2026-11-{its_day}"
    assert in_english(instant(EVENING)) == EVENING
    waiting, over = game(since=EVENING), game(winner="british", since="2026-11-22T01:00:00Z")
    assert f"since {its_day} Nov 2026 ({ago})" in str(state_text(waiting, "2026-11-22T01:00:00Z"))
    days = statistics([over], {ID: "2026-11-21T16:00:00Z"}).days
    assert days is not None and days.most == duration


@pytest.mark.parametrize("zone", ["XST-9", "XST8"], indirect=True)
@pytest.mark.parametrize("far", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_time_without_a_local_time_stays_in_utc(zone: None, far: str) -> None:
    assert abs(local_date(far).year - int(far[:4])) <= 1 and day(far) and moment(far)
