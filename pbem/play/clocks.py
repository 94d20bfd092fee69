"""When something was signed or came, by the clock of this computer as far as that is known.

docs/protocol.md, What a player's program has to take care of: Go by your own clock.
"""

from __future__ import annotations

from pbem.library import credible
from pbem.play.own_library import OwnLibrary
from pbem.protocol.match import Match


def since_when(own: OwnLibrary | None, match: Match, now: str) -> str | None:
    """Since when a match waits, by the clock here if that is known; None if nobody can say."""
    return credible(_arrival(own, match), match.last.time, now)


def letter_time(own: OwnLibrary | None, match: Match, now: str) -> str:
    """How the letter with the last record of a match is dated: as the record, but never ahead.

    A date that the record has borrowed is not repeated: then it is when the record was signed here,
    which is kept, so that the same letter can be made again.
    """
    signed = match.last.time
    return min(signed, _arrival(own, match) or signed, now)


def _arrival(own: OwnLibrary | None, match: Match) -> str:
    """When the last record of a match came here; empty where nobody knows."""
    return own.arrival(match.id, match.last.hash) if own else ""
