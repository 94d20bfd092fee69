"""What a game waits for, and what a silence of the player who is to write may mean.

docs/protocol.md, What a player's program has to take care of: Name an unanswered opening.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from engine.sides import Side
from pbem.protocol.match import Match


class Due(StrEnum):
    """What the next record brings, where it is more than a turn or a reply."""

    PLAY = "play"
    OPENING = "opening"
    CLOSE = "close"


class Silence(NamedTuple):
    """Who is to write, since when by the signed times, and what is due with it."""

    side: Side
    since: str
    due: Due


def silence(match: Match) -> Silence | None:
    """Whom the game waits for; None where nobody has joined, or all is said."""
    side = match.next_side
    if not match.is_joined or side is None:
        return None
    due = Due.PLAY
    if match.decks[side].owes_opening is not None:
        due = Due.OPENING
    elif match.is_over:
        due = Due.CLOSE
    return Silence(side, match.last.time, due)


def unclosed(match: Match) -> list[Side]:
    """The sides that have yet to close a game that is over; whoever writes next comes first."""
    if not match.is_over:
        return []
    left = [side for side in Side if side not in match.secrets]
    return sorted(left, key=lambda side: side is not match.next_side)
