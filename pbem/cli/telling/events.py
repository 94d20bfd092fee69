"""Every event of the game as a sentence, where no order tells it already.

The names in a sentence stand for what differs from case to case; {They} is the side that the event
names: You, They, The British, The French.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.sieges import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from pbem.cli.telling.naming import Words, money, piece, points
from pbem.cli.words import counted, signed

if TYPE_CHECKING:
    from engine.state import Event

_EVENTS = {
    "drew": "{They} drew {drawn}.",
    "refilled": "{They} refilled {their} hand with {drawn}.",
    "shuffled": "{They} shuffled {number} into a new draw pile.",
    "paid": "{They} paid {money} for that.",
    "siege won": "{They} won the siege of {place}.",
    "captured": "{They} captured a {piece} at {place}, worth {points}.",
    "siege relieved": "{They} held {place}: its siege is over.",
    "card lost": "{They} lost the siege of {place}, and {cards} with it.",
    "siege lifted": "The siege of {place} is over, as nobody is left there.",
    "location given up": "{They} gave {place} up with its card.",
    "action returned": "{They} got the action back.",
}
"""The sentences of events that no order tells; {They} is the side that the event names."""


def tell_event(words: Words, event: Event, drawn: Sequence[str] = ()) -> str:
    """The sentence of an event; `drawn` are the cards drawn by it, where they may be known."""
    if event.what == "siege stands":
        return _standing(words, event)
    names = words.about(event.side) | {
        "place": words.name(event.location) if event.location else "",
        "cards": words.series(event.cards) if event.cards else "",
        "drawn": words.series(drawn) if drawn else counted(event.amount, "card"),
        "number": counted(event.amount, "card"),
        "money": money(event.amount),
        "points": points(event.amount),
        "piece": piece(event),
    }
    return _EVENTS[event.what].format_map(names)


def _standing(words: Words, event: Event) -> str:
    """How the siege stands that was just named, and what each side still needs."""
    strength, besieger = event.amount, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    if attack > 0 and defence > 0:
        sentence = (
            "The siege now stands at {strength}: {besieger} need {attack} more to win "
            "it, {defender} {defence} more."
        )
    elif attack > 0:
        sentence = (
            "The siege now stands at {strength}: {defender} are winning it, and "
            "{besieger} would need {attack} more to win."
        )
    else:
        sentence = (
            "The siege now stands at {strength}: {besieger} are winning it, and "
            "{defender} would need {defence} more to win."
        )
    return sentence.format(
        strength=signed(strength),
        besieger=words.whom(besieger),
        defender=words.whom(besieger.opponent),
        attack=attack,
        defence=defence,
    )
