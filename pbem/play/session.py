"""Sessions: a player at home, with the key at hand, who reads, begins, joins and answers games.

A player consents before each signature, in three stages: the questions that do not depend on the
orders, all questions once the orders are complete, and the signature. See docs/play.md, which
lists the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Self

from engine.sides import Side
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors
from pbem.play import keyfile
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.invitation import Acceptance, Invitation, check_side
from pbem.play.look import Look, Spectator
from pbem.play.signing import (
    ForbiddenConsentError,
    NewKey,
    NoStore,
    NotRemembered,
    OpenQuestionsError,
    OtherKey,
    PriorConsent,
    Question,
    Signable,
    SignedBefore,
    SignedFile,
    SigningHistory,
    look_up_history,
    questions,
    questions_of_file,
    sign,
)
from pbem.play.store import Store, StoreError
from pbem.play.turn import Turn, look_now
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match, ProgressCallback
from pbem.savefile.disk import read_file

# --- sessions


class Session:
    """A session of the player with `identity` at `home`; `store` is the player's own by default.

    Used as a context manager, it notes the file that was read last in the store at the end.

    >>> session = Session(Home(Path("nowhere")), anna)  # Reads and writes nothing yet.
    >>> invitation = session.invite(Side.BRITISH, lists=16)
    >>> invitation.match.invite.name, invitation.match.invite.side, invitation.is_complete
    ('Anna', 'british', True)
    """

    def __init__(self, home: Home, identity: Identity, store: Store | None = None) -> None:
        self.home = home
        self.identity = identity
        self.store = store or Store(home.library_path, identity.public_key, home.clock)

    @classmethod
    def open(cls, home: Home, passphrase: str | Callable[[], str] = "") -> Self:
        """Return the session of the player with `home`.

        If `passphrase` is a function, it is called only for a sealed key. Raises InputError if
        there is no identity, WrongPassphraseError if the passphrase is wrong.
        """
        ask = passphrase if callable(passphrase) else lambda: passphrase
        with report_os_errors(home.identity_path):
            return cls(home, keyfile.load(home.identity_path, ask))

    @classmethod
    def create(cls, home: Home, identity: Identity, passphrase: str | None = None) -> Self:
        """Create the home of a new identity. Raises UsageError if there is one already."""
        session = cls(home, identity)
        with report_os_errors(home.identity_path, NOT_WRITTEN):
            home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Done first, because a key without a store counts as one that has lost it.
            try:
                with session.store as store:
                    store.mark_complete()
            except StoreError as error:
                session.store.failure = error
            keyfile.save(identity, home.identity_path, passphrase)
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.flush()
        self.store.close()

    # --- reading

    def read(self, source: Path | bytes, progress: ProgressCallback = iter) -> GameFile:
        """Return the verified game in a file or its bytes.

        Records that were verified before are not verified again. See `GameFile.read`
        for `progress` and the errors.
        """
        if isinstance(source, bytes):
            return read_and_note(self.store, source, None, progress)
        return read_and_note(self.store, read_file(source), source, progress)

    def look(self, game: GameFile) -> Look:
        """Return a joined game as the player may see it.

        The automatic steps of the player's turn are already carried out.
        """
        return look_now(game, Look.of(game.match, self.identity), self.home.clock())

    # --- drafts

    def invite(self, side: Side | None = None, **options: Any) -> Invitation:
        """Return an invitation; see `Invitation` for the `options`."""
        return Invitation(self.identity, side=side, time=self.home.clock(), **options)

    def join(
        self, game: GameFile, nonce: bytes | None = None, history: SigningHistory | None = None
    ) -> Acceptance:
        """Return the acceptance of an invitation; call its `choose` next.

        The `history` is looked up unless it is passed.
        """
        history = history or look_up_history(self.store, game.match.records)
        return Acceptance(game, self.identity, history, self.home.clock, nonce)

    def answer(
        self, game: GameFile, history: SigningHistory | None = None, *, resigns: bool = False
    ) -> Turn:
        """Return the answer to a file. Raises UsageError if the player does not write next.

        An answer that `resigns` gives up the game; the answer to a game that is over closes it. The
        `history` is looked up unless it is passed.
        """
        history = history or look_up_history(self.store, game.match.records)
        time = self.home.clock()
        return Turn.of(game, self.identity, time, history, resigns=resigns)


def spectator_reason(home: Home, match: Match) -> Spectator | None:
    """Return the reason why the owner of a home only watches a joined game, or None.

    The identity does not have to be opened for that.
    """
    if not home.has_identity:
        return Spectator.KEY_GONE if home.has_played else Spectator.NO_KEY
    key = home.own_key
    is_other = key is not None and all(entrant.key != key for entrant in match.entrants.values())
    return Spectator.OTHER_KEY if is_other else None


# --- consent


class Manner(Enum):
    """Ways to put a question to a player."""

    TOLD = "told"
    """The question is shown, and does not keep the player from signing."""
    ASKED = "asked"
    """The player answers yes or no."""
    REFUSED = "refused"
    """The question is shown as the reason why nothing is signed."""
    PASSED = "passed"
    """The player has agreed to the question beforehand."""


class Consent:
    """The consent of a session's player: the questions `agreed` to, and the way to put the others.

    A question that `prior_consent` covers is not asked, or is asked instead of refused. In a trial
    (`is_trial`) nothing is asked or signed. Without a player at the terminal (`is_attended` is
    False) nothing is asked. A front end overrides `put` to show a question to its player.
    """

    def __init__(
        self,
        session: Session,
        *,
        prior_consent: Collection[PriorConsent] = (),
        is_trial: bool = False,
        is_attended: bool = True,
    ) -> None:
        self.session = session
        self.store = session.store
        self.is_trial = is_trial
        self.agreed: list[Question] = []
        self._prior_consent = set(prior_consent)
        self._is_attended = is_attended
        self._questions: list[Question] = []

    def put(self, question: Question, manner: Manner) -> bool:
        """Put a question to the player; return True if the player agrees.

        An override may raise an error to end the command.
        """
        return manner in (Manner.TOLD, Manner.PASSED)

    @property
    def may_replace(self) -> bool:
        """True if another record, and its file, may replace an earlier one."""
        return PriorConsent.ANOTHER in self._prior_consent

    def manner(self, question: Question) -> Manner:
        """Return the way to put a question to the player."""
        if self.is_trial or isinstance(question, NewKey):
            return Manner.TOLD
        is_newest = PriorConsent.NEWEST in self._prior_consent
        ask = Manner.ASKED if self._is_attended else Manner.TOLD
        match question:
            case OtherKey():
                return ask if question.recognised.is_doubted else Manner.TOLD
            case NoStore() if is_newest and not question.may_pass:
                return Manner.TOLD
            case SignedBefore() if self.may_replace:
                return ask
            case NotRemembered(is_opening=False) if is_newest:
                return Manner.PASSED
            case NotRemembered() if self._is_attended:
                return Manner.ASKED
        return Manner.REFUSED

    def settle(self, open_questions: Iterable[Question]) -> None:
        """Put those questions to the player that are not agreed to yet.

        The question about signing a different answer comes last. Raises OpenQuestionsError with
        the questions to which the player does not agree.
        """
        may_continue = self.may_replace or self.is_trial
        remaining = [question for question in open_questions if question not in self.agreed]
        remaining.sort(key=lambda question: may_continue and isinstance(question, SignedBefore))
        self._questions += [question for question in remaining if question not in self._questions]
        unanswered = []
        for question in remaining:
            if self.put(question, self.manner(question)):
                self.agree(question)
            else:
                unanswered.append(question)
        if unanswered:
            raise OpenQuestionsError(unanswered)

    def agree(self, question: Question | str) -> None:
        """Agree to a question, or to the id of a question, that was put before.

        Agreeing to a changed key also vouches for it, if the player was asked; agreeing to sign a
        different record allows its file to be replaced. Raises ForbiddenConsentError if no player
        may agree to the question, except in a trial, and for the id of a question that was refused
        and not asked. Raises UsageError for the id of a question that was not put.
        """
        target = next((put for put in self._questions if question in (put, put.id)), question)
        if isinstance(target, str):
            raise UsageError("This is no longer asked: look at what is asked now.")
        manner = self.manner(target)
        is_refused = isinstance(question, str) and manner is Manner.REFUSED
        if is_refused or not (target.may_be_agreed or self.is_trial):
            raise ForbiddenConsentError(target)
        self.agreed.append(target)
        if isinstance(target, OtherKey) and manner is Manner.ASKED:
            self.store.vouch(target.recognised.person)
        if isinstance(target, SignedBefore):
            self._prior_consent.add(PriorConsent.ANOTHER)

    # --- a turn

    def begin(self, game: GameFile, *, resigns: bool = False) -> Turn:
        """Return the answer to a file.

        Raises UsageError if the player does not write next, OpenQuestionsError if the file was
        answered before.
        """
        try:
            return self.session.answer(game, resigns=resigns)
        except UsageError:
            # If the file was answered before, report that rather than the other player's turn.
            history = look_up_history(self.store, game.match.records)
            self._settle_first(questions_of_file(history, self.store))
            raise

    def allow(self, turn: Turn, *, is_different: bool | None = None) -> None:
        """Raise OpenQuestionsError if questions are open; see `questions` for `is_different`.

        A new key is reported only when the record to be signed is complete.
        """
        open_questions = questions(turn, self.store, is_different=is_different)
        self.settle(question for question in open_questions if not isinstance(question, NewKey))

    def check(self, turn: Turn) -> None:
        """Check that a complete answer can become a file; call it before the answer is shown.

        Raises UsageError for notes that are too long and if something is left to decide,
        OpenQuestionsError if a shuffle in the turn raises a question.
        """
        turn.file().write()
        self.allow(turn)

    def _settle_first(self, open_questions: Iterable[Question]) -> None:
        """Settle the questions that do not depend on the answer."""
        may_continue = self.may_replace or self.is_trial
        first = NoStore if may_continue else NoStore | SignedBefore
        self.settle(question for question in open_questions if isinstance(question, first))

    # --- an invitation

    def begin_joining(self, acceptance: Acceptance) -> None:
        """Raise OpenQuestionsError if an invitation may not be accepted."""
        self._settle_first(questions(acceptance, self.store))

    def allow_joining(self, acceptance: Acceptance, side: Side | None = None) -> None:
        """Raise OpenQuestionsError if questions are open, UsageError if the side is not free.

        The question about the inviter's identity comes last. The player's own invitation raises no
        questions, because it cannot be accepted.
        """
        invitation = acceptance.game.match.invite
        check_side(invitation, side)
        if invitation.key == acceptance.identity.public_key:
            return
        open_questions = questions(acceptance, self.store)
        self.settle(q for q in open_questions if not isinstance(q, NewKey | OtherKey))
        self.settle(open_questions)

    def choose(
        self, acceptance: Acceptance, side: Side | None = None, start_card: str | None = None
    ) -> Match:
        """Return the match with the chosen side and start card, not signed yet.

        Raises UsageError for choices that are not allowed, and OpenQuestionsError.
        """
        match = acceptance.choose(side, start_card)
        self.settle(questions(acceptance, self.store))
        return match

    # --- signing

    def sign(
        self,
        draft: Signable,
        path: Path | None = None,
        *,
        may_exist: bool = False,
        note: Callable[[Path], None] = lambda path: None,
    ) -> SignedFile:
        """Settle all questions and sign a draft with `signing.sign`.

        Raises UsageError in a trial.
        """
        if self.is_trial:
            raise UsageError("This is only a trial.")
        signed = partial(sign, draft, self.session.identity, self.store, self.agreed, path)
        while True:
            try:
                return signed(replace=self.may_replace, may_exist=may_exist, note=note)
            except OpenQuestionsError as error:
                self.settle(error.questions)
