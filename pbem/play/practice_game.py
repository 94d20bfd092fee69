"""A whole game between two robots, by file, as two people would play it.

Every turn reads a file, verifies it, answers it and writes the next, just as the command line does.
Everything random comes from a seed: the same seed gives the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from engine.order import Order
from engine.players import QUICK, player_of
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from engine.state import State
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.new_files import stamps_in
from pbem.play.robot.answering import Players, Robot, answer, usually_follows_up
from pbem.play.robot.inbox import put
from pbem.play.session import Session
from pbem.play.signing import Written, sign
from pbem.play.store import LibraryFailed, Seen, Store
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.steps import LISTS
from pbem.savefile.disk import read_file

NAMES = {
    Side.BRITISH: ("Anna (practice)", "anna@example.org"),
    Side.FRENCH: ("Émile (practice)", "emile@example.org"),
}
BEGINNING = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONGEST_PAUSE = 36 * 3600


class Pair:
    """The two players of a game, and the time in it.

    `identities` and `players` (who choose the orders) are theirs by the side that they play;
    `follows_up` is asked before each follow-up. Keys, nonces, times and the players of that
    strength that they begin with come from `random`.
    """

    def __init__(
        self,
        random: Random,
        follows_up: Callable[[Turn], bool] = usually_follows_up,
        *,
        strength: int = QUICK,
    ) -> None:
        self._random = random
        self._now = BEGINNING
        self.follows_up = follows_up
        self.identities = {side: Identity(*NAMES[side], random.randbytes(32)) for side in Side}
        self.players: dict[Side, Callable[[State], Order]] = {
            side: player_of(strength, Random(random.getrandbits(64))).choose for side in Side
        }

    def robot(self, side: Side) -> Robot:
        """The robot of that side."""
        return Robot(self.identities[side], self.players[side], self.follows_up)

    def nonce(self) -> bytes:
        """32 random bytes."""
        return self._random.randbytes(32)

    @property
    def now(self) -> str:
        """The time in the game."""
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def wait(self) -> str:
        """Let time pass; the time after that."""
        self._now += timedelta(seconds=self._random.randint(60, LONGEST_PAUSE))
        return self.now


class PracticeGame:
    """A game to be played in `folder`, which need not exist; the British invite.

    The players' homes are the folders `british` and `french` in it, the files `game-000.toml` and
    so on. `lists` is K; edition and house rules are as in `Ruleset.of`. Both play at that strength.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        lists: int = LISTS,
        *,
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
        strength: int = QUICK,
    ) -> None:
        self.folder = folder
        self.lists = lists
        self.ruleset = Ruleset.of(edition, house_rules)
        self._players = Pair(Random(seed), strength=strength)

    def play(self) -> Iterator[Written]:
        """Play the game, a file at a time, to its close; raises WrongUse where one is in the way.

        The homes are written before the first file. What the players remember while they play is
        not left there.
        """
        pair = self._players
        with TemporaryDirectory() as memories:
            sessions = {}
            for side in Side:
                home = Home(
                    self.folder / side.value,
                    library_path=Path(memories) / side.value,
                    clock=lambda: pair.now,
                )
                sessions[side] = Session.create(home, pair.identities[side])
            yield (written := self._begun(sessions[Side.BRITISH]))
            writer: Side | None = Side.FRENCH
            nonce = pair.nonce()
            while writer is not None:
                pair.wait()
                robot, players = sessions[writer], self._players_of(writer)
                data = answer(read_file(written.path), robot, players, nonce=nonce)
                assert data is not None
                path, _ = put(data, written.path)
                with sessions[writer.opponent] as reader:
                    written = Written(path, data, reader.read(path).match, is_again=False)
                yield written
                writer = written.match.next_side

    def _begun(self, inviter: Session) -> Written:
        nonce = self._players.nonce()
        self._players.wait()
        invitation = inviter.invite(
            Side.BRITISH,
            lists=self.lists,
            edition=self.ruleset.edition,
            house_rules=self.ruleset.house_rules,
            start_card=self._players.robot(Side.BRITISH).start_card(self.ruleset, Side.BRITISH),
            # Both play with the same program.
            tells_parts=False,
            nonce=nonce,
        )
        return sign(invitation, inviter.identity, inviter.store, path=self.folder / "game-000.toml")

    def _players_of(self, side: Side) -> Players:
        return lambda game, seed: self._players.players[side]

    def leave_off_at(self, file: Path) -> None:
        """Have both homes remember the game up to a file, as those do who have played it there."""
        game = GameFile.read(read_file(file))
        for side, identity in self._players.identities.items():
            with Session(Home(self.folder / side.value), identity) as session:
                begin_library(session.store, game.match, file)


def begin_library(store: Store, match: Match, path: Path) -> None:
    """Note the file at that path, up to which its player has played here and nowhere else.

    What else lies beside it is known, too, and not to be found as if it had come since.
    """
    seen, beside = Seen.of(match, store.key, path), path.absolute().parent
    # Without it there is a note too many when somebody tries a turn.
    with suppress(LibraryFailed):
        if seen is not None:
            store.note(seen, begins=True, is_learning=True)
            store.complete(with_games=True)
            store.note_stamps(beside, stamps_in(beside))
