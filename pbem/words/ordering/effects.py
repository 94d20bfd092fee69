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
    events.CardGained: deed("{They} gain the card {cards}, which goes to {their} discard pile."),
    events.CardLost: deed("{They} give {cards} back: it can be drafted again."),
    events.CardsCameBack: deed("{They} take {cards} from {place} to {their} discard pile."),
    events.CardPledged: deed("{They} give {cards} back when the siege of {place} is lost."),
    events.SiegeWon: deed("{They} win the siege of {place}."),
    events.SiegeRelieved: deed("{They} hold {place}, and its siege is over."),
    events.Withdrew: deed("{They} give up the siege of {place}."),
    events.LocationGivenUp: deed("{They} give {place} up."),
    events.CardConverted: deed("{They} lose the card {cards}."),
    events.CardGivenUp: deed("{They} lose the card {cards}."),
    events.CardFetched: deed("{They} take {cards} to hand."),
    events.CardAdded: deed("{They} put {cards} into {their} initial deck."),
    events.Drafted: deed("{They} take {cards} to {their} discard pile."),
    events.Reserved: deed("{They} put {cards} into {their} reserve."),
    events.ReserveRetrieved: deed("{They} take {cards} to hand."),
    events.ActionReturned: deed("{They} get the action back."),
}
"""What {They} do, the side that the event names."""
_CAPTURED = {
    False: deed("{They} capture a village at {place}, for {points}."),
    True: deed("{They} capture a town at {place}, for {points}."),
}
"""The same of a piece that is captured, by whether it is a town."""
_ROBBED = deed("{They} lose {money} to {foe}.")
CHANGES: dict[type[Event], str] = {
    events.Developed: mark("The village in {place} becomes a town."),
    events.Fortified: mark("{place} gets a fortification."),
    events.LeftNeutral: mark("{place} becomes neutral."),
    events.Passed: mark("Nothing is done with it."),
    events.Reinforced: mark("{cards} stays at the siege of {place}."),
    events.SupportCalled: mark("{cards} is discarded after the draw."),
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
    events.Discarded,
    events.Drew,
    events.HandShown,
    events.Paid,
    events.Raided,
    events.Received,
    events.Refilled,
    events.Shuffled,
    events.SiegeStands,
    events.TurnEnded,
}
"""Events that are obvious from the order, or shown by the numbers."""


def effects_told(seen: Preview, name: Name) -> Iterator[Said]:
    """What an order will cause, a sentence for each event, said to the side that gives it.

    And which cards it takes from hand to the discard pile.
    """
    words = Words(name, seen.side, None)
    for event in seen.events:
        if isinstance(event, events.Paid) and event.side is not seen.side:
            yield words.event(event, _ROBBED)
        elif type(event) not in UNSAID:
            yield effect_told(event, words)
    if cards := seen.discarded:
        yield Message.counted(
            "{cards} goes to your discard pile.",
            "{cards} go to your discard pile.",
            len(cards),
            cards=listed(cards, name),
        )


def effect_told(event: Event, words: Words) -> Said:
    """The sentence of an event that an order will cause."""
    kind = type(event)
    match event:
        case events.Captured() | events.RaidSucceeded():
            return words.event(event, _CAPTURED[event.is_town])
        case events.CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be gained again.",
                "{cards} go back to where they can be gained again.",
                len(event.cards),
                cards=listed(event.cards, words.name),
            )
        case events.ReserveRetrieved():
            return words.event(event, DEEDS[kind], cards=listed(event.cards, words.name))
        case events.GameOver() if event.side is words.viewer:
            return Message("This wins the game for you.")
        case events.GameOver():
            return Message("This wins the game for the {side}.", side=event.side.label)
    if kind in DEEDS:
        return words.event(event, DEEDS[kind])
    return Message(CHANGES[kind], **words.facts(event))
