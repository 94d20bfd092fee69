"""The host of the pages in a browser that runs them itself, in one worker without threads.

`assets/worker.js` passes each request of a page to `BrowserSite.respond`, and stores the changed
files of the home before it passes the response on.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import timeit
import traceback
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from starlette.types import Message as Part

from engine.house_rules import InvalidRulesError
from engine.message import Message, Phrase, message_of, with_label
from engine.players import MIN_STRENGTH, STRENGTHS
from pbem.board.templates import compile_templates
from pbem.errors import AcresError, InputError, bug_message
from pbem.foreign import display_path
from pbem.play.config import LANGUAGE, Config
from pbem.play.home import Home
from pbem.play.robot import folders_of_robot, home_of_robot
from pbem.play.robot_folder import write_answer
from pbem.play.store import StoreError
from pbem.play.store.entries import OPPONENT
from pbem.protocol.cache import own_digest
from pbem.savefile.disk import read_file
from pbem.text.language import SOURCE, Language, language_of
from pbem.web.game_service import GameService
from pbem.web.guard import Access
from pbem.web.host import Events, Host, Robot, Tell
from pbem.web.pages import TEMPLATES, Pages, assets
from pbem.web.routes import application
from pbem.web.site.tasks import answer_copy, answer_file, read_files, write_files

_MAY_BE_DELETED = Message(
    "This browser may delete them when a private window is closed, or after some days without a "
    "visit."
)
_LOW = Message(
    "Your browser has room for only {size} MB more. Delete something, or your next turn may not be "
    "saved."
)
MAX_SUM_SECONDS = 0.016
"""The time for 50,000 squares on a device on which a turn of the strongest robot takes 5 s.

Where they take 0.0095 s, the longest of its first ten turns took 2.6 s of processor time.
"""
LOW_BYTES = 30e6
"""The room below which the player is warned; a long game takes less."""
_T = TypeVar("_T")
Think: TypeAlias = Callable[
    [str, bytes, Callable[[str], None] | None], Awaitable[bytes | memoryview]
]
"""A function that passes a task to `tasks.call` in the worker of a name, and returns its result."""
Broadcast: TypeAlias = Callable[[str, str, bool], None]
"""A function that sends an event and its signature to all tabs, at once or when all is stored."""
_FRAMED = {
    "content-security-policy": ("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "x-frame-options": ("DENY", "SAMEORIGIN"),
}
"""The headers that change because the shell of the site shows each page in a frame."""


class BroadcastEvents(Events):
    """Events that the worker sends to all tabs with `broadcast`, each with its signature."""

    is_broadcast = True

    def __init__(self, access: Access, broadcast: Broadcast) -> None:
        super().__init__()
        self._access = access
        self._broadcast = broadcast

    def send(self, name: str, **data: Any) -> None:
        """Send an event to all pages; progress, which is not stored, at once."""
        text = f"event - - {name} {json.dumps(data)}"
        self._broadcast(text, self._access.sign(text), name == "progress")


class OtherWorker:
    """A worker for calls that take seconds, one after the other.

    `think` passes tasks to `tasks.call` there.
    """

    def __init__(self, name: str, think: Think) -> None:
        self._think = partial(think, name)

    async def call(
        self,
        function: Callable[..., Any],
        *arguments: object,
        tell: Callable[..., None] | None = None,
    ) -> Any:
        """Return the result of a function, or raise its error; all of it must be picklable.

        With `tell`, the function gets a last argument that passes keyword arguments on to it.
        """
        task = pickle.dumps((function, arguments, tell is not None))
        report = None if tell is None else lambda text: tell(**json.loads(text))
        result, error = pickle.loads(bytes(await self._think(task, report)))
        if error is not None:
            raise error
        return result


class WaitingFile(NamedTuple):
    """A file of a game, by its id, that waits for an answer of the robot of a `strength`."""

    strength: int
    game: str
    path: Path


class BrowserRobot(Robot):
    """The robot of a browser, which answers one file after another in the background.

    Only the quick robot thinks in this worker; the others think in another one.
    """

    def __init__(self, pages: Pages, helper: OtherWorker) -> None:
        self.folders = folders_of_robot(pages.service.home)
        self.troubles: tuple[Phrase, ...] = ()
        self._pages = pages
        self._helper = helper
        self._task: asyncio.Task[None] | None = None

    @property
    def strengths(self) -> Sequence[int]:
        """The strengths whose turns take a few seconds on this device."""
        quickest = min(timeit.repeat(lambda: sum(n * n for n in range(50_000)), number=1, repeat=3))
        return [s for s in STRENGTHS if s < max(STRENGTHS) or quickest < MAX_SUM_SECONDS]

    def wake(self) -> None:
        """Answer the files that the robot has not answered."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._answer_all())

    async def _answer_all(self) -> None:
        refused: dict[Path, Phrase] = {}
        while waiting := self._pages.service.call(partial(self._waiting_files, refused)):
            file = waiting[0]
            try:
                await self._answer(file)
            except (AcresError, StoreError, InvalidRulesError) as error:
                refused[file.path] = message_of(error)
            except Exception as error:
                # A bug that one game causes must not keep the others waiting.
                refused[file.path] = bug_message(error)
        troubles = tuple(with_label(display_path(path), why) for path, why in refused.items())
        if troubles != self.troubles:
            self.troubles = troubles
            for trouble in troubles:
                self._pages.announce(trouble)

    def _waiting_files(self, refused: Container[Path]) -> list[WaitingFile]:
        """Return the files to answer, those of the quick robot first, without the refused ones."""
        strengths = {folder: strength for strength, folder in self.folders.items()}
        return sorted(
            WaitingFile(strengths[path.parent], entry.id.hex(), path)
            for entry in self._pages.service.games()
            if (path := entry.file_out) and path.parent in strengths and path not in refused
            if entry.game.waits_for == OPPONENT
        )

    async def _answer(self, file: WaitingFile) -> None:
        """Answer a file, and note the answer. Raises the errors of `answer_file`."""
        home, data = self._pages.service.home, read_file(file.path)
        facts = home.folder, file.strength, self._pages.service.key_file().public_key, data
        if file.strength == MIN_STRENGTH:
            answer = answer_file(*facts)
        else:
            own = home_of_robot(home.folder)
            answer, files = await self._helper.call(answer_copy, read_files(own), *facts)
            write_files(own, files)
        if answer is not None:
            # The robot's record and the answer are stored together, so that none is lost.
            written, _ = write_answer(answer, file.path)
            note = partial(self._pages.note_robot_file, written, file.game)
            self._pages.service.call(note)


