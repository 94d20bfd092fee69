"""Whoever is about to sign is asked, or has agreed beforehand by an option."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, mark, sentences
from pbem.cli import console
from pbem.cli.home import command_of
from pbem.cli.own_library import warn_of_library
from pbem.cli.players import say_recognised, tell_of_key
from pbem.words.proof.memory import proof

if TYPE_CHECKING:
    from pbem.cli.questions import Told
    from pbem.play.memory import Memory, Written
    from pbem.play.questions import NoLibrary, NotRemembered, Question, SignedBefore
    from pbem.play.session import Session

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
        self._own = session.library
        self._memory = memory
        self._replace = replace
        self._newest = newest
        self._is_trial = is_trial
        self._asked: list[Question] = []

    @cached_property
    def _words(self) -> Told:
        # Imported here because most of what is signed raises no question.
        from pbem.cli.questions import Told

        return Told(self._command, self._memory.records)

    def settle(self, questions: Iterable[Question]) -> None:
        """Have the player agree to these questions, each once.

        Raises WrongUse, or Cancelled, where the player does not.
        """
        from pbem.play.questions import SignedBefore

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
        from pbem.play.questions import NoLibrary, SignedBefore

        goes_on = self._replace or self._is_trial
        first = NoLibrary if goes_on else NoLibrary | SignedBefore
        self.settle([each for each in questions if isinstance(each, first)])

    def signed(self, sign: Callable[[], Written]) -> Written:
        """Sign: what is asked only then is settled, and it is tried once more."""
        from pbem.play.questions import Unanswered

        while True:
            try:
                written = sign()
            except Unanswered as error:
                self.settle(error.questions)
            else:
                _warn_of_forgetting(written)
                return written

    def _settle(self, question: Question) -> None:
        from pbem.play import questions as asked

        match question:
            case asked.NewKey():
                say_recognised(question.recognised, self._command)
            case asked.OtherKey():
                tell_of_key(self._own, question.recognised, self._command, self._is_trial)
            case asked.NoLibrary():
                self._settle_library(question)
            case _ if self._is_trial:
                self._warn(question)
            case asked.SignedBefore() if self._replace:
                self._ask_to_replace(question)
            case asked.NotRemembered() if self._newest:
                pass
            case asked.NotRemembered() if console.is_terminal():
                self._ask_for_newest(question)
            case _:
                self._forget_seen(question)
                raise self._words.refusal(question)

    def _settle_library(self, question: NoLibrary) -> None:
        if not self._is_trial and (question.may_pass or not self._newest):
            raise self._words.refusal(question)
        if not question.is_readable:
            warn_of_library(self._own)

    def _warn(self, question: Question) -> None:
        """Say what stands against what is only tried."""
        self._forget_seen(question)
        console.warn(sentences(self._words.risk(question), Message("This is only a trial.")))

    def _ask_to_replace(self, question: SignedBefore) -> None:
        from pbem.cli.questions import condition

        told = sentences(self._words.risk(question), proof(), condition(question))
        if not console.is_terminal():
            console.warn(told)
            return
        console.say(told)
        hint = mark("{yes} goes on to sign another, {no} stops here.")
        if not console.ask_yes(Message("Sign another?"), hint):
            raise console.Cancelled

    def _ask_for_newest(self, question: NotRemembered) -> None:
        seen = self._own.seen
        self._forget_seen(question)
        console.say(sentences(self._words.risk(question), self._words.way_out(question)))
        if question.is_invitation:
            asked = Message("Do you take it up for the first time?")
            hint = mark("{yes} takes it up, {no} stops here.")
        else:
            asked = Message("Is this the newest file of the game?")
            hint = mark("{yes} goes on to your answer, {no} stops here.")
        if not console.ask_yes(asked, hint):
            raise console.Cancelled
        self._own.seen = seen

    def _forget_seen(self, question: Question) -> None:
        """Whoever is told here of what is forgotten is not told once more as the command ends."""
        from pbem.play.questions import NotRemembered

        if isinstance(question, NotRemembered):
            self._own.seen = None


def _warn_of_forgetting(written: Written) -> None:
    """Warn of a record that is written, and that this computer will not remember."""
    if written.unremembered is None:
        return
    console.warn(
        Message(
            "The library of what you signed, {file}, cannot be written: {reason}. Your file is "
            "not affected, but this computer will not remember it: it is up to you not to "
            "answer the same file twice.",
            file=written.unremembered.path,
            reason=written.unremembered.reason,
        )
    )
