"""All access of the pages to the player's home, library and turns, one call at a time.

The command line, another `acres board` or a robot may run at the same time. The library orders
their accesses, as it does for two commands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem.errors import AcresError, InputError, UsageError, report_os_errors
from pbem.play import keyfile
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.game_list import newest_files
from pbem.play.home import Home
from pbem.play.inbox import Inbox
from pbem.play.keyfile import KeyFile
from pbem.play.session import Session
from pbem.play.signing import ends_with
from pbem.play.store import GameEntry, Stamp, Store, StoreError
from pbem.protocol.identity import Identity
from pbem.savefile.disk import as_utf8, read_file
from pbem.text.proof.finding import explain_failures, library_notice

_T = TypeVar("_T")
STAMP_NANOSECONDS = 2_500_000_000
"""The time in nanoseconds after which another change of a file gets another time on any disk."""


class NoIdentityError(UsageError):
    """Raised if there is no identity; a page helps to create one."""


class KeyLockedError(UsageError):
    """Raised if the passphrase of the identity was not entered yet; a page asks for it."""


class OpenGame(NamedTuple):
    """A listed game and its newest file as it was read.

    `stamp` identifies the version of the file.
    """

    entry: GameEntry
    game: GameFile
    stamp: tuple[Path, Stamp]


class GameService:
    """The games of the player with a home; `command` is the command that starts acres for it.

    `Pages.run` passes functions to `call`, one after another. `on_file_written` is called with the
    path of each signed file.
    """

    def __init__(self, home: Home, command: str = "acres") -> None:
        self.home = home
        self.command = command
        self.on_file_written: Callable[[Path], None] = lambda path: None
        self.invitations: set[Path] = set()
        self.unlocked: Identity | None = None
        self._store: Store | None = None
        self._own_files: dict[bytes, tuple[object, bool]] = {}
        self._games: tuple[tuple[Store, list[Stamp | None]], list[GameEntry]] | None = None

    def call(self, function: Callable[[], _T]) -> _T:
        """Call `function`, then close the library if the function opened it."""
        try:
            with self.explaining():
                return function()
        finally:
            if self._store is not None:
                self._store.close()

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Turn the error of a library that fails in the block into UsageError with advice."""
        try:
            yield
        except StoreError as error:
            raise UsageError(library_notice(self.home.library_path, error, self.command)) from None

    # --- the player

    def key_file(self) -> KeyFile:
        """Return the key file, which may be sealed. Raises NoIdentityError if there is none."""
        path = self.home.identity_path
        with report_os_errors(path):
            try:
                return keyfile.read(path)
            except FileNotFoundError:
                raise NoIdentityError("You have no identity here yet.") from None

    def identity(self) -> Identity:
        """Return the player's identity. Raises NoIdentityError, KeyLockedError or InputError."""
        file = self.key_file()
        if file.is_sealed:
            if self.unlocked is None or self.unlocked.public_key != file.public_key:
                raise KeyLockedError("Your identity has a passphrase.")
            return self.unlocked
        return file.open(lambda: "")

    def unlock(self, passphrase: str) -> None:
        """Open a sealed identity until the program ends; the passphrase is not kept.

        Raises WrongPassphraseError.
        """
        self.unlocked = self.key_file().open(lambda: passphrase)

    def session(self) -> Session:
        """Return a session of the player for one call. Raises the same errors as `identity`."""
        return Session(self.home, self.identity(), self.store())

    # --- library and games

    def open_store(self) -> Store:
        """Open the player's library, which needs no passphrase. Raises NoIdentityError.

        The caller must close it.
        """
        return Store(self.home.library_path, self.key_file().public_key, self.home.clock)

    def store(self) -> Store:
        """Return the library that calls of the service share; `call` closes it."""
        if self._store is None or self._store.key != self.key_file().public_key:
            self._store = self.open_store()
        return self._store

    def inbox(self, store: Store | None = None) -> Inbox:
        """Return the player's inbox, which uses the shared library or `store` in another thread.

        Raises NoIdentityError.
        """
        return Inbox(store or self.store(), self.home.games, self.invitations)

    def library_stamp(self) -> Stamp | None:
        """Return the stamp of the library file, or None if there is no library."""
        return stamp_of(self.home.library_path)

    def games(self) -> list[GameEntry]:
        """Return the listed games in the library's sequence, then the invitations that arrived.

        The list is empty if there is no identity. It is cached until the library or the folder for
        games changes. Raises StoreError.
        """
        try:
            store = self.store()
        except NoIdentityError:
            return []
        places, now = (self.home.library_path, self.home.games, *self.invitations), time.time_ns()
        stamps = [stamp_of(path) for path in places]
        cached = self._games
        if cached is None or cached[0] != (store, stamps):
            cached = (store, stamps), self.inbox().games(self.home.games.glob("*.toml"))
        # A second change shortly after may leave a file's time unchanged.
        is_new = any(stamp and now - stamp.changed < STAMP_NANOSECONDS for stamp in stamps)
        self._games = None if is_new else cached
        return cached[1]

    def invalidate_games(self) -> None:
        """Drop the cached list of games, because a file has changed."""
        self._games = None

    def entry(self, game: str) -> GameEntry:
        """Return the listed game with this id, in hexadecimal digits.

        Raises UsageError if there is none.
        """
        return game_with_id(self.games(), game)

    def newest_own_file(self, entry: GameEntry) -> Path | None:
        """Return the newest file of a game, or None if it is missing or the opponent's.

        This may be called in any thread. The result is cached until the file changes, because
        reading a long game takes longer than drawing its page.
        """
        path = entry.file_out
        stamp = stamp_of(path) if path else None
        if path is None or stamp is None:
            return None
        facts = path, stamp, entry.game.last
        cached, is_held = self._own_files.get(entry.id, (None, False))
        if cached != facts:
            is_held = ends_with(path, entry.game.last)
            self._own_files[entry.id] = facts, is_held
        return path if is_held else None

    def open(self, game: str, previous: OpenGame | None = None) -> OpenGame:
        """Return a listed game with its newest file, verified, or `previous` if it is unchanged.

        Raises UsageError if the file is missing, and the errors of reading it.
        """
        entry = self.entry(game)
        first_error: AcresError | None = None
        for path in newest_files(entry):
            try:
                return self._read_game(entry, path, previous)
            except AcresError as error:
                first_error = first_error or error
        raise first_error or UsageError(
            "No file of this game is known any more: save its last one into a folder that is "
            "watched, or open it with {command} board FILE.",
            command=self.command,
        )

    def _read_game(self, entry: GameEntry, path: Path, previous: OpenGame | None) -> OpenGame:
        version = stamp_of(path)
        if version is None:
            raise InputError("There is no file {file}.", file=path)
        stamp = path, version
        if previous is not None and previous.stamp == stamp:
            return previous._replace(entry=entry)
        store = self.store()
        data = as_utf8(read_file(path))
        with explain_failures(data, store.key):
            game = read_and_note(store, data, path)
        store.flush()
        return OpenGame(entry, game, stamp)


def game_with_id(games: Iterable[GameEntry], game: str) -> GameEntry:
    """Return the game with this id, in hexadecimal digits. Raises UsageError if there is none."""
    entry = next((entry for entry in games if entry.id.hex() == game), None)
    if entry is None:
        raise UsageError("No game of yours with this number is listed any more.")
    return entry


def stamp_of(path: Path) -> Stamp | None:
    """Return the modification time and size of a file or folder, or None if it does not exist."""
    try:
        return Stamp.of(path.stat())
    except OSError:
        return None
