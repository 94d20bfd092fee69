"""The robot on this computer in a thread of its own, beside the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from threading import Event, Thread

from engine.house_rules import UnknownRules
from engine.message import Said, labelled, message_of
from engine.players import QUICK
from pbem.errors import AcresError, unexpected
from pbem.foreign import shown
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.robot import answer, folders_of_robot, home_of_robot, open_robot, players_of
from pbem.play.robot_folder import Answered, Inbox
from pbem.play.store import LibraryFailed
from pbem.text.proof.signature import told_of_robot
from pbem.web.host import Robot

EVERY = 2.0
"""Seconds between two looks into the folder, where nobody has told of a file before."""
PATIENCE = 5.0
"""In seconds: so long it may take to finish what it is about to sign."""


News = Answered | Sequence[Said]
"""An answer, or all that keeps the robot from answering now, in sentences; none if that is over."""


def _answers(inboxes: Sequence[Inbox]) -> Iterator[Answered]:
    """Look into each; between files that take long to answer, look into the first again."""
    first = inboxes[:1]
    for inbox in inboxes:
        for each in inbox.look() if inbox.folder.is_dir() else ():
            if isinstance(each, Answered):
                yield each
                yield from _answers(first) if inbox not in first else ()


class Robots(Robot):
    """The robot in a thread of its own; `tell` is told there of what it did, and of its troubles.

    It plays with whoever has the home, if anybody has. Troubles are told once, and when they are
    over; `program` is how the program is called. What takes it long is thought over in a process of
    its own, so that no page has to wait for it.
    """

    def __init__(self, keeper: Home, program: str, tell: Callable[[News], None]) -> None:
        self.folders = folders_of_robot(keeper)
        self.troubles: tuple[Said, ...] = ()
        self.answered: set[bytes] = set()
        self._keeper = keeper
        self._program = program
        self._tell = tell
        self._inboxes: list[Inbox] = []
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

    def _play(self) -> None:
        while not self._ends.is_set():
            # Before it looks: what is written while it does is looked at again.
            self._is_due.clear()
            self._look()
            self._is_due.wait(EVERY)

    def _look(self) -> None:
        troubles: tuple[Said, ...]
        try:
            inboxes = self._inboxes = self._inboxes or self._made()
            for answered in _answers(inboxes):
                self._tell(answered)
                if self._ends.is_set():
                    return
            left = chain.from_iterable(inbox.left.values() for inbox in inboxes)
            troubles = tuple(labelled(shown(each.path), each.why) for each in left)
        except (AcresError, LibraryFailed, UnknownRules) as error:
            troubles = (message_of(error),)
        except Exception as error:
            if self._ends.is_set():
                return
            # The pages are to go on, and whoever plays is told.
            troubles = (unexpected(error),)
        if troubles != self.troubles:
            self.troubles = troubles
            self._tell(troubles)

    def _made(self) -> list[Inbox]:
        """Return the folder of each strength, as soon as there is one, and somebody to play."""
        is_begun = any(folder.is_dir() for folder in self.folders.values())
        key = self._keeper.own_key if is_begun else None
        if key is None:
            return []
        robot, home = open_robot(self._keeper), home_of_robot(self._keeper.folder)
        inboxes = []
        for strength, folder in self.folders.items():
            players = players_of(strength, None if strength == QUICK else self._helper)
            reply = partial(answer, robot=robot, players=players, keeper=key)
            refused = told_of_robot(self._program, home, folder).refused
            inboxes.append(Inbox(folder, folder, reply, refused))
        return inboxes
