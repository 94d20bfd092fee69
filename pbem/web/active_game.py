"""A game that is open on a page, with its player's unsigned turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from engine.choices import Choices
from engine.message import NOTHING, Message, Phrase, sentences
from engine.order import Order
from engine.orders import from_notation
from engine.sides import Side
from pbem.errors import UsageError
from pbem.play.autosave import Autosave
from pbem.play.invitation import Acceptance, side_of_guest, start_cards
from pbem.play.look import Look
from pbem.play.robot import is_robot_of
from pbem.play.session import Consent, Manner, Session
from pbem.play.signing import NewKey, NoStore, OpenQuestionsError, Question, SignedFile, questions
from pbem.play.store import StoreError
from pbem.play.turn import Turn, check_notes
from pbem.sources import now
from pbem.text.history.standing import borrowed_date_notice
from pbem.text.language import Line
from pbem.text.ordering.guided_turn import resumed_turn_text
from pbem.text.phrases import names
from pbem.text.proof.finding import unsaved_notice
from pbem.text.proof.signature import turn_summary
from pbem.web.game_service import OpenGame

_T = TypeVar("_T")
MAX_EFFECTS = 2
"""The maximum number of effects that are announced of a step signed for the player."""


def signed_file_warnings(signed_file: SignedFile) -> Phrase:
    """Return warnings about the date of a signed file, and if the library did not store it."""
    unsaved = signed_file.unremembered
    return sentences(
        borrowed_date_notice(signed_file.match, now()),
        unsaved_notice(unsaved.path, unsaved.reason) if unsaved else NOTHING,
    )


class ActiveGame:
    """An open game of a player: a turn to write, an invitation to accept, or only a view.

    The game service calls all methods. Each order is saved in the library at once. `note` is
    called with the path of each signed file.
    """

    def __init__(self, session: Session, open_game: OpenGame, note: Callable[[Path], None]) -> None:
        self.open_game = open_game
        self.session = session
        self.game = open_game.game
        self.acceptance: Acceptance | None = None
        self.turn: Turn | None = None
        self._draft: Turn | None = None
        self._autosave: Autosave | None = None
        self.is_resigning = False
        self.notices: list[Line] = []
        self.save_error: StoreError | None = None
        self.refused_questions: tuple[Question, ...] = ()
        self.consent = Consent(session)
        self._note = note
        match = self.game.match
        self._must_write = Look.of(match, session.identity).must_write
        if not match.is_joined and match.invite.key != session.identity.public_key:
            self.acceptance = session.join(self.game)
        elif self._must_write:
            self._begin()

    def _begin(self) -> None:
        """Begin the turn, unless the player must accept a question first."""
        self.turn, self._draft, self._autosave, self.notices = None, None, None, []
        try:
            self._draft = turn = self.consent.begin(self.game, resigns=self.is_resigning)
            self._autosave = Autosave(self.session.store, turn)
            self.consent.allow(turn, is_different=turn.signed is None)
            turn.history.check_room(turn.path, replace=self.consent.may_replace)
        except OpenQuestionsError as error:
            self.refused_questions = error.questions
            return
        self.turn, self.refused_questions = turn, ()
        if self._autosave.saved is not None and not self.is_resigning:
            name = names(self.game.match.state)
            self.notices = [*resumed_turn_text(self._autosave.saved, self._autosave.resume(), name)]

    # --- state

    def is_current(self, open_game: OpenGame) -> bool:
        """Return True if `open_game` is the same file, and no other program changed the turn since.

        Return False if the player's home has moved to another device in the meantime.
        Return False if the library could not be used before, because the turn may begin now.
        """
        is_same = self.open_game.stamp == open_game.stamp and not self.is_changed_elsewhere
        draft = self.turn or self.acceptance
        with suppress(StoreError):
            is_same &= not draft or draft.history.moved_time == self.session.store.moved_time()
        is_busy = self.turn is None and any(isinstance(item, NoStore) for item in self._pending())
        return is_same and not is_busy

    @property
    def is_changed_elsewhere(self) -> bool:
        """True if another window or a command has changed the saved turn."""
        return self.turn is not None and self._autosave is not None and self._autosave.is_changed

    @property
    def revision(self) -> str:
        """A hash of the file, the orders and the notes, which pages send with each request."""
        turn = self.turn
        facts = (
            self.game.match.last.hash.hex(),
            [order.notation() for order in turn.undo_stack] if turn else None,
            [order.notation() for order in turn.redo_stack] if turn else None,
            turn.new_notes if turn else None,
            self.is_resigning,
        )
        return sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def look(self) -> Look:
        """The view that its player has of a joined game."""
        return self.turn.look if self.turn else self.session.look(self.game)

    @property
    def notes(self) -> str:
        """The private notes that go into the file."""
        return self.turn.notes_to_send if self.turn else ""

    @property
    def choices(self) -> Choices | None:
        """The index of legal orders, or None if the player can give no order."""
        turn = self.turn
        return None if turn is None or turn.takes_no_order else turn.choices

    # --- actions

    def order(self, notation: str) -> Order:
        """Give an order. Raises UsageError or IllegalOrderError, and then changes nothing."""
        order = from_notation(notation)
        self.do(lambda turn: turn.order(order))
        return order

    def do(self, action: Callable[[Turn], _T]) -> _T:
        """Apply an action to the turn, save the turn, and return the result."""
        result = action(self._open_turn())
        earlier = self._autosave.saved if self.turn and self._autosave else None
        # After a change the notices about the resumed turn have been read. The notice that it was
        # signed before stays until it is signed again.
        if earlier is None or not earlier.is_signed:
            self.notices = []
        self._save()
        return result

    def write_notes(self, notes: str) -> None:
        """Replace the private notes. Raises UsageError if the file cannot hold them."""
        self._open_turn().new_notes = check_notes(notes)
        self._save()

    def resign(self, *, is_resigning: bool) -> None:
        """Prepare a resignation, or return to the turn, without signing anything."""
        self._check_must_write()
        previous, self.is_resigning = self.is_resigning, is_resigning
        self.consent = Consent(self.session)
        try:
            self._begin()
        except UsageError:
            self.is_resigning = previous
            self._begin()
            raise

    def _save(self) -> None:
        self.save_error = self._autosave.save() if self._autosave else None

    def _check_must_write(self) -> None:
        if self.acceptance is not None or not self._must_write:
            raise UsageError("It is not your turn to write in this game.")

    def _open_turn(self) -> Turn:
        self._check_must_write()
        if self._draft is None:
            raise OpenQuestionsError(self.refused_questions)
        return self._draft

    # --- signing

    @property
    def questions(self) -> Sequence[Question]:
        """The known questions that the player must accept before the next step."""
        try:
            if self.acceptance is not None:
                self.consent.begin_joining(self.acceptance)
                self.consent.allow_joining(self.acceptance)
            elif self.turn is None:
                return self.refused_questions
            elif self.turn.is_complete:
                self.consent.check(self.turn)
        except OpenQuestionsError as error:
            return error.questions
        return ()

    @property
    def news(self) -> Sequence[Question]:
        """The facts that the player should know before signing but need not accept."""
        manner, agreed = self.consent.manner, self.consent.agreed
        notices = [question for question in agreed if manner(question) is Manner.TOLD]
        new_keys = [question for question in self._pending() if isinstance(question, NewKey)]
        return list(dict.fromkeys([*notices, *new_keys]))

    def _pending(self) -> Sequence[Question]:
        draft = self.acceptance or self.turn
        return self.refused_questions if draft is None else questions(draft, self.consent.store)

    def agree(self, id: str) -> None:
        """Accept the question with this id. Raises UsageError if it is no longer open.

        Raises ForbiddenConsentError if the question is a reason to refuse the signature.
        """
        if self.acceptance is None:
            self._check_must_write()
        # This computes the current questions; the id must be among them.
        _ = self.questions
        self.consent.agree(id)
        if self.acceptance is None and self.turn is None:
            self._begin()

    def sign(self) -> SignedFile:
        """Sign the turn and write its file, or raise OpenQuestionsError or UsageError."""
        turn = self._open_turn()
        self.consent.check(turn)
        return self.consent.sign(turn, note=self._note)

    # --- steps without a decision

    @cached_property
    def is_with_robot(self) -> bool:
        """True if the opponent is the robot of this computer."""
        match, side = self.game.match, Look.of(self.game.match, self.session.identity).viewer
        other = match.entrants.get(side.opponent) if side else None
        return other is not None and is_robot_of(self.session.home.folder, other.key)

    @property
    def allows_steps(self) -> bool:
        """True if the player lets steps without a decision be signed in this game."""
        return self.is_with_robot and self.session.store.allows_steps(self.game.match.id)

    @property
    def is_step_due(self) -> bool:
        """True if the turn needs no decision, and no question is open."""
        turn = self.turn
        return turn is not None and turn.needs_no_decision and not self.questions

    def allow_steps(self, *, is_allowed: bool) -> None:
        """Note whether steps without a decision may be signed. Raises UsageError or StoreError."""
        if not self.is_with_robot:
            raise UsageError(
                "Steps are signed for you only in games against the robot on this computer."
            )
        self.session.store.allow_steps(self.game.match.id, is_allowed=is_allowed)

    def sign_step(self) -> Phrase:
        """Sign a step that needs no decision, if the player allows it. Raises as `sign` does.

        Return sentences about the step; they are empty if nothing was signed.
        """
        turn = self.turn
        if turn is None or not self.allows_steps or not self.is_step_due:
            return NOTHING
        signed_file = self.sign()
        effects = [line.text for line in turn_summary(turn, is_waiting=True) if line.text]
        return sentences(
            Message("Signed for you, as you asked."),
            *effects[:MAX_EFFECTS],
            signed_file_warnings(signed_file),
        )

    def join(self, side: Side | None, start_card: str | None) -> SignedFile:
        """Accept the invitation. Raises the same errors as `sign`."""
        acceptance, invite = self.acceptance, self.game.match.invite
        if acceptance is None:
            raise UsageError("This game has already begun.")
        if not start_cards(invite, side_of_guest(invite, side)):
            # The page offers start cards before the guest has chosen a side.
            start_card = None
        self.consent.begin_joining(acceptance)
        acceptance.history.check_room(acceptance.path, replace=self.consent.may_replace)
        self.consent.allow_joining(acceptance, side)
        self.consent.choose(acceptance, side, start_card)
        return self.consent.sign(acceptance, note=self._note)
