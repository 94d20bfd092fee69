"""When records came to this computer, by its own clock: their dates are their signers' word.

An own record came when it was signed here. That is noted once, with the file in which it was seen
first; of what came before such times were kept, or is learnt from old files, it is not known.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.library.database import Connection, has_table
from pbem.library.entries import Listed, Seen

AHEAD = timedelta(hours=48)
"""What is dated further ahead than this is told: no difference of clocks is as large."""


def is_ahead(time: str, now: str) -> bool:
    """Whether a time as records have it is further ahead of `now` than clocks differ."""
    return _at(time) - _at(now) > AHEAD


def credible(arrived: str, signed: str, now: str) -> str | None:
    """When a record was there: as it `arrived` by this computer's clock, else as it is signed.

    Never later than `now`; None where that cannot be said, because its date is far ahead. A clock
    that was ahead when the record came counts for nothing.
    """
    if arrived and _at(arrived) <= _at(now):
        return arrived
    return None if is_ahead(signed, now) else min(signed, now, key=_at)


def note_arrival(connection: Connection, key: bytes, seen: Seen, time: str) -> None:
    """Note when the last record of a file came, unless it was known before.

    To be called before the file itself is noted, which makes its records known.
    """
    last = seen.records[-1].hash
    known = "SELECT 1 FROM verified WHERE game = ? AND hash = ?"
    if connection.execute(known, (seen.id, last)).fetchone() is None:
        row = (seen.id, key, last, time)
        connection.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)", row)


def arrival(connection: Connection, game: bytes, key: bytes, record: bytes) -> str:
    """When the record of that hash came; empty where nobody knows."""
    if not has_table(connection, "arrivals"):
        return ""
    found = connection.execute(
        "SELECT time FROM arrivals WHERE game = ? AND key = ? AND hash = ?", (game, key, record)
    ).fetchone()
    return as_time(found[0]) if found else ""


def with_arrivals(connection: Connection, key: bytes, games: list[Listed]) -> list[Listed]:
    """Games with when their last records came, in the order in which these were there."""
    times = _last_times(connection, key)
    dated = [each._replace(arrived=times.get(each.id, "")) for each in games]
    return sorted(dated, key=lambda each: (each.arrived or each.game.since, each.id))


def _last_times(connection: Connection, key: bytes) -> dict[bytes, str]:
    """When the last record of each listed game came, as far as that is known."""
    if not has_table(connection, "arrivals"):
        return {}
    rows = connection.execute(
        "SELECT game, time FROM games JOIN arrivals USING (game, key) "
        "WHERE key = ? AND hash = last",
        (key,),
    )
    return {game: as_time(time) for game, time in rows}


def as_time(stored: object) -> str:
    """A time as it was noted; empty for what is none, for which nobody is refused anything."""
    try:
        is_time = _at(str(stored)).tzinfo is not None
    except ValueError:
        return ""
    return str(stored) if is_time else ""


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)
