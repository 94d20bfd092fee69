"""The clerk of a player who signs: sees that nothing is left out, and nothing done before its turn.

Whatever would be refused no matter what is ordered comes before anything is asked; then what has to
be agreed to; then room for the file; once all is said, the same again; and then it is signed. Each
step either is done, or raises `Unanswered` with the questions that stand before it: a front end
puts them to its player, agrees to them or gives up, and takes the step again. None of them waits
for anybody. docs/play.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

from engine.sides import Side
from pbem.errors import WrongUse
from pbem.play.answer import checked_notes
from pbem.play.entry import Acceptance, check_side
from pbem.play.game_file import GameFile, answer_path
from pbem.play.kept_turn import NotKept, Resumed
from pbem.play.memory import Memory, Written
from pbem.play.questions import (
    Beforehand,
    NewKey,
    NoLibrary,
    NotRemembered,
    NotToBeAgreed,
    OtherKey,
    Question,
    SignedBefore,
    Unanswered,
)
from pbem.play.session import Session, Turn
from pbem.protocol.match import Match


class Manner(Enum):
    """How a question is put to a player."""

    TOLD = "it is told, and keeps nobody from signing"
    ASKED = "the player says yes or no"
    REFUSED = "it is told why nothing is signed"
    PASSED = "the player has answered it beforehand"


class Enclosure(Protocol):
    """What is written beside a file, such as the letter with it."""

    @property
    def has_draft(self) -> bool:
        """Whether it is to be written."""

    def make_room(self, path: Path, game: bytes, index: int) -> None:
        """Raise WrongUse where it cannot be written beside the file at that path.

        The file ends with the record of that game which has that index.
        """


class OverAlready(WrongUse):
    """A game that is to be given up is already over, and waits to be closed."""


class Clerk:
    """Sees to it that all questions of a `memory` are answered before something is signed.

    What the player has said `beforehand` is not asked, or asked instead of refused. With `is_trial`
    nothing is going to be signed, so that nothing is asked; where nobody `is_attended` nobody can
    be asked.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        beforehand: Collection[Beforehand] = (),
        is_trial: bool = False,
        is_attended: bool = True,
    ) -> None:
        self.memory = memory
        self.is_trial = is_trial
        self._beforehand = set(beforehand)
        self._is_attended = is_attended
        self._agreed: list[Question] = []
        self._put: list[Question] = []

    @property
    def replaces(self) -> bool:
        """Whether another record may be signed than was before, and its file replaced."""
        return Beforehand.ANOTHER in self._beforehand

    def manner(self, question: Question) -> Manner:
        """How a question is put to the player."""
        match question:
            case NewKey():
                return Manner.TOLD
            case OtherKey():
                is_asked = question.recognised.is_doubted and self._is_attended
                return Manner.ASKED if is_asked and not self.is_trial else Manner.TOLD
            case NoLibrary():
                is_refused = question.may_pass or Beforehand.NEWEST not in self._beforehand
                return Manner.REFUSED if is_refused and not self.is_trial else Manner.TOLD
            case _ if self.is_trial:
                return Manner.TOLD
            case SignedBefore() if self.replaces:
                return Manner.ASKED if self._is_attended else Manner.TOLD
            case NotRemembered() if Beforehand.NEWEST in self._beforehand:
                return Manner.PASSED
            case NotRemembered() if self._is_attended:
                return Manner.ASKED
            case _:
                return Manner.REFUSED

    def agree(self, question: Question | str) -> None:
        """Agree to a question that was put, or to the one with that id; also to one only told.

        Agreeing to a changed key that was asked about vouches for it; agreeing to sign a different
        record allows its file to be replaced. Raises NotToBeAgreed if nobody may agree, unless it
        is a trial, and for the id of one that is refused: its sender was not asked. WrongUse for an
        id of no question that was put.
        """
        asked = self._with_id(question) if isinstance(question, str) else question
        if isinstance(question, str) and self.manner(asked) is Manner.REFUSED:
            raise NotToBeAgreed(asked)
        if asked.may_be_agreed:
            self.memory.agree(asked)
        elif not self.is_trial:
            raise NotToBeAgreed(asked)
        self._agreed.append(asked)
        if isinstance(asked, OtherKey) and self.manner(asked) is Manner.ASKED:
            self.memory.own.vouch(asked.recognised.person)
        if isinstance(asked, SignedBefore):
            self._beforehand.add(Beforehand.ANOTHER)

    def _with_id(self, name: str) -> Question:
        for question in self._put:
            if question.id == name:
                return question
        raise WrongUse("This is no longer asked: look at what is asked now.")

    def put(self, questions: Iterable[Question]) -> None:
        """Raise Unanswered with those of them to which nobody has agreed, as they are to be told.

        A player who goes on all the same is asked that last.
        """
        goes_on = self.replaces or self.is_trial
        left = [each for each in questions if each not in self._agreed]
        self._put += left
        if left:
            raise Unanswered(
                sorted(left, key=lambda each: goes_on and isinstance(each, SignedBefore))
            )

    def _put_first(self, questions: Iterable[Question]) -> None:
        """The same for those that are put before it is known whether anything is due."""
        goes_on = self.replaces or self.is_trial
        first = NoLibrary if goes_on else NoLibrary | SignedBefore
        self.put(each for each in questions if isinstance(each, first))


