"""The interface between the pages and the computer on which they run.

`pbem.web.server` has threads, folders, mail and a robot; a browser that runs the pages itself has
none of these.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from starlette.routing import BaseRoute

from engine.message import NOTHING, Phrase
from engine.players import STRENGTHS
from pbem.play import analysis
from pbem.play.analysis import Analysis, ProgressCallback
from pbem.play.store import GameEntry, Store
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.facts.position_facts import Scene
from pbem.text.language import Language
from pbem.web.guard import Access

# --- events


HEARTBEAT_SECONDS = 15.0
"""The seconds between two heartbeats on an event stream, which reveal closed pages."""
MAX_QUEUED_EVENTS = 100
"""The maximum number of events queued for a page; later ones are dropped."""


class Events:
    """The event streams of all open pages; a browser has one stream for all its tabs.

    If they are `is_broadcast`, the pages hear events without a stream.
    """

    is_broadcast = False

    def __init__(self) -> None:
        self._listening: set[asyncio.Queue[tuple[str, str]]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return len(self._listening)

    def send(self, name: str, **data: Any) -> None:
        """Send an event to all pages, from any thread."""
        if self._loop is not None:
            event = name, json.dumps(data)
            # A closed loop has no pages.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._enqueue, event)

    def _enqueue(self, event: tuple[str, str]) -> None:
        for queue in self._listening:
            if queue.qsize() < MAX_QUEUED_EVENTS:
                queue.put_nowait(event)

    async def stream(self, sign: Callable[[str], str]) -> AsyncIterator[str]:
        """Yield server-sent events for one page until it is closed or all streams end.

        The identifier of each is a signature of its number, its name and its data.
        """
        queue: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        if self._is_closed:
            return
        self._loop = asyncio.get_running_loop()
        self._listening.add(queue)
        try:
            queue.put_nowait(("hello", "{}"))
            name, number = "", 0
            while name != "end":
                try:
                    name, data = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": \n\n"
                    continue
                signature = sign(f"{number} {name} {data}")
                yield f"id: {signature}\nevent: {name}\ndata: {data}\n\n"
                number += 1
        finally:
            self._listening.discard(queue)

    def close(self) -> None:
        """End all streams, and refuse new ones."""
        self._is_closed = True
        for queue in self._listening:
            queue.put_nowait(("end", "{}"))


# --- the host


_T = TypeVar("_T")
AnalyseMatch: TypeAlias = Callable[[Match, Sequence[HiddenCards], ProgressCallback], Analysis]
"""A function that analyses a match with the known hands."""
Tell: TypeAlias = Callable[..., None]
"""A function that is called with the numbers of items that are `done` and in `total`, by name."""
PROGRESS_SECONDS = 0.1
"""The time between two calls of such a function, in seconds."""

Draw: TypeAlias = Callable[[Scene, Match, Language], bytes]
"""A function that draws a position of a match as PNG."""


class Robot(Protocol):
    """A robot that answers the player's files in the background.

    `folders` are the folders of its games by strength. `troubles` are the problems that keep it
    from answering now.
    """

    folders: Mapping[int, Path]
    troubles: Sequence[Phrase]

    @property
    def strengths(self) -> Sequence[int]:
        """The strengths that a new game may have."""
        return [*STRENGTHS]

    def wake(self) -> None:
        """Scan the folders now, because a file was written."""


class Sendable(NamedTuple):
    """A file that can be sent by mail; `address` is empty if the game has none.

    `sent_notice` is a sentence if the file was sent or may have been sent, otherwise empty.
    """

    address: str
    can_send: bool
    sent_notice: Phrase


class Mail(Protocol):
    """The player's mail: it composes, sends and fetches messages."""

    def can_fetch(self) -> bool:
        """Return True if the settings, as far as they can be read, name a mailbox."""

    def sendable(self, entry: GameEntry, path: Path, store: Store) -> Sendable:
        """Return the address and state of the last file of a game. Raises StoreError."""

    def routes(self) -> list[BaseRoute]:
        """Return the routes that compose, send and fetch messages."""


def analyse_match(
    match: Match, hands: Sequence[HiddenCards], progress: ProgressCallback
) -> Analysis:
    """Analyse a match with the known hands in this thread."""
    return analysis.analyse(match, hands, progress=progress)


def track(tell: Tell, items: Sequence[_T]) -> Iterator[_T]:
    """Yield items, and tell the progress if they take longer than `PROGRESS_SECONDS`."""
    last = monotonic()
    for done, item in enumerate(items):
        if monotonic() - last > PROGRESS_SECONDS:
            last = monotonic()
            tell(done=done, total=len(items))
        yield item


class Host(Protocol):
    """The computer or browser that runs the pages.

    `access` admits browsers, and `events` notifies them of changes. `robot` and `mail` are None if
    the host has none, and `draw` if its pages draw pictures themselves.
    `root` is the path of the folder of all pages without its last slash, empty at the top.
    `can_lose_storage` is true for a browser, which may delete the player's home, and
    `storage_warning` says if it may do so soon. `site` is the address of the pages if others can
    open them, too.
    """

    root: str = ""
    can_lose_storage: bool = False
    storage_warning: Phrase = NOTHING
    site: str = ""
    access: Access
    events: Events
    robot: Robot | None = None
    mail: Mail | None = None
    draw: Draw | None = None
    analyse_match: AnalyseMatch = staticmethod(analyse_match)

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call `function` after all calls queued before under the same name; return its result.

        Functions in different queues may run at the same time.
        """

    async def run_with_progress(self, queue: str, function: Callable[[Tell], _T], tell: Tell) -> _T:
        """Return the result of `function`, which takes a while, like `run`.

        It calls `tell` with its progress, and can be pickled if `analyse_match` can.
        """
        return await self.run(queue, partial(function, tell))

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Queue `function`, which raises nothing, and do not wait for it."""
