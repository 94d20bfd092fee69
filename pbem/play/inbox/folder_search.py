"""Files that came into folders since the last look, whenever that was: noted in the library.

A save file stays where it is; one in a message is put with its game. If nothing is new, a look
costs milliseconds, however many files there are: they are recognized by their times and sizes,
which the library keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.message import Message, Said, labelled, message_of, sentences
from engine.value import Value
from pbem.errors import AcresError, DeckError, NotProved, Unreadable, unexpected
from pbem.foreign import named, shown
from pbem.play.inbox.collection import collect
from pbem.play.inbox.given import FORMAT, Found, as_utf8
from pbem.play.listed import is_found
from pbem.play.new_files import FolderFails, is_called_save, stamps_soon
from pbem.play.store import LibraryFailed, Listed, Store
from pbem.protocol.known import Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.armour import blocks_in
from pbem.savefile.disk import CannotBeRead, read_file
from pbem.savefile.save_file import SaveFile

if TYPE_CHECKING:
    from pbem.play.inbox.filing import Filed


class Came(Value):
    """Something that came into a folder.

    `listed` is the game that goes on with it, `invitation` the file with one that is to be taken
    up, to the game of that `id`; `filed` is what came in a message. What else is to be said is
    `told`.
    """

    told: Said = ""
    listed: Listed | None = None
    invitation: Path | None = None
    id: bytes = b""
    filed: Filed | None = None

    @property
    def is_warning(self) -> bool:
        """True if no game goes on with it."""
        return self.listed is None and self.invitation is None


def look_through(
    own: Store,
    folders: Iterable[Path],
    folder: Path,
    command: str,
    *,
    anew: bool = False,
    warn: Callable[[Said], None] = lambda said: None,
) -> list[Came]:
    """What came into these folders since they were looked through last, noted and told of.

    With `anew` all their files are looked through. What comes out of a message without a game that
    is known goes into `folder`; `command` is how the program is called. An invitation comes again
    at every look, until it is taken up; a file that could not be taken in is tried again at the
    next. Where the library cannot be read, nothing comes: whoever reads it then is told. Of what
    cannot be noted in it, and of a folder that fails, `warn` is told.
    """
    came: list[Came] = []
    with suppress(LibraryFailed):
        for each in folders:
            try:
                came += _came_into(own, each, folder, command, anew=anew)
            except FolderFails as error:
                warn(error.said)
    return came


def _came_into(own: Store, place: Path, folder: Path, command: str, *, anew: bool) -> list[Came]:
    before, now = own.stamps(place), stamps_soon(place)
    known = {} if before is None or anew else before
    new = {name: stamp for name, stamp in now.items() if known.get(name) != stamp}
    came: list[Came] = []
    if new:
        taker = Taker(own, folder, command, is_learning=before is None)
        try:
            for name in sorted(new, key=lambda name: (new[name].changed, name)):
                came += taker.take_in(place / name)
        except LibraryFailed as error:
            told = Message(
                "What came into your folders cannot be noted in the library of your games: "
                "{reason}.",
                reason=error,
            )
            raise FolderFails(sentences(told, error.remedy)) from None
        came = [each for each in came if each.invitation is None or each.id not in taker.begun]
        again = taker.left | {each.invitation for each in came if each.invitation}
        now = {name: stamp for name, stamp in now.items() if place / name not in again}
    if now != before:
        own.note_stamps(place, now)
    return came


class Taker:
    """Takes in files for the player of a library.

    What comes out of a message without a game that is known goes into `folder`; `command` is how
    the program is called. With `is_learning` the present does not count as the time when records
    came.
    """

    def __init__(
        self, own: Store, folder: Path, command: str, *, is_learning: bool = False
    ) -> None:
        self._own = own
        self._folder = folder
        self._command = command
        self._is_learning = is_learning
        self.begun: set[bytes] = set()
        """The games that somebody has joined, as far as files taken in tell."""
        self.left: set[Path] = set()
        """The files of which not all could be taken in: they are to be looked at again."""

    def take_in(self, path: Path) -> list[Came]:
        """Note the games in a file that came; what is to be told of it.

        Raises LibraryFailed, and nothing else: the other files are to be taken in, too.
        """
        found = self._of_file(path) if is_called_save(path) else self._of_letter(path)
        return list(self._tried(path, found))

    def _tried(self, path: Path, found: Iterable[Came]) -> Iterator[Came]:
        """What comes of a file, or of one in it; so does what goes wrong with it.

        It is left for another time, unless that shall not go otherwise.
        """
        try:
            yield from found
        except LibraryFailed:
            raise
        except AcresError as error:
            is_wrong = isinstance(error, NotProved | DeckError | Unreadable)
            if not is_wrong or isinstance(error, CannotBeRead):
                self.left.add(path)
            yield Came(message_of(error))
        except Exception as error:
            self.left.add(path)
            yield Came(labelled(shown(path), unexpected(error)))

    def _of_file(self, path: Path) -> Iterator[Came]:
        """A save file, which stays where it is; one in armour is taken out, as of a letter."""
        data = as_utf8(read_file(path))
        if FORMAT not in data:
            yield from self._of_letter(path) if blocks_in(data, 1) else ()
            return
        try:
            records = SaveFile.read(data).records
        except Unreadable as error:
            yield Came(labelled(shown(path), message_of(error)))
            return
        if len(records) > 1:
            self.begun.add(records[0].hash)
        before = self._own.game(records[0].hash)
        if (
            before is not None
            and Verified.of(records[-1]) in self._own.known(before.id).verified
            and is_found(before)
        ):
            return
        if len(records) == 1 and before is None:
            yield from self._invitation(records, path)
        warnings: list[Said] = []
        collect(self._own, [path], self._command, warnings.append, is_learning=self._is_learning)
        yield from map(Came, warnings)
        after = self._own.game(records[0].hash)
        if after is not None and (before is None or before.game != after.game):
            yield Came(listed=after)

    def _invitation(self, records: Sequence[Record], path: Path) -> Iterator[Came]:
        with suppress(NotProved):
            invite = Match.replay(records).invite
            if invite.key != self._own.key:
                told = Message(
                    "{player} invites you to a game, which is now in your list.",
                    player=named(invite.name),
                )
                yield Came(told, invitation=path, id=records[0].hash)

    def _of_letter(self, path: Path) -> Iterator[Came]:
        """The files in a letter, each put where it belongs."""
        # Imported lazily: most files are no messages.
        from pbem.play.inbox.choice import all_files

        try:
            found = all_files(path, lambda note: None)
        except CannotBeRead:
            raise
        except Unreadable:
            # Most letters hold no file of a game.
            return
        for _, each in found:
            yield from self._tried(path, self._put_away(each))

    def _put_away(self, found: Found) -> Iterator[Came]:
        """A file out of a letter, put where it belongs."""
        # Imported lazily: most files are no messages.
        from pbem.play.inbox.filing import Kind, file_away

        filed = file_away(found, self._own, self._folder, is_learning=self._is_learning)
        if filed.kind not in (Kind.NEW, Kind.INVITATION, Kind.OTHER):
            return
        if filed.kind is Kind.NEW and filed.listed is not None:
            yield Came(listed=filed.listed, filed=filed)
        elif filed.path is not None:
            invitation = filed.path if filed.kind is Kind.INVITATION else None
            yield Came(invitation=invitation, id=filed.match.id, filed=filed)
