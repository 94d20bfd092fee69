"""What a process has taken apart or opened once, it does not take apart or open again.

Tests read a few hundred files thousands of times. What the text of a record means depends on
nothing else, and a record never changes; nor do the lists that hang on a seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pbem.play.game_file import GameFile
from pbem.protocol.deck import shuffle
from pbem.protocol.known import KnownOf
from pbem.protocol.record import BEGINS, Record, Records
from pbem.savefile import save_file

MOST = 4000
"""How many records are kept, of some ten kilobytes each, and as many openings."""


def keep_what_was_read(files: Iterable[Path] = ()) -> None:
    """Keep records and openings from now on, and those of some games from the beginning."""
    _keep_records()
    # The program keeps fewer: it seldom reads more than one game.
    shuffle._opened = lru_cache(MOST)(shuffle._opened.__wrapped__)
    for file in files:
        GameFile.read(file.read_bytes())


def _keep_records() -> None:
    """Have save files that are as this program writes them give the records that it read before.

    All else is as ever: what is read has to be laid out as the file is, or the file is read again.
    """
    record_of = lru_cache(MOST)(Record.from_text)
    before_bookmark = save_file._read_before

    def read_before(text: str, known: KnownOf) -> Records:
        begun = before_bookmark(text, known)
        if begun:
            return begun
        _, *texts = text.split(BEGINS)
        if texts:
            # A blank line is before each table but those within another.
            ends = texts[-1].find("\n\n[")
            texts[-1] = texts[-1][: None if ends < 0 else ends + 1]
        return Records(record_of(BEGINS + each) for each in texts)

    Record.from_text = staticmethod(record_of)  # type: ignore[method-assign]
    save_file._read_before = read_before
