"""Events: one value class for each kind, with exactly the fields that the kind needs.

Applying an input to a state returns the events that it caused, in order, for reports. The `side` of
an event is the side that acted, or the side that it happened to.
"""

from __future__ import annotations

from engine.sides import Side
from engine.value import Value


class Event(Value):
    """Something that happened in a game.

    >>> from engine.game import apply
    >>> from engine.orders import from_notation
    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> apply(state, from_notation("draft militia"))
    [Paid(side=british, money=2), Drafted(side=british, card=militia)]
    """

    side: Side


# --- the course of a turn


class TurnEnded(Event):
    """A side ended its turn."""


class Passed(Event):
    """A side used an action without doing anything."""


class Shuffled(Event):
    """A discard pile of `count` cards became a draw pile."""

    count: int


class Drew(Event):
    """A side drew cards during its turn, or before its first one."""

    count: int


class Refilled(Event):
    """A side drew cards up to a full hand."""

    count: int


class GameOver(Event):
    """The game ended, and `side` won it."""


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
    """The card of a location went to its side's discard pile."""

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
    """A card was played to a siege and adds `strength`."""

    location: str
    card: str
    strength: int


class SiegeStands(Event):
    """The cards of a siege changed: its new `strength`, positive for the besieger."""

    location: str
    strength: int


class SiegeWon(Event):
    """A siege ended, won by its besieger."""

    location: str


class SiegeRelieved(Event):
    """A siege ended, won by its defender."""

    location: str


class SiegeLifted(Event):
    """A siege ended without a loser, because no piece was left there; `side` besieged it."""

    location: str


class Withdrew(Event):
    """A siege was given up, by its besieger or its defender."""

    location: str


class CardPledged(Event):
    """A side chose the card that a siege about to be lost will cost."""

    location: str
    card: str


class CardLost(Event):
    """A card was given back for a lost siege; it can be gained again."""

    location: str
    card: str


class CardsCameBack(Event):
    """The siege ended, and the cards of a side there went to its discard pile."""

    location: str
    cards: tuple[str, ...]


class Captured(Event):
    """A piece worth `points` was captured in a siege: a town, or else a village."""

    location: str
    is_town: bool
    points: int


class LeftNeutral(Event):
    """The winner of a siege left the location neutral."""

    location: str


# --- raids, ambushes and conversions


class Raided(Event):
    """A side raided a location; the opponent may block it."""

    location: str
    cards: tuple[str, ...]


class RaidBlocked(Event):
    """The opponent blocked the raid of a location."""

    location: str
    card: str


class RaidSucceeded(Event):
    """A raid captured a piece worth `points`: a town, or else a village."""

    location: str
    is_town: bool
    points: int


class TownReduced(Event):
    """A captured town left a village behind."""

    location: str


class Ambushed(Event):
    """A side made an ambush; the opponent may block it."""

    card: str


class AmbushBlocked(Event):
    """The opponent blocked an ambush."""

    card: str


class ConversionTried(Event):
    """A side played a card to claim a neutral one."""

    card: str


class ActionReturned(Event):
    """The action spent on a blocked attack came back (house rule)."""


class CardGivenUp(Event):
    """A side lost a card to an ambush: from hand, reserve, or the siege of a `location`."""

    location: str | None
    card: str


class CardConverted(Event):
    """A side lost a card to the other side."""

    card: str


class HandShown(Event):
    """A side showed its whole hand."""

    cards: tuple[str, ...]


# --- cards


class Drafted(Event):
    """A side bought an available card, which went to its discard pile."""

    card: str


class Discarded(Event):
    """Cards went from hand to the discard pile without any other effect."""

    cards: tuple[str, ...]


class Reserved(Event):
    """A card went from hand to the reserve."""

    card: str


class ReserveRetrieved(Event):
    """The whole reserve came back to hand."""

    cards: tuple[str, ...]


class CardsReturned(Event):
    """Cards went from hand back to the available cards."""

    cards: tuple[str, ...]


class CardFetched(Event):
    """A card came from the discard pile to hand."""

    card: str


class SupportCalled(Event):
    """Home Support was played; it is discarded once its cards are drawn."""

    card: str


class CardAdded(Event):
    """An available card was added to the initial deck (house rule)."""

    card: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""All kinds of event."""
