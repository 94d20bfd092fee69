"""The ASGI application: all routes behind the request guard, and responses to errors."""

from __future__ import annotations

import os
import traceback
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from engine.message import Message, Phrase, TranslatableError, message_of
from pbem.board.typography import font_css
from pbem.errors import bug_message
from pbem.web import (
    audit_page,
    backup,
    game_page,
    games_page,
    new_game,
    outgoing,
    result,
    rules_page,
    settings,
    unlock,
    uploads,
    welcome,
)
from pbem.web.game_service import KeyLockedError, NoIdentityError
from pbem.web.guard import NONCE, BodyTooLongError, RequestGuard
from pbem.web.pages import Pages, assets, make_response
from pbem.web.uploads import PAGE_HEADER

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_CACHING = {"Cache-Control": "private, max-age=3600"}
"""The headers of content that does not depend on the player; browsers may cache it."""
_DEBUG_VARIABLE = "ACRES_DEBUG"


def application(pages: Pages) -> ASGIApp:
    """Return the ASGI application that serves all pages."""
    modules = [
        *(games_page, game_page, unlock, welcome, new_game, uploads, outgoing),
        *(rules_page, settings, result, backup, audit_page),
    ]
    errors = _ErrorPages(pages)
    app = Starlette(
        routes=[
            *(route for module in modules for route in module.routes(pages)),
            *(pages.host.mail.routes() if pages.host.mail else ()),
            *_common_routes(pages),
        ],
        exception_handlers={
            KeyLockedError: errors.key_locked,
            NoIdentityError: errors.no_identity,
            TranslatableError: errors.failure,
            BodyTooLongError: errors.too_long,
            HTTPException: errors.no_page,
            Exception: errors.unexpected,
        },
    )
    return RequestGuard(app, pages.host.access, pages.no_access)


def _common_routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of events, styles, scripts, and a link for another browser."""

    async def events(request: Request) -> Response:
        # A stream of events has no headers of its own.
        head = f"event {request.query_params.get(NONCE)} "
        stream = pages.events.stream(lambda text: pages.host.access.sign(head + text))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def new_link(request: Request) -> Response:
        address = pages.host.access.new_link(host=request.headers["host"])
        return make_response(pages.language, address=address)

    async def fonts(request: Request) -> Response:
        return Response(font_css(pages.language), media_type="text/css", headers=_CACHING)

    async def asset(request: Request) -> Response:
        path = request.url.path
        if path not in assets():
            raise HTTPException(404)
        media_type = _MEDIA_TYPES[Path(path).suffix]
        return Response(assets()[path], media_type=media_type, headers=_CACHING)

    return [
        Route("/events", events),
        Route("/another", new_link, methods=["POST"]),
        Route("/faces.css", fonts),
        Route("/{room}/assets/{name:path}", asset),
    ]


class _ErrorPages:
    """The responses to errors: a page if the browser asked for a page, JSON if a script did."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def key_locked(self, request: Request, error: Exception) -> Response:
        """Ask for the passphrase, then continue to the page that was requested.

        A script returns to the page on which it runs, because the path it requested is not a page.
        """
        page = request.url.path if _wants_html(request) else request.headers.get(PAGE_HEADER, "/")
        return self._redirect(request, f"/unlock?then={quote(page)}", 401, error)

    async def no_identity(self, request: Request, error: Exception) -> Response:
        """Redirect to the page that creates an identity."""
        return self._redirect(request, "/welcome", 401, error)

    async def failure(self, request: Request, error: Exception) -> Response:
        """Respond with an error for players."""
        return self._report(request, 409 if request.method == "POST" else 404, message_of(error))

    async def too_long(self, request: Request, error: Exception) -> Response:
        """Respond that the request body is too long."""
        return self._report(request, 413, Message("That is longer than any file of a game."))

    async def no_page(self, request: Request, error: Exception) -> Response:
        """Respond that the page does not exist or does not allow the method."""
        assert isinstance(error, HTTPException)
        if error.status_code == HTTPStatus.NOT_FOUND:
            return self._report(request, 404, Message("There is no such page."))
        return PlainTextResponse(status_code=error.status_code, headers=error.headers)

    async def unexpected(self, request: Request, error: Exception) -> Response:
        """Report a bug in the program.

        With ACRES_DEBUG=1 the traceback is printed at the terminal.
        """
        if os.environ.get(_DEBUG_VARIABLE) == "1":
            traceback.print_exception(error)
        return self._report(request, 500, bug_message(error))

    def _redirect(self, request: Request, url: str, status: int, error: Exception) -> Response:
        if _wants_html(request):
            return RedirectResponse(url, status_code=303)
        return make_response(self._pages.language, message=message_of(error), status=status, go=url)

    def _report(self, request: Request, status: int, message: Phrase) -> Response:
        if _wants_html(request):
            title = Message("That did not work")
            return self._pages.page("sentence.html", title=title, sentence=message, status=status)
        return make_response(self._pages.language, message=message, status=status)


def _wants_html(request: Request) -> bool:
    """Return True if the browser asks for a page, False if a script asks for data."""
    return "text/html" in request.headers.get("accept", "")
