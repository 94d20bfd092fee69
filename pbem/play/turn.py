"""A turn: an answer that is signed here, if nothing stands before it, and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pbem.play.answer import Answer
from pbem.play.game_file import GameFile
from pbem.play.memory import Memory, Written
from pbem.play.questions import Question
from pbem.protocol.identity import Identity
from pbem.protocol.record import Record
from pbem.savefile.disk import next_name


class Turn(Answer):
    """The answer of a player to a file; `memory` is what was looked up for it.

    Where the file was answered before, the same orders make the very same record: signing is
    deterministic, and `clock` is asked only for another one. Raises WrongUse where it is not this
    player's turn to write.
    """

    def __init__(
        self,
        game: GameFile,
        identity: Identity,
        memory: Memory,
        clock: Callable[[], str],
        *,
        resigns: bool = False,
    ) -> None:
        self.memory = memory
        self._clock = clock
        super().__init__(
            game, identity, memory.signed.time if memory.signed else clock(), resigns=resigns
        )

    @property
    def signed(self) -> Record | None:
        """The record with which the file was answered before; None if it was not."""
        return self.memory.signed

    @property
    def is_again(self) -> bool:
        """Whether it is complete, and what was signed before."""
        if self.signed is None or not self.is_complete:
            return False
        return self.finish().record.hash == self.signed.hash

    def questions(self, *, another: bool | None = None) -> list[Question]:
        """What has to be agreed to before it is signed, in the order to be told in.

        Where the file was answered before, that depends on the orders to come: `another` says
        whether they are going to be other ones; unless told, only what is sure is asked.
        """
        if self.is_again and not another:
            return self.memory.questions(another=False)
        is_another = self.signed is None or self.is_complete if another is None else another
        return self.memory.questions(self.steps, another=is_another)

    def agree(self, question: Question) -> None:
        """Agree to a question; raises NotToBeAgreed where nobody may."""
        self.memory.agree(question)

    def check(self, notes: str | None = None) -> None:
        """Raise WrongUse where it cannot become a file with these notes, as `finish` does."""
        _ = self.finish(notes).data

    def sign(
        self,
        path: Path | None = None,
        *,
        notes: str | None = None,
        replaces: bool = False,
        may_be_there: bool = False,
    ) -> Written:
        """Sign it, remember that, and write its file, if no path is said beside the one it answers.

        `notes` are as for `finish`, `replaces` and `may_be_there` as for `Memory.check_room`.
        Raises WrongUse where something is left to decide, or the file cannot be written: then it is
        not signed; of these Unanswered with the questions that are left.
        """
        if path is None:
            path = next_name(self.game.path or Path("acres.toml"), len(self.game.match.records))
        if self.is_complete and self.signed is not None and not self.is_again:
            self.memory.check(self.steps)
            self.redate(self._clock())
        finished = self.finish(notes)
        return self.memory.write(
            path, finished.data, finished.match, replaces=replaces, may_be_there=may_be_there
        )