class _FileClerk(Clerk):
    """The clerk of a player who goes on from a file: the `path` of the file to be written."""

    def __init__(
        self,
        session: Session,
        game: GameFile,
        memory: Memory,
        beforehand: Collection[Beforehand],
        path: Path | None,
        enclosure: Enclosure | None,
        *,
        is_trial: bool,
        is_attended: bool,
    ) -> None:
        super().__init__(memory, beforehand=beforehand, is_trial=is_trial, is_attended=is_attended)
        self.session = session
        self.game = game
        self.path = path or answer_path(
            session.library, game.match, len(game.match.records), game.path
        )
        self._enclosure = enclosure

    @property
    def has_draft(self) -> bool:
        """Whether something is written beside the file."""
        return self._enclosure is not None and self._enclosure.has_draft

    def _make_room(self) -> None:
        if self._enclosure is not None:
            match = self.game.match
            self._enclosure.make_room(self.path, match.id, len(match.records))
        if not self.is_trial:
            self.memory.check_room(self.path, replaces=self.replaces, may_be_there=self.has_draft)


class Answering(_FileClerk):
    """The clerk of a player who answers a file, from reading it to the file that is written next.

    The steps are `begin`, after which there is a `turn` that takes orders, and `sign`; between them
    may stand `allow_another`, before anybody is asked for orders, and `check`. `notes` are those to
    be written, None for those of the file. With `resigns` the game is given up: raises OverAlready
    where it is over. Where it is over, signing closes it.
    """

    def __init__(
        self,
        session: Session,
        game: GameFile,
        *,
        resigns: bool = False,
        path: Path | None = None,
        enclosure: Enclosure | None = None,
        beforehand: Collection[Beforehand] = (),
        is_trial: bool = False,
        is_attended: bool = True,
    ) -> None:
        if resigns and game.match.is_over and game.match.next_side is not None:
            raise OverAlready("The game is already over, and is waiting for you to close it.")
        super().__init__(
            session,
            game,
            session.memory(game.match.records),
            beforehand,
            path,
            enclosure,
            is_trial=is_trial,
            is_attended=is_attended,
        )
        self.notes: str | None = None
        self._resigns = resigns
        self._turn: Turn | None = None

    @property
    def turn(self) -> Turn:
        """The answer that is being made; WrongUse before it was begun."""
        if self._turn is None:
            raise WrongUse("This answer has not been begun.")
        return self._turn

    def questions(self) -> list[Question]:
        """What has to be settled before signing, as far as known now, in the order to show."""
        if self._turn is None:
            asked = self.memory.questions(another=self.memory.signed is None)
        else:
            asked = self._turn.questions()
        return [each for each in asked if each not in self._agreed]

    def begin(self) -> Turn:
        """Begin the answer, if that was not done, and see that there is room for its file.

        Raises Unanswered, and WrongUse where it is not the player's turn to write, or there is no
        room.
        """
        is_another = self.memory.signed is None
        if self._turn is None:
            self._put_first(self.memory.questions(another=is_another))
            self._turn = self.session.answer(self.game, self.memory, resigns=self._resigns)
        self._put_but_new_keys(self._turn.questions(another=is_another))
        self._make_room()
        return self._turn

    def allow_another(self) -> None:
        """Raise Unanswered unless another answer may be signed than was before."""
        self._put_but_new_keys(self.turn.questions(another=True))

    def allow(self) -> None:
        """Raise Unanswered where a complete answer is going to be refused as it is."""
        if self.turn.is_complete:
            self._put_but_new_keys(self.turn.questions())

    def check(self) -> None:
        """See that the complete answer can become a file: the last step before it is shown.

        Raises WrongUse for notes that are too long and where something is left to decide, and
        Unanswered: the turn may have come to a shuffle.
        """
        self.turn.check(self.notes)
        self._put_but_new_keys(self.turn.questions())

    def sign(self) -> Written:
        """Sign the answer, and write its file; raises as `check`, and as `Turn.sign`."""
        if self.is_trial:
            raise WrongUse("This is only a trial.")
        self.check()
        self.put(self.turn.questions())
        return self.turn.sign(
            self.path, notes=self.notes, replaces=self.replaces, may_be_there=self.has_draft
        )

    def _put_but_new_keys(self, questions: Iterable[Question]) -> None:
        # That is shown once it is sure what is signed.
        self.put(each for each in questions if not isinstance(each, NewKey))

    # --- what is not signed yet

    def edit(self, notes: str) -> None:
        """Have these notes written; raises WrongUse where a file cannot hold them."""
        self.notes = checked_notes(notes)

    def resume(self) -> Resumed:
        """Go on with the turn that was found again: with its orders, and with its notes."""
        found = self.turn.found_again
        if found is not None and self.notes is None:
            self.notes = found.notes
        return self.turn.resume()

    def keep(self) -> NotKept | None:
        """Keep it as it is now, but for a trial and for what gives the game up: `Turn.keep`."""
        if self.is_trial or self._resigns:
            return None
        return self.turn.keep(self.notes)


