"""Pages on a host without threads and sockets, and the work that they avoid."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.choices import Choices
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

NOT_FOR_PAGES = (
    "imaplib imapclient keyring prompt_toolkit resvg_py smtplib socketserver typer uvicorn"
)
ALL_COMMANDS = """from pbem.cli.main import commands
group = commands("en"); [group.get_command(None, name) for name in group.list_commands(None)]"""


RESUMED = "You began this turn on"


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that notes calls of attributes in a list, which it returns."""
    called: list[str] = []

    def counted(owner: Any, *names: str) -> list[str]:
        for name in names:
            monkeypatch.setattr(owner, name, noting(getattr(owner, name), name))
        return called

    def noting(function: Any, name: str) -> Any:
        def noted(*args: Any, **kwargs: Any) -> Any:
            called.append(name)
            return function(*args, **kwargs)

        return noted

    return counted


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
    ("script", "unwanted"),
    [("import pbem.web.routes", NOT_FOR_PAGES), (ALL_COMMANDS, "starlette uvicorn anyio h11")],
)
def test_pages_and_servers_are_imported_apart(script: str, unwanted: str) -> None:
    script += f"\nimport sys; print(*{{*{unwanted!r}.split()}} & {{*sys.modules}})"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert result.stdout.strip() == b""


def test_click_is_answered_from_memory(table: Table, count: Callable[..., list[str]]) -> None:
    selections = [[f"kind:{table.orders[0].verb}"], []]
    for selection in selections:
        table.do("select", selection=selection)
    opened: list[object] = []
    is_counting = True
    sys.addaudithook(
        lambda event, args: opened.append(args) if is_counting and event == "open" else None
    )
    called = count(ActiveGame, "__init__")
    for owner, *names in (
        (TurnPanel, "__init__"),
        (Choices, "__init__", "_follow"),
        (GameService, "games", "key_file"),
        (Store, "_connect"),
        (sqlite3, "connect"),
        (os, "stat", "scandir", "listdir"),
    ):
        count(owner, *names)
    for selection in selections:
        table.do("select", selection=selection)
    assert (called, opened) == (["stat", "stat"], [])
    table.order(table.orders[0])
    called.clear()
    opened.clear()
    table.do("select", selection=[])
    is_counting = False
    assert opened == []
    assert [name for name in called if name != "_follow"] == ["stat"]


def test_click_sees_the_changes_of_another_window(table: Table) -> None:
    beside = Visitor(table.pair.homes[table.side])
    beside.get(f"{table.path}/parts")
    first = table.orders[0].notation()
    assert beside.post(f"{table.path}/order", order=first).status == 200
    for action, data in (("select", {}), ("why", {"key": "kind:pass"})):
        stand = table.visitor.stand
        answer = table.visitor.post(f"{table.path}/{action}", selection=[], **data)
        assert (answer.status, answer.data["stand"]) == (409, beside.stand)
        table.visitor.stand = stand


def test_page_behind_a_command_signs_nothing(table: Table) -> None:
    table.give_all()
    session = table.pair.sessions[table.side]
    turn = table.pair.next_turn(session)
    while not turn.is_complete:
        turn.order(turn.legal_orders()[0])
    written = sign_agreed(session, turn)
    answer = table.visitor.post(f"{table.path}/sign")
    assert answer.status == 409
    assert answer.data["parts"]["posting"] and 'id="sign"' not in answer.data["parts"]["signing"]
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


def test_only_the_parts_are_sent_that_changed(table: Table) -> None:
    visitor = table.visitor
    whole = len(visitor.get(f"{table.path}/parts").body)
    for order in table.orders:
        table.do("select", selection=[f"kind:{order.verb}"])
        assert len(table.order(order)["board"]) < 40
        assert len(visitor.post(f"{table.path}/notes", notes="x" * 9).body) < whole / 10
    # A whole page is known as it was sent; an unknown one gets all parts.
    visitor.get(table.path, accept="text/html")
    assert not table.do("notes", notes="y")["board"]
    visitor.page = "unknown"
    assert {*table.do("undo")["board"]} == {*visitor.get(f"{table.path}/parts").data["board"]}


@pytest.mark.slow
@pytest.mark.parametrize("most", [2, 64])
def test_every_window_shows_how_the_game_stands(
    table: Table, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Also after changes in other windows, and if the parts of a window are forgotten."""
    monkeypatch.setattr(game_page, "MAX_PAGES", most)
    visitor, random = table.visitor, Random(5)
    windows: list[dict[str, str]] = [{}, {}, {}]
    known = [("", ""), ("", ""), ("", "")]
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
        visitor.stand, visitor.page = known[number]
        answer = visitor.post(f"{table.path}/{action}", **data)
        known[number] = visitor.stand, visitor.page
        windows[number] |= answer.data.get("parts", {}) | answer.data.get("board", {})
        if action != "select" or answer.status == 409:
            whole = visitor.get(f"{table.path}/parts").data
            assert windows[number] == whole["parts"] | whole["board"]


def test_nothing_is_signed_to_show_something(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_games_are_listed_again_when_something_has_changed(
    table: Table, count: Callable[..., list[str]]
) -> None:
    home = Home(table.pair.homes[table.side])
    # A library that changed just now is read again in any case.
    os.utime(home.library_path, (0, 0))
    table.visitor.get("/list")
    called = count(Inbox, "games")
    for _ in range(3):
        table.visitor.get("/list")
        table.visitor.get(table.path)
    assert not called
    with table.pair.sessions[table.side] as session:
        session.store.set_pace(bytes.fromhex(table.pair.game), 1)
    table.visitor.get("/list")
    assert called
    other = table.pair.sessions[table.side.opponent]
    home.games.mkdir(exist_ok=True)
    file = home.games / "game-000.toml"
    invited = sign_agreed(other, other.invite(table.side.opponent, lists=1), file).match.id
    assert invited.hex() in table.visitor.get("/list").body.decode()


@pytest.mark.slow
def test_game_that_has_not_begun_has_no_turns_before(table: Table) -> None:
    game = table.visitor.post("/new/friend", side="british", edition="second").data["go"]
    for page in ("history", "analysis"):
        answer = table.visitor.get(f"{game}/{page}")
        assert answer.status == 404 and answer.data["said"]
