"""The library: what this computer knows of its player's games.

It is an SQLite database in the player's data folder: what was signed, so that no player signs twice
by mistake; what was verified, so that nothing is verified twice; which games there are, and whose
move it is; what went by mail, so that nothing is sent twice; by which keys others are known, so
that nobody is taken for somebody else; turns that are not signed yet, so that none is to be ordered
twice. Losing it loses no game: reading their files fills it again.

Called by other modules of `play`, `inbox` and, for what is known, `text` and all above;
calls `protocol` and below.
docs/protocol.md, What a player's program has to take care of.
"""

from pbem.play.store.entries import Game, Listed, Seen, credible, is_ahead
from pbem.play.store.failures import LibraryBlocked, LibraryFailed
from pbem.play.store.known_players import Acquaintance, Person, Recognised, Trust
from pbem.play.store.library import (
    Destination,
    Dispatch,
    DispatchedAlready,
    Looked,
    Sending,
    Signing,
    Stamp,
    Store,
)
from pbem.play.store.own_records import GameClosed, SignedMeanwhile, closing, records_by

__all__ = [
    "Acquaintance",
    "Destination",
    "Dispatch",
    "DispatchedAlready",
    "Game",
    "GameClosed",
    "LibraryBlocked",
    "LibraryFailed",
    "Listed",
    "Looked",
    "Person",
    "Recognised",
    "Seen",
    "Sending",
    "SignedMeanwhile",
    "Signing",
    "Stamp",
    "Store",
    "Trust",
    "closing",
    "credible",
    "is_ahead",
    "records_by",
]
