"""Records in a player's words: what was ordered in them, and when they were signed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pbem import steps
from pbem.cli.words import orders_listed
from pbem.foreign import excerpt

if TYPE_CHECKING:
    from pbem.cli.words import Name
    from pbem.record import Record

MOST_OF_AN_ORDER = 40
"""So many characters of an order are printed that no program can read."""
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def moment(time: str) -> str:
    """A time as records have it, as people write it.

    >>> moment("2026-11-21T14:19:00Z")
    '21 Nov 14:19 UTC'
    """
    then = datetime.fromisoformat(time)
    return f"{then.day} {_MONTHS[then.month - 1]} {then:%H:%M} UTC"


def day(time: str) -> str:
    """The day of a time as records have it, as people write it.

    >>> day("2026-11-21T14:19:00Z")
    '21 Nov 2026'
    """
    then = datetime.fromisoformat(time)
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year}"


def deeds_of(record: Record, name: Name) -> str:
    """What the author of a record did with it, in a line."""
    from engine.notation import UnreadableOrder, from_notation

    entry, kinds = record.steps[0], {type(step) for step in record.steps}
    if isinstance(entry, steps.Invite):
        return "the invitation"
    if isinstance(entry, steps.Accept):
        return f"joined as the {record.side.title()}"
    if steps.Resign in kinds:
        return "resigned"
    given = [step.order for step in record.steps if isinstance(step, steps.Order)]
    try:
        told = orders_listed(map(from_notation, given), name)
    except UnreadableOrder:
        told = "; ".join(f"“{excerpt(order, MOST_OF_AN_ORDER)}”" for order in given)
    return told or ("closed the game" if steps.Close in kinds else "no orders")


def names_in(records: Sequence[Record]) -> Name:
    """The function that gives printed names in the game that these records begin."""
    from engine.notation import card_name
    from pbem.rules_data import ruleset_of

    entry = records[0].steps[0]
    assert isinstance(entry, steps.Invite)
    return card_name(ruleset_of(entry).catalogue)


def usual_names(id: str) -> str:
    """The printed name of what is in the usual rules, where the game itself is not at hand."""
    from engine.ruleset import Ruleset

    return Ruleset.of().catalogue.names.get(id, id)
