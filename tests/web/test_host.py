"""Pages on a host without threads and sockets, and the work that caches avoid."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import mean
from time import process_time
from typing import Any

import pytest

from engine.choices import Choices
from engine.sides import Side
from pbem.play.autosave import Autosave
from pbem.play.home import Home
from pbem.play.inbox import Inbox
from pbem.play.store import Store
from pbem.protocol.identity import Identity
from pbem.web import game_page
from pbem.web.active_game import ActiveGame
from pbem.web.game_service import GameService
from pbem.web.turn_panel import TurnPanel
from tests.signing import sign_agreed
from tests.web.inline import Table, Visitor
from tests.web.tables import Pair

NOT_FOR_PAGES = (
    "imaplib imapclient keyring prompt_toolkit resvg_py smtplib socketserver typer uvicorn"
)
ALL_COMMANDS = """from pbem.cli.main import commands
group = commands("en"); [group.get_command(None, name) for name in group.list_commands(None)]"""


RECORDS = 24
RESUMED = "You began this turn on"


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that records calls of attributes in the list that it returns."""
    calls: list[str] = []

    def record_calls(owner: Any, *names: str) -> list[str]:
        for name in names:
            monkeypatch.setattr(owner, name, recording(getattr(owner, name), name))
        return calls

    def recording(function: Any, name: str) -> Any:
        def record(*args: Any, **kwargs: Any) -> Any:
            calls.append(name)
            return function(*args, **kwargs)

        return record

    return record_calls


def test_game_is_played_without_threads_and_sockets(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner, name in (("threading.Thread", "start"), ("socket.socket", "bind")):
        monkeypatch.setattr(f"{owner}.{name}", None)
    visitor = table.visitor
    assert table.path in visitor.get("/").body.decode()
    page = visitor.get(table.path, accept="text/html").body.decode()
    assert 'id="play-page"' in page and "/new/robot" not in visitor.get("/").body.decode()
    table.do("select", selection=[f"kind:{table.orders[0].verb}"])
    table.give_all()
    assert table.do("sign")["signed"]
    assert f"{table.path}/file" in table.parts["posting"]
    assert f"{table.path}/letter" not in table.parts["posting"]
    assert visitor.get(f"{table.path}/file").status == 200
    assert visitor.get(f"{table.path}/history").data["last"]
    for path in (f"{table.path}/letter", f"{table.path}/send", "/new/robot"):
        assert visitor.get(path).status == 404
    game = visitor.post("/new/friend", side="british", edition="second").data["go"]
    assert visitor.get(game).status == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "unwanted_modules"),
    [("import pbem.web.routes", NOT_FOR_PAGES), (ALL_COMMANDS, "starlette uvicorn anyio h11")],
)
def test_pages_and_commands_import_no_unneeded_modules(script: str, unwanted_modules: str) -> None:
    script += f"\nimport sys; print(*{{*{unwanted_modules!r}.split()}} & {{*sys.modules}})"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert result.stdout.strip() == b""


def test_click_is_answered_from_memory(table: Table, recorder: Callable[..., list[str]]) -> None:
    selections = [[f"kind:{table.orders[0].verb}"], []]
    for selection in selections:
        table.do("select", selection=selection)
    opened_files: list[object] = []
    is_counting = True
    sys.addaudithook(
        lambda event, args: opened_files.append(args) if is_counting and event == "open" else None
    )
    calls = recorder(ActiveGame, "__init__")
    for owner, *names in (
        (TurnPanel, "__init__"),
        (Choices, "__init__", "_find_next_parts"),
        (GameService, "games", "key_file"),
        (Store, "_connect"),
        (sqlite3, "connect"),
        (os, "stat", "scandir", "listdir"),
    ):
        recorder(owner, *names)
    for selection in selections:
        table.do("select", selection=selection)
    assert (calls, opened_files) == (["stat", "stat"], [])
    table.order(table.orders[0])
    calls.clear()
    opened_files.clear()
    table.do("select", selection=[])
    is_counting = False
    assert opened_files == []
    assert [name for name in calls if name != "_find_next_parts"] == ["stat"]


