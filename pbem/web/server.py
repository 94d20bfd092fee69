"""The server: its socket, its life and its end, and the browser of the user, opened beside it.

It ends with Ctrl-C, and some seconds after its last page is gone: a browser that loads a page again
leaves for a moment, and one that sleeps does not.

An address that opens a browser stands in the list of processes for a moment, where others can read
it; and a cookie goes to every port of this computer. So nobody else is answered at all, if the
system tells who it is: Linux does.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from engine.house_rules import UnknownRules
from engine.message import Failure, Phrase, message_of, with_label
from engine.players import QUICK
from pbem.errors import AcresError, unexpected
from pbem.foreign import shown
from pbem.play.analysis import Analysis, look_back, new_helper
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.robot import (
    answer,
    folders_of_robot,
    home_of_robot,
    open_robot,
    players_of,
    take_note,
)
from pbem.play.robot_folder import Answered, Inbox
from pbem.play.store import LibraryFailed
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.language import Language
from pbem.text.proof.signature import told_of_robot
from pbem.web.desk import Desk
from pbem.web.guard import Doors
from pbem.web.host import Events, Host, Robot
from pbem.web.mail import Letters
from pbem.web.pages import Pages
from pbem.web.routes import application
from pbem.web.watch import Watch

# --- who holds the other end


TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this computer, as Linux lists them."""
_ROOT = 0
"""A user who may read everything, and passes on what comes from another system on this computer."""
_ESTABLISHED = "01"
"""The state of a connection that has both ends; root is said to own one that was left."""


def is_stranger(port: int, own_port: int, tables: Iterable[Path] = TABLES) -> bool:
    """Return True if another user has the connection from that port to our own.

    It is none where nobody can tell.
    """
    if not hasattr(os, "geteuid"):
        return False
    owner, is_there = next(_owners(port, own_port, tables), (None, False))
    return owner not in (None, os.geteuid()) and not (owner == _ROOT and is_there)


def _owners(port: int, own_port: int, tables: Iterable[Path]) -> Iterator[tuple[int, bool]]:
    """Whose the ends are of connections between these two ports, and whether they are there yet."""
    ends = f":{port:04X}", f":{own_port:04X}"
    for table in tables:
        with suppress(OSError, UnicodeError, ValueError):
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                # sl local_address rem_address st queues tr:tm->when retrnsmt uid …
                fields = line.split()
                if len(fields) > 7 and fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]):
                    yield int(fields[7]), fields[3] == _ESTABLISHED


# --- the robot


EVERY = 2.0
"""Seconds between two looks into the folder, where nobody has told of a file before."""
ROBOT_PATIENCE = 5.0
"""In seconds: so long it may take to finish what it is about to sign."""


News = Answered | Sequence[Phrase]
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
        self.troubles: tuple[Phrase, ...] = ()
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
            self._thread.join(ROBOT_PATIENCE)

    def _play(self) -> None:
        while not self._ends.is_set():
            # Before it looks: what is written while it does is looked at again.
            self._is_due.clear()
            self._look()
            self._is_due.wait(EVERY)

    def _look(self) -> None:
        troubles: tuple[Phrase, ...]
        try:
            inboxes = self._inboxes = self._inboxes or self._made()
            for answered in _answers(inboxes):
                self._tell(answered)
                if self._ends.is_set():
                    return
            left = chain.from_iterable(inbox.left.values() for inbox in inboxes)
            troubles = tuple(with_label(shown(each.path), each.why) for each in left)
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


# --- the server


_T = TypeVar("_T")
ADDRESS = "127.0.0.1"
"""Where the server is bound, and what its pages are reached by."""
GRACE = 10.0
"""In seconds: so long after the last page was heard of it is gone."""
PATIENCE = 5
"""In seconds: so long what is being done at the desk is waited for at the end."""
_LOOKS = 0.5
"""In seconds: so often it looks whether a page is left."""

_IN_TERMINAL = ("www-browser", "elinks", "links", "lynx", "w3m")
"""These would take over the terminal, and run no scripts."""


def listening() -> socket.socket:
    """Return a socket on this computer alone, at a port that is free; raises OSError."""
    at = socket.create_server((ADDRESS, 0), backlog=128)
    # Connections take this over. Else an answer in two pieces waits for the browser to confirm one.
    at.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return at


def doors(port: int) -> Doors:
    """Return the ways in to the pages at a port of this computer."""
    # Cookies know no ports: another `acres board` has one of another name.
    return Doors(f"acres-{port}", f"http://{ADDRESS}:{port}", f"http://localhost:{port}")


