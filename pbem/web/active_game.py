"""A game that is open on a page, with its player's unsigned turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from engine.choices import Choices
from engine.order import Order
from engine.orders import from_notation
from engine.sides import Side
from pbem.errors import WrongUse
from pbem.play.entry import Acceptance, side_of_guest, start_cards
from pbem.play.kept_turn import KeptTurn
from pbem.play.look import Look
from pbem.play.session import Consent, Manner, Session
from pbem.play.signing import NewKey, NoLibrary, Question, Unanswered, Written, questions
from pbem.play.store import LibraryFailed
from pbem.play.turn import Turn, checked_notes
from pbem.text.language import Line
from pbem.text.ordering.guided_turn import resumed_text
from pbem.text.phrases import names
from pbem.web.game_service import OpenGame

_T = TypeVar("_T")


class ActiveGame:
    """An open game in the hands of its player: a turn, an invitation to take up, or only a look.

    Each thing that is done in it is done at the service. What is ordered is kept at once, as it is.
    `told` is told of each file that was written.
    """

    def __init__(self, session: Session, opened: OpenGame, told: Callable[[Path], None]) -> None:
        self.opened = opened
        self.session = session
        self.game = opened.game
        self.acceptance: Acceptance | None = None
        self.turn: Turn | None = None
        self._answer: Turn | None = None
        self._kept: KeptTurn | None = None
        self.resigns = False
        self.found: list[Line] = []
        self.not_kept: LibraryFailed | None = None
        self.refused: tuple[Question, ...] = ()
        self.consent = Consent(session)
        self._told = told
        match = self.game.match
        self._is_to_write = Look.of(match, session.identity).is_to_write
        if not match.is_joined and match.invite.key != session.identity.public_key:
            self.acceptance = session.join(self.game)
        elif self._is_to_write:
            self._begin()

    def _begin(self) -> None:
        """Begin the turn, unless something has to be answered before."""
        self.turn, self._answer, self._kept, self.found = None, None, None, []
        try:
            self._answer = turn = self.consent.begin(self.game, resigns=self.resigns)
            self._kept = KeptTurn(self.session.store, turn)
            self.consent.allow(turn, another=turn.signed is None)
            turn.background.check_room(turn.path, replaces=self.consent.replaces)
        except Unanswered as error:
            self.refused = error.questions
            return
        self.turn, self.refused = turn, ()
        if self._kept.found is not None and not self.resigns:
            name = names(self.game.match.state)
            self.found = [*resumed_text(self._kept.found, self._kept.resume(), name)]

    # --- how it stands

    def stands_as(self, opened: OpenGame) -> bool:
        """Return True if that is the file here, and nobody else has gone on with the turn since.

        A turn that was not begun because the library could not be used may be begun by now.
        """
        is_same = self.opened.stamp == opened.stamp and not self.is_kept_otherwise
        waits = self.turn is None and any(isinstance(each, NoLibrary) for each in self._asked())
        return is_same and not waits

    @property
    def is_kept_otherwise(self) -> bool:
        """True if another window or a command has gone on with the turn since."""
        return self.turn is not None and self._kept is not None and self._kept.is_changed

    @property
    def stand(self) -> str:
        """How it stands: the file, what is ordered so far, and the notes; any page knows it."""
        turn = self.turn
        facts = (
            self.game.match.last.hash.hex(),
            [order.notation() for order in turn.given] if turn else None,
            [order.notation() for order in turn.taken_back] if turn else None,
            turn.new_notes if turn else None,
            self.resigns,
        )
        return sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def look(self) -> Look:
        """The game as its player sees it; for a game that was joined."""
        return self.turn.look if self.turn else self.session.look(self.game)

    @property
    def notes(self) -> str:
        """The notes that go into the file."""
        return self.turn.notes_to_send if self.turn else ""

    @property
    def choices(self) -> Choices | None:
        """The orders that can be given, by their parts; None if none can."""
        turn = self.turn
        return None if turn is None or turn.takes_no_order else turn.choices

    # --- what is done

    def order(self, notation: str) -> Order:
        """Give an order; raises WrongUse or IllegalOrder, with nothing changed."""
        order = from_notation(notation)
        self.do(lambda turn: turn.order(order))
        return order

    def do(self, what: Callable[[Turn], _T]) -> _T:
        """Give an order, or take one back; then keep the turn as it is now."""
        done = what(self._begun())
        found = self._kept.found if self.turn and self._kept else None
        # Whoever goes on has read how the turn was found, but that it was signed already counts
        # until it is signed again.
        if found is None or not found.is_signed:
            self.found = []
        self._keep()
        return done

    def write_notes(self, notes: str) -> None:
        """Have these notes go into the file; raises WrongUse if it cannot hold them."""
        self._begun().new_notes = checked_notes(notes)
        self._keep()

    def resign(self, *, resigns: bool) -> None:
        """Be about to give the game up, or go back to the turn; nothing is signed by it."""
        self._check_to_write()
        before, self.resigns = self.resigns, resigns
        self.consent = Consent(self.session)
        try:
            self._begin()
        except WrongUse:
            self.resigns = before
            self._begin()
            raise

    def _keep(self) -> None:
        self.not_kept = self._kept.keep() if self._kept else None

    def _check_to_write(self) -> None:
        if self.acceptance is not None or not self._is_to_write:
            raise WrongUse("It is not your turn to write in this game.")

    def _begun(self) -> Turn:
        self._check_to_write()
        if self._answer is None:
            raise Unanswered(self.refused)
        return self._answer

    # --- signing

    @property
    def questions(self) -> Sequence[Question]:
        """The questions to be agreed to, as far as is known now, before the next step."""
        try:
            if self.acceptance is not None:
                self.consent.begin_joining(self.acceptance)
                self.consent.allow_joining(self.acceptance)
            elif self.turn is None:
                return self.refused
            elif self.turn.is_complete:
                self.consent.check(self.turn)
        except Unanswered as error:
            return error.questions
        return ()

    @property
    def news(self) -> Sequence[Question]:
        """The news that whoever signs should know, and need not agree to."""
        manner, agreed = self.consent.manner, self.consent.agreed
        told = [each for each in agreed if manner(each) is Manner.TOLD]
        new = [each for each in self._asked() if isinstance(each, NewKey)]
        return list(dict.fromkeys([*told, *new]))

    def _asked(self) -> Sequence[Question]:
        draft = self.acceptance or self.turn
        return self.refused if draft is None else questions(draft, self.consent.store)

    def agree(self, id: str) -> None:
        """Agree to the question with that id; raises WrongUse if it is not asked any more.

        NotToBeAgreed if it is not asked, but told why nothing is signed.
        """
        if self.acceptance is None:
            self._check_to_write()
        # What is asked now is put by that, as it has to be known.
        _ = self.questions
        self.consent.agree(id)
        if self.acceptance is None and self.turn is None:
            self._begin()

    def sign(self) -> Written:
        """Sign it, and write the file; raises Unanswered, with nothing signed, and WrongUse."""
        turn = self._begun()
        self.consent.check(turn)
        return self.consent.sign(turn, told=self._told)

    def join(self, side: Side | None, start_card: str | None) -> Written:
        """Take up the invitation; raises as `sign`."""
        acceptance, invite = self.acceptance, self.game.match.invite
        if acceptance is None:
            raise WrongUse("This game has already begun.")
        if not start_cards(invite, side_of_guest(invite, side)):
            # The page offers one before it is known which side is taken.
            start_card = None
        self.consent.begin_joining(acceptance)
        acceptance.background.check_room(acceptance.path, replaces=self.consent.replaces)
        self.consent.allow_joining(acceptance, side)
        self.consent.choose(acceptance, side, start_card)
        return self.consent.sign(acceptance, told=self._told)
