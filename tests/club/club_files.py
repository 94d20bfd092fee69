"""Files of a club's games: newer and older ones, forks, cheats and damaged ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from engine.sides import Side
from pbem.club.club_audit import read_games
from pbem.club.club_sources import read_newest_files
from pbem.club.verdicts import ClubGame, Row
from pbem.play.game_file import GameFile, pack
from pbem.protocol.steps import OrderStep
from pbem.savefile.save_file import SaveFile
from tests.play.correspondents import Correspondents
from tests.signing import make_record

LISTS = 16


class Played:
    """A game of robots with a file after each record, and other files that they might sign."""

    def __init__(self, seed: int, records: int = 7, *, resigns: bool = False) -> None:
        self.pair = Correspondents(Random(f"club {seed}"))
        game = self.pair.invite(Side.BRITISH, lists=LISTS)
        self.files = [game]
        self.files.append(self.pair.join(game))
        while len(self.files) < records:
            self.files.append(self.pair.answer(self.files[-1]))
        if resigns:
            self.files.append(self.pair.answer(self.files[-1], resigns=True))
            while self.files[-1].match.next_side is not None:
                self.files.append(self.pair.answer(self.files[-1]))

    def data(self, number: int = -1) -> bytes:
        """Return the file after a record."""
        return self.files[number].save.write()

    @property
    def id(self) -> bytes:
        return self.files[0].match.id

    def key(self, side: Side) -> bytes:
        return self.pair.identities[side].public_key

    def fork(self, number: int) -> bytes:
        """Return a file with another record at the index `number`, by the same player."""
        return self.pair.answer(self.files[number - 1]).save.write()

    def cheat(self) -> bytes:
        """Return a file with one more record, which its author signed and no rule allows."""
        match = self.files[-1].match
        assert match.next_side is not None
        record = make_record(
            self.pair.identities[match.next_side],
            index=len(match.records),
            side=match.next_side.value,
            previous=match.last.hash,
            time=match.last.time,
            steps=(OrderStep("steal boston"),),
        )
        return SaveFile((*match.records, record)).write()

    def join_again(self, seed: int) -> bytes:
        """Return a file in which another guest accepts the same invitation."""
        other = Correspondents(Random(f"guest {seed}"))
        other.identities[Side.BRITISH] = self.pair.identities[Side.BRITISH]
        game = other.join(self.files[0])
        return pack(game.match, None, {}, "").write()


@cache
def played(seed: int = 1, records: int = 7, *, resigns: bool = False) -> Played:
    """Return a game, made once."""
    return Played(seed, records, resigns=resigns)


def rows(*paths: Path, **options: object) -> list[Row]:
    return [*read_games(paths, **options)]  # type: ignore[arg-type]


def games(*paths: Path, **options: object) -> list[ClubGame]:
    return [row for row in rows(*paths, **options) if isinstance(row, ClubGame)]


def newest(game: ClubGame) -> bytes:
    """Return the newest file of a game."""
    ((_, data),) = read_newest_files([game])
    return data


def save(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def game_of(data: bytes) -> GameFile:
    return GameFile.read(data)
