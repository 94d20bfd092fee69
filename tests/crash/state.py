"""The state after a crash: every signed record in files and in libraries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.errors import InputError
from pbem.play.game_file import GameFile
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.play.store.players import records_in


class Place(NamedTuple):
    """A place in a game that may be signed once by each side; two guests may join."""

    game: bytes
    number: int
    side: str


def files_below(folder: Path) -> list[Path]:
    """Return all files below a folder, hidden ones too."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def library_records(home: Path, *, replaced: bool = False) -> list[tuple[bytes, Record]]:
    """Return the signed records of a home's library, each with its game."""
    rows = records_in(home / "library.sqlite3", replaced=replaced)
    return [(game, record) for game, _, record in rows]


def _in_files(folder: Path) -> Iterator[tuple[bytes, Record]]:
    for path in files_below(folder):
        try:
            records = SaveFile.read(path.read_bytes()).records
        except (InputError, FileNotFoundError):
            # A library, a key, or space reserved for a file that was not written.
            continue
        yield from ((records[0].hash, record) for record in records)


def find_double_signatures(folder: Path) -> dict[Place, set[bytes]]:
    """Return the places with two different records in the files and libraries of a folder."""
    results: defaultdict[Place, set[bytes]] = defaultdict(set)
    records = list(_in_files(folder))
    for path in files_below(folder):
        if path.name == "library.sqlite3":
            records += library_records(path.parent, replaced=True)
    for game, record in records:
        results[Place(game, record.index, record.side)].add(record.hash)
    return {place: hashes for place, hashes in results.items() if len(hashes) > 1}


def is_whole(path: Path) -> bool:
    """Return True if the file is valid."""
    return bool(GameFile.read(path.read_bytes()).match.records)


def last_record(path: Path) -> Record:
    """Return the last record in a file."""
    return SaveFile.read(path.read_bytes()).records[-1]


def find_strays(folder: Path) -> list[Path]:
    """Return the files in a folder that are neither games nor homes."""
    return [path for path in folder.iterdir() if path.is_file() and path.suffix != ".toml"]


def find_unfinished(folder: Path) -> list[Path]:
    """Return the unfinished files of stopped processes, anywhere below a folder."""
    return [path for path in files_below(folder) if path.name.endswith(".acres-part")]
