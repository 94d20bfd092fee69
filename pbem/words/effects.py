"""What an order will cause, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import (
    ActionReturned,
    AmbushBlocked,
    Ambushed,
    Besieged,
    Captured,
    CardConverted,
    CardFetched,
    CardGained,
    CardGivenUp,
    CardLost,
    CardsReturned,
    ConversionTried,
    Developed,
    Drew,
    Event,
    Fortified,
    GameOver,
    HandShown,
    LeftNeutral,
    LocationGivenUp,
    Paid,
    RaidBlocked,
    Raided,
    RaidSucceeded,
    Received,
    Refilled,
    Reinforced,
    ReserveRetrieved,
    Settled,
    Shuffled,
    SiegeLifted,
    SiegeRelieved,
    SiegeStands,
    SiegeWon,
    TownReduced,
    TurnEnded,
    Withdrew,
)
from engine.message import Message, Said, mark
from pbem.view.preview import Preview
from pbem.words.deeds import Words, deed
from pbem.words.phrases import Name, listed

DEEDS: dict[type[Event], str] = {
    Settled: deed("{They} place a village in {place}."),
    CardGained: deed("{They} gain the card {cards}."),
    CardLost: deed("{They} give {cards} back."),
    SiegeWon: deed("{They} win the siege of {place}."),
    SiegeRelieved: deed("{They} hold {place}, and its siege is over."),
    Withdrew: deed("{They} give up the siege of {place}."),
    LocationGivenUp: deed("{They} give {place} up."),
    CardConverted: deed("{They} lose the card {cards}."),
    CardGivenUp: deed("{They} lose the card {cards}."),
    CardFetched: deed("{They} take {cards} to hand."),
    ReserveRetrieved: deed("{They} take {cards} to hand."),
    ActionReturned: deed("{They} get the action back."),
}
"""What {They} do, the side that the event names."""
_CAPTURED = {
    False: deed("{They} capture a village at {place}, for {points}."),
    True: deed("{They} capture a town at {place}, for {points}."),
}
"""The same of a piece that is captured, by whether it is a town."""
CHANGES: dict[type[Event], str] = {
    Developed: mark("The village in {place} becomes a town."),
    Fortified: mark("{place} gets a fortification."),
    LeftNeutral: mark("{place} becomes nobody's."),
    SiegeLifted: mark("The siege of {place} is lifted."),
    TownReduced: mark("A village is left in {place}."),
    RaidBlocked: mark("The attack comes to nothing."),
    AmbushBlocked: mark("The attack comes to nothing."),
}
"""What becomes of things."""
UNSAID = {
    *(Ambushed, Besieged, ConversionTried, Drew, HandShown, Paid, Raided),
    *(Received, Refilled, Reinforced, Shuffled, SiegeStands, TurnEnded),
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
        case Captured() | RaidSucceeded():
            return words.event(event, _CAPTURED[event.is_town])
        case CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be taken again.",
                "{cards} go back to where they can be taken again.",
                len(event.cards),
                cards=listed(event.cards, words.name),
            )
        case ReserveRetrieved():
            return words.event(event, DEEDS[kind], cards=listed(event.cards, words.name))
        case GameOver() if event.side is words.viewer:
            return Message("With this you win the game.")
        case GameOver():
            return Message("With this the {side} win the game.", side=event.side.label)
    if kind in DEEDS:
        return words.event(event, DEEDS[kind])
    return Message(CHANGES[kind], **words.facts(event))
