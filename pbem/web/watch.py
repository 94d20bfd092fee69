"""What comes while pages are open: files in folders, letters, and what is done beside this program.

Folders are those in which files of listed games lie, the one for games in the home, and those that
the player names. Their files are taken as `acres games add` does. What else writes into the
library, a command or another `acres board`, is seen by the time of its file.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from engine.message import Message, Said, labelled, message_of
from pbem.errors import AcresError, NotProved, Unreadable, unexpected
from pbem.foreign import named
from pbem.library import Library, LibraryFailed, Listed
from pbem.mail.arrivals import Filed, Kind
from pbem.mail.collection import FORMAT, collect
from pbem.mail.filing import file_away
from pbem.mail.given import as_utf8
from pbem.mail.taking import all_files
from pbem.protocol.known import Verified
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import is_there, read_file
from pbem.savefile.save_file import SaveFile
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.folders import Folders
from pbem.web.worker import Worker
from pbem.words.games.listing import called, standing
from pbem.words.language import Language

LOOKS = 1.0
"""In seconds: how often it looks."""
MOST_NEWS = 5
"""So much of what came is shown; what is older is in the list of games anyway."""


class Watch:
    """Looks at the folders of the player at a desk, and at those `also` named, and tells the pages.

    `news` is what was told last, the newest first.
    """

    def __init__(
        self, desk: Desk, events: Events, language: Language, also: Sequence[Path] = ()
    ) -> None:
        self.news: deque[Said] = deque(maxlen=MOST_NEWS)
        self._desk = desk
        self._events = events
        self._language = language
        self._also = [folder.absolute() for folder in also]
        self._folders = Folders()
        # A folder on another computer may keep whoever looks at it waiting for minutes.
        self._looking = Worker("watch")
        self._library: tuple[int, int] | None = None
        self._listed: dict[bytes, Listed] | None = None

    async def go_on(self) -> None:
        """Look until nobody wants it any more."""
        while True:
            # The list of games says what is wrong with the library; it is looked at once more.
            with suppress(Exception):
                await self.look()
            await asyncio.sleep(LOOKS)

    async def look(self) -> None:
        """Take in what came, and tell what has changed."""
        await self._compare()
        for path in await self._looking.run(self._folders.look, self._places()):
            for said in await self._desk.run(take_in, self._desk, path):
                self.tell(said)
        await self._compare()

    def tell(self, said: Said) -> None:
        """Tell the player something, wherever they are."""
        self.news.appendleft(said)
        self._events.tell("said", text=self._language.say(said))
        self._events.tell("games")

    def _places(self) -> list[Path]:
        listed = (self._listed or {}).values()
        files = [path for each in listed for path in (each.file_in, each.file_out) if path]
        own = self._desk.home.games
        return [*dict.fromkeys([own, *self._also, *(path.parent for path in files)])]

    async def _compare(self) -> None:
        """Tell which games are other ones than before, if anybody has written into the library."""
        stamp = _stamp(self._desk.home.library_path)
        if self._listed is not None and stamp == self._library:
            return
        self._library = stamp
        before = self._listed
        self._listed = {each.id: each for each in await self._desk.run(self._desk.games)}
        if before is None or before == self._listed:
            return
        for id in before.keys() | self._listed.keys():
            if before.get(id) != self._listed.get(id):
                self._events.tell("game", game=id.hex())
        self._events.tell("games")


def take_in(desk: Desk, path: Path) -> list[Said]:
    """Note the games in a file that came; what is to be told of it. To be called at the desk."""
    told: list[Said] = []
    try:
        own = desk.own()
        library = own.open()
        if path.suffix == ".toml":
            told.extend(_of_file(desk, library, path))
        else:
            told.extend(_of_letter(desk, library, path))
    except LibraryFailed:
        # The list of games says so.
        pass
    except AcresError as error:
        told.append(message_of(error))
    except Exception as error:
        # The other files are to be taken in, and whoever plays is told.
        told.append(labelled(str(path), unexpected(error)))
    return told


def _of_file(desk: Desk, library: Library, path: Path) -> Iterator[Said]:
    """A save file, which stays where it is."""
    data = as_utf8(read_file(path))
    if FORMAT not in data:
        return
    try:
        records = SaveFile.read(data).records
    except Unreadable as error:
        yield labelled(str(path), message_of(error))
        return
    before = _listed(library, records[0].hash)
    if before is not None and _is_known(library, before, records):
        return
    if len(records) == 1 and before is None:
        yield from _invitation(desk, records, path)
    warnings: list[Said] = []
    collect(library, [path], desk.command, warnings.append)
    yield from warnings
    after = _listed(library, records[0].hash)
    if after is not None and (before is None or before.game != after.game):
        yield _stands(desk, after)


def _is_known(library: Library, listed: Listed, records: Sequence[Record]) -> bool:
    """Whether all in a file is known, and the newest file of its game is where it was."""
    newest = listed.file_in if listed.game.waits_for == "you" else listed.file_out
    is_verified = Verified.of(records[-1]) in library.known(listed.id).verified
    return is_verified and newest is not None and is_there(newest)


def _invitation(desk: Desk, records: Sequence[Record], path: Path) -> Iterator[Said]:
    with suppress(NotProved):
        invite = Match.replay(records).invite
        if invite.key != desk.key_file().public_key:
            desk.invitations.elsewhere.add(path)
            yield Message(
                "{player} invites you to a game, which stands in your list.",
                player=named(invite.name),
            )


def _of_letter(desk: Desk, library: Library, path: Path) -> Iterator[Said]:
    """The files in a letter, each put where it belongs."""
    notes: list[Said] = []
    try:
        found = [each for _, each in all_files(path, notes.append)]
    except Unreadable:
        # Most letters hold no file of a game.
        return
    for each in found:
        filed = file_away(each, library, desk.home.games)
        if filed.kind in (Kind.NEW, Kind.INVITATION, Kind.OTHER):
            yield from told_of(desk, filed)


def told_of(desk: Desk, filed: Filed) -> Iterator[Said]:
    """What is told of a file that was put where it belongs."""
    if filed.kind is Kind.NEW and filed.listed is not None:
        yield _stands(desk, filed.listed)
    elif filed.path is not None:
        yield labelled(filed.sentence, str(filed.path))
    yield from filed.warnings(desk.home.clock())


def _stands(desk: Desk, listed: Listed) -> Said:
    return labelled(called(listed), standing(listed, desk.home.clock()))


def _listed(library: Library, game: bytes) -> Listed | None:
    return next((each for each in library.games() if each.id == game), None)


def _stamp(path: Path) -> tuple[int, int] | None:
    """What tells a file from what it was; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
