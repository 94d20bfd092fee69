"""The endings of the game: the one place that knows them, and how far each side is from each.

docs/rules.md, The end. A player may also end it at any time by resigning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine import ruleset as rules
from engine.catalogue import Catalogue
from engine.message import Message, mark
from engine.scoring import score, winner_on_points
from engine.sides import Side
from engine.siege import BESIEGER_WINS_AT, siege_strength
from engine.state import EndsBy, Outcome, State


class Ending(NamedTuple):
    """One way for `side` to end the game, and how far the side is from it.

    `left` is what is missing: towns or villages to be placed, points to be captured, strength in
    the siege of the enemy home `location`, or the village to be placed there; None where nothing
    of it is under way: the home is not besieged, or is not to be settled because somebody holds it.
    With nothing left it comes at the start of that side's next turn, unless it `waits`: a siege,
    any siege, holds it up. A village that wins does so at once.
    """

    by: EndsBy
    side: Side
    left: int | None
    location: str | None = None
    waits: bool = False

    @property
    def is_due(self) -> bool:
        """Whether the game ends by it if the turn of its side begins now."""
        return self.left == 0 and not self.waits


def endings(state: State, side: Side) -> list[Ending]:
    """Every way to end the game that the rules of this game leave to `side`."""
    return [*_at_start(state, side), *_by_settling(state, side)]


def due(state: State, side: Side) -> Ending | None:
    """What ends the game if a turn of `side` begins now, if anything does (rulings 1, 2, 23)."""
    return next((ending for ending in _at_start(state, side) if ending.is_due), None)


def outcome(state: State, ending: Ending) -> Outcome:
    """How the game would have ended, if an ending came now."""
    told = _told(state.ruleset.catalogue, ending)
    if not ending.by.is_on_points:
        return Outcome(ending.side, told, told, ending.by, ending.side, ending.location)
    winner = winner_on_points(state)
    because = _told_of_them(ending) if winner is ending.side else told
    british, french = (score(state, side).total for side in Side)
    if british == french:
        told, because = _tied(told, french), _tied_for_them(because, french)
    return Outcome(winner, told, because, ending.by, ending.side, ending.location)


def _at_start(state: State, side: Side) -> Iterator[Ending]:
    """What is checked at the start of a turn of `side`, in that order."""
    fighting = bool(state.sieges)
    waits = fighting and state.ruleset.pieces_end_waits_for_sieges
    points = max(0, rules.CAPTURE_GOAL - state.captured_points(side))
    yield from _home_sieges(state, side)
    yield Ending(EndsBy.TOWNS, side, max(0, state.towns_left(side)), None, waits)
    yield Ending(EndsBy.VILLAGES, side, max(0, state.villages_left(side)), None, waits)
    yield Ending(EndsBy.CAPTURES, side, points, None, fighting)


def _home_sieges(state: State, side: Side) -> Iterator[Ending]:
    """The sieges of the enemy's homes: those that the enemy controls, so that they can be won."""
    siege = state.sieges.get(side)
    for home in sorted(rules.HOMES[side.opponent]):
        if state.owner(home) is not side.opponent:
            continue
        left = None
        if siege is not None and siege.location == home:
            left = max(0, BESIEGER_WINS_AT - siege_strength(state, side))
        yield Ending(EndsBy.HOME_SIEGE, side, left, home)


def _by_settling(state: State, side: Side) -> list[Ending]:
    places = sorted({*rules.HOMES[side.opponent], rules.FRENCH_GOAL})
    return [
        Ending(EndsBy.SETTLING, side, None if place in state.board else 1, place)
        for place in places
        if wins_by_settling(state, side, place)
    ]


def wins_by_settling(state: State, side: Side, location: str) -> bool:
    """Whether a new village wins: in the opponent's home, or a French one in Fort Duquesne."""
    if location in rules.HOMES[side.opponent]:
        return state.ruleset.settling_home_wins
    is_goal = side is Side.FRENCH and location == rules.FRENCH_GOAL
    return is_goal and state.ruleset.plays("duquesne-wins")


def settled(state: State, side: Side, location: str) -> Outcome | None:
    """How the game ends by a new village of `side`; None where it goes on."""
    if not wins_by_settling(state, side, location):
        return None
    return outcome(state, Ending(EndsBy.SETTLING, side, 0, location))


def given_up(state: State, side: Side, location: str) -> Outcome | None:
    """How the game ends when `side` withdraws as a defender; None where it goes on.

    Only a home of one's own is lost with the game (ruling 4).
    """
    if location not in rules.HOMES[side]:
        return None
    told = _given_up(state.ruleset.catalogue, location)
    return Outcome(side.opponent, told, told, EndsBy.GIVING_UP, side, location)


def resigned(side: Side) -> Outcome:
    """How the game ends when `side` gives it up."""
    told = _resigned(side)
    return Outcome(side.opponent, told, told, EndsBy.RESIGNING, side)


# --- why, in short phrases


def _given_up(catalogue: Catalogue, location: str) -> Message:
    # Translators: why a game ended; it follows "because".
    return Message("{place} was given up", place=catalogue.name_of(location))


def _resigned(side: Side) -> Message:
    # Translators: why a game ended; it follows "because".
    return Message("the {side} resigned", side=side.label)


def _told(catalogue: Catalogue, ending: Ending) -> Message:
    if ending.by is EndsBy.CAPTURES:
        # Translators: why a game ended; it follows "because".
        return Message.counted(
            "the {side} captured pieces worth {count} point",
            "the {side} captured pieces worth {count} points",
            rules.CAPTURE_GOAL,
            side=ending.side.label,
        )
    place = catalogue.name_of(ending.location) if ending.location else ""
    return Message(_REASONS[ending.by], place=place, side=ending.side.label)


def _told_of_them(ending: Ending) -> Message:
    """Why the side that ended the game has won it on points, as a clause about that side."""
    if ending.by is EndsBy.CAPTURES:
        # Translators: why the winner of a game has won; it follows "because".
        return Message.counted(
            "they captured pieces worth {count} point",
            "they captured pieces worth {count} points",
            rules.CAPTURE_GOAL,
        )
    return Message(_REASONS_OF_THEM[ending.by])


def _tied(reason: Message, points: int) -> Message:
    # Translators: why a game ended, and why the French won it; it follows "because".
    return Message.counted(
        "{reason}; with {count} point each the French win the tie",
        "{reason}; with {count} points each the French win the tie",
        points,
        reason=reason,
    )


def _tied_for_them(reason: Message, points: int) -> Message:
    # Translators: why the French have won a game; it follows "because".
    return Message.counted(
        "{reason}; the tie at {count} point each was enough",
        "{reason}; the tie at {count} points each was enough",
        points,
        reason=reason,
    )


_REASONS_OF_THEM = {
    # Translators: why the winner of a game has won; it follows "because".
    EndsBy.TOWNS: mark("they have no towns left to place"),
    # Translators: why the winner of a game has won; it follows "because".
    EndsBy.VILLAGES: mark("they have no villages left to place"),
}
_REASONS = {
    # Translators: why a game ended; it follows "because".
    EndsBy.HOME_SIEGE: mark("{place} fell to a siege"),
    # Translators: why a game ended; it follows "because".
    EndsBy.TOWNS: mark("the {side} have no towns left to place"),
    # Translators: why a game ended; it follows "because".
    EndsBy.VILLAGES: mark("the {side} have no villages left to place"),
    # Translators: why a game ended; it follows "because".
    EndsBy.SETTLING: mark("{place} was settled"),
}
