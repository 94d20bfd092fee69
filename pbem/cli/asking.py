"""Before signing, the player is asked, or has agreed beforehand with an option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from engine.message import Message, sentences
from pbem.cli import answers, console
from pbem.cli.opponent import say_recognised, warn_of_key
from pbem.cli.own_home import at_home, library_of, own_command, program, warn_of_library
from pbem.play import questions as asked
from pbem.play.clerk import Clerk, Manner
from pbem.play.memory import Written
from pbem.play.questions import Beforehand, Question, Unanswered
from pbem.play.session import Session
from pbem.play.store import Store
from pbem.protocol.identity import Identity
from pbem.text.proof.library_warnings import forgets
from pbem.text.proof.signature import Told

_T = TypeVar("_T")
Replace = Annotated[
    bool,
    typer.Option(
        "--replace",
        help="Sign again, although this computer has signed something else here; only if that "
        "never left it.",
    ),
]
Newest = Annotated[
    bool,
    typer.Option(
        "--newest",
        help="This file is the newest of its game: sign, though this computer does not remember "
        "your part in it.",
    ),
]
NewestToJoin = Annotated[
    bool,
    typer.Option(
        "--newest",
        help="You accept this invitation for the first time: join, though this computer does not "
        "remember what you have signed.",
    ),
]
NewestToServe = Annotated[
    bool,
    typer.Option(
        "--newest",
        help="Play on although its home has lost its library, because no file that it has answered "
        "before will come again.",
    ),
]

OPTIONS = {
    Beforehand.ANOTHER: "--replace",
    Beforehand.NEWEST: "--newest",
    Beforehand.WAIT: "--wait",
}
"""The options by which whoever signs says beforehand what else would be asked or refused."""


def session_of(identity: Identity) -> Session:
    """The session of a player during a command."""
    own = library_of(identity.public_key)
    return Session(at_home(), identity, own, told=console.note_file)


class Asking:
    """The player of a session, to whom a `clerk` puts what stands before a signature."""

    def __init__(self, own: Store, clerk: Clerk) -> None:
        self._command = own_command()
        self._words = Told(self._command, program(), OPTIONS, clerk.memory.records)
        self._own = own
        self._clerk = clerk

    def settled(self, step: Callable[[], _T]) -> _T:
        """What comes of a step of the clerk, after the player has agreed to what stands before it.

        Raises WrongUse, or Cancelled, where the player does not; and what the step raises.
        """
        while True:
            try:
                return step()
            except Unanswered as error:
                for question in error.questions:
                    self._settle(question)

    def signed(self, sign: Callable[[], Written]) -> Written:
        """The same of the last step, which signs."""
        written = self.settled(sign)
        if written.unremembered is not None:
            console.warn(forgets(written.unremembered.path, written.unremembered.reason))
        return written

    def _settle(self, question: Question) -> None:
        match self._clerk.manner(question):
            case Manner.TOLD:
                self._tell(question)
            case Manner.ASKED:
                self._ask(question)
            case Manner.REFUSED:
                self._forget_seen(question)
                raise self._words.refusal(question)
            case Manner.PASSED:
                pass
        self._clerk.agree(question)

    def _tell(self, question: Question) -> None:
        match question:
            case asked.NewKey():
                say_recognised(question.recognised, self._command)
            case asked.OtherKey():
                warn_of_key(question.recognised, self._command)
            case asked.NoLibrary():
                if not question.is_readable:
                    warn_of_library(self._own)
            case _ if self._clerk.is_trial:
                self._forget_seen(question)
                risk = self._words.risk(question)
                console.warn(sentences(risk, Message("This is only a trial.")))
            case asked.SignedBefore():
                console.warn(self._words.asked(question).told)

    def _ask(self, question: Question) -> None:
        """Ask the player at the terminal; raises Cancelled for a no."""
        assert isinstance(question, asked.SignedBefore | asked.NotRemembered | asked.OtherKey)
        told, is_so, hint = self._words.asked(question)
        seen = self._own.seen
        self._forget_seen(question)
        if isinstance(question, asked.OtherKey):
            say_recognised(question.recognised, self._command)
        else:
            console.say(told)
        if not answers.ask_yes(is_so, hint):
            raise console.Cancelled
        self._own.seen = seen

    def _forget_seen(self, question: Question) -> None:
        """What is said here about things forgotten is not said again when the command ends."""
        if isinstance(question, asked.NotRemembered):
            self._own.seen = None


def beforehand(*, replace: bool, newest: bool) -> list[Beforehand]:
    """What the player has said by options."""
    said = {Beforehand.ANOTHER: replace, Beforehand.NEWEST: newest}
    return [each for each, is_said in said.items() if is_said]
