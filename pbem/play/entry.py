"""Entering a game: an invitation or an acceptance that is signed here, and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.play.game_file import pack
from pbem.play.moment import new_nonce
from pbem.play.seat import Seat
from pbem.play.setup import accept
from pbem.protocol.steps import Accept
from pbem.savefile.disk import next_name

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.play.game_file import GameFile
    from pbem.play.memory import Memory, Written
    from pbem.play.questions import Question
    from pbem.protocol.identity import Identity
    from pbem.protocol.match import Match
    from pbem.protocol.record import Record


class Invitation:
    """An invitation to the game that begins with `match`; it answers nothing."""

    def __init__(self, match: Match, identity: Identity, memory: Memory) -> None:
        self.match = match
        self.memory = memory
        seat = Seat(match, identity) if match.invite.side != "any" else None
        self._data = pack(match, seat, {}, "").write()

    @property
    def path(self) -> Path:
        """What its file is called, if nothing else is said."""
        return Path(f"acres-{self.match.id.hex()[:8]}-000.toml")

    def sign(self, path: Path | None = None) -> Written:
        """Remember it, and write its file; raises WrongUse where that fails."""
        return self.memory.write(path or self.path, self._data, self.match)


class Acceptance:
    """The acceptance of an invitation; `memory` is what was looked up for it.

    Where it was taken up before, the same choices make the very same record.
    """

    def __init__(
        self,
        game: GameFile,
        identity: Identity,
        memory: Memory,
        clock: Callable[[], str],
        nonce: Callable[[], bytes] = new_nonce,
    ) -> None:
        self.game = game
        self.identity = identity
        self.memory = memory
        self.match: Match | None = None
        self._clock = clock
        self._nonce = nonce

    @property
    def signed(self) -> Record | None:
        """The record with which the invitation was taken up before; None if it was not."""
        return self.memory.signed

    @property
    def is_again(self) -> bool:
        """Whether it is what was signed before."""
        signed, match = self.signed, self.match
        return signed is not None and match is not None and match.last.hash == signed.hash

    def choose(self, side: Side | None = None, start_card: str | None = None) -> Match:
        """The match that comes of these choices; raises WrongUse as `setup.accept`."""
        signed = self.signed
        before = signed.steps[0] if signed else None
        if signed and isinstance(before, Accept):
            self.match = self._accepted(before.nonce, signed.time, side, start_card)
            if self.is_again:
                return self.match
        self.match = self._accepted(self._nonce(), self._clock(), side, start_card)
        return self.match

    def _accepted(
        self, nonce: bytes, time: str, side: Side | None, start_card: str | None
    ) -> Match:
        return accept(
            self.game.match, self.identity, nonce=nonce, time=time, side=side, start_card=start_card
        )

    def questions(self, *, another: bool | None = None) -> list[Question]:
        """What has to be agreed to before it is signed; `another` as for `Turn.questions`."""
        if another is None:
            is_open = self.signed is not None and self.match is None
            another = not is_open and not self.is_again
        return self.memory.questions(another=another)

    def agree(self, question: Question) -> None:
        """Agree to a question; raises NotToBeAgreed where nobody may."""
        self.memory.agree(question)

    def sign(
        self, path: Path | None = None, *, replaces: bool = False, may_be_there: bool = False
    ) -> Written:
        """Sign it as chosen, remember that, and write its file, as `Turn.sign` does."""
        match = self.match or self.choose()
        data = self.game.followed_by(match, self.identity).save.write()
        path = path or next_name(self.game.path or Path("acres.toml"), match.last.index)
        return self.memory.write(path, data, match, replaces=replaces, may_be_there=may_be_there)
