"""The players of the library tests, and their records with other signatures."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pbem.play.store import KnownFile, Store
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from tests.play.matches import identities, sign_as
from tests.requirements import require

ANNA, BELA = identities()
GAME, OTHER_GAME = bytes([1]) * 32, bytes([2]) * 32
LATER = "2026-11-21T11:00:00Z"


def sign_again(record: Record, identity: Identity = ANNA, time: str = LATER) -> Record:
    """Return the record, signed again by its author at another time."""
    return sign_as(identity, record, time=time)


def verified_records(match: Match) -> set[VerifiedRecord]:
    """Return the verified records of a match."""
    return {VerifiedRecord.of(record) for record in match.records}


def known_file_of(
    match: Match, key: bytes = ANNA.public_key, path: Path | None = None
) -> KnownFile:
    return require(KnownFile.of(match, key, path))


def first_records(match: Match, number: int) -> Match:
    """Return the match with its first `number` records."""
    return Match.replay(match.records[:number])


def records_in(library: Path, *, replaced: bool = False) -> list[tuple[bytes, int, Record]]:
    """Return the game, index and record of each counting record in a library, by all players.

    With `replaced`, replaced records are included.
    """
    which = "" if replaced else "WHERE counts"
    query = f'SELECT game, "index", record FROM records {which} ORDER BY rowid'
    with Store(library, b"") as store, store.reading() as database:
        rows = database.execute(query).fetchall() if database else []
    return [
        (game, n, Record.from_plain(tomllib.loads(text)["record"][0])) for game, n, text in rows
    ]
