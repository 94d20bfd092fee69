"""Before signing, the player is asked, or has agreed beforehand with an option."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, sentences
from pbem.cli import answers, console
from pbem.cli.opponent import say_recognised, warn_of_key
from pbem.cli.own_home import at_home, library_of, own_command, program, warn_of_library
from pbem.play import questions as asked
from pbem.play.consent import Consent, Manner
from pbem.play.questions import Beforehand, Question
from pbem.play.session import Session
from pbem.play.signing import Signable, Written
from pbem.protocol.identity import Identity
from pbem.protocol.record import Record
from pbem.text.proof.library_warnings import forgets
from pbem.text.proof.signature import Told

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
    """Return the session of a player during a command."""
    own = library_of(identity.public_key)
    return Session(at_home(), identity, own)


class Asking(Consent):
    """The consent of a player at the command line, to whom is put what stands before a signature.

    It is about a file with these `records`; without, about an invitation.
    """

    def __init__(
        self,
        session: Session,
        records: Sequence[Record] = (),
        *,
        beforehand: Collection[Beforehand] = (),
        is_trial: bool = False,
    ) -> None:
        super().__init__(
            session, beforehand=beforehand, is_trial=is_trial, is_attended=console.is_terminal()
        )
        self._command = own_command()
        self._words = Told(self._command, program(), OPTIONS, records)

    def signed(self, draft: Signable, path: Path, *, may_be_there: bool = False) -> Written:
        """Return what was signed, after the player has agreed to what stands before it."""
        # Nothing is signed for good that nobody could read.
        console.flush()
        written = self.sign(draft, path, may_be_there=may_be_there, told=console.note_file)
        if written.unremembered is not None:
            console.warn(forgets(written.unremembered.path, written.unremembered.reason))
        return written

    def put(self, question: Question, manner: Manner) -> bool:
        """Tell the player a question, or ask it; raises WrongUse for one that is refused.

        Cancelled if the player does not agree.
        """
        match manner:
            case Manner.TOLD:
                self._tell(question)
            case Manner.ASKED:
                self._ask(question)
            case Manner.REFUSED:
                self._forget_seen(question)
                raise self._words.refusal(question)
        console.flush()
        return True

    def _tell(self, question: Question) -> None:
        match question:
            case asked.NewKey():
                say_recognised(question.recognised, self._command)
            case asked.OtherKey():
                warn_of_key(question.recognised, self._command)
            case asked.NoLibrary():
                if not question.is_readable:
                    warn_of_library(self.store)
            case _ if self.is_trial:
                self._forget_seen(question)
                risk = self._words.risk(question)
                console.warn(sentences(risk, Message("This is only a trial.")))
            case asked.SignedBefore():
                console.warn(self._words.asked(question).told)

    def _ask(self, question: Question) -> None:
        """Ask the player at the terminal; raises Cancelled for a no."""
        told, is_so, hint = self._words.asked(question)
        seen = self.store.seen
        self._forget_seen(question)
        if isinstance(question, asked.OtherKey):
            say_recognised(question.recognised, self._command)
        else:
            console.say(told)
        if not answers.ask_yes(is_so, hint):
            raise console.Cancelled
        self.store.seen = seen

    def _forget_seen(self, question: Question) -> None:
        """Keep what is said here about things forgotten from being said again at the end."""
        if isinstance(question, asked.NotRemembered):
            self.store.seen = None


def beforehand(*, replace: bool, newest: bool) -> list[Beforehand]:
    """Return what the player has said by options."""
    said = {Beforehand.ANOTHER: replace, Beforehand.NEWEST: newest}
    return [each for each, is_said in said.items() if is_said]
