"""The pages as a browser runs them, called here without one: the same calls as in `worker.js`."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine.message import Message, TranslatableError
from engine.sides import Side
from pbem.play.analysis import Analysis, ProgressCallback
from pbem.protocol.match import Match
from pbem.savefile.armour import to_link, unarmour
from pbem.web.guard import MAX_BODY_BYTES, NONCE, PROOF, Access
from pbem.web.site.host import Answer, BrowserSite
from pbem.web.site.tasks import call
from tests.site.visiting import IDENTITY, PRACTICE

_T = TypeVar("_T")
_E = TypeVar("_E", bound=TranslatableError)
ADDRESS = "https://example.org/some/place/"
KEY = "the key of the pages"
PAGE = {"accept": "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
SCRIPT = {"accept": "application/json", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
ABSENT = {
    *("babel", "imapclient", "keyring", "multiprocessing", "prompt_toolkit", "resvg_py"),
    *("rich", "typer", "uvicorn"),
}
"""Packages that browsers do not have; `pbem.protocol.primitives` chooses its cryptography."""


class Tab:
    """A tab with pages of the player with the home in a folder."""

    def __init__(self, folder: Path, *languages: str) -> None:
        self.events: list[tuple[str, str]] = []
        self.tasks: list[str] = []
        self._access = Access("any", ADDRESS, key=KEY)
        self.site = BrowserSite(str(folder), ADDRESS, KEY, languages, self._hear, self._think)

    def _hear(self, text: str, signature: str, is_urgent: bool) -> None:
        assert signature == self._access.sign(text)
        assert is_urgent == text.startswith("event - - progress")
        self.events.append((text.split(" ")[3], text))

    async def _think(
        self, worker: str, task: bytes, report: Callable[[str], None] | None
    ) -> memoryview:
        self.tasks.append(worker)
        return memoryview(call(task, report or pytest.fail))

    async def get(self, path: str) -> Answer:
        """Return the response to a browser that opens a page."""
        return await self.site.respond("GET", f"{ADDRESS}{path}", PAGE.items(), b"")

    async def ask(self, method: str, path: str, body: bytes = b"") -> dict[str, Any]:
        """Return the signed answer that a script of a page receives."""
        headers = SCRIPT | {NONCE: "n", PROOF: self._access.sign("request n")}
        answer = await self.site.respond(method, f"{ADDRESS}{path}", headers.items(), body)
        proof = self._access.sign(f"answer n {answer.status}\n", answer.body)
        assert dict(answer.headers)[PROOF.lower()] == proof
        found: dict[str, Any] = json.loads(answer.body)
        return found | {"status": answer.status}

    async def post(self, path: str, **data: Any) -> dict[str, Any]:
        """Return the response to data of a page."""
        return await self.ask("POST", path, json.dumps(data).encode())

    async def begin(self, name: str = "Anna") -> None:
        answer = await self.post("welcome", name=name, email="", passphrase="", again="")
        assert answer["go"] == "/"

    async def play_robot(self, strength: int) -> str:
        """Begin a game with the robot; return the address of its page below the site's."""
        answer = await self.post("new/robot", side="british", edition="second", strength=strength)
        return str(answer["go"]).removeprefix("/")


def run(coroutine: Coroutine[Any, Any, _T]) -> _T:
    return asyncio.run(coroutine)


def test_imports_nothing_that_browsers_do_not_have() -> None:
    program = "import pbem.web.site.host, sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], encoding="utf-8").split()
    assert {name.partition(".")[0] for name in loaded} & ABSENT == set()


def test_first_visit_asks_for_a_name_in_the_language_of_the_browser(tmp_path: Path) -> None:
    async def visit() -> None:
        tab = Tab(tmp_path, "xx", "fr-CA", "ru")
        first = await tab.get("")
        assert (first.status, dict(first.headers)["location"]) == (303, "/some/place/welcome")
        page = (await tab.get("welcome")).body.decode()
        assert '<html lang="fr"' in page
        # Every address of a page and of a part of it is within the site.
        assert re.findall(r'(?:href|src)="/(?!some/place/).*?"', page) == []

    run(visit())


