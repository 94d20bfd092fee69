"""Whoever is about to sign is asked, or has agreed beforehand by an option."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from engine.message import Message, sentences
from pbem.cli import answers, console
from pbem.cli.opponent import say_recognised, warn_of_key
from pbem.cli.own_games import library_of, warn_of_library
from pbem.cli.own_home import at_home, command_of, program
from pbem.play import questions as asked
from pbem.play.memory import Memory, Written
from pbem.play.questions import (
    Beforehand,
    NoLibrary,
    NotRemembered,
    Question,
    SignedBefore,
    Unanswered,
)
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.words.proof.recollection import forgets
from pbem.words.proof.signature import Told

Replace = Annotated[
    bool,
    typer.Option(
        "--replace",
        help="Sign anew what this computer has signed otherwise; only if that never left it.",
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
        help="You take this invitation up for the first time: join, though this computer does not "
        "remember what you have signed.",
    ),
]
NewestToServe = Annotated[
    bool,
    typer.Option(
        "--newest",
        help="Nothing will come that it has answered before: play on, though its home has lost its "
        "library.",
    ),
]

OPTIONS = {
    Beforehand.ANOTHER: "--replace",
    Beforehand.NEWEST: "--newest",
    Beforehand.WAIT: "--wait",
}
"""The options by which whoever signs says beforehand what else would be asked or refused."""


def session_of(context: typer.Context, identity: Identity) -> Session:
    """The session of a player during a command."""
    own = library_of(context, identity.public_key)
    return Session(at_home(context), identity, own, told=console.note_file)


class Asking:
    """The player of a session, who is about to sign something; `memory` is what stands before it.

    With `replace` the player has agreed to sign anew what was signed otherwise, with `newest` to
    sign what is not remembered. In a trial nothing is signed, so that it is only warned of.
    """

    def __init__(
        self,
        context: typer.Context,
        session: Session,
        memory: Memory,
        *,
        replace: bool = False,
        newest: bool = False,
        is_trial: bool = False,
    ) -> None:
        self._command = command_of(context)
        self._words = Told(self._command, program(), OPTIONS, memory.records)
        self._own = session.library
        self._memory = memory
        self._replace = replace
        self._newest = newest
        self._is_trial = is_trial
        self._asked: list[Question] = []

    def settle(self, questions: Iterable[Question]) -> None:
        """Have the player agree to these questions, each once.

        Raises WrongUse, or Cancelled, where the player does not.
        """
        # Whoever goes on all the same is asked that last.
        goes_on = self._replace or self._is_trial
        for question in sorted(questions, key=lambda q: goes_on and isinstance(q, SignedBefore)):
            if question not in self._asked:
                self._asked.append(question)
                self._settle(question)
                if question.may_be_agreed:
                    self._memory.agree(question)

    def settle_first(self, questions: Iterable[Question]) -> None:
        """The same of those that are asked before it is known whether anything is due."""
        goes_on = self._replace or self._is_trial
        first = NoLibrary if goes_on else NoLibrary | SignedBefore
        self.settle([each for each in questions if isinstance(each, first)])

    def signed(self, sign: Callable[[], Written]) -> Written:
        """Sign: what is asked only then is settled, and it is tried once more."""
        while True:
            try:
                written = sign()
            except Unanswered as error:
                self.settle(error.questions)
                continue
            if written.unremembered is not None:
                console.warn(forgets(written.unremembered.path, written.unremembered.reason))
            return written

    def _settle(self, question: Question) -> None:
        match question:
            case asked.NewKey():
                say_recognised(question.recognised, self._command)
            case asked.OtherKey():
                self._settle_key(question)
            case NoLibrary():
                if not self._is_trial and (question.may_pass or not self._newest):
                    raise self._words.refusal(question)
                if not question.is_readable:
                    warn_of_library(self._own)
            case _ if self._is_trial:
                self._forget_seen(question)
                risk = self._words.risk(question)
                console.warn(sentences(risk, Message("This is only a trial.")))
            case SignedBefore() if self._replace:
                self._ask(question)
            case NotRemembered() if self._newest:
                pass
            case NotRemembered() if console.is_terminal():
                seen = self._own.seen
                self._forget_seen(question)
                self._ask(question)
                self._own.seen = seen
            case _:
                self._forget_seen(question)
                raise self._words.refusal(question)

    def _settle_key(self, question: asked.OtherKey) -> None:
        """Warn of a key that may be somebody else's; ask at a terminal whether it is right."""
        recognised = question.recognised
        if not recognised.is_doubted or self._is_trial or not console.is_terminal():
            warn_of_key(recognised, self._command)
            return
        say_recognised(recognised, self._command)
        _, is_theirs, hint = self._words.asked(question)
        if not answers.ask_yes(is_theirs, hint):
            raise console.Cancelled
        self._own.vouch(recognised.person)

    def _ask(self, question: SignedBefore | NotRemembered) -> None:
        """Ask the player at a terminal; elsewhere an option has said it, and they are warned."""
        told, asked, hint = self._words.asked(question)
        if not console.is_terminal():
            console.warn(told)
            return
        console.say(told)
        if not answers.ask_yes(asked, hint):
            raise console.Cancelled

    def _forget_seen(self, question: Question) -> None:
        """Whoever is told here of what is forgotten is not told once more as the command ends."""
        if isinstance(question, NotRemembered):
            self._own.seen = None
