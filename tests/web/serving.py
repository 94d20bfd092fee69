"""Pages served in a thread of this process, and clients that request them."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps, loads
from pathlib import Path
from threading import Thread
from typing import Any

from pbem.play.home import Home
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.server import LocalHost, PageServer, access_at, open_socket


@dataclass(frozen=True)
class Answer:
    """A response; `text` is its body."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def data(self) -> Any:
        return loads(self.text)


class Visitor:
    """An HTTP client for a port of this computer; `cookie` is the cookie of an admitted browser."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.own = f"http://127.0.0.1:{port}"
        self.cookie = cookie
        self._headers = {"Cookie": cookie} if cookie else {}

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str | None
    ) -> Answer:
        """Send a request; headers are named with `_` for `-`, and omitted if they are None."""
        all_headers: dict[str, str | None] = {**self._headers, "Accept": "text/html"}
        all_headers |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(
                method, path, body, {name: value for name, value in all_headers.items() if value}
            )
            response = connection.getresponse()
            got = {name.lower(): value for name, value in response.headers.items()}
            # A stream of events does not end.
            is_stream = got.get("content-type", "").startswith("text/event-stream")
            return Answer(response.status, got, "" if is_stream else response.read().decode())
        finally:
            connection.close()

    @contextmanager
    def streaming(self, path: str) -> Iterator[None]:
        """Request a stream, and leave it open during the block."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=self._headers)
        assert connection.getresponse().status == 200
        try:
            yield
        finally:
            connection.close()

    def post(self, path: str, data: object = None, **headers: str | None) -> Answer:
        """Send data as the script of a page."""
        usual = {"origin": self.own, "accept": "application/json", "sec_fetch_site": "same-origin"}
        return self.ask(path, "POST", dumps(data or {}).encode(), **(usual | headers))


class Serving:
    """The server of some pages."""

    def __init__(self, host: LocalHost, port: int, thread: Thread) -> None:
        self.host = host
        self.pages = host.pages
        self.access = host.access
        self.port = port
        self._thread = thread

    @property
    def is_alive(self) -> bool:
        """True if the server has not ended by itself."""
        return self._thread.is_alive()

    def stranger(self) -> Visitor:
        """Return a client without a cookie."""
        return Visitor(self.port)

    def browser(self) -> Visitor:
        """Return a client with a cookie."""
        address = self.access.new_link()
        response = self.stranger().ask(address.removeprefix(f"http://127.0.0.1:{self.port}"))
        cookie = re.match(r"[^;]+", response.headers["set-cookie"])
        assert response.status == 303 and cookie
        return Visitor(self.port, cookie[0])


@contextmanager
def serving(home: Path, *watched: Path, code: str = "en", port: int = 0) -> Iterator[Serving]:
    """Serve the games of the player in `home` during the block."""
    at = open_socket(port)
    with at:
        port = at.getsockname()[1]
        host = LocalHost(GameService(Home(home)), access_at(port), Language(code), watched)
        served = PageServer(host)
        thread = Thread(target=served.run, args=([at],), name="served")
        thread.start()
        try:
            yield Serving(host, port, thread)
        finally:
            served.should_exit = True
            thread.join(60)
        assert not thread.is_alive()
