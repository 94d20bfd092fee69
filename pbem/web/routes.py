"""All pages put together: one application, behind the guard; what fails there, in a sentence."""

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

from engine.message import Failure, Message, Phrase, message_of
from pbem.board.lettering import face_css
from pbem.errors import unexpected
from pbem.web import files_in, game_page, games_page, new_game, newcomer, posting, unlocking
from pbem.web.desk import NobodyHome, Sealed
from pbem.web.guard import BodyTooLong, Guard
from pbem.web.pages import Pages, answer, assets

_KINDS = {".css": "text/css", ".js": "text/javascript"}
_KEPT = {"Cache-Control": "private, max-age=3600"}
"""What is the same for everybody, a browser may keep for a while."""
_PAGE = "Acres-Page"
"""In this header a script says on which page it runs: browsers are told not to."""
_DEBUG = "ACRES_DEBUG"


def application(pages: Pages) -> ASGIApp:
    """Return the application that serves them all."""
    room = [games_page, game_page, unlocking, newcomer, new_game, files_in, posting]
    failing = _Failing(pages)
    app = Starlette(
        routes=[
            *(route for module in room for route in module.routes(pages)),
            *(pages.host.mail.routes() if pages.host.mail else ()),
            *_common(pages),
        ],
        exception_handlers={
            Sealed: failing.sealed,
            NobodyHome: failing.nobody_home,
            Failure: failing.told,
            BodyTooLong: failing.too_long,
            HTTPException: failing.no_page,
            Exception: failing.unexpected,
        },
    )
    return Guard(app, pages.host.doors, pages.outside)


def _common(pages: Pages) -> list[BaseRoute]:
    """Return what every page needs: its events, its styles and scripts, another browser."""

    async def events(request: Request) -> Response:
        return StreamingResponse(pages.events.stream(), media_type="text/event-stream")

    async def another(request: Request) -> Response:
        return answer(pages.language, address=pages.host.doors.address())

    async def faces(request: Request) -> Response:
        return Response(face_css(pages.language), media_type="text/css", headers=_KEPT)

    async def asset(request: Request) -> Response:
        path = request.url.path
        if path not in assets():
            raise HTTPException(404)
        return Response(assets()[path], media_type=_KINDS[Path(path).suffix], headers=_KEPT)

    return [
        Route("/events", events),
        Route("/another", another, methods=["POST"]),
        Route("/faces.css", faces),
        Route("/{room}/assets/{name:path}", asset),
    ]


class _Failing:
    """The answers if something went wrong: a page to whoever looks, JSON to a script."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def sealed(self, request: Request, error: Exception) -> Response:
        """Ask for the passphrase, and then go on to the page that was meant.

        That of a script is the one on which it runs: what it has asked for is no page.
        """
        page = request.url.path if _is_looked_at(request) else request.headers.get(_PAGE, "/")
        return self._go(request, f"/unlock?then={quote(page)}", 401, error)

    async def nobody_home(self, request: Request, error: Exception) -> Response:
        """Help a newcomer first."""
        return self._go(request, "/welcome", 401, error)

    async def told(self, request: Request, error: Exception) -> Response:
        """Tell an error that is meant for players."""
        return self._say(request, 409 if request.method == "POST" else 404, message_of(error))

    async def too_long(self, request: Request, error: Exception) -> Response:
        """Refuse more than anybody reads."""
        return self._say(request, 413, Message("That is longer than any file of a game."))

    async def no_page(self, request: Request, error: Exception) -> Response:
        """Say that there is no such page, or that it takes nothing."""
        assert isinstance(error, HTTPException)
        if error.status_code == HTTPStatus.NOT_FOUND:
            return self._say(request, 404, Message("There is no such page."))
        return PlainTextResponse(status_code=error.status_code, headers=error.headers)

    async def unexpected(self, request: Request, error: Exception) -> Response:
        """Tell a mistake in the program; the terminal tells whoever debugs where it happened."""
        if os.environ.get(_DEBUG) == "1":
            traceback.print_exception(error)
        return self._say(request, 500, unexpected(error))

    def _go(self, request: Request, to: str, status: int, error: Exception) -> Response:
        if _is_looked_at(request):
            return RedirectResponse(to, status_code=303)
        return answer(self._pages.language, said=message_of(error), status=status, go=to)

    def _say(self, request: Request, status: int, what: Phrase) -> Response:
        if _is_looked_at(request):
            title = Message("That did not work")
            return self._pages.page("sentence.html", title=title, sentence=what, status=status)
        return answer(self._pages.language, said=what, status=status)


def _is_looked_at(request: Request) -> bool:
    """Return True if a page is asked for, and not something by the script of one."""
    return "text/html" in request.headers.get("accept", "")
