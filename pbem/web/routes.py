"""All pages put together: one application, behind the guard; what fails there, in a sentence."""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from engine.message import Failure, Message, Said, message_of
from pbem.board.faces import face_css
from pbem.errors import unexpected
from pbem.web import files_in, game_page, games_page, new_game, newcomer, posting, unlocking
from pbem.web.answers import answer
from pbem.web.desk import NobodyHome, Sealed
from pbem.web.guard import BodyTooLong, Guard
from pbem.web.pages import Pages, assets

_KINDS = {".css": "text/css", ".js": "text/javascript"}
_KEPT = {"Cache-Control": "private, max-age=3600"}
"""What is the same for everybody, a browser may keep for a while."""
_PAGE = "Acres-Page"
"""In this header a script says on which page it runs: browsers are told not to."""
_DEBUG = "ACRES_DEBUG"


def application(pages: Pages) -> ASGIApp:
    """The application that serves them all."""
    common, failing = _Common(pages), _Failing(pages)
    routes = [
        *games_page.routes(pages),
        *game_page.routes(pages),
        *unlocking.routes(pages),
        *newcomer.routes(pages),
        *new_game.routes(pages),
        *files_in.routes(pages),
        *posting.routes(pages),
        Route("/events", common.events),
        Route("/another", common.another, methods=["POST"]),
        Route("/faces.css", common.faces),
        Route("/{room}/assets/{name:path}", common.asset),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            Sealed: failing.sealed,
            NobodyHome: failing.nobody_home,
            Failure: failing.told,
            BodyTooLong: failing.too_long,
            HTTPException: failing.no_page,
            Exception: failing.unexpected,
        },
    )
    return Guard(app, pages.doors, pages.outside)


class _Common:
    """What every page needs: its events, its styles and scripts, another browser."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def events(self, request: Request) -> Response:
        """`GET /events`: see `pbem.web.events`."""
        return StreamingResponse(self._pages.events.stream(), media_type="text/event-stream")

    async def another(self, request: Request) -> Response:
        """`POST /another`: an address by which another browser can come in, once."""
        return answer(self._pages.language, address=self._pages.doors.address())

    async def faces(self, request: Request) -> Response:
        """`GET /faces.css`: the faces in which pages are written."""
        return Response(face_css(self._pages.language), media_type="text/css", headers=_KEPT)

    async def asset(self, request: Request) -> Response:
        """`GET /web/assets/…` and `/board/assets/…`: styles and scripts."""
        path = request.url.path
        if path not in assets():
            raise HTTPException(404)
        return Response(assets()[path], media_type=_KINDS[Path(path).suffix], headers=_KEPT)


class _Failing:
    """What is answered where something went wrong: a page to whoever looks, JSON to a script."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def sealed(self, request: Request, error: Exception) -> Response:
        """The passphrase is asked for, and then it goes on to the page that was meant.

        That of a script is the one on which it runs: what it has asked for is no page.
        """
        page = request.url.path if _is_looked_at(request) else request.headers.get(_PAGE, "/")
        return self._go(request, f"/unlock?then={quote(page)}", 401, error)

    async def nobody_home(self, request: Request, error: Exception) -> Response:
        """A newcomer is helped first."""
        return self._go(request, "/welcome", 401, error)

    async def told(self, request: Request, error: Exception) -> Response:
        """An error that is meant for players."""
        return self._say(request, 409 if request.method == "POST" else 404, message_of(error))

    async def too_long(self, request: Request, error: Exception) -> Response:
        """More was sent than anybody reads."""
        return self._say(request, 413, Message("That is longer than any file of a game."))

    async def no_page(self, request: Request, error: Exception) -> Response:
        """There is no such page, or it takes nothing."""
        assert isinstance(error, HTTPException)
        if error.status_code == HTTPStatus.NOT_FOUND:
            return self._say(request, 404, Message("There is no such page."))
        return PlainTextResponse(status_code=error.status_code, headers=error.headers)

    async def unexpected(self, request: Request, error: Exception) -> Response:
        """A mistake in the program; the terminal tells whoever debugs where it happened."""
        if os.environ.get(_DEBUG) == "1":
            traceback.print_exception(error)
        return self._say(request, 500, unexpected(error))

    def _go(self, request: Request, to: str, status: int, error: Exception) -> Response:
        if _is_looked_at(request):
            return RedirectResponse(to, status_code=303)
        return answer(self._pages.language, said=message_of(error), status=status, go=to)

    def _say(self, request: Request, status: int, what: Said) -> Response:
        if _is_looked_at(request):
            return self._pages.page(
                "sentence.html", title=LABELS["sorry"], sentence=what, status=status
            )
        return answer(self._pages.language, said=what, status=status)


LABELS: Mapping[str, Message] = {"sorry": Message("That did not work")}


def _is_looked_at(request: Request) -> bool:
    """Whether a page is asked for, and not something by the script of one."""
    return "text/html" in request.headers.get("accept", "")
