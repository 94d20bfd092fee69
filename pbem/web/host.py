"""The host of the pages: whatever they need that is not the same everywhere.

On a computer it has threads, folders, mail and a robot (`pbem.web.server`); in a browser that runs
the pages itself it has none of these.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from starlette.routing import BaseRoute

from engine.message import Phrase
from pbem.play.analysis import Analysis, analyse
from pbem.play.store import Listed, Store
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.web.guard import Doors

# --- events


BEAT = 15.0
"""In seconds: so often something goes to each page, so that one that is gone is noticed."""
MOST_WAITING = 100
"""How many events wait for a page that takes none; it is not told of more."""


class Events:
    """All pages that listen; a browser has one stream for all its tabs, whichever is in front."""

    def __init__(self) -> None:
        self._listening: set[asyncio.Queue[str | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    @property
    def streams(self) -> int:
        """How many browsers listen."""
        return len(self._listening)

    def tell(self, name: str, **data: Any) -> None:
        """Tell all pages; from any thread."""
        if self._loop is not None:
            told = f"event: {name}\ndata: {json.dumps(data)}\n\n"
            # Where the loop has ended, so have the pages.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._tell, told)

    def _tell(self, told: str) -> None:
        for queue in self._listening:
            if queue.qsize() < MOST_WAITING:
                queue.put_nowait(told)

    async def stream(self) -> AsyncIterator[str]:
        """Yield the events of one page as they go over the wire, until it is gone or all closes."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        if self._is_closed:
            return
        self._loop = asyncio.get_running_loop()
        self._listening.add(queue)
        try:
            # How soon a page that lost its stream asks for another, in milliseconds.
            yield "retry: 1000\n\nevent: hello\ndata: {}\n\n"
            while True:
                try:
                    told = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    told = ": \n\n"
                if told is None:
                    return
                yield told
        finally:
            self._listening.discard(queue)

    def close(self) -> None:
        """End all streams, for good."""
        self._is_closed = True
        for queue in self._listening:
            queue.put_nowait(None)


# --- the host


_T = TypeVar("_T")


class Robot(Protocol):
    """A robot that answers the player beside the pages.

    `folders` are those of its games, by its strength; `troubles` keep it from answering now.
    """

    folders: Mapping[int, Path]
    troubles: Sequence[Phrase]

    def wake(self) -> None:
        """Have it look at once, because a file was written."""


class Sendable(NamedTuple):
    """A file that can go by mail: to that address, empty if the game has none.

    `was_sent` says that it was sent, or may have been; empty if it was not.
    """

    to: str
    can_send: bool
    was_sent: Phrase


class Mail(Protocol):
    """The mail of the player: letters are made, sent and fetched."""

    def can_fetch(self) -> bool:
        """Return True if there is a mailbox, as far as the settings can be read."""

    def sendable(self, listed: Listed, path: Path, own: Store) -> Sendable:
        """Return the last file of a game as it can be sent; raises LibraryFailed."""

    def routes(self) -> list[BaseRoute]:
        """Return the addresses below which letters are made, sent and fetched."""


class Host(Protocol):
    """The surroundings of the pages.

    `doors` let browsers in, and `events` tell them what happens; `robot` and `mail` are None if the
    host has none.
    """

    doors: Doors
    events: Events
    robot: Robot | None = None
    mail: Mail | None = None

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        """Call a function behind all that was put into a queue of that name, and return its result.

        No queue waits for another, if the host can do several things at once.
        """

    def analyse(self, match: Match, known: Sequence[HiddenCards]) -> Analysis:
        """Look at a whole game, as far as hands are known; in any thread, and it takes a while."""
        return analyse(match, known)

    def put(self, queue: str, function: Callable[[], object]) -> None:
        """Have a function called that raises nothing, behind all that is in a queue already."""
