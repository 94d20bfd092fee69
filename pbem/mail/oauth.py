"""Signing in with a provider that takes no passwords from programs (OAuth 2.0).

The player signs in with a browser, and lets the program in; here that is by a code typed on a page
of the provider (RFC 8628), else by a page that leads back to this computer (RFC 8252), with PKCE
(RFC 7636). What comes of it, a grant, brings tokens which are good for an hour or so.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import OAuth2Client

from engine.message import Message
from pbem.mail.endpoints import Endpoints
from pbem.mail.sayings import said
from pbem.mail.wire import MailFailed

SECONDS = 20.0
"""So long a provider is waited for."""
PATIENCE = 15 * 60
"""In seconds, how long the player has to sign in."""
_SOON = 120
"""In seconds: a token that is good for no longer is renewed."""
_HOUR = 3600
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
_MORE_SLOWLY = 5
"""In seconds, by which whoever asks too often has to wait longer (RFC 8628, 3.5)."""
_WAITING = ("authorization_pending", "slow_down")
_TOLD = frozenset(
    [
        "access_denied",
        "expired_token",
        "invalid_client",
        "invalid_grant",
        "invalid_request",
        "invalid_scope",
        "server_error",
        "slow_down",
        "temporarily_unavailable",
        "unauthorized_client",
        "unsupported_grant_type",
        "unsupported_response_type",
    ]
)
"""What is told of an answer: some repeat in the rest of it what they were told, secrets too."""


@dataclass(frozen=True)
class Client:
    """What the program is to a provider: whoever registers it gets an id, and perhaps a secret."""

    id: str
    secret: str = field(default="", repr=False)


@dataclass(frozen=True)
class Grant:
    """What a player who has signed in lets the program do, until they take it back."""

    token_url: str
    client: Client
    refresh_token: str = field(repr=False)

    def text(self) -> str:
        """The grant as the keyring keeps it."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Grant | None:
        """The grant that a text holds; None where it holds none."""
        try:
            found = json.loads(text)
            return cls(found["token_url"], Client(**found["client"]), found["refresh_token"])
        except (ValueError, TypeError, LookupError):
            return None


