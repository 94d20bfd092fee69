"""The HTTP server of the pages: its socket, its lifetime, and the browser that it opens.

The server ends with Ctrl-C, or some seconds after its last page was closed: a browser that reloads
a page disconnects for a moment, and a sleeping one stays connected.

The address that opens a browser is visible in the list of processes for a moment, and a cookie is
sent to every port of this computer. Therefore connections of other users are refused if the system
reports their owners, as Linux does. There the pages also get an address of their own, which no
earlier page had.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import TypeAlias, TypeVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from engine.house_rules import InvalidRulesError
from engine.message import Phrase, message_of, with_label
from engine.players import MIN_STRENGTH
from pbem.board.picture import render_png
from pbem.errors import AcresError, bug_message
from pbem.foreign import display_path
from pbem.play.analysis import Analysis, ProgressCallback, new_helper, review
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.robot import answer, folders_of_robot, home_of_robot, make_players, open_robot
from pbem.play.robot_folder import AnsweredFile, RobotFolder
from pbem.play.store import StoreError
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.sources import browse, random_bytes
from pbem.text.language import Language
from pbem.text.proof.signature import robot_wording
from pbem.web.game_service import GameService
from pbem.web.guard import Access
from pbem.web.host import Events, Host, Robot
from pbem.web.mail import MailService
from pbem.web.pages import Pages
from pbem.web.routes import application
from pbem.web.watch import FolderWatcher

# --- owners of connections


TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The files in which Linux lists the TCP connections of this computer."""
_ROOT = 0
"""The user id of root, which forwards connections from other systems on this computer."""
_ESTABLISHED = 1
"""The state of an open connection; Linux lists root as the owner of a closed one."""
_SOCK_DIAG, _BY_FAMILY = 4, 20
"""The netlink protocol that describes sockets, and its kind of message (sock_diag(7))."""
_End: TypeAlias = tuple[str, int]
"""An IPv4 address and a port."""


def is_stranger(remote: _End, local: _End, tables: Iterable[Path] = TABLES) -> bool:
    """Return True if the connection from `remote` to `local` belongs to another user.

    Return False if the system does not report owners.
    """
    if not hasattr(os, "geteuid"):
        return False
    state = _ask_kernel(remote, local)
    # A kernel that knows nothing about the own end does not answer such questions.
    if state is None and _ask_kernel(local, remote) is None:
        state = next(_owners(remote[1], local[1], tables), None)
    owner, is_open = state or (None, False)
    return owner not in (None, os.geteuid()) and not (owner == _ROOT and is_open)


def _ask_kernel(source: _End, target: _End) -> tuple[int, bool] | None:
    """Return the user id and the open state of the connection between two ends, or None.

    This takes microseconds, however many connections there are (sock_diag(7)).
    """
    if sys.platform == "linux":
        hosts = (socket.inet_aton(host) for host, _ in (source, target))
        # An nlmsghdr, then an inet_diag_req_v2: all states, any interface, any cookie.
        tcp = socket.AF_INET, socket.IPPROTO_TCP
        head = struct.pack("=IHHQBBHi", 72, _BY_FAMILY, 1, 0, *tcp, 0, -1)
        ends = struct.pack("!HH16s16sIq", source[1], target[1], *hosts, 0, -1)
        netlink = socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG
        with suppress(OSError, struct.error), socket.socket(*netlink) as kernel:
            kernel.send(head + ends)
            answer = kernel.recv(1024)
            # An inet_diag_msg has the state at its second byte and the user id at byte 64.
            kind, state, owner = struct.unpack_from("=4xH11xB62xI", answer)
            return (owner, state == _ESTABLISHED) if kind == _BY_FAMILY else None
    return None


def _owners(port: int, own_port: int, tables: Iterable[Path]) -> Iterator[tuple[int, bool]]:
    """Yield the user id and the open state of each connection between these two ports."""
    ends = f":{port:04X}", f":{own_port:04X}"
    for table in tables:
        with suppress(OSError, UnicodeError, ValueError):
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                # sl local_address rem_address st queues tr:tm->when retrnsmt uid …
                fields = line.split()
                if len(fields) > 7 and fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]):
                    yield int(fields[7]), int(fields[3], 16) == _ESTABLISHED


# --- the robot


SCAN_SECONDS = 2.0
"""The seconds between two scans of the robot's folders, unless `wake` is called."""
ROBOT_STOP_SECONDS = 5.0
"""The seconds that `stop` waits for the robot to finish a signature."""


News = AnsweredFile | Sequence[Phrase]
"""A file that the robot answered, or its present problems, which may be none."""


