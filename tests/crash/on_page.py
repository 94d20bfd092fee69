"""A turn that is given, signed and written on its page: by requests, as a browser sends them."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from pbem.play.home import Home
from pbem.sources import now
from pbem.text.language import Language
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.guard import Doors
from pbem.web.pages import Pages
from pbem.web.routes import application

PORT = 5000


class Refused(Exception):
    """A page has not done what was asked for, and said why."""


class Page:
    """The page of the longest game of a player."""

    def __init__(self, home: str) -> None:
        doors = Doors(PORT)
        desk = Desk(Home(Path(home).absolute(), clock=now))
        self._app: ASGIApp = application(Pages(desk, Events(), doors, Language("en")))
        cookie = doors.let_in("/").headers["set-cookie"].partition(";")[0]
        self._headers = {"host": doors.hosts[0], "cookie": cookie, "accept": "application/json"}
        longest = max(desk.games(), key=lambda each: each.game.records)
        self._path = f"/games/{longest.id.hex()}"
        self.shown: dict[str, Any] = {}

    async def look(self) -> None:
        """Ask how it stands."""
        await self._ask("GET", "parts")

    async def do(self, what: str, **data: str) -> None:
        """Do something as it stands."""
        body = json.dumps({"stand": self.shown["stand"]} | data).encode()
        await self._ask("POST", what, body)

    def told(self, part: str) -> str:
        """What stands in a part, without its markup."""
        return " ".join(re.sub("<[^>]+>", " ", self.shown["parts"][part]).split())

    async def _ask(self, method: str, what: str, body: bytes = b"") -> None:
        headers = self._headers | {"origin": f"http://{self._headers['host']}"}
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": f"{self._path}/{what}",
            "raw_path": f"{self._path}/{what}".encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        heard: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            heard.append(message)

        await self._app(scope, receive, send)
        answer = json.loads(b"".join(each.get("body", b"") for each in heard))
        if heard[0]["status"] != 200:
            raise Refused(answer["said"])
        self.shown = answer


async def _given(home: str, *orders: str) -> None:
    """Give these orders, but for those that have been found again, and sign."""
    page = Page(home)
    await page.look()
    print(page.told("decision"))
    found = page.shown["parts"]["given"].count("<li>")
    for order in orders[found:]:
        await page.do("order", order=order)
    await page.do("sign")


def on_page(home: str, *orders: str) -> int:
    """Do it; the status and the error are those of a command."""
    try:
        asyncio.run(_given(home, *orders))
    except Refused as error:
        print(error, file=sys.stderr)
        return 2
    return 0
