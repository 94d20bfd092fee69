"""A cache for tests, so that each process parses a record and opens a shuffle once.

Tests read a few hundred files thousands of times. A record depends only on its text, and the lists
of a shuffle on its seed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from pbem.errors import AcresError
from pbem.play.game_file import GameFile
from pbem.protocol import deck
from pbem.protocol.record import RECORD_HEADER, Record
from pbem.savefile.save_file import _KIND, SaveFile

MAX_RECORDS = 4000
"""The size of each cache; a record takes about ten kilobytes."""


def cache_records(files: Iterable[Path] = ()) -> None:
    """Cache records and openings from now on, beginning with those of `files`."""
    _cache_save_files()
    # The program's own cache is smaller, because it seldom reads several games.
    deck._subtree_hashes = lru_cache(MAX_RECORDS)(deck._subtree_hashes.__wrapped__)
    for file in files:
        GameFile.read(file.read_bytes())


def _cache_save_files() -> None:
    """Make `SaveFile.read` return cached records for files in the form that this program writes.

    Files in other forms are read as usual.
    """
    read, record_of = SaveFile.read, lru_cache(MAX_RECORDS)(_record)

    def read_cached(data: bytes) -> SaveFile:
        lines = data.replace(b"\r\n", b"\n")
        with suppress(ValueError, LookupError, AcresError):
            head, *texts = lines.decode("ascii").split(RECORD_HEADER)
            # A blank line precedes each table that is not within another.
            last, between, tail = texts.pop().partition("\n\n[")
            records = [record_of(text) for text in [*texts, last + between[:1]]]
            document = _KIND.read((head + between[1:] + tail).encode())
            file = SaveFile._of(document, records)
            if file.write() == lines:
                return file
        return read(data)

    SaveFile.read = staticmethod(read_cached)  # type: ignore[method-assign]


def _record(text: str) -> Record:
    (plain,) = tomllib.loads(RECORD_HEADER + text)["record"]
    return Record.from_plain(plain)
