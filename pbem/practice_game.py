"""A whole game between two practice players, by file, as two people would play it.

Every turn reads a file, verifies it, answers it and writes the next, on the same way as the
command line. Everything random comes from a seed: the same seed gives the same files.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.practice import PracticePlayer
from engine.sides import Side
from pbem import keyfile
from pbem.answer import Answer
from pbem.files import next_name, read_file, write_new
from pbem.game_file import GameFile, pack
from pbem.identity import Identity
from pbem.match import Match
from pbem.seat import Seat
from pbem.setup import LISTS, accept, invite

NAMES = {
    Side.BRITISH: ("Anna (practice)", "anna@example.org"),
    Side.FRENCH: ("Émile (practice)", "emile@example.org"),
}
BEGINNING = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONGEST_PAUSE = 36 * 3600


class Written(NamedTuple):
    """A file that was written, and the match that it holds."""

    path: Path
    match: Match


class PracticeGame:
    """A game to be played in `folder`, which need not exist; the British invite.

    The players' homes are the folders `british` and `french` in it, the files `game-000.toml` and
    so on. `lists` is K, `home_support` an option of the game; `follows_up` says whether the players
    order on where the other side has to answer first.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        lists: int = LISTS,
        *,
        home_support: str = "asked",
        follows_up: bool = True,
    ) -> None:
        self.folder = folder
        self.lists = lists
        self.home_support = home_support
        self.follows_up = follows_up
        self._random = Random(seed)
        self._now = BEGINNING
        self._identities = {
            side: Identity.from_seed(*NAMES[side], self._random.randbytes(32)) for side in Side
        }
        self._players = {
            side: PracticePlayer(Random(self._random.getrandbits(64))) for side in Side
        }

    def play(self) -> Iterator[Written]:
        """Play the game, a file at a time, to its end. Raises WrongUse where a file is in the way.

        The homes are written before the first file.
        """
        for side, identity in self._identities.items():
            home = self.folder / side.value
            home.mkdir(parents=True, exist_ok=True)
            keyfile.save(identity, home / "identity.toml")
        written = self._invite()
        yield written
        written = self._join(written.path)
        yield written
        while written.match.next_side is not None:
            written = self._answer(written.path, written.match.next_side)
            yield written

    def _invite(self) -> Written:
        inviter = self._identities[Side.BRITISH]
        match = invite(
            inviter,
            side=Side.BRITISH,
            nonce=self._nonce(),
            time=self._time(),
            lists=self.lists,
            home_support=self.home_support,
        )
        path = self.folder / "game-000.toml"
        write_new(path, pack(match, Seat(match, inviter), {}, "").write())
        return Written(path, match)

    def _join(self, path: Path) -> Written:
        guest = self._identities[Side.FRENCH]
        game = GameFile.read(read_file(path))
        match = accept(game.match, guest, nonce=self._nonce(), time=self._time())
        path = next_name(path, 1)
        write_new(path, pack(match, Seat(match, guest), game.save.boxes, "").write())
        return Written(path, match)

    def _answer(self, path: Path, side: Side) -> Written:
        answer = Answer(GameFile.read(read_file(path)), self._identities[side], self._time())
        while not answer.is_complete or self._may_follow_up(answer):
            answer.order(self._players[side].choose(answer.view()))
        finished = answer.finish()
        path = next_name(path, finished.record.index)
        write_new(path, finished.data)
        return Written(path, finished.match)

    def _may_follow_up(self, answer: Answer) -> bool:
        """Whether to order on; with actions left a player waits for the cards of Home Support."""
        waits = answer.waits_for_cards and not answer.is_turn_used_up
        return self.follows_up and answer.may_follow_up and not waits

    def _nonce(self) -> bytes:
        return self._random.randbytes(32)

    def _time(self) -> str:
        self._now += timedelta(seconds=self._random.randint(60, LONGEST_PAUSE))
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")
