"""A server on this computer, to which a provider's page redirects a browser (RFC 8252, 7.3)."""

from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import parse_qs, urlsplit

_AT_A_TIME = 1.0
"""In seconds, how long is waited at once: not every system ends a longer wait at Ctrl-C."""


class Callback(ThreadingHTTPServer):
    """Such a server, for one answer; it waits for nobody who is slow to give another.

    Only one with the right `state` counts: any page may lead here.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.state = ""
        self.given: dict[str, str] = {}
        self.came = Event()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/"

    def answer(self, seconds: float) -> dict[str, str] | None:
        """What the provider sends; None where nothing comes within that time."""
        end = time.monotonic() + seconds
        Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()
        try:
            while (left := end - time.monotonic()) > 0:
                if self.came.wait(min(_AT_A_TIME, left)):
                    return self.given
        finally:
            self.shutdown()
        return None

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever breaks off is not waited for, and nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    server: Callback
    timeout = 5

    def do_GET(self) -> None:
        """Take the answer of the provider out of the address."""
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        is_right = bool(self.server.state) and given.get("state") == self.server.state
        told = b"acres: you can close this page.\n" if is_right else b"acres: not this one.\n"
        self.send_response(200 if is_right else 400)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)
        if is_right:
            self.server.given = given
            self.server.came.set()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the address has the code in it."""
