"""A browser without a browser: the pages of a player are asked for in this process, by no socket.

Its lines are `GET /games/~`, `ASK /games/~/parts` (which is GET, by the script of a page),
`POST /games/~/order {"order": "pass"}`, `POST /files?name=a.toml <a.toml` with a file as its body,
and `LOOK`, with which the program looks into its folders. `~` stands for the id of the first game
that is listed, `~2` for that of the second. How the game stands on the page is sent along.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.types import Message

from pbem.errors import AcresError
from pbem.play.home import Home
from pbem.text.language import Language
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.guard import Doors
from pbem.web.pages import Pages
from pbem.web.routes import application

PORT = 5000
LONG = 300
"""In characters: a part of an answer that is longer is recorded once in a script."""


class Browser:
    """A browser that is in at the pages of a player who lives in that folder."""

    def __init__(self, home: str) -> None:
        doors = Doors(PORT)
        self._told: list[str] = []
        events = Events()
        events.tell = self._tell  # type: ignore[method-assign]
        desk = Desk(Home(Path(home).absolute()), f"acres --home {home}")
        fetches = Path(home, "config.toml").exists()
        language = Language(os.environ["ACRES_LANG"])
        self._pages = Pages(desk, events, doors, language, fetches=fetches)
        # A robot answers at once, and not in a while in a thread of its own.
        self._pages.robots.wake = self._pages.robots._look  # type: ignore[method-assign]
        self._app = application(self._pages)
        self._cookie = doors.let_in("/").headers["set-cookie"].partition(";")[0]
        self._host = doors.hosts[0]
        self._stand = ""
        self._games: list[str] = []
        self._seen = set[str]()

    def ask(self, line: str, headers: Mapping[str, str]) -> dict[str, bytes]:
        """Ask for something; return what is to be recorded of the answer, by what it is."""
        return asyncio.run(self._ask(line, headers))

    def end(self) -> None:
        """Let what works beside the pages end."""
        self._pages.end()

    async def _ask(self, line: str, headers: Mapping[str, str]) -> dict[str, bytes]:
        self._told.clear()
        if line == "LOOK":
            await self._pages.watch.look()
            return self._events()
        method, path, *rest = line.split(" ", 2)
        if "~" in path:
            await self._pages.desk.run(self._look_up)
            path = re.sub(r"~(\d*)", lambda found: self._games[int(found[1] or 1) - 1], path)
        answered = await self._request(method, path, self._body("".join(rest)), headers)
        # What is still to be done at the desk, such as to note what a robot wrote.
        await self._pages.desk.idle(60)
        return answered | self._events()

    def _events(self) -> dict[str, bytes]:
        """Return what the pages were told, which threads do in no fixed sequence."""
        return {"events": "".join(sorted(self._told)).encode()} if self._told else {}

    def _look_up(self) -> None:
        """Note the ids of the games, as far as they can be read now."""
        with suppress(AcresError):
            self._games = [each.id.hex() for each in self._pages.desk.games()]

    def _body(self, text: str) -> bytes:
        if text.startswith("<"):
            return Path(text[1:]).read_bytes()
        if text.startswith("{"):
            return json.dumps({"stand": self._stand} | json.loads(text)).encode()
        return text.encode()

    async def _request(
        self, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> dict[str, bytes]:
        accept = "text/html" if method == "GET" else "application/json"
        sent = {"host": self._host, "cookie": self._cookie, "accept": accept}
        if method == "POST":
            sent |= {"origin": f"http://{self._host}", "content-length": str(len(body))}
        path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET" if method == "ASK" else method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in (sent | dict(headers)).items() if v],
        }
        heard: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            heard.append(message)

        await self._app(scope, receive, send)
        found = {"status": f"{heard[0]['status']}\n".encode()}
        if told := [*self._new_headers(heard[0]["headers"])]:
            found["headers"] = "".join(told).encode()
        if data := b"".join(each.get("body", b"") for each in heard):
            found["answer"] = self._recorded(data)
        return found

    def _new_headers(self, headers: list[tuple[bytes, bytes]]) -> Iterator[str]:
        """Yield those that no answer before had."""
        for name, value in headers:
            # The server keeps methods in a set.
            text = (
                ", ".join(sorted(value.decode().split(", ")))
                if name == b"allow"
                else value.decode()
            )
            told = f"{name.decode()}: {text}\n"
            if name != b"content-length" and told not in self._seen:
                self._seen.add(told)
                yield told

    def _recorded(self, data: bytes) -> bytes:
        """Return an answer, JSON by its parts; long ones that were answered before only named."""
        if not data.startswith(b"{"):
            if stand := re.search(rb'data-stand="(\w*)"', data):
                self._stand = stand[1].decode()
            return data
        facts = json.loads(data)
        self._stand = facts.get("stand", self._stand)
        return "\n".join(self._lines("", facts)).encode()

    def _lines(self, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, dict) and value:
            for key, each in value.items():
                yield from self._lines(f"{name}.{key}".removeprefix("."), each)
            return
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        told = f"{name}:\n{text}\n" if "\n" in text else f"{name}: {text}"
        yield told if len(told) < LONG or told not in self._seen else f"{name}: (as before)"
        self._seen.add(told)

    def _tell(self, name: str, **data: Any) -> None:
        self._told.append(f"{name} {json.dumps(data, ensure_ascii=False)}\n")
