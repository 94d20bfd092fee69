"""Pages on a host without threads, sockets, folders, mail or a robot."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from starlette.types import ASGIApp, Message

from engine.order import Order
from pbem.play.home import Home
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.guard import Access
from pbem.web.host import Events, Host
from pbem.web.pages import Pages
from pbem.web.routes import application
from tests.requirements import require
from tests.web.tables import Pair

_T = TypeVar("_T")
HOST = "acres.example"


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


async def request(
    app: ASGIApp, method: str, target: str, body: bytes, headers: Mapping[str, str]
) -> Answer:
    """Send a request to an ASGI application, and return its answer."""
    path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
    }
    heard: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        heard.append(message)

    await app(scope, receive, send)
    content = b"".join(message.get("body", b"") for message in heard)
    return Answer(heard[0]["status"], heard[0]["headers"], content)


class Inline(Host):
    """A host that calls functions at once."""

    def __init__(self) -> None:
        self.access = Access("acres", f"https://{HOST}")
        self.events = Events()

    async def run(self, queue: str, function: Callable[[], _T]) -> _T:
        return function()

    def put(self, queue: str, function: Callable[[], object]) -> None:
        function()


class Visitor:
    """A browser with a cookie for the pages of the player in that home."""

    def __init__(self, home: Path) -> None:
        host = Inline()
        self.pages = Pages(GameService(Home(home)), host, Language("en"))
        self._app = application(self.pages)
        cookie = host.access.redirect_with_cookie("/").headers["set-cookie"].partition(";")[0]
        self._headers = {"host": HOST, "cookie": cookie, "accept": "application/json"}
        self.stand, self.page = "", ""

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, b"", headers)

    def post(self, path: str, **data: object) -> Answer:
        """Send data as the script of a page, with the state of the page."""
        body = json.dumps({"stand": self.stand, "page": self.page} | data).encode()
        return self._ask("POST", path, body, {"origin": f"https://{HOST}"})

    def upload(self, data: bytes, name: str, **headers: str) -> Answer:
        usual = {"origin": f"https://{HOST}"}
        headers = {key.replace("_", "-"): value for key, value in headers.items()}
        return self._ask("POST", f"/files?name={name}", data, usual | headers)

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        answer = asyncio.run(request(self._app, method, path, body, self._headers | headers))
        if answer.body.startswith(b"{"):
            self.stand = answer.data.get("stand", self.stand)
            self.page = answer.data.get("page", self.page)
        elif match := re.search(rb'data-page="(\d+)"', answer.body):
            self.page = match[1].decode()
        return answer


class Table:
    """A game on its page, and the orders of a whole turn."""

    def __init__(self, folder: Path) -> None:
        self.pair = Pair(folder).begin()
        self.side = require(self.pair.next_side)
        self.pair.note(self.side)
        turn = self.pair.next_turn(self.pair.sessions[self.side])
        while not turn.is_complete:
            turn.order(self.pair.choose(turn.view()))
        self.orders = list(turn.undo_stack)
        self.visitor = Visitor(self.pair.homes[self.side])
        self.path = f"/games/{self.pair.game}"
        self.parts: dict[str, str] = {}

    def look(self) -> None:
        self._take(self.visitor.get(f"{self.path}/parts").data)

    def do(self, action: str, **data: object) -> Any:
        answer = self.visitor.post(f"{self.path}/{action}", **data)
        assert answer.status == 200, answer.body
        self._take(answer.data)
        return answer.data

    def order(self, order: Order) -> Any:
        return self.do("order", order=order.notation())

    def give_all(self) -> None:
        for order in self.orders:
            self.order(order)

    def _take(self, answer: dict[str, Any]) -> None:
        self.parts |= answer.get("parts", {}) | answer.get("board", {})