def test_click_sees_the_changes_of_another_window(table: Table) -> None:
    other_window = Visitor(table.pair.homes[table.side])
    other_window.get(f"{table.path}/parts")
    first = table.orders[0].notation()
    assert other_window.post(f"{table.path}/order", order=first).status == 200
    for action, data in (("select", {}), ("why", {"key": "kind:pass"})):
        stand = table.visitor.stand
        response = table.visitor.post(f"{table.path}/{action}", selection=[], **data)
        assert (response.status, response.data["stand"]) == (409, other_window.stand)
        table.visitor.stand = stand


def test_stale_page_signs_nothing(table: Table) -> None:
    table.give_all()
    session = table.pair.sessions[table.side]
    turn = table.pair.next_turn(session)
    while not turn.is_complete:
        turn.order(turn.legal_orders()[0])
    written = sign_agreed(session, turn)
    response = table.visitor.post(f"{table.path}/sign")
    assert response.status == 409
    assert (
        response.data["parts"]["posting"] and 'id="sign"' not in response.data["parts"]["signing"]
    )
    assert written.path.read_bytes() == written.data
    assert max(table.pair.folder.glob("*.toml")) == written.path


def test_resumed_turn_is_announced_until_it_changes(tmp_path: Path) -> None:
    table = Table(tmp_path / "table")
    session = table.pair.sessions[table.side]
    turn = table.pair.next_turn(session)
    turn.order(table.orders[0])
    Autosave(session.store, turn).save()
    table.look()
    assert RESUMED in table.parts["decision"] and 'id="undo-all"' in table.parts["given"]
    table.do("undo-all")
    assert RESUMED not in table.parts["decision"]


def test_response_has_only_changed_parts(table: Table) -> None:
    visitor = table.visitor
    page_size = len(visitor.get(f"{table.path}/parts").body)
    for order in table.orders:
        table.do("select", selection=[f"kind:{order.verb}"])
        assert len(table.order(order)["board"]) < 40
        assert len(visitor.post(f"{table.path}/notes", notes="x" * 9).body) < page_size / 10
    # The parts of a whole page are known; an unknown page gets all parts.
    visitor.get(table.path, accept="text/html")
    assert not table.do("notes", notes="y")["board"]
    whole = {*visitor.get(f"{table.path}/parts").data["board"]}
    visitor.page = "unknown"
    assert {*table.do("undo", words=True)["board"]} == whole
    # The position in words is sent only while it is open.
    visitor.page = "unknown"
    assert whole - {*table.do("redo")["board"]} == {"words-0", "words-1", "words-2"}


@pytest.mark.slow
@pytest.mark.parametrize("max_pages", [2, 64])
def test_every_window_shows_the_current_game(
    table: Table, monkeypatch: pytest.MonkeyPatch, max_pages: int
) -> None:
    """Windows stay current after changes in others, and after their parts are forgotten."""
    monkeypatch.setattr(game_page, "MAX_PAGES", max_pages)
    visitor, random = table.visitor, Random(5)
    windows: list[dict[str, str]] = [{}, {}, {}]
    stands = [("", ""), ("", ""), ("", "")]
    kind = f"kind:{table.orders[0].verb}"
    actions: list[tuple[str, dict[str, object]]] = [
        ("select", {"selection": [kind]}),
        ("notes", {"notes": "x"}),
        ("order", {"order": table.orders[0].notation()}),
        ("undo", {}),
        ("redo", {}),
        ("resign", {"resigns": True}),
        ("resign", {"resigns": False}),
    ]
    for _ in range(80):
        number, (action, data) = random.randrange(3), random.choice(actions)
        visitor.stand, visitor.page = stands[number]
        response = visitor.post(f"{table.path}/{action}", words=True, **data)
        stands[number] = visitor.stand, visitor.page
        windows[number] |= response.data.get("parts", {}) | response.data.get("board", {})
        if action != "select" or response.status == 409:
            page_size = visitor.get(f"{table.path}/parts").data
            assert windows[number] == page_size["parts"] | page_size["board"]