class Worker:
    """A thread of that name; it never keeps the program from ending.

    What it is doing when the program ends is left where it is, as if the computer were switched
    off.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], object]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, function: Callable[[], _T]) -> _T:
        """Call a function there, after all that was asked for before, and return its result.

        It is called even if nobody waits for it any more.
        """
        done: Future[_T] = Future()

        def task() -> None:
            try:
                result = function()
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        self._tasks.put(task)
        return await asyncio.wrap_future(done)

    def put(self, function: Callable[[], object]) -> None:
        """Have a function called there, after all that was asked for before; from any thread.

        Nobody hears what it raises.
        """
        self._tasks.put(function)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            # Whatever becomes of this, what is asked for next is to be done.
            with suppress(Exception):
                task()


class Computer(Host):
    """The host on this computer: with threads, mail, a robot, and folders to `watch`."""

    robot: Robots
    mail: Letters

    def __init__(
        self, desk: Desk, doors: Doors, language: Language, watched: Sequence[Path] = ()
    ) -> None:
        self.doors = doors
        self.events = Events()
        self._helper = new_helper()
        self.robot = Robots(desk.home, desk.command, self._robot_told)
        # Others are asked for in the thread of the event loop alone.
        self._workers = {"desk": Worker("desk")}
        self.pages = Pages(desk, self, language)
        self.mail = Letters(self.pages)
        self.watch = Watch(self.pages, watched)

    def _worker(self, queue: str) -> Worker:
        if queue not in self._workers:
            self._workers[queue] = Worker(queue)
        return self._workers[queue]

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call a function in the thread of that name."""
        return await self._worker(queue).run(function)

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Have a function called in the thread of that name; from any thread."""
        self._worker(queue).put(function)

    def analyse(self, match: Match, known: Sequence[HiddenCards]) -> Analysis:
        """Look at a whole game in other processes; raises WrongUse if they end before."""
        return look_back(match, known, self._helper)

    async def settle(self, seconds: float) -> None:
        """Wait until nothing is being done at the desk, but at most so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.run("desk", lambda: None), seconds)

    def end(self) -> None:
        """Let those finish what they are at that work beside the pages."""
        self.robot.stop()
        self._helper.stop()

    def _robot_told(self, news: News) -> None:
        if isinstance(news, Answered):
            self.pages.put(lambda: self._answered(news))
            return
        for said in news:
            self.events.tell("said", text=self.pages.language.say(said))
        self.events.tell("games")

    def _answered(self, answered: Answered) -> None:
        """Note a file that the robot has written, and have it shown."""
        desk = self.pages.desk
        # Whoever opens the game is told what is wrong with it, or with the library.
        with suppress(Failure):
            take_note(desk.own(), answered.path, desk.home)
        self.events.tell("games")
        self.events.tell("game", game=answered.game.hex())


class Served(uvicorn.Server):
    """The server of the pages of a computer, which ends when the last of them is left.

    To `run` it raises KeyboardInterrupt if it is ended by Ctrl-C; what is being signed when it ends
    is signed first.
    """

    def __init__(self, computer: Computer) -> None:
        _be_silent()
        config = uvicorn.Config(
            application(computer.pages),
            loop="asyncio",
            http=_OfOwnUser,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            # Nobody stands before it whose word would count.
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=PATIENCE,
        )
        super().__init__(config)
        self._computer = computer

    async def main_loop(self) -> None:
        """Serve until it is to end."""
        beside = (self._leave(), self._computer.watch.go_on(), self._computer.mail.go_on())
        tasks = [asyncio.create_task(each) for each in beside]
        self._computer.robot.start()
        try:
            await super().main_loop()
        finally:
            for each in tasks:
                each.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: pages are told no more, and what is being done is done."""
        self._computer.events.close()
        await super().shutdown(sockets)
        await asyncio.to_thread(self._computer.end)
        await self._computer.settle(PATIENCE)

    async def _leave(self) -> None:
        """End it when pages were there, and none has been heard of for a while."""
        last: float | None = None
        while last is None or monotonic() - last <= GRACE:
            is_asked = last is not None and self.server_state.tasks
            if self._computer.events.streams or is_asked:
                last = monotonic()
            await asyncio.sleep(_LOOKS)
        self.should_exit = True


class _OfOwnUser(H11Protocol):
    """A connection, which ends at once if another user of this computer has made it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to hear what comes."""
        super().connection_made(transport)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if peer is None or own is None or is_stranger(peer[1], own[1]):
            transport.abort()


def _be_silent() -> None:
    """Keep what libraries log to themselves: addresses, and what went wrong where."""
    for name in ("uvicorn", "asyncio", "concurrent.futures"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def open_in_browser(address: str) -> None:
    """Open an address, if there is a browser for it; nobody waits until that has happened."""
    Thread(target=_open, args=(address,), name="browser", daemon=True).start()


def _open(address: str) -> None:
    with suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        if Path(getattr(browser, "name", "")).name not in _IN_TERMINAL:
            browser.open(address)