class Joining(_FileClerk):
    """The clerk of a player who accepts an invitation: `begin`, `allow`, `choose`, `sign`."""

    def __init__(
        self,
        session: Session,
        game: GameFile,
        *,
        path: Path | None = None,
        enclosure: Enclosure | None = None,
        beforehand: Collection[Beforehand] = (),
        is_attended: bool = True,
    ) -> None:
        self.acceptance: Acceptance = session.join(game)
        super().__init__(
            session,
            game,
            self.acceptance.memory,
            beforehand,
            path,
            enclosure,
            is_trial=False,
            is_attended=is_attended,
        )

    @property
    def side_before(self) -> Side | None:
        """The side with which it was accepted before, unless it is to be accepted differently."""
        signed = self.acceptance.signed
        return Side(signed.side) if signed and not self.replaces else None

    def questions(self) -> list[Question]:
        """What has to be settled before signing, as far as known now, in the order to show."""
        return [each for each in self.acceptance.questions() if each not in self._agreed]

    def begin(self) -> None:
        """See that it may be accepted, and that there is room for its file.

        Raises Unanswered and WrongUse.
        """
        self._put_first(self.acceptance.questions())
        self._make_room()

    def allow(self, side: Side | None = None) -> None:
        """Raise Unanswered, and WrongUse where that is not the side to be taken.

        Who the inviter is comes last. Nothing is asked of one's own: it cannot be accepted.
        """
        invitation = self.game.match.invite
        check_side(invitation, side)
        if invitation.key == self.session.identity.public_key:
            return
        asked = self.acceptance.questions()
        self.put(each for each in asked if not isinstance(each, NewKey | OtherKey))
        self.put(asked)

    def choose(self, side: Side | None = None, start_card: str | None = None) -> Match:
        """Accept it with these choices: the resulting match, which is not signed yet.

        Raises WrongUse for choices that cannot be made, and Unanswered.
        """
        match = self.acceptance.choose(side, start_card)
        self.put(self.acceptance.questions())
        return match

    def sign(self) -> Written:
        """Sign it as chosen, and write its file; raises as `Acceptance.sign`."""
        self.put(self.acceptance.questions())
        return self.acceptance.sign(self.path, replaces=self.replaces, may_be_there=self.has_draft)
