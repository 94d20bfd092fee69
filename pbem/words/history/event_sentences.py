"""Every event of the game as a sentence, unless an order already tells it.

The names in a sentence stand for what differs from case to case; {They} is the side that the event
names: You, They, The British, The French.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import events
from engine.events import Event
from engine.message import Message
from engine.siege import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from pbem.words.deeds import Words, deed
from pbem.words.phrases import signed
from pbem.words.tables import entry

RESIGNED = deed("{They} resigned.")
SENTENCES: dict[type[Event], str] = {
    # Translators: {number} is a phrase such as “3 cards”.
    events.Drew: deed("{They} drew {number}."),
    # Translators: {number} is a phrase such as “3 cards”.
    events.Refilled: deed("{They} refilled {their} hand with {number}."),
    # Translators: {number} is a phrase such as “3 cards”.
    events.Shuffled: deed("{They} shuffled {number} into a new draw pile."),
    events.Paid: deed("{They} paid {money} for that."),
    events.SiegeWon: deed("{They} won the siege of {place}."),
    events.SiegeRelieved: deed("{They} held {place}: its siege is over."),
    events.CardPledged: deed("{They} will lose {cards} with the siege of {place}."),
    events.CardLost: deed(
        "{They} lost the siege of {place}, and gave {cards} back: it can be drafted again."
    ),
    events.CardsCameBack: deed("{They} took {cards} from {place} to {their} discard pile."),
    events.LocationGivenUp: deed("{They} gave {place} up with its card."),
    events.ActionReturned: deed("{They} got the action back."),
}
"""The sentences of events that no order tells; {They} is the side that the event names."""
_DRAWN: dict[type[Event], str] = {
    events.Drew: deed("{They} drew {cards}."),
    events.Refilled: deed("{They} refilled {their} hand with {cards}."),
}
"""The same where the cards drawn may be known."""
_CAPTURED = {
    False: deed("{They} captured a village at {place}, worth {points}."),
    True: deed("{They} captured a town at {place}, worth {points}."),
}
"""By whether it is a town."""


def tell_event(words: Words, event: Event, drawn: Sequence[str] = ()) -> Message:
    """The sentence of an event; `drawn` are the cards drawn by it, where they may be known."""
    match event:
        case events.SiegeStands():
            return _standing(words, event)
        case events.SiegeLifted():
            place = words.name(event.location)
            return Message("The siege of {place} is over, as nobody is left there.", place=place)
        case events.GameOver():
            return Message("This won the game for the {side}.", side=event.side.label)
        case events.Captured():
            return words.event(event, _CAPTURED[event.is_town])
        case events.Drew() | events.Refilled() if drawn:
            return words.event(event, _DRAWN[type(event)], cards=words.series(drawn))
    return words.event(event, SENTENCES[type(event)])


def _standing(words: Words, event: events.SiegeStands) -> Message:
    """How the siege stands that was just named, and what each side still needs."""
    strength, besieger = event.strength, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    how = "falling" if attack <= 0 else "defended" if defence <= 0 else "undecided"
    readers = {besieger: "besieger", besieger.opponent: "defender"}
    reader = readers[words.viewer] if words.viewer else "spectator"
    return entry(
        "siege-stands",
        f"{how} {reader}",
        strength=signed(strength),
        besieger=besieger.label,
        defender=besieger.opponent.label,
        attack=attack,
        defence=defence,
    )
