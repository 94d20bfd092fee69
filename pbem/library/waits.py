"""How long answers were waited for, and when games were begun, by what a library noted of both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from pbem.library.database import Connection, has_table
from pbem.library.entries import as_time

_FIRST_MOVE = 2
"""The index of the first record that is an answer: an invitation and a joining come before."""
_LISTED = "game IN (SELECT game FROM games WHERE key = ?1)"


class Wait(NamedTuple):
    """How long a record was waited for: one of the player's, from when the other had come."""

    game: bytes
    is_own: bool
    seconds: float


def waits(connection: Connection, key: bytes) -> Iterator[Wait]:
    """All that are known of the games that are listed, in the order of their records.

    Times are those of this computer's clock, from `arrivals`; where it was put back in between, a
    wait is left out.
    """
    if not has_table(connection, "arrivals"):
        return
    rows = connection.execute(
        f'SELECT s.game, s."index", own.time, came.time FROM signed AS s '
        "LEFT JOIN arrivals AS own ON (own.game, own.key, own.hash) = (s.game, s.key, s.hash) "
        "LEFT JOIN arrivals AS came ON (came.game, came.key, came.hash) "
        "= (s.game, s.key, s.previous) "
        f'WHERE s.key = ?1 AND s.{_LISTED} AND s."index" >= {_FIRST_MOVE} '
        "AND typeof(s.\"index\") = 'integer' "
        'ORDER BY s.game, s."index"',
        (key,),
    )
    before: tuple[bytes, int, str] | None = None
    for game, index, signed, came in rows:
        signed, came = as_time(signed), as_time(came)
        if before and before[:2] == (game, index - 2):
            yield from _wait(game, before[2], came, is_own=False)
        yield from _wait(game, came, signed, is_own=True)
        before = game, index, signed


def _wait(game: bytes, begun: str, ended: str, *, is_own: bool) -> Iterator[Wait]:
    if begun and ended:
        seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds()
        if seconds >= 0:
            yield Wait(game, is_own, seconds)


def beginnings(connection: Connection, key: bytes) -> dict[bytes, str]:
    """When the player's first record in each listed game was signed, as far as that can be read."""
    rows = connection.execute(
        f'SELECT game, record FROM signed WHERE key = ?1 AND {_LISTED} AND "index" < {_FIRST_MOVE}',
        (key,),
    )
    found: dict[bytes, str] = {}
    for game, text in rows:
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found[game] = as_time(json.loads(text)["time"])
    return {game: time for game, time in found.items() if time}
