"""Files that came into a folder: each is noted in the library, as `acres games add` does.

A save file stays where it is; one in a message is put with its game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from engine.message import Message, Said, labelled, message_of, sentences
from engine.value import Value
from pbem.errors import AcresError, DeckError, NotProved, Unreadable, unexpected
from pbem.foreign import named, shown
from pbem.library import Library, LibraryFailed, Listed
from pbem.mail.collection import FORMAT, collect, mailed
from pbem.mail.found import Found
from pbem.mail.given import as_utf8
from pbem.play.listed import is_found
from pbem.play.new_files import is_called_save
from pbem.play.own_library import OwnLibrary
from pbem.protocol.known import Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import CannotBeRead, read_file
from pbem.savefile.save_file import SaveFile
from pbem.words.games.listing import game_called, standing


class Came(Value):
    """What was found in a file, and is `told`.

    `listed` is the game that goes on with it, `invitation` the file with one that is to be taken
    up, to the game of that id; without either something is to be minded.
    """

    told: Said
    listed: Listed | None = None
    invitation: Path | None = None
    id: bytes = b""

    @property
    def is_warning(self) -> bool:
        """Whether no game goes on with it."""
        return self.listed is None and self.invitation is None


class Taker:
    """Takes in files for the player of a library.

    What comes out of a message without a game that is known goes into `folder`; `command` is how
    the program is called. With `is_learning` the present does not count as the time when records
    came.
    """

    def __init__(
        self, own: OwnLibrary, folder: Path, command: str, *, is_learning: bool = False
    ) -> None:
        self._own = own
        self._library = own.open(is_learning=is_learning)
        self._folder = folder
        self._command = command
        self._begun: set[bytes] = set()
        self.left: set[Path] = set()
        """The files of which not all could be taken in: they are to be looked at again."""

    def is_open(self, came: Came) -> bool:
        """Whether that is an invitation, and nobody has joined it as far as files taken in tell."""
        return came.invitation is not None and came.id not in self._begun

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
        """A save file, which stays where it is."""
        data = as_utf8(read_file(path))
        if FORMAT not in data:
            return
        try:
            records = SaveFile.read(data).records
        except Unreadable as error:
            yield Came(labelled(shown(path), message_of(error)))
            return
        if len(records) > 1:
            self._begun.add(records[0].hash)
        before = _listed(self._library, records[0].hash)
        if before is not None and _is_known(self._library, before, records):
            return
        if len(records) == 1 and before is None:
            yield from self._invitation(records, path)
        warnings: list[Said] = []
        collect(self._library, [path], self._command, warnings.append)
        yield from map(Came, warnings)
        after = _listed(self._library, records[0].hash)
        if after is not None and (before is None or before.game != after.game):
            yield self._stands(after)

    def _invitation(self, records: Sequence[Record], path: Path) -> Iterator[Came]:
        with suppress(NotProved):
            invite = Match.replay(records).invite
            if invite.key != self._own.key:
                told = Message(
                    "{player} invites you to a game, which is now in your list.",
                    player=named(invite.name),
                )
                yield Came(told, None, path, records[0].hash)

    def _of_letter(self, path: Path) -> Iterator[Came]:
        """The files in a letter, each put where it belongs."""
        notes: list[Said] = []
        try:
            found = [each for _, each in mailed(path, notes.append)]
        except CannotBeRead:
            raise
        except Unreadable:
            # Most letters hold no file of a game.
            return
        for each in found:
            yield from self._tried(path, self._put_away(each))

    def _put_away(self, found: Found) -> Iterator[Came]:
        """A file out of a letter, put where it belongs."""
        # Imported here because most files are no letters, and this knows of mailboxes, too.
        from pbem.mail.arrivals import Kind
        from pbem.mail.filing import file_away

        filed = file_away(found, self._library, self._folder)
        if filed.kind not in (Kind.NEW, Kind.INVITATION, Kind.OTHER):
            return
        if filed.kind is Kind.NEW and filed.listed is not None:
            yield self._stands(filed.listed)
        elif filed.path is not None:
            invitation = filed.path if filed.kind is Kind.INVITATION else None
            told = sentences(filed.sentence, shown(filed.path))
            yield Came(told, None, invitation, filed.match.id)
        yield from map(Came, filed.warnings(self._own.clock()))

    def _stands(self, listed: Listed) -> Came:
        return Came(labelled(game_called(listed), standing(listed, self._own.clock())), listed)


def _is_known(library: Library, listed: Listed, records: Sequence[Record]) -> bool:
    """Whether all in a file is known, and the newest file of its game is where it was."""
    is_verified = Verified.of(records[-1]) in library.known(listed.id).verified
    return is_verified and is_found(listed)


def _listed(library: Library, game: bytes) -> Listed | None:
    return next((each for each in library.games() if each.id == game), None)
