"""A session: a player at home, with the key at hand, who reads, begins, joins and answers games.

docs/play.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Self

from engine.message import Failure
from engine.orders import from_notation
from engine.ruleset import DEFAULT_EDITION
from engine.sides import Side
from pbem.errors import NOT_WRITTEN, reaching
from pbem.play import entry
from pbem.play.answer import Answer
from pbem.play.entry import Acceptance, Invitation
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.identity import keyfile
from pbem.play.kept_turn import FoundAgain, Keeping, NotKept, Resumed, readable, signed_before
from pbem.play.look import Look, Spectator, look_now
from pbem.play.seat import Seat
from pbem.play.signing import Background, look_up
from pbem.play.store import LibraryFailed, Store
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match, Passing
from pbem.protocol.record import Record
from pbem.protocol.steps import LISTS
from pbem.savefile.disk import read_file
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes


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
        with reaching(home.identity_path):
            return cls(home, keyfile.load(home.identity_path, given))

    @classmethod
    def create(cls, home: Home, identity: Identity, passphrase: str | None = None) -> Self:
        """Make the home of a new identity; raises WrongUse if there is one already."""
        session = cls(home, identity)
        with reaching(home.identity_path, NOT_WRITTEN):
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
        self.store.end()
        self.store.close()

    # --- reading

    def read(self, source: Path | bytes, passing: Passing = iter) -> GameFile:
        """Return the game in a file, or in its bytes, verified; raises Unreadable or NotProved.

        What was verified before is not verified again; `passing` as for `GameFile.read`.
        """
        if isinstance(source, bytes):
            return read_and_note(self.store, source, None, passing)
        return read_and_note(self.store, read_file(source), source, passing)

    def look(self, game: GameFile) -> Look:
        """Return a game that was joined, as the player may see it."""
        return look_now(game, self.seat(game))

    def seat(self, game: GameFile) -> Seat | Spectator:
        """Return the place of the player in a game, or why there is none."""
        if not game.match.is_joined:
            return Spectator.NOT_BEGUN
        key = self.identity.public_key
        plays = any(entrant.key == key for entrant in game.match.entrants.values())
        return Seat(game.match, self.identity) if plays else Spectator.OTHER_KEY

    # --- what is going to be signed

    def invite(
        self,
        side: Side | None = None,
        *,
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
        lists: int = LISTS,
        home_support: str = "asked",
        start_card: str | None = None,
        tells_parts: bool = True,
        nonce: bytes | None = None,
    ) -> Invitation:
        """Return an invitation, as `entry.invite` makes it."""
        key = self.identity.public_key.hex()
        match = entry.invite(
            self.identity,
            side=side,
            nonce=nonce or random_bytes(32, f"nonce of an invitation by {key}"),
            time=self.home.clock(),
            edition=edition,
            house_rules=house_rules,
            lists=lists,
            home_support=home_support,
            start_card=start_card,
            tells_parts=tells_parts,
        )
        return Invitation(match, self.identity)

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
        return Turn(game, self, background, resigns=resigns)


class Turn(Answer):
    """The answer of a player to a file; `background` is what was looked up about that.

    If the file was answered before, the same orders make the very same record: another one is dated
    when it is signed. Raises WrongUse if it is not this player's turn to write.
    """

    def __init__(
        self, game: GameFile, session: Session, background: Background, *, resigns: bool = False
    ) -> None:
        self.background = background
        self._clock = session.home.clock
        time = self.signed.time if self.signed else self._clock()
        super().__init__(game, session.identity, time, resigns=resigns)
        self._keeping = Keeping(session.store, self.seat, self._clock)

    @property
    def signed(self) -> Record | None:
        """The record with which the file was answered before; None if it was not."""
        return self.background.signed

    @property
    def path(self) -> Path:
        """The place of its file, if nothing else is said: beside the one that it answers."""
        return self.game.next_path

    @property
    def is_again(self) -> bool:
        """True if it is complete, and what was signed before."""
        before = self.signed
        return before is not None and self.is_complete and self.record.hash == before.hash

    def finish(self) -> tuple[Match, SaveFile]:
        """Return what `Answer.finish` does, dated now unless it was signed before."""
        if self.signed is not None and not self.is_again:
            self.redate(self._clock())
        return super().finish()

    # --- kept until it is signed

    @cached_property
    def found_again(self) -> FoundAgain | None:
        """The turn that was left at this file before it was answered now; None if none.

        It is not signed; or it is, but the program was stopped before its file was there.
        """
        found, signed = self._keeping.find(), self.signed
        if signed is None or self.background.written is not None:
            return found
        return signed_before(signed, self.background.when) or found

    def resume(self) -> Resumed:
        """Go on with the turn that was found again: with its orders, as far as they can be given.

        Orders that were given before are taken back. Its notes are taken up unless there are others
        already.
        """
        found = self.found_again
        if found is not None and self.new_notes is None:
            self.new_notes = found.notes
        self._repeat(())
        self._taken_back.clear()
        orders = found.orders if found else ()
        for number, notation in enumerate(orders):
            try:
                self.order(from_notation(notation))
            except Failure as error:
                return Resumed(self.given, orders[number:], error.said)
        if found:
            # Whether they can be given is seen when they are.
            self._taken_back = readable(found.taken_back)
        return Resumed(self.given, ())

    def keep(self) -> NotKept | None:
        """Keep it as it is now, so that it is found again.

        Nothing is kept of a turn without orders and without notes of its own, nor of one that gives
        the game up. If it cannot be kept it returns why, once.
        """
        if self.resigns:
            return None
        # It has to be found before there is another in its place.
        _ = self.found_again
        return self._keeping.keep(self.given, self.taken_back, self.new_notes)

    @property
    def is_kept_otherwise(self) -> bool:
        """True if another window has gone on with it since it was kept last, or found again."""
        _ = self.found_again
        return self._keeping.is_changed
