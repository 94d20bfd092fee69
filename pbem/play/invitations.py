"""Invitations that have arrived and may be accepted: no library lists them before that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from pbem.errors import NotProved, Unreadable
from pbem.play.entry import side_of_guest
from pbem.play.store import Game, Listed
from pbem.play.store.entries import JOIN, YOU
from pbem.protocol.match import Match
from pbem.savefile.disk import is_file, read_file
from pbem.savefile.save_file import SaveFile

MOST = 32 * 1024
"""In bytes: no invitation is longer, and what is longer is not read for one."""
_Stamp = tuple[Path, int, int]


class Invitations:
    """The invitations of others in a folder, and in files `elsewhere`; each file is read once."""

    def __init__(self, folder: Path | None = None, elsewhere: Iterable[Path] = ()) -> None:
        self.elsewhere = {*elsewhere}
        self._folder = folder
        self._read: dict[_Stamp, Match | None] = {}

    def waiting(self, key: bytes, known: Collection[bytes]) -> list[Listed]:
        """Those for the player with that key, as games are listed, but for `known` ones.

        The file that is the newest comes last.
        """
        read = dict(self._matches())
        self._read = read
        found = {
            match.id: _listed(match, stamp[0])
            for stamp, match in sorted(read.items(), key=lambda each: (each[0][1], each[0][0]))
            if match is not None and match.id not in known and match.invite.key != key
        }
        return [*found.values()]

    def _matches(self) -> Iterator[tuple[_Stamp, Match | None]]:
        """What is in each file that may be one, by what tells it from what it was."""
        inside = sorted(self._folder.glob("*.toml")) if self._folder else []
        for path in (*inside, *sorted(self.elsewhere)):
            with suppress(OSError):
                status = path.stat()
                # Whoever opens a pipe waits until somebody writes into it.
                if status.st_size <= MOST and is_file(path):
                    stamp = path, status.st_mtime_ns, status.st_size
                    is_read = stamp in self._read
                    yield stamp, self._read[stamp] if is_read else _match_in(path)


def _match_in(path: Path) -> Match | None:
    """The match in a file with nothing but an invitation; None where it is another file."""
    with suppress(Unreadable, NotProved):
        records = SaveFile.read(read_file(path, MOST)).records
        if len(records) == 1:
            return Match.replay(records)
    return None


def _listed(match: Match, path: Path) -> Listed:
    invite, side = match.invite, side_of_guest(match.invite)
    game = Game(
        records=1,
        last=match.last.hash,
        edition=invite.edition,
        house_rules=" ".join(invite.house_rules),
        side=side.value if side else "any",
        opponent=invite.name,
        email=invite.email,
        turn=0,
        waits_for=YOU,
        due=JOIN,
        since=match.last.time,
        winner="",
    )
    return Listed(match.id, game, path, None, None)
