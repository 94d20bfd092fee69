"""Times, as records have them, in a player's words."""

from __future__ import annotations

from datetime import datetime

from engine.message import Message
from pbem.text.tables import entry


def moment(time: str) -> Message:
    """Return a time as records have it, as people write it.

    >>> str(moment("2026-11-21T14:19:00Z"))
    '21 Nov 14:19 UTC'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “21 Nov 14:19 UTC”.
    return Message(
        "{day} {month} {time} UTC", day=str(then.day), month=_month(then), time=f"{then:%H:%M}"
    )


def day(time: str) -> Message:
    """Return the day of a time as records have it, as people write it.

    >>> str(day("2026-11-21T14:19:00Z"))
    '21 Nov 2026'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “21 Nov 2026”.
    return Message("{day} {month} {year}", day=str(then.day), month=_month(then), year=then.year)


def day_in_numbers(time: str) -> Message:
    """Return the day of a time as records have it, in numbers alone.

    >>> str(day_in_numbers("2026-11-21T14:19:00Z"))
    '2026-11-21'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “2026-11-21”; all three have their zeros.
    return Message("{year}-{month}-{day}", year=then.year, month=f"{then:%m}", day=f"{then:%d}")


def instant(time: str) -> Message:
    """Return a time as records have it, to the second, in numbers alone.

    >>> str(instant("2026-11-21T14:19:00Z"))
    '2026-11-21T14:19:00Z'
    """
    # Translators: such as “2026-11-21T14:19:00Z”: a day in numbers, and a time in UTC.
    return Message(
        "{day}T{time}Z", day=day_in_numbers(time), time=f"{datetime.fromisoformat(time):%H:%M:%S}"
    )


def _month(then: datetime) -> Message:
    return entry("months", str(then.month))
