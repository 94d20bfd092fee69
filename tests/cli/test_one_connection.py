"""A command or a request for a page opens the library once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.play import signing
from pbem.protocol.identity import Identity
from tests.cli.commands import OTHER_ORDERS, PASSES, do
from tests.web.inline import Table
from tests.web.serving import serving


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The paths of all opened databases."""
    names: list[str] = []
    connect = sqlite3.connect

    def counting(name: str, *arguments: Any, **options: Any) -> sqlite3.Connection:
        names.append(name)
        connection: sqlite3.Connection = connect(name, *arguments, **options)
        return connection

    monkeypatch.setattr(sqlite3, "connect", counting)
    yield names
    assert not [name for name in names if "library.sqlite3" not in name]


@pytest.mark.usefixtures("in_game_folder")
@pytest.mark.parametrize(
    "words",
    [
        ("turn", "apply", "game-017.toml", *PASSES),
        ("turn", "apply", "game-017.toml", *OTHER_ORDERS, "--dry-run"),
        ("turn", "show", "game-017.toml"),
        ("games",),
        ("players",),
    ],
)
def test_command_opens_the_library_once(
    game: Path, connections: list[str], words: tuple[str, ...]
) -> None:
    # The first command migrates the library.
    do("games", "add", game, home=Path("british"))
    connections.clear()
    do(*words, home=Path("british"))
    assert len(connections) == 1


@pytest.mark.usefixtures("in_game_folder")
def test_turn_is_signed_once_and_its_questions_computed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The questions are computed before the orders, and with them.
    called: list[str] = []

    def count(owner: Any, name: str) -> None:
        plain = getattr(owner, name)

        def counting(*arguments: Any, **options: Any) -> Any:
            called.append(name)
            return plain(*arguments, **options)

        monkeypatch.setattr(owner, name, counting)

    count(signing, "_open_questions")
    count(Identity, "sign")
    do("turn", "apply", "game-017.toml", *PASSES, home=Path("british"))
    assert called == ["_open_questions", "_open_questions", "sign"]


@pytest.mark.slow
def test_request_opens_the_library_once(
    tmp_path: Path, connections: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scan_nothing(_: object) -> None:
        """Replace background scans of folders."""

    monkeypatch.setattr("pbem.web.watch.FolderWatcher.run", scan_nothing)
    table = Table(tmp_path / "table")
    game = table.path
    with serving(table.pair.homes[table.side]) as served:
        browser = served.browser()
        for path in ("/", "/list", game, f"{game}/parts", f"{game}/history", "/welcome"):
            connections.clear()
            assert browser.ask(path, accept="application/json").status in (200, 303)
            assert len(connections) <= 1, path
        stand = browser.ask(f"{game}/parts", accept="application/json").data["stand"]
        orders = [("order", order.notation()) for order in table.orders]
        for action, order in [*orders, ("sign", "")]:
            connections.clear()
            answer = browser.post(f"{game}/{action}", {"stand": stand, "order": order})
            assert (answer.status, len(connections)) == (200, 1)
            stand = answer.data["stand"]
        connections.clear()
        assert (browser.ask(f"{game}/letter?picture=1").status, len(connections)) == (200, 1)
        connections.clear()
        arguments = browser.ask("/files", "POST", table.pair.file.read_bytes(), origin=browser.own)
        assert (arguments.status, len(connections)) == (200, 1)
