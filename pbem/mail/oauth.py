"""Signing in with a provider that accepts no passwords from programs (OAuth 2.0).

The player signs in with a browser, and lets the program in; here that is by a code typed on a page
of the provider (RFC 8628), else by a page that leads back to this computer (RFC 8252), with PKCE
(RFC 7636). What comes of it, a grant, brings tokens which are good for an hour or so.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from math import inf
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import OAuth2Client

from engine.message import Message
from pbem.mail.callback import Callback
from pbem.mail.endpoints import Endpoints
from pbem.mail.sayings import said
from pbem.mail.soon import in_time
from pbem.mail.wire import MailFailed, stopped_early

SECONDS = 20.0
"""How long to wait for a provider, by default."""
PATIENCE = 15 * 60
"""In seconds, how long the player has to sign in."""
_SOON = 120
"""In seconds: a token that is good for no longer is renewed."""
_HOUR = 3600
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
_MORE_SLOWLY = 5
"""In seconds, by which whoever asks too often has to wait longer (RFC 8628, 3.5)."""
_LOOKS, _PAUSE = 5, 0.2
"""How often, and how many seconds apart, to look for what another process is storing."""
_MOST_BYTES = 64 * 1024
"""A provider says no more in an answer."""

_ENDED = "invalid_grant"
_WAITING = ("authorization_pending", "slow_down")
_NO_TOKEN, _NO_GRANT = "no access_token", "no refresh_token"
_FINAL = frozenset(
    [_ENDED, "access_denied", "expired_token", "invalid_client", "unauthorized_client"]
)
"""Why nobody is let in until the player does something about it (RFC 6749, 5.2; RFC 8628, 3.5)."""
_TOLD = _FINAL | {
    _NO_TOKEN,
    _NO_GRANT,
    "invalid_request",
    "invalid_scope",
    "unsupported_grant_type",
    "unsupported_response_type",
}
_BUSY = frozenset(["server_error", "slow_down", "temporarily_unavailable"])
"""What is told of an answer are these words alone: some repeat what they were told in the rest of
it, secrets too."""


class GrantEnded(MailFailed):
    """A grant is good for nothing any more: it was taken back, or another one took its place."""


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
    """The tokens of a grant, each as long as it is good.

    `keep` is told of a grant that changed, and `kept` is what somebody kept, if anything: another
    process may have renewed the grant. Both are called by one thread at a time. `command` is how
    the program is called. There may be a `token` already, which is good `until` then.
    """

    def __init__(
        self,
        grant: Grant,
        token: str = "",
        until: float = 0.0,
        *,
        keep: Callable[[Grant], None] = lambda newer: None,
        kept: Callable[[], Grant | None] = lambda: None,
        command: str = "acres",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.grant = grant
        self._last_kept: Grant | None = grant
        self._newest = token, until
        self._keep, self._kept, self._command, self._clock = keep, kept, command, clock
        self._lock = Lock()

    @property
    def signing_in(self) -> str:
        """The command by which to sign in again."""
        return _signing_in(self._command, self.grant.client)

    def current(self, seconds: float = SECONDS) -> str:
        """A token that is good for a while; raises MailFailed where the player has to sign in.

        So long the provider is waited for. What it says later is kept all the same.
        """
        token, until = self._newest
        if self._clock() <= until - _SOON:
            return token
        grant = self.grant
        with _asking(grant.token_url, grant.client, self._command):
            return in_time(seconds, lambda: self._renewed(seconds))

    def _renewed(self, seconds: float) -> str:
        with self._lock:
            token, until = self._newest
            if self._clock() <= until - _SOON:
                return token
            found = self._kept()
            # Where nothing can be kept, an old one stays there.
            if found is not None and found != self._last_kept:
                self.grant = self._last_kept = found
            try:
                return self._renew(seconds)
            except GrantEnded:
                found = self._renewed_elsewhere()
                if found is None:
                    raise
                self.grant = self._last_kept = found
                return self._renew(seconds)

    def _renew(self, seconds: float) -> str:
        grant = self.grant
        with (
            _asking(grant.token_url, grant.client, self._command),
            _client(grant.client, seconds) as client,
        ):
            answer = client.refresh_token(grant.token_url, refresh_token=grant.refresh_token)
            token = _token_in(answer)
        # Some give another one each time, and the one before is good for nothing then.
        newest = answer.get("refresh_token")
        if isinstance(newest, str) and newest and newest != grant.refresh_token:
            self.grant = replace(grant, refresh_token=newest)
            self._keep(self.grant)
            self._last_kept = self._kept()
        self._newest = token, _until(answer, self._clock())
        return token

    def _renewed_elsewhere(self) -> Grant | None:
        """The grant that another process is keeping just now; None if none does."""
        for _ in range(_LOOKS):
            found = self._kept()
            if found is None or found != self.grant:
                return found
            time.sleep(_PAUSE)
        return None


def sign_in(
    endpoints: Endpoints,
    client: Client,
    show_code: Callable[[str, str], None],
    show_page: Callable[[str], None],
    command: str = "acres",
    seconds: float = SECONDS,
) -> Tokens:
    """Let the player sign in; raises MailFailed where that does not come to a good end.

    `show_code` is told a page and the code that is to be typed there, or `show_page` the page that
    is to be opened. `command` is how the program is called; `seconds` is how long to wait for the
    provider; the player gets longer.
    """
    talk = _Talk(endpoints, client, command, seconds)
    answer = talk.by_code(show_code) if endpoints.device else talk.by_page(show_page)
    with _asking(endpoints.token, client, command):
        token, until = _token_in(answer), _until(answer, time.time())
        if not isinstance(answer.get("refresh_token"), str):
            raise OAuthError(_NO_GRANT)
        grant = Grant(endpoints.token, client, answer["refresh_token"])
    return Tokens(grant, token, until, command=command)


class _Talk(NamedTuple):
    """What is said with a provider while a player signs in."""

    endpoints: Endpoints
    client: Client
    command: str
    seconds: float

    # --- by a code

    def by_code(self, show: Callable[[str, str], None]) -> Mapping[str, Any]:
        """The answer to whoever has let the player type a code."""
        with self._asking(self.endpoints.device):
            told = in_time(self.seconds, self._device)
            if "error" in told:
                raise OAuthError(told["error"])
            # Google calls it so.
            page = told.get("verification_uri") or told["verification_url"]
            device, code = told["device_code"], str(told["user_code"])
            interval = max(1.0, _seconds(told.get("interval"), _MORE_SLOWLY))
            end = time.monotonic() + min(_seconds(told.get("expires_in"), PATIENCE), PATIENCE)
        show(str(page), code)
        asked = {"grant_type": _DEVICE, "device_code": device}
        with self._asking(self.endpoints.token):
            while (left := end - time.monotonic()) > 0:
                time.sleep(min(interval, left))
                try:
                    return in_time(self.seconds, lambda: self._tokens(**asked))
                except OAuthError as error:
                    if error.error not in _WAITING:
                        raise
                    interval += _MORE_SLOWLY * (error.error == "slow_down")
                except (httpx2.HTTPError, TimeoutError):
                    # The player signs in all the same (RFC 8628, 3.5).
                    interval += _MORE_SLOWLY
        raise _too_late()

    def _device(self) -> Any:
        asked = {"client_id": self.client.id, "scope": self.endpoints.scope}
        with httpx2.Client(**_bounds(self.seconds)) as client:
            return client.post(self.endpoints.device, data=asked).json()

    def _tokens(self, **asked: str) -> Mapping[str, Any]:
        with _client(self.client, self.seconds) as session:
            answer: Mapping[str, Any] = session.fetch_token(self.endpoints.token, **asked)
            return answer

    # --- by a page that leads back here

    def by_page(self, show: Callable[[str], None]) -> Mapping[str, Any]:
        """The answer to whoever has let the player open a page."""
        endpoints, verifier = self.endpoints, generate_token(64)
        with (
            Callback() as callback,
            _client(self.client, self.seconds, endpoints.scope, callback.url) as session,
        ):
            page, callback.state = session.create_authorization_url(
                endpoints.authorize, code_verifier=verifier, **endpoints.asked
            )
            show(page)
            given = callback.answer(PATIENCE)
            if given is None:
                raise _too_late()
            with self._asking(endpoints.token):
                if "code" not in given:
                    raise OAuthError(given.get("error"))
                asked = {"code": given["code"], "code_verifier": verifier}
                return in_time(self.seconds, lambda: session.fetch_token(endpoints.token, **asked))

    def _asking(self, url: str) -> AbstractContextManager[None]:
        return _asking(url, self.client, self.command)


# --- what is asked, and what goes wrong


def _client(
    client: Client, seconds: float, scope: str = "", redirect: str | None = None
) -> OAuth2Client:
    return OAuth2Client(
        client.id,
        client.secret or None,
        token_endpoint_auth_method="client_secret_post" if client.secret else "none",
        scope=scope or None,
        redirect_uri=redirect,
        code_challenge_method="S256",
        **_bounds(seconds),
    )


def _bounds(seconds: float) -> dict[str, Any]:
    """How long a provider may be silent, and how much it may say."""

    def bound(answer: httpx2.Response) -> None:
        answer.stream = _Bounded(answer.stream, time.monotonic() + seconds)

    return {"timeout": seconds, "event_hooks": {"response": [bound]}}


class _Bounded(httpx2.SyncByteStream):
    """What a provider says, as long as it comes to an end."""

    def __init__(self, stream: Any, end: float) -> None:
        self._stream, self._end = stream, end

    def __iter__(self) -> Iterator[bytes]:
        left = _MOST_BYTES
        for piece in self._stream:
            left -= len(piece)
            if left < 0 or time.monotonic() > self._end:
                raise httpx2.ReadError("It says more than any provider does.")
            yield piece

    def close(self) -> None:
        self._stream.close()


def _token_in(answer: Mapping[str, Any]) -> str:
    token = answer.get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise OAuthError(_NO_TOKEN)
    return token


def _until(answer: Mapping[str, Any], now: float) -> float:
    return now + _seconds(answer.get("expires_in"), _HOUR)


def _seconds(given: object, usual: float) -> float:
    """A time that a provider names, or the usual one where that is none."""
    try:
        found = float(str(given))
    except ValueError:
        return usual
    return found if 0 <= found < inf else usual


@contextmanager
def _asking(url: str, client: Client, command: str) -> Iterator[None]:
    """Turn what goes wrong with a provider into MailFailed."""
    try:
        yield
    except OAuthError as error:
        raise _refused(url, client, command, error.error) from None
    except (httpx2.HTTPError, TimeoutError):
        raise MailFailed(
            "{host}, where you sign in, cannot be reached. Try again later.",
            host=_host(url),
            may_pass=True,
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _refused(url, client, command, "?") from None


def _refused(url: str, client: Client, command: str, error: object) -> MailFailed:
    """What a provider means that gives no token."""
    if error not in _TOLD:
        return stopped_early(_host(url), error if error in _BUSY else "")
    kind = GrantEnded if error == _ENDED else MailFailed
    return kind(
        # Translators: {said} is empty, or “ (it said: …)” with a space before it.
        "{host} does not let the program in{said}. To sign in again: {command}",
        host=_host(url),
        said=said(error),
        command=_signing_in(command, client),
        may_pass=error not in _FINAL,
    )


def _signing_in(command: str, client: Client) -> str:
    return f"{command} mail setup --oauth-client {shlex.quote(client.id)}"


def _too_late() -> MailFailed:
    return MailFailed(Message("You did not sign in in time: start again."))


def _host(url: str) -> str:
    return urlsplit(url).hostname or "?"
