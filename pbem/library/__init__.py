"""The library: what this computer knows of its player's games.

It is an SQLite database in the player's data folder: what was signed, so that no player signs twice
by mistake; what was verified, so that nothing is verified twice; which games there are, and whose
move it is; what went by mail, so that nothing is sent twice; by which keys others are known, so
that nobody is taken for somebody else; turns that are not signed yet, so that none is to be ordered
twice. Losing it loses no game: reading their files fills it again.

Called by `play` and, for what is known, all above; calls `protocol` and below.
docs/protocol.md, What a player's program has to take care of.
"""

from pbem.library.acquaintances import (
    Acquaintance,
    Person,
    Players,
    Recognised,
    Trust,
)
from pbem.library.database import LibraryBlocked, LibraryFailed
from pbem.library.destinations import Destination
from pbem.library.entries import Game, Listed, Seen, credible, is_ahead
from pbem.library.holdings import Library, SignedMeanwhile, Signing
from pbem.library.kept_turns import KeptTurns
from pbem.library.own_part import GameClosed, closing, is_blank, own_part
from pbem.library.post import Dispatch, DispatchedAlready, Looked, Post, Sending
from pbem.library.stamps import Stamp, Stamps

__all__ = [
    "Acquaintance",
    "Destination",
    "Dispatch",
    "DispatchedAlready",
    "Game",
    "GameClosed",
    "KeptTurns",
    "Library",
    "LibraryBlocked",
    "LibraryFailed",
    "Listed",
    "Looked",
    "Person",
    "Players",
    "Post",
    "Recognised",
    "Seen",
    "Sending",
    "SignedMeanwhile",
    "Signing",
    "Stamp",
    "Stamps",
    "Trust",
    "closing",
    "credible",
    "is_ahead",
    "is_blank",
    "own_part",
]