class BrowserHost(Host):
    """The host in the worker of a browser: each call is carried out at once."""

    robot: BrowserRobot
    can_lose_storage = True

    def __init__(
        self,
        service: GameService,
        access: Access,
        events: BroadcastEvents,
        language: Language,
        root: str,
        think: Think,
    ) -> None:
        self.access = access
        self.events = events
        self.root = root
        self.pages = Pages(service, self, language)
        self._helper = OtherWorker("helper", think)
        self._analyst = OtherWorker("analyst", think)
        self.robot = BrowserRobot(self.pages, self._helper)

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call `function` at once, or in another worker if it draws whole games."""
        if queue == "past":
            return cast("_T", await self._helper.call(function))
        return function()

    async def run_with_progress(self, queue: str, function: Callable[[Tell], _T], tell: Tell) -> _T:
        """Call `function` in another worker; an analysis, which takes minutes, delays no others."""
        worker = self._analyst if queue == "hindsight" else self._helper
        return cast("_T", await worker.call(function, tell=tell))

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Call `function` at once."""
        function()


def prepare() -> None:
    """Load the parts of all pages, before the browser keeps the memory for later starts."""
    compile_templates(TEMPLATES)
    assets()
    # The times of its files change with each start.
    own_digest()


class Answer(NamedTuple):
    """The response to a request: its status, its headers and its whole body."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


class BrowserSite:
    """All pages of the player with a home, at the address of the folder of the site.

    `key` signs requests and responses, as `Access.key`; it stays the same as long as the browser
    keeps the home, so that open pages outlive a worker. `languages` are the codes of the languages
    that the player reads, the best first.
    """

    def __init__(
        self,
        folder: str,
        address: str,
        key: str,
        languages: Iterable[str],
        broadcast: Broadcast,
        think: Think,
    ) -> None:
        self._place = urlsplit(address)
        access = Access("acres", f"{self._place.scheme}://{self._place.netloc}", key=key)
        service = GameService(Home(Path(folder)))
        events = BroadcastEvents(access, broadcast)
        root = self._place.path.rstrip("/")
        language = _language(service.home, languages)
        self._host = BrowserHost(service, access, events, language, root, think)
        self._host.site = f"{self._place.scheme}://{self._place.netloc}{root}/"
        self._app = application(self._host.pages)
        self._is_low = False
        self.channel = access.sign("channel")

    def start(self) -> None:
        """Continue after the last worker: the robot answers, and open pages look again."""
        self._host.events.send("hello")
        self._host.robot.wake()

    def note_storage(self, is_persistent: bool, free_bytes: float) -> None:
        """Warn the player if the browser may delete the home, or soon refuses to store it."""
        if not is_persistent:
            self._host.storage_warning = _MAY_BE_DELETED
            self._host.events.send("games")
        self.note_free(free_bytes)

    def note_free(self, free_bytes: float) -> None:
        """Warn the player once if the browser has little room left."""
        if free_bytes < LOW_BYTES and not self._is_low:
            self._host.pages.announce(_LOW.with_facts(size=int(free_bytes / 1e6)))
        self._is_low = free_bytes < LOW_BYTES

    async def respond(
        self, method: str, address: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> Answer:
        """Return the response to a request that the service worker intercepted."""
        place = urlsplit(address)
        # The browser adds these only to requests that leave it.
        own = {
            "host": self._place.netloc,
            "cookie": self._host.access.own_cookie,
            "sec-fetch-site": "same-origin",
            "content-length": str(len(body)),
        }
        if method != "GET":
            own["origin"] = f"{self._place.scheme}://{self._place.netloc}"
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": place.scheme,
            "server": (place.hostname, place.port),
            "path": place.path.removeprefix(self._host.root),
            "query_string": place.query.encode(),
            "headers": [(k.lower().encode(), v.encode()) for k, v in [*headers, *own.items()]],
        }
        status, sent, parts = 500, [], []

        async def receive() -> Part:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Part) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status, sent = message["status"], message["headers"]
            else:
                parts.append(message.get("body", b""))

        try:
            await self._app(scope, receive, send)
        except Exception:
            # The page has told the player already.
            traceback.print_exc()
        return Answer(
            status, [self._adapt(k.decode(), v.decode()) for k, v in sent], b"".join(parts)
        )

    def _adapt(self, name: str, value: str) -> tuple[str, str]:
        """Return a header for a page of the site."""
        if name == "location" and value.startswith("/"):
            return name, self._host.root + value
        return name, value.replace(*_FRAMED[name]) if name in _FRAMED else value


def _language(home: Home, languages: Iterable[str]) -> Language:
    """Return the language of the settings, or the first of the browser's that is known."""
    chosen = ""
    # Settings with a mistake are reported on their own page.
    with suppress(InputError):
        chosen = Config.read(home.config_path).value(LANGUAGE)
    known = filter(None, map(language_of, languages))
    return Language(language_of(chosen) or next(known, SOURCE))