def test_viewing_and_ordering_sign_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def sign(*_: object) -> bytes:
        raise AssertionError("something is signed")

    with monkeypatch.context() as patch:
        patch.setattr(Identity, "sign", sign)
        for order in table.orders:
            table.do("select", selection=[f"kind:{order.verb}"], look=order.notation())
            table.do("why", selection=[], key="kind:raid")
            table.order(order)
        table.do("undo")
        table.do("redo")
        table.do("notes", notes="all is well")
        table.do("resign", resigns=True)
        table.do("resign", resigns=False)
        for path in ("/", "/list", "/welcome", "/new/friend", table.path, f"{table.path}/history"):
            assert table.visitor.get(path, accept="text/html").status in (200, 303)
    assert table.do("sign")["signed"]


def test_list_of_games_is_cached_until_it_changes(
    table: Table, recorder: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(table.pair.homes[table.side])
    # A library that has just changed is always read again.
    monkeypatch.setattr("pbem.web.game_service.STAMP_NANOSECONDS", 0)
    table.visitor.get("/list")
    calls = recorder(Inbox, "games")
    for _ in range(3):
        table.visitor.get("/list")
        table.visitor.get(table.path)
    assert not calls
    with table.pair.sessions[table.side] as session:
        session.store.set_pace(bytes.fromhex(table.pair.game), 1)
    table.visitor.get("/list")
    assert calls
    other = table.pair.sessions[table.side.opponent]
    home.games.mkdir(exist_ok=True)
    file = home.games / "game-000.toml"
    invitation_id = sign_agreed(other, other.invite(table.side.opponent, lists=1), file).match.id
    assert invitation_id.hex() in table.visitor.get("/list").body.decode()


@pytest.mark.slow
def test_invitation_has_no_earlier_turns(table: Table) -> None:
    game = table.visitor.post("/new/friend", side="british", edition="second").data["go"]
    for page in ("history", "analysis"):
        response = table.visitor.get(f"{game}/{page}")
        assert response.status == 404 and response.data["said"]


@pytest.mark.slow
def test_answers_of_a_game_are_small_fast_and_repeat_nothing(tmp_path: Path) -> None:
    pair, side, times, sizes = Pair(tmp_path, seed=3).begin(), Side.BRITISH, [], []
    path = f"/games/{pair.game}"
    while (record := pair.written) and len(record.match.records) < RECORDS:
        if pair.next_side is not side:
            pair.answer()
            continue
        pair.note(side)
        visitor, turn = Visitor(pair.homes[side]), pair.next_turn(pair.sessions[side])
        visitor.get(path, accept="text/html")
        data = visitor.get(f"{path}/parts").data
        shown = data["parts"] | data["board"]
        while not turn.is_complete:
            order = pair.choose(turn.view())
            began = process_time()
            visitor.post(f"{path}/select", selection=[f"kind:{order.verb}"])
            times.append(process_time() - began)
            answer = visitor.post(f"{path}/order", order=order.notation())
            sizes.append(len(answer.body))
            parts = answer.data["parts"] | answer.data["board"]
            repeated = [id for id, part in parts.items() if shown.get(id) == part]
            # The selection before has changed these parts of the page.
            assert {*repeated} <= {"choice", "more"}
            shown |= parts
            turn.order(order)
        pair.answer()
    # A settlement changes the most: the board, its description, and three piles.
    assert mean(sizes) <= 12_000
    assert max(sizes) <= 22_000
    assert sorted(times)[-len(times) // 20] <= 0.05
