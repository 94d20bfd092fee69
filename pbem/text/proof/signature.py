"""What stands before a signature: what speaks against it, what to do, and how a player is asked.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.message import NOTHING, Message, Said, mark, sentences
from pbem.errors import WrongUse
from pbem.foreign import quoted, shown
from pbem.play.questions import (
    Beforehand,
    Closed,
    NewKey,
    NoLibrary,
    NotRemembered,
    OpensTwice,
    OtherKey,
    Question,
    SignedBefore,
    Standing,
    Unanswered,
)
from pbem.play.store import GameClosed, closing
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, OrderStep, Resign
from pbem.text.dates import instant, moment
from pbem.text.games.people import how_to_vouch, who_it_is
from pbem.text.proof.library_warnings import not_looked_up, proof
from pbem.text.proof.records import deeds_of, names_in


class NoMemory(WrongUse):
    """What was signed cannot be looked up or kept, and nobody has agreed to go without."""


class Asked(NamedTuple):
    """How a player is asked to agree: what is told first, and what is to be answered yes or no.

    The `hint` is a marked message that says what {yes} and {no} do.
    """

    told: Said
    question: Message
    hint: str


RESIGNS = Asked(
    NOTHING,
    Message("Give up the game? That ends it, and your opponent wins."),
    mark("{yes} gives the game up, {no} leaves it as it is."),
)


class _Against(NamedTuple):
    """What speaks against signing, and what to do instead, as sentences."""

    risk: Said
    advice: Said = NOTHING


class Told:
    """Questions about a file with these `records`, told to a player; to a robot if `is_unattended`.

    `command` is how the program is called for that home, `program` how it is called for any;
    `options` are the names of the front end, as of a button, for what can be said beforehand.
    """

    def __init__(
        self,
        command: str,
        program: str,
        options: Mapping[Beforehand, str],
        records: Sequence[Record] = (),
        *,
        is_unattended: bool = False,
    ) -> None:
        self._command = command
        self._program = program
        self._options = options
        self._records = records
        self._is_unattended = is_unattended

    def risk(self, question: Question) -> Said:
        """What speaks against signing, as sentences."""
        return self._against(question).risk

    def refusal(self, question: Question) -> WrongUse:
        """The error for a player who has not agreed to a question, or cannot."""
        if isinstance(question, NotRemembered) and self._is_unattended:
            return NoMemory(_robot_forgot(self._options[Beforehand.NEWEST]))
        is_lost = isinstance(question, NoLibrary) and not question.may_pass
        kind = NoMemory if is_lost else WrongUse
        return kind(sentences(*self._against(question), Message("Nothing was written.")))

    def refused(self, error: Unanswered) -> WrongUse:
        """The same for the first of the questions to which nobody has agreed."""
        return self.refusal(error.questions[0])

    def asked(self, question: Question) -> Asked:
        """Return how a player is asked who wants to sign all the same and may.

        Saying yes to a changed key vouches for it: `Store.vouch`.
        """
        if isinstance(question, OtherKey):
            return Asked(
                who_it_is(question.recognised),
                Message("Is the new key theirs?"),
                mark("{yes} takes this key for theirs and goes on, {no} stops here."),
            )
        if isinstance(question, SignedBefore):
            return Asked(
                sentences(self.risk(question), proof(), _condition(question)),
                Message("Sign another?"),
                mark("{yes} goes on to sign another, {no} stops here."),
            )
        assert isinstance(question, NotRemembered)
        told = sentences(self.risk(question), self._way_out(question))
        if question.is_invitation:
            return Asked(
                told,
                Message("Do you accept it for the first time?"),
                mark("{yes} accepts it, {no} stops here."),
            )
        return Asked(
            told,
            Message("Is this the newest file of the game?"),
            mark("{yes} goes on to your answer, {no} stops here."),
        )

    def _against(self, question: Question) -> _Against:
        match question:
            case NoLibrary():
                return self._no_library(question)
            case SignedBefore() if question.standing is Standing.ANSWERED:
                return self._answered(question)
            case SignedBefore():
                return self._not_the_one(question)
            case Closed():
                return _Against(
                    GameClosed(question.record).said,
                    Message(
                        "Send the file with that record: not even {option} signs another.",
                        option=self._options[Beforehand.ANOTHER],
                    ),
                )
            case OpensTwice():
                return _Against(
                    Message(
                        "With this your opponent would see your whole hand and draw pile: your "
                        "record {number}, signed {time}, opened the same shuffle for another list.",
                        number=question.record.index,
                        time=instant(question.record.time),
                    ),
                    Message(
                        "Go on from the file with that record: not even {option} signs this.",
                        option=self._options[Beforehand.ANOTHER],
                    ),
                )
            case NotRemembered():
                vouching = sentences(self._way_out(question), self._vouching(question))
                return _Against(_forgotten(question), vouching)
            case NewKey() | OtherKey():
                recognised = question.recognised
                vouch = how_to_vouch(recognised.person.key, self._command)
                return _Against(
                    who_it_is(recognised), vouch if recognised.is_to_be_settled else NOTHING
                )

    def _no_library(self, question: NoLibrary) -> _Against:
        told = not_looked_up(question.path, question.reason, may_pass=question.may_pass)
        if question.may_pass:
            return _Against(told, question.remedy)
        risk = sentences(told, Message("Without it one file might be answered twice."))
        if self._is_unattended:
            return _Against(risk, question.remedy)
        return _Against(
            risk,
            Message(
                "Move it away, and {command} games add FOLDER makes a new one from your files. "
                "Where it cannot be mended, {option} goes on without it: only if this file is the "
                "newest of its game, and you have not answered it before.",
                command=self._command,
                option=self._options[Beforehand.NEWEST],
            ),
        )

    def _way_out(self, question: NotRemembered) -> Message:
        """How to find out what was signed."""
        if question.is_invitation:
            return Message(
                "Look among the files you have sent: {command} games add FOLDER finds your games.",
                command=self._command,
            )
        return Message(
            "Look for the newest file, also among those you have sent: {command} games add FOLDER "
            "finds your games. Or ask your opponent for the last one.",
            command=self._command,
        )

    def _answered(self, question: SignedBefore) -> _Against:
        record, again = question.earlier.record, self._how_again(question.earlier.record)
        risk = Message(
            "You already answered this file, on {date}: {deeds}.",
            date=moment(question.when),
            deeds=deeds_of(record, names_in(self._records)),
        )
        # Translators: {again} is such as “the same orders write it again.”
        advice = Message("Send that answer; {again}", again=again)
        if (file := question.file) and not question.is_written:
            missing = mark("It is not in {file}, where it was to be; {again}")
            advice = Message(missing, file=shown(file), again=again)
        another: Said = NOTHING
        if closing([record]) is None:
            another = Message(
                "If the first never left this computer, {option} signs another.",
                option=self._options[Beforehand.ANOTHER],
            )
        return _Against(risk, sentences(advice, proof(), another))

    def _not_the_one(self, question: SignedBefore) -> _Against:
        """The same for a file that is not the one that was answered."""
        mine, time = question.earlier.record.index, instant(question.earlier.record.time)
        before = mine - 1
        if question.standing is Standing.OLDER and question.newest is not None:
            return _Against(
                Message(
                    "This file is older than what you have already answered. The newest file of "
                    "the game is {file}.",
                    file=shown(question.newest),
                ),
                Message("Go on with that one."),
            )
        advice: Said
        if question.standing is Standing.OLDER:
            risk = mark(
                "This file is older than what you have already answered: your record {number}, "
                "signed {time}, answered record {before}."
            )
            advice = Message(
                "Go on with the newest file; if you have lost it, ask your opponent for it."
            )
        elif question.standing is Standing.OTHER_OWN:
            risk = mark(
                "This file holds a record {number} in your name that differs from the one this "
                "computer signed (your record {number}, signed {time})."
            )
            advice = Message(
                "If you signed it yourself, on another computer, and it is the one that counts, go "
                "on with {option}. If not, somebody has your key.",
                option=self._options[Beforehand.ANOTHER],
            )
        else:
            risk = mark(
                "Your opponent signed a record {before} that differs from the one that you have "
                "answered (your record {number}, signed {time})."
            )
            newest, file = (
                mark("The newest file of the game that you play is {file}."),
                question.newest,
            )
            game: Said = Message(newest, file=shown(file)) if file else NOTHING
            if mine == 2:
                risk = mark(
                    "This file holds a different acceptance of your invitation from the one that "
                    "your record {number}, signed {time}, answered."
                )
                game = Message("An invitation is good for one guest.")
            audit = mark("Keep both files: {command} audit OLD NEW shows it to anybody.")
            advice = sentences(game, Message(audit, command=self._program))
        return _Against(Message(risk, number=mine, time=time, before=before), advice)

    def _vouching(self, question: NotRemembered) -> Message:
        option = self._options[Beforehand.NEWEST]
        if question.is_invitation:
            return Message("If it is the first time, add {option}.", option=option)
        return Message("If it is this one, add {option}.", option=option)

    def _how_again(self, record: Record) -> Message:
        """How an answer that was signed is written again, as the end of a sentence."""
        orders = [step.order for step in record.steps if isinstance(step, OrderStep)]
        if isinstance(record.steps[0], Accept):
            return Message("joining again as {side} writes it again.", side=record.side)
        if any(isinstance(step, Resign) for step in record.steps):
            return Message("resigning again writes it again.")
        if not orders:
            return Message("giving no orders writes it again.")
        if orders[-1].split()[0] in ("end", "lose"):
            return Message("the same orders write it again.")
        # Where the turn was left to go on after an answer, it is not to be ended now.
        again, option = mark("the same orders and {option} write it again."), Beforehand.WAIT
        return Message(again, option=self._options[option])


def told_of_robot(program: str, home: Path, folder: Path) -> Told:
    """The same for the keeper of a robot that lives in `home` and answers what lies in a `folder`.

    What only a command can mend is said with how the `program` is called.
    """
    serving = (
        "{program} --home {home} serve-robot --once --newest --inbox {folder} --outbox {folder}"
    )
    command = serving.format(program=program, home=quoted(home), folder=quoted(folder))
    return Told(program, program, dict.fromkeys(Beforehand, command), is_unattended=True)


def _robot_forgot(option: str) -> Message:
    """Why a robot signs nothing in a game, or a home, of which it does not remember its part."""
    forgotten = Message(
        "This computer does not remember what the robot signed, so it might answer a file twice."
    )
    vouching = Message(
        "If no file that it has answered before will come again, add {option}.", option=option
    )
    return sentences(forgotten, vouching)


def _forgotten(question: NotRemembered) -> Message:
    if question.is_invitation:
        return sentences(
            Message("This computer does not remember what you have signed before."),
            Message(
                "If you have already accepted this invitation, to do so again is proof of "
                "cheating, and lets the inviter choose your first hand."
            ),
        )
    return sentences(
        Message("This computer does not remember your part in this game."),
        Message(
            "If you have answered this file before, or a later one, another answer is proof of "
            "cheating, and can show your opponent your hand and draw pile."
        ),
    )


def _condition(question: SignedBefore) -> Message:
    """When a player who replaces what was signed may go on, as a sentence."""
    if question.standing is Standing.OTHER_BEFORE:
        return Message("You go on from the one in this file.")
    if question.standing is Standing.ANSWERED:
        return Message("Go on only if that answer never left this computer.")
    return Message(
        "Go on only if your record {number}, signed {time}, never left this computer.",
        number=question.earlier.record.index,
        time=instant(question.earlier.record.time),
    )
