"""A simulated browser, which requests the pages of a player in this process, without a socket.

Its lines are `GET /games/~`, `ASK /games/~/parts` (a GET by the script of a page),
`POST /games/~/order {"order": "pass"}`, `POST /files?name=a.toml <a.toml` with a file as its body,
and `LOOK`, which scans the folders. `~` is the id of the first listed game, and `~2` the id of the
second. Requests contain the state of the game on the page.
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

from pbem.errors import AcresError
from pbem.play.home import Home
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.routes import application
from pbem.web.server import LocalHost, access_at
from tests.web.inline import Answer, request

PORT = 5000
MAX_TEXT = 300
"""The length from which equal parts of answers are recorded once in a script."""


class Browser:
    """A browser that is logged in to the pages of a player."""

    def __init__(self, home: str) -> None:
        access = access_at(PORT)
        self._sent_events: list[str] = []
        service = GameService(Home(Path(home).absolute()), f"acres --home {home}")
        self._local = LocalHost(service, access, Language(os.environ["ACRES_LANG"]))
        self._local.events.send = self._add_event  # type: ignore[method-assign]
        # A robot answers at once, instead of later in a thread.
        robot = self._local.robot
        robot.wake = robot._scan  # type: ignore[method-assign]
        if not Path(home, "config.toml").exists():
            # The recordings have no notice about a missing mail account.
            self._local.mail.fetch = _find_no_mail  # type: ignore[method-assign]
        self._app = application(self._local.pages)
        self._cookie = access.redirect_with_cookie("/").headers["set-cookie"].partition(";")[0]
        self._host = next(iter(access.origins))
        self._stand, self._page = "", ""
        self._games: list[str] = []
        self._recorded_before = set[str]()
        self._parts: dict[str, dict[str, Any]] = {}

    def ask(self, line: str, headers: Mapping[str, str]) -> dict[str, bytes]:
        """Send a request, and return the recorded parts of the answer by kind."""
        return asyncio.run(self._ask(line, headers))

    def end(self) -> None:
        """Stop the background tasks."""
        self._local.end()

    async def _ask(self, line: str, headers: Mapping[str, str]) -> dict[str, bytes]:
        self._sent_events.clear()
        if line == "LOOK":
            await self._local.watch.poll()
            return self._events()
        method, path, *rest = line.split(" ", 2)
        if "~" in path:
            await self._local.pages.run(self._note_games)
            path = re.sub(r"~(\d*)", lambda match: self._games[int(match[1] or 1) - 1], path)
        answered = await self._request(method, path, self._body("".join(rest)), headers)
        # The service may still have work, for example noting the files of a robot.
        await self._local.settle(60)
        return answered | self._events()

    def _events(self) -> dict[str, bytes]:
        """Return the sorted events for the pages, which threads send in any order."""
        return {"events": "".join(sorted(self._sent_events)).encode()} if self._sent_events else {}

    def _note_games(self) -> None:
        """Note the ids of the readable games."""
        with suppress(AcresError):
            self._games = [game.id.hex() for game in self._local.pages.service.games()]

    def _body(self, text: str) -> bytes:
        if text.startswith("<"):
            return Path(text[1:]).read_bytes()
        if text.startswith("{"):
            known = {"stand": self._stand, "page": self._page}
            return json.dumps(known | json.loads(text)).encode()
        return text.encode()

    async def _request(
        self, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> dict[str, bytes]:
        status, pairs, data = await self._answer(method, target, body, headers)
        recording = {"status": f"{status}\n".encode()}
        if new := [*self._new_headers(pairs)]:
            recording["headers"] = "".join(new).encode()
        if data:
            recording["answer"] = self._normalise(await self._with_all_parts(target, data))
        return recording

    async def _answer(
        self, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        accept = "text/html" if method == "GET" else "application/json"
        sent = {"host": self._host, "cookie": self._cookie, "accept": accept}
        if method == "POST":
            sent |= {"origin": f"http://{self._host}", "content-length": str(len(body))}
        method = "GET" if method == "ASK" else method
        return await request(self._app, method, target, body, sent | dict(headers))

    async def _with_all_parts(self, target: str, data: bytes) -> bytes:
        """Return an answer with all parts of the page; an answer has only changed parts."""
        parts = self._parts.setdefault(target.split("/")[2] if "/games/" in target else "", {})
        if b"data-stand=" in data:
            # A script takes the other parts from its page.
            parts |= (await self._answer("ASK", f"{target}/parts", b"", {})).data
        elif data.startswith(b"{"):
            facts = json.loads(data)
            whole = {name: parts.get(name, {}) | facts.get(name, {}) for name in ("parts", "board")}
            parts |= whole
            return json.dumps(facts | whole).encode() if "board" in facts else data
        return data

    def _new_headers(self, headers: list[tuple[bytes, bytes]]) -> Iterator[str]:
        """Yield the headers that differ from those of earlier answers."""
        for name, value in headers:
            # The server stores methods in a set, without order.
            text = (
                ", ".join(sorted(value.decode().split(", ")))
                if name == b"allow"
                else value.decode()
            )
            header = f"{name.decode()}: {text}\n"
            if name != b"content-length" and header not in self._recorded_before:
                self._recorded_before.add(header)
                yield header

    def _normalise(self, data: bytes) -> bytes:
        """Return an answer with JSON in parts, and only the names of repeated long parts."""
        if not data.startswith(b"{"):
            # These invisible lines are newer than the recordings.
            data = re.sub(rb"(?m)^(?:<meta name=.key.|<noscript>).*\n", b"", data)
            if match := re.search(rb'data-stand="(\w*)" (data-page="(\d+)" )', data):
                self._stand, self._page = match[1].decode(), match[3].decode()
                # This invisible part is newer than the recordings.
                return data.replace(match[2], b"")
            return data
        facts = json.loads(data)
        self._stand = facts.get("stand", self._stand)
        self._page = facts.pop("page", self._page)
        return "\n".join(self._lines("", facts)).encode()

    def _lines(self, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, dict) and value:
            for key, part in value.items():
                yield from self._lines(f"{name}.{key}".removeprefix("."), part)
            return
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        line = f"{name}:\n{text}\n" if "\n" in text else f"{name}: {text}"
        yield (
            line
            if len(line) < MAX_TEXT or line not in self._recorded_before
            else f"{name}: (as before)"
        )
        self._recorded_before.add(line)

    def _add_event(self, name: str, **data: Any) -> None:
        self._sent_events.append(f"{name} {json.dumps(data, ensure_ascii=False)}\n")


async def _find_no_mail() -> bool:
    return False
