"""Every event of the game as a sentence, where no order tells it already.

The names in a sentence stand for what differs from case to case; {They} is the side that the event
names: You, They, The British, The French.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.message import Message, mark
from engine.sieges import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from pbem.words.deeds import Words, deed, is_town
from pbem.words.phrases import cards_counted, money_counted, points_counted, signed

if TYPE_CHECKING:
    from engine.state import Event

RESIGNED = deed("{They} resigned.")
_EVENTS = {
    # Translators: {number} is a phrase such as “3 cards”.
    "drew": deed("{They} drew {number}."),
    # Translators: {number} is a phrase such as “3 cards”.
    "refilled": deed("{They} refilled {their} hand with {number}."),
    # Translators: {number} is a phrase such as “3 cards”.
    "shuffled": deed("{They} shuffled {number} into a new draw pile."),
    "paid": deed("{They} paid {money} for that."),
    "siege won": deed("{They} won the siege of {place}."),
    "siege relieved": deed("{They} held {place}: its siege is over."),
    "card lost": deed("{They} lost the siege of {place}, and {cards} with it."),
    "location given up": deed("{They} gave {place} up with its card."),
    "action returned": deed("{They} got the action back."),
}
"""The sentences of events that no order tells; {They} is the side that the event names."""
_DRAWN = {
    "drew": deed("{They} drew {cards}."),
    "refilled": deed("{They} refilled {their} hand with {cards}."),
}
"""The same where the cards drawn may be known."""
_CAPTURED = {
    False: deed("{They} captured a village at {place}, worth {points}."),
    True: deed("{They} captured a town at {place}, worth {points}."),
}
"""By whether it is a town."""


def tell_event(words: Words, event: Event, drawn: Sequence[str] = ()) -> Message:
    """The sentence of an event; `drawn` are the cards drawn by it, where they may be known."""
    place = words.name(event.location) if event.location else ""
    if event.what == "siege stands":
        return _standing(words, event)
    if event.what == "siege lifted":
        return Message("The siege of {place} is over, as nobody is left there.", place=place)
    known = drawn if event.what in _DRAWN else ()
    if event.what == "captured":
        message = _CAPTURED[is_town(event)]
    else:
        message = (_DRAWN if known else _EVENTS)[event.what]
    return words.deed(
        event.side,
        message,
        place=place,
        cards=words.series(known or event.cards),
        number=cards_counted(event.amount),
        money=money_counted(event.amount),
        points=points_counted(event.amount),
    )


# --- how a siege stands


_UNDECIDED = (
    mark(
        "The siege now stands at {strength}: you need {attack} more to win it, "
        "the {defender} {defence} more."
    ),
    mark(
        "The siege now stands at {strength}: the {besieger} need {attack} more to win it, "
        "you {defence} more."
    ),
    mark(
        "The siege now stands at {strength}: the {besieger} need {attack} more to win it, "
        "the {defender} {defence} more."
    ),
)
_DEFENDED = (
    mark(
        "The siege now stands at {strength}: the {defender} are winning it, and "
        "you would need {attack} more to win."
    ),
    mark(
        "The siege now stands at {strength}: you are winning it, and "
        "the {besieger} would need {attack} more to win."
    ),
    mark(
        "The siege now stands at {strength}: the {defender} are winning it, and "
        "the {besieger} would need {attack} more to win."
    ),
)
_FALLING = (
    mark(
        "The siege now stands at {strength}: you are winning it, and "
        "the {defender} would need {defence} more to win."
    ),
    mark(
        "The siege now stands at {strength}: the {besieger} are winning it, and "
        "you would need {defence} more to win."
    ),
    mark(
        "The siege now stands at {strength}: the {besieger} are winning it, and "
        "the {defender} would need {defence} more to win."
    ),
)
"""Each for a reader who is the besieger, the defender, or neither."""


def _standing(words: Words, event: Event) -> Message:
    """How the siege stands that was just named, and what each side still needs."""
    strength, besieger = event.amount, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    besieging, defending, neither = (
        _FALLING if attack <= 0 else _DEFENDED if defence <= 0 else _UNDECIDED
    )
    told = {besieger: besieging, besieger.opponent: defending}
    return Message(
        told[words.viewer] if words.viewer else neither,
        strength=signed(strength),
        besieger=besieger.label,
        defender=besieger.opponent.label,
        attack=attack,
        defence=defence,
    )
