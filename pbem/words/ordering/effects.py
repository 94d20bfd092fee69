"""What an order will cause, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events
from engine.events import Event
from engine.message import Message, Said, mark
from pbem.view.trial import Preview
from pbem.words.deeds import Words, deed
from pbem.words.phrases import Name, listed

DEEDS: dict[type[Event], str] = {
    events.Settled: deed("{They} place a village in {place}."),
    events.CardGained: deed("{They} gain the card {cards}."),
    events.CardLost: deed("{They} give {cards} back."),
    events.SiegeWon: deed("{They} win the siege of {place}."),
    events.SiegeRelieved: deed("{They} hold {place}, and its siege is over."),
    events.Withdrew: deed("{They} give up the siege of {place}."),
    events.LocationGivenUp: deed("{They} give {place} up."),
    events.CardConverted: deed("{They} lose the card {cards}."),
    events.CardGivenUp: deed("{They} lose the card {cards}."),
    events.CardFetched: deed("{They} take {cards} to hand."),
    events.ReserveRetrieved: deed("{They} take {cards} to hand."),
    events.ActionReturned: deed("{They} get the action back."),
}
"""What {They} do, the side that the event names."""
_CAPTURED = {
    False: deed("{They} capture a village at {place}, for {points}."),
    True: deed("{They} capture a town at {place}, for {points}."),
}
"""The same of a piece that is captured, by whether it is a town."""
CHANGES: dict[type[Event], str] = {
    events.Developed: mark("The village in {place} becomes a town."),
    events.Fortified: mark("{place} gets a fortification."),
    events.LeftNeutral: mark("{place} becomes nobody's."),
    events.SiegeLifted: mark("The siege of {place} is lifted."),
    events.TownReduced: mark("A village is left in {place}."),
    events.RaidBlocked: mark("The attack comes to nothing."),
    events.AmbushBlocked: mark("The attack comes to nothing."),
}
"""What becomes of things."""
UNSAID = {
    events.Ambushed,
    events.Besieged,
    events.ConversionTried,
    events.Drew,
    events.HandShown,
    events.Paid,
    events.Raided,
    events.Received,
    events.Refilled,
    events.Reinforced,
    events.Shuffled,
    events.SiegeStands,
    events.TurnEnded,
}
"""Events that are plain from the order, or told by the numbers."""


def effects_told(seen: Preview, name: Name) -> Iterator[Said]:
    """What an order will cause, a sentence for each event, said to the side that gives it."""
    words = Words(name, seen.side, None)
    return (effect_told(event, words) for event in seen.events if type(event) not in UNSAID)


def effect_told(event: Event, words: Words) -> Said:
    """The sentence of an event that an order will cause."""
    kind = type(event)
    match event:
        case events.Captured() | events.RaidSucceeded():
            return words.event(event, _CAPTURED[event.is_town])
        case events.CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be taken again.",
                "{cards} go back to where they can be taken again.",
                len(event.cards),
                cards=listed(event.cards, words.name),
            )
        case events.ReserveRetrieved():
            return words.event(event, DEEDS[kind], cards=listed(event.cards, words.name))
        case events.GameOver() if event.side is words.viewer:
            return Message("With this you win the game.")
        case events.GameOver():
            return Message("With this the {side} win the game.", side=event.side.label)
    if kind in DEEDS:
        return words.event(event, DEEDS[kind])
    return Message(CHANGES[kind], **words.facts(event))
