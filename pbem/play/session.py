"""A session: a player at home, with the key at hand, who reads, begins, joins and answers games.

Whatever is signed is signed here: what must never happen is looked up before, and cannot be left
out. docs/play.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from pbem.play.memory import Memory, Written
from pbem.play.questions import Question
from pbem.play.seat import Seat
from pbem.play.store import LibraryFailed, Store
from pbem.protocol.identity import Identity
from pbem.protocol.match import Passing
from pbem.protocol.record import Record
from pbem.protocol.steps import LISTS
from pbem.savefile.disk import read_file
from pbem.sources import random_bytes


class Session:
    """The player with that identity at home; `library` is theirs, unless another is named.

    `told` is told of each file as soon as it may be there, whatever happens then. At its end, or
    where it is left as a context, what was read last is noted.
    """

    def __init__(
        self,
        home: Home,
        identity: Identity,
        library: Store | None = None,
        *,
        told: Callable[[Path], None] = lambda path: None,
    ) -> None:
        self.home = home
        self.identity = identity
        self.library = library or Store(home.library_path, identity.public_key, home.clock)
        self._told = told

    @classmethod
    def open(cls, home: Home, passphrase: str | Callable[[], str] = "") -> Self:
        """The session of whoever has the home; a passphrase is asked for only where there is one.

        Raises Unreadable where there is no identity, WrongPassphrase where it stays sealed.
        """
        given = passphrase if callable(passphrase) else lambda: passphrase
        with reaching(home.identity_path):
            return cls(home, keyfile.load(home.identity_path, given))

    @classmethod
    def create(cls, home: Home, identity: Identity, passphrase: str | None = None) -> Self:
        """Make the home of a new identity; raises WrongUse where there is one already."""
        session = cls(home, identity)
        with reaching(home.identity_path, NOT_WRITTEN):
            home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # First: a key without a library is one that has lost it.
            try:
                session.library.complete()
            except LibraryFailed as error:
                session.library.failure = error
            keyfile.save(identity, home.identity_path, passphrase)
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.library.end()
        self.library.close()

    # --- reading

    def read(self, source: Path | bytes, passing: Passing = iter) -> GameFile:
        """The game in a file, or in its bytes, verified; raises Unreadable or NotProved.

        What was verified before is not verified again; `passing` as for `GameFile.read`.
        """
        if isinstance(source, bytes):
            return read_and_note(self.library, source, None, passing)
        return read_and_note(self.library, read_file(source), source, passing)

    def look(self, game: GameFile) -> Look:
        """A game that was joined, as the player may see it."""
        return look_now(game, self.seat(game))

    def seat(self, game: GameFile) -> Seat | Spectator:
        """The place of the player in a game, or why there is none."""
        if not game.match.is_joined:
            return Spectator.NOT_BEGUN
        key = self.identity.public_key
        plays = any(entrant.key == key for entrant in game.match.entrants.values())
        return Seat(game.match, self.identity) if plays else Spectator.OTHER_KEY

    # --- signing

    def memory(self, records: Sequence[Record] = ()) -> Memory:
        """What is remembered that stands before a record which is to follow these."""
        return Memory(self.library, records, self._told)

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
        """An invitation by the player of `side`, or for the guest to choose; see `entry.invite`."""
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
        return Invitation(match, self.identity, self.memory())

    def join(
        self,
        game: GameFile,
        memory: Memory | None = None,
        nonce: bytes | None = None,
    ) -> Acceptance:
        """The acceptance of an invitation, as `Acceptance.choose` makes it."""
        memory = memory or self.memory(game.match.records)
        return Acceptance(game, self.identity, memory, self.home.clock, nonce)

    def answer(
        self, game: GameFile, memory: Memory | None = None, *, resigns: bool = False
    ) -> Turn:
        """The answer to a file; raises WrongUse where it is not the player's turn to write.

        With `resigns` the game is given up; where it is over, it is closed.
        """
        memory = memory or self.memory(game.match.records)
        return Turn(game, self.identity, memory, self.home.clock, resigns=resigns)


class Turn(Answer):
    """The answer of a player to a file; `memory` is what was looked up for it.

    Where the file was answered before, the same orders make the very same record: signing is
    deterministic, and `clock` is asked only for another one. Raises WrongUse where it is not this
    player's turn to write.
    """

    def __init__(
        self,
        game: GameFile,
        identity: Identity,
        memory: Memory,
        clock: Callable[[], str],
        *,
        resigns: bool = False,
    ) -> None:
        self.memory = memory
        self._clock = clock
        super().__init__(
            game, identity, memory.signed.time if memory.signed else clock(), resigns=resigns
        )
        self._keeping = Keeping(memory.own, self.seat, clock)

    @property
    def signed(self) -> Record | None:
        """The record with which the file was answered before; None if it was not."""
        return self.memory.signed

    @property
    def is_again(self) -> bool:
        """Whether it is complete, and what was signed before."""
        before = self.signed
        return before is not None and self.is_complete and self.record.hash == before.hash

    def questions(self, *, another: bool | None = None) -> list[Question]:
        """What has to be agreed to before it is signed, in the order to be told in.

        Where the file was answered before, that depends on the orders to come: `another` says
        whether they are going to be other ones; unless told, only what is sure is asked.
        """
        if self.is_again and not another:
            return self.memory.questions(another=False)
        is_another = self.signed is None or self.is_complete if another is None else another
        return self.memory.questions(self.steps, another=is_another)

    def agree(self, question: Question) -> None:
        """Agree to a question; raises NotToBeAgreed where nobody may."""
        self.memory.agree(question)

    # --- kept until it is signed

    @cached_property
    def found_again(self) -> FoundAgain | None:
        """The turn that was left at this file before it was answered now; None if none.

        It is not signed; or it is, but the program was stopped before its file was there.
        """
        found, signed = self._keeping.find(), self.signed
        if signed is None or self.memory.written() is not None:
            return found
        return signed_before(signed, self.memory.when_signed(signed)) or found

    def resume(self) -> Resumed:
        """Go on with the turn that was found again: give its orders, as far as they can be given.

        Orders that were given before are taken back. The notes are for whoever signs to take up.
        """
        found = self.found_again
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

    def keep(self, notes: str | None = None) -> NotKept | None:
        """Keep it as it is now, so that it is found again; `notes` as for `finish`.

        Nothing is kept of a turn without orders and without notes of its own. Where it cannot be
        kept it returns why, once.
        """
        # It has to be found before there is another in its place.
        _ = self.found_again
        return self._keeping.keep(self.given, self.taken_back, notes)

    @property
    def is_kept_otherwise(self) -> bool:
        """Whether another window has gone on with it since it was kept last, or found again."""
        _ = self.found_again
        return self._keeping.is_changed

    def check(self, notes: str | None = None) -> None:
        """Raise WrongUse where it cannot become a file with these notes, as `finish` does."""
        _ = self.finish(notes).data

    def sign(
        self,
        path: Path | None = None,
        *,
        notes: str | None = None,
        replaces: bool = False,
        may_be_there: bool = False,
    ) -> Written:
        """Sign it, remember that, and write its file, if no path is said beside the one it answers.

        `notes` are as for `finish`, `replaces` and `may_be_there` as for `Memory.check_room`.
        Raises WrongUse where something is left to decide, or the file cannot be written: then it is
        not signed; of these Unanswered with the questions that are left.
        """
        if self.is_complete and self.signed is not None and not self.is_again:
            self.memory.check(self.steps)
            self.redate(self._clock())
        finished = self.finish(notes)
        return self.memory.write(
            path or self.game.next_path,
            finished.data,
            finished.match,
            replaces=replaces,
            may_be_there=may_be_there,
        )
