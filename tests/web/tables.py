"""Games of two homes, with files that go from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType

from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.sides import Side
from engine.state import State
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.signing import SignedFile
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from tests.signing import sign_agreed

Chooser = Callable[[State], Order]
TIME = "2026-11-21T10:00:00Z"
NAMES = {Side.BRITISH: "Anna", Side.FRENCH: "Béla"}


class Pair:
    """Two players with a home each in a folder; `folder` holds the files of both."""

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        names: dict[Side, str] = NAMES,
        emails: Mapping[Side, str] = MappingProxyType({}),
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.random = Random(seed)
        self.choose: Chooser = PracticePlayer(self.random).choose
        self.homes = {side: folder / side.value for side in Side}
        self.sessions = {
            side: Session.create(
                Home(home, clock=lambda: TIME),
                Identity(names[side], emails.get(side, ""), self.random.randbytes(32)),
            )
            for side, home in self.homes.items()
        }
        self.written: SignedFile | None = None

    @property
    def file(self) -> Path:
        """The newest file."""
        assert self.written is not None
        return self.written.path

    @property
    def game(self) -> str:
        """The id of the game."""
        assert self.written is not None
        return self.written.match.id.hex()

    def begin(self, *rules: str, edition: str = "second", lists: int = 1) -> Pair:
        """Invite and join."""
        british, french = self.sessions.values()
        nonce = self.random.randbytes
        invitation = british.invite(
            Side.BRITISH, edition=edition, house_rules=rules, lists=lists, nonce=nonce(32)
        )
        first = sign_agreed(british, invitation, self.folder / "game-000.toml")
        acceptance = french.join(french.read(first.path), nonce=nonce(32))
        start = "regular-infantry" if "french-start-choice" in rules else None
        acceptance.choose(start_card=start)
        self.written = sign_agreed(french, acceptance)
        return self

    def next_turn(self, session: Session) -> Turn:
        """Return the turn that answers the newest file."""
        return session.answer(session.read(self.file))

    @property
    def next_side(self) -> Side | None:
        """The side that writes the next file."""
        assert self.written is not None
        return self.written.match.next_side

    def answer(self) -> None:
        """Write the next file with a practice player's turn."""
        side = self.next_side
        assert side is not None
        session = self.sessions[side]
        turn = self.next_turn(session)
        while not turn.is_complete:
            turn.order(self.choose(turn.view()))
        self.written = sign_agreed(session, turn)

    def play(self, until: Callable[[Pair], bool]) -> Pair:
        """Play until `until` returns True, or the game is closed."""
        while not until(self) and self.next_side is not None:
            self.answer()
        return self

    def note(self, side: Side) -> None:
        """List the newest file in that player's library."""
        session = self.sessions[side]
        session.read(self.file)
        session.store.flush()


def is_besieged_turn(pair: Pair) -> bool:
    """Return True if it is the turn of the British in a game with a siege, of seed 1."""
    assert pair.written is not None
    return len(pair.written.match.records) >= 20 and pair.next_side is Side.BRITISH