def test_pages_may_be_framed_by_the_site_alone(tmp_path: Path) -> None:
    headers = dict(run(Tab(tmp_path).get("welcome")).headers)
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize("strength", [1, 2])
def test_the_robot_joins_and_the_slow_one_thinks_elsewhere(tmp_path: Path, strength: int) -> None:
    async def play() -> None:
        tab = Tab(tmp_path)
        await tab.begin()
        page = (await tab.get(await tab.play_robot(strength))).body.decode()
        assert "Robot (French)" in page
        assert bool(tab.tasks) == (strength > 1)

    run(play())


def test_no_folder_of_the_browser_is_told(tmp_path: Path) -> None:
    async def play() -> None:
        tab = Tab(tmp_path)
        await tab.begin()
        game = await tab.play_robot(1)
        stand = (await tab.ask("GET", f"{game}/parts"))["stand"]
        stand = (await tab.post(f"{game}/resign", stand=stand, page="", resigns=True))["stand"]
        signed = await tab.post(f"{game}/sign", stand=stand, page="")
        assert re.search(r"Written: acres-\w+-002\.toml", signed["said"]), signed
        assert str(tmp_path) not in signed["said"]

    run(play())


def test_a_new_worker_answers_what_the_last_one_left(tmp_path: Path) -> None:
    async def play() -> None:
        await (first := Tab(tmp_path)).begin()
        first.site._host.robot.wake = lambda: None  # type: ignore[method-assign]
        answering = asyncio.ensure_future(first.play_robot(1))
        while not list(tmp_path.rglob("*-000.toml")):
            await asyncio.sleep(0)
        answering.cancel()
        second = Tab(tmp_path)
        second.site.start()
        while ("games", "event - - games {}") not in second.events:
            await asyncio.sleep(0)
        assert "Robot" in (await second.get("")).body.decode()
        assert list(tmp_path.rglob("*-001.toml"))

    run(play())


def test_tells_why_the_robot_does_not_play(tmp_path: Path) -> None:
    async def play() -> None:
        tab = Tab(tmp_path)
        await tab.begin()
        (tmp_path / "robot").mkdir()
        (tmp_path / "robot" / "identity.toml").write_text("nonsense", "utf-8")
        await tab.play_robot(1)
        assert any(name == "said" and "identity.toml" in text for name, text in tab.events)

    run(play())


def test_requests_that_no_page_sends_are_refused(tmp_path: Path) -> None:
    body = b'{"name": "Eve", "email": "", "passphrase": "", "again": ""}'
    site = Tab(tmp_path).site
    answer = run(site.respond("POST", f"{ADDRESS}welcome", SCRIPT.items(), body))
    assert (answer.status, answer.body) == (403, b"")
    assert not list(tmp_path.iterdir())


def test_lobby_has_one_notice_of_storage_that_may_be_lost(tmp_path: Path) -> None:
    async def look(*, is_persistent: bool) -> str:
        tab.site.note_storage(is_persistent=is_persistent, free_bytes=float("inf"))
        return (await tab.get("")).body.decode()

    tab = Tab(tmp_path)
    run(tab.begin())
    assert "may delete" not in run(look(is_persistent=True))
    tab.events.clear()
    lobby = run(look(is_persistent=False))
    assert [name for name, _ in tab.events] == ["games"]
    assert lobby.count("may delete") == lobby.count("only in this browser") == 1
    run(tab.post("recovery"))
    lobby = run(look(is_persistent=False))
    assert lobby.count("may delete") == lobby.count("last saved on") == 1


def test_warns_once_of_storage_that_is_full(tmp_path: Path) -> None:
    tab = Tab(tmp_path)
    for free_bytes in (12.3e6, 12.2e6, 900e6, 12.1e6):
        tab.site.note_free(free_bytes)
    told = [text for name, text in tab.events if name == "said" and "MB more" in text]
    assert len(told) == 2 and "12 MB" in told[0]


