"""What this computer remembers having signed: looked up before a record is signed, then stored.

Nothing is signed without a usable library, except an invitation, which answers nothing; nor where
it does not remember its player's part in a game, unless that player says that the file is the
newest one. In a game that its player has closed, nothing is signed at all.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from engine.message import message_of
from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.play.identity.keyfile import is_published
from pbem.play.listed import is_found, newest_files
from pbem.play.questions import (
    Closed,
    Earlier,
    NewKey,
    NoLibrary,
    NotRemembered,
    NotToBeAgreed,
    OpensTwice,
    OtherKey,
    Question,
    SignedBefore,
    Standing,
    Unanswered,
    earlier,
    gives_away,
)
from pbem.play.store import (
    Destination,
    LibraryFailed,
    Recognised,
    Seen,
    Signing,
    Store,
    Trust,
    closing,
    records_by,
)
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Step
from pbem.savefile.disk import NewFile, check_room, clear_away, read_file, room_for
from pbem.savefile.save_file import SaveFile

Told = Callable[[Path], None]
"""Told of a file as soon as it may be there, whatever happens after that."""


class Written(NamedTuple):
    """A file that was written: its path, its content and the `match` that it holds.

    `is_again` says that the record in it was signed before; `unremembered` is why the library will
    not know it, None where it does.
    """

    path: Path
    data: bytes
    match: Match
    is_again: bool = False
    unremembered: NoLibrary | None = None


class Memory:
    """What has to be settled before a record that follows `records`, accepted by a match.

    With no records it is an invitation. `signed` is the record with which they were answered
    before, None if they were not. Nothing is written before all `questions` are agreed to.
    """

    def __init__(
        self, own: Store, records: Sequence[Record], told: Told = lambda path: None
    ) -> None:
        self.own = own
        self.records = records
        self._told = told
        self._agreed: list[Question] = []
        self._failure: NoLibrary | None = None
        self._earlier: Earlier | None = None
        self._looked_up: Mapping[int, bytes] = {}
        self._closed: Record | None = None
        self._is_in_doubt = False
        if records:
            self._look_up()

    @property
    def signed(self) -> Record | None:
        """The record with which the file was answered before; None if it was not."""
        found = self._earlier
        return found.record if found and found.standing is Standing.ANSWERED else None

    def questions(self, taken: Sequence[Step] = (), *, another: bool = True) -> list[Question]:
        """What has to be settled before a record that does what is `taken`, in order.

        It is `another` than the one that was signed before, or that very one.
        """
        return [each for each in self._asked(taken, another) if each not in self._agreed]

    def agree(self, question: Question) -> None:
        """Agree to a question; raises NotToBeAgreed where nobody may."""
        if not question.may_be_agreed:
            raise NotToBeAgreed(question)
        self._agreed.append(question)

    def check(self, taken: Sequence[Step] = (), *, another: bool = True) -> None:
        """Raise Unanswered where there are questions left."""
        if questions := self.questions(taken, another=another):
            raise Unanswered(questions)

    def when_signed(self, record: Record) -> str:
        """When a remembered record was signed: its date may be borrowed."""
        arrived = self.own.arrival(self.records[0].hash, record.hash)
        return min(record.time, arrived or record.time)

    def written(self) -> Path | None:
        """The file with the answer signed before; None where there is none."""
        found, to = self._earlier, self._destination()
        return to.file if found and to and holds(to.file, found.record.hash) else None

    def check_room(self, path: Path, *, replaces: bool = False, may_be_there: bool = False) -> None:
        """Raise WrongUse where the file cannot be written.

        With `replaces` it may take the place of the answer signed before; with `may_be_there` that
        may lie there, because something else is missing that goes with it.
        """
        spared = self._may_overwrite(path, replaces=replaces)
        if may_be_there and self._earlier is not None:
            spared.add(self._earlier.record.hash)
        check_writable(path, instead_of=spared)

    def write(
        self,
        path: Path,
        data: bytes,
        match: Match,
        *,
        replaces: bool = False,
        may_be_there: bool = False,
    ) -> Written:
        """Remember the last record of a match, a new one of the player's, and then write its file.

        If the program is stopped in between, the same record gives the same file. Where the file
        cannot be written, the record is forgotten again. Raises Unanswered where something stands
        before it; options as for `check_room`.
        """
        is_again = self.signed is not None and self.signed.hash == match.last.hash
        self.check(() if is_again else match.last.steps, another=not is_again)
        if is_again and may_be_there and is_there(path, data):
            return Written(path, data, match, is_again)
        if self._is_in_doubt and self._is_invitation and not is_again:
            # Later invitations are new then; about older ones the player is asked.
            with suppress(LibraryFailed):
                self.own.complete_from_now_on()
        instead_of = self._may_overwrite(path, replaces=replaces)
        with room_instead_of(path, data, instead_of) as (file, end):
            signing = self._remember(match, Destination(path.absolute(), end), is_again=is_again)
            try:
                file.appear()
            finally:
                # Whatever happened: what counts is whether the file came to be.
                if file.may_be_there:
                    self._told(path)
                elif isinstance(signing, Signing):
                    # A record that cannot be forgotten does no harm: the same record gives its
                    # file.
                    with suppress(LibraryFailed):
                        signing.take_back()
        if isinstance(signing, NoLibrary):
            return Written(path, data, match, is_again, signing)
        # It is noted.
        self.own.seen = None
        return Written(path, data, match, is_again)

    def remember(self, match: Match) -> None:
        """Remember the last record of a match, a new one of the player's, before it leaves.

        Where its file is written is up to the caller. Raises Unanswered where something stands
        before it, SignedMeanwhile where another process has signed another.
        """
        self.check(match.last.steps)
        self._remember(match, None, is_again=False)
        # It is noted.
        self.own.seen = None

    def _remember(
        self, match: Match, destination: Destination | None, *, is_again: bool
    ) -> Signing | NoLibrary:
        """Remember a record; returns why not, if the player has agreed to do without."""
        found, path = self._earlier, destination.file if destination else None
        seen = (self.own.seen, Seen.of(match, self.own.key, path))
        try:
            return self.own.remember(
                match.id,
                match.last,
                looked_up=self._looked_up,
                replacing=() if is_again or found is None else found.not_in_file,
                destination=destination,
                seen=[each for each in seen if each],
            )
        except LibraryFailed as error:
            is_readable = self._failure is None or self._failure.is_readable
            failure = self._no_library(error, is_readable=is_readable)
            is_agreed = failure in self._agreed or not match.last.index
            if failure.may_pass or not is_agreed:
                raise Unanswered([failure]) from None
            return failure

    # --- what was looked up

    def _look_up(self) -> None:
        self._closed = closing(records_by(self.records, self.own.key)[-1:])
        try:
            library, game = self.own, self.records[0].hash
            self._looked_up = library.signed_hashes(game)
            self._closed = self._closed or library.closing(game)
            self._is_in_doubt = self._doubts(library)
            self._earlier = earlier(library, self.records)
        except LibraryFailed as error:
            self.own.failure = self.own.failure or error
            self._failure = self._no_library(error)
            return
        try:
            library.check_writable()
        except LibraryFailed as error:
            self._failure = self._no_library(error, is_readable=True)

    def _doubts(self, library: Store) -> bool:
        """Whether more may have been signed than is remembered that speaks against these records.

        Nobody is bound by what is signed with a key that everybody has.
        """
        if is_published(self.own.key):
            return False
        may_have_joined = self._is_invitation and not library.knows_whether_joined(self.records[0])
        return may_have_joined or library.is_in_doubt(self.records)

    @property
    def _is_invitation(self) -> bool:
        """Whether what was looked up is to be joined."""
        return len(self.records) == 1

    def _no_library(self, error: LibraryFailed, *, is_readable: bool = False) -> NoLibrary:
        remedy = error.remedy
        return NoLibrary(self.own.path, message_of(error), is_readable, bool(remedy), remedy)

    def _destination(self) -> Destination | None:
        """Where the answer signed before was to be written; None where nobody remembers."""
        if self._earlier is not None:
            with suppress(LibraryFailed):
                return self.own.destination(self.records[0].hash, self._earlier.record)
        return None

    def _may_overwrite(self, path: Path, *, replaces: bool) -> set[bytes]:
        """The hashes of records: a file that ends with one of them may be replaced by the answer.

        That is the answer signed before, where the player wants that; and what that was to replace
        at this path, but did not, because the program was stopped.
        """
        if self.signed is None:
            return set()
        found = {self.signed.hash} if replaces else set()
        to = self._destination()
        if to and to.instead_of and to.file == path.absolute():
            found.add(to.instead_of)
        return found

    # --- what is asked of it

    def _asked(self, taken: Sequence[Step], another: bool) -> Iterator[Question]:
        if self._failure is not None:
            yield self._failure
        if self._earlier is not None and (another or self.signed is None):
            yield self._signed_before(self._earlier)
        yield from self._of_opponent()
        yield from self._opening(taken)
        # The close goes on from another answer.
        is_other = self.signed is None or another or self._closed != self.signed
        if self._closed is not None and is_other:
            yield Closed(self._closed)
        if self._is_in_doubt and (another or self.signed is None):
            yield NotRemembered(self._is_invitation)

    def _signed_before(self, found: Earlier) -> SignedBefore:
        to = self._destination()
        file = to.file if to else None
        is_written = file is not None and holds(file, found.record.hash)
        listed = self.own.listed().get(self.records[0].hash)
        # A game that was listed again by an older file has no newer one.
        goes_on = listed is not None and listed.game.records > found.record.index
        newest = newest_files(listed)[0] if listed and goes_on and is_found(listed) else None
        return SignedBefore(found, self.when_signed(found.record), file, is_written, newest)

    @cached_property
    def _recognised(self) -> Recognised | None:
        return self.own.recognise(self.records) if self.records else None

    def _of_opponent(self) -> Iterator[Question]:
        recognised = self._recognised
        if recognised is None:
            return
        if recognised.other is not None:
            yield OtherKey(recognised)
        elif recognised.trust in (Trust.FIRST, Trust.LEARNT):
            yield NewKey(recognised)

    def _opening(self, taken: Sequence[Step]) -> Iterator[Question]:
        is_readable = self._failure is None or self._failure.is_readable
        if not taken or isinstance(taken[0], Accept) or not is_readable or not self.records:
            return
        game, previous = self.records[0].hash, self.records[-1].hash
        try:
            record = gives_away(self.own, game, previous, taken)
        except LibraryFailed as error:
            yield self._no_library(error)
            return
        if record is not None:
            yield OpensTwice(record)


# --- room for files: new ones, and those that answer another


def check_new(path: Path) -> None:
    """Raise WrongUse where a new file cannot be written, before anybody is asked anything."""
    clear_away(path.parent)
    if exists(path):
        raise WrongUse(
            "There is already a file {file}; it was not touched. Name another one.", file=path
        )
    _check_room(path)


def check_writable(path: Path, *, instead_of: Collection[bytes] = ()) -> None:
    """The same for a file that answers another.

    One that is there already stays, unless it ends with a record of which the hash is one of
    `instead_of`.
    """
    clear_away(path.parent)
    if exists(path) and _end_of(path, instead_of) is None:
        raise WrongUse(
            "There is already a file {file}, which may be your answer: send that one. Two "
            "different answers to one file look like cheating; if that one never left your "
            "computer, remove it first.",
            file=path,
        )
    _check_room(path)


def _check_room(path: Path) -> None:
    with reaching(path, NOT_WRITTEN):
        check_room(path)


def holds(path: Path, record: bytes) -> bool:
    """Whether there is a game in the file at that path that ends with the record of that hash."""
    return _end_of(path, (record,)) is not None


def is_there(path: Path, data: bytes) -> bool:
    """Whether there is a file at that path with exactly this content."""
    try:
        return read_file(path, len(data)) == data
    except Unreadable:
        return False


@contextmanager
def room_instead_of(
    path: Path, data: bytes, instead_of: Collection[bytes]
) -> Iterator[tuple[NewFile, bytes | None]]:
    """Room for a file that is to appear at that path, and which record ends the one there now.

    A file that is there already is replaced if it ends with a record of which the hash is one of
    `instead_of`; raises WrongUse for any other, and where there is no room.
    """
    end = _end_of(path, instead_of)
    with room_for(path, data, replaces=end is not None) as file:
        yield file, end


def _end_of(path: Path, hashes: Collection[bytes]) -> bytes | None:
    """That one of these hashes which is that of the last record in a file; None if none is."""
    if not hashes:
        return None
    try:
        last = SaveFile.read(read_file(path)).records[-1].hash
    except Unreadable:
        return None
    return last if last in hashes else None
