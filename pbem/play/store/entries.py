"""The games of a player, each as the newest file of it tells, and when their records came.

The dates of records are their signers' word; when they came, by the clock of this computer. One's
own record came when it was signed here. That is noted once, with the file in which it was seen
first; of what came before such times were kept, or is learnt from old files, it is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from engine.sides import Side
from engine.value import Value
from pbem.protocol.cache import Snapshot
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import silence

YOU, OPPONENT, NOBODY = "you", "opponent", "nobody"
"""For whom a game waits."""
JOIN = "join"
"""Due of whoever an invitation waits for; else it is a `Due`, or empty."""


class Game(NamedTuple):
    """A game that a player takes part in, as far as its newest known file goes.

    `records` are in that file, `last` is the hash of its last one. `house_rules` are words with
    spaces between. `side` is the player's own, "any" while the guest has yet to choose; `opponent`
    and `email` are empty until somebody has joined. `turn` counts from 1, 0 before the game has
    begun. `since` is the signed time of the last record; `winner` a side, empty until it is over.
    """

    records: int
    last: bytes
    edition: str
    house_rules: str
    side: str
    opponent: str
    email: str
    turn: int
    waits_for: str
    due: str
    since: str
    winner: str

    @property
    def is_finished(self) -> bool:
        """True if nobody is to write in it any more."""
        return self.waits_for == NOBODY

    def is_within(self, hashes: Sequence[bytes]) -> bool:
        """Return True if records with these hashes are its newest known file, or go on from it."""
        return len(hashes) >= self.records and hashes[self.records - 1] == self.last

    @classmethod
    def of(cls, match: Match, key: bytes) -> Game | None:
        """Return the game of the player with that key; None if nobody plays with it."""
        invite = match.invite
        side = next((side for side, who in match.entrants.items() if who.key == key), None)
        if side is None and invite.key != key:
            return None
        other = match.entrants.get(side.opponent) if side else None
        waits = silence(match)
        waits_for, due = (OPPONENT, JOIN) if not match.is_joined else (NOBODY, "")
        if waits is not None:
            waits_for, due = YOU if waits.side is side else OPPONENT, waits.due.value
        outcome = match.state.outcome if match.has_table else None
        return cls(
            records=len(match.records),
            last=match.last.hash,
            edition=invite.edition,
            house_rules=" ".join(invite.house_rules),
            side=side.value if side else invite.side,
            opponent=other.name if other else "",
            email=other.email if other else "",
            turn=match.turn,
            waits_for=waits_for,
            due=due,
            since=match.last.time,
            winner=outcome.winner.value if outcome else "",
        )


class Seen(Value):
    """A file of a game of the player's that was read or written, and holds.

    `path` is where it lies, None if it cannot be found again there. The records up to `begun` were
    known before, by a snapshot; `match` has a later one if one is due.
    """

    game: Game
    records: Sequence[Record]
    path: Path | None
    begun: int = 0
    match: Match | None = None

    @classmethod
    def of(cls, match: Match, key: bytes, path: Path | None) -> Seen | None:
        """Return the file at that path with this match; None if that key does not play in it."""
        game = Game.of(match, key)
        if game is None:
            return None
        # Not a copy: a new record is signed while it is noted.
        return Seen(game, match.records, path, match.begun, match)

    @property
    def id(self) -> bytes:
        """The id of the game."""
        return self.records[0].hash

    @property
    def hashes(self) -> list[bytes]:
        """The hashes of its records."""
        return [record.hash for record in self.records]

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot to be kept of it; None if it is known, or there is none."""
        return self.match.snapshot if self.match else None

    def is_by(self, key: bytes, record: Record) -> bool:
        """Return True if the player with that key wrote a record: both take turns."""
        invite = self.records[0].steps[0]
        return (record.index % 2 == 0) == (getattr(invite, "key", None) == key)


class Listed(Value):
    """A game as the library lists it.

    `file_in` is the last file that the opponent wrote, `file_out` the last own one, each where it
    was last seen; `pace` is how many days a move may take, None if nothing was agreed. `arrived`
    is when the last record came to this computer, or was signed on it, by its own clock; empty
    if nobody knows. `entry` is the greater, the later the game was listed first.
    """

    id: bytes
    game: Game
    file_in: Path | None
    file_out: Path | None
    pace: int | None
    arrived: str = ""
    entry: int = 0

    @property
    def own_side(self) -> Side | None:
        """The side of the player; None while the guest has yet to choose."""
        return None if self.game.side == "any" else Side(self.game.side)


# --- when records came

AHEAD = timedelta(hours=48)
"""A date further ahead than this is told: no difference of clocks is as large."""


def is_ahead(time: str, now: str) -> bool:
    """Return True if a time as records have it is further ahead of `now` than clocks differ."""
    return _at(time) - _at(now) > AHEAD


def credible(arrived: str, signed: str, now: str) -> str | None:
    """Return when a record was there: as it `arrived` by this clock, else as it is signed.

    Never later than `now`; None if that cannot be said, because its date is far ahead. A clock
    that was ahead when the record came counts for nothing.
    """
    if arrived and _at(arrived) <= _at(now):
        return arrived
    return None if is_ahead(signed, now) else min(signed, now, key=_at)


def age(listed: Listed) -> tuple[str, bytes]:
    """Return a sort key by which the game that waits longest comes first."""
    return listed.arrived or listed.game.since, listed.id


def as_time(stored: object) -> str:
    """Return a time as it was noted; empty for a damaged one: nobody is refused anything for it."""
    try:
        is_time = _at(str(stored)).tzinfo is not None
    except ValueError:
        return ""
    return str(stored) if is_time else ""


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)
