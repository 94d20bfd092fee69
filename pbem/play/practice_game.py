"""A whole game between two practice players, by file, as two people would play it.

Every turn reads a file, verifies it, answers it and writes the next, on the same way as the
command line. Everything random comes from a seed: the same seed gives the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.orders import Order
from engine.practice import PracticePlayer
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import State
from pbem.keys import keyfile
from pbem.play.answer import Answer
from pbem.play.game_file import GameFile, pack
from pbem.play.robot import Robot, usually_follows_up
from pbem.play.seat import Seat
from pbem.play.setup import LISTS, invite
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.savefile.files import next_name, read_file, write_new

NAMES = {
    Side.BRITISH: ("Anna (practice)", "anna@example.org"),
    Side.FRENCH: ("Émile (practice)", "emile@example.org"),
}
BEGINNING = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONGEST_PAUSE = 36 * 3600


class Correspondents:
    """Two players who answer each other's files, nothing of which lies on a disk.

    `identities` and `players` (who choose the orders) are theirs by the side that they play;
    `follows_up` is asked before each follow-up. Keys, nonces, times and the practice players that
    they begin with come from `random`.
    """

    def __init__(
        self, random: Random, follows_up: Callable[[Answer], bool] = usually_follows_up
    ) -> None:
        self._random = random
        self._now = BEGINNING
        self.follows_up = follows_up
        self.identities = {
            side: Identity.from_seed(*NAMES[side], random.randbytes(32)) for side in Side
        }
        self.players: dict[Side, Callable[[State], Order]] = {
            side: PracticePlayer(Random(random.getrandbits(64))).choose for side in Side
        }

    def invite(
        self,
        side: Side,
        *,
        leaves_choice: bool = False,
        lists: int = LISTS,
        home_support: str = "asked",
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
    ) -> GameFile:
        """The invitation of the player of `side`, who may leave the choice of it to the guest."""
        inviter = self.identities[side]
        ruleset = Ruleset.of(edition, house_rules)
        match = invite(
            inviter,
            side=None if leaves_choice else side,
            nonce=self._nonce(),
            time=self._time(),
            lists=lists,
            home_support=home_support,
            edition=edition,
            house_rules=ruleset.house_rules,
            start_card=None if leaves_choice else self._robot(side).start_card(ruleset, side),
            # Both play with the same program.
            tells_parts=False,
        )
        seat = None if leaves_choice else Seat(match, inviter)
        return GameFile(pack(match, seat, {}, ""), match)

    def join(self, game: GameFile) -> GameFile:
        """The file of the player who did not invite."""
        inviter = game.match.invite.key
        side = next(side for side, who in self.identities.items() if who.public_key != inviter)
        return self._robot(side).join(game, nonce=self._nonce(), time=self._time(), side=side)

    def answer(
        self, game: GameFile, *, notes: str | None = None, resigns: bool = False
    ) -> GameFile:
        """The answer of the player who writes next; raises what `Answer` raises."""
        side = game.match.next_side
        assert side is not None
        return self._robot(side).answer(game, self._time(), notes=notes, resigns=resigns)

    def _robot(self, side: Side) -> Robot:
        return Robot(self.identities[side], self.players[side], self.follows_up)

    def _nonce(self) -> bytes:
        return self._random.randbytes(32)

    def _time(self) -> str:
        self._now += timedelta(seconds=self._random.randint(60, LONGEST_PAUSE))
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")


class Written(NamedTuple):
    """A file that was written, and the match that it holds."""

    path: Path
    match: Match


class PracticeGame:
    """A game to be played in `folder`, which need not exist; the British invite.

    The players' homes are the folders `british` and `french` in it, the files `game-000.toml` and
    so on. `lists` is K; edition and house rules are as in `Ruleset.of`.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        lists: int = LISTS,
        *,
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
    ) -> None:
        self.folder = folder
        self.lists = lists
        self.ruleset = Ruleset.of(edition, house_rules)
        self._players = Correspondents(Random(seed))

    def play(self) -> Iterator[Written]:
        """Play the game, a file at a time, to its close; raises WrongUse where one is in the way.

        The homes are written before the first file.
        """
        for side, identity in self._players.identities.items():
            home = self.folder / side.value
            home.mkdir(parents=True, exist_ok=True)
            keyfile.save(identity, home / "identity.toml")
        path = self.folder / "game-000.toml"
        invitation = self._players.invite(
            Side.BRITISH,
            lists=self.lists,
            edition=self.ruleset.edition,
            house_rules=self.ruleset.house_rules,
        )
        yield self._write(path, invitation)
        path, match = self._write(next_name(path, 1), self._players.join(_read(path)))
        yield Written(path, match)
        while match.next_side is not None:
            game = self._players.answer(_read(path))
            path, match = self._write(next_name(path, game.match.last.index), game)
            yield Written(path, match)

    def _write(self, path: Path, game: GameFile) -> Written:
        write_new(path, game.save.write())
        return Written(path, game.match)


def _read(path: Path) -> GameFile:
    return GameFile.read(read_file(path))
