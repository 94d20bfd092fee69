"""A game that lies open on the desk, with what its player has done in it that is not signed yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

from engine.order import Order
from engine.orders import from_notation
from engine.sides import Side
from engine.ways import Ways
from pbem.errors import WrongUse
from pbem.play.clerk import Answering, Joining, Manner
from pbem.play.entry import side_of_guest, start_cards
from pbem.play.kept_turn import NotKept
from pbem.play.look import Look, Spectator, look_of
from pbem.play.memory import Written
from pbem.play.questions import NewKey, NoLibrary, Question, Unanswered
from pbem.play.session import Session, Turn
from pbem.text.facts.selection import Clickable
from pbem.text.lines import Line
from pbem.text.ordering.kept_turn import found_told
from pbem.text.phrases import names
from pbem.web.desk import OpenGame

_T = TypeVar("_T")


class Playing:
    """An open game in the hands of its player: a turn, an invitation to take up, or only a look.

    Each thing that is done in it is done at the desk. What is ordered is kept at once, as it is.
    """

    def __init__(self, session: Session, opened: OpenGame) -> None:
        self.opened = opened
        self.session = session
        self.game = opened.game
        self.clerk: Answering | Joining | None = None
        self.turn: Turn | None = None
        self.resigns = False
        self.found: list[Line] = []
        self.not_kept: NotKept | None = None
        self.refused: tuple[Question, ...] = ()
        self.told: list[Question] = []
        """What was told by a clerk, and has kept nobody from going on."""
        if self._is_to_join():
            self.clerk = Joining(session, self.game)
        elif self._is_to_write():
            self._take_up()

    def _is_to_join(self) -> bool:
        match = self.game.match
        return not match.is_joined and match.invite.key != self.session.identity.public_key

    def _is_to_write(self) -> bool:
        seat = self.session.seat(self.game)
        return not isinstance(seat, Spectator) and seat.is_to_write

    def _take_up(self) -> None:
        self.clerk = Answering(self.session, self.game, resigns=self.resigns)
        self.turn, self.found, self.told = None, [], []
        self._forget()
        self._begin()

    def _begin(self) -> None:
        """Begin the turn, unless something has to be answered before."""
        clerk = self.clerk
        if isinstance(clerk, Joining) or clerk is None or self.turn is not None:
            return
        self.turn, self.refused = self._step(clerk.begin)
        found = self.turn.found_again if self.turn else None
        if found is None or self.resigns:
            return
        self.found = [*found_told(found, clerk.resume(), names(self.game.match.state))]

    def _step(self, step: Callable[[], _T]) -> tuple[_T | None, tuple[Question, ...]]:
        """Take a step of the clerk: what comes of it, or what has to be answered before."""
        assert self.clerk is not None
        while True:
            try:
                return step(), ()
            except Unanswered as error:
                left = self._tell(error.questions)
                if left:
                    return None, left

    def _tell(self, questions: Iterable[Question]) -> tuple[Question, ...]:
        """Agree to what is only told; what is asked or refused is returned."""
        assert self.clerk is not None
        left = []
        for question in questions:
            if self.clerk.manner(question) in (Manner.TOLD, Manner.PASSED):
                self.clerk.agree(question)
                self.told.append(question)
            else:
                left.append(question)
        return tuple(left)

    # --- how it stands

    @property
    def is_kept_otherwise(self) -> bool:
        """Whether another window or a command has gone on with the turn since."""
        return self.turn is not None and self.turn.is_kept_otherwise

    @property
    def may_be_begun_by_now(self) -> bool:
        """Whether nothing was begun because the library could not be used when it was opened."""
        asked = self.clerk.questions() if self.clerk and self.turn is None else ()
        return any(isinstance(each, NoLibrary) for each in asked)

    @property
    def stand(self) -> str:
        """How it stands: the file, what is ordered so far, and the notes; any page knows it."""
        turn = self.turn
        facts = (
            self.game.match.last.hash.hex(),
            [order.notation() for order in turn.given] if turn else None,
            [order.notation() for order in turn.taken_back] if turn else None,
            self.clerk.notes if isinstance(self.clerk, Answering) else None,
            self.resigns,
        )
        return sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def look(self) -> Look:
        """The game as its player sees it; for a game that was joined."""
        return look_of(self.turn) if self.turn else self.session.look(self.game)

    @property
    def notes(self) -> str:
        """The notes that go into the file."""
        if isinstance(self.clerk, Answering) and self.clerk.notes is not None:
            return self.clerk.notes
        return self.turn.notes.text if self.turn else ""

    @property
    def clickable(self) -> Clickable | None:
        """What can be clicked; None where nothing can be ordered."""
        turn = self.turn
        return None if turn is None or turn.takes_no_order else self._clickable

    @cached_property
    def _clickable(self) -> Clickable:
        assert self.turn is not None
        return Clickable(Ways(self.turn.worlds))

    # --- what is done

    def order(self, notation: str) -> Order:
        """Give an order; raises WrongUse or IllegalOrder, with nothing changed."""
        order = from_notation(notation)
        self._clerk().turn.order(order)
        self._ordered()
        return order

    def undo(self) -> Order | None:
        """Take the last order back."""
        taken = self._clerk().turn.undo()
        self._ordered()
        return taken

    def redo(self) -> Order | None:
        """Give it again."""
        given = self._clerk().turn.redo()
        self._ordered()
        return given

    def write_notes(self, notes: str) -> None:
        """Have these notes go into the file; raises WrongUse where it cannot hold them."""
        self._clerk().edit(notes)
        self._keep()

    def resign(self, *, resigns: bool) -> None:
        """Be about to give the game up, or go back to the turn; nothing is signed by it."""
        self._clerk()
        self.resigns = resigns
        self._take_up()

    def _ordered(self) -> None:
        """Keep what was done; whoever goes on has read how the turn was found."""
        found = self.turn.found_again if self.turn else None
        # That it was signed already counts until it is signed again.
        if found is None or not found.is_signed:
            self.found = []
        self._keep()

    def _keep(self) -> None:
        self._forget()
        self.not_kept = self._clerk().keep()

    def _forget(self) -> None:
        self.__dict__.pop("_clickable", None)

    def _clerk(self) -> Answering:
        if not isinstance(self.clerk, Answering):
            raise WrongUse("It is not your turn to write in this game.")
        return self.clerk

    # --- signing

    @property
    def questions(self) -> Sequence[Question]:
        """What has to be agreed to as far as is known now, before the next step can be taken."""
        clerk = self.clerk
        if isinstance(clerk, Joining):
            return self._step(clerk.begin)[1] or self._step(clerk.allow)[1]
        if self.turn is None:
            return self.refused
        if isinstance(clerk, Answering) and self.turn.is_complete:
            return self._step(clerk.check)[1]
        return ()

    @property
    def news(self) -> Sequence[Question]:
        """What whoever signs should know, and need not agree to."""
        clerk = self.clerk
        new = [each for each in clerk.questions() if isinstance(each, NewKey)] if clerk else []
        return list(dict.fromkeys([*self.told, *new]))

    def agree(self, id: str) -> None:
        """Agree to the question with that id; raises WrongUse where it is not asked any more.

        NotToBeAgreed where it is not asked, but told why nothing is signed.
        """
        if self.clerk is None:
            raise WrongUse("It is not your turn to write in this game.")
        # What is asked now is put by that, as the clerk has to know it.
        _ = self.questions
        self.clerk.agree(id)
        self._begin()

    def sign(self) -> Written:
        """Sign it, and write the file; raises Unanswered, with nothing signed, and WrongUse."""
        return self._signed(self._clerk().sign)

    def join(self, side: Side | None, start_card: str | None) -> Written:
        """Take up the invitation; raises as `sign`."""
        clerk = self.clerk
        if not isinstance(clerk, Joining):
            raise WrongUse("This game has already begun.")
        invite = self.game.match.invite
        if not start_cards(invite, side_of_guest(invite, side)):
            # The page offers one before it is known which side is taken.
            start_card = None
        for step in (clerk.begin, lambda: clerk.allow(side)):
            if left := self._step(step)[1]:
                raise Unanswered(left)
        if left := self._step(lambda: clerk.choose(side, start_card))[1]:
            raise Unanswered(left)
        return self._signed(clerk.sign)

    def _signed(self, sign: Callable[[], Written]) -> Written:
        written, left = self._step(sign)
        if written is None:
            raise Unanswered(left)
        return written
