"""The desk: whatever touches the player's home, library or a turn is done here, one after another.

Beside it the command line, another `acres board` or a robot may be at work: between processes the
library decides who was first, as it does for two commands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem.errors import AcresError, Unreadable, WrongUse, reaching
from pbem.play import keyfile
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.inbox import Inbox
from pbem.play.keyfile import KeyFile
from pbem.play.listed import newest_files
from pbem.play.session import Session
from pbem.play.signing import holds
from pbem.play.store import LibraryFailed, Listed, Stamp, Store
from pbem.protocol.identity import Identity
from pbem.savefile.disk import read_file
from pbem.text.proof.finding import explaining, no_games

_T = TypeVar("_T")
SETTLED = 2_500_000_000
"""In nanoseconds: so much later another change gives a file another time, on any disk."""


class NobodyHome(WrongUse):
    """There is no identity yet: a page helps to make one."""


class Sealed(WrongUse):
    """The identity has a passphrase, which nobody has given so far: a page asks for it."""


class OpenGame(NamedTuple):
    """A game that is listed, and its newest file as it was read.

    `stamp` tells that file from what it is after a change.
    """

    listed: Listed
    game: GameFile
    stamp: tuple[Path, Stamp]


class Desk:
    """What lies before the player who lives in `home`; `command` is how to call the program for it.

    All of it is done by `call`, one thing after another: see `Pages.run`. `told` is told of each
    file that is signed at it.
    """

    def __init__(self, home: Home, command: str = "acres") -> None:
        self.home = home
        self.command = command
        self.told: Callable[[Path], None] = lambda path: None
        self.invitations: set[Path] = set()
        self.unlocked: Identity | None = None
        self._store: Store | None = None
        self._held: dict[bytes, tuple[object, bool]] = {}
        self._games: tuple[tuple[Store, list[Stamp | None]], list[Listed]] | None = None

    def call(self, function: Callable[[], _T]) -> _T:
        """Call a function, for which the library is opened once, if at all."""
        try:
            return self.explained(function)
        finally:
            if self._store is not None:
                self._store.close()

    def explained(self, function: Callable[[], _T]) -> _T:
        """Call a function, in any thread; WrongUse says what to do if the library fails it."""
        try:
            return function()
        except LibraryFailed as error:
            raise no_games(self.home.library_path, error, self.command) from None

    # --- who sits at it

    def key_file(self) -> KeyFile:
        """The file with the identity, maybe sealed; raises NobodyHome where there is none."""
        path = self.home.identity_path
        with reaching(path):
            try:
                return keyfile.read(path)
            except FileNotFoundError:
                raise NobodyHome("You have no identity here yet.") from None

    def identity(self) -> Identity:
        """The player's identity; raises NobodyHome, Sealed, Unreadable."""
        kept = self.key_file()
        if kept.is_sealed:
            if self.unlocked is None or self.unlocked.public_key != kept.public_key:
                raise Sealed("Your identity has a passphrase.")
            return self.unlocked
        return kept.open(lambda: "")

    def unlock(self, passphrase: str) -> None:
        """Open a sealed identity until the program ends; the passphrase itself is not kept.

        Raises WrongPassphrase.
        """
        self.unlocked = self.key_file().open(lambda: passphrase)

    def session(self) -> Session:
        """A session of the player, for one thing to be done in it; raises as `identity`."""
        return Session(self.home, self.identity(), self.own())

    # --- what lies on it

    def library(self) -> Store:
        """Return the library of the player, for which no passphrase is needed; raises NobodyHome.

        Whoever asks for it closes it.
        """
        return Store(self.home.library_path, self.key_file().public_key, self.home.clock)

    def own(self) -> Store:
        """Return the library as it is used at the desk, and closed between what is done at it."""
        if self._store is None or self._store.key != self.key_file().public_key:
            self._store = self.library()
        return self._store

    def inbox(self, own: Store | None = None) -> Inbox:
        """Return the way in for files of the player, maybe with a library for another thread.

        Raises NobodyHome.
        """
        return Inbox(own or self.own(), self.home.games, self.invitations)

    def library_stamp(self) -> Stamp | None:
        """Return what tells the library from what it was before a change; None without one."""
        return stamp_of(self.home.library_path)

    def games(self) -> list[Listed]:
        """Return the listed games, as the library has them, and then invitations that came.

        There are none if nobody is home. They are read again if the library has changed, or the
        folder for games. Raises LibraryFailed.
        """
        try:
            own = self.own()
        except NobodyHome:
            return []
        places, now = (self.home.library_path, self.home.games, *self.invitations), time.time_ns()
        stamps = [stamp_of(path) for path in places]
        found = self._games
        if found is None or found[0] != (own, stamps):
            found = (own, stamps), self.inbox().games(self.home.games.glob("*.toml"))
        # The time of a file may stay as it is if that is changed again at once.
        is_new = any(stamp and now - stamp.changed < SETTLED for stamp in stamps)
        self._games = None if is_new else found
        return found[1]

    def look_again(self) -> None:
        """Have the games be read again, because a file has changed."""
        self._games = None

    def listed(self, game: str) -> Listed:
        """Return the game of that id, in hexadecimal digits; raises WrongUse if none is listed."""
        return with_id(self.games(), game)

    def newest_own(self, listed: Listed) -> Path | None:
        """Return the newest file of a game if the player wrote it, and it is there; in any thread.

        It is read once, until it changes: to read a long game takes longer than to draw its page.
        """
        path = listed.file_out
        stamp = stamp_of(path) if path else None
        if path is None or stamp is None:
            return None
        facts = path, stamp, listed.game.last
        known, is_held = self._held.get(listed.id, (None, False))
        if known != facts:
            is_held = holds(path, listed.game.last)
            self._held[listed.id] = facts, is_held
        return path if is_held else None

    def open(self, game: str, before: OpenGame | None = None) -> OpenGame:
        """Return a listed game with its newest file, read and verified unless it was `before`.

        Raises WrongUse if its file is gone, and what reading it raises.
        """
        listed = self.listed(game)
        failed: AcresError | None = None
        for path in newest_files(listed):
            try:
                return self._opened(listed, path, before)
            except AcresError as error:
                failed = failed or error
        raise failed or WrongUse(
            "No file of this game is known any more: save its last one into a folder that is "
            "watched, or open it with {command} board FILE.",
            command=self.command,
        )

    def _opened(self, listed: Listed, path: Path, before: OpenGame | None) -> OpenGame:
        found = stamp_of(path)
        if found is None:
            raise Unreadable("There is no file {file}.", file=path)
        stamp = path, found
        if before is not None and before.stamp == stamp:
            return before._replace(listed=listed)
        own = self.own()
        data = read_file(path)
        with explaining(data, own.key):
            game = read_and_note(own, data, path)
        own.end()
        return OpenGame(listed, game, stamp)


def with_id(games: Iterable[Listed], game: str) -> Listed:
    """Return that one of these games which has that id; raises WrongUse if there is none."""
    found = next((each for each in games if each.id.hex() == game), None)
    if found is None:
        raise WrongUse("No game of yours with this number is listed any more.")
    return found


def stamp_of(path: Path) -> Stamp | None:
    """Return what tells a file or folder from what it was before a change; None without one."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_size)
