"""Access control for the pages, which admits only the user's browsers and only requests of pages.

Every program on this computer can reach the port, and so can every page that is open in one of its
browsers. A browser is admitted by a link that works once, and then has a cookie; each of its
requests must come from a page of this server. A page and the server prove to each other with a
key that they belong to one run; the browser never sends it. The section “Pages” of
docs/threat-model.md names the attacks.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, MutableMapping
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
PROOF, NONCE = "Acres-Proof", "Acres-Nonce"
"""The headers, or query parameters, of a signature and of the random text in it."""
_SAFE_METHODS = ("GET", "HEAD")
_CLEARING = {"Clear-Site-Data": '"cache", "storage"'}
"""The header that removes the service workers and content of earlier pages at this address."""
_NAVIGATION = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
"""The headers of a page that a browser opens, which no script or service worker can send."""
_PRELOAD = "service-worker-navigation-preload"
"""The header of a page that a browser fetches for a service worker."""
_LOCAL_HOST = re.compile(r"(?:localhost|127(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?")
_ASSET_PATH = re.compile(r"/faces\.css|/[a-z]+/assets/.*")
_OWN_SITES = ("none", "same-origin")
"""The values of Sec-Fetch-Site for requests of the user or of a page of this server.

Browsers send `same-site` for pages of other ports of this computer, so it is not among them.
"""


class Access:
    """The tokens that admit browsers, links that work once and a cookie, and the key of the pages.

    `origins` are the origins of the pages; links use the first. `key` signs the requests and
    responses of one run; by default it is new. An access may be used only in the thread of the
    event loop, or before the loop runs.
    """

    def __init__(self, cookie: str, *origins: str, key: str = "") -> None:
        self.cookie = cookie
        self.origins = {origin.partition("://")[2]: origin for origin in origins}
        self._base = origins[0]
        self._secret = _token("the cookie")
        self.key = key or _token("the pages")
        self._tokens: list[tuple[str, str]] = []
        self.is_cookie_due = False

    @property
    def own_cookie(self) -> str:
        """The value of the header `Cookie` of an admitted browser."""
        return f"{self.cookie}={self._secret}"

    def new_link(self, path: str = "/", host: str = "") -> str:
        """Return a new link that admits one browser, once, to the page at `path` of a host."""
        token = _token("an address")
        self._tokens = [*self._tokens[1 - MAX_ADDRESSES :], (token, path)]
        return f"{self.origins.get(host, self._base)}/?{ENTER}={token}"

    def redeem(self, token: str) -> str | None:
        """Return the path of a token and expire the token, or return None if it is invalid."""
        paths = [path for valid, path in self._tokens if _is_same(valid, token)]
        self._tokens = [(valid, path) for valid, path in self._tokens if not _is_same(valid, token)]
        return paths[0] if paths else None

    def sign(self, text: str, body: bytes = b"") -> str:
        """Return the signature of a text and a body with the key of the pages, in hexadecimal."""
        message = text.encode(errors="surrogatepass") + body
        return hmac.digest(self.key.encode(), message, "sha256").hex()

    def is_valid(self, cookie: str | None) -> bool:
        """Return True if the cookie is the one that browsers got."""
        is_own = cookie is not None and _is_same(self._secret, cookie)
        self.is_cookie_due = self.is_cookie_due and not is_own
        return is_own

    def redirect_with_cookie(self, path: str) -> Response:
        """Return a redirect to `path` that sets the cookie; the new address has no token."""
        self.is_cookie_due = True
        response = RedirectResponse(path, status_code=303)
        response.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict")
        return response


class RequestGuard:
    """ASGI middleware: passes allowed requests to `app`, and responds to all others itself.

    `refusal` makes a page that explains how to open the pages; its argument is the reason, a key
    of `pbem.web.pages.REFUSALS`. Other requests that no page of this server sends get an empty
    response. Every response gets the headers that keep a browser from framing it, caching it or
    leaking it to other sites, and a signature if a page proved that it is one of this server.
    """

    def __init__(self, app: ASGIApp, access: Access, refusal: Callable[[str], Response]) -> None:
        self._app = app
        self._access = access
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        if scope["type"] != "http":
            raise NotImplementedError(f"nobody serves {scope['type']} here")
        request = Request(scope)
        is_page, nonce = self._is_of_page(request), request.headers.get(NONCE)

        def sign(status: int, body: bytes) -> str:
            return self._access.sign(f"answer {nonce} {status}\n", body)

        send_with_headers = _with_headers(send, sign if is_page else None)
        response = self._refuse(request, is_page=is_page) or self._admit(request)
        if response is not None:
            await response(scope, receive, send_with_headers)
            return
        most = _max_body(request.url.path)
        limited = _limit_body(receive, most if _body_length(request.headers) <= most else -1)
        await self._app(scope, limited, send_with_headers)

    def _is_of_page(self, request: Request) -> bool:
        """Return True if the request proves that it comes from a page of this run."""
        # A stream of events has no headers of its own.
        nonce, proof = (
            request.headers.get(name) or request.query_params.get(name, "")
            for name in (NONCE, PROOF)
        )
        return _is_same(self._access.sign(f"request {nonce}"), proof)

    def _refuse(self, request: Request, *, is_page: bool) -> Response | None:
        """Return the response to a request that no page of this server sends.

        Return None if the request is allowed.
        """
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._access.origins:
            # The host name is foreign (DNS rebinding), or no browser sent the request.
            is_local = len(hosts) == 1 and _LOCAL_HOST.fullmatch(hosts[0])
            return self._refusal("port") if is_local else Response(status_code=421)
        site = headers.get("sec-fetch-site", "none")
        if _is_entry(request) and not (site == "none" and _is_navigation(headers)):
            response = self._refusal("link")
            response.headers.update(_CLEARING if site in _OWN_SITES else {})
            return response
        is_safe, origins = request.method in _SAFE_METHODS, headers.getlist("origin")
        # A safe request may have an origin too, namely a WebSocket's, which has no site.
        if origins != [self._access.origins[hosts[0]]] and (origins or not is_safe):
            return Response(status_code=403)
        # Old pages and service workers of another program at this address have the same site.
        is_told = "sec-fetch-dest" in headers and not _ASSET_PATH.fullmatch(request.url.path)
        is_expected = is_page or not is_told or (is_safe and _is_navigation(headers))
        if site not in _OWN_SITES or not is_expected:
            return Response(status_code=403)
        if not is_safe and request.method != "POST":
            return Response(status_code=405, headers={"Allow": "GET, HEAD, POST"})
        return None

    def _admit(self, request: Request) -> Response | None:
        """Return the response to a browser that comes with a token or without a cookie.

        Return None for a known browser.
        """
        is_admitted = self._access.is_valid(request.cookies.get(self._access.cookie))
        if _is_entry(request):
            path = self._access.redeem(request.query_params[ENTER])
            if path is not None or is_admitted:
                # Redirect from used links too: the token must not stay in the address bar.
                response = self._access.redirect_with_cookie(path or "/")
                # Clearing breaks the locks of open pages; it has been done for a known browser.
                response.headers.update({} if is_admitted else _CLEARING)
                return response
        if is_admitted:
            return None
        return self._refusal("cookie" if self._access.is_cookie_due else "address")


def _is_entry(request: Request) -> bool:
    return request.method == "GET" and request.url.path == "/" and ENTER in request.query_params


def _is_navigation(headers: Headers) -> bool:
    """Return True if a browser opens a page itself; old ones, and programs, do not tell."""
    is_native = all(headers.get(name, value) == value for name, value in _NAVIGATION.items())
    return is_native and _PRELOAD not in headers


def _token(purpose: str) -> str:
    return encode_bytes(random_bytes(32, f"token of {purpose}"))


def _is_same(first: str, second: str) -> bool:
    """Return True if both texts are equal, in constant time."""
    return hmac.compare_digest(first.encode(), second.encode(errors="surrogatepass"))


def _body_length(headers: Headers) -> int:
    """Return the declared length of a body, or 0 if none is declared.

    An invalid number counts as too long.
    """
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdecimal() else 1 << 62


class BodyTooLongError(Exception):
    """Raised if a request body is too long."""


def _max_body(path: str) -> int:
    """Return the maximum length of a body sent to a path, in bytes: a home has many games."""
    return MAX_BODY_BYTES * (16 if path == "/import" else 1)


def _limit_body(receive: Receive, remaining: int) -> Receive:
    """Wrap `receive` to raise BodyTooLongError for a body longer than `remaining` bytes.

    If `remaining` is negative, it raises before the body is read.
    """

    async def receive_limited() -> MutableMapping[str, Any]:
        nonlocal remaining
        if remaining < 0:
            raise BodyTooLongError
        message = await receive()
        remaining -= len(message.get("body", b""))
        if remaining < 0:
            raise BodyTooLongError
        return message

    return receive_limited


def _with_headers(
    send: Send, sign: Callable[[int, bytes], str] | None
) -> Callable[[Message], Awaitable[None]]:
    """Wrap `send` to add `HEADERS` to every response, and its signature if it has one body."""
    start: dict[str, Any] = {}

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
            return
        if start:
            headers = MutableHeaders(scope=start)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
            if sign and not message.get("more_body"):
                headers[PROOF] = sign(start["status"], message.get("body", b""))
            await send(dict(start))
            start.clear()
        await send(message)

    return send_with_headers
