"""Access control for the pages, which admits only the user's browsers and only requests of pages.

Every program on this computer can reach the port, and so can every page that is open in one of its
browsers. A browser is admitted by a link that works once, and then has a cookie; each of its
requests must come from a page of this server. The section “Pages” of docs/threat-model.md
names the attacks.
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
"""The query parameter with the token of a link."""
MAX_BODY_BYTES = 8 * 1024 * 1024
"""The maximum length of a request body in bytes; no file of a game is longer."""
MAX_ADDRESSES = 20
"""The maximum number of valid unused links; after that the oldest one expires."""
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
_SAFE_METHODS = ("GET", "HEAD")
_OWN_SITES = ("none", "same-origin")
"""The values of Sec-Fetch-Site for requests of the user or of a page of this server.

Browsers send `same-site` for pages of other ports of this computer, so it is not among them.
"""


class Access:
    """The tokens that admit browsers: links that work once, and a cookie.

    `origins` are the origins of the pages; links use the first. It may be used only in the thread
    of the event loop, or before the loop runs.
    """

    def __init__(self, cookie: str, *origins: str) -> None:
        self.cookie = cookie
        self.origins = {origin.partition("://")[2]: origin for origin in origins}
        self._base = origins[0]
        self._secret = _token("the cookie")
        self._tokens: list[tuple[str, str]] = []

    def new_link(self, path: str = "/") -> str:
        """Return a new link that admits one browser, once, to the page at `path`."""
        token = _token("an address")
        self._tokens = [*self._tokens[1 - MAX_ADDRESSES :], (token, path)]
        return f"{self._base}/?{ENTER}={token}"

    def redeem(self, token: str) -> str | None:
        """Return the path of a token and expire the token, or return None if it is invalid."""
        paths = [path for valid, path in self._tokens if _is_same(valid, token)]
        self._tokens = [(valid, path) for valid, path in self._tokens if not _is_same(valid, token)]
        return paths[0] if paths else None

    def is_valid(self, cookie: str | None) -> bool:
        """Return True if the cookie is the one that browsers got."""
        return cookie is not None and _is_same(self._secret, cookie)

    def redirect_with_cookie(self, path: str) -> Response:
        """Return a redirect to `path` that sets the cookie; the new address has no token."""
        response = RedirectResponse(path, status_code=303)
        response.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict")
        return response


class RequestGuard:
    """ASGI middleware: passes allowed requests to `app`, and responds to all others itself.

    `refusal` makes the page for a browser without a cookie, which explains how to open the pages.
    Requests from another site or for another host name get an empty response. Every response gets
    the headers that keep a browser from framing it, caching it or leaking it to other sites.
    """

    def __init__(self, app: ASGIApp, access: Access, refusal: Callable[[], Response]) -> None:
        self._app = app
        self._access = access
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        if scope["type"] != "http":
            raise NotImplementedError(f"nobody serves {scope['type']} here")
        request, send_with_headers = Request(scope), _with_headers(send)
        response = self._refuse(request) or self._admit(request)
        if response is not None:
            await response(scope, receive, send_with_headers)
            return
        await self._app(scope, _limit_body(receive), send_with_headers)

    def _refuse(self, request: Request) -> Response | None:
        """Return the response to a request that no page of this server sends.

        Return None if the request is allowed.
        """
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._access.origins:
            # The host name is foreign (DNS rebinding), or no browser sent the request.
            return Response(status_code=421)
        is_safe, origins = request.method in _SAFE_METHODS, headers.getlist("origin")
        # A safe request may have an origin too, namely a WebSocket's, which has no site.
        if origins != [self._access.origins[hosts[0]]] and (origins or not is_safe):
            return Response(status_code=403)
        if headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return Response(status_code=403)
        if not is_safe and request.method != "POST":
            return Response(status_code=405, headers={"Allow": "GET, HEAD, POST"})
        if _body_length(headers) > MAX_BODY_BYTES:
            return Response(status_code=413)
        return None

    def _admit(self, request: Request) -> Response | None:
        """Return the response to a browser that comes with a token or without a cookie.

        Return None for a known browser.
        """
        is_admitted = self._access.is_valid(request.cookies.get(self._access.cookie))
        token = request.query_params.get(ENTER)
        if token is not None and request.url.path == "/" and request.method in _SAFE_METHODS:
            path = self._access.redeem(token)
            if path is not None or is_admitted:
                # Redirect from used links too: the token must not stay in the address bar.
                return self._access.redirect_with_cookie(path or "/")
        return None if is_admitted else self._refusal()


def _token(purpose: str) -> str:
    return encode_bytes(random_bytes(32, f"token of {purpose}"))


def _is_same(first: str, second: str) -> bool:
    """Return True if both texts are equal, in constant time."""
    return compare_digest(first.encode(), second.encode(errors="surrogatepass"))


def _body_length(headers: Headers) -> int:
    """Return the declared length of a body, or 0 if none is declared.

    An invalid number counts as too long.
    """
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdecimal() else MAX_BODY_BYTES + 1


class BodyTooLongError(Exception):
    """Raised if a request body is longer than `MAX_BODY_BYTES`."""


def _limit_body(receive: Receive) -> Receive:
    """Wrap `receive` to raise BodyTooLongError for a body longer than `MAX_BODY_BYTES`."""
    remaining = MAX_BODY_BYTES

    async def receive_limited() -> MutableMapping[str, Any]:
        nonlocal remaining
        message = await receive()
        remaining -= len(message.get("body", b""))
        if remaining < 0:
            raise BodyTooLongError
        return message

    return receive_limited


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    """Wrap `send` to add `HEADERS` to every response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers
