"""Pages on a host without threads and sockets, and what they leave undone: counted, not timed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.choices import Choices
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

FOREIGN = {
    *("imaplib", "imapclient", "keyring", "prompt_toolkit", "resvg_py", "smtplib", "socketserver"),
    *("typer", "uvicorn"),
}
"""Packages that the pages do not need on a host of another kind."""


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that has calls noted."""
    called: list[str] = []

    def counted(owner: Any, *names: str) -> list[str]:
        for name in names:
            monkeypatch.setattr(owner, name, noting(getattr(owner, name), name))
        return called

    def noting(function: Any, name: str) -> Any:
        def noted(*given: Any, **named: Any) -> Any:
            called.append(name)
            return function(*given, **named)

        return noted

    return counted


def test_a_game_is_played_without_threads_and_sockets(
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
    assert f"{table.path}/file" in table.shown["posting"]
    assert f"{table.path}/letter" not in table.shown["posting"]
    assert visitor.get(f"{table.path}/file").status == 200
    assert visitor.get(f"{table.path}/history").data["last"]
    # What a host does not have is not to be found.
    for path in (f"{table.path}/letter", f"{table.path}/send", "/new/robot"):
        assert visitor.get(path).status == 404
    game = visitor.post("/new/friend", side="british", edition="second").data["go"]
    assert visitor.get(game).status == 200


def test_pages_are_imported_without_what_a_server_needs() -> None:
    look = f"import sys, pbem.web.routes; print(*sorted({FOREIGN!r} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_a_click_is_answered_from_memory(table: Table, count: Callable[..., list[str]]) -> None:
    kinds = [[f"kind:{table.orders[0].verb}"], []]
    for each in kinds:
        table.do("select", selection=each)
    opened: list[object] = []
    is_counting = True
    sys.addaudithook(
        lambda event, given: opened.append(given) if is_counting and event == "open" else None
    )
    called = count(ActiveGame, "__init__")
    for owner, *names in (
        (TurnPanel, "__init__"),
        (Choices, "__init__", "_follow"),
        (GameService, "games", "key_file"),
        (Store, "_connected"),
        (sqlite3, "connect"),
        (os, "stat", "scandir", "listdir"),
    ):
        count(owner, *names)
    for each in kinds:
        table.do("select", selection=each)
    assert (called, opened) == (["stat", "stat"], [])
    table.order(table.orders[0])
    called.clear()
    opened.clear()
    table.do("select", selection=[])
    is_counting = False
    assert opened == []
    assert [each for each in called if each != "_follow"] == ["stat"]


def test_what_another_window_has_done_is_seen_at_a_click(table: Table) -> None:
    beside = Visitor(table.pair.homes[table.side])
    beside.get(f"{table.path}/parts")
    first = table.orders[0].notation()
    assert beside.post(f"{table.path}/order", order=first).status == 200
    for what, more in (("select", {}), ("why", {"key": "kind:pass"})):
        stand = table.visitor.stand
        answer = table.visitor.post(f"{table.path}/{what}", selection=[], **more)
        assert (answer.status, answer.data["stand"]) == (409, beside.stand)
        table.visitor.stand = stand


def test_only_the_parts_are_sent_that_changed(table: Table) -> None:
    visitor = table.visitor
    whole = len(visitor.get(f"{table.path}/parts").body)
    for order in table.orders:
        table.do("select", selection=[f"kind:{order.verb}"])
        assert len(table.order(order)["board"]) < 40
        assert len(visitor.post(f"{table.path}/notes", notes="x" * 9).body) < whole / 10
    # A page begins with what it was sent as a whole; one that nobody knows gets all.
    visitor.get(table.path, accept="text/html")
    assert not table.do("notes", notes="y")["board"]
    visitor.page = "unknown"
    assert {*table.do("undo")["board"]} == {*visitor.get(f"{table.path}/parts").data["board"]}


@pytest.mark.parametrize("most", [2, 64])
def test_every_window_shows_how_the_game_stands(
    table: Table, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Whatever was done in another one, also if it is forgotten what a window shows."""
    monkeypatch.setattr(game_page, "MOST_PAGES", most)
    visitor, random = table.visitor, Random(5)
    windows: list[dict[str, str]] = [{}, {}, {}]
    known = [("", ""), ("", ""), ("", "")]
    kind = f"kind:{table.orders[0].verb}"
    deeds: list[tuple[str, dict[str, object]]] = [
        ("select", {"selection": [kind]}),
        ("notes", {"notes": "x"}),
        ("order", {"order": table.orders[0].notation()}),
        ("undo", {}),
        ("redo", {}),
        ("resign", {"resigns": True}),
        ("resign", {"resigns": False}),
    ]
    for _ in range(80):
        number, (what, more) = random.randrange(3), random.choice(deeds)
        visitor.stand, visitor.page = known[number]
        answer = visitor.post(f"{table.path}/{what}", **more)
        known[number] = visitor.stand, visitor.page
        windows[number] |= answer.data.get("parts", {}) | answer.data.get("board", {})
        if what != "select" or answer.status == 409:
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
    # What has just changed is looked at again in any case.
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


def test_a_game_that_has_not_begun_has_no_turns_before(table: Table) -> None:
    game = table.visitor.post("/new/friend", side="british", edition="second").data["go"]
    for what in ("history", "analysis"):
        answer = table.visitor.get(f"{game}/{what}")
        assert answer.status == 404 and answer.data["said"]
