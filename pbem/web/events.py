"""What pages are told without asking (server-sent events), and whether any page is there.

An event has a name and plain data. `games`: the list of games has changed. `game`, {"game": id}: of
that game there is a new file, or another tab, browser or command has done something. `said`,
{"text": …}: a sentence for the player, wherever they are.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

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
        """What one page is told, as it goes over the wire, until it is gone or all is closed."""
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
