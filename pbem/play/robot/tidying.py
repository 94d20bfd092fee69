"""What the robot no longer needs: what strangers send must not make it grow.

By mail it keeps of a game the last file of either side, and of one that it does not play nothing:
the letters stay in its mailbox. By folder it removes no file. What it signed it never forgets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from pbem.errors import Unreadable
from pbem.library import Library
from pbem.library.guest_book import Guest, GuestBook
from pbem.play.robot.places import ASLEEP, Seating
from pbem.savefile.disk import read_file
from pbem.savefile.save_file import SaveFile

MOST_FINISHED = 100
"""Of how many games that are over, the last ones, the last files are kept."""
_NAME = re.compile(r"acres-[0-9a-f]{8}-[0-9]{3,4}(?: \([0-9]+\))?\.toml")
"""What files are called that came by mail, and their answers."""


def tidy(table: Seating, book: GuestBook, library: Library, folder: Path | None) -> None:
    """Take games off the list that were given up or are long over, and their files in the folder.

    Raises LibraryFailed.
    """
    kept = {guest.game for guest in _kept(table)}
    for listed in library.games():
        if listed.id not in kept and listed.game.records > 1:
            if folder is not None:
                remove(folder, listed.id)
            library.forget(listed.id)
    for waiting in table.waiting:
        if table.idle(waiting.since) > ASLEEP:
            if folder is not None:
                remove(folder, waiting.game)
            book.stop_waiting(waiting.game)
    for guest in table.guests:
        if not guest.has_moved and table.idle(guest.taken) > ASLEEP:
            book.forget(guest.game)


def _kept(table: Seating) -> Iterator[Guest]:
    """The games of which files are kept."""
    finished = 0
    for guest in sorted(table.guests, key=lambda guest: guest.last, reverse=True):
        if not guest.is_over and table.goes_on(guest):
            yield guest
        elif guest.is_over and timedelta() <= table.idle(guest.last) <= ASLEEP:
            finished += 1
            if finished <= MOST_FINISHED:
                yield guest


def remove(folder: Path, game: bytes, besides: Collection[Path] = ()) -> None:
    """Remove the files of a game in the folder that bear a name of the robot's, besides these."""
    for path in folder.glob(f"acres-{game.hex()[:8]}-*.toml"):
        if path not in besides and _NAME.fullmatch(path.name) and game_in(path) == game:
            with suppress(OSError):
                path.unlink()


def game_in(path: Path) -> bytes | None:
    """The game in a file; None where there is none."""
    try:
        return SaveFile.read(read_file(path)).records[0].hash
    except Unreadable:
        return None
