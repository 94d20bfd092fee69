"""The desk: whatever touches the player's home, library or a turn is done here, one after another.

Beside it the command line, another `acres board` or a robot may be at work: between processes the
library decides who was first, as it does for two commands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

from pbem.errors import AcresError, Unreadable, WrongUse, reaching
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.home import Home
from pbem.play.identity import keyfile
from pbem.play.identity.keyfile import KeyFile
from pbem.play.inbox.inbox import Inbox
from pbem.play.listed import newest_files
from pbem.play.session import Session
from pbem.play.store import LibraryFailed, Listed, Store
from pbem.protocol.identity import Identity
from pbem.savefile.disk import read_file
from pbem.text.proof.finding import explaining
from pbem.text.proof.library_warnings import no_games
from pbem.web.worker import Worker

_P = ParamSpec("_P")
_T = TypeVar("_T")
KEPT_OPEN = 4
"""How many games are kept as they were read; any other is read again."""


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
    stamp: tuple[Path, int, int]


class Desk:
    """What lies before the player who lives in `home`; `command` is how to call the program for it.

    All methods but `run`, `put` and `idle` are to be called by `run`: `await desk.run(desk.games)`.
    `told` is told of each file that is signed at it.
    """

    def __init__(self, home: Home, command: str = "acres") -> None:
        self.home = home
        self.command = command
        self.told: Callable[[Path], None] = lambda path: None
        self.invitations: set[Path] = set()
        self._worker = Worker("desk")
        self._unlocked: Identity | None = None
        self._store: Store | None = None
        self._inbox: Inbox | None = None
        self._open: OrderedDict[bytes, OpenGame] = OrderedDict()

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Have a function called at the desk, behind what is asked for already.

        The library is opened once for it, if at all.
        """
        return await self._worker.run(self._called, partial(function, *args, **kwargs))

    def put(self, function: Callable[[], object]) -> None:
        """Have a function called at the desk that raises nothing; from any thread."""
        self._worker.put(lambda: self._called(function))

    def _called(self, function: Callable[[], _T]) -> _T:
        try:
            return function()
        finally:
            if self._store is not None:
                self._store.close()

    async def idle(self, seconds: float) -> bool:
        """Wait until nothing is being done at the desk, so long at most; whether it is so."""
        return await self._worker.idle(seconds)

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
            if self._unlocked is None or self._unlocked.public_key != kept.public_key:
                raise Sealed("Your identity has a passphrase.")
            return self._unlocked
        return kept.open(lambda: "")

    def is_open(self) -> bool:
        """Whether the identity can be used without a passphrase; raises NobodyHome, Unreadable."""
        try:
            self.identity()
        except Sealed:
            return False
        return True

    def unlock(self, passphrase: str) -> None:
        """Open a sealed identity until the program ends; the passphrase itself is not kept.

        Raises WrongPassphrase.
        """
        self.sit_down(self.key_file().open(lambda: passphrase))

    def sit_down(self, identity: Identity) -> None:
        """Use an identity that was opened elsewhere until the program ends."""
        self._unlocked = identity

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

    def inbox(self) -> Inbox:
        """Return the way in for files of the player; raises NobodyHome."""
        own = self.own()
        if self._inbox is None or self._inbox.own is not own:
            self._inbox = Inbox(own, self.home.games, self.invitations)
        return self._inbox

    def games(self) -> list[Listed]:
        """The games that are listed, as the library has them, and then invitations that came.

        There are none where nobody is home.

        Raises WrongUse, with what to do, where the library cannot be used.
        """
        try:
            inbox = self.inbox()
        except NobodyHome:
            return []
        try:
            return inbox.games(self.home.games.glob("*.toml"))
        except LibraryFailed as error:
            raise no_games(inbox.own.path, error, self.command) from None

    def listed(self, game: str) -> Listed:
        """The game of that id, in hexadecimal digits; raises WrongUse where none is listed."""
        found = next((each for each in self.games() if each.id.hex() == game), None)
        if found is None:
            raise WrongUse("No game of yours with this number is listed any more.")
        return found

    def open(self, game: str) -> OpenGame:
        """A listed game with its newest file, read and verified.

        Raises WrongUse where its file is gone, and what reading it raises.
        """
        listed = self.listed(game)
        failed: AcresError | None = None
        for path in newest_files(listed):
            try:
                return self._opened(listed, path)
            except AcresError as error:
                failed = failed or error
        raise failed or WrongUse(
            "No file of this game is known any more: save its last one into a folder that is "
            "watched, or open it with {command} board FILE.",
            command=self.command,
        )

    def _opened(self, listed: Listed, path: Path) -> OpenGame:
        stamp = stamp_of(path)
        kept = self._open.get(listed.id)
        if kept is None or kept.stamp != stamp:
            own = self.own()
            data = read_file(path)
            with explaining(data, own.key):
                game = read_and_note(own, data, path)
            own.end()
            kept = OpenGame(listed, game, stamp)
        self._open[listed.id] = kept = kept._replace(listed=listed)
        self._open.move_to_end(listed.id)
        while len(self._open) > KEPT_OPEN:
            self._open.popitem(last=False)
        return kept


def stamp_of(path: Path) -> tuple[Path, int, int]:
    """What tells a file from what it was before a change; raises Unreadable."""
    try:
        found = path.stat()
    except OSError:
        raise Unreadable("There is no file {file}.", file=path) from None
    return path, found.st_mtime_ns, found.st_size
