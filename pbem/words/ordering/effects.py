"""What an order will cause, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events
from engine.events import Event
from engine.message import Message, Said
from pbem.view.trial import Preview
from pbem.words.deeds import Words, deeds
from pbem.words.phrases import Name, listed
from pbem.words.tables import entry

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
            yield words.event(event, deeds("foreseen")["robbed"])
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
    kind, foreseen = type(event).__name__, deeds("foreseen")
    match event:
        case events.Captured() | events.RaidSucceeded():
            return words.event(
                event, deeds("foreseen-capture")["town" if event.is_town else "village"]
            )
        case events.CardsReturned():
            return Message.counted(
                "{cards} goes back to where it can be gained again.",
                "{cards} go back to where they can be gained again.",
                len(event.cards),
                cards=listed(event.cards, words.name),
            )
        case events.ReserveRetrieved():
            return words.event(event, foreseen[kind], cards=listed(event.cards, words.name))
        case events.GameOver() if event.side is words.viewer:
            return Message("This wins the game for you.")
        case events.GameOver():
            return Message("This wins the game for the {side}.", side=event.side.label)
    if kind in foreseen:
        return words.event(event, foreseen[kind])
    return entry("changes", kind, **words.facts(event))
