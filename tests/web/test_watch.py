"""What comes into a folder, or is done by a command beside, shows by itself."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from pbem.play.home import Home
from pbem.play.incoming import as_utf8
from pbem.text.language import Language
from pbem.web.game_service import GameService
from pbem.web.host import Events
from pbem.web.server import LocalHost, access_at
from tests.play.test_in_folders import Place


class Told(Events):
    """What pages would be told, kept."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, object]]] = []

    def tell(self, name: str, **data: object) -> None:
        self.all.append((name, data))

    def of(self, name: str) -> list[dict[str, object]]:
        return [data for each, data in self.all if each == name]


class Player(Place):
    """Somebody who watches two folders from pages."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        host = LocalHost(
            GameService(Home(self.home)), access_at(5000), Language("en"), [self.saved]
        )
        self.service, self.watch = host.pages.service, host.watch
        self.events = host.pages.events = Told()

    def told(self, times: int = 2) -> list[str]:
        """What the player is told when there was time enough to see it."""
        self.events.all.clear()
        for _ in range(times):
            asyncio.run(self.watch.poll())
        return [str(each["text"]) for each in self.events.of("said")]


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path)


def test_an_answer_that_is_saved_shows_by_itself(player: Player) -> None:
    player.join()
    assert player.told() == []
    player.answer(player.saved / "from bela.toml")
    (told,) = player.told(3)
    assert "Bela" in told and "your move" in told
    assert player.events.of("game") and player.events.of("games")
    (listed,) = player.service.games()
    assert listed.file_in == player.saved / "from bela.toml"
    assert player.told() == []


def test_what_a_command_does_beside_is_seen(player: Player) -> None:
    player.told()
    player.join()
    assert player.told(1) == []
    (game,) = player.service.games()
    assert player.events.of("game") == [{"game": game.id.hex()}]


def test_a_file_with_which_the_program_cannot_cope_keeps_none_of_the_others_back(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is: it is told, the next file is taken in, and so is what comes later."""
    player.join()
    (player.saved / "a.toml").write_text("format = 1\n")
    player.answer(player.saved / "b.toml")

    def stumbling(data: bytes) -> bytes:
        if data.startswith(b"format = 1\n"):
            raise RecursionError
        return as_utf8(data)

    monkeypatch.setattr("pbem.play.inbox.as_utf8", stumbling)
    told = player.told(3)
    assert len(told) == 2
    assert "a.toml" in told[0] and "RecursionError" in told[0]
    assert "Bela" in told[1]


def test_without_an_identity_nothing_is_taken(player: Player) -> None:
    shutil.copy(player.invitation, player.saved)
    shutil.rmtree(player.home)
    player.told()
    assert not player.home.exists()
