"""What stands before a record may be signed, as values: whoever signs agrees to each, or does not.

Two questions are equal if they ask the same of the same facts, so that what a player was shown can
be agreed to later, and elsewhere. docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from engine.message import Message, Said
from engine.value import Value
from pbem.errors import WrongUse
from pbem.library import Earlier, Recognised, Standing
from pbem.protocol.record import Record


class NoLibrary(Value):
    """What was signed cannot be looked up in the library at `path`, or not be kept, and why.

    One that `is_readable` tells what was signed, and keeps nothing more. One that `may_pass` can be
    used again soon, after the `remedy`: nothing is signed till then.
    """

    path: Path
    reason: Said
    is_readable: bool = False
    may_pass: bool = False
    remedy: Said = ""

    @property
    def may_be_agreed(self) -> bool:
        """Whether a player may go on without it."""
        return not self.may_pass


class SignedBefore(Value):
    """Something was signed that is not in the file: to sign another record may prove cheating.

    That was `when`, by the clock of this computer, and was to be written to `file`, None where
    nobody remembers; `is_written` says whether it lies there.
    """

    earlier: Earlier
    when: str
    file: Path | None
    is_written: bool
    may_be_agreed = True

    @property
    def standing(self) -> Standing:
        """How the file stands to what was signed."""
        return self.earlier.standing


class NotRemembered(Value):
    """More may have been signed than is remembered, so that the file may not be the newest one.

    One that `is_invitation` may have been taken up before.
    """

    is_invitation: bool
    may_be_agreed = True


class Closed(Value):
    """The player has closed the game: with another record beside `record` the hand lies open."""

    record: Record
    may_be_agreed = False


class OpensTwice(Value):
    """The same shuffle was opened for another list by `record`: the whole pile would be seen."""

    record: Record
    may_be_agreed = False


class NewKey(Value):
    """Nothing was signed with the key of this opponent yet, as far as is remembered."""

    recognised: Recognised
    may_be_agreed = True


class OtherKey(Value):
    """Somebody else is known by the name or address of this opponent, with another key."""

    recognised: Recognised
    may_be_agreed = True


Question: TypeAlias = (
    NoLibrary | SignedBefore | NotRemembered | Closed | OpensTwice | NewKey | OtherKey
)


class Unanswered(WrongUse):
    """A record was not signed, because of `questions` to which nobody has agreed."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(Message("Nothing was signed: answer the open question first."))
        self.questions = tuple(questions)


class NotToBeAgreed(WrongUse):
    """Nobody may agree to that `question`."""

    def __init__(self, question: Question) -> None:
        super().__init__(Message("This cannot be agreed to, so nothing is signed."))
        self.question = question
