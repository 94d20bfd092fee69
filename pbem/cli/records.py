"""Records in a player's words: what was ordered in them, and when they were signed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from engine.message import Message, Said, mark_in
from engine.sides import Side
from pbem.cli.words import joined_with_semicolons, orders_listed
from pbem.foreign import excerpt
from pbem.protocol import steps

if TYPE_CHECKING:
    from pbem.cli.words import Name
    from pbem.protocol.record import Record

MOST_OF_AN_ORDER = 40
"""So many characters of an order are printed that no program can read."""
_MONTHS = [
    mark_in("month", "Jan"),
    mark_in("month", "Feb"),
    mark_in("month", "Mar"),
    mark_in("month", "Apr"),
    mark_in("month", "May"),
    mark_in("month", "Jun"),
    mark_in("month", "Jul"),
    mark_in("month", "Aug"),
    mark_in("month", "Sep"),
    mark_in("month", "Oct"),
    mark_in("month", "Nov"),
    mark_in("month", "Dec"),
]


def moment(time: str) -> Message:
    """A time as records have it, as people write it.

    >>> str(moment("2026-11-21T14:19:00Z"))
    '21 Nov 14:19 UTC'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “21 Nov 14:19 UTC”.
    return Message(
        "{day} {month} {time} UTC", day=str(then.day), month=_month(then), time=f"{then:%H:%M}"
    )


def day(time: str) -> Message:
    """The day of a time as records have it, as people write it.

    >>> str(day("2026-11-21T14:19:00Z"))
    '21 Nov 2026'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “21 Nov 2026”.
    return Message("{day} {month} {year}", day=str(then.day), month=_month(then), year=then.year)


def day_in_numbers(time: str) -> Message:
    """The same in numbers alone.

    >>> str(day_in_numbers("2026-11-21T14:19:00Z"))
    '2026-11-21'
    """
    then = datetime.fromisoformat(time)
    # Translators: such as “2026-11-21”; all three have their zeros.
    return Message("{year}-{month}-{day}", year=then.year, month=f"{then:%m}", day=f"{then:%d}")


def instant(time: str) -> Message:
    """A time as records have it, to the second, in numbers alone.

    >>> str(instant("2026-11-21T14:19:00Z"))
    '2026-11-21T14:19:00Z'
    """
    # Translators: such as “2026-11-21T14:19:00Z”: a day in numbers, and a time in UTC.
    return Message(
        "{day}T{time}Z", day=day_in_numbers(time), time=f"{datetime.fromisoformat(time):%H:%M:%S}"
    )


def _month(then: datetime) -> Message:
    return Message.within("month", _MONTHS[then.month - 1])


def deeds_of(record: Record, name: Name) -> Message:
    """What the author of a record did with it, in a line that stands after a colon."""
    from engine.orders import UnreadableOrder, from_notation

    entry, kinds = record.steps[0], {type(step) for step in record.steps}
    if isinstance(entry, steps.Invite):
        return Message.within("record", "the invitation")
    if isinstance(entry, steps.Accept) and record.side in [*Side]:
        return Message.within("record", "joined as the {side}", side=Side(record.side).label)
    if steps.Resign in kinds:
        return Message.within("record", "resigned")
    given = [step.order for step in record.steps if isinstance(step, steps.OrderStep)]
    try:
        told = orders_listed(map(from_notation, given), name)
    except UnreadableOrder:
        told = joined_with_semicolons(f"“{excerpt(order, MOST_OF_AN_ORDER)}”" for order in given)
    if told:
        return told
    if steps.Close in kinds:
        return Message.within("record", "closed the game")
    return Message.within("record", "no orders")


def names_in(records: Sequence[Record]) -> Name:
    """The function that gives printed names in the game that these records begin."""
    from pbem.protocol.rules_data import ruleset_of

    entry = records[0].steps[0]
    assert isinstance(entry, steps.Invite)
    return ruleset_of(entry).catalogue.name_of


def usual_names(id: str) -> Said:
    """The name of what is in the usual rules, where the game itself is not at hand."""
    from engine.ruleset import Ruleset

    catalogue = Ruleset.of().catalogue
    return catalogue.name_of(id) if id in catalogue.names else id
