"""The robot of this computer: it plays with whoever sits at it, and with nobody else.

It has a home, a key and a session of its own, and a thread: what it signs, its own library decides,
as that of any player. Its games lie in a folder of their own, in which it answers each file that is
its to answer, whoever wrote it there: a page, a command, or this program before it was stopped.
Each strength has a folder of its own there, so that a game goes on as strong as it was begun.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from threading import Event, Thread

from engine.house_rules import UnknownRules
from engine.message import NOTHING, Said, labelled, message_of
from engine.order import Order
from engine.players import STRENGTHS
from engine.state import State
from engine.value import Value
from pbem.errors import AcresError, Unreadable, reaching, unexpected
from pbem.foreign import quoted, shown
from pbem.library import LibraryFailed
from pbem.play.folders import own_folder
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.questions import Beforehand, Unanswered
from pbem.play.robot.answering import Correspondence, Incoming
from pbem.play.robot.guests import Guests, Welcome
from pbem.play.robot.inbox import Arrived, Inbox
from pbem.play.robot.places import Places
from pbem.play.robot.player import unpredictable
from pbem.play.robot.refusals import NotWritten
from pbem.play.robot.robot_home import NAME, check_robot, home_of_robot, is_vacant, make_robot
from pbem.play.session import Session
from pbem.savefile.disk import clear_away, read_file
from pbem.words.proof.recollection import NotNow
from pbem.words.proof.signature import Older, Told

EVERY = 2.0
"""Seconds between two looks into the folder, where nobody has told of a file before."""
PATIENCE = 5.0
"""In seconds: so long it may take to finish what it is about to sign."""
SUFFIX = ".toml"
QUICK = min(STRENGTHS)
"""A robot of that strength chooses within milliseconds: what is longer keeps pages waiting."""
MOST = 10_000
"""Games at once: whose computer it is may begin as many as there is room for."""


class Answered(Value):
    """A file that the robot wrote in the game of that id."""

    game: bytes
    path: Path


class Troubles(Value):
    """All that keeps the robot from answering now, in sentences; none where that is over."""

    told: tuple[Said, ...]


News = Answered | Troubles


def folder_of_robot(home: Home, strength: int = QUICK) -> Path:
    """The folder with the files of the games that the player of that home plays with the robot."""
    folder = own_folder(home) / NAME.lower()
    # Before there were several, all games were played with the first.
    return folder if strength == QUICK else folder / f"strength-{strength}"


def _choose(strength: int, state: State) -> Order:
    return unpredictable(strength)(state)


class RobotAtHome:
    """The robot at home with the player of that key: one look answers what waits in its folder.

    That is the folder of its `strength`. `program` is how the program is called, for what only a
    command can mend. What takes it long is thought over by the `helper`.
    """

    def __init__(
        self,
        keeper: Home,
        key: bytes,
        program: str,
        strength: int = QUICK,
        helper: Helper | None = None,
    ) -> None:
        self.folder = folder_of_robot(keeper, strength)
        self._choose = unpredictable(strength)
        if strength != QUICK and helper is not None:
            self._choose = lambda state: helper.call(_choose, strength, state)
        self._home = Home(home_of_robot(keeper.folder), clock=keeper.clock)
        self._guests = Guests(Welcome(keys=frozenset({key})), Places(MOST, MOST, MOST), lists=1)
        self._program = program
        self._robot: Correspondence | None = None
        self._inbox = Inbox(self.folder)
        self._left: dict[Path, Said] = {}

    @property
    def troubles(self) -> tuple[Said, ...]:
        """Why files were left alone that still lie there, in sentences."""
        return tuple(labelled(shown(path), said) for path, said in self._left.items())

    def look(self) -> Iterator[Answered]:
        """Answer what is new in its folder, file by file.

        Raises AcresError or LibraryFailed where the robot cannot play at all.
        """
        if not self.folder.is_dir():
            return
        robot = self._robot or self._sat_down()
        self._left = {path: said for path, said in self._left.items() if path.exists()}
        for arrived in self._inbox.arrived():
            try:
                answered = self._answered(robot, arrived)
            finally:
                robot.session.library.end()
            if answered is not None:
                yield answered

    def _sat_down(self) -> Correspondence:
        if is_vacant(self._home):
            session = make_robot(self._home, "")
        else:
            session = Session.open(self._home)
            check_robot(session.identity)
        clear_away(self.folder)
        self._robot = Correspondence(session, self._guests, self._choose)
        return self._robot

    def _answered(self, robot: Correspondence, arrived: Arrived) -> Answered | None:
        """What comes of a file, which is left for the next look where it has to wait."""
        path, is_done, found = arrived.path, True, None
        why: Said = NOTHING
        try:
            if path.suffix.lower() == SUFFIX:
                file = Incoming(read_file(path), path, shown(path), path, came=_came(path))
                found = robot.answer(file)
        except NotWritten as error:
            is_done, why = False, message_of(error)
        except Unanswered as error:
            refusal = self._words.refused(error)
            # What was answered before is told nobody.
            why = NOTHING if isinstance(refusal, Older) else message_of(refusal)
            is_done = not isinstance(refusal, NotNow)
        except Unreadable as error:
            # Whoever copies a file there may not be through with it.
            is_done, why = arrived.is_settled, message_of(error)
        except (AcresError, UnknownRules) as error:
            why = message_of(error)
        self._left.pop(path, None)
        if why:
            self._left[path] = why
        if is_done:
            self._inbox.done(path)
        return Answered(found.match.id, found.path) if found else None

    @property
    def _words(self) -> Told:
        serving = shlex.join(["serve-robot", "--once", "--newest"])
        folders = f"--inbox {quoted(self.folder)} --outbox {quoted(self.folder)}"
        home = f"--home {quoted(self._home.folder)}"
        options = dict.fromkeys(Beforehand, f"{self._program} {home} {serving} {folders}")
        return Told(self._program, self._program, options, is_unattended=True)


def _came(path: Path) -> str:
    """Since when a file lies there."""
    with reaching(path):
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return changed.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _looks(robots: Sequence[RobotAtHome]) -> Iterator[Answered]:
    """A look of each; between files of those that think long, the first has another."""
    first = robots[:1]
    yield from chain.from_iterable(robot.look() for robot in first)
    for robot in robots[1:]:
        for answered in robot.look():
            yield answered
            yield from first[0].look()


class Robots:
    """The robot in a thread of its own; `tell` is told there of what it did, and of its troubles.

    It plays with whoever has the home, if anybody has. Troubles are told once, and when they are
    over; `program` is as for `RobotAtHome`. What takes it long is thought over in a process of its
    own, so that no page has to wait for it.
    """

    def __init__(self, keeper: Home, program: str, tell: Callable[[News], None]) -> None:
        self.folders = {each: folder_of_robot(keeper, each) for each in STRENGTHS}
        self.troubles: tuple[Said, ...] = ()
        self._keeper = keeper
        self._program = program
        self._tell = tell
        self._robots: list[RobotAtHome] = []
        self._helper = Helper()
        self._is_due = Event()
        self._ends = Event()
        self._thread = Thread(target=self._play, name="robot", daemon=True)

    def start(self) -> None:
        """Begin to play, first with what has been waiting."""
        self._thread.start()

    def wake(self) -> None:
        """Have it look at once, because a file was written."""
        self._is_due.set()

    def stop(self) -> None:
        """Let it finish what it is about to sign, and play no more; what it thinks over is lost."""
        self._ends.set()
        self._is_due.set()
        self._helper.stop()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    @property
    def key(self) -> bytes | None:
        """The public key of the robot; None where there is none yet."""
        return Home(home_of_robot(self._keeper.folder)).own_key

    @property
    def strength(self) -> int:
        """How strong it was in the game that was played last with it; at first it is quick."""
        found = {each: folder.stat().st_mtime_ns for each, folder in self._there.items()}
        return max(found, key=lambda each: found[each], default=QUICK)

    def plays(self, path: Path | None) -> bool:
        """Whether a file with that path is one of a game with the robot."""
        return path is not None and path.parent in self.folders.values()

    @property
    def _there(self) -> dict[int, Path]:
        return {each: folder for each, folder in self.folders.items() if folder.is_dir()}

    def _play(self) -> None:
        while not self._ends.is_set():
            # Before it looks: what is written while it does is looked at once more.
            self._is_due.clear()
            self._look()
            self._is_due.wait(EVERY)

    def _look(self) -> None:
        try:
            robots = self._robots = self._robots or self._made()
            for answered in _looks(robots):
                self._tell(answered)
                if self._ends.is_set():
                    return
            troubles = tuple(chain.from_iterable(robot.troubles for robot in robots))
        except (AcresError, LibraryFailed, UnknownRules) as error:
            troubles = (message_of(error),)
        except Exception as error:
            if self._ends.is_set():
                return
            # The pages are to go on, and whoever plays is told.
            troubles = (unexpected(error),)
        if troubles != self.troubles:
            self.troubles = troubles
            self._tell(Troubles(troubles))

    def _made(self) -> list[RobotAtHome]:
        """The robot at each strength, as soon as there are games with it, and somebody to play."""
        key = self._keeper.own_key if self._there else None
        if key is None:
            return []
        return [
            RobotAtHome(self._keeper, key, self._program, strength, self._helper)
            for strength in STRENGTHS
        ]
