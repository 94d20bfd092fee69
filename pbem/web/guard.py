"""Who may ask for a page: the browsers of the user, and no other page in them.

Whatever runs on this computer can reach the port, and so can any page that is open in a browser on
it. A browser gets in by an address that is good once, and has a cookie from then on; each of its
requests has to come from a page of this very server. docs/threat-model.md, Pages.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.protocol.schema import encode_bytes
from pbem.sources import random_bytes

ENTER = "enter"
"""The parameter of an address that is good once."""
MAX_BODY = 8 * 1024 * 1024
"""In bytes: no file that a player gives is larger."""
MOST_ADDRESSES = 20
"""How many addresses may wait for a browser; of more, the oldest is good no longer."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SAFE = ("GET", "HEAD")
_OWN_SITES = ("none", "same-origin")
"""How a browser marks (Sec-Fetch-Site) what its user or a page of this server asks for.

`same-site` is none of them: so it marks what a page of another port of this computer asks for.
"""


class Doors:
    """The ways in to pages with these origins: addresses that are good once, and a cookie.

    Addresses are those of the first origin. To be used in the thread of the event loop, or before
    it begins.
    """

    def __init__(self, cookie: str, *origins: str) -> None:
        self.cookie = cookie
        self.origins = {origin.partition("://")[2]: origin for origin in origins}
        self._base = origins[0]
        self._secret = _token("the cookie")
        self._tokens: list[tuple[str, str]] = []

    def address(self, path: str = "/") -> str:
        """A new address, by which one browser can come in once, to that page."""
        token = _token("an address")
        self._tokens = [*self._tokens[1 - MOST_ADDRESSES :], (token, path)]
        return f"{self._base}/?{ENTER}={token}"

    def enter(self, token: str) -> str | None:
        """The page to which an address with this token leads; None if it is good no longer."""
        found = [each for each in self._tokens if _is_same(each[0], token)]
        self._tokens = [each for each in self._tokens if each not in found]
        return found[0][1] if found else None

    def knows(self, cookie: str | None) -> bool:
        """Whether that cookie is the one that a browser was given."""
        return cookie is not None and _is_same(self._secret, cookie)

    def let_in(self, path: str) -> Response:
        """Give a browser its cookie, and send it on to an address in which there is no secret."""
        answer = RedirectResponse(path, status_code=303)
        answer.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict")
        return answer


class Guard:
    """Lets through to `app` what may go there, and answers everything else itself.

    `refusal` makes the page for a browser that has no cookie: it says how to get in. What another
    page asks for, or by another name, gets no words, for nobody would read them. To all answers it
    adds the headers that keep a browser from showing or telling them to others.
    """

    def __init__(self, app: ASGIApp, doors: Doors, refusal: Callable[[], Response]) -> None:
        self._app = app
        self._doors = doors
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            raise NotImplementedError(f"nobody serves {scope['type']} here")
        request, guarded = Request(scope), _with_headers(send)
        answer = self._refused(request) or self._entering(request)
        if answer is not None:
            await answer(scope, receive, guarded)
            return
        await self._app(scope, _bounded(receive), guarded)

    def _refused(self, request: Request) -> Response | None:
        """The answer to what no page of this server asks for; None where it may be one."""
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._doors.origins:
            # Another name that leads here (DNS rebinding), or nothing that a browser sends.
            return Response(status_code=421)
        is_safe, origins = request.method in _SAFE, headers.getlist("origin")
        # Some requests that change nothing have an origin, too: those of a WebSocket have no site.
        if origins != [self._doors.origins[hosts[0]]] and (origins or not is_safe):
            return Response(status_code=403)
        if headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return Response(status_code=403)
        if not is_safe and request.method != "POST":
            return Response(status_code=405, headers={"Allow": "GET, HEAD, POST"})
        if _length(headers) > MAX_BODY:
            return Response(status_code=413)
        return None

    def _entering(self, request: Request) -> Response | None:
        """The answer to a browser that comes in, or may not; None to one that is in."""
        is_in = self._doors.knows(request.cookies.get(self._doors.cookie))
        token = request.query_params.get(ENTER)
        if token is not None and request.url.path == "/" and request.method in _SAFE:
            path = self._doors.enter(token)
            if path is not None or is_in:
                # Also for whoever goes back to an address: it is not to stay in the bar.
                return self._doors.let_in(path or "/")
        return None if is_in else self._refusal()


def _token(what: str) -> str:
    return encode_bytes(random_bytes(32, f"token of {what}"))


def _is_same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not tell how far they are."""
    return compare_digest(one.encode(), other.encode(errors="surrogatepass"))


def _length(headers: Headers) -> int:
    """How long a body is said to be; none, or one that is measured as it comes, is 0."""
    told = headers.get("content-length", "0")
    return int(told) if told.isascii() and told.isdecimal() else MAX_BODY + 1


class BodyTooLong(Exception):
    """A body is longer than anything that a player gives."""


def _bounded(receive: Receive) -> Receive:
    """The same, but for a body that is longer than it may be: raises BodyTooLong."""
    left = MAX_BODY

    async def bounded() -> MutableMapping[str, Any]:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise BodyTooLong
        return message

    return bounded


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    """The same, with the headers that every answer has."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
