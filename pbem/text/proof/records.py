"""Records of which nothing is proved but who signed them: what was ordered in them, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message import Message, Said, joined_with_semicolons
from engine.order import UnreadableOrder
from engine.orders import from_notation
from engine.ruleset import Ruleset
from engine.sides import Side
from pbem.foreign import excerpt
from pbem.protocol import steps
from pbem.protocol.record import Record
from pbem.protocol.table import ruleset_of
from pbem.text.phrases import Name, orders_listed

MOST_OF_AN_ORDER = 40
"""How many characters of an order are printed that no program can read."""


def deeds_of(record: Record, name: Name) -> Message:
    """Return what the author of a record did with it, in a line that stands after a colon."""
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
    """Return the function that gives printed names in the game that these records begin.

    Without records, the names of the usual rules.
    """
    if not records:
        return usual_names
    entry = records[0].steps[0]
    assert isinstance(entry, steps.Invite)
    return ruleset_of(entry).catalogue.name_of


def usual_names(id: str) -> Said:
    """Return the name of what is in the usual rules, where the game itself is not at hand."""
    catalogue = Ruleset.of().catalogue
    return catalogue.name_of(id) if id in catalogue.names else id
