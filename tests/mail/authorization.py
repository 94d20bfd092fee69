"""An authorization server on loopback, which behaves as those of Google and Microsoft do."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2

from pbem.mail.endpoints import Endpoints

CLIENT, SECRET = "acres-client", "zanzibar-client-secret"
SCOPE = "https://mail.example.org/ offline_access"


class Authorization:
    """The server: what it was asked, what it gave out, and how it answers.

    `pending` is how often it says that the player has not signed in yet. It `rotates`: each refresh
    token is good once, as with Microsoft. One with a `secret` wants it, as Google does. What stands
    in `refuses` is answered to whoever asks for a token.
    """

    def __init__(self, *, secret: str = "", rotates: bool = False) -> None:
        self.secret, self.rotates = secret, rotates
        self.pending: list[str] = []
        self.refuses = ""
        self.lasts = 3600
        self.given: list[str] = []
        self.refreshing: set[str] = set()
        self.asked: list[dict[str, str]] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.port = 0

    def endpoints(self, *, device: bool) -> Endpoints:
        """Where players sign in here."""
        base = f"http://127.0.0.1:{self.port}"
        asked = {"access_type": "offline", "prompt": "consent"}
        code = f"{base}/device" if device else ""
        return Endpoints(f"{base}/authorize", f"{base}/token", SCOPE, code, asked)

    def sign_in(self, page: str) -> httpx2.Response:
        """Do what a player does in a browser: open that page, agree, and be led back."""
        return httpx2.get(page, follow_redirects=True, timeout=10)

    # --- what it answers

    def authorize(self, asked: dict[str, str]) -> str:
        """Where it leads a player who has agreed."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["scope"] == SCOPE
        assert asked["code_challenge_method"] == "S256"
        assert asked["redirect_uri"].startswith("http://127.0.0.1:")
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def device(self, asked: dict[str, str]) -> dict[str, Any]:
        """The code that a player types."""
        assert (asked["client_id"], asked["scope"]) == (CLIENT, SCOPE)
        return {
            "device_code": "device-code", "user_code": "ABCD-EFGH", "interval": 1,
            "verification_uri": "https://example.org/device", "expires_in": 600,
        }  # fmt: skip

    def token(self, asked: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """A token, or why there is none."""
        self.asked.append(asked)
        if self.refuses:
            return 400, {"error": self.refuses, "error_description": f"AADSTS1: {self.refuses}"}
        if asked.get("client_id") != CLIENT or asked.get("client_secret", "") != self.secret:
            return 401, {"error": "invalid_client"}
        kind = asked["grant_type"]
        if kind.endswith("device_code"):
            if self.pending:
                return 400, {"error": self.pending.pop(0)}
            assert asked["device_code"] == "device-code"
        elif kind == "authorization_code":
            before = self.codes.pop(asked["code"], None)
            digest = sha256(asked["code_verifier"].encode()).digest()
            challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
            if before is None or before["code_challenge"] != challenge:
                return 400, {"error": "invalid_grant"}
            assert before["redirect_uri"] == asked["redirect_uri"]
        elif asked["refresh_token"] not in self.refreshing:
            return 400, {"error": "invalid_grant", "error_description": "It was taken back."}
        return 200, self._tokens(kind)

    def _tokens(self, kind: str) -> dict[str, Any]:
        number = len(self.given)
        self.given.append(f"token-{number}")
        answer = {
            "access_token": self.given[-1], "token_type": "Bearer", "expires_in": self.lasts,
        }  # fmt: skip
        if kind != "refresh_token" or self.rotates:
            if self.rotates:
                self.refreshing.clear()
            # As long as those of Microsoft: no keyring of Windows takes it in one piece.
            self.refreshing.add(f"refresh-{number}-" + "r" * 1800)
            answer["refresh_token"] = f"refresh-{number}-" + "r" * 1800
        return answer


@contextmanager
def authorization(**how: Any) -> Iterator[Authorization]:
    """Such a server, while it is there."""
    office = Authorization(**how)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = _plain(urlsplit(self.path).query)
            self.send_response(302)
            self.send_header("Location", office.authorize(asked))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            asked = _plain(self.rfile.read(int(self.headers["Content-Length"])).decode())
            is_device = self.path == "/device"
            status, answer = (200, office.device(asked)) if is_device else office.token(asked)
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        office.port = server.server_port
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield office
        server.shutdown()


def _plain(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
