"""Automatic reports of new files in folders, and of changes by other commands."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.home import Home
from pbem.savefile.disk import as_utf8
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.host import Events
from pbem.web.server import LocalHost, access_at
from tests.play.test_folder_scans import Place
from tests.web.tables import Pair


class Recorder(Events):
    """Events that are recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, object]]] = []

    def send(self, name: str, **data: object) -> None:
        self.all.append((name, data))

    def of(self, name: str) -> list[dict[str, object]]:
        return [data for event, data in self.all if event == name]


class Player(Place):
    """A player who watches two folders from pages."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        host = LocalHost(
            GameService(Home(self.home)), access_at(5000), Language("en"), [self.saved]
        )
        self.service, self.watch = host.pages.service, host.watch
        self.events = host.pages.events = Recorder()

    def poll(self, times: int = 2) -> list[str]:
        """Poll the folders. Return the sentences for the player."""
        self.events.all.clear()
        for _ in range(times):
            asyncio.run(self.watch.poll())
        return [str(data["text"]) for data in self.events.of("said")]


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path)


def test_saved_answer_is_found_by_itself(player: Player) -> None:
    player.join()
    assert player.poll() == []
    player.answer(player.saved / "from bela.toml")
    (news,) = player.poll(3)
    assert "Bela" in news and "your move" in news
    assert player.events.of("game") and player.events.of("games")
    (listed,) = player.service.games()
    assert listed.file_in == player.saved / "from bela.toml"
    assert player.poll() == []


def test_list_of_arrivals_has_the_newest_of_each_game(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "pair").begin()
    service = GameService(Home(pair.homes[Side.BRITISH]))
    host = LocalHost(service, access_at(5000), Language("en"), [pair.folder])
    host.pages.announce("Something else.")
    said = list[str]()
    for _ in range(3):
        pair.play(lambda pair: pair.next_side is Side.FRENCH)
        pair.play(lambda pair: pair.next_side is Side.BRITISH)
        for _ in range(3):
            asyncio.run(host.watch.poll())
        said.append(str(host.pages.news[0][0]))
    assert [str(text) for text, _ in host.pages.news] == [said[-1], "Something else."]
    assert "your move" in said[-1]


def test_changes_by_a_command_are_reported(player: Player) -> None:
    player.poll()
    player.join()
    assert player.poll(1) == []
    (game,) = player.service.games()
    assert player.events.of("game") == [{"game": game.id.hex()}]


def test_file_that_crashes_the_reader_delays_no_other(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.join()
    (player.saved / "a.toml").write_text("format = 1\n")
    player.answer(player.saved / "b.toml")

    def crash(data: bytes) -> bytes:
        if data.startswith(b"format = 1\n"):
            raise RecursionError
        return as_utf8(data)

    monkeypatch.setattr("pbem.play.inbox.as_utf8", crash)
    report, arrival = player.poll(3)
    assert "a.toml" in report and "RecursionError" in report and "Bela" in arrival


@pytest.mark.parametrize("failing", ["inbox", "library_stamp"])
def test_failure_is_announced_once_for_each_kind(
    player: Player, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    player.join()
    errors = [*[RecursionError] * 9, OSError]

    def fail() -> None:
        raise errors.pop()("no room")

    async def watch_for(seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(player.watch.run(), seconds)

    monkeypatch.setattr("pbem.web.watch.POLL_SECONDS", 0.01)
    monkeypatch.setattr(player.service, failing, fail)
    for name in "abcd":
        player.answer(player.saved / f"{name}.toml")
    player.events.all.clear()
    asyncio.run(watch_for(1))
    told = " ".join(str(data["text"]) for data in player.events.of("said"))
    assert (told.count("RecursionError"), told.count("no room")) == (1, 1)
    assert len(errors) < 7


def test_no_file_is_added_without_an_identity(player: Player) -> None:
    shutil.copy(player.invitation, player.saved)
    shutil.rmtree(player.home)
    player.poll()
    assert not player.home.exists()