def _answers(inboxes: Sequence[RobotFolder]) -> Iterator[AnsweredFile]:
    """Yield the robot's answers from all inboxes, scanning the first one again after each answer.

    The first inbox belongs to the quick robot, which should not wait for the slow ones.
    """
    quick_inbox = inboxes[:1]
    for inbox in inboxes:
        for file in inbox.poll() if inbox.folder.is_dir() else ():
            if isinstance(file, AnsweredFile):
                yield file
                yield from _answers(quick_inbox) if inbox not in quick_inbox else ()


class RobotThread(Robot):
    """A thread in which the robot of this computer plays, and which calls `report` with news.

    The robot plays with the player of the home `keeper`, as soon as there is a key. Problems are
    reported once when they appear and once when they are over. `program` is the command that
    starts acres. Long searches run in another process, so that pages stay responsive.
    """

    def __init__(self, keeper: Home, program: str, report: Callable[[News], None]) -> None:
        self.folders = folders_of_robot(keeper)
        self.troubles: tuple[Phrase, ...] = ()
        self._keeper = keeper
        self._program = program
        self._report = report
        self._inboxes: list[RobotFolder] = []
        self._helper = Helper()
        self._wake_event = Event()
        self._stop_event = Event()
        self._thread = Thread(target=self._play, name="robot", daemon=True)

    def start(self) -> None:
        """Start the thread, which first answers the waiting files."""
        self._thread.start()

    def wake(self) -> None:
        """Scan the folders now, because a file was written."""
        self._wake_event.set()

    def stop(self) -> None:
        """End the thread after the current signature; an unfinished search is lost."""
        self._stop_event.set()
        self._wake_event.set()
        self._helper.stop()
        if self._thread.is_alive():
            self._thread.join(ROBOT_STOP_SECONDS)

    def _play(self) -> None:
        while not self._stop_event.is_set():
            # Clear the event first, so that files written during the scan are scanned again.
            self._wake_event.clear()
            self._scan()
            self._wake_event.wait(SCAN_SECONDS)

    def _scan(self) -> None:
        troubles: tuple[Phrase, ...]
        try:
            inboxes = self._inboxes = self._inboxes or self._make_inboxes()
            for file in _answers(inboxes):
                self._report(file)
                if self._stop_event.is_set():
                    return
            skipped = chain.from_iterable(inbox.skipped.values() for inbox in inboxes)
            troubles = tuple(with_label(display_path(file.path), file.reason) for file in skipped)
        except (AcresError, StoreError, InvalidRulesError) as error:
            troubles = (message_of(error),)
        except Exception as error:
            if self._stop_event.is_set():
                return
            # Report the bug; the pages continue.
            troubles = (bug_message(error),)
        if troubles != self.troubles:
            self.troubles = troubles
            self._report(troubles)

    def _make_inboxes(self) -> list[RobotFolder]:
        """Return an inbox for each strength.

        The list is empty if the folders or the player's key are missing.
        """
        has_games = any(folder.is_dir() for folder in self.folders.values())
        key = self._keeper.own_key if has_games else None
        if key is None:
            return []
        robot, home = open_robot(self._keeper), home_of_robot(self._keeper.folder)
        inboxes = []
        for strength, folder in self.folders.items():
            players = make_players(strength, None if strength == MIN_STRENGTH else self._helper)
            answer_file = partial(answer, robot=robot, players=players, keeper=key)
            on_refusal = robot_wording(self._program, home, folder).first_refusal
            inboxes.append(RobotFolder(folder, folder, answer_file, on_refusal))
        return inboxes


# --- the server


_T = TypeVar("_T")
ADDRESS = "127.0.0.1"
"""The address of the server and of its pages, unless they have one of their own."""
IDLE_SECONDS = 10.0
"""The seconds after the last sign of a page until the server ends."""
STOP_SECONDS = 5
"""The seconds that the server waits at its end for running calls of the game service."""
_CHECK_SECONDS = 0.5
"""The seconds between two checks for open pages."""


def open_socket(port: int = 0, address: str = ADDRESS) -> socket.socket:
    """Return a listening socket at a port of this computer, or at a free one. Raises OSError."""
    listener = socket.create_server((address, port), backlog=128)
    # Connections inherit this; without it a response in two pieces waits for an acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def open_sockets(port: int, *, with_own: bool) -> list[socket.socket]:
    """Return a listening socket at a port, 0 for any, and one at an address that only this run has.

    The second one is left out without `with_own` or if the system allows none. Raises OSError.
    """
    listeners = [open_socket(port)]
    # Only Linux has such addresses; a browser on another system does not reach them.
    is_local = sys.platform == "linux" and "microsoft" not in os.uname().release
    if with_own and is_local and "BROWSER" not in os.environ:
        own = socket.inet_ntoa(b"\x7f" + random_bytes(3, "an own address"))
        with suppress(OSError):
            listeners.append(open_socket(listeners[0].getsockname()[1], own))
    return listeners