def test_whole_games_are_drawn_and_analysed_in_other_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def analyse(match: Match, hands: object, *, progress: ProgressCallback) -> Analysis:
        for _ in progress(range(2)):
            pass
        return Analysis(3, (Side.BRITISH,), (0.5,) * (match.turn + 1), (), ())

    async def look() -> None:
        (tmp_path / "identity.toml").write_bytes(IDENTITY)
        tab, file = Tab(tmp_path), PRACTICE / "game-130.toml"
        link, _ = (await tab.ask("POST", "files", file.read_bytes()))["link"]
        game = link.removeprefix("/games/")
        assert "packed" in await tab.ask("GET", f"games/{game}/history")
        assert "deciding" in await tab.ask("GET", f"games/{game}/analysis")
        # The analysis delays no other tasks.
        assert tab.tasks == ["helper", "analyst", "helper"]
        assert len([text for name, text in tab.events if name == "progress" and game in text]) == 2

    monkeypatch.setattr("pbem.play.analysis.analyse", analyse)
    run(look())


def test_shared_messages_say_where_to_answer(tmp_path: Path) -> None:
    async def look() -> None:
        tab = Tab(tmp_path)
        await tab.begin()
        await tab.post("recovery")
        answer = await tab.post("new/friend", side="british", edition="second", lists=1)
        message = await tab.ask("GET", f"{answer['go'][1:]}/message")
        (link,) = re.findall(r"https\S+", message["words"])
        assert link == to_link(unarmour(message["content"].encode()), ADDRESS)

    run(look())


def test_files_are_checked_in_front_of_the_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(path: str, data: bytes) -> str:
        tab.events.clear()
        answer = await tab.ask("POST", path, data)
        steps = [json.loads(text[text.index("{") :]) for name, text in tab.events if name[0] == "p"]
        shares = [step["done"] / step["total"] for step in steps]
        assert len(shares) > 20 and shares == sorted(shares) and 0 <= shares[0] < shares[-1] < 1
        return str(answer)

    async def look() -> None:
        assert "packed" not in await check("files", game)
        assert not tab.tasks
        assert "proved" in await check("audit", game)
        assert "not valid" in await check("audit", game.replace(b"T10:", b"T11:", 1))
        assert "breaks off" in str(await tab.ask("POST", "audit", b'format = "acres-save"'))
        assert "identity file" in str(await tab.ask("POST", "audit", IDENTITY))
        # Other pages are answered meanwhile.
        assert len(tab.tasks) == 4

    (tmp_path / "identity.toml").write_bytes(IDENTITY)
    tab, game = Tab(tmp_path), (PRACTICE / "game-130.toml").read_bytes()
    monkeypatch.setattr("pbem.web.host.PROGRESS_SECONDS", 0)
    run(look())


@pytest.mark.parametrize(("seconds", "strengths"), [(0.001, "123"), (0.1, "12")])
def test_the_strongest_robot_is_offered_on_fast_devices_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, strengths: str
) -> None:
    async def look() -> None:
        tab = Tab(tmp_path)
        await tab.begin()
        page = (await tab.get("new/robot")).body.decode()
        assert re.findall('name="strength" value="(.)"', page) == [*strengths]

    monkeypatch.setattr("timeit.repeat", lambda *_, **__: [seconds])
    run(look())


def test_file_that_is_too_large_is_refused_in_words(tmp_path: Path) -> None:
    async def look() -> None:
        answer = await tab.ask("POST", "audit", bytes(MAX_BODY_BYTES + 1))
        assert answer["status"] == 413 and "longer than any file" in str(answer)

    tab = Tab(tmp_path)
    run(look())


def _subclasses(cls: type[_E]) -> Iterator[type[_E]]:
    yield cls
    for derived in cls.__subclasses__():
        yield from _subclasses(derived)


def test_errors_pass_from_one_worker_to_another() -> None:
    for cls in _subclasses(TranslatableError):
        error = cls.__new__(cls, Message("{file} is gone.", file=Path("a")))
        error.__dict__["anything"] = 1
        other = pickle.loads(pickle.dumps(error))
        assert (type(other), str(other), vars(other)) == (cls, "a is gone.", {"anything": 1})
