"""What happened: a value type for each kind of event, with the facts that it has and no others.

An input to a state returns the events that came of it, in their order, for reports. Every event
belongs to a `side`: the one that did it, or to which it happened.
"""

from __future__ import annotations

from engine.sides import Side
from engine.value import Value


class Event(Value):
    """One thing that happened."""

    side: Side


# --- the course of a turn


class TurnEnded(Event):
    """A side ended its turn."""


class Passed(Event):
    """A side used an action to do nothing."""


class Shuffled(Event):
    """A discard pile of `count` cards became a draw pile."""

    count: int


class Drew(Event):
    """A side drew cards in the middle of its turn, or before the first."""

    count: int


class Refilled(Event):
    """A side drew cards up to a full hand."""

    count: int


class GameOver(Event):
    """The game ended, and the side won it."""


# --- money


class Paid(Event):
    """Money went to the bank."""

    money: int


class Received(Event):
    """Money came from the bank."""

    money: int


# --- locations


class Settled(Event):
    """A village was placed, worth `points`."""

    location: str
    points: int


class CardGained(Event):
    """The card of a location came to the discard pile of its side."""

    location: str
    card: str


class Developed(Event):
    """A village became a town, worth `points`."""

    location: str
    points: int


class Fortified(Event):
    """A fortification disc was placed."""

    location: str


class LocationGivenUp(Event):
    """A location became neutral, because its card was returned (house rule)."""

    location: str


# --- sieges


class Besieged(Event):
    """A siege was opened."""

    location: str


class Reinforced(Event):
    """A card was played to a siege, in which it counts `strength`."""

    location: str
    card: str
    strength: int


class SiegeStands(Event):
    """How a siege stands for its besieger after its cards have changed."""

    location: str
    strength: int


class SiegeWon(Event):
    """A siege ended, won by its besieger."""

    location: str


class SiegeRelieved(Event):
    """A siege ended, won by its defender."""

    location: str


class SiegeLifted(Event):
    """A siege of that besieger ended without a loser, as nobody was left there."""

    location: str


class Withdrew(Event):
    """A siege was given up, by its besieger or its defender."""

    location: str


class CardPledged(Event):
    """The card that a siege will cost the side was chosen, because the siege stands lost."""

    location: str
    card: str


class CardLost(Event):
    """A card was given back for a siege that was lost: it can be gained again."""

    location: str
    card: str


class CardsCameBack(Event):
    """The cards of a side at a siege that ended came to its discard pile."""

    location: str
    cards: tuple[str, ...]


class Captured(Event):
    """A piece was captured in a siege, worth `points`: a town, or else a village."""

    location: str
    is_town: bool
    points: int


class LeftNeutral(Event):
    """A location just won became neutral."""

    location: str


# --- raids, ambushes and conversions


class Raided(Event):
    """A raid was made, which the opponent may block."""

    location: str
    cards: tuple[str, ...]


class RaidBlocked(Event):
    """The raid of a location came to nothing."""

    location: str
    card: str


class RaidSucceeded(Event):
    """A piece was captured by a raid, worth `points`: a town, or else a village."""

    location: str
    is_town: bool
    points: int


class TownReduced(Event):
    """A village is left where a town was captured."""

    location: str


class Ambushed(Event):
    """An ambush was made, which the opponent may block."""

    card: str


class AmbushBlocked(Event):
    """An ambush came to nothing."""

    card: str


class ConversionTried(Event):
    """A card was played to claim a neutral one."""

    card: str


class ActionReturned(Event):
    """The action that a blocked attack had cost came back (house rule)."""


class CardGivenUp(Event):
    """A card was lost to an ambush: from hand or reserve, or from the siege of a `location`."""

    location: str | None
    card: str


class CardConverted(Event):
    """A card was lost to the other side."""

    card: str


class HandShown(Event):
    """A whole hand was shown."""

    cards: tuple[str, ...]


# --- cards


class Drafted(Event):
    """An available card came to the discard pile."""

    card: str


class Discarded(Event):
    """Cards went from hand to the discard pile, without any other effect."""

    cards: tuple[str, ...]


class Reserved(Event):
    """A card went from hand to the reserve."""

    card: str


class ReserveRetrieved(Event):
    """The whole reserve came back to hand."""

    cards: tuple[str, ...]


class CardsReturned(Event):
    """Cards went from hand to where they can be gained again."""

    cards: tuple[str, ...]


class CardFetched(Event):
    """A card came from the discard pile to hand."""

    card: str


class SupportCalled(Event):
    """Home Support was played: it comes to the discard pile once its cards are drawn."""

    card: str


class CardAdded(Event):
    """An available card was added to the initial deck (house rule)."""

    card: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event."""
