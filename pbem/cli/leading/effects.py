"""What an order will cause, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.message import Message, Said, mark
from engine.sides import Side
from engine.state import Event
from pbem.cli.leading.preview import Preview
from pbem.cli.telling.naming import Words, deed, is_town
from pbem.cli.words import Name, listed, points_counted

_DEEDS = {
    "settled": deed("{They} place a village in {place}."),
    "card gained": deed("{They} gain the card {cards}."),
    "card lost": deed("{They} give {cards} back."),
    "siege won": deed("{They} win the siege of {place}."),
    "siege relieved": deed("{They} hold {place}, and its siege is over."),
    "withdrew": deed("{They} give up the siege of {place}."),
    "location given up": deed("{They} give {place} up."),
    "card converted": deed("{They} lose the card {cards}."),
    "card given up": deed("{They} lose the card {cards}."),
    "card fetched": deed("{They} take {cards} to hand."),
    "reserve retrieved": deed("{They} take {cards} to hand."),
    "action returned": deed("{They} get the action back."),
}
"""What {They} do, the side that the event names, by the event."""
_CHANGES = {
    "developed": mark("The village in {place} becomes a town."),
    "fortified": mark("{place} gets a fortification."),
    "left neutral": mark("{place} becomes nobody's."),
    "siege lifted": mark("The siege of {place} is lifted."),
    "town reduced": mark("A village is left in {place}."),
    "blocked": mark("The attack comes to nothing."),
}
"""What becomes of things, by the event."""


def _captured(event: Event, viewer: Side, name: Name) -> Said:
    if is_town(event):
        sentence = deed("{They} capture a town at {place}, for {points}.")
    else:
        sentence = deed("{They} capture a village at {place}, for {points}.")
    return Words(name, viewer, None).deed(
        event.side, sentence, place=_place(event, name), points=points_counted(event.amount)
    )


def _returned(event: Event, viewer: Side, name: Name) -> Message:
    return Message.counted(
        "{cards} goes back to where it can be taken again.",
        "{cards} go back to where they can be taken again.",
        len(event.cards),
        cards=listed(event.cards, name),
    )


def _won(event: Event, viewer: Side, name: Name) -> Message:
    if event.side is viewer:
        return Message("With this you win the game.")
    return Message("With this the {side} win the game.", side=event.side.label)


_OTHERS: dict[str, Callable[[Event, Side, Name], Said]] = {
    "captured": _captured,
    "raid succeeded": _captured,
    "cards returned": _returned,
    "game over": _won,
}
EFFECTS = frozenset({*_DEEDS, *_CHANGES, *_OTHERS})
"""The events that are told."""
UNSAID = frozenset(
    {
        "ambushed",
        "besieged",
        "conversion tried",
        "drew",
        "hand shown",
        "paid",
        "raided",
        "received",
        "refilled",
        "reinforced",
        "shuffled",
        "siege stands",
        "turn ended",
    }
)
"""Events that are plain from the order, or told by the numbers."""


def effects_told(seen: Preview, name: Name) -> Iterator[Said]:
    """What an order will cause, a sentence for each event, said to the side that gives it."""
    for event in seen.events:
        if event.what in EFFECTS:
            yield _told(event, seen.side, name)


def _told(event: Event, viewer: Side, name: Name) -> Said:
    if event.what in _OTHERS:
        return _OTHERS[event.what](event, viewer, name)
    place = _place(event, name) if event.location else ""
    if event.what in _CHANGES:
        return Message(_CHANGES[event.what], place=place)
    cards = listed(event.cards, name)
    words = Words(name, viewer, None)
    return words.deed(event.side, _DEEDS[event.what], place=place, cards=cards)


def _place(event: Event, name: Name) -> Said:
    assert event.location is not None
    return name(event.location)
