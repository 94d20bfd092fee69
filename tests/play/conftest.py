"""A game of two players at home, each with a library."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.play.homes import LAST, NAMES, NOW, file, sign_answer
from tests.signing import sign_agreed


@pytest.fixture(scope="session")
def base_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game of Anna and Bela; do not write into it."""
    folder = tmp_path_factory.mktemp("begun")
    players = [
        Session.create(
            Home(folder / name, clock=lambda: NOW), Identity.generate(name.title(), f"{name}@a.b")
        )
        for name in NAMES
    ]
    anna, bela = players
    sign_agreed(anna, anna.invite(Side.BRITISH, lists=16), file(folder, 0))
    sign_agreed(bela, bela.join(bela.read(file(folder, 0))))
    for number in range(1, LAST):
        sign_answer(folder, NAMES[number % 2 == 0], number, *["pass"] * (1 if number < 3 else 2))
    return folder


@pytest.fixture
def folder(base_game: Path, tmp_path: Path) -> Path:
    """A copy of the game, with the homes of both players."""
    return Path(shutil.copytree(base_game, tmp_path / "table"))