def access_at(port: int, *own: str) -> Access:
    """Return the access control for pages at a port of this computer, and own addresses of it."""
    # Cookies ignore ports: another `acres board` needs another cookie name.
    origins = (f"http://{host}:{port}" for host in (ADDRESS, "localhost", *own))
    return Access(f"acres-{port}", *origins)


class WorkerThread:
    """A daemon thread that calls functions one after another, in the sequence of their requests.

    It does not keep the program from ending: a running call is then cut off, as by a power cut.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], object]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, function: Callable[[], _T]) -> _T:
        """Call `function` in the thread, after all earlier requests, and return its result.

        It is called even if the caller is cancelled.
        """
        future: Future[_T] = Future()

        def task() -> None:
            try:
                result = function()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._tasks.put(task)
        return await asyncio.wrap_future(future)

    def put(self, function: Callable[[], object]) -> None:
        """Queue `function` for the thread, from any thread, and ignore its exceptions."""
        self._tasks.put(function)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            # A failure must not prevent later calls.
            with suppress(Exception):
                task()


class LocalHost(Host):
    """The host on this computer, with threads, mail, a robot, and watched folders."""

    robot: RobotThread
    mail: MailService

    def __init__(
        self, service: GameService, access: Access, language: Language, folders: Sequence[Path] = ()
    ) -> None:
        self.access = access
        self.events = Events()
        self.draw = render_png
        self.analyse_match = self._review
        self._helper = new_helper()
        self.robot = RobotThread(service.home, service.command, self._handle_news)
        # Other workers are created only in the thread of the event loop.
        self._workers = {"service": WorkerThread("service")}
        self.pages = Pages(service, self, language)
        self.mail = MailService(self.pages)
        self.watch = FolderWatcher(self.pages, folders)

    def _worker(self, queue: str) -> WorkerThread:
        if queue not in self._workers:
            self._workers[queue] = WorkerThread(queue)
        return self._workers[queue]

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call `function` in the thread named `queue`, and return its result."""
        return await self._worker(queue).run(function)

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Queue `function` for the thread named `queue`, from any thread."""
        self._worker(queue).put(function)

    def _review(
        self, match: Match, hands: Sequence[HiddenCards], progress: ProgressCallback
    ) -> Analysis:
        return review(match, hands, self._helper, progress)

    async def settle(self, seconds: float) -> None:
        """Wait until the game service is idle, at most `seconds`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.run("service", lambda: None), seconds)

    def end(self) -> None:
        """Stop the robot and the helper process."""
        self.robot.stop()
        self._helper.stop()

    def _handle_news(self, news: News) -> None:
        if isinstance(news, AnsweredFile):
            self.pages.put(partial(self.pages.note_robot_file, news.path, news.game.hex()))
            return
        for message in news:
            self.events.send("said", text=self.pages.language.say(message))
        self.events.send("games")


class PageServer(uvicorn.Server):
    """The uvicorn server of a host's pages, which ends after the last page was closed.

    `run` raises KeyboardInterrupt if Ctrl-C ended the server, after finishing a signature in
    progress.
    """

    def __init__(self, host: LocalHost) -> None:
        _silence_loggers()
        config = uvicorn.Config(
            application(host.pages),
            loop="asyncio",
            http=_SameUserProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            # There is no trusted proxy in front of it.
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        super().__init__(config)
        self._host = host

    async def main_loop(self) -> None:
        """Serve, and run the robot, the mail service and the folder watcher, until the end."""
        background_tasks = (self._exit_when_idle(), self._host.watch.run(), self._host.mail.run())
        tasks = [asyncio.create_task(task) for task in background_tasks]
        self._host.robot.start()
        try:
            await super().main_loop()
        finally:
            for task in tasks:
                task.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the event streams, then stop the server and the host."""
        self._host.events.close()
        await super().shutdown(sockets)
        await asyncio.to_thread(self._host.end)
        await self._host.settle(STOP_SECONDS)

    async def _exit_when_idle(self) -> None:
        """End the server `IDLE_SECONDS` after the last sign of a page."""
        last_sign: float | None = None
        while last_sign is None or monotonic() - last_sign <= IDLE_SECONDS:
            is_busy = last_sign is not None and self.server_state.tasks
            if self._host.events.streams or is_busy:
                last_sign = monotonic()
            await asyncio.sleep(_CHECK_SECONDS)
        self.should_exit = True


class _SameUserProtocol(H11Protocol):
    """An HTTP connection that is closed immediately if another user of this computer opened it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or abort it if it belongs to another user."""
        super().connection_made(transport)
        remote, local = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if remote is None or local is None or is_stranger(remote, local):
            transport.abort()


def _silence_loggers() -> None:
    """Silence the logs of libraries, which would print addresses and tracebacks."""
    for name in ("uvicorn", "asyncio", "concurrent.futures"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def open_in_browser(address: str) -> None:
    """Open an address in the user's browser, if there is one, without waiting for it."""
    Thread(target=browse, args=(address,), name="browser", daemon=True).start()
