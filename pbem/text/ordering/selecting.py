"""The chosen parts of an order, what can follow, and why something else cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.message import Message, Said, joined_with_or, labelled, mark_in
from engine.order import Family, Order
from engine.sides import Side
from engine.state import State
from engine.ways import Begun
from pbem.text.facts.hindrances import Hindrance, why_not
from pbem.text.facts.selection import Following, Selection
from pbem.text.language import Language
from pbem.text.lines import Line, item
from pbem.text.ordering.explanation import objections_told, verdict
from pbem.text.phrases import Name, capital, listed, names
from pbem.text.rules.in_position import lack_told

MOST_WAYS = 3
"""How many ways to make up for what is missing at a location are shown."""
MOST_PLACES = 3


# --- what is chosen, and what follows


def group_label(group: Family) -> Message:
    """The heading under which kinds of order stand."""
    return capital(Message.within("group", group.value))


def kind_label(kind: type[Order]) -> Message:
    """What a kind of order is called where it is to be chosen."""
    return capital(kind.words())


def chosen_told(chosen: Selection, name: Name) -> Said:
    """What is chosen, as an order is written; empty for nothing."""
    if chosen.kind:
        return Begun(chosen.kind, chosen.location, chosen.cards).text(name)
    cards = listed(chosen.cards, name) if chosen.cards else ""
    if not chosen.location:
        return cards
    place = name(chosen.location)
    return labelled(place, cards) if cards else place


def following_told(chosen: Selection, found: Following, name: Name) -> Message:
    """What is chosen and what can be chosen next, as a sentence: it is read out at each step."""
    parts = [
        Message.within("choose", text)
        for text, lit in (
            (_ACTION, found.kinds),
            (_LOCATION, found.locations),
            (_CARD, found.cards),
        )
        if lit
    ]
    told, next_one = chosen_told(chosen, name), joined_with_or(parts)
    # Translators: {part} is one or more of: an action, a location, a card.
    if not told:
        return Message("Choose {part}.", part=next_one) if parts else Message("Nothing to choose.")
    if not parts and not found.whole:
        return Message("Chosen: {chosen}. No order has all of this.", chosen=told)
    if not parts:
        return Message("Chosen: {chosen}. Nothing more is needed.", chosen=told)
    if found.whole:
        return Message("Chosen: {chosen}. This will do; or add {part}.", chosen=told, part=next_one)
    return Message("Chosen: {chosen}. Add {part}.", chosen=told, part=next_one)


_ACTION = mark_in("choose", "an action")
_LOCATION = mark_in("choose", "a location")
_CARD = mark_in("choose", "a card")


def orders_heading(chosen: Selection, found: Following) -> Message:
    """What stands over the orders that are listed; they may be all or some."""
    if found.is_all and chosen == Selection():
        return Message("All that you can do:")
    if found.is_all:
        return Message("All that you can do with it:")
    return Message("What you can do with just that:")


# --- why something else cannot be chosen


def why_not_whole(
    language: Language, worlds: Sequence[State], side: Side, begun: Begun
) -> list[Said]:
    """Why nothing can follow what is begun of an order, in sentences."""
    chosen = Selection(begun.kind, begun.location, tuple(sorted(begun.cards)))
    *others, last = chosen.keys
    found = why_not(worlds, side, Selection.of(others), last)
    return [line.text for line in why_not_told(language, found)]


def why_not_told(language: Language, hindrances: Sequence[Hindrance]) -> Iterator[Line]:
    """Why a part cannot be chosen: sentences, where they are several under what they are about."""
    for one in hindrances:
        found = one.explanation
        if found.is_for_later:
            yield Line(verdict(found))
        if found.is_for_later and not found.belongs_to_a_turn:
            continue
        if one.lacks:
            yield from _lacks_told(language, one)
            continue
        reasons = [reason for _, reason in objections_told(found)]
        is_alone = len(hindrances) == 1 and not one.is_for_some
        if is_alone or found.is_for_later or not reasons:
            yield from map(Line, reasons)
        else:
            yield Line(verdict(found))
            yield from map(item, reasons)


def _lacks_told(language: Language, one: Hindrance) -> Iterator[Line]:
    name = names(one.explanation.state)
    yield Line(Message("For “{verb}” your hand lacks at least:", verb=one.kind.words()))
    for lack in one.lacks[:MOST_PLACES]:
        yield item(lack_told(language, lack, name, MOST_WAYS))
    if (more := len(one.lacks) - MOST_PLACES) > 0:
        yield item(Message.counted("and {count} more", "and {count} more", more))
