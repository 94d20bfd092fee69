"""What an order will cause, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, Said, mark
from engine.state import Event
from pbem.view.trial import Preview
from pbem.words.deeds import Words, deed, is_town
from pbem.words.phrases import Name, listed, points_counted

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
_CAPTURED = {
    False: deed("{They} capture a village at {place}, for {points}."),
    True: deed("{They} capture a town at {place}, for {points}."),
}
"""The same of a piece that is captured, by whether it is a town."""
_CHANGES = {
    "developed": mark("The village in {place} becomes a town."),
    "fortified": mark("{place} gets a fortification."),
    "left neutral": mark("{place} becomes nobody's."),
    "siege lifted": mark("The siege of {place} is lifted."),
    "town reduced": mark("A village is left in {place}."),
    "blocked": mark("The attack comes to nothing."),
}
"""What becomes of things, by the event."""
EFFECTS = {*_DEEDS, *_CHANGES, "captured", "raid succeeded", "cards returned", "game over"}
"""The events that are told."""
UNSAID = {
    *("ambushed", "besieged", "conversion tried", "drew", "hand shown", "paid", "raided"),
    *("received", "refilled", "reinforced", "shuffled", "siege stands", "turn ended"),
}
"""Events that are plain from the order, or told by the numbers."""


def effects_told(seen: Preview, name: Name) -> Iterator[Said]:
    """What an order will cause, a sentence for each event, said to the side that gives it."""
    for event in seen.events:
        if event.what in EFFECTS:
            yield _told(event, Words(name, seen.side, None))


def _told(event: Event, words: Words) -> Said:
    what, side = event.what, event.side
    place = words.name(event.location) if event.location else ""
    cards = listed(event.cards, words.name)
    if what in _CHANGES:
        return Message(_CHANGES[what], place=place)
    if what in _DEEDS:
        return words.deed(side, _DEEDS[what], place=place, cards=cards)
    if what == "cards returned":
        return Message.counted(
            "{cards} goes back to where it can be taken again.",
            "{cards} go back to where they can be taken again.",
            len(event.cards),
            cards=cards,
        )
    if what == "game over":
        if side is words.viewer:
            return Message("With this you win the game.")
        return Message("With this the {side} win the game.", side=side.label)
    sentence, points = _CAPTURED[is_town(event)], points_counted(event.amount)
    return words.deed(side, sentence, place=place, points=points)