class Tokens:
    """The tokens of a grant, each as long as it is good; `keep` is told of a grant that changed."""

    def __init__(
        self,
        grant: Grant,
        keep: Callable[[Grant], None],
        token: str = "",
        until: float = 0.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._grant, self._keep = grant, keep
        self._token, self._until = token, until
        self._clock = clock

    def current(self) -> str:
        """A token that is good for a while; raises MailFailed where the player has to sign in."""
        if self._clock() > self._until - _SOON:
            grant = self._grant
            with _asking(grant.token_url), _client(grant.client) as client:
                answer = client.refresh_token(grant.token_url, refresh_token=grant.refresh_token)
            self._token, self._until = _token_in(answer, grant.token_url), _until(answer)
            # Some give another one each time, and the one before is good for nothing then.
            newest = answer.get("refresh_token") or grant.refresh_token
            if newest != grant.refresh_token:
                self._grant = replace(grant, refresh_token=newest)
                self._keep(self._grant)
        return self._token


@dataclass(frozen=True)
class SignedIn:
    """What came of signing in: a grant, and the first token with the time until it is good."""

    grant: Grant
    token: str = field(repr=False)
    until: float

    def tokens(self, keep: Callable[[Grant], None]) -> Tokens:
        """The tokens from now on, the first one too."""
        return Tokens(self.grant, keep, self.token, self.until)


def sign_in(
    endpoints: Endpoints,
    client: Client,
    show_code: Callable[[str, str], None],
    show_page: Callable[[str], None],
) -> SignedIn:
    """Let the player sign in; raises MailFailed where that does not come to a good end.

    `show_code` is told a page and the code that is to be typed there, or `show_page` the page that
    is to be opened.
    """
    if endpoints.device:
        answer = _by_code(endpoints, client, show_code)
    else:
        answer = _by_page(endpoints, client, show_page)
    token = _token_in(answer, endpoints.token)
    if not isinstance(answer.get("refresh_token"), str):
        raise _refused(endpoints.token, "no refresh_token")
    grant = Grant(endpoints.token, client, answer["refresh_token"])
    return SignedIn(grant, token, _until(answer))


# --- by a code


def _by_code(
    endpoints: Endpoints, client: Client, show: Callable[[str, str], None]
) -> Mapping[str, Any]:
    with _asking(endpoints.device):
        told = httpx2.post(
            endpoints.device,
            data={"client_id": client.id, "scope": endpoints.scope},
            timeout=SECONDS,
        )
        code = told.json()
        if "error" in code:
            raise OAuthError(code["error"], code.get("error_description"))
        # Google calls it so.
        page = code.get("verification_uri") or code["verification_url"]
        show(str(page), str(code["user_code"]))
    interval = max(1.0, float(code.get("interval", _MORE_SLOWLY)))
    end = time.monotonic() + min(float(code.get("expires_in", PATIENCE)), PATIENCE)
    while time.monotonic() < end:
        time.sleep(interval)
        with _asking(endpoints.token), _client(client) as session:
            try:
                answer: Mapping[str, Any] = session.fetch_token(
                    endpoints.token, grant_type=_DEVICE, device_code=code["device_code"]
                )
            except OAuthError as error:
                if error.error not in _WAITING:
                    raise
                interval += _MORE_SLOWLY * (error.error == "slow_down")
                continue
        return answer
    raise _too_late()


# --- by a page that leads back here


def _by_page(
    endpoints: Endpoints, client: Client, show: Callable[[str], None]
) -> Mapping[str, Any]:
    verifier = generate_token(64)
    with _Callback() as callback, _client(client, endpoints.scope, callback.url) as session:
        page, state = session.create_authorization_url(
            endpoints.authorize, code_verifier=verifier, **endpoints.asked
        )
        callback.state = state
        show(page)
        with _asking(endpoints.token):
            code = callback.code()
            answer: Mapping[str, Any] = session.fetch_token(
                endpoints.token, code=code, code_verifier=verifier
            )
        return answer


class _Callback(HTTPServer):
    """A server on this computer, to which the provider's page leads back; for one answer.

    Only one with the right `state` counts: any page may lead here.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.state = ""
        self.answer: dict[str, str] = {}

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/"

    def code(self) -> str:
        """The code that the provider sends; raises OAuthError where it sends none."""
        end = time.monotonic() + PATIENCE
        while not self.answer:
            self.timeout = end - time.monotonic()
            if self.timeout <= 0:
                raise _too_late()
            self.handle_request()
        if "code" not in self.answer:
            raise OAuthError(self.answer.get("error"), self.answer.get("error_description"))
        return self.answer["code"]

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever breaks off is not waited for, and nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    server: _Callback
    timeout = 5

    def do_GET(self) -> None:
        """Take the answer of the provider out of the address."""
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        is_right = bool(self.server.state) and given.get("state") == self.server.state
        if is_right:
            self.server.answer = given
        told = b"acres: you can close this page.\n" if is_right else b"acres: not this one.\n"
        self.send_response(200 if is_right else 400)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the address has the code in it."""


# --- what is asked, and what goes wrong


def _client(client: Client, scope: str = "", redirect: str | None = None) -> OAuth2Client:
    return OAuth2Client(
        client.id,
        client.secret or None,
        token_endpoint_auth_method="client_secret_post" if client.secret else "none",
        scope=scope or None,
        redirect_uri=redirect,
        code_challenge_method="S256",
        timeout=SECONDS,
    )


def _token_in(answer: Mapping[str, Any], url: str) -> str:
    token = answer.get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise _refused(url, "no access_token")
    return token


def _until(answer: Mapping[str, Any]) -> float:
    lasts = answer.get("expires_in", _HOUR)
    return time.time() + (float(lasts) if str(lasts).isdecimal() else _HOUR)


@contextmanager
def _asking(url: str) -> Iterator[None]:
    """Turn what goes wrong with a provider into MailFailed."""
    try:
        yield
    except OAuthError as error:
        raise _refused(url, error.error if error.error in _TOLD else "?") from None
    except httpx2.HTTPError:
        raise MailFailed(
            "{host}, where you sign in, cannot be reached. Try again later.",
            host=_host(url),
            may_pass=True,
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _refused(url, "?") from None


def _refused(url: str, what: object) -> MailFailed:
    return MailFailed(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "{host} does not let the program in{said}. To sign in again: {command}",
        host=_host(url),
        said=said(what),
        command="acres mail setup",
    )


def _too_late() -> MailFailed:
    return MailFailed(Message("You have not signed in in time: begin again."))


def _host(url: str) -> str:
    return urlsplit(url).hostname or "?"
