"""The server: its socket, its life and its end.

It ends with Ctrl-C, and some seconds after its last page is gone: a browser that loads a page again
leaves for a moment, and one that sleeps does not.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from time import monotonic

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pbem.web.guard import ADDRESS
from pbem.web.neighbours import is_stranger
from pbem.web.pages import Pages
from pbem.web.routes import application

GRACE = 10.0
"""In seconds: so long after the last page was heard of it is gone."""
PATIENCE = 5
"""In seconds: so long what is being done at the desk is waited for at the end."""
_LOOKS = 0.5
"""In seconds: so often it looks whether a page is left."""


def listening() -> socket.socket:
    """A socket on this computer alone, at a port that is free; raises OSError."""
    return socket.create_server((ADDRESS, 0), backlog=128)


class Served:
    """Pages, served at a socket until the last page is gone."""

    def __init__(self, pages: Pages, at: socket.socket) -> None:
        _be_silent()
        self._at = at
        presence = _Presence(pages, application(pages))
        config = uvicorn.Config(
            presence,
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
        self._server = _Server(config, pages, presence)

    def serve(self) -> None:
        """Serve them; what is being signed when it ends is signed first.

        Raises KeyboardInterrupt where it is ended by Ctrl-C.
        """
        asyncio.run(self._server.serve([self._at]))

    def end(self) -> None:
        """End it, from another thread."""
        self._server.should_exit = True


class _OfOwnUser(H11Protocol):
    """A connection, which ends at once where another user of this computer has made it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to hear what comes."""
        super().connection_made(transport)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if peer is None or own is None or is_stranger(peer[1], own[1]):
            transport.abort()


class _Presence:
    """Knows how long nobody has asked for anything, nor listened."""

    def __init__(self, pages: Pages, app: ASGIApp) -> None:
        self._pages = pages
        self._app = app
        self._asking = 0
        self._last: float | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        self._asking += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._asking -= 1

    def is_over(self, now: float) -> bool:
        """Whether pages were there, and none has been heard of for a while."""
        if self._pages.events.streams or (self._asking and self._last is not None):
            self._last = now
        return self._last is not None and now - self._last > GRACE


class _Server(uvicorn.Server):
    """The server of pages, which ends when the last of them is left."""

    def __init__(self, config: uvicorn.Config, pages: Pages, presence: _Presence) -> None:
        super().__init__(config)
        self._pages = pages
        self._presence = presence

    async def main_loop(self) -> None:
        """Serve until it is to end."""
        beside = [asyncio.create_task(each) for each in (self._leave(), self._pages.watch.go_on())]
        if self._pages.letters is not None:
            beside.append(asyncio.create_task(self._pages.letters.go_on()))
        self._pages.begin()
        try:
            await super().main_loop()
        finally:
            for each in beside:
                each.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: pages are told no more, and what is being done is done."""
        self._pages.events.close()
        await super().shutdown(sockets)
        await asyncio.to_thread(self._pages.end)
        await self._pages.desk.idle(PATIENCE)

    async def _leave(self) -> None:
        while not self._presence.is_over(monotonic()):
            await asyncio.sleep(_LOOKS)
        self.should_exit = True


def _be_silent() -> None:
    """Keep what libraries log to themselves: addresses, and what went wrong where."""
    for name in ("uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
