"""A session: a player at home, with the key at hand, who reads, begins, joins and answers games.

The player's consent comes before a signature: whatever would be refused no matter what is ordered
comes before anything is asked; then what has to be agreed to; once all is said, the same again; and
then it is signed. docs/play.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Self

from engine.sides import Side
from pbem.errors import NOT_WRITTEN, WrongUse, report_os_errors
from pbem.play import keyfile
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.invitation import Acceptance, Invitation, check_side
from pbem.play.look import Look, Spectator
from pbem.play.signing import (
    Background,
    NewKey,
    NoLibrary,
    NotRemembered,
    NotToBeAgreed,
    OtherKey,
    PriorConsent,
    Question,
    Signable,
    SignedBefore,
    SignedFile,
    Unanswered,
    look_up,
    questions,
    questions_of_file,
    sign,
)
from pbem.play.store import LibraryFailed, Store
from pbem.play.turn import Turn, look_now
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match, Tracker
from pbem.savefile.disk import read_file

# --- sessions


class Session:
    """The player with that identity at home; `store` is theirs, unless another is named.

    At its end, if it is used as a context, what was read last is noted.
    """

    def __init__(self, home: Home, identity: Identity, store: Store | None = None) -> None:
        self.home = home
        self.identity = identity
        self.store = store or Store(home.library_path, identity.public_key, home.clock)

    @classmethod
    def open(cls, home: Home, passphrase: str | Callable[[], str] = "") -> Self:
        """Return the session of whoever has the home; a passphrase is asked for if there is one.

        Raises Unreadable if there is no identity, WrongPassphrase if it stays sealed.
        """
        given = passphrase if callable(passphrase) else lambda: passphrase
        with report_os_errors(home.identity_path):
            return cls(home, keyfile.load(home.identity_path, given))

    @classmethod
    def create(cls, home: Home, identity: Identity, passphrase: str | None = None) -> Self:
        """Make the home of a new identity; raises WrongUse if there is one already."""
        session = cls(home, identity)
        with report_os_errors(home.identity_path, NOT_WRITTEN):
            home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # First: a key without a library is one that has lost it.
            try:
                with session.store as store:
                    store.complete()
            except LibraryFailed as error:
                session.store.failure = error
            keyfile.save(identity, home.identity_path, passphrase)
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.flush()
        self.store.close()

    # --- reading

    def read(self, source: Path | bytes, passing: Tracker = iter) -> GameFile:
        """Return the game in a file, or in its bytes, verified; raises Unreadable or NotProved.

        What was verified before is not verified again; `passing` as for `GameFile.read`.
        """
        if isinstance(source, bytes):
            return read_and_note(self.store, source, None, passing)
        return read_and_note(self.store, read_file(source), source, passing)

    def look(self, game: GameFile) -> Look:
        """Return a game that was joined, as the player may see it; begun, if it is their turn."""
        return look_now(game, Look.of(game.match, self.identity), self.home.clock())

    # --- what is going to be signed

    def invite(self, side: Side | None = None, **options: Any) -> Invitation:
        """Return an invitation; the `options` are those of `Invitation`."""
        return Invitation(self.identity, side=side, time=self.home.clock(), **options)

    def join(
        self, game: GameFile, nonce: bytes | None = None, background: Background | None = None
    ) -> Acceptance:
        """Return the acceptance of an invitation, as `Acceptance.choose` makes it.

        Its `background` is looked up unless it was before.
        """
        background = background or look_up(self.store, game.match.records)
        return Acceptance(game, self.identity, background, self.home.clock, nonce)

    def answer(
        self, game: GameFile, background: Background | None = None, *, resigns: bool = False
    ) -> Turn:
        """Return the answer to a file; raises WrongUse if it is not the player's turn to write.

        One that `resigns` gives the game up; if it is over, the answer closes it. Its `background`
        is looked up unless it was before.
        """
        background = background or look_up(self.store, game.match.records)
        time = self.home.clock()
        return Turn.of(game, self.identity, time, background, resigns=resigns)


def spectator_reason(home: Home, match: Match) -> Spectator | None:
    """Return why the player at that home only looks on at a game that was joined.

    None if they may play. That can be said while the identity is still sealed.
    """
    if not home.has_identity:
        return Spectator.KEY_GONE if home.has_played else Spectator.NO_KEY
    key = home.own_key
    is_other = key is not None and all(each.key != key for each in match.entrants.values())
    return Spectator.OTHER_KEY if is_other else None


# --- consent


class Manner(Enum):
    """How a question is put to a player."""

    TOLD = "it is told, and keeps nobody from signing"
    ASKED = "the player says yes or no"
    REFUSED = "it is told why nothing is signed"
    PASSED = "the player has answered it beforehand"


class Consent:
    """The consent of the player of a session: what is `agreed` to, and how the rest is put to them.

    Questions covered by `prior_consent` are not asked, or are asked instead of refused. In a trial
    (`is_trial`) nothing is signed and nothing asked; nor is anything asked unless `is_attended`.
    A front end overrides `put` to show a question to its player.
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
        self._put: list[Question] = []

    def put(self, question: Question, manner: Manner) -> bool:
        """Put a question to the player; return True if that agrees. Raises what ends it all."""
        return manner in (Manner.TOLD, Manner.PASSED)

    @property
    def replaces(self) -> bool:
        """True if another record may be signed than was before, and its file replaced."""
        return PriorConsent.ANOTHER in self._prior_consent

    def manner(self, question: Question) -> Manner:
        """Return how a question is put to the player."""
        if self.is_trial or isinstance(question, NewKey):
            return Manner.TOLD
        is_newest = PriorConsent.NEWEST in self._prior_consent
        asked = Manner.ASKED if self._is_attended else Manner.TOLD
        match question:
            case OtherKey():
                return asked if question.recognised.is_doubted else Manner.TOLD
            case NoLibrary() if is_newest and not question.may_pass:
                return Manner.TOLD
            case SignedBefore() if self.replaces:
                return asked
            case NotRemembered() if is_newest or self._is_attended:
                return Manner.PASSED if is_newest else Manner.ASKED
        return Manner.REFUSED

    def settle(self, asked: Iterable[Question]) -> None:
        """Put to the player those of the questions to which nobody has agreed.

        A player who goes on all the same is asked that last. Raises Unanswered with those to which
        the player does not agree now.
        """
        goes_on = self.replaces or self.is_trial
        left = [each for each in asked if each not in self.agreed]
        left.sort(key=lambda each: goes_on and isinstance(each, SignedBefore))
        self._put += [each for each in left if each not in self._put]
        unanswered = []
        for question in left:
            if self.put(question, self.manner(question)):
                self.agree(question)
            else:
                unanswered.append(question)
        if unanswered:
            raise Unanswered(unanswered)

    def agree(self, question: Question | str) -> None:
        """Agree to a question, or to the one with that id, which was put; also to one only told.

        Agreeing to a changed key that was asked about vouches for it; agreeing to sign a different
        record allows its file to be replaced. Raises NotToBeAgreed if nobody may agree, unless it
        is a trial, and for the id of one that is refused: its sender was not asked. WrongUse for an
        id of no question that was put.
        """
        asked = next((each for each in self._put if question in (each, each.id)), question)
        if isinstance(asked, str):
            raise WrongUse("This is no longer asked: look at what is asked now.")
        manner = self.manner(asked)
        is_refused = isinstance(question, str) and manner is Manner.REFUSED
        if is_refused or not (asked.may_be_agreed or self.is_trial):
            raise NotToBeAgreed(asked)
        self.agreed.append(asked)
        if isinstance(asked, OtherKey) and manner is Manner.ASKED:
            self.store.vouch(asked.recognised.person)
        if isinstance(asked, SignedBefore):
            self._prior_consent.add(PriorConsent.ANOTHER)

    # --- a turn

    def begin(self, game: GameFile, *, resigns: bool = False) -> Turn:
        """Return the answer to a file.

        Raises WrongUse if it is not the player's turn to write, or Unanswered if it was before.
        """
        try:
            return self.session.answer(game, resigns=resigns)
        except WrongUse:
            # A file that was answered before is not first of all one of somebody else's turn.
            background = look_up(self.store, game.match.records)
            self._settle_first(questions_of_file(background, self.store))
            raise

    def allow(self, turn: Turn, *, another: bool | None = None) -> None:
        """Raise Unanswered if something stands before the answer; `another` as for `questions`.

        A new key is shown only when it is sure what is signed.
        """
        asked = questions(turn, self.store, another=another)
        self.settle(each for each in asked if not isinstance(each, NewKey))

    def check(self, turn: Turn) -> None:
        """See that a complete answer can become a file: the last step before it is shown.

        Raises WrongUse for notes that are too long and if something is left to decide, and
        Unanswered: the turn may have come to a shuffle.
        """
        turn.file().write()
        self.allow(turn)

    def _settle_first(self, asked: Iterable[Question]) -> None:
        """Settle what is put before it is known whether anything is due."""
        goes_on = self.replaces or self.is_trial
        first = NoLibrary if goes_on else NoLibrary | SignedBefore
        self.settle(each for each in asked if isinstance(each, first))

    # --- an invitation

    def begin_joining(self, acceptance: Acceptance) -> None:
        """See that an invitation may be accepted; raises Unanswered."""
        self._settle_first(questions(acceptance, self.store))

    def allow_joining(self, acceptance: Acceptance, side: Side | None = None) -> None:
        """Raise Unanswered, and WrongUse if that is not the side to be taken.

        Who the inviter is comes last. Nothing is asked of one's own: it cannot be accepted.
        """
        invitation = acceptance.game.match.invite
        check_side(invitation, side)
        if invitation.key == acceptance.identity.public_key:
            return
        asked = questions(acceptance, self.store)
        self.settle(each for each in asked if not isinstance(each, NewKey | OtherKey))
        self.settle(asked)

    def choose(
        self, acceptance: Acceptance, side: Side | None = None, start_card: str | None = None
    ) -> Match:
        """Return the match that comes of these choices, which is not signed yet.

        Raises WrongUse for choices that cannot be made, and Unanswered.
        """
        match = acceptance.choose(side, start_card)
        self.settle(questions(acceptance, self.store))
        return match

    # --- anything

    def sign(
        self,
        draft: Signable,
        path: Path | None = None,
        *,
        may_be_there: bool = False,
        note: Callable[[Path], None] = lambda path: None,
    ) -> SignedFile:
        """Sign a draft once all is settled, as `signing.sign` does; WrongUse for a trial."""
        if self.is_trial:
            raise WrongUse("This is only a trial.")
        signed = partial(sign, draft, self.session.identity, self.store, self.agreed, path)
        while True:
            try:
                return signed(replaces=self.replaces, may_be_there=may_be_there, note=note)
            except Unanswered as error:
                self.settle(error.questions)
